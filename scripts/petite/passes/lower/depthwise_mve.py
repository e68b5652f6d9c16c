# SPDX-License-Identifier: Apache-2.0
"""Depthwise convolutions by the Helium kernel that copies rows to cells."""

from __future__ import annotations

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Convolution, DepthwiseConv2d
from petite.passes.lower.access import rows_of_windows
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.geometry import leaves_image
from petite.passes.lower.packing import (
    BLOCK,
    CHUNK,
    chunks_of,
    fold_offset,
    pack_scales,
    pack_weights,
)

#: Bytes of scratch memory that cells may take, where 16 channels need no more.
_SCRATCH = 4096
#: Dilation spreads weights, with zeros between them: at most so many bytes for each weight.
_SPREAD = 12
#: Columns of a window that the fastest loop takes.
_FAST_WIDTH = 3


def takes(op: Convolution) -> bool:
    """Whether the kernel's contract allows the convolution, and it is worth it."""
    if not isinstance(op, DepthwiseConv2d) or op.input.shape[1] != op.output.shape[1]:
        return False
    pad_is_int8 = -128 <= -op.input_offset <= 127
    height, width = _spread_kernel(op)
    return (
        op.output.shape[1] >= BLOCK
        and bool(np.all(op.shifts <= 0))
        and (pad_is_int8 or not leaves_image(op))
        and _cell(height) * width <= _SPREAD * op.kernel[0] * op.kernel[1]
        # Where 16 planes start is computed with 32 bits, and their size with even less.
        and _cell(height) * op.output.shape[3] * op.stride[1] < 2**20
    )


def depthwise_mve(context: LoweringContext, op: Convolution) -> None:
    """Lower a convolution that the kernel takes."""
    batches, channels, input_h, input_w = op.input.shape
    _, _, output_h, output_w = op.output.shape
    kernel = _spread_kernel(op)
    cell = _cell(kernel[0])
    rows = min((cell - kernel[0]) // op.stride[0] + 1, output_h)
    fast_rows = _rows_of_fast_loop(op, kernel)
    if fast_rows:
        rows = fast_rows
    columns = (output_w - 1) * op.stride[1] + kernel[1]
    plane = columns * cell
    run = _run(channels, plane)
    weights = _weights_in_cells(op, kernel, cell)
    bias = fold_offset(weights, op.bias, op.input_offset)
    order = _order(channels, run)
    weights = weights[order]
    packed = (
        np.pad(weights, ((0, 0), (0, _FAST_WIDTH * cell - weights.shape[1])))
        if fast_rows
        else pack_weights(weights)
    )
    planes = -(-run // CHUNK) * CHUNK
    context.call(
        op,
        "depthwise_conv2d_s8",
        {
            "batches": batches,
            "input_h": input_h,
            "input_w": input_w,
            "channels": channels,
            "output_h": output_h,
            "output_w": output_w,
            "kernel_h": kernel[0],
            "kernel_w": kernel[1],
            "stride_h": op.stride[0],
            "stride_w": op.stride[1],
            "pad_top": op.padding.top,
            "pad_left": op.padding.left,
            "rows": rows,
            "cell": cell,
            "plane": plane,
            "columns": max(0, min(input_w, columns - op.padding.left)),
            "run": run,
            "chunks": 0 if fast_rows else chunks_of(weights.shape[1]),
            "pad_value": -op.input_offset,
            "output_offset": op.output_offset,
            "activation_min": op.clamp.low,
            "activation_max": op.clamp.high,
        },
        [
            rows_of_windows(
                batches,
                (input_h, input_w),
                (output_h, output_w),
                op.stride[0],
                op.padding.top,
                channels,
                rows,
                reads_first=run == channels,
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
        scratch=planes * (plane + 1) + cell + CHUNK,
    )


def _spread_kernel(op: Convolution) -> tuple[int, int]:
    """Rows and columns of the window with its dilation."""
    height, width = ((k - 1) * d + 1 for k, d in zip(op.kernel, op.dilation, strict=True))
    return height, width


def _cell(kernel_h: int) -> int:
    """Bytes that hold a column of a window."""
    return -(-kernel_h // 4) * 4


def _rows_of_fast_loop(op: Convolution, kernel: tuple[int, int]) -> int:
    """Output rows at once in the loop without chunks; 0 where its conditions are not met."""
    full_range = (op.clamp.low, op.clamp.high) == (-128, 127)
    if kernel[1] > _FAST_WIDTH or not full_range or op.output_offset > -128:
        return 0
    if op.stride == (1, 1) and kernel[0] <= 3 and op.output.shape[2] > 1:
        return 2
    return 1 if op.stride[1] == 2 and kernel[0] <= 4 else 0


def _run(channels: int, plane: int) -> int:
    """Channels that are copied at once; what is left over is nothing, or a block at least."""
    most = max(CHUNK, _SCRATCH // plane // CHUNK * CHUNK)
    for run in range(most, 0, -CHUNK):
        if channels % run == 0 or channels % run >= BLOCK:
            return min(run, channels)
    return channels


def _weights_in_cells(op: Convolution, kernel: tuple[int, int], cell: int) -> Array:
    """[channels][kernel_w * cell]"""
    weights = op.weights.reshape(*op.kernel, -1)
    spread = np.zeros((weights.shape[2], kernel[1], cell), np.int8)
    spread[:, :: op.dilation[1], : kernel[0] : op.dilation[0]] = weights.transpose(2, 1, 0)
    return spread.reshape(weights.shape[2], -1)


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
