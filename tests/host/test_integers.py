# SPDX-License-Identifier: Apache-2.0
"""Sums and products of int32 and int64, which wrap, and adaptive pooling of float32."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing import oracle
from kernel_testing.runner import KernelRunner


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("name", ["add", "mul"])
def test_binary(kernels: KernelRunner, name: str, bits: int, seed: int) -> None:
    """Broadcasts, with values at the ends of the range."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(f"int{bits}")
    limits = np.iinfo(dtype)
    shape = tuple(int(n) for n in rng.integers(1, 4, int(rng.integers(1, 5))))
    inputs = []
    for _ in range(2):
        own = tuple(size if rng.random() < 0.7 else 1 for size in shape)
        values = rng.integers(-1000, 1000, own).astype(dtype)
        extreme = rng.choice(np.array([limits.min, limits.max], dtype), own)
        inputs.append(np.where(rng.random(own) < 0.3, extreme, values))
    shape = np.broadcast_shapes(inputs[0].shape, inputs[1].shape)
    spread = [np.broadcast_to(array, shape) for array in inputs]
    alpha = int(rng.choice([1, -1, 3]))
    actual = kernels.run(
        f"{name}_s{bits}",
        input1=inputs[0],
        input2=inputs[1],
        output=np.zeros(shape, dtype),
        dims=oracle.leading_ones(shape),
        stride1=oracle.leading_ones(oracle.element_strides(spread[0]), fill=0),
        stride2=oracle.leading_ones(oracle.element_strides(spread[1]), fill=0),
        **({"alpha": alpha} if name == "add" else {}),
    )
    with np.errstate(over="ignore"):
        factor = np.array(alpha, dtype)
        wrapped = spread[0] + factor * spread[1] if name == "add" else spread[0] * spread[1]
    np.testing.assert_array_equal(actual, wrapped)


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
