# SPDX-License-Identifier: Apache-2.0
"""Resized images, and distances between rows: the operations of the headers, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing import cases
from kernel_testing.runner import KernelRunner

Array = cases.Array
F = np.float32


def scale_of(size: int, output: int, align_corners: bool) -> np.float32:
    if align_corners:
        return F((size - 1) / (output - 1) if output > 1 else 0.0)
    return F(size / output)


@pytest.mark.parametrize("seed", range(20))
def test_nearest(kernels: KernelRunner, seed: int) -> None:
    """Pixels of any size; larger and smaller images."""
    rng = np.random.default_rng(seed)
    images, *sizes = (int(n) for n in rng.integers(1, [3, 9, 9, 12, 12]))
    pixel = int(rng.integers(1, 10))
    array = rng.integers(0, 256, (images, sizes[0], sizes[1], pixel)).astype(np.uint8)
    scales = [scale_of(sizes[a], sizes[a + 2], False) for a in (0, 1)]
    found = [
        np.minimum((np.arange(sizes[a + 2], dtype=F) * scales[a]).astype(int), sizes[a] - 1)
        for a in (0, 1)
    ]
    expected = array[:, found[0]][:, :, found[1]]
    actual = kernels.run(
        "resize_nearest",
        input=array,
        output=np.zeros_like(expected),
        images=images,
        **dict(zip(("input_h", "input_w", "output_h", "output_w"), sizes, strict=True)),
        pixel_size=pixel,
        scale_h=scales[0],
        scale_w=scales[1],
    )
    np.testing.assert_array_equal(actual, expected)


def neighbours(size: int, output: int, align: bool) -> tuple[Array, Array, Array, Array]:
    """First, second, near and far of every output position."""
    at = np.arange(output, dtype=F)
    if size == output:
        same = np.arange(output)
        return same, same, np.ones(output, F), np.zeros(output, F)
    scale = scale_of(size, output, align)
    position = scale * at if align else np.maximum(scale * (at + F(0.5)) - F(0.5), F(0))
    first = np.minimum(position.astype(int), size - 1)
    far = np.minimum(position - first.astype(F), F(1))
    return first, np.minimum(first + 1, size - 1), F(1) - far, far


@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_bilinear(kernels: KernelRunner, seed: int, align: bool) -> None:
    rng = np.random.default_rng(seed)
    images, *sizes = (int(n) for n in rng.integers(1, [3, 9, 9, 12, 12]))
    channels = int(rng.integers(1, 4))
    array = rng.normal(0, 3, (images, sizes[0], sizes[1], channels)).astype(F)
    top, bottom, near_y, far_y = neighbours(sizes[0], sizes[2], align)
    left, right, near_x, far_x = neighbours(sizes[1], sizes[3], align)
    rows = [
        array[:, y][:, :, left] * near_x[:, None] + array[:, y][:, :, right] * far_x[:, None]
        for y in (top, bottom)
    ]
    expected = rows[0] * near_y[:, None, None] + rows[1] * far_y[:, None, None]
    actual = kernels.run(
        "resize_bilinear_f32",
        input=array,
        output=np.zeros_like(expected),
        images=images,
        **dict(zip(("input_h", "input_w", "output_h", "output_w"), sizes, strict=True)),
        channels=channels,
        align_corners=int(align),
        scale_h=scale_of(sizes[0], sizes[2], align),
        scale_w=scale_of(sizes[1], sizes[3], align),
    )
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("norm", range(5))
@pytest.mark.parametrize("pairs", [False, True])
def test_distance(kernels: KernelRunner, norm: int, pairs: bool) -> None:
    """Five norms; of every two rows, or of the rows of two matrices."""
    rng = np.random.default_rng(norm)
    left = rng.integers(-4, 5, (1 if pairs else 2, 4, 7)).astype(F)
    right = left if pairs else rng.integers(-4, 5, (2, 5, 7)).astype(F)
    exponent = 3.0
    d = np.abs(left[:, :, None] - right[:, None]).astype(np.float64)
    expected = [
        (d != 0).sum(-1),
        d.sum(-1),
        np.sqrt((d * d).sum(-1)),
        d.max(-1),
        (d**exponent).sum(-1) ** (1 / exponent),
    ][norm].astype(F)
    if pairs:
        expected = expected[0][np.triu_indices(4, 1)]
    actual = kernels.run(
        "distance_f32",
        left=left,
        right=right,
        output=np.zeros_like(expected),
        batches=len(left),
        left_rows=4,
        right_rows=right.shape[1],
        columns=7,
        pairs=int(pairs),
        norm=norm,
        exponent=exponent,
    )
    if norm < 4:
        np.testing.assert_array_equal(actual, expected)
    else:
        # Two calls of pow; the second one divides the first one's error by the exponent.
        np.testing.assert_allclose(actual, expected, rtol=4 * 2.0**-23)


@pytest.mark.parametrize("difference", [1e-11, 1e3, 1e10])
def test_a_power_takes_the_exact_reciprocal(kernels: KernelRunner, difference: float) -> None:
    """The reciprocal of 3 as float32 would put 1e10 off by six places."""
    (actual,) = kernels.run(
        "distance_f32",
        left=np.zeros(1, F),
        right=np.array([difference], F),
        output=np.zeros(1, F),
        batches=1,
        left_rows=1,
        right_rows=1,
        columns=1,
        pairs=0,
        norm=4,
        exponent=3.0,
    )
    # The rounding of the third power, a third of which is left, and that of the result.
    np.testing.assert_allclose(actual, F(difference), rtol=2.0**-23)
