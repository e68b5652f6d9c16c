# SPDX-License-Identifier: Apache-2.0
"""Additions as weighted sums: equal for every pair of inputs, and found for what exports write."""

from __future__ import annotations

import numpy as np
import pytest

from graph_maker import GraphMaker
from kernel_testing import cases, oracle
from petite.ir import ops
from petite.ir.ops import Add, Clamp, Requantize
from petite.passes.lower.weighted_sum import as_weighted_sum

_EVERY = np.arange(-128, 128, dtype=np.int64)


def addition(
    offsets: ops.Pair,
    scales: tuple[Requantize, Requantize],
    last: Requantize,
    output_offset: int,
    clamp: Clamp,
) -> Add:
    """An addition in a graph of its own."""
    make = GraphMaker()
    inputs = [make.input((4,)), make.input((4,))]
    make.emit(
        Add, inputs, make.value((4,)), offsets=offsets, scales=scales, requantize=last,
        output_offset=output_offset, clamp=clamp,
    )  # fmt: skip
    (op,) = make.graph.ops
    assert isinstance(op, Add)
    return op


def quantized(factor: float) -> Requantize:
    """A factor as exports write it: a mantissa of 31 bits and a power of two."""
    mantissa, exponent = np.frexp(factor)
    return Requantize(min(round(float(mantissa) * 2**31), 2**31 - 1), int(exponent))


def as_exported(seed: int) -> Add:
    """An addition of scales that a calibration gives; half of them with a ReLU."""
    rng = np.random.default_rng(seed)
    first, second = rng.uniform(0.01, 0.1, 2)
    output = max(first, second) * rng.uniform(0.7, 2.0)
    twice = 2 * max(first, second)
    zero_points = [int(z) for z in rng.integers(-100, 100, 3)]
    return addition(
        (zero_points[0], zero_points[1]),
        (quantized(first / twice), quantized(second / twice)),
        quantized(twice / (2**20 * output)),
        -128 if seed % 2 else zero_points[2],
        Clamp(),
    )


def anything(seed: int) -> Add:
    """Scales and offsets from end to end of their ranges."""
    rng = np.random.default_rng(seed)
    return addition(
        (cases.offset(rng), cases.offset(rng)),
        (Requantize(*cases.scale(rng, 100.0)), Requantize(*cases.scale(rng, 100.0))),
        Requantize(*cases.scale(rng, 2.0**27)),
        cases.offset(rng),
        Clamp(*cases.limits(rng)),
    )


def check_every_pair(op: Add) -> bool:
    """Compare with the formula of add_s8 where a weighted sum was found; whether it was."""
    found = as_weighted_sum(op)
    if found is None:
        return False
    first, second = (
        oracle.add_term(_EVERY, offset, scale.multiplier, scale.shift)
        for offset, scale in zip(op.offsets, op.scales, strict=True)
    )
    last = op.requantize
    expected = oracle.requantize_s8(
        first[:, None] + second[None, :], last.multiplier, last.shift, op.output_offset,
        op.clamp.low, op.clamp.high,
    )  # fmt: skip
    sums = found.weight1 * _EVERY[:, None] + found.weight2 * _EVERY[None, :] + found.bias
    assert np.abs(sums).max() < 2**31
    actual = np.clip(np.floor_divide(sums, 2**found.shift), op.clamp.low, op.clamp.high)
    np.testing.assert_array_equal(actual, expected)
    return True


@pytest.mark.parametrize("seed", range(30))
def test_what_exports_write_becomes_a_weighted_sum(seed: int) -> None:
    assert check_every_pair(as_exported(seed))


def test_no_weighted_sum_differs() -> None:
    found = [check_every_pair(anything(seed)) for seed in range(60)]
    assert any(found) and not all(found)
