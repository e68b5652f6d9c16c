# SPDX-License-Identifier: Apache-2.0
"""Between which numbers each channel of a value lies, for all inputs that the method can get.

A sum over a window lies between the sums of each product's least and greatest value. What follows
(scale, zero point, clamp) is monotonic, as long as nothing wraps at 32 bits; where something could,
only the clamp is known. So these are limits by proof, not by trying.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Graph, Value
from petite.ir.ops import Clamp, Op
from petite.passes.coverage import leaves_image
from petite.passes.fixed_point import requantize, wrap32

Array = np.ndarray[Any, np.dtype[Any]]
_INT32 = (-(2**31), 2**31 - 1)


@dataclass(frozen=True)
class Ranges:
    """Smallest and largest number of each index of a dimension (int64)."""

    axis: int
    low: Array
    high: Array

    @property
    def is_constant(self) -> Array:
        """Which channels are always the same number."""
        return np.asarray(self.low == self.high)


def channel_ranges(graph: Graph) -> dict[int, Ranges]:
    """The ranges of values by their id; those that are missing can be anything."""
    found: dict[int, Ranges] = {}
    for op in graph.ops:
        rule = _RULES.get(type(op))
        if rule is not None and op.output.dtype is DType.S8 and op.input.dtype is DType.S8:
            ranges = rule(op, found)
            if ranges is not None:
                found[id(op.output)] = ranges
    return found


def ranges_of(value: Value, axis: int, found: dict[int, Ranges]) -> Ranges:
    """The ranges along a dimension; those of int8 where nothing better is known."""
    ranges = found.get(id(value))
    if ranges is not None and ranges.axis == axis:
        return ranges
    whole = np.zeros(value.shape[axis], np.int64)
    return Ranges(axis, whole - 128, whole + 127)


def _products(weights: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Smallest and largest sum of each row of [out, in, taps], for inputs in [1 or out, in]."""
    weights = weights.astype(np.int64)
    at_low, at_high = weights * low[..., None], weights * high[..., None]
    smallest, largest = np.minimum(at_low, at_high), np.maximum(at_low, at_high)
    return smallest.sum(axis=(1, 2)), largest.sum(axis=(1, 2))


def _scaled(
    sums: tuple[Array, Array],
    multipliers: Array,
    shifts: Array,
    offset: int,
    clamp: Clamp,
    axis: int,
) -> Ranges:
    """From the limits of sums to those of what is stored."""
    shifts = np.asarray(shifts, np.int64)
    fits = np.full(sums[0].shape, clamp.low <= clamp.high)
    ends = []
    for end in sums:
        fits &= _in_int32(end) & _in_int32(wrap32(end) << np.maximum(shifts, 0))
        scaled = requantize(wrap32(end), multipliers, shifts) + offset
        fits &= _in_int32(scaled)
        ends.append(np.clip(wrap32(scaled), clamp.low, clamp.high))
    # A sum that is always the same may wrap: it does so in the same way each time.
    fits |= (sums[0] == sums[1]) & (clamp.low <= clamp.high)
    low = np.where(fits, np.minimum(*ends), min(clamp.low, clamp.high))
    high = np.where(fits, np.maximum(*ends), max(clamp.low, clamp.high))
    return Ranges(axis, low, high)


def _in_int32(values: Array) -> Array:
    return np.asarray((values >= _INT32[0]) & (values <= _INT32[1]))


def _convolution(op: Op, found: dict[int, Ranges]) -> Ranges | None:
    assert isinstance(op, ops.Conv2d | ops.DepthwiseConv2d)
    given = ranges_of(op.input, 1, found)
    low, high = given.low + op.input_offset, given.high + op.input_offset
    if leaves_image(op):  # a position outside adds nothing
        low, high = np.minimum(low, 0), np.maximum(high, 0)
    if isinstance(op, ops.DepthwiseConv2d):
        outputs, depth = op.weights.shape[3], 1
        weights = op.weights.reshape(-1, outputs).T.reshape(outputs, 1, -1)
    else:
        outputs, depth = op.weights.shape[0], op.weights.shape[3]
        weights = op.weights.reshape(outputs, -1, depth).transpose(0, 2, 1)
    # Each group of outputs reads its own inputs: [outputs, depth].
    repeat = outputs * depth // op.input.shape[1]
    read = [limits.reshape(-1, depth).repeat(repeat, axis=0) for limits in (low, high)]
    smallest, largest = _products(weights, *read)
    bias = 0 if op.bias is None else op.bias.astype(np.int64)
    return _scaled(
        (smallest + bias, largest + bias),
        op.multipliers,
        op.shifts,
        op.output_offset,
        op.clamp,
        axis=1,
    )


def _linear(op: Op, found: dict[int, Ranges]) -> Ranges | None:
    assert isinstance(op, ops.Linear)
    given = ranges_of(op.input, len(op.input.shape) - 1, found)
    smallest, largest = _products(op.weights[:, :, None], given.low[None], given.high[None])
    bias = op.bias.astype(np.int64)
    scale = op.requantize
    return _scaled(
        (smallest + bias, largest + bias),
        np.full(len(bias), scale.multiplier),
        np.full(len(bias), scale.shift),
        op.output_offset,
        op.clamp,
        axis=len(op.output.shape) - 1,
    )


def _pooling(op: Op, found: dict[int, Ranges]) -> Ranges | None:
    """A mean or a maximum lies between the limits of what it is of."""
    given = ranges_of(op.input, 1, found)
    low, high = given.low, given.high
    if isinstance(op, ops.MaxPool2d):
        if op.clamp.low > op.clamp.high:
            return None
        low, high = (np.clip(end, op.clamp.low, op.clamp.high) for end in (low, high))
    elif isinstance(op, ops.AvgPool2d) and op.count_padding:
        low, high = np.minimum(low, op.padding_value), np.maximum(high, op.padding_value)
    return Ranges(1, low, high)


def _lut(op: Op, found: dict[int, Ranges]) -> Ranges | None:
    assert isinstance(op, ops.Lut)
    given = found.get(id(op.input))
    if given is None:
        return None
    entries = [op.table[a + 128 : b + 129] for a, b in zip(given.low, given.high, strict=True)]
    low = np.array([part.min() for part in entries], np.int64)
    return Ranges(given.axis, low, np.array([part.max() for part in entries], np.int64))


def _view(op: Op, found: dict[int, Ranges]) -> Ranges | None:
    """Only what makes rows of an image, a channel after the other."""
    given = found.get(id(op.input))
    repeat = flattened(op)
    if given is None or given.axis != 1 or repeat is None:
        return None
    return Ranges(1, given.low.repeat(repeat), given.high.repeat(repeat))


def flattened(op: Op) -> int | None:
    """How many numbers of a channel follow each other where [N, C, ...] becomes [N, C * ...]."""
    before, after = op.input.shape, op.output.shape
    if not isinstance(op, ops.View) or len(after) != 2 or len(before) < 2:
        return None
    if before[0] != after[0] or 0 in before:
        return None
    return after[1] // before[1]


_RULES: dict[type[Op], Callable[[Op, dict[int, Ranges]], Ranges | None]] = {
    ops.Conv2d: _convolution,
    ops.DepthwiseConv2d: _convolution,
    ops.Linear: _linear,
    ops.AvgPool2d: _pooling,
    ops.MaxPool2d: _pooling,
    ops.Lut: _lut,
    ops.View: _view,
}
