# SPDX-License-Identifier: Apache-2.0
"""Operators on float32, and counters in integers: what stock export leaves unquantised."""

from __future__ import annotations

from math import prod

from petite.errors import PetiteError
from petite.ir.graph import Value
from petite.ir.ops import (
    FloatAdaptiveAvgPool2d,
    FloatClamp,
    FloatConvolution,
    FloatLinear,
    FloatTransposeConv2d,
    Op,
)
from petite.ir.schedule import Field, Steps
from petite.passes.layout import layout_of
from petite.passes.lower.access import elementwise, rows
from petite.passes.lower.context import LoweringContext
from petite.passes.lower.geometry import convolution_sizes
from petite.passes.lower.strides import strides_of

#: See runtime/kernels/adaptive_avg_pool/adaptive_avg_pool_f32.h.
_MOST_POOLED = 32767


def clamp(context: LoweringContext, op: Op) -> None:
    """FloatClamp."""
    assert isinstance(op, FloatClamp)
    count = op.output.count
    context.call(
        op,
        "clamp_f32",
        {"count": count, "low": float(op.low), "high": float(op.high)},
        [elementwise(count, 4, 4)],
        folder="clamp",
    )


def linear(context: LoweringContext, op: Op) -> None:
    """FloatLinear: rows, matrix and bias contiguous."""
    assert isinstance(op, FloatLinear)
    matrix = op.inputs[1]
    inner, columns = (matrix.shape[1], matrix.shape[0]) if op.transposed else matrix.shape
    count = prod(op.input.shape[:-1])
    fields: dict[str, Field] = {
        "rows": count,
        "inner": inner,
        "columns": columns,
        "inner_stride": 1 if op.transposed else columns,
        "column_stride": inner if op.transposed else 1,
        "bias_row_stride": 0,
        "bias_column_stride": 0,
        "alpha": float(op.alpha),
        "beta": float(op.beta),
    }
    names = ["input", "weights"]
    steps: list[Steps | None] = [rows(count, inner * 4, columns * 4), None]
    if len(op.inputs) == 3:
        names.append("bias")
        steps.append(None)
        _, (strides,) = _bias_walk(op.inputs[2], count, columns)
        fields["bias_row_stride"], fields["bias_column_stride"] = strides
    else:
        fields["bias"] = None
    context.call(op, "linear_f32", fields, steps, folder="linear", inputs=tuple(names))


def _bias_walk(bias: Value, count: int, columns: int) -> tuple[list[int], list[list[int]]]:
    """Strides of a bias that broadcasts to [count, columns]."""
    shape = (1,) * (2 - len(bias.shape)) + bias.shape[-2:] if bias.shape else (1, 1)
    strides = [0 if shape[0] == 1 else shape[1], 0 if shape[1] == 1 else 1]
    return [count, columns], [strides]


def convolution(context: LoweringContext, op: Op) -> None:
    """FloatConvolution, transposed or not, in any layout; in one dimension the height is 1."""
    assert isinstance(op, FloatConvolution)
    image, weights = op.inputs[0], op.inputs[1]
    fields: dict[str, Field] = {
        **convolution_sizes(_four(image.shape), _four(op.output.shape), op),
        "groups": op.groups,
        "input_layout": _four_strides(image),
        "weights_layout": _four_strides(weights),
        "output_layout": _four_strides(op.output),
    }
    names = ("input", "weights", "bias")[: len(op.inputs)]
    if len(op.inputs) == 2:
        fields["bias"] = None
    folder = "transpose_conv2d" if isinstance(op, FloatTransposeConv2d) else "conv2d"
    context.call(op, f"{folder}_f32", fields, [None] * len(op.inputs), folder=folder, inputs=names)


def _four(shape: tuple[int, ...]) -> tuple[int, ...]:
    if len(shape) == 3:
        return shape[0], shape[1], 1, shape[2]
    return shape[0], shape[1], shape[2], shape[3]


def _four_strides(value: Value) -> tuple[int, ...]:
    own = strides_of(value)
    assert len(layout_of(value)) == len(own)
    return (own[0], own[1], 0, own[2]) if len(own) == 3 else tuple(own)


def adaptive_avg_pool(context: LoweringContext, op: Op) -> None:
    """FloatAdaptiveAvgPool2d, contiguous in and out."""
    assert isinstance(op, FloatAdaptiveAvgPool2d)
    input_h, input_w = op.input.shape[-2:]
    output_h, output_w = op.output.shape[-2:]
    if max(input_h, input_w, output_h, output_w) > _MOST_POOLED:
        raise PetiteError(
            f"{op.source}: {op.input} is too large; at most {_MOST_POOLED} rows and columns "
            "are supported here"
        )
    context.call(
        op,
        "adaptive_avg_pool_f32",
        {
            "planes": op.input.count // (input_h * input_w),
            "input_h": input_h,
            "input_w": input_w,
            "output_h": output_h,
            "output_w": output_w,
        },
        [None],
        folder="adaptive_avg_pool",
    )
