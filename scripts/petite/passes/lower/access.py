# SPDX-License-Identifier: Apache-2.0
"""How kernels walk their input and output, from the overlap contracts in their headers."""

from __future__ import annotations

import numpy as np

from petite.ir.ops import Pair
from petite.ir.schedule import Steps


def elementwise(count: int, read_size: int, write_size: int) -> Steps:
    """Element after element; an element is read before its result is written."""
    index = np.arange(count, dtype=np.int64)
    return Steps(index * read_size, (index + 1) * write_size, reads_first=True)


def rows(count: int, read_size: int, write_size: int) -> Steps:
    """Row after row; within a row reads and writes mix."""
    index = np.arange(count, dtype=np.int64)
    return Steps(index * read_size, (index + 1) * write_size, reads_first=False)


def window(
    batches: int,
    input_hw: Pair,
    output_hw: Pair,
    stride: Pair,
    pad: Pair,
    read_size: int,
    write_size: int,
    pixels: int = 1,
) -> Steps:
    """Output pixels in raster order, each from a window whose first pixel bounds what it reads.

    ``read_size`` and ``write_size`` are the bytes of a pixel. A step computes as many as ``pixels``
    at once, the last one what is left.
    """
    top = np.clip(np.arange(output_hw[0], dtype=np.int64) * stride[0] - pad[0], 0, input_hw[0])
    left = np.clip(np.arange(output_hw[1], dtype=np.int64) * stride[1] - pad[1], 0, input_hw[1])
    first = (top[:, None] * input_hw[1] + left[None, :]).reshape(-1)
    image = input_hw[0] * input_hw[1]
    low = (np.arange(batches, dtype=np.int64)[:, None] * image + first[None, :]).reshape(-1)
    written = np.arange(1, len(low) + 1, dtype=np.int64)
    starts = np.arange(0, len(low), pixels)
    low = np.minimum.reduceat(low, starts)
    written = np.maximum.reduceat(written, starts)
    return Steps(low * read_size, written * write_size, reads_first=False)


def rows_of_windows(
    batches: int,
    input_hw: Pair,
    output_hw: Pair,
    stride_h: int,
    pad_top: int,
    channels: int,
    rows: int,
    *,
    reads_first: bool,
) -> Steps:
    """So many rows of an output image at once, the last step of an image what is left.

    What a step reads starts where the row of its first window does.
    """
    starts = np.arange(0, output_hw[0], rows, dtype=np.int64)
    top = np.clip(starts * stride_h - pad_top, 0, input_hw[0])
    end = np.minimum(starts + rows, output_hw[0])
    image = np.arange(batches, dtype=np.int64)[:, None]
    low = (image * input_hw[0] + top[None, :]).reshape(-1) * input_hw[1]
    written = (image * output_hw[0] + end[None, :]).reshape(-1) * output_hw[1]
    return Steps(low * channels, written * channels, reads_first=reads_first)
