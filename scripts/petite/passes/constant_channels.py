# SPDX-License-Identifier: Apache-2.0
"""What a channel that is always the same number adds to a sum goes into the bias."""

from __future__ import annotations

from typing import Any

import numpy as np

from petite.ir.graph import Graph
from petite.ir.ops import Conv2d, Linear
from petite.passes.channel_ranges import Ranges, channel_ranges, ranges_of
from petite.passes.coverage import leaves_image
from petite.passes.fixed_point import wrap32
from petite.passes.shared_weights import with_shared_weights

Array = np.ndarray[Any, np.dtype[Any]]


def constant_channels(graph: Graph) -> None:
    """Set the weights of constant channels to zero, and put what they added into the biases.

    Sums wrap at 32 bits, so the order in which a sum is formed does not matter. A position outside
    of the image adds nothing; a channel that is not the zero point adds something inside only, and
    no bias says that.
    """
    found = channel_ranges(graph)
    shared = with_shared_weights(graph)
    for op in graph.ops:
        if op in shared:
            continue
        if isinstance(op, Conv2d) and op.input.shape[1] == op.weights.shape[3]:
            _fold_into_convolution(op, ranges_of(op.input, 1, found))
        elif isinstance(op, Linear):
            _fold_into_linear(op, ranges_of(op.input, len(op.input.shape) - 1, found))


def _fold_into_convolution(op: Conv2d, given: Ranges) -> None:
    value = given.low + op.input_offset
    folded = given.is_constant & ((value == 0) | (not leaves_image(op)))
    used = op.weights.any(axis=(0, 1, 2))
    if not np.any(folded & used):
        return
    taps = op.weights.astype(np.int64).sum(axis=(1, 2))
    added = taps @ np.where(folded, value, 0)
    if op.bias is not None or added.any():
        before = 0 if op.bias is None else op.bias.astype(np.int64)
        op.bias = wrap32(before + added).astype(np.int32)
    op.weights = np.where(folded, np.int8(0), op.weights)


def _fold_into_linear(op: Linear, given: Ranges) -> None:
    folded = given.is_constant
    if not np.any(folded & op.weights.any(axis=0)):
        return
    added = op.weights.astype(np.int64) @ np.where(folded, given.low, 0)
    op.bias = wrap32(op.bias.astype(np.int64) + added).astype(np.int32)
    op.weights = np.where(folded, np.int8(0), op.weights)
