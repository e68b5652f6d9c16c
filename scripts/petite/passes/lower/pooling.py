# SPDX-License-Identifier: Apache-2.0
"""Average and maximum pooling, of int8 images and of planes of any number type."""

from __future__ import annotations

from math import prod

from petite.errors import PetiteError
from petite.ir.ops import AvgPool2d, FloatAvgPool2d, MaxPool2d, Op, Window, WindowMax
from petite.ir.schedule import Field
from petite.passes.coverage import every_window_covers_a_pixel
from petite.passes.lower.access import windows_of
from petite.passes.lower.context import LoweringContext
from petite.passes.lower.variants import implementation

#: Positions whose sum the DSP kernel holds in 16 bits.
_DSP_POSITIONS = 256


def pooling(context: LoweringContext, op: Op) -> None:
    """AvgPool2d and MaxPool2d, NHWC in and out."""
    assert isinstance(op, AvgPool2d | MaxPool2d)
    if isinstance(op, AvgPool2d):
        check_windows(op)
        kernel, fields = "avg_pool_s8", image_fields(op)
        fields.update(
            pad_bottom=op.padding.bottom,
            pad_right=op.padding.right,
            count_include_pad=int(op.count_padding),
            pad_value=op.padding_value,
            activation_min=-128,
            activation_max=127,
        )
    else:
        kernel, fields = "max_pool_s8", max_pool_fields(op)
    variant = implementation(kernel, context.instruction_set)
    if kernel == "avg_pool_s8" and variant == "dsp" and prod(op.kernel) > _DSP_POSITIONS:
        variant = "scalar"
    context.call(op, kernel, fields, [windows_of(op)], variant=variant)


def image_fields(op: Window) -> dict[str, Field]:
    """Sizes of a pooling of images, channels last."""
    batches, channels, input_h, input_w = op.input.shape
    return {
        "batches": batches,
        "input_h": input_h,
        "input_w": input_w,
        "channels": channels,
        "output_h": op.output.shape[2],
        "output_w": op.output.shape[3],
        "kernel_h": op.kernel[0],
        "kernel_w": op.kernel[1],
        "stride_h": op.stride[0],
        "stride_w": op.stride[1],
        "pad_top": op.padding.top,
        "pad_left": op.padding.left,
    }


def max_pool_fields(op: MaxPool2d) -> dict[str, Field]:
    """Numbers of max_pool_s8's parameter structure."""
    fields = image_fields(op)
    fields.update(dilation_h=op.dilation[0], dilation_w=op.dilation[1])
    fields.update(activation_min=op.clamp.low, activation_max=op.clamp.high)
    return fields


def check_windows(op: Window) -> None:
    """A mean or a float maximum of nothing has no value."""
    if not every_window_covers_a_pixel(op, op.input, op.padding):
        raise PetiteError(
            f"{op.source}: a window lies in the padding alone, or steps over the whole "
            f"image {op.input}; use less padding"
        )


def _planes(op: Window) -> dict[str, Field]:
    """Fields of a pooling of planes, contiguous in and out."""
    check_windows(op)
    image = image_fields(op)
    planes = op.input.shape[0] * op.input.shape[1]
    return {"planes": planes, **{k: image[k] for k in image if k not in ("batches", "channels")}}


def float_average(context: LoweringContext, op: Op) -> None:
    """FloatAvgPool2d."""
    assert isinstance(op, FloatAvgPool2d)
    fields = _planes(op)
    fields["count_include_pad"] = int(op.count_padding)
    fields["divisor"] = float(op.divisor or 0)
    context.call(op, "avg_pool_f32", fields, [None], folder="avg_pool")


def window_max(context: LoweringContext, op: Op) -> None:
    """WindowMax."""
    assert isinstance(op, WindowMax)
    fields = _planes(op)
    fields.update(dilation_h=op.dilation[0], dilation_w=op.dilation[1])
    types = dict.fromkeys((op.input.dtype, op.output.dtype))
    kernel = "_".join(("window_max", "place" if op.places else "value", *(t.suffix for t in types)))
    context.call(op, kernel, fields, [None], family="window_max")
