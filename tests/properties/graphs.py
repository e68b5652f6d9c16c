# SPDX-License-Identifier: Apache-2.0
"""Random graphs: chains and diamonds of a few operators, and the cases made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from petite.ir.graph import State, Value
from properties import steps_elementwise, steps_movement, steps_windows
from properties.case import Case
from properties.growth import CHANNELS_LAST, Growing, contents

#: What graphs are made of, by name: each appends an operator to a growing graph.
STEPS: dict[str, Callable[[Growing], None]] = {
    "conv2d": steps_windows.conv2d,
    "depthwise": steps_windows.depthwise,
    "transpose_conv2d": steps_windows.transpose_conv2d,
    "avg_pool": steps_windows.avg_pool,
    "max_pool": steps_windows.max_pool,
    "padded_window": steps_windows.padded_window,
    "linear": steps_elementwise.linear,
    "batch_matmul": steps_elementwise.batch_matmul,
    "add": steps_elementwise.add,
    "mul": steps_elementwise.mul,
    "div": steps_elementwise.div,
    "elementwise": steps_elementwise.elementwise,
    "where": steps_elementwise.where,
    "cast": steps_elementwise.cast,
    "lut": steps_elementwise.lut,
    "softmax": steps_elementwise.softmax,
    "quantize": steps_elementwise.quantize,
    "dequantize": steps_elementwise.dequantize,
    "pad": steps_movement.pad,
    "permute": steps_movement.permute,
    "view": steps_movement.view,
    "concat": steps_movement.concat,
    "slice": steps_movement.slice_,
    "expand": steps_movement.expand,
    "copy": steps_movement.copy,
}

_CALLS = 2


@st.composite
def single(draw: Callable[[st.SearchStrategy[Any]], Any], step: str) -> Case:
    """A graph of one operator (and what it needs before it)."""
    grow = Growing(draw)
    STEPS[step](grow)
    return _case(grow)


@st.composite
def network(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Case:
    """Up to six operators; each reads what is there, newer values more often."""
    grow = Growing(draw)
    for _ in range(draw(st.integers(2, 6))):
        STEPS[draw(st.sampled_from(list(STEPS)))](grow)
    return _case(grow)


#: What layers of a network in stripes are.
_LAYERS = ("conv2d", "depthwise", "conv2d", "avg_pool", "max_pool", "add", "lut", "mul", "concat")


@st.composite
def striped(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Case:
    """Layers on one image, which run in stripes as far as they can: chains, and residual blocks."""
    grow = Growing(draw)
    channels = min(grow.channels(), 20)
    shape = (1, channels, grow.number(6, 14), grow.number(1, 8))
    if grow.number(0, 3) == 0:
        shape = (1, channels, 1, grow.number(8, 40))
    grow.values.append(grow.make.input(shape, layout=CHANNELS_LAST))
    for _ in range(draw(st.integers(2, 6))):
        del grow.values[: -grow.choose(1, 1, 1, 2)]
        STEPS[draw(st.sampled_from(_LAYERS))](grow)
    case = _case(grow)
    case.cuts = grow.number(0, 999)
    return case


@st.composite
def chain(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Case:
    """Three to six convolutions of one size, each of which reads the one before: whose values move,
    so that the arena is smaller."""
    grow = Growing(draw)
    channels = grow.choose(3, 1, 5, 8, 16, 17)
    height, width = grow.number(3, 9), grow.number(3, 9)
    shape = (grow.choose(1, 1, 2), channels, height, width)
    grow.values.append(grow.make.input(shape, layout=CHANNELS_LAST))
    for _ in range(draw(st.integers(3, 6))):
        steps_windows.same_size(grow)
    return _case(grow)


@st.composite
def stateful(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Case:
    """As network(), with a state that some value of its shape replaces after each call."""
    grow = Growing(draw)
    shape = grow.image_shape() if grow.chance() else grow.shape(1, 4)
    initial = contents(grow.rng, shape, grow.make.value(shape).dtype) if grow.chance() else None
    state = grow.make.state(shape, initial=initial)
    grow.values.append(state.before)
    for _ in range(draw(st.integers(1, 5))):
        STEPS[draw(st.sampled_from(list(STEPS)))](grow)
    _update(grow, state)
    if grow.chance():
        # What the state was before the call that replaces it.
        grow.make.output(state.before, grow.layout(len(shape)))
    return _case(grow)


def _update(grow: Growing, state: State) -> None:
    """The newest value that fits, or an input, or what was there."""
    fits = [v for v in grow.values if v.shape == state.before.shape]
    fits = [v for v in reversed(fits) if v.dtype is state.before.dtype]
    state.after = grow.choose(*fits)


def _case(grow: Growing) -> Case:
    graph = grow.make.graph
    results = [op.output for op in graph.ops]
    leaves = [v for v in results if not graph.consumers(v)]
    for value in leaves or results[-1:]:
        grow.make.output(value, grow.layout(len(value.shape)))
    if grow.number(0, 3) == 0:
        _another_output(grow)
    calls = [[contents(grow.rng, v.shape, v.dtype) for v in graph.inputs] for _ in range(_CALLS)]
    return Case(graph, calls, optimize=grow.number(0, 5) < 5, keep_inputs=grow.chance())


def _another_output(grow: Growing) -> None:
    """Any value: read by others as well, an input, a state, or one output twice."""
    value: Value = grow.choose(*reversed(grow.values))
    grow.make.output(value, grow.layout(len(value.shape)))
