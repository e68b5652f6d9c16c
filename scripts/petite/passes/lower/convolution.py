# SPDX-License-Identifier: Apache-2.0
"""Convolutions."""

from __future__ import annotations

import numpy as np

from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.ir.ops import (
    Convolution,
    DepthwiseConv2d,
    Op,
    TransposeConv2d,
)
from petite.ir.schedule import Field, Steps
from petite.passes.lower import (
    convolution_dsp,
    convolution_mve,
    depthwise_dsp,
    depthwise_mve,
)
from petite.passes.lower.access import window
from petite.passes.lower.context import LoweringContext
from petite.passes.lower.geometry import convolution_sizes
from petite.passes.lower.variants import implementation


def convolution(context: LoweringContext, op: Op) -> None:
    """Conv2d, DepthwiseConv2d and TransposeConv2d, NHWC in and out."""
    assert isinstance(op, Convolution)
    check_scales(op)
    batches, input_c, input_h, input_w = op.input.shape
    _, output_c, output_h, output_w = op.output.shape
    sizes = convolution_sizes(
        (batches, input_c, input_h, input_w), (batches, output_c, output_h, output_w), op
    )
    if implementation("conv2d_s8", context.instruction_set) == "mve" and convolution_mve.takes(op):
        convolution_mve.convolution_mve(context, op)
        return
    if implementation("conv2d_s8", context.instruction_set) == "dsp" and convolution_dsp.takes(op):
        convolution_dsp.convolution_dsp(context, op, sizes)
        return
    depthwise = implementation("depthwise_conv2d_s8", context.instruction_set)
    if depthwise == "mve" and depthwise_mve.takes(op):
        depthwise_mve.depthwise_mve(context, op)
        return
    if depthwise == "dsp" and depthwise_dsp.takes(op):
        depthwise_dsp.depthwise_dsp(context, op, sizes)
        return
    fields: dict[str, Field] = {
        **sizes,
        "input_offset": op.input_offset,
        "output_offset": op.output_offset,
        "activation_min": op.clamp.low,
        "activation_max": op.clamp.high,
    }
    steps: Steps | None = window(
        batches,
        (input_h, input_w),
        (output_h, output_w),
        op.stride,
        (op.padding.top, op.padding.left),
        input_c,
        output_c,
    )
    if isinstance(op, DepthwiseConv2d):
        kernel = "depthwise_conv2d_s8"
    elif isinstance(op, TransposeConv2d):
        kernel = "transpose_conv2d_s8"
        steps = None
    else:
        kernel = "conv2d_s8"
        fields["groups"] = input_c // int(op.weights.shape[3])
    context.call(
        op,
        kernel,
        fields,
        [steps],
        {
            "weights": (op.weights, DType.S8),
            "bias": (op.bias, DType.S32),
            "multiplier": (op.multipliers, DType.S32),
            "shift": (op.shifts, DType.S8),
        },
        variant="scalar",
    )


def check_scales(op: Convolution) -> None:
    """The range in which the kernels' fixed-point scale is defined."""
    if np.any(op.shifts < -31) or np.any(op.shifts > 30) or np.any(op.multipliers == -(2**31)):
        raise PetiteError(
            f"{op.source}: a channel's scale is out of range (shift beyond -31..30); "
            "calibrate the model again with representative data"
        )
