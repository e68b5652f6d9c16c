# SPDX-License-Identifier: Apache-2.0
"""Clamps become the range of the operator that they limit; a table after a table is one table.

Stock lowering leaves an activation that it could not fuse as a clamp of stored integers, which is
lifted as a table, and writes others as a minimum or a maximum with a constant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petite.ir.dtype import DType
from petite.ir.graph import Graph
from petite.ir.ops import Add, Clamp, Convolution, Elementwise, Linear, Lut, MaxPool2d, Op

Array = np.ndarray[Any, np.dtype[Any]]

_NUMBERS = np.arange(-128, 128)


def fold_clamps(graph: Graph) -> None:
    """Fold every table that limits what one operator computes, for nobody else."""
    for op in list(graph.ops):
        table = _table(op)
        if table is None:
            continue
        source = next(v for v in op.inputs if not v.is_constant)
        producer = graph.producer(source)
        if producer is None or producer.guard is not op.guard:
            continue
        is_shared = graph.is_result(source) or graph.consumers(source) != [op]
        if not is_shared and _fold(producer, table):
            producer.outputs = op.outputs
            graph.ops.remove(op)


def _table(op: Op) -> Array | None:
    """What an operator makes of each int8; None where it is no function of one."""
    if isinstance(op, Lut):
        return op.table
    if not isinstance(op, Elementwise) or op.function not in ("min", "max"):
        return None
    constants = [v.data for v in op.inputs if v.data is not None]
    if op.output.dtype is not DType.S8 or len(constants) != 1 or np.unique(constants[0]).size != 1:
        return None
    if any(not v.is_constant and v.shape != op.output.shape for v in op.inputs):
        return None
    limit = constants[0].flat[0]
    return np.minimum(_NUMBERS, limit) if op.function == "min" else np.maximum(_NUMBERS, limit)


def _fold(producer: Op, table: Array) -> bool:
    """Let an operator compute what the table makes of its output, if it can."""
    match producer:
        case Lut():
            producer.table = table[producer.table.astype(np.int64) + 128].astype(np.int8)
            return True
        case Convolution() | Linear() | Add() | MaxPool2d():
            limits = _limits(table, producer.clamp)
            if limits is not None:
                producer.clamp = limits
            return limits is not None
    return False


def _limits(table: Array, clamp: Clamp) -> Clamp | None:
    """The range that a clamp and then the table are; None where the table does more than limit."""
    if clamp.low > clamp.high:
        return None
    numbers = np.arange(clamp.low, clamp.high + 1)
    results = table[numbers + 128]
    low, high = int(results[0]), int(results[-1])
    if low > high or not np.array_equal(results, np.clip(numbers, low, high)):
        return None
    return Clamp(low, high)
