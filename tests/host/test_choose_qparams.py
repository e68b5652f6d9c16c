# SPDX-License-Identifier: Apache-2.0
"""Scales and zero points of rows, by the formula of the header in Python's doubles."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing import cases
from kernel_testing.runner import KernelRunner

Array = cases.Array
F = np.float32
_SMALLEST = F(6.1e-5)
_LIMITS = [(-128, 127), (0, 255), (-8, 7), (-32768, 32767), (0, 2**31 - 1), (-5, -4)]


def chosen(row: Array, lowest: int, highest: int) -> tuple[np.float32, int]:
    """Scale and zero point of a row."""
    low, high = min(row.min(), F(0)), max(row.max(), F(0))
    steps = highest - lowest
    scale = (float(high) - float(low)) / steps
    with np.errstate(all="ignore"):
        if F(scale) == 0 or np.isinf(F(1) / F(scale)):
            scale = 0.1
    if scale < float(_SMALLEST):
        factor = _SMALLEST / F(scale)
        scale = float(_SMALLEST)
        if low == 0:
            high = _SMALLEST * F(steps)
        elif high == 0:
            low = -_SMALLEST * F(steps)
        else:
            low, high = low * factor, high * factor
    below, above = float(low) / scale, float(high) / scale
    from_low = abs(lowest) - abs(below) < abs(highest) - abs(above)
    exact = lowest - below if from_low else highest - above
    if exact < lowest or exact > highest:
        return F(scale), lowest if exact < lowest else highest
    return F(scale), min(int(np.rint(F(exact))), highest)


def rows_of(rng: cases.Rng) -> Array:
    """On both sides of zero, on one, nearly constant, constant, zero, tiny, and very large."""
    shape = (1, 9)
    return np.concatenate(
        [
            *(rng.normal(middle, 1, shape) for middle in (0, 0.3, -0.5, 5, -5)),
            *(rng.normal(0, scale, shape) for scale in (1e-4, 1e-6, 1e-39, 1e30)),
            *(rng.random(shape) * scale for scale in (1e-3, -1e-3, 1e-7)),
            *(np.full(shape, value) for value in (0.0, 3.5, -2.0, 1e-42)),
        ]
    ).astype(F)


@pytest.mark.parametrize("limits", _LIMITS, ids=str)
@pytest.mark.parametrize("seed", range(5))
def test_scales_and_zero_points(kernels: KernelRunner, seed: int, limits: tuple[int, int]) -> None:
    rows = rows_of(np.random.default_rng(seed))
    expected = [chosen(row, *limits) for row in rows]
    sizes = {"rows": len(rows), "columns": rows.shape[1]}
    sizes |= {"quant_min": limits[0], "quant_max": limits[1]}
    for kernel, dtype, wanted in (
        ("choose_scale_f32", np.float32, [scale for scale, _ in expected]),
        ("choose_zero_point_f32_s64", np.int64, [zero for _, zero in expected]),
    ):
        actual = kernels.run(kernel, input=rows, output=np.zeros(len(rows), dtype), **sizes)
        np.testing.assert_array_equal(actual, np.array(wanted, dtype))


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("kernel", ["choose_scale_f32", "choose_zero_point_f32_s64"])
def test_what_has_no_scale(kernels: KernelRunner, kernel: str, value: float) -> None:
    """PETITE_ERR_DATA, as ExecuTorch stops there."""
    dtype = np.float32 if kernel.endswith("f32") else np.int64
    status, _ = kernels.call(
        kernel,
        input=np.array([value, value], F),
        output=np.zeros(1, dtype),
        rows=1,
        columns=2,
        quant_min=-128,
        quant_max=127,
    )
    assert status == -11
