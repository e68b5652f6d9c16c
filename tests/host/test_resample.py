# SPDX-License-Identifier: Apache-2.0
"""Resized and sampled images, and distances of rows: the operations of the headers, one by one."""

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


@pytest.mark.parametrize("seed", range(20))
def test_antialias(kernels: KernelRunner, seed: int) -> None:
    """Rectangles anywhere, of any weights."""
    rng = np.random.default_rng(seed)
    images, channels, *sizes = (int(n) for n in rng.integers(1, [3, 4, 9, 9, 6, 6]))
    array = rng.normal(0, 3, (images, sizes[0], sizes[1], channels)).astype(F)
    tables = {}
    for dim, size, output in zip("hw", sizes[:2], sizes[2:], strict=True):
        counts = rng.integers(1, size + 1, output)
        tables[dim] = (
            np.array([rng.integers(0, size - n + 1) for n in counts]),
            counts,
            rng.normal(0, 1, (output, int(counts.max()))).astype(F),
        )
    expected = np.zeros((images, sizes[2], sizes[3], channels), F)
    for y, x in np.ndindex(sizes[2], sizes[3]):
        (top, rows, down), (left, columns, across) = (
            [t[i] for t in tables[d]] for d, i in zip("hw", (y, x), strict=True)
        )
        for i, j in np.ndindex(int(rows), int(columns)):
            expected[:, y, x] += array[:, top + i, left + j] * down[i] * across[j]
    named = {
        f"{what}_{dim}_table": table.astype(np.int32 if what != "weights" else F)
        for dim, found in tables.items()
        for what, table in zip(("first", "count", "weights"), found, strict=True)
    }
    actual = kernels.run(
        "resize_antialias_f32",
        input=array,
        output=np.zeros_like(expected),
        images=images,
        channels=channels,
        **dict(zip(("input_h", "input_w", "output_h", "output_w"), sizes, strict=True)),
        **named,
        taps_h=tables["h"][2].shape[1],
        taps_w=tables["w"][2].shape[1],
    )
    np.testing.assert_array_equal(actual, expected)


def place_of(g: Array, size: int, align: bool) -> Array:
    """Where in the image a coordinate of the grid is, in pixels."""
    if align:
        return (g + F(1)) / F(2) * F(size - 1)
    return ((g + F(1)) * F(size) - F(1)) / F(2)


def mirrored(place: Array, size: int, align: bool) -> Array:
    """The place inside of an image that is repeated, every second time mirrored."""
    low, span = (F(0), F(size - 1)) if align else (F(-0.5), F(size))
    if span == 0:
        return np.zeros_like(place)
    distance = np.abs(place - low)
    rest, times = np.fmod(distance, span), np.floor(distance / span)
    return np.where(times % 2 == 0, rest + low, span - rest + low)


def inside(place: Array, size: int, padding: int, align: bool) -> Array:
    place = mirrored(place, size, align) if padding == 2 else place
    return np.clip(place, F(0), F(size - 1)) if padding else place


def cubic(past: Array) -> list[Array]:
    """Weights of four pixels, by the distance of each from the place."""
    a, distances = F(-0.75), (past + F(1), past, F(1) - past, F(1) - past + F(1))
    return [
        ((a + F(2)) * x - (a + F(3))) * x * x + F(1)
        if near
        else ((a * x - F(5) * a) * x + F(8) * a) * x - F(4) * a
        for x, near in zip(distances, (False, True, True, False), strict=True)
    ]


def taps_of(g: Array, size: int, mode: int, padding: int, align: bool) -> tuple[Array, Array]:
    """Pixels and weights along one dimension; -1 is outside."""
    place = place_of(g, size, align)
    place = place if mode == 2 else inside(place, size, padding, align)
    first = np.floor(place)
    if mode == 1:
        at, weights = [np.rint(place)], [np.ones_like(place)]
    elif mode == 0:
        at, weights = [first, first + 1], [first + F(1) - place, place - first]
    else:
        at, weights = [first + F(i) for i in (-1, 0, 1, 2)], cubic(place - first)
    at = [np.where(a == size, size - 1, a) if padding and mode == 0 else a for a in at]
    if mode == 2:
        at = [inside(a, size, padding, align).astype(int) for a in at]
    at = [np.where((a >= 0) & (a < size), a, -1).astype(int) for a in at]
    return np.stack(at), np.stack(weights)


def sampled(image: Array, grid: Array, mode: int, padding: int, align: bool) -> Array:
    """Of one image [channels][h][w], at a grid [pixels][2]."""
    across = taps_of(grid[:, 0], image.shape[2], mode, padding, align)
    down = taps_of(grid[:, 1], image.shape[1], mode, padding, align)
    pixels = np.arange(len(grid))
    total = np.zeros((len(image), len(pixels)), F)
    for i in range(len(down[0])):
        row = np.zeros_like(total)
        for j in range(len(across[0])):
            y, x = down[0][i], across[0][j]
            value = np.where((y < 0) | (x < 0), F(0), image[:, y, x])
            if mode == 0:
                total += value * (across[1][j] * down[1][i])
            else:
                row += value * across[1][j]
        total += row * down[1][i] if mode else F(0)
    return total


@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("padding", range(3))
@pytest.mark.parametrize("mode", range(3))
def test_grid_sample(kernels: KernelRunner, mode: int, padding: int, align: bool) -> None:
    """Inside, at the edges, outside and far away."""
    rng = np.random.default_rng(mode)
    for height, width in ((4, 5), (1, 3), (7, 1), (1, 1)):
        images = rng.normal(0, 3, (2, 3, height, width)).astype(F)
        grid = rng.normal(0, 1.2, (2, 60, 2)).astype(F)
        grid[:, :25] = rng.choice(np.array([-1, -0.5, 0, 0.25, 1, 7, -1e5, 3e4], F), (2, 25, 2))
        pairs = zip(images, grid, strict=True)
        expected = np.stack([sampled(i, g, mode, padding, align) for i, g in pairs])
        actual = kernels.run(
            "grid_sample_f32",
            input=images,
            grid=grid,
            output=np.zeros_like(expected),
            images=2,
            channels=3,
            input_h=height,
            input_w=width,
            output_h=6,
            output_w=10,
            mode=mode,
            padding=padding,
            align_corners=int(align),
        )
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("mode", range(3))
@pytest.mark.parametrize("padding", range(3))
@pytest.mark.parametrize("g", [np.nan, np.inf, -np.inf, 3e38])
def test_places_that_are_no_numbers(
    kernels: KernelRunner, mode: int, padding: int, g: float
) -> None:
    """No sanitizer stops, and what is promised comes out."""
    image = np.array([[1, 2], [3, 4]], F)
    sizes = {"input_h": 2, "input_w": 2, "output_h": 1, "output_w": 1}
    actual = kernels.run(
        "grid_sample_f32",
        input=image,
        grid=np.array([g, g], F),
        output=np.zeros(1, F),
        images=1,
        channels=1,
        **sizes,
        mode=mode,
        padding=padding,
        align_corners=0,
    )
    if mode == 2:
        assert np.isnan(actual).all() or np.isfinite(g)
    elif padding == 0:
        assert actual == 0
    elif np.isnan(g):
        assert actual == 4
