# SPDX-License-Identifier: Apache-2.0
"""Convolutions by the Helium kernels that read packed weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Convolution, DepthwiseConv2d, Pair, TransposeConv2d
from petite.ir.schedule import Field, Ref
from petite.passes.coverage import leaves_image, windows_leave
from petite.passes.lower.access import window
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.packing import BLOCK, CHUNK, chunks_of, fold_offset, pack_pairs

#: Output pixels that the kernel computes at once.
PIXELS = 2
#: What most fields of the parameter structure hold.
_INT16 = 2**15
#: Instructions, about: to gather two windows; of a chunk, and of going on to the next row, for two
#: pixels and a block of channels.
_GATHER = 220
_MULTIPLY = 14
_NEXT_ROW = 7


def takes(op: Convolution) -> bool:
    """Whether a kernel's contract allows the convolution."""
    if isinstance(op, DepthwiseConv2d):
        has_one_group = op.input.shape[1] == 1
    else:
        has_one_group = op.input.shape[1] == op.weights.shape[3]
    scales_fit = bool(np.all(op.shifts <= 0)) and abs(op.output_offset) < 2**20
    if not has_one_group or not scales_fit:
        return False
    return _is_pointwise(op) or all(_fits_fields(op, part) for part in _parts(op))


def convolution_mve(context: LoweringContext, op: Convolution) -> None:
    """Lower a convolution that a kernel takes."""
    if _is_pointwise(op):
        _pointwise(context, op)
        return
    for part in _parts(op):
        _convolution(context, op, part)


@dataclass(frozen=True)
class _Part:
    """A convolution of one group: the whole operator, or a part of a transposed one."""

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
        return self.weights.shape[1], self.weights.shape[2]

    @property
    def leaves_image(self) -> bool:
        """Whether a window reaches beyond the image."""
        return windows_leave(
            self.image, self.output, self.kernel, self.stride, self.dilation, self.pad
        )


def _parts(op: Convolution) -> list[_Part]:
    height, width = op.input.shape[2:]
    rows, columns = op.output.shape[2:]
    weights, padding = _as_ohwi(op), (op.padding.top, op.padding.left)
    if not isinstance(op, TransposeConv2d):
        return [
            _Part(
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
                _Part(
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


def _convolution(context: LoweringContext, op: Convolution, part: _Part) -> None:
    batches, input_c = op.input.shape[:2]
    output_c = op.output.shape[1]
    output = context.ref(op.output)
    is_dense = part.apart == (part.output[1], 1)
    bias = fold_offset(part.weights.reshape(output_c, -1), op.bias, op.input_offset)
    height, width = part.kernel
    row = width * input_c
    pitch = _pitch(part)
    chunks = chunks_of(height * pitch)
    is_in_place = part.dilation[1] == 1 and (pitch % CHUNK == 0 or height == 1)
    # A pair in place lies in one row, and its last chunks do not leave the image.
    needs_scratch = (
        not is_in_place or row % CHUNK != 0 or part.leaves_image or part.output[1] % PIXELS != 0
    )
    starts_alone = int(
        is_in_place and 0 < part.pad[1] <= part.stride[1] and part.output[1] % PIXELS == 0
    )
    rows = part.weights.reshape(output_c, height, row)
    packed = np.pad(rows, ((0, 0), (0, 0), (0, pitch - row))).reshape(output_c, -1)
    steps = window(
        batches, part.image, part.output, part.stride, part.pad, input_c, output_c,
        pixels=PIXELS, alone=starts_alone,
    )  # fmt: skip
    context.call(
        op,
        "conv2d_s8",
        {
            **_part_fields(op, part),
            "output": Ref(output.buffer, output.offset + part.first * output_c),
            "pitch": pitch,
            "chunks": chunks,
            "row_chunks": chunks_of(row) if is_in_place else 0,
            "starts_alone": starts_alone,
            "pad_value": -op.input_offset if part.leaves_image else 0,
            **_output_fields(op),
        },
        [steps if is_dense else None],
        {"weights": (pack_pairs(packed, bias, op.multipliers, op.shifts), DType.S32)},
        variant="mve",
        own_parameters=True,
        scratch=PIXELS * CHUNK * chunks if needs_scratch else 0,
    )


def _part_fields(op: Convolution, part: _Part) -> dict[str, Field]:
    """Sizes, and how the output's pixels lie."""
    batches, output_c = op.output.shape[:2]
    pixels = op.output.shape[2] * op.output.shape[3]
    row = part.output[1] * part.apart[1]
    return {
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
    }


def _pointwise(context: LoweringContext, op: Convolution) -> None:
    batches, input_c, height, width = op.input.shape
    output_c = op.output.shape[1]
    pixels = batches * height * width
    weights = _as_ohwi(op).reshape(output_c, -1)
    bias = fold_offset(weights, op.bias, op.input_offset)
    context.call(
        op,
        "pointwise_conv2d_s8",
        {"pixels": pixels, "input_c": input_c, "output_c": output_c, **_output_fields(op)},
        [window(1, (1, pixels), (1, pixels), (1, 1), (0, 0), input_c, output_c, pixels=PIXELS)],
        {"weights": (pack_pairs(weights, bias, op.multipliers, op.shifts), DType.S32)},
        folder="conv2d",
        variant="mve",
        own_parameters=True,
        scratch=PIXELS * CHUNK * chunks_of(input_c) if input_c % CHUNK else 0,
    )


def _output_fields(op: Convolution) -> dict[str, Field]:
    return {
        "output_offset": op.output_offset,
        "activation_min": op.clamp.low,
        "activation_max": op.clamp.high,
    }


def _is_pointwise(op: Convolution) -> bool:
    """Whether each output pixel is computed from the input pixel at its place."""
    return (
        not isinstance(op, TransposeConv2d)
        and op.kernel == op.stride == (1, 1)
        and op.input.shape[2:] == op.output.shape[2:]
        and not leaves_image(op)
        and max(op.input.shape[1], op.output.shape[1]) < _INT16
    )


def _fits_fields(op: Convolution, part: _Part) -> bool:
    """Whether all numbers fit their fields."""
    sizes = (*op.input.shape, *op.output.shape, *part.kernel, *part.stride, *part.dilation)
    length = part.kernel[0] * (part.kernel[1] * op.input.shape[1] + CHUNK)
    pixel = part.apart[1] * op.output.shape[1]
    pad_is_int8 = -128 <= -op.input_offset <= 127
    return max(*sizes, length, pixel, *map(abs, part.pad)) < _INT16 and (
        pad_is_int8 or not part.leaves_image
    )


def _pitch(part: _Part) -> int:
    """Bytes from row to row of a window.

    Weights that are padded row by row allow to read windows where they lie, but are more.
    """
    output_c, height, width, input_c = (int(n) for n in part.weights.shape)
    row = width * input_c
    padded = -(-row // CHUNK) * CHUNK
    more = height * padded // CHUNK - chunks_of(height * row)
    blocks = -(-output_c // BLOCK)
    cost = (more * _MULTIPLY + (height - 1) * _NEXT_ROW) * blocks
    return padded if part.dilation[1] == 1 and cost < _GATHER else row


def _as_ohwi(op: Convolution) -> Array:
    # A depthwise convolution of one input channel is a convolution, with channels last.
    weights = op.weights
    if isinstance(op, DepthwiseConv2d):
        weights = np.moveaxis(weights.reshape(*op.kernel, -1), 2, 0)[..., None]
    return weights
