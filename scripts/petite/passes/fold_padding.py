# SPDX-License-Identifier: Apache-2.0
"""Padding before a convolution or a pooling becomes the operator's own."""

from __future__ import annotations

from petite.ir.graph import Graph
from petite.ir.ops import AvgPool2d, Conv2d, DepthwiseConv2d, MaxPool2d, Op, Pad, Padding
from petite.passes.coverage import every_window_covers_a_pixel


def fold_padding(graph: Graph) -> None:
    """Fold every Pad whose value is what the next operator pads with."""
    for op in graph.ops:
        pad = graph.producer(op.inputs[0]) if op.inputs else None
        if isinstance(pad, Pad) and _image_padding(pad) is not None:
            _fold(op, pad)


def _image_padding(pad: Pad) -> Padding | None:
    """Rows and columns that a Pad adds; None where it adds anything else."""
    if len(pad.before) != 4 or any(pad.before[:2]) or any(pad.after[:2]):
        return None
    if min(*pad.before, *pad.after) < 0:
        return None
    return Padding(pad.before[2], pad.before[3], pad.after[2], pad.after[3])


def _fold(op: Op, pad: Pad) -> None:
    padding = _image_padding(pad)
    assert padding is not None
    match op:
        case Conv2d() | DepthwiseConv2d() if pad.value == -op.input_offset:
            op.padding = op.padding.plus(padding)
        case AvgPool2d() | MaxPool2d() if not every_window_covers_a_pixel(
            op, pad.input, op.padding.plus(padding)
        ):
            # Such a window has the pad's value; without the Pad it would have none.
            return
        case AvgPool2d() if op.padding.is_zero and pad.value == op.padding_value:
            # The mean over a padded image counts the padding.
            op.padding, op.count_padding = padding, True
        case MaxPool2d() if pad.value == -128:
            op.padding = op.padding.plus(padding)
        case _:
            return
    op.inputs = [pad.input, *op.inputs[1:]]
