# SPDX-License-Identifier: Apache-2.0
"""Pooling of planes against windows cut out with numpy."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing import cases
from kernel_testing.runner import KernelRunner
from petite.ir.dtype import DType
from petite.ir.functions import NUMBERS


def _windows(rng: cases.Rng, dilated: bool) -> dict[str, int]:
    """Sizes such that every window covers a pixel."""
    sizes: dict[str, int] = {}
    for axis, pad in (("h", "pad_top"), ("w", "pad_left")):
        kernel, dilation = int(rng.integers(1, 4)), int(rng.integers(1, 3)) if dilated else 1
        span = (kernel - 1) * dilation + 1
        size = int(rng.integers(span, span + 6))
        sizes[pad] = int(rng.integers(0, kernel // 2 + 1))
        sizes[f"stride_{axis}"] = int(rng.integers(1, 4))
        sizes[f"kernel_{axis}"], sizes[f"input_{axis}"] = kernel, size
        room = size + 2 * sizes[pad] - span
        sizes[f"output_{axis}"] = room // sizes[f"stride_{axis}"] + 1
        sizes[f"dilation_{axis}"] = dilation
    return sizes


def _inside(sizes: dict[str, int], axis: str, pad: str, index: int) -> list[int]:
    origin = index * sizes[f"stride_{axis}"] - sizes[pad]
    taps = [origin + k * sizes[f"dilation_{axis}"] for k in range(sizes[f"kernel_{axis}"])]
    return [tap for tap in taps if 0 <= tap < sizes[f"input_{axis}"]]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("dtype", NUMBERS, ids=lambda d: d.name)
def test_window_max(kernels: KernelRunner, dtype: DType, seed: int) -> None:
    """Values, and the places of the first of equal ones."""
    rng = np.random.default_rng(seed)
    sizes = _windows(rng, dilated=True)
    planes = rng.integers(0, 12, (3, sizes["input_h"], sizes["input_w"])).astype(dtype.numpy)
    values = np.zeros((3, sizes["output_h"], sizes["output_w"]), dtype.numpy)
    places = np.zeros(values.shape, np.int64)
    for y, x in np.ndindex(values.shape[1:]):
        rows, columns = _inside(sizes, "h", "pad_top", y), _inside(sizes, "w", "pad_left", x)
        window = planes[:, rows][:, :, columns].reshape(3, -1)
        numbers = np.array([r * sizes["input_w"] + c for r in rows for c in columns])
        values[:, y, x] = window.max(axis=1)
        places[:, y, x] = numbers[window.argmax(axis=1)]
    suffix = dtype.suffix if dtype is DType.S64 else f"{dtype.suffix}_s64"
    for kernel, expected in ((f"value_{dtype.suffix}", values), (f"place_{suffix}", places)):
        output = np.zeros_like(expected)
        actual = kernels.run(f"window_max_{kernel}", input=planes, output=output, planes=3, **sizes)
        np.testing.assert_array_equal(actual, expected)


def test_window_max_of_nan(kernels: KernelRunner) -> None:
    """The first value stands where it is a NaN; a later NaN is never larger."""
    planes = np.array([[[np.nan, 5, 1, np.nan, 2]]], np.float32)
    sizes = {"input_h": 1, "input_w": 5, "output_h": 1, "output_w": 2, "kernel_h": 1, "kernel_w": 3}
    steps = {"stride_h": 1, "stride_w": 2, "dilation_h": 1, "dilation_w": 1}
    actual = kernels.run(
        "window_max_value_f32",
        input=planes,
        output=np.zeros((1, 1, 2), np.float32),
        planes=1,
        pad_top=0,
        pad_left=0,
        **sizes,
        **steps,
    )
    np.testing.assert_array_equal(actual, np.array([[[np.nan, 2]]], np.float32))


@pytest.mark.parametrize("divisor", [0, 3])
@pytest.mark.parametrize("include_pad", [0, 1])
@pytest.mark.parametrize("seed", range(20))
def test_avg_pool(kernels: KernelRunner, seed: int, include_pad: int, divisor: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = _windows(rng, dilated=False)
    planes = rng.normal(0, 3, (3, sizes["input_h"], sizes["input_w"])).astype(np.float32)
    expected = np.zeros((3, sizes["output_h"], sizes["output_w"]), np.float32)
    for y, x in np.ndindex(expected.shape[1:]):
        rows, columns = _inside(sizes, "h", "pad_top", y), _inside(sizes, "w", "pad_left", x)
        total = np.zeros(3, np.float32)
        for row in rows:
            for column in columns:
                total = total + planes[:, row, column]
        # No window reaches beyond the padding here, so all its positions count.
        padded = sizes["kernel_h"] * sizes["kernel_w"]
        count = divisor or (padded if include_pad else len(rows) * len(columns))
        expected[:, y, x] = total / np.float32(count)
    for axis in "hw":
        del sizes[f"dilation_{axis}"]
    actual = kernels.run(
        "avg_pool_f32",
        input=planes,
        output=np.zeros_like(expected),
        planes=3,
        count_include_pad=include_pad,
        divisor=float(divisor),
        **sizes,
    )
    np.testing.assert_array_equal(actual, expected)
