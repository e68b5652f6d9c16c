# SPDX-License-Identifier: Apache-2.0
"""Convolutions."""

from __future__ import annotations

from collections.abc import Callable

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
    repeated_channels,
)
from petite.passes.lower.access import windows_of
from petite.passes.lower.context import LoweringContext
from petite.passes.lower.geometry import convolution_sizes
from petite.targets import RUNS, InstructionSet

_Takes = Callable[[Convolution], bool]
_Lower = Callable[[LoweringContext, Convolution], None]
#: Kernels that read packed weights; the first one that takes the convolution runs.
_PACKED: dict[InstructionSet, tuple[tuple[_Takes, _Lower], ...]] = {
    "mve": (
        (convolution_mve.takes, convolution_mve.convolution_mve),
        (depthwise_mve.takes, depthwise_mve.depthwise_mve),
    ),
    "dsp": (
        (convolution_dsp.takes, convolution_dsp.convolution_dsp),
        (depthwise_dsp.takes, depthwise_dsp.depthwise_dsp),
    ),
}


def convolution(context: LoweringContext, op: Op) -> None:
    """Conv2d, DepthwiseConv2d and TransposeConv2d, NHWC in and out."""
    assert isinstance(op, Convolution)
    check_scales(op)
    lower = _packed(context.instruction_set, op)
    if lower is None and repeated_channels.is_worth_it(op):
        wide = repeated_channels.of(op)
        lower = _packed(context.instruction_set, wide)
        if lower is not None:
            repeated_channels.repeat(context, op, wide)
            op = wide
    (lower or _scalar)(context, op)


def _packed(instruction_set: InstructionSet, op: Convolution) -> _Lower | None:
    """How the best kernel that reads packed weights and takes the convolution is called."""
    every = (entry for name in RUNS[instruction_set] for entry in _PACKED.get(name, ()))
    return next((lower for takes, lower in every if takes(op)), None)


def _scalar(context: LoweringContext, op: Convolution) -> None:
    fields: dict[str, Field] = {
        **convolution_sizes(op.input.shape, op.output.shape, op),
        "input_offset": op.input_offset,
        "output_offset": op.output_offset,
        "activation_min": op.clamp.low,
        "activation_max": op.clamp.high,
    }
    steps: Steps | None = windows_of(op)
    if isinstance(op, DepthwiseConv2d):
        kernel = "depthwise_conv2d_s8"
    elif isinstance(op, TransposeConv2d):
        kernel = "transpose_conv2d_s8"
        steps = None
    else:
        kernel = "conv2d_s8"
        fields["groups"] = op.input.shape[1] // int(op.weights.shape[3])
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
