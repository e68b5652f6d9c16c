# SPDX-License-Identifier: Apache-2.0
"""Methods of random operators, for tests of placement."""

from __future__ import annotations

from hypothesis import strategies as st

from graph_maker import NHWC, GraphMaker, schedules_of
from petite.ir.graph import Value
from petite.ir.ops import Padding
from petite.ir.schedule import Schedule


@st.composite
def schedules(draw: st.DrawFn) -> Schedule:
    """A method of random operators on images and rows; every value may be read again later."""
    make = GraphMaker(seed=draw(st.integers(0, 3)))
    channels, size = draw(st.sampled_from([1, 4, 16])), draw(st.integers(2, 7))
    values = [make.input((1, channels, size, size), layout=NHWC)]
    if draw(st.booleans()):
        values.append(make.input((1, channels, size, size)))
    if draw(st.booleans()):
        state = make.state((1, channels, size, size))
        values.append(state.before)
    for _ in range(draw(st.integers(1, 9))):
        values.append(_operator(draw, make, values))
    for value in draw(st.lists(st.sampled_from(values), min_size=1, max_size=3)):
        make.output(value, draw(st.sampled_from([NHWC, (0, 1, 2, 3)])))
    for state in make.graph.states:
        alike = [v for v in values if v.shape == state.before.shape]
        state.after = draw(st.sampled_from(alike))
    (schedule,) = schedules_of(make.graph, optimized=draw(st.booleans()))
    return schedule


def _operator(draw: st.DrawFn, make: GraphMaker, values: list[Value]) -> Value:
    # Chains are more likely than long lives, as in real models.
    x = draw(st.sampled_from([*values, values[-1], values[-1]]))
    alike = [v for v in values if v.shape == x.shape]
    large = min(x.shape[2:]) >= 2
    kind = draw(
        st.sampled_from(["lut", "add", "conv", "depthwise", "pool", "real", "pad", "concat"])
    )
    stride = draw(st.sampled_from([(1, 1), (2, 1), (2, 2)]))
    match kind:
        case "add":
            return make.add(x, draw(st.sampled_from(alike)))
        case "conv":
            channels = draw(st.sampled_from([1, 3, 16, 17]))
            return make.conv2d(x, channels, (3, 3), stride, Padding(1, 1, 1, 1))
        case "depthwise":
            multiplier = draw(st.sampled_from([1, 2])) if x.shape[1] < 32 else 1
            return make.depthwise(x, (3, 3), stride, Padding(1, 1, 1, 1), multiplier)
        case "pool" if large:
            return make.max_pool(x, (2, 2), stride)
        case "real":
            return make.quantize(make.dequantize(x))
        case "pad":
            return make.pad(x, (0, 0, 1, 0), (0, 0, 0, 1), 3)
        case "concat":
            return make.concat([x, draw(st.sampled_from(alike))], 1)
    return make.lut(x)
