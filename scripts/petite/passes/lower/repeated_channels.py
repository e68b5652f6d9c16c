# SPDX-License-Identifier: Apache-2.0
"""Depthwise convolutions with several outputs a channel, as ones with one output a channel.

The kernels that read packed weights take only those. So the input's channels are repeated first,
in memory of its own: a copy costs a fraction of what the scalar kernel takes longer.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from petite.ir.graph import Value
from petite.ir.ops import Convolution, DepthwiseConv2d, Expand
from petite.passes.layout import layout_of
from petite.passes.lower import movement
from petite.passes.lower.context import LoweringContext


def is_worth_it(op: Convolution) -> bool:
    """Whether there are several outputs a channel, and the copy is not much larger than they."""
    pixels, results = prod(op.input.shape[2:]), prod(op.output.shape[2:])
    several = op.input.shape[1] < op.output.shape[1]
    return isinstance(op, DepthwiseConv2d) and several and pixels <= 2 * results


def of(op: Convolution) -> DepthwiseConv2d:
    """The same on an input that has a channel for each of the outputs."""
    assert isinstance(op, DepthwiseConv2d)
    source = op.input
    shape = (source.shape[0], op.output.shape[1], *source.shape[2:])
    wide = Value(f"{source.name}_repeated", source.dtype, shape, layout=layout_of(source))
    return replace(op, inputs=[wide])


def repeat(context: LoweringContext, op: Convolution, wide: DepthwiseConv2d) -> None:
    """Make that input."""
    batches, channels, height, width = op.input.shape
    times = op.output.shape[1] // channels
    # Channels are innermost.
    shape = (batches, height, width, channels)
    one = Value(f"{op.input.name}_channels", op.input.dtype, (*shape, 1))
    many = Value(wide.input.name, op.input.dtype, (*shape, times))
    for value in (one, many):
        value.layout = tuple(range(5))
    context.bind(one, context.ref(op.input))
    context.bind(many, context.ref(wide.input))
    movement.expand(context, Expand([one], [many], source=op.source))
