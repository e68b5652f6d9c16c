# SPDX-License-Identifier: Apache-2.0
"""Adaptive pooling of float32."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing.runner import KernelRunner


@pytest.mark.parametrize("seed", range(20))
def test_adaptive_avg_pool(kernels: KernelRunner, seed: int) -> None:
    """Windows from floor to ceiling, more windows than pixels among them."""
    rng = np.random.default_rng(seed)
    planes, height, width, rows, columns = (int(n) for n in rng.integers(1, 10, 5))
    image = rng.normal(0, 3, (planes, height, width)).astype(np.float32)
    expected = np.zeros((planes, rows, columns), np.float32)
    for y in range(rows):
        for x in range(columns):
            top, bottom = y * height // rows, -((-(y + 1) * height) // rows)
            left, right = x * width // columns, -((-(x + 1) * width) // columns)
            total = np.zeros(planes, np.float32)
            for pixel in np.ndindex(bottom - top, right - left):
                total = total + image[:, top + pixel[0], left + pixel[1]]
            count = np.float32((bottom - top) * (right - left))
            expected[:, y, x] = total / count
    actual = kernels.run(
        "adaptive_avg_pool_f32",
        input=image,
        output=np.zeros_like(expected),
        planes=planes,
        input_h=height,
        input_w=width,
        output_h=rows,
        output_w=columns,
    )
    np.testing.assert_array_equal(actual, expected)
