# SPDX-License-Identifier: Apache-2.0
"""Pooling of float32 planes against windows cut out with numpy."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing import cases
from kernel_testing.runner import KernelRunner


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


@pytest.mark.parametrize("seed", range(40))
def test_max_pool(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = _windows(rng, dilated=True)
    planes = rng.normal(0, 3, (3, sizes["input_h"], sizes["input_w"])).astype(np.float32)
    expected = np.zeros((3, sizes["output_h"], sizes["output_w"]), np.float32)
    for y, x in np.ndindex(expected.shape[1:]):
        rows, columns = _inside(sizes, "h", "pad_top", y), _inside(sizes, "w", "pad_left", x)
        expected[:, y, x] = planes[:, rows][:, :, columns].max(axis=(1, 2))
    actual = kernels.run(
        "max_pool_f32", input=planes, output=np.zeros_like(expected), planes=3, **sizes
    )
    np.testing.assert_array_equal(actual, expected)


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
