# SPDX-License-Identifier: Apache-2.0
"""Operators of float32 on exponentials: the nearest float32 to what double arithmetic gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernel_testing.runner import At, KernelRunner

VALUES = np.concatenate(
    [
        np.random.default_rng(0).normal(0, 4, 2000),
        np.random.default_rng(1).normal(0, 1e-4, 200),
        [0.0, -0.0, 88.0, -88.0, 104.0, -104.0, 1e30, -1e30, np.inf, -np.inf, np.nan],
    ]
).astype(np.float32)


def _sigmoid(x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-x))


@pytest.mark.parametrize(("name", "function"), [("sigmoid", _sigmoid), ("tanh", np.tanh)])
def test_unary(kernels: KernelRunner, name: str, function: Any) -> None:
    """Apart and in place, over the whole range."""
    with np.errstate(all="ignore"):
        expected = function(VALUES.astype(np.float64)).astype(np.float32)
    if name == "sigmoid":
        # Beyond exp(700) the kernel keeps its value there, which rounds to zero as well.
        expected[np.isneginf(VALUES)] = 0.0
    actual = kernels.run(
        f"unary_{name}_f32", input=VALUES, output=np.zeros_like(VALUES), count=len(VALUES)
    )
    np.testing.assert_array_equal(actual, expected)
    in_place = kernels.run_in_memory(
        f"unary_{name}_f32", VALUES, input=At(0), output=At(0), count=len(VALUES)
    )
    np.testing.assert_array_equal(in_place, expected)


@pytest.mark.parametrize("seed", range(20))
def test_softmax(kernels: KernelRunner, seed: int) -> None:
    """Differences, exponentials, the sum from left to right and the quotient, each in float32."""
    rng = np.random.default_rng(seed)
    rows, columns = (int(n) for n in rng.integers(1, 12, 2))
    values = rng.normal(0, 5, (rows, columns)).astype(np.float32)
    difference = values - values.max(axis=1, keepdims=True)
    powers = np.exp(difference.astype(np.float64)).astype(np.float32)
    total = np.zeros((rows, 1), np.float32)
    for column in range(columns):
        total = total + powers[:, column : column + 1]
    actual = kernels.run(
        "softmax_f32", input=values, output=np.zeros_like(values), rows=rows, columns=columns
    )
    np.testing.assert_array_equal(actual, powers / total)
