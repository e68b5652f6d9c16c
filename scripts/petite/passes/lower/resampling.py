# SPDX-License-Identifier: Apache-2.0
"""Images in another size, and distances between rows."""

from __future__ import annotations

from math import inf, prod

from petite.ir.ops import Distance, Op, Resize
from petite.ir.schedule import Field
from petite.passes.layout import CHANNELS_LAST, layout_of
from petite.passes.lower.context import LoweringContext


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
