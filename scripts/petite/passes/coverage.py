# SPDX-License-Identifier: Apache-2.0
"""Whether windows see the image at all, and whether they reach beyond it."""

from __future__ import annotations

from petite.ir.graph import Value
from petite.ir.ops import Convolution, MaxPool2d, Padding, Pair, Window, WindowMax


def every_window_covers_a_pixel(op: Window, image: Value, padding: Padding) -> bool:
    """Over this image with this padding, no window lies in the padding alone.

    A dilated window can also step over a small image.
    """
    dilation = op.dilation if isinstance(op, WindowMax | MaxPool2d) else (1, 1)
    for axis, pad in ((0, padding.top), (1, padding.left)):
        size = image.shape[2 + axis]
        taps = [k * dilation[axis] - pad for k in range(op.kernel[axis])]
        for index in range(op.output.shape[2 + axis]):
            origin = index * op.stride[axis]
            if not any(0 <= origin + tap < size for tap in taps):
                return False
    return True


def leaves_image(op: Convolution) -> bool:
    """Whether a window of a convolution reaches beyond the image."""
    return windows_leave(
        (op.input.shape[2], op.input.shape[3]),
        (op.output.shape[2], op.output.shape[3]),
        op.kernel,
        op.stride,
        op.dilation,
        (op.padding.top, op.padding.left),
    )


def windows_leave(
    image: Pair, output: Pair, kernel: Pair, stride: Pair, dilation: Pair, pad: Pair
) -> bool:
    """The same from rows and columns; ``pad`` is what lies before the image."""
    return any(
        pad[axis] > 0
        or (output[axis] - 1) * stride[axis] - pad[axis] + (kernel[axis] - 1) * dilation[axis]
        >= image[axis]
        for axis in range(2)
    )
