# SPDX-License-Identifier: Apache-2.0
"""Convolutions by the Helium kernels that read packed weights."""

from __future__ import annotations

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Convolution, DepthwiseConv2d, TransposeConv2d
from petite.ir.schedule import Field
from petite.passes.coverage import leaves_image
from petite.passes.lower.access import window
from petite.passes.lower.context import LoweringContext
from petite.passes.lower.convolution_parts import (
    Part,
    as_ohwi,
    fits_fields,
    part_fields,
    part_steps,
    parts_of,
)
from petite.passes.lower.packing import BLOCK, CHUNK, chunks_of, fold_offset, pack_pairs

#: Output pixels that the kernel computes at once.
PIXELS = 2
#: What fields of the pointwise kernel's parameter structure hold.
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
        has_one_group = op.input.shape[1] == op.weights.shape[3]
    scales_fit = bool(np.all(op.shifts <= 0)) and abs(op.output_offset) < 2**20
    if not has_one_group or not scales_fit:
        return False
    return _is_pointwise(op) or all(_takes_part(op, part) for part in parts_of(op))


def _takes_part(op: Convolution, part: Part) -> bool:
    height, width = part.kernel
    return fits_fields(op, part, height * (width * op.input.shape[1] + CHUNK))


def convolution_mve(context: LoweringContext, op: Convolution) -> None:
    """Lower a convolution that a kernel takes."""
    if _is_pointwise(op):
        _pointwise(context, op)
        return
    for part in parts_of(op):
        _convolution(context, op, part)


def _convolution(context: LoweringContext, op: Convolution, part: Part) -> None:
    input_c, output_c = op.input.shape[1], op.output.shape[1]
    bias = fold_offset(part.weights.reshape(output_c, -1), op.bias, op.input_offset)
    height, width = part.kernel
    row = width * input_c
    pitch = _pitch(part)
    chunks = chunks_of(height * pitch)
    is_in_place = part.dilation[1] == 1 and (pitch % CHUNK == 0 or height == 1)
    # A pair in place lies in one row, and its last chunks do not leave the image.
    needs_scratch = (
        not is_in_place or row % CHUNK != 0 or part.leaves_image or part.output[1] % PIXELS != 0
    )
    starts_alone = int(
        is_in_place and 0 < part.pad[1] <= part.stride[1] and part.output[1] % PIXELS == 0
    )
    rows = part.weights.reshape(output_c, height, row)
    packed = np.pad(rows, ((0, 0), (0, 0), (0, pitch - row))).reshape(output_c, -1)
    context.call(
        op,
        "conv2d_s8",
        {
            **part_fields(context, op, part),
            "pitch": pitch,
            "chunks": chunks,
            "row_chunks": chunks_of(row) if is_in_place else 0,
            "starts_alone": starts_alone,
            **_output_fields(op),
        },
        [part_steps(op, part, PIXELS, alone=starts_alone)],
        {"weights": (pack_pairs(packed, bias, op.multipliers, op.shifts), DType.S32)},
        variant="mve",
        own_parameters=True,
        scratch=PIXELS * CHUNK * chunks if needs_scratch else 0,
    )


def _pointwise(context: LoweringContext, op: Convolution) -> None:
    batches, input_c, height, width = op.input.shape
    output_c = op.output.shape[1]
    pixels = batches * height * width
    weights = as_ohwi(op).reshape(output_c, -1)
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
        not isinstance(op, TransposeConv2d)
        and op.kernel == op.stride == (1, 1)
        and op.input.shape[2:] == op.output.shape[2:]
        and not leaves_image(op)
        and max(op.input.shape[1], op.output.shape[1]) < _INT16
    )


def _pitch(part: Part) -> int:
    """Bytes from row to row of a window.

    Weights that are padded row by row allow to read windows where they lie, but are more.
    """
    output_c, height, width, input_c = (int(n) for n in part.weights.shape)
    row = width * input_c
    padded = -(-row // CHUNK) * CHUNK
    more = height * padded // CHUNK - chunks_of(height * row)
    blocks = -(-output_c // BLOCK)
    cost = (more * _MULTIPLY + (height - 1) * _NEXT_ROW) * blocks
    return padded if part.dilation[1] == 1 and cost < _GATHER else row
