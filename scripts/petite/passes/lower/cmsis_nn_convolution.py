# SPDX-License-Identifier: Apache-2.0
"""Convolutions by CMSIS-NN, where its results are right for the shape."""

from __future__ import annotations

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Conv2d, Convolution, Op, TransposeConv2d
from petite.ir.schedule import Field
from petite.passes.coverage import every_window_covers_a_pixel
from petite.passes.lower import cmsis_nn_scratch as scratch
from petite.passes.lower.cmsis_nn_scratch import ConvolutionShape
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.convolution import check_scales
from petite.passes.lower.geometry import convolution_sizes
from petite.passes.lower.packing import pad_channels

#: The library holds sizes in 16 bits, some of them signed.
_TOO_LARGE = 2**15
#: Bytes behind the weights that it reads with Helium, and ignores.
_OVERREAD = 16


def convolution(context: LoweringContext, op: Op) -> bool:
    """Lower a convolution, unless the library would not compute it, or not rightly."""
    assert isinstance(op, Convolution)
    check_scales(op)
    if not -127 <= op.input_offset <= 128:
        return False
    if isinstance(op, TransposeConv2d):
        return _transposed(context, op)
    if isinstance(op, Conv2d):
        return _plain(context, op, _shape(op, int(op.weights.shape[3])), op.weights)
    if op.input.shape[1] == 1:
        # With channels last that is a convolution; the library sorts its weights in every call.
        weights = np.moveaxis(op.weights.reshape(*op.kernel, 1, -1), 3, 0)
        return _plain(context, op, _shape(op, 1), weights)
    return _depthwise(context, op)


def _shape(op: Convolution, filter_c: int) -> ConvolutionShape:
    sizes = convolution_sizes(op.input.shape, op.output.shape, op)
    return ConvolutionShape(**sizes, filter_c=filter_c)  # type: ignore[arg-type]


def _fits(shape: ConvolutionShape) -> bool:
    window = shape.kernel_h * shape.kernel_w * shape.filter_c
    reach = max(shape.output_h * shape.stride_h, shape.output_w * shape.stride_w)
    largest = max(v for v in shape.fields().values() if isinstance(v, int))
    return max(window, reach, largest) < _TOO_LARGE


def _plain(
    context: LoweringContext, op: Convolution, shape: ConvolutionShape, weights: Array
) -> bool:
    if shape.is_row and context.instruction_set == "mve" and not _is_row_right(shape):
        # Its fast way for one row is wrong here; on its side it takes the general one.
        is_row = shape.output_h == 1
        shape = shape.on_its_side()
        if not is_row or shape.is_row:
            return False
    if shape.is_pointwise and not _stays_inside(shape):
        return False
    if not _fits(shape):
        return False
    size = scratch.convolution(shape, context.instruction_set)
    _call(context, op, "conv2d_s8", shape.fields(), weights, size)
    return True


def _is_row_right(shape: ConvolutionShape) -> bool:
    """Whether the library's fast way for one row gives what the general one does.

    It takes the columns right of the image for those left of it, or one more, and a stride above 1
    to end where the image does.
    """
    total = shape.output_w - 1 + shape.kernel_w - shape.input_w
    return (
        shape.stride_w == 1
        and shape.kernel_w <= shape.input_w
        and total - 2 * shape.pad_left in (0, 1)
        # Above and below the row there is nothing that it would look at.
        and (shape.output_h, shape.pad_top) == (1, 0)
    )


def _stays_inside(shape: ConvolutionShape) -> bool:
    """Whether each pixel of a 1x1 convolution reads one of the image."""
    return (
        (shape.output_h - 1) * shape.stride_h < shape.input_h
        and (shape.output_w - 1) * shape.stride_w < shape.input_w
        and (
            (shape.stride_h, shape.stride_w) != (1, 1)
            or (shape.output_h, shape.output_w) == (shape.input_h, shape.input_w)
        )
    )


def _depthwise(context: LoweringContext, op: Convolution) -> bool:
    shape = _shape(op, 1)
    covers = every_window_covers_a_pixel(op, op.input, op.padding)
    last = (shape.output_w - 1) * shape.stride_w - shape.pad_left
    is_wrong = (
        context.instruction_set != "mve"
        and scratch.is_small_window(shape)
        # A 3x3 window's middle column is read without a look at the image's width.
        and last + 1 >= shape.input_w
    )
    if not covers or is_wrong or not _fits(shape):
        return False
    fields = shape.fields()
    del fields["filter_c"]
    size = scratch.depthwise(shape, context.instruction_set)
    _call(context, op, "depthwise_conv2d_s8", fields, op.weights, size)
    return True


def _transposed(context: LoweringContext, op: Convolution) -> bool:
    """As a convolution of the input with zeros between its pixels; the window is reversed."""
    shape = _shape(op, op.input.shape[1])
    takes = (
        max(op.stride) <= 2
        and op.dilation == (1, 1)
        and shape.pad_top < shape.kernel_h
        and shape.pad_left < shape.kernel_w
        and max(shape.input_h, shape.input_w) * 2 < _TOO_LARGE
        and _fits(shape)
    )
    if not takes:
        return False
    fields = shape.fields()
    for name in ("filter_c", "dilation_h", "dilation_w"):
        del fields[name]
    window = shape.kernel_h * shape.kernel_w * shape.input_c
    size = scratch.general_convolution(window, context.instruction_set)
    _call(context, op, "transpose_conv2d_s8", fields, op.weights[:, ::-1, ::-1], size)
    return True


def _call(
    context: LoweringContext,
    op: Convolution,
    kernel: str,
    sizes: dict[str, Field],
    weights: Array,
    size: int,
) -> None:
    channels = op.output.shape[1]
    bias = np.zeros(channels, np.int32) if op.bias is None else op.bias
    overread = _OVERREAD if context.instruction_set == "mve" else 0
    context.call(
        op,
        kernel,
        {
            **sizes,
            "scratch_size": size,
            "input_offset": op.input_offset,
            "output_offset": op.output_offset,
            "activation_min": op.clamp.low,
            "activation_max": op.clamp.high,
        },
        [None],
        {
            "weights": (np.pad(weights.reshape(-1), (0, overread)), DType.S8),
            "bias": (pad_channels(bias), DType.S32),
            "multiplier": (pad_channels(op.multipliers), DType.S32),
            "shift": (pad_channels(op.shifts), DType.S32),
        },
        variant="cmsis_nn",
        own_parameters=True,
        scratch=size,
    )
