# SPDX-License-Identifier: Apache-2.0
"""Divisions as products with reciprocals: equal for every pair of inputs, or left as they are."""

from __future__ import annotations

import numpy as np
import pytest

from graph_maker import GraphMaker
from kernel_testing import oracle
from petite.ir import ops
from petite.passes.lower import lower
from petite.passes.lower.division import reciprocals
from petite.targets import RUNS

_EVERY = np.arange(-128, 128).astype(np.int8)


def division(
    scale: float, offsets: ops.Pair = (0, 0), output_offset: int = 0, count: int = 256
) -> GraphMaker:
    """A graph of one division of two inputs."""
    make = GraphMaker()
    inputs = [make.input((count,)), make.input((count,))]
    make.output(
        make.emit(
            ops.Div,
            inputs,
            make.value((count,)),
            offsets=offsets,
            output_offset=output_offset,
            scale=scale,
        )
    )
    return make


def has_every_output(scale: float, offsets: ops.Pair, output_offset: int) -> bool:
    """Compare with the formula of div_s8 where there is a table; whether there was."""
    (op,) = division(scale, offsets, output_offset).graph.ops
    assert isinstance(op, ops.Div)
    table = reciprocals(op)
    if table is None:
        return False
    assert table.shape == (256,) and np.abs(table).max() < 2**31
    first, second = np.tile(_EVERY, 256), np.repeat(_EVERY, 256)
    expected = oracle.divide(first, second, offsets, scale, output_offset)
    actual = oracle.divide_by_table(first, second, offsets[0], table, output_offset)
    np.testing.assert_array_equal(actual, expected)
    return True


@pytest.mark.parametrize("seed", range(30))
def test_what_exports_write_has_a_table(seed: int) -> None:
    """Scales of three calibrated tensors."""
    rng = np.random.default_rng(seed)
    first, second, output = (float(s) for s in rng.uniform(0.1, 8.0, 3).astype(np.float32) / 255)
    zeros = [int(z) for z in rng.integers(-128, 128, 3)]
    assert has_every_output(first / (second * output), (-zeros[0], -zeros[1]), zeros[2])


@pytest.mark.parametrize("scale", [0.0, 1e-45, 0.001, 0.0625, 0.5, 1.0, 127.0, 255.0, 3e5, 3e38])
@pytest.mark.parametrize(
    ("offsets", "output_offset"),
    [((0, 0), 0), ((128, 128), -128), ((-127, -127), 127), ((3, -7), 5), ((300, -2000), -1000)],
)
def test_scales_of_every_size(scale: float, offsets: ops.Pair, output_offset: int) -> None:
    assert has_every_output(scale, offsets, output_offset)


def test_ties_that_float32_rounds_to_both_sides() -> None:
    """Of two equal ties float32 may round one down and the other up: no reciprocal gives both."""
    found = [has_every_output(scale, (3, -7), 11) for scale in (3.5, 7.0, 37.25, 100.0)]
    assert any(found) and not all(found)


@pytest.mark.parametrize(
    ("scale", "offsets", "output_offset", "count", "kernel"),
    [
        (40.0, (5, -3), 2, 256, "div_by_table_s8"),
        (40.0, (5, -3), 2, 255, "div_s8"),
        (3.5, (5, -3), 2, 256, "div_s8"),
        (40.0, (383, -3), 2, 256, "div_by_table_s8"),
        (40.0, (-383, -3), 2, 256, "div_by_table_s8"),
        (40.0, (-384, -3), 2, 256, "div_s8"),
        (40.0, (385, -3), 2, 256, "div_s8"),
        (40.0, (5, -3), 2**14, 256, "div_s8"),
    ],
)
def test_which_kernel_runs(
    scale: float, offsets: ops.Pair, output_offset: int, count: int, kernel: str
) -> None:
    for instruction_set in RUNS:
        graph = division(scale, offsets, output_offset, count).graph
        (call,) = lower(graph, instruction_set).calls
        wanted = instruction_set if kernel == "div_by_table_s8" else "scalar"
        assert (call.kernel, call.variant) == (kernel, wanted)
