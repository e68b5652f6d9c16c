# SPDX-License-Identifier: Apache-2.0
"""The sizes that every convolution's parameter structure holds."""

from __future__ import annotations

from petite.ir.ops import Convolution, FloatConvolution
from petite.ir.schedule import Field

Image = tuple[int, int, int, int]


def convolution_sizes(
    image: Image, output: Image, op: Convolution | FloatConvolution
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


def leaves_image(op: Convolution) -> bool:
    """Whether a window reaches beyond the image."""
    before = (op.padding.top, op.padding.left)
    for axis in range(2):
        last = (op.output.shape[2 + axis] - 1) * op.stride[axis] - before[axis]
        if (
            before[axis] > 0
            or last + (op.kernel[axis] - 1) * op.dilation[axis] >= op.input.shape[2 + axis]
        ):
            return True
    return False
