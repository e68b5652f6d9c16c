# SPDX-License-Identifier: Apache-2.0
"""Operators that nobody reads are not run. (Constants that nobody reads are never emitted.)"""

from __future__ import annotations

from petite.ir.graph import Graph
from petite.ir.ops import guards


def dead_code(graph: Graph) -> None:
    """Drop operators without a reader, from the end backwards."""
    needed = {id(v) for v in graph.outputs} | {id(s.after) for s in graph.states}
    kept = []
    for op in reversed(graph.ops):
        if any(id(v) in needed for v in op.outputs):
            kept.append(op)
            needed.update(id(v) for v in op.inputs)
            needed.update(id(guard.condition) for guard in guards(op.guard))
    graph.ops = list(reversed(kept))
