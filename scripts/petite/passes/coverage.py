# SPDX-License-Identifier: Apache-2.0
"""Whether the windows of a pooling see the image at all."""

from __future__ import annotations

from petite.ir.graph import Value
from petite.ir.ops import MaxPool2d, Padding, Window, WindowMax


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
