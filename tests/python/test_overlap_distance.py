# SPDX-License-Identifier: Apache-2.0
"""How far an output may overlap its input: the formula against playing it through."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from petite.ir.schedule import Steps
from petite.passes.lower.access import elementwise, rows, tiles_of_windows, window


def _is_safe(steps: Steps, distance: int) -> bool:
    """Play the steps through, reading all that they may read and writing all that they may write.

    The input starts ``distance`` bytes above the output.
    """
    count = len(steps.read_low)
    written_up_to = -(2**40)
    for step in range(count):
        low = distance + int(min(steps.read_low[step:]))
        end = int(steps.write_end[step])
        if not steps.reads_first:
            written_up_to = max(written_up_to, end)
        if written_up_to > low:
            return False
        written_up_to = max(written_up_to, end)
    return True


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=2, max_size=8),
    st.booleans(),
)
def test_distance_is_the_smallest_safe_one(pairs: list[tuple[int, int]], reads_first: bool) -> None:
    lows = np.array([p[0] for p in pairs], dtype=np.int64)
    ends = np.sort(np.array([p[1] for p in pairs], dtype=np.int64))
    steps = Steps(lows, ends, reads_first)
    distance = steps.distance()
    assert _is_safe(steps, distance)
    assert not _is_safe(steps, distance - 1)


@given(st.integers(1, 30), st.integers(1, 8), st.integers(1, 8))
def test_elementwise_distance(count: int, read: int, write: int) -> None:
    """Element e is read whole before its result is written."""
    distance = elementwise(count, read, write).distance()
    grown = [(e + 1) * write - (e + 1) * read for e in range(count - 1)]
    assert distance == max(grown, default=-(2**31))


@given(st.integers(1, 30), st.integers(1, 8), st.integers(1, 8))
def test_row_distance(count: int, read: int, write: int) -> None:
    """Row r may be read again while its result is written."""
    distance = rows(count, read, write).distance()
    assert distance == max((r + 1) * write - r * read for r in range(count))


@given(st.data())
def test_window_distance_is_safe(data: st.DataObject) -> None:
    """No pixel that a window covers is overwritten before that window's result is complete."""

    def pair(low: int, high: int) -> tuple[int, int]:
        return data.draw(st.integers(low, high)), data.draw(st.integers(low, high))

    batches, image, kernel, stride = (
        data.draw(st.integers(1, 2)),
        pair(1, 6),
        pair(1, 3),
        pair(1, 3),
    )
    pad = (data.draw(st.integers(0, kernel[0] - 1)), data.draw(st.integers(0, kernel[1] - 1)))
    output = pair(1, 6)
    read, write = pair(1, 5)
    distance = window(batches, image, output, stride, pad, read, write).distance()
    written = 0
    for batch in range(batches):
        for oy in range(output[0]):
            for ox in range(output[1]):
                written += write
                for ky in range(kernel[0]):
                    for kx in range(kernel[1]):
                        y, x = oy * stride[0] - pad[0] + ky, ox * stride[1] - pad[1] + kx
                        if 0 <= y < image[0] and 0 <= x < image[1]:
                            pixel = (batch * image[0] + y) * image[1] + x
                            assert written <= distance + pixel * read


@given(st.data())
def test_distance_of_tiles_of_windows(data: st.DataObject) -> None:
    """Every byte that a window reads is still there when its tile comes."""

    def pair(low: int, high: int) -> tuple[int, int]:
        return data.draw(st.integers(low, high)), data.draw(st.integers(low, high))

    batches, channels = pair(1, 2)
    image, output, tile = pair(1, 6), pair(1, 6), pair(1, 4)
    kernel, stride, pad = pair(1, 4), pair(1, 3), pair(0, 4)
    reads_first = data.draw(st.booleans())
    steps = tiles_of_windows(
        batches, image, output, stride, pad, channels, tile, reads_first=reads_first
    )
    shift = steps.distance()
    written = -(2**40)
    for batch in range(batches):
        for top in range(0, output[0], tile[0]):
            for left in range(0, output[1], tile[1]):
                pixels = [
                    (y, x)
                    for y in range(top, min(top + tile[0], output[0]))
                    for x in range(left, min(left + tile[1], output[1]))
                ]
                ends = [((batch * output[0] + y) * output[1] + x + 1) * channels for y, x in pixels]
                before = written if reads_first else max(written, *ends)
                for read in read_pixels(pixels, image, kernel, stride, pad):
                    assert before <= shift + (batch * image[0] * image[1] + read) * channels
                written = max(written, *ends)


def read_pixels(
    pixels: list[tuple[int, int]],
    image: tuple[int, int],
    kernel: tuple[int, int],
    stride: tuple[int, int],
    pad: tuple[int, int],
) -> set[int]:
    """Numbers of the input's pixels in the windows of output pixels."""
    found = set()
    for y, x in pixels:
        for ky in range(kernel[0]):
            for kx in range(kernel[1]):
                iy, ix = y * stride[0] - pad[0] + ky, x * stride[1] - pad[1] + kx
                if 0 <= iy < image[0] and 0 <= ix < image[1]:
                    found.add(iy * image[1] + ix)
    return found
