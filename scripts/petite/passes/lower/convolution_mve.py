# SPDX-License-Identifier: Apache-2.0
"""Convolutions by the Helium kernels that read packed weights."""

from __future__ import annotations

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Conv2d, Convolution, DepthwiseConv2d
from petite.ir.schedule import Field
from petite.passes.lower.access import window
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.geometry import leaves_image
from petite.passes.lower.packing import BLOCK, CHUNK, chunks_of, fold_offset, pack_pairs

#: Output pixels that the kernel computes at once.
PIXELS = 2
#: What most fields of the parameter structure hold.
_INT16 = 2**15
#: Instructions, about: to gather two windows; of a chunk, and of going on to the next row, for two
#: pixels and a block of channels.
_GATHER = 220
_MULTIPLY = 14
_NEXT_ROW = 7


def takes(op: Convolution) -> bool:
    """Whether a kernel's contract allows the convolution."""
    if isinstance(op, DepthwiseConv2d):
        has_one_group = op.input.shape[1] == 1
    else:
        has_one_group = isinstance(op, Conv2d) and op.input.shape[1] == op.weights.shape[3]
    pad_is_int8 = -128 <= -op.input_offset <= 127
    scales_fit = bool(np.all(op.shifts <= 0)) and abs(op.output_offset) < 2**20
    fits = _is_pointwise(op) or _fits_fields(op)
    return has_one_group and scales_fit and fits and (pad_is_int8 or not leaves_image(op))


def convolution_mve(context: LoweringContext, op: Convolution, sizes: dict[str, Field]) -> None:
    """Lower a convolution that a kernel takes; ``sizes`` are the fields of every convolution."""
    if _is_pointwise(op):
        _pointwise(context, op)
        return
    batches, input_c, input_h, input_w = op.input.shape
    _, output_c, output_h, output_w = op.output.shape
    weights = _as_matrix(op)
    bias = fold_offset(weights, op.bias, op.input_offset)
    row = op.kernel[1] * input_c
    pitch = _pitch(op)
    chunks = chunks_of(op.kernel[0] * pitch)
    is_in_place = op.dilation[1] == 1 and (pitch % CHUNK == 0 or op.kernel[0] == 1)
    # A pair in place lies in one row, and its last chunks do not leave the image.
    needs_scratch = (
        not is_in_place or row % CHUNK != 0 or leaves_image(op) or output_w % PIXELS != 0
    )
    starts_alone = int(is_in_place and 0 < op.padding.left <= op.stride[1] and output_w % 2 == 0)
    rows = weights.reshape(output_c, op.kernel[0], row)
    packed = np.pad(rows, ((0, 0), (0, 0), (0, pitch - row))).reshape(output_c, -1)
    context.call(
        op,
        "conv2d_s8",
        {
            **sizes,
            "pitch": pitch,
            "chunks": chunks,
            "row_chunks": chunks_of(row) if is_in_place else 0,
            "starts_alone": starts_alone,
            "pad_value": -op.input_offset if leaves_image(op) else 0,
            **_output_fields(op),
        },
        [
            window(
                batches,
                (input_h, input_w),
                (output_h, output_w),
                op.stride,
                (op.padding.top, op.padding.left),
                input_c,
                output_c,
                pixels=PIXELS,
                alone=starts_alone,
            )
        ],
        {"weights": (pack_pairs(packed, bias, op.multipliers, op.shifts), DType.S32)},
        variant="mve",
        own_parameters=True,
        scratch=PIXELS * CHUNK * chunks if needs_scratch else 0,
    )


def _pointwise(context: LoweringContext, op: Convolution) -> None:
    batches, input_c, height, width = op.input.shape
    output_c = op.output.shape[1]
    pixels = batches * height * width
    weights = _as_matrix(op)
    bias = fold_offset(weights, op.bias, op.input_offset)
    context.call(
        op,
        "pointwise_conv2d_s8",
        {"pixels": pixels, "input_c": input_c, "output_c": output_c, **_output_fields(op)},
        [window(1, (1, pixels), (1, pixels), (1, 1), (0, 0), input_c, output_c, pixels=PIXELS)],
        {"weights": (pack_pairs(weights, bias, op.multipliers, op.shifts), DType.S32)},
        folder="conv2d",
        variant="mve",
        own_parameters=True,
        scratch=PIXELS * CHUNK * chunks_of(input_c) if input_c % CHUNK else 0,
    )


def _output_fields(op: Convolution) -> dict[str, Field]:
    return {
        "output_offset": op.output_offset,
        "activation_min": op.clamp.low,
        "activation_max": op.clamp.high,
    }


def _is_pointwise(op: Convolution) -> bool:
    """Whether each output pixel is computed from the input pixel at its place."""
    return (
        op.kernel == op.stride == (1, 1)
        and op.input.shape[2:] == op.output.shape[2:]
        and not leaves_image(op)
        and max(op.input.shape[1], op.output.shape[1]) < _INT16
    )


def _fits_fields(op: Convolution) -> bool:
    """Whether all sizes have 16 bits."""
    numbers = (*op.input.shape, *op.output.shape, *op.kernel, *op.stride, *op.dilation)
    length = op.kernel[0] * (op.kernel[1] * op.input.shape[1] + CHUNK)
    return max(*numbers, op.padding.top, op.padding.left, length) < _INT16


def _pitch(op: Convolution) -> int:
    """Bytes from row to row of a window.

    Weights that are padded row by row allow to read windows where they lie, but are more.
    """
    row = op.kernel[1] * op.input.shape[1]
    padded = -(-row // CHUNK) * CHUNK
    more = op.kernel[0] * padded // CHUNK - chunks_of(op.kernel[0] * row)
    blocks = -(-op.output.shape[1] // BLOCK)
    cost = (more * _MULTIPLY + (op.kernel[0] - 1) * _NEXT_ROW) * blocks
    return padded if op.dilation[1] == 1 and cost < _GATHER else row


def _as_matrix(op: Convolution) -> Array:
    """[output channels][kernel_h * kernel_w * input channels]."""
    # A depthwise convolution of one input channel is a convolution, with channels last.
    weights = op.weights
    if isinstance(op, DepthwiseConv2d):
        weights = np.moveaxis(weights.reshape(*op.kernel, -1), 2, 0)
    return weights.reshape(op.output.shape[1], -1)
