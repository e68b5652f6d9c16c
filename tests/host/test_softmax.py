# SPDX-License-Identifier: Apache-2.0
"""Softmax of int8 in fixed point."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import At, KernelRunner


@pytest.mark.parametrize("seed", range(60))
def test_softmax(kernels: KernelRunner, seed: int) -> None:
    """Rows of 1 to 300 columns at scales from far too fine to far too coarse; also in place."""
    rng = np.random.default_rng(seed)
    rows, columns = int(rng.integers(1, 5)), int(rng.choice([1, 2, 10, 12, 300]))
    scale = float(2.0 ** rng.uniform(-10, 4))
    multiplier, shift, diff_min = cases.softmax_scale(scale)
    values = cases.image(rng, rows, columns)
    parameters = {
        "rows": rows,
        "columns": columns,
        "input_multiplier": multiplier,
        "input_shift": shift,
        "diff_min": diff_min,
    }
    actual = kernels.run("softmax_s8", input=values, output=np.zeros_like(values), **parameters)
    expected = np.stack([oracle.softmax_row(row, multiplier, shift, diff_min) for row in values])
    np.testing.assert_array_equal(actual, expected)
    in_place = kernels.run_in_memory("softmax_s8", values, input=At(0), output=At(0), **parameters)
    np.testing.assert_array_equal(in_place, expected)

    real = np.exp(scale * (values.astype(np.float64) - values.max(axis=1, keepdims=True)))
    steps = real / real.sum(axis=1, keepdims=True) * 256 - 128
    assert np.max(np.abs(np.clip(steps, -128, 127) - expected)) <= 1.0


@pytest.mark.parametrize("columns", [511, 512, 1024, 2048, 4095])
def test_many_equal_columns(kernels: KernelRunner, columns: int) -> None:
    """Probabilities of half a step or less become zero, also where the last shift is above 31."""
    multiplier, shift, diff_min = cases.softmax_scale(0.1)
    values = np.full((1, columns), 7, np.int8)
    actual = kernels.run(
        "softmax_s8",
        input=values,
        output=np.zeros_like(values),
        rows=1,
        columns=columns,
        input_multiplier=multiplier,
        input_shift=shift,
        diff_min=diff_min,
    )
    assert np.all(actual == (-127 if columns < 512 else -128))
