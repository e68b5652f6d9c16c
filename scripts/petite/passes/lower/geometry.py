# SPDX-License-Identifier: Apache-2.0
"""What all kinds of convolutions have in their parameter structures, and ask of the padding."""

from __future__ import annotations

from petite.ir.ops import Convolution, FloatConvolution
from petite.ir.schedule import Field
from petite.passes.coverage import leaves_image


def convolution_sizes(
    image: tuple[int, ...], output: tuple[int, ...], op: Convolution | FloatConvolution
) -> dict[str, Field]:
    """Fields from the NCHW shapes of input and output, and from the operator's window."""
    batches, input_c, input_h, input_w = image
    _, output_c, output_h, output_w = output
    return {
        "batches": batches,
        "input_h": input_h,
        "input_w": input_w,
        "input_c": input_c,
        "output_h": output_h,
        "output_w": output_w,
        "output_c": output_c,
        "kernel_h": op.kernel[0],
        "kernel_w": op.kernel[1],
        "stride_h": op.stride[0],
        "stride_w": op.stride[1],
        "dilation_h": op.dilation[0],
        "dilation_w": op.dilation[1],
        "pad_top": op.padding.top,
        "pad_left": op.padding.left,
    }


def pad_fits(op: Convolution) -> bool:
    """Whether kernels can read what lies outside the image as an int8 number, the zero point."""
    return -128 <= -op.input_offset <= 127 or not leaves_image(op)
