# SPDX-License-Identifier: Apache-2.0
"""Pruned networks on an emulated core: the same bits, in fewer instructions and bytes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from graph_maker import GraphMaker
from petite.ir import ops
from petite.ir.graph import Graph
from petite.ir.ops import Clamp, Padding
from petite.run import execute
from petite.targets import find_target
from properties.reference import evaluate
from pruned_graphs import pruned_network
from variant_testing import Case, compile_all, run_all

IMAGE = (1, 3, 16, 16)


def separable(pruned: int) -> Graph:
    """Separable convolutions with ``pruned`` of 32 channels of zeros, which give the zero point."""
    make = GraphMaker()
    x = make.conv2d(make.input(IMAGE), 32)
    border = Padding(1, 1, 1, 1)
    for _ in range(2):
        x = make.conv2d(make.depthwise(x, padding=border), 32, (1, 1))
    make.output(make.conv2d(make.depthwise(x, padding=border), 4, (1, 1)))
    for op in make.graph.ops:
        assert isinstance(op, ops.Convolution)
        op.output_offset = -op.input_offset
        op.clamp = Clamp(op.output_offset, 127)
        if isinstance(op, ops.Conv2d) and len(op.weights) == 32:
            assert op.bias is not None
            op.weights[:pruned] = 0
            op.bias[:pruned] = -np.abs(op.bias[:pruned])
    return make.graph


def case_of(graph: Graph, name: str) -> Case:
    graph.name = name
    inputs = np.random.default_rng(3).integers(-128, 128, graph.inputs[0].shape, np.int8)
    return Case(graph, inputs, evaluate(graph, [[inputs]])[0][0])


def test_pruned_channels_cost_nothing(tmp_path: Path) -> None:
    """Half of the channels: about half of the depthwise work, and a quarter of the rest."""
    target = find_target("qemu-m55")
    made = [case_of(separable(count), f"pruned{count}") for count in (0, 16)]
    schedules = compile_all(made, target.instruction_set, tmp_path)
    counts: list[int] = []
    for number, case in enumerate(made):
        result = execute(tmp_path, target, number, [[case.inputs.tobytes()]])
        actual = np.frombuffer(result.outputs[0][0], np.int8).reshape(case.expected.shape)
        np.testing.assert_array_equal(actual, case.expected)
        assert result.instructions is not None
        counts.append(result.instructions)
    weights = [sum(c.size for c in schedule.constants()) for schedule in schedules]
    assert counts[1] < 0.6 * counts[0]
    assert weights[1] < 0.5 * weights[0]


def test_random_pruned_networks(tmp_path: Path) -> None:
    graphs = [graph for graph in map(pruned_network, range(12)) if len(graph.outputs) == 1]
    made = [case_of(graph, f"network{number}") for number, graph in enumerate(graphs)]
    assert len(made) > 5
    run_all(made, "qemu-m55", tmp_path)
