# SPDX-License-Identifier: Apache-2.0
"""Normalisation of float32."""

from __future__ import annotations

from math import prod

from petite.ir.ops import BatchNorm, FloatSoftmax, Normalize, Op
from petite.ir.schedule import Field, Steps
from petite.passes.layout import layout_of
from petite.passes.lower.access import elementwise, rows
from petite.passes.lower.context import LoweringContext


def normalize(context: LoweringContext, op: Op) -> None:
    """Normalize, contiguous in and out."""
    assert isinstance(op, Normalize)
    count = op.input.count // op.columns
    fields: dict[str, Field] = {
        "rows": count,
        "columns": op.columns,
        "groups": op.groups,
        "inner": op.inner,
        "epsilon": float(op.epsilon),
    }
    names = ["input"]
    for name, present in (("weights", op.weighted), ("bias", op.biased)):
        if present:
            names.append(name)
        else:
            fields[name] = None
    steps: list[Steps | None] = [rows(count, op.columns * 4, op.columns * 4)]
    steps += [None] * (len(names) - 1)
    context.call(op, "normalize_f32", fields, steps, folder="normalize", inputs=tuple(names))


def batch_norm(context: LoweringContext, op: Op) -> None:
    """BatchNorm in any layout: what lies within a channel, and what lies around it."""
    assert isinstance(op, BatchNorm)
    sizes = [op.input.shape[d] for d in layout_of(op.input)]
    at = layout_of(op.input).index(1)
    context.call(
        op,
        "batch_norm_f32",
        {"outer": prod(sizes[:at]), "channels": sizes[at], "inner": prod(sizes[at + 1 :])},
        [elementwise(op.input.count, 4, 4), None, None, None, None],
        folder="batch_norm",
        inputs=("input", "mean", "scale", "weights", "bias"),
    )


def softmax(context: LoweringContext, op: Op) -> None:
    """FloatSoftmax: the dimension that it runs over is innermost."""
    assert isinstance(op, FloatSoftmax)
    columns = op.input.shape[op.dim]
    count = op.input.count // columns
    context.call(
        op,
        "log_softmax_f32" if op.log else "softmax_f32",
        {"rows": count, "columns": columns},
        [rows(count, columns * 4, columns * 4)],
        folder="softmax",
    )
