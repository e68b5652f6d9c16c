# SPDX-License-Identifier: Apache-2.0
"""Images in another size, and distances between rows."""

from __future__ import annotations

from math import inf, prod
from typing import Any

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Distance, GridSample, Op, Resize, ResizeAntialias
from petite.ir.schedule import Field
from petite.passes.layout import CHANNELS_LAST, layout_of
from petite.passes.lower.context import LoweringContext

Array = np.ndarray[Any, np.dtype[Any]]


def resize(context: LoweringContext, op: Op) -> None:
    """Resize: planes, or pixels whose channels lie together."""
    assert isinstance(op, Resize)
    batches, channels, input_h, input_w = op.input.shape
    together = layout_of(op.input) == CHANNELS_LAST
    pixel = channels if together else 1
    fields: dict[str, Field] = {
        "images": batches if together else batches * channels,
        "input_h": input_h,
        "input_w": input_w,
        "output_h": op.output.shape[2],
        "output_w": op.output.shape[3],
        "scale_h": float(op.scale[0]),
        "scale_w": float(op.scale[1]),
    }
    if op.bilinear:
        fields["channels"] = pixel
        fields["align_corners"] = int(op.align_corners)
        context.call(op, "resize_bilinear_f32", fields, [None], folder="resize")
    else:
        fields["pixel_size"] = pixel * op.input.dtype.size
        context.call(op, "resize_nearest", fields, [None], folder="resize")


def resize_antialias(context: LoweringContext, op: Op) -> None:
    """ResizeAntialias: planes, or pixels whose channels lie together."""
    assert isinstance(op, ResizeAntialias)
    batches, channels, *sizes = op.input.shape
    together = layout_of(op.input) == CHANNELS_LAST
    fields: dict[str, Field] = {
        "images": batches if together else batches * channels,
        "channels": channels if together else 1,
    }
    constants: dict[str, tuple[Array | None, DType]] = {}
    for dim, size, output, scale in zip("hw", sizes, op.output.shape[2:], op.scale, strict=True):
        first, weights = _taps(size, output, scale)
        counts = np.array([len(line) for line in weights])
        table = np.zeros((output, max(counts)), np.float32)
        for line, values in zip(table, weights, strict=True):
            line[: len(values)] = values
        fields |= {f"input_{dim}": size, f"output_{dim}": output, f"taps_{dim}": table.shape[1]}
        constants[f"first_{dim}_table"] = np.array(first), DType.S32
        constants[f"count_{dim}_table"] = counts, DType.S32
        constants[f"weights_{dim}_table"] = table, DType.F32
    context.call(op, "resize_antialias_f32", fields, [None], constants, folder="resize")


def _taps(size: int, output: int, scale: float) -> tuple[list[int], list[Array]]:
    """First input pixel of each output pixel, and the weights from there, along one dimension.

    A triangle around the centre, as wide as two input pixels, or two output pixels where these are
    larger. Each operation is rounded to float32, as in ExecuTorch's operator.
    """
    one, half, step = np.float32(1), np.float32(0.5), np.float32(scale)
    reach, slope = (step, one / step) if step >= one else (one, one)
    starts, weights = [], []
    for at in range(output):
        centre = step * (np.float32(at) + half)
        start = max(int(centre - reach + half), 0)
        stop = min(int(centre + reach + half), size)
        places = np.arange(start, stop).astype(np.float32)
        line = np.maximum(one - np.abs((places - centre + half) * slope), np.float32(0))
        # cumsum adds one by one; sum() adds in pairs.
        total = line.cumsum(dtype=np.float32)[-1] if stop > start else np.float32(0)
        if total <= 0:
            start, line, total = max(0, min(int(centre), size - 1)), np.ones(1, np.float32), one
        starts.append(start)
        weights.append(line / total)
    return starts, weights


_MODES = ("bilinear", "nearest", "bicubic")
_PADDINGS = ("zeros", "border", "reflection")


def grid_sample(context: LoweringContext, op: Op) -> None:
    """GridSample, contiguous in and out."""
    assert isinstance(op, GridSample)
    images, channels, input_h, input_w = op.input.shape
    context.call(
        op,
        "grid_sample_f32",
        {
            "images": images,
            "channels": channels,
            "input_h": input_h,
            "input_w": input_w,
            "output_h": op.output.shape[2],
            "output_w": op.output.shape[3],
            "mode": _MODES.index(op.mode),
            "padding": _PADDINGS.index(op.padding),
            "align_corners": int(op.align_corners),
        },
        [None, None],
        folder="grid_sample",
        inputs=("input", "grid"),
    )


#: Norms that have a number of their own; see runtime/kernels/distance/distance_f32.h.
_NORMS = {0.0: 0, 1.0: 1, 2.0: 2, inf: 3}


def distance(context: LoweringContext, op: Op) -> None:
    """Distance, contiguous in and out."""
    assert isinstance(op, Distance)
    left, right = op.inputs
    context.call(
        op,
        "distance_f32",
        {
            "batches": prod(left.shape[:-2]),
            "left_rows": left.shape[-2],
            "right_rows": right.shape[-2],
            "columns": left.shape[-1],
            "pairs": int(op.pairs),
            "norm": _NORMS.get(op.exponent, 4),
            "exponent": float(op.exponent),
        },
        [None, None],
        folder="distance",
        inputs=("left", "right"),
    )
