# SPDX-License-Identifier: Apache-2.0
"""Additions as one weighted sum with one rounding, proved by trying every pair of inputs.

An addition scales both inputs with a rounding each, and their sum with two more. Its result is
nearly linear in the inputs, and there are only 65536 pairs of them: weights that give the same
output for every pair are as good as the original, and cost a third of the instructions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from petite.ir.ops import Add, Requantize

Array = np.ndarray[Any, np.dtype[Any]]

_INPUTS = np.arange(-128, 128, dtype=np.int64)
#: Integers next to the exact weights that are tried: rounding moves them by less than one.
_NEAR = (0, -1, 1, -2, 2)
#: Fractional bits that are tried, counted down from what 32 bits hold.
_FEWER_BITS = range(3)
#: What no sum reaches; stands for no limit.
_FAR = 2**40


@dataclass(frozen=True)
class WeightedSum:
    """clamp((weight1 * a + weight2 * b + bias) >> shift)."""

    weight1: int
    weight2: int
    bias: int
    shift: int


def as_weighted_sum(op: Add) -> WeightedSum | None:
    """A weighted sum that equals the addition for all inputs; None where none is found."""
    if op.clamp.low >= op.clamp.high:
        return None
    expected = _all_sums(op)
    for weight1, weight2, shift in _candidates(op):
        # For each pair: limits of the bias between which the output is right.
        rest = weight1 * _INPUTS[:, None] + weight2 * _INPUTS[None, :]
        above = np.where(expected <= op.clamp.low, -_FAR, expected << shift) - rest
        below = np.where(expected >= op.clamp.high, _FAR, (expected + 1) << shift) - rest
        bias = (int(above.max()) + int(below.min()) - 1) // 2
        if above.max() < below.min() and _fits(weight1, weight2, bias):
            return WeightedSum(weight1, weight2, bias, shift)
    return None


def _candidates(op: Add) -> Iterator[tuple[int, int, int]]:
    """Weights and shifts near the exact numbers, the most precise ones first."""
    scale = _factor(op.requantize)
    first, second = (scale * _factor(s) * 2.0**20 for s in op.scales)
    if first == 0 or second == 0:
        return
    bias = first * op.offsets[0] + second * op.offsets[1] + op.output_offset
    largest = 128 * (abs(first) + abs(second)) + abs(bias) + 1
    most = 31 - int(np.ceil(np.log2(largest)))
    for shift in (most - fewer for fewer in _FEWER_BITS):
        if not 0 <= shift <= 31:
            continue
        exact1, exact2 = round(first * 2.0**shift), round(second * 2.0**shift)
        yield from ((exact1 + i, exact2 + j, shift) for i in _NEAR for j in _NEAR)


def _factor(scale: Requantize) -> float:
    return scale.multiplier * 2.0 ** (scale.shift - 31)


def _fits(weight1: int, weight2: int, bias: int) -> bool:
    """Whether every sum, in whatever order, has 32 bits."""
    return 128 * (abs(weight1) + abs(weight2)) + abs(bias) < 2**31


def _all_sums(op: Add) -> Array:
    """[256][256]: the addition's output for every pair of inputs."""
    first, second = (
        _requantize((_INPUTS + offset) << 20, scale)
        for offset, scale in zip(op.offsets, op.scales, strict=True)
    )
    scaled = _requantize(first[:, None] + second[None, :], op.requantize)
    return np.clip(_wrap(scaled + op.output_offset), op.clamp.low, op.clamp.high)


def _requantize(values: Array, scale: Requantize) -> Array:
    """What runtime/kernels/common/requantize.h computes."""
    shifted = _wrap(_wrap(values) << max(scale.shift, 0))
    high = _wrap((shifted * scale.multiplier + 2**30) >> 31)
    exponent = max(-scale.shift, 0)
    rest = high & ((1 << exponent) - 1)
    threshold = ((1 << exponent) - 1 >> 1) + (high < 0)
    return np.asarray((high >> exponent) + (rest > threshold))


def _wrap(values: Array) -> Array:
    return np.asarray(((values + 2**31) & 0xFFFFFFFF) - 2**31)
