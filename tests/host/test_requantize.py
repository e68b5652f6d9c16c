# SPDX-License-Identifier: Apache-2.0
"""Requantisation over its whole range."""

from __future__ import annotations

import numpy as np

from kernel_testing import oracle
from kernel_testing.runner import KernelRunner


def test_requantize_everywhere(kernels: KernelRunner) -> None:
    """Random and corner values, every shift, multipliers of both signs."""
    rng = np.random.default_rng(1)
    count = 200_000
    corners = np.array([0, 1, -1, 2**31 - 1, -(2**31), 2**30, -(2**30), 2**31 - 2, -(2**31) + 1])
    values = rng.integers(-(2**31), 2**31, count) >> rng.integers(0, 31, count)
    values = np.where(rng.random(count) < 0.1, rng.choice(corners, count), values)
    multipliers = rng.integers(-(2**31) + 1, 2**31, count) >> rng.integers(0, 4, count)
    multipliers = np.maximum(multipliers, -(2**31) + 1)
    multipliers = np.where(rng.random(count) < 0.1, 2**30, multipliers)
    shifts = rng.integers(-31, 31, count)
    actual = kernels.run(
        "requantize_s32",
        value=values.astype(np.int32),
        multiplier=multipliers.astype(np.int32),
        shift=shifts.astype(np.int32),
        output=np.zeros(count, np.int32),
        count=count,
    )
    expected = oracle.requantize(values, multipliers, shifts)
    np.testing.assert_array_equal(actual, oracle.wrap32(expected))


def test_two_roundings(kernels: KernelRunner) -> None:
    """Values where rounding once gives another result than rounding twice, and ties."""
    values = np.array([5, 3, -3, -5, 6, -6, 2, -2], np.int32)
    actual = kernels.run(
        "requantize_s32",
        value=values,
        multiplier=np.full(8, 2**30, np.int32),
        shift=np.full(8, -1, np.int32),
        output=np.zeros(8, np.int32),
        count=8,
    )
    # Halves first, ties upwards: 3 2 -1 -2 3 -3 1 -1; halves again, ties away from zero.
    np.testing.assert_array_equal(actual, [2, 1, -1, -1, 2, -2, 1, -1])
