# SPDX-License-Identifier: Apache-2.0
"""Constant and dead channels go, and not a bit of any output changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from graph_maker import GraphMaker
from petite.ir import ops
from petite.ir.consistency import check_consistency
from petite.ir.graph import Graph, Value
from petite.ir.ops import Clamp, Padding
from petite.ir.verify import verify
from petite.passes.channel_ranges import channel_ranges
from petite.passes.constant_channels import constant_channels
from petite.passes.dead_channels import dead_channels
from properties.reference import evaluate
from pruned_graphs import pruned_network

Array = np.ndarray[Any, np.dtype[Any]]

IMAGE = (1, 3, 6, 6)
#: What GraphMaker's convolutions add to their input: their zero point is 5.
ZERO_POINT = 5


def some_inputs(graph: Graph) -> list[list[Array]]:
    """The ends of int8 and noise."""
    rng = np.random.default_rng(7)
    ends = [[np.full(v.shape, n, np.int8) for v in graph.inputs] for n in (-128, 127)]
    noise = [[rng.integers(-128, 128, v.shape, np.int8) for v in graph.inputs] for _ in range(3)]
    return ends + noise


def simplified(graph: Graph) -> None:
    """Run both passes; the outputs stay the same, bit for bit."""
    calls = some_inputs(graph)
    before = evaluate(graph, calls)
    for run in (constant_channels, dead_channels):
        run(graph)
        verify(graph)
        check_consistency(graph)
        for expected, found in zip(before, evaluate(graph, calls), strict=True):
            for a, b in zip(expected, found, strict=True):
                np.testing.assert_array_equal(a, b)


def operator(graph: Graph, index: int) -> Any:
    return graph.ops[index]


def chain(
    padding: Padding | None = None, constant: int = ZERO_POINT, kernel: ops.Pair = (3, 3)
) -> GraphMaker:
    """Convolution whose channels 1 and 4 are ``constant``, and two that follow."""
    make = GraphMaker()
    x = make.conv2d(make.input(IMAGE), 6)
    op = operator(make.graph, 0)
    op.weights[[1, 4]] = 0
    op.bias[[1, 4]] = 0
    op.output_offset = constant
    x = make.conv2d(x, 4, kernel, padding=padding)
    make.output(make.conv2d(x, 2, (1, 1)))
    return make


def weights_in(graph: Graph) -> int:
    return sum(op.weights.size for op in graph.ops if isinstance(op, ops.Convolution | ops.Linear))


def test_random_pruned_networks() -> None:
    smaller = folded = 0
    for seed in range(60):
        graph = pruned_network(seed)
        size, values = weights_in(graph), channel_ranges(graph)
        folded += any(r.is_constant.any() for r in values.values())
        simplified(graph)
        smaller += weights_in(graph) < size
    assert smaller > 30 and folded > 30


def test_ranges_hold_what_is_computed() -> None:
    """For every value of random networks, and the limits are reached in some."""
    reached = 0
    for seed in range(20):
        graph = pruned_network(seed)
        ranges = channel_ranges(graph)
        known = [v for v in graph.values() if id(v) in ranges]
        graph.outputs, graph.output_layouts = known, [()] * len(known)
        for call in evaluate(graph, some_inputs(graph)):
            for value, array in zip(known, call, strict=True):
                limits = ranges[id(value)]
                rows = np.moveaxis(array, limits.axis, 0).reshape(len(limits.low), -1)
                assert np.all(rows >= limits.low[:, None]) and np.all(rows <= limits.high[:, None])
                reached += int(np.sum(rows.min(axis=1) == limits.low))
    assert reached > 100


def test_channels_of_zero_weights_go() -> None:
    make = chain()
    simplified(make.graph)
    first, second, third = make.graph.ops
    assert first.output.shape[1] == 4 and operator(make.graph, 1).weights.shape == (4, 3, 3, 4)
    assert len(operator(make.graph, 0).bias) == len(operator(make.graph, 0).shifts) == 4
    assert second.output.shape[1] == 4 and third.output.shape[1] == 2


def test_a_constant_beside_a_padding_stays_where_it_is_not_what_is_padded_with() -> None:
    border = Padding(1, 1, 1, 1)
    same, other = chain(border), chain(border, constant=ZERO_POINT + 1)
    for make in (same, other):
        simplified(make.graph)
    assert same.graph.ops[0].output.shape[1] == 4
    assert other.graph.ops[0].output.shape[1] == 6
    inside = chain(constant=ZERO_POINT + 1)
    simplified(inside.graph)
    assert inside.graph.ops[0].output.shape[1] == 4


def test_a_clamp_can_make_a_channel_constant() -> None:
    make = chain(kernel=(1, 1))
    op = operator(make.graph, 0)
    op.clamp = Clamp(ZERO_POINT, 127)
    most = 255 * np.abs(op.weights[2].astype(np.int64)).sum()
    op.bias[2] = -most  # no input makes the sum positive
    op.bias[3] = -most // 8  # some do
    simplified(make.graph)
    assert make.graph.ops[0].output.shape[1] == 3


def test_a_sum_that_can_wrap_is_not_taken_for_constant() -> None:
    make = chain(kernel=(1, 1))
    op = operator(make.graph, 0)
    op.clamp = Clamp(ZERO_POINT, 127)
    op.bias[2] = -(2**31) + 10  # below the clamp for most inputs, and beyond it where it wraps
    simplified(make.graph)
    assert make.graph.ops[0].output.shape[1] == 4


@pytest.mark.parametrize("shift", [1, 20])
def test_a_scale_that_can_wrap_is_not_taken_for_constant(shift: int) -> None:
    make = chain(kernel=(1, 1))
    op = operator(make.graph, 0)
    op.clamp = Clamp(ZERO_POINT, 127)
    op.bias[2] = -(2**30) - 2**22
    op.shifts[2] = shift
    simplified(make.graph)
    assert make.graph.ops[0].output.shape[1] == 4


def test_channels_run_through_depthwise_convolutions_pools_and_a_classifier() -> None:
    make = GraphMaker()
    x = make.conv2d(make.input((1, 3, 8, 8)), 6)
    x = make.depthwise(x, (3, 3), multiplier=2)
    x = make.max_pool(make.lut(x), (2, 2), (1, 1))
    x = make.avg_pool(x, (1, 3), (1, 1))
    make.output(make.linear(make.view(x, (1, 36)), 5))
    linear = operator(make.graph, -1)
    # Two channels of 12 after the depthwise convolution, three numbers each, which come from one
    # before it; and a part of another, which stays.
    linear.weights[:, 6:12] = 0
    linear.weights[:, 3:5] = 0
    simplified(make.graph)
    assert [op.output.shape[1] for op in make.graph.ops] == [5, 10, 10, 10, 10, 30, 5]


def residual(is_read: bool) -> Graph:
    """x + f(x), where f writes channel 2 from nothing but channel 2, and the end may read it."""
    make = GraphMaker()
    x = make.conv2d(make.input(IMAGE), 4, (1, 1))
    y = make.conv2d(x, 4, (1, 1))
    total = make.add(x, y)
    make.output(make.conv2d(total, 3, (1, 1)))
    inner, end = operator(make.graph, 1), operator(make.graph, 3)
    inner.weights[[0, 1, 3], :, :, 2] = 0
    if not is_read:
        end.weights[..., 2] = 0
    return make.graph


def test_what_only_feeds_itself_is_dead() -> None:
    read, dead = residual(True), residual(False)
    simplified(read)
    simplified(dead)
    assert [op.output.shape[1] for op in read.ops] == [4, 4, 4, 3]
    assert [op.output.shape[1] for op in dead.ops] == [3, 3, 3, 3]


@pytest.mark.parametrize("reader", ["output", "permute", "grouped", "softmax", "state"])
def test_what_is_read_whole_stays_whole(reader: str) -> None:
    make = chain()
    x = make.graph.ops[0].output
    if reader == "output":
        make.output(x)
    elif reader == "permute":
        make.output(make.permute(x, (0, 2, 3, 1)))
    elif reader == "softmax":
        make.output(make.softmax(x, 1))
    elif reader == "state":
        make.state(x.shape).after = x
    else:
        grouped = make.conv2d(x, 4, (1, 1))
        operator(make.graph, -1).weights = operator(make.graph, -1).weights[..., :3]
        make.output(grouped)
    simplified(make.graph)
    assert x.shape[1] == 6


def test_one_channel_stays_of_a_value_that_nothing_needs() -> None:
    make = chain(kernel=(1, 1))
    operator(make.graph, 1).weights[:] = 0
    simplified(make.graph)
    assert [op.output.shape[1] for op in make.graph.ops] == [1, 1, 2]


def test_whole_blocks_stay_for_the_kernels_that_read_windows_in_place() -> None:
    def network(kernel: ops.Pair) -> Value:
        make = GraphMaker()
        x = make.conv2d(make.input(IMAGE), 48)
        make.output(make.conv2d(x, 2, kernel))
        operator(make.graph, 1).weights[..., 1:20] = 0
        simplified(make.graph)
        return make.graph.ops[0].output

    assert network((1, 1)).shape[1] == 48 - 19
    assert network((3, 3)).shape[1] == 32


def test_weights_of_several_operators_stay_one_array() -> None:
    make = GraphMaker()
    x = make.conv2d(make.input(IMAGE), 6, (1, 1))
    y = make.conv2d(x, 6, (1, 1))
    z = make.conv2d(y, 6, (1, 1))
    first, second = operator(make.graph, 0), operator(make.graph, 1)
    second.weights[[1, 4]] = 0
    operator(make.graph, 2).weights = second.weights
    first.weights = np.where(np.arange(6)[:, None, None, None] == 2, 0, first.weights)
    make.output(z)
    simplified(make.graph)
    assert operator(make.graph, 1).weights is operator(make.graph, 2).weights
    assert [op.output.shape[1] for op in make.graph.ops] == [6, 6, 6]
