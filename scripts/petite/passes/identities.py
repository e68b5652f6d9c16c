# SPDX-License-Identifier: Apache-2.0
"""Operators that change nothing are taken out; chains of views and of permutations become one."""

from __future__ import annotations

from petite.ir.graph import Graph
from petite.ir.ops import Concat, Expand, Merge, Op, Pad, Permute, Slice, View


def identities(graph: Graph) -> None:
    """Take out what changes nothing."""
    for op in list(graph.ops):
        _merge_with_producer(graph, op)
        if _changes_nothing(op):
            graph.ops.remove(op)
            graph.replace(op.output, op.input)


def _changes_nothing(op: Op) -> bool:
    match op:
        case View() | Expand():
            return op.output.shape == op.input.shape
        case Permute():
            return op.permutation == tuple(range(len(op.permutation)))
        case Pad():
            return not any(op.before) and not any(op.after)
        case Slice():
            return op.output.shape == op.input.shape and op.step == 1
        case Concat():
            return len(op.inputs) == 1
        case Merge():
            return op.inputs[0] is op.inputs[1]
    return False


def _merge_with_producer(graph: Graph, op: Op) -> None:
    """view(view(x)) is one view; permute(permute(x)) is one permutation."""
    if not isinstance(op, View | Permute):
        return
    producer = graph.producer(op.input)
    if isinstance(op, View) and isinstance(producer, View):
        op.inputs = [producer.input]
    elif isinstance(op, Permute) and isinstance(producer, Permute):
        op.permutation = tuple(producer.permutation[d] for d in op.permutation)
        op.inputs = [producer.input]
