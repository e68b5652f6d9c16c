# SPDX-License-Identifier: Apache-2.0
"""Convolutions by the DSP kernel that reads packed weights."""

from __future__ import annotations

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Conv2d, Convolution, DepthwiseConv2d, TransposeConv2d
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.convolution_parts import (
    Part,
    fits_fields,
    part_fields,
    part_steps,
    parts_of,
)
from petite.passes.lower.packing_dsp import Scales, in_pairs, pack_blocks

#: Output pixels that the kernel computes at once.
PIXELS = 2


def takes(op: Convolution) -> bool:
    """Whether the kernel's contract allows the convolution."""
    if not isinstance(op, Conv2d | TransposeConv2d) and not (
        isinstance(op, DepthwiseConv2d) and op.input.shape[1] == 1
    ):
        return False
    return all(_takes_part(op, part) for part in parts_of(op))


def _takes_part(op: Convolution, part: Part) -> bool:
    weights = part.weights.reshape(op.output.shape[1], -1)
    return fits_fields(op, part, weights.shape[1]) and Scales.of(op, weights).fit(weights)


def convolution_dsp(context: LoweringContext, op: Convolution) -> None:
    """Lower a convolution that the kernel takes."""
    for part in parts_of(op):
        _convolution(context, op, part)


def _convolution(context: LoweringContext, op: Convolution, part: Part) -> None:
    rows = _as_rows(part)
    output_c, _, row = rows.shape
    groups = op.input.shape[1] * part.kernel[1] // row
    weights = in_pairs(rows)
    scales = Scales.of(op, rows.reshape(output_c, -1)).packed()
    each = zip(np.split(weights, groups), np.split(scales, groups), strict=True)
    pairs = weights.shape[1] // 2
    context.call(
        op,
        "conv2d_s8",
        {
            **part_fields(context, op, part),
            "groups": groups,
            "pairs": pairs,
            "activation_min": op.clamp.low,
            "activation_max": op.clamp.high,
        },
        [part_steps(op, part, PIXELS, reads_first=groups == 1)],
        {"packed": (np.concatenate([pack_blocks(*group) for group in each]), DType.S32)},
        variant="dsp",
        own_parameters=True,
        scratch=8 * pairs + (PIXELS + 1) * row,
    )


def _as_rows(part: Part) -> Array:
    """[output channels][kernel_h][kernel_w * input channels of a group]."""
    return part.weights.reshape(len(part.weights), part.kernel[0], -1)
