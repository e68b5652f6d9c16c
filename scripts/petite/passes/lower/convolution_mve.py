# SPDX-License-Identifier: Apache-2.0
"""Convolutions by the Helium kernel that reads packed weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Conv2d, Convolution, DepthwiseConv2d, Pair
from petite.ir.schedule import Field
from petite.passes.lower.access import window
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.geometry import leaves_image
from petite.passes.lower.packing import CHUNK, chunks_of, fold_offset, pack_scales, pack_weights

#: Output pixels that the kernel computes at once.
PIXELS = 2


def takes(op: Convolution) -> bool:
    """Whether the kernel's contract allows the convolution."""
    if isinstance(op, DepthwiseConv2d):
        has_one_group = op.input.shape[1] == 1
    else:
        has_one_group = isinstance(op, Conv2d) and op.input.shape[1] == op.weights.shape[3]
    pad_is_int8 = -128 <= -op.input_offset <= 127
    scales_fit = bool(np.all(op.shifts <= 0)) and abs(op.output_offset) < 2**20
    return has_one_group and scales_fit and (pad_is_int8 or not leaves_image(op))


def convolution_mve(context: LoweringContext, op: Convolution, sizes: dict[str, Field]) -> None:
    """Lower a convolution that the kernel takes; ``sizes`` are the fields of every convolution."""
    shape = _Shape.of(op)
    weights = _as_matrix(op)
    bias = fold_offset(weights, op.bias, op.input_offset)
    row = op.kernel[1] * shape.input_c
    chunks = chunks_of(weights.shape[1])
    is_in_place = op.dilation[1] == 1 and (row % CHUNK == 0 or op.kernel[0] == 1)
    row_chunks = chunks_of(row) if is_in_place else 0
    # A pair in place lies in one row, and its last chunks do as well.
    needs_scratch = row_chunks * CHUNK != row or leaves_image(op) or shape.output[1] % 2 == 1
    context.call(
        op,
        "conv2d_s8",
        {
            **sizes,
            **shape.fields(),
            "chunks": chunks,
            "row_chunks": row_chunks,
            "pad_value": -op.input_offset,
            "output_offset": op.output_offset,
            "activation_min": op.clamp.low,
            "activation_max": op.clamp.high,
        },
        [
            window(
                shape.batches,
                shape.input,
                shape.output,
                op.stride,
                (op.padding.top, op.padding.left),
                shape.input_c,
                shape.output_c,
                pixels=PIXELS,
            )
        ],
        {
            "weights": (pack_weights(weights), DType.S8),
            "scales": (pack_scales(bias, op.multipliers, op.shifts), DType.S32),
        },
        variant="mve",
        own_parameters=True,
        scratch=PIXELS * CHUNK * chunks if needs_scratch else 0,
    )


@dataclass(frozen=True)
class _Shape:
    """What the kernel is told of the images."""

    batches: int
    input: Pair
    output: Pair
    input_c: int
    output_c: int

    @staticmethod
    def of(op: Convolution) -> _Shape:
        batches, input_c, *size = op.input.shape
        _, output_c, *output = op.output.shape
        if op.kernel == op.stride == (1, 1) and size == output and not leaves_image(op):
            # Pixels have nothing to do with their neighbours: one long row has the fewest ends.
            size = output = [1, batches * size[0] * size[1]]
            batches = 1
        return _Shape(batches, (size[0], size[1]), (output[0], output[1]), input_c, output_c)

    def fields(self) -> dict[str, Field]:
        return {
            "batches": self.batches,
            "input_h": self.input[0],
            "input_w": self.input[1],
            "output_h": self.output[0],
            "output_w": self.output[1],
        }


def _as_matrix(op: Convolution) -> Array:
    """[output channels][kernel_h * kernel_w * input channels]."""
    # A depthwise convolution of one input channel is a convolution, with channels last.
    weights = op.weights
    if isinstance(op, DepthwiseConv2d):
        weights = np.moveaxis(weights.reshape(*op.kernel, -1), 2, 0)
    return weights.reshape(op.output.shape[1], -1)
