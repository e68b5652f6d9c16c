# SPDX-License-Identifier: Apache-2.0
"""How kernels walk their input and output, from the overlap contracts in their headers."""

from __future__ import annotations

import numpy as np

from petite.ir.ops import Pair, Window
from petite.ir.schedule import Steps


def elementwise(count: int, read_size: int, write_size: int) -> Steps:
    """Element after element; an element is read before its result is written."""
    index = np.arange(count, dtype=np.int64)
    return Steps(index * read_size, (index + 1) * write_size, reads_first=True)


def rows(count: int, read_size: int, write_size: int, *, reads_first: bool = False) -> Steps:
    """Row after row; within a row reads and writes mix, or reads come first."""
    index = np.arange(count, dtype=np.int64)
    return Steps(index * read_size, (index + 1) * write_size, reads_first=reads_first)


def window(
    batches: int,
    input_hw: Pair,
    output_hw: Pair,
    stride: Pair,
    pad: Pair,
    read_size: int,
    write_size: int,
    pixels: int = 1,
    alone: int = 0,
    *,
    reads_first: bool = False,
) -> Steps:
    """Output pixels in raster order, each from a window whose first pixel bounds what it reads.

    ``read_size`` and ``write_size`` are the bytes of a pixel. A step computes as many as ``pixels``
    at once, the last one what is left; the first ``alone`` pixels are a step of their own.
    """
    top = np.clip(np.arange(output_hw[0], dtype=np.int64) * stride[0] - pad[0], 0, input_hw[0])
    left = np.clip(np.arange(output_hw[1], dtype=np.int64) * stride[1] - pad[1], 0, input_hw[1])
    first = (top[:, None] * input_hw[1] + left[None, :]).reshape(-1)
    image = input_hw[0] * input_hw[1]
    low = (np.arange(batches, dtype=np.int64)[:, None] * image + first[None, :]).reshape(-1)
    written = np.arange(1, len(low) + 1, dtype=np.int64)
    starts = np.arange(alone, len(low), pixels)
    if alone:
        starts = np.append(0, starts)
    low = np.minimum.reduceat(low, starts)
    written = np.maximum.reduceat(written, starts)
    return Steps(low * read_size, written * write_size, reads_first=reads_first)


def windows_of(op: Window, *, pixels: int = 1, reads_first: bool = False) -> Steps:
    """The same for an operator on int8 images, channels last in and out."""
    batches, input_c, input_h, input_w = op.input.shape
    _, output_c, output_h, output_w = op.output.shape
    return window(
        batches,
        (input_h, input_w),
        (output_h, output_w),
        op.stride,
        (op.padding.top, op.padding.left),
        input_c,
        output_c,
        pixels,
        reads_first=reads_first,
    )


def tiles_of_windows(
    batches: int,
    input_hw: Pair,
    output_hw: Pair,
    stride: Pair,
    pad: Pair,
    channels: int,
    tile: Pair,
    *,
    reads_first: bool,
) -> Steps:
    """Tiles of ``tile`` rows and columns of an output image, those of the same rows from left to
    right; the last ones of an image, and of its rows, are what is left.

    What a step reads starts where its first window does.
    """
    edges = []
    for axis in range(2):
        starts = np.arange(0, output_hw[axis], tile[axis], dtype=np.int64)
        first = np.clip(starts * stride[axis] - pad[axis], 0, input_hw[axis])
        edges.append((first, np.minimum(starts + tile[axis], output_hw[axis])))
    (top, bottom), (left, right) = edges
    image = np.arange(batches, dtype=np.int64)[:, None, None]
    row = image * input_hw[0] + top[None, :, None]
    low = (row * input_hw[1] + left[None, None, :]).reshape(-1)
    last_row = image * output_hw[0] + bottom[None, :, None] - 1
    written = (last_row * output_hw[1] + right[None, None, :]).reshape(-1)
    return Steps(low * channels, written * channels, reads_first=reads_first)
