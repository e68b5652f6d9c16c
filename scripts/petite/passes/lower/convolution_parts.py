# SPDX-License-Identifier: Apache-2.0
"""Convolutions of packed kernels: whole operators, and the parts of a transposed convolution.

Their kernels write pixels at a distance from each other, because a transposed convolution is
several convolutions of stride 1 whose output pixels take turns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from petite.ir.ops import Convolution, DepthwiseConv2d, Pair, TransposeConv2d
from petite.ir.schedule import Field, Ref, Steps
from petite.passes.coverage import windows_leave
from petite.passes.lower.access import window
from petite.passes.lower.context import Array, LoweringContext

#: What most fields of the kernels' parameter structures hold.
_INT16 = 2**15


@dataclass(frozen=True)
class Part:
    """The whole operator, or a part of a transposed convolution."""

    image: Pair
    output: Pair
    stride: Pair
    dilation: Pair
    pad: Pair
    #: OHWI
    weights: Array
    #: Its first output pixel's number, and pixels from one row, and from one column, to the next.
    first: int
    apart: Pair

    @property
    def kernel(self) -> Pair:
        """Rows and columns of a window."""
        return self.weights.shape[1], self.weights.shape[2]

    @property
    def is_dense(self) -> bool:
        """Whether its output pixels are neighbours."""
        return self.apart == (self.output[1], 1)

    @property
    def leaves_image(self) -> bool:
        """Whether a window reaches beyond the image."""
        return windows_leave(
            self.image, self.output, self.kernel, self.stride, self.dilation, self.pad
        )


def parts_of(op: Convolution) -> list[Part]:
    """What the operator is made of: itself, but for a transposed convolution."""
    height, width = op.input.shape[2:]
    rows, columns = op.output.shape[2:]
    weights, padding = as_ohwi(op), (op.padding.top, op.padding.left)
    if not isinstance(op, TransposeConv2d):
        return [
            Part(
                (height, width), (rows, columns), op.stride, op.dilation, padding, weights,
                first=0, apart=(columns, 1),
            )
        ]  # fmt: skip
    parts = []
    for y in _phases(op, 0):
        for x in _phases(op, 1):
            own = weights[:, y.taps][:, :, x.taps]
            if not own.size:
                # No input reaches these pixels: they are what the bias makes of them.
                own = np.zeros((len(weights), 1, 1, weights.shape[3]), np.int8)
            parts.append(
                Part(
                    (height, width), (y.count, x.count), (1, 1), (y.dilation, x.dilation),
                    (y.pad, x.pad), own,
                    first=y.start * columns + x.start,
                    apart=(op.stride[0] * columns, op.stride[1]),
                )
            )  # fmt: skip
    return parts


@dataclass(frozen=True)
class _Phase:
    """In one dimension, outputs that the same taps of a transposed convolution reach."""

    start: int
    count: int
    #: In ascending order of the input positions that they see, which are ``dilation`` apart.
    taps: list[int]
    dilation: int
    #: Minus the position that the first tap sees from the first output.
    pad: int


def _phases(op: Convolution, axis: int) -> list[_Phase]:
    size, stride, dilation = op.output.shape[2 + axis], op.stride[axis], op.dilation[axis]
    cut = (op.padding.top, op.padding.left)[axis]
    phases = []
    for start in range(min(stride, size)):
        reach = {k: start + cut - k * dilation for k in reversed(range(op.kernel[axis]))}
        taps = [k for k, distance in reach.items() if distance % stride == 0]
        seen = [reach[k] // stride for k in taps]
        count = -(-(size - start) // stride)
        apart = seen[1] - seen[0] if len(seen) > 1 else 1
        phases.append(_Phase(start, count, taps, apart, -seen[0] if seen else 0))
    return phases


def fits_fields(op: Convolution, part: Part, *numbers: int) -> bool:
    """Whether all numbers of part_fields(), and more, fit 16 bits, and what is read outside the
    image 8."""
    sizes = (*op.input.shape, *op.output.shape, *part.kernel, *part.stride, *part.dilation)
    pixel = part.apart[1] * op.output.shape[1]
    pad_is_int8 = -128 <= -op.input_offset <= 127
    return max(*sizes, pixel, *map(abs, part.pad), *numbers) < _INT16 and (
        pad_is_int8 or not part.leaves_image
    )


def part_fields(context: LoweringContext, op: Convolution, part: Part) -> dict[str, Field]:
    """Where its output starts, sizes, where pixels lie, and what is read outside the image."""
    batches, output_c = op.output.shape[:2]
    output = context.ref(op.output)
    pixels = op.output.shape[2] * op.output.shape[3]
    row = part.output[1] * part.apart[1]
    return {
        "output": Ref(output.buffer, output.offset + part.first * output_c),
        "batches": batches,
        "input_h": part.image[0],
        "input_w": part.image[1],
        "input_c": op.input.shape[1],
        "output_h": part.output[0],
        "output_w": part.output[1],
        "output_c": output_c,
        "output_pitch": part.apart[1] * output_c,
        "output_row_gap": (part.apart[0] - row) * output_c,
        "output_image_gap": (pixels - part.output[0] * part.apart[0]) * output_c,
        "kernel_h": part.kernel[0],
        "kernel_w": part.kernel[1],
        "stride_h": part.stride[0],
        "stride_w": part.stride[1],
        "dilation_h": part.dilation[0],
        "dilation_w": part.dilation[1],
        "pad_top": part.pad[0],
        "pad_left": part.pad[1],
        "pad_value": -op.input_offset if part.leaves_image else 0,
    }


def part_steps(
    op: Convolution, part: Part, pixels: int, *, alone: int = 0, reads_first: bool = False
) -> Steps | None:
    """How the output may overlap the input, where so many pixels are computed at once."""
    if not part.is_dense:
        return None
    return window(
        op.input.shape[0],
        part.image,
        part.output,
        part.stride,
        part.pad,
        op.input.shape[1],
        op.output.shape[1],
        pixels,
        alone,
        reads_first=reads_first,
    )


def as_ohwi(op: Convolution) -> Array:
    """Weights in the order of plain convolutions."""
    # A depthwise convolution of one input channel is a convolution, with channels last.
    weights = op.weights
    if isinstance(op, DepthwiseConv2d):
        weights = np.moveaxis(weights.reshape(*op.kernel, -1), 2, 0)[..., None]
    return weights
