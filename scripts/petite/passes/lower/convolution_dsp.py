# SPDX-License-Identifier: Apache-2.0
"""Convolutions by the DSP kernel that reads packed weights."""

from __future__ import annotations

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Conv2d, Convolution, DepthwiseConv2d
from petite.passes.lower.access import windows_of
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.geometry import convolution_sizes, pad_fits
from petite.passes.lower.packing_dsp import Scales, in_pairs, pack_blocks

#: Output pixels that the kernel computes at once.
PIXELS = 2


def takes(op: Convolution) -> bool:
    """Whether the kernel's contract allows the convolution."""
    if not isinstance(op, Conv2d) and not (
        isinstance(op, DepthwiseConv2d) and op.input.shape[1] == 1
    ):
        return False
    weights = _as_rows(op).reshape(op.output.shape[1], -1)
    return pad_fits(op) and Scales.of(op, weights).fit(weights)


def convolution_dsp(context: LoweringContext, op: Convolution) -> None:
    """Lower a convolution that the kernel takes."""
    output_c = op.output.shape[1]
    rows = _as_rows(op)
    row = rows.shape[2]
    groups = op.input.shape[1] * op.kernel[1] // row
    weights = in_pairs(rows)
    scales = Scales.of(op, rows.reshape(output_c, -1)).packed()
    each = zip(np.split(weights, groups), np.split(scales, groups), strict=True)
    pairs = weights.shape[1] // 2
    context.call(
        op,
        "conv2d_s8",
        {
            **convolution_sizes(op.input.shape, op.output.shape, op),
            "groups": groups,
            "pairs": pairs,
            "pad_value": -op.input_offset,
            "activation_min": op.clamp.low,
            "activation_max": op.clamp.high,
        },
        [windows_of(op, pixels=PIXELS, reads_first=groups == 1)],
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
