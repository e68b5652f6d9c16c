# SPDX-License-Identifier: Apache-2.0
"""Depthwise convolutions by the Helium kernel that copies tiles of the image to cells."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Convolution, DepthwiseConv2d, Pair
from petite.ir.schedule import Function
from petite.passes.coverage import leaves_image
from petite.passes.lower.access import tiles_of_windows
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.geometry import pad_fits
from petite.passes.lower.packing import (
    BLOCK,
    CHUNK,
    chunks_of,
    fold_offset,
    pack_scales,
    pack_weights,
)

#: Bytes of scratch memory that cells of four bytes may take, where 16 channels and one pixel need
#: no more. Larger cells may take more.
_SCRATCH = 1024
#: Dilation spreads weights, with zeros between them: at most so many bytes for each weight.
_SPREAD = 12
#: Rows and columns of a window that the fastest loop takes.
_FAST_SIZE = 3
#: What most fields of the parameter structure hold.
_INT16 = 2**15
#: Instructions, about, of a run of a tile, of a block of channels in it, and of a column of 16
#: channels and 4 rows.
_RUN, _BLOCK, _COLUMN = 150, 45, 31


@dataclass(frozen=True)
class _Window:
    """Sizes in both dimensions; those of a dilated window with what lies between its taps."""

    image: Pair
    output: Pair
    kernel: Pair
    stride: Pair
    pad: Pair
    dilation: Pair

    @staticmethod
    def of(op: Convolution) -> _Window:
        sizes = (
            op.input.shape[2:4],
            op.output.shape[2:4],
            tuple((k - 1) * d + 1 for k, d in zip(op.kernel, op.dilation, strict=True)),
            op.stride,
            (op.padding.top, op.padding.left),
            op.dilation,
        )
        pairs = [(int(first), int(second)) for first, second in sizes]
        if all(pair[0] == 1 for pair in pairs[:3]) and op.padding.top == 0:
            # A row of pixels is a column as well, and windows of one column are runs of bytes.
            swapped = [(second, first) for first, second in pairs]
            swapped[3] = (pairs[3][1], 1)
            return _Window(*swapped)
        return _Window(*pairs)

    @property
    def cell(self) -> int:
        """Bytes that hold a column of a window."""
        return -(-self.kernel[0] // 4) * 4

    def columns(self, pixels: int) -> int:
        """Of the image, in the windows of so many pixels in a row."""
        return (pixels - 1) * self.stride[1] + self.kernel[1]


@dataclass(frozen=True)
class _Tile:
    """What is computed at once."""

    rows: int
    width: int
    run: int
    cell: int
    is_fast: bool


def takes(op: Convolution) -> bool:
    """Whether the kernel's contract allows the convolution, and it is worth it."""
    if not isinstance(op, DepthwiseConv2d) or op.input.shape[1] != op.output.shape[1]:
        return False
    window = _Window.of(op)
    numbers = (*op.input.shape, *op.output.shape, *window.stride, *window.pad)
    return (
        op.output.shape[1] >= BLOCK
        and bool(np.all(op.shifts <= 0))
        and pad_fits(op)
        and window.cell * window.kernel[1] <= min(_SPREAD * op.kernel[0] * op.kernel[1], 2**12)
        and max(numbers) < _INT16
    )


def depthwise_mve(context: LoweringContext, op: Convolution) -> None:
    """Lower a convolution that the kernel takes."""
    batches, channels = op.input.shape[:2]
    window = _Window.of(op)
    tile = _tile(op, window)
    weights = _weights_in_cells(op, window, tile)
    bias = fold_offset(weights, op.bias, op.input_offset)
    order = _order(channels, tile.run)
    weights = weights[order]
    packed = _pack_small(weights, tile.cell) if tile.is_fast else pack_weights(weights)
    columns = window.columns(tile.width)
    planes = -(-tile.run // CHUNK) * CHUNK
    multiply = "cells" if tile.is_fast else "windows"
    context.call(
        op,
        "depthwise_conv2d_s8",
        {
            "multiply": Function(f"petite_multiply_{multiply}_s8_mve"),
            "batches": batches,
            "input_h": window.image[0],
            "input_w": window.image[1],
            "channels": channels,
            "output_h": window.output[0],
            "output_w": window.output[1],
            "kernel_h": window.kernel[0],
            "kernel_w": window.kernel[1],
            "stride_h": window.stride[0],
            "stride_w": window.stride[1],
            "pad_top": window.pad[0],
            "pad_left": window.pad[1],
            "rows": tile.rows,
            "tile_w": tile.width,
            "columns": columns,
            "run": tile.run,
            "cell": tile.cell,
            "chunks": chunks_of(weights.shape[1]),
            "pad_value": -op.input_offset if leaves_image(op) else 0,
            "output_offset": op.output_offset,
            "activation_min": op.clamp.low,
            "activation_max": op.clamp.high,
        },
        [
            tiles_of_windows(
                batches,
                window.image,
                window.output,
                window.stride,
                window.pad,
                channels,
                (tile.rows, tile.width),
                reads_first=tile.run == channels,
            )
        ],
        {
            "weights": (packed, DType.S8),
            "scales": (
                pack_scales(bias[order], op.multipliers[order], op.shifts[order]),
                DType.S32,
            ),
        },
        variant="mve",
        own_parameters=True,
        scratch=planes * (tile.cell * columns + 1) + CHUNK,
    )


def _rows_of_fast_loop(op: Convolution, window: _Window) -> int:
    """Output rows at once in the loop of small windows; 0 where its conditions are not met."""
    full_range = (op.clamp.low, op.clamp.high) == (-128, 127)
    if max(window.kernel) > _FAST_SIZE or not full_range or op.output_offset > -128:
        return 0
    if window.stride == (1, 1) and window.output[0] > 1:
        return 2
    return 1 if window.stride[1] == 2 else 0


def _tile(op: Convolution, window: _Window) -> _Tile:
    """The tile that takes least instructions, within the bounds of scratch memory."""
    cell = window.cell
    is_column = window.kernel[1] == window.image[1] == window.output[1] == 1
    fast_rows = 0 if is_column else _rows_of_fast_loop(op, window)
    if is_column:
        # Neighbours are no windows' bytes: cells may hold as much of the column as they can.
        reach = (window.output[0] - 1) * window.stride[0] + window.kernel[0]
        cell = max(cell, min(-(-reach // 4) * 4, _SCRATCH // CHUNK))
    rows = fast_rows or min((cell - window.kernel[0]) // window.stride[0] + 1, window.output[0])
    channels = op.output.shape[1]
    bound = _SCRATCH * window.cell // 4

    def cost(width: int, run: int) -> tuple[bool, int]:
        columns = window.columns(width)
        planes = -(-run // CHUNK) * CHUNK
        copying = columns * (cell // 4) * (planes // CHUNK) * _COLUMN
        one = _RUN + -(-run // BLOCK) * _BLOCK + copying
        tiles = -(-window.output[1] // width)
        # Whole rows of all channels are read before they are written: that saves memory as well.
        is_whole = run == channels and tiles == 1
        too_big = planes * cell * columns > (2 * bound if is_whole else bound)
        return too_big, tiles * -(-channels // run) * one

    fitting = (2 * bound // (CHUNK * cell) - window.kernel[1]) // window.stride[1] + 1
    widths = range(1, min(window.output[1], max(fitting, 1)) + 1)
    width, run = min(product(widths, _runs(channels)), key=lambda pair: cost(*pair))
    return _Tile(rows, width, run, cell, bool(fast_rows))


def _runs(channels: int) -> list[int]:
    """Channels that may be copied at once: what is left over is nothing, or a block at least."""
    most = -(-channels // CHUNK) * CHUNK
    runs = [
        min(run, channels)
        for run in range(CHUNK, most + 1, CHUNK)
        if run >= channels or channels % run == 0 or channels % run >= BLOCK
    ]
    return runs


def _weights_in_cells(op: Convolution, window: _Window, tile: _Tile) -> Array:
    """[channels][kernel_w * cell], or with windows of one column [channels][kernel_h]"""
    height, width = window.kernel
    dilation = window.dilation
    taps = tuple((k - 1) // d + 1 for k, d in zip(window.kernel, dilation, strict=True))
    weights = op.weights.reshape(*taps, -1)
    cell = height if width == 1 and not tile.is_fast else tile.cell
    spread = np.zeros((weights.shape[2], width, cell), np.int8)
    spread[:, :: dilation[1], : height : dilation[0]] = weights.transpose(2, 1, 0)
    return spread.reshape(weights.shape[2], -1)


def _pack_small(weights: Array, cell: int) -> Array:
    """[channels][kernel_w * cell] to [channels][9], and a byte more."""
    cells = weights.reshape(len(weights), -1, cell)[:, :, :_FAST_SIZE]
    padded = np.pad(cells, ((0, 0), (0, _FAST_SIZE - cells.shape[1]), (0, 0)))
    return np.append(padded.reshape(-1), np.int8(0))


def _order(channels: int, run: int) -> Array:
    """Channels in the order of the blocks; a run's last block may repeat channels."""
    order: list[int] = []
    for start in range(0, channels, run):
        end = min(start + run, channels)
        firsts = range(start, end - BLOCK + 1, BLOCK)
        order += [first + k for first in firsts for k in range(BLOCK)]
        if (end - start) % BLOCK:
            order += range(end - BLOCK, end)
    return np.array(order)
