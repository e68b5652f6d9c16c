# SPDX-License-Identifier: Apache-2.0
"""Convolutions by the DSP kernel that reads packed weights."""

from __future__ import annotations

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Conv2d, Convolution, DepthwiseConv2d
from petite.ir.schedule import Field
from petite.passes.lower.access import window
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.geometry import leaves_image
from petite.passes.lower.packing_dsp import Scales, in_pairs, pack_blocks

#: Output pixels that the kernel computes at once.
PIXELS = 2


def takes(op: Convolution) -> bool:
    """Whether the kernel's contract allows the convolution."""
    if not isinstance(op, Conv2d) and not (
        isinstance(op, DepthwiseConv2d) and op.input.shape[1] == 1
    ):
        return False
    pad_is_int8 = -128 <= -op.input_offset <= 127
    weights = _as_rows(op).reshape(op.output.shape[1], -1)
    return (pad_is_int8 or not leaves_image(op)) and _scales(op, weights).fit(weights)


def convolution_dsp(context: LoweringContext, op: Convolution, sizes: dict[str, Field]) -> None:
    """Lower a convolution that the kernel takes; ``sizes`` are the fields of every convolution."""
    batches, input_c, input_h, input_w = op.input.shape
    _, output_c, output_h, output_w = op.output.shape
    rows = _as_rows(op)
    row = rows.shape[2]
    groups = input_c * op.kernel[1] // row
    weights = in_pairs(rows)
    scales = _scales(op, rows.reshape(output_c, -1)).packed()
    each = zip(np.split(weights, groups), np.split(scales, groups), strict=True)
    pairs = weights.shape[1] // 2
    context.call(
        op,
        "conv2d_s8",
        {
            **sizes,
            "groups": groups,
            "pairs": pairs,
            "pad_value": -op.input_offset,
            "activation_min": op.clamp.low,
            "activation_max": op.clamp.high,
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
                reads_first=groups == 1,
            )
        ],
        {"packed": (np.concatenate([pack_blocks(*group) for group in each]), DType.S32)},
        variant="dsp",
        own_parameters=True,
        scratch=8 * pairs + (PIXELS + 1) * row,
    )


def _as_rows(op: Convolution) -> Array:
    """[output channels][kernel_h][kernel_w * input channels of a group]."""
    # A depthwise convolution of one input channel is a convolution, with channels last.
    weights = op.weights
    if isinstance(op, DepthwiseConv2d):
        weights = np.moveaxis(weights.reshape(*op.kernel, -1), 2, 0)
    return weights.reshape(op.output.shape[1], op.kernel[0], -1)


def _scales(op: Convolution, weights: Array) -> Scales:
    return Scales.folded(
        weights, op.bias, op.input_offset, op.multipliers, op.shifts, op.output_offset
    )
