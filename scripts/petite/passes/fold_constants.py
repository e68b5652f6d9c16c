# SPDX-License-Identifier: Apache-2.0
"""What follows from constants alone is computed now, where this gives the kernels' bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import BOOL, FLOAT, INTEGERS
from petite.ir.graph import Graph, Value
from petite.ir.ops import Op

Array = np.ndarray[Any, np.dtype[Any]]
Compute = Callable[..., Any]

#: Bytes up to which a result may be larger than what it is computed from.
_SMALL = 4096

_COMPARISONS: dict[str, Compute] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
_BITS: dict[str, Compute] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
}
#: float32: what IEEE 754 rounds once.
_OF_FLOATS: dict[str, Compute] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "abs": np.abs,
    "neg": np.negative,
    **_COMPARISONS,
}
#: Integers wrap in numpy too.
_OF_INTEGERS: dict[str, Compute] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "abs": np.abs,
    "neg": np.negative,
    "sign": np.sign,
    "min": np.minimum,
    "max": np.maximum,
    "div_floor": np.floor_divide,
    "remainder": np.remainder,
    "fmod": np.fmod,
    **_COMPARISONS,
    **_BITS,
}
_OF_BOOLS: dict[str, Compute] = {**_COMPARISONS, **_BITS}
_DIVISIONS = ("div_floor", "remainder", "fmod")
_FUNCTIONS: dict[DType, dict[str, Compute]] = {
    **dict.fromkeys(INTEGERS, _OF_INTEGERS),
    **dict.fromkeys(FLOAT, _OF_FLOATS),
    **dict.fromkeys(BOOL, _OF_BOOLS),
}


def fold_constants(graph: Graph) -> None:
    """Replace operators on constants by their results."""
    kept = []
    for op in graph.ops:
        data = _result(op)
        if data is None:
            kept.append(op)
        else:
            output = op.output
            output.data = np.asarray(data, output.dtype.numpy).reshape(output.shape)
    graph.ops = kept


def _result(op: Op) -> Array | None:
    """What an operator computes, or None where that is left to the device."""
    fold = _FOLDS.get(type(op))
    if fold is None or not all(v.is_constant for v in op.inputs):
        return None
    if op.output.size > max(_SMALL, sum(v.size for v in op.inputs)):
        return None
    with np.errstate(all="ignore"):
        return fold(op, *(_data(v) for v in op.inputs))


def _data(value: Value) -> Array:
    assert value.data is not None
    return value.data


def _elementwise(op: Op, *inputs: Array) -> Array | None:
    assert isinstance(op, ops.Elementwise)
    compute = _FUNCTIONS[op.input.dtype].get(op.function)
    if compute is None or (op.function in _DIVISIONS and not np.all(inputs[1])):
        return None
    return np.asarray(compute(*inputs))


def _cast(op: Op, x: Array) -> Array | None:
    """A float that the integer type lacks is left to the device."""
    target = op.output.dtype
    if op.input.dtype is DType.F32 and target in INTEGERS:
        limits = np.iinfo(target.numpy)
        whole = np.trunc(x.astype(np.float64))
        if not np.all((whole >= limits.min) & (whole < float(limits.max))):
            return None
    return x.astype(target.numpy)


def _view(op: Op, x: Array) -> Array:
    return x


def _permute(op: Op, x: Array) -> Array:
    assert isinstance(op, ops.Permute)
    return x.transpose(op.permutation)


def _slice(op: Op, x: Array) -> Array:
    assert isinstance(op, ops.Slice)
    return x.take(op.start + np.arange(op.output.shape[op.dim]) * op.step, axis=op.dim)


def _concat(op: Op, *parts: Array) -> Array:
    assert isinstance(op, ops.Concat)
    return np.concatenate(parts, axis=op.dim)


def _offsets(op: Op, index: Array, *base: Array) -> Array | None:
    """An index that is out of range is found when the model runs."""
    assert isinstance(op, ops.Offsets)
    places = index.astype(np.int64)
    places = places + op.size * ((places < 0) & op.from_end)
    if not np.all((places >= 0) & (places < op.size)):
        return None
    return np.asarray(places * op.scale + sum(base))


def _take(op: Op, x: Array, *offsets: Array) -> Array:
    assert isinstance(op, ops.Take)
    shape = op.output.shape
    places = np.full(shape, op.start) + sum(offsets)
    for dim, step in enumerate(op.strides):
        line = np.arange(shape[dim]) * step
        places = places + line.reshape(-1, *[1] * (len(shape) - dim - 1))
    return np.asarray(x.reshape(-1)[places])


_FOLDS: dict[type[Op], Callable[..., Array | None]] = {
    ops.Elementwise: _elementwise,
    ops.Cast: _cast,
    ops.Where: lambda op, condition, x, y: np.where(condition, x, y),
    ops.View: _view,
    ops.Permute: _permute,
    ops.Slice: _slice,
    ops.Concat: _concat,
    ops.Expand: lambda op, x: np.broadcast_to(x, op.output.shape),
    ops.Offsets: _offsets,
    ops.Take: _take,
}
