# SPDX-License-Identifier: Apache-2.0
"""Calls that the kernels of an instruction set do not take, or not with a gain."""

from __future__ import annotations

import numpy as np
import pytest

from graph_maker import GraphMaker
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.passes.lower import lower
from petite.targets import InstructionSet


def variants(make: GraphMaker, instruction_set: InstructionSet) -> list[str]:
    """Which implementations run, as the graph is."""
    return [call.variant for call in lower(make.graph, instruction_set).calls]


@pytest.mark.parametrize("instruction_set", ["dsp", "mve"])
@pytest.mark.parametrize(("layout", "takes"), [((0, 1), True), ((1, 0), False)])
def test_extremes_want_rows(
    instruction_set: InstructionSet, layout: tuple[int, ...], takes: bool
) -> None:
    make = GraphMaker()
    x, y = make.input((5, 5)), make.input((5, 5), layout=layout)
    output = make.value((5, 5))
    output.layout = (0, 1)
    make.output(make.emit(ops.Elementwise, [x, y], output, function="min"))
    assert variants(make, instruction_set) == [instruction_set if takes else "scalar"]


@pytest.mark.parametrize(("rows", "variant"), [(31, "scalar"), (32, "dsp")])
def test_a_table_of_exponentials_is_no_more_than_input_and_output(rows: int, variant: str) -> None:
    make = GraphMaker()
    x = make.input((rows, 16))
    make.output(
        make.emit(
            ops.Softmax,
            [x],
            make.value(x.shape),
            dim=1,
            requantize=ops.Requantize(2**30, 22),
            diff_min=-255,
        )
    )
    assert variants(make, "dsp") == [variant]


@pytest.mark.parametrize(
    ("offsets", "shift", "output_offset", "period", "takes"),
    [
        ((3, -5), -1, 7, 4, True),
        ((3, -5), 0, 7, 4, False),
        ((3, -5), -1, 2**14, 4, False),
        ((2**13, -(2**13)), -31, 0, 4, True),
        ((2**13 + 1, 0), -31, 0, 4, False),
        ((0, -(2**13) - 1), -31, 0, 4, False),
        # Runs that are too short to begin one after the other.
        ((3, -5), -1, 7, 3, False),
    ],
)
def test_products(
    offsets: ops.Pair, shift: int, output_offset: int, period: int, takes: bool
) -> None:
    make = GraphMaker()
    x = make.input((2, period))
    other = Value("c", DType.S8, (period,), data=np.ones(period, np.int8))
    make.output(
        make.emit(
            ops.Mul,
            [x, other],
            make.value(x.shape),
            offsets=offsets,
            output_offset=output_offset,
            requantize=ops.Requantize(2**30, shift),
        )
    )
    assert variants(make, "dsp") == ["dsp" if takes else "scalar"]


@pytest.mark.parametrize(
    ("offsets", "shifts", "output_offset", "takes"),
    [
        ((383, -383), (0, -31, -1), 2**14 - 1, True),
        ((384, 0), (0, 0, -1), 0, False),
        ((0, -384), (0, 0, -1), 0, False),
        ((3, -5), (1, 0, -1), 0, False),
        ((3, -5), (0, 1, -1), 0, False),
        ((3, -5), (0, 0, 0), 0, False),
        ((3, -5), (0, 0, -1), 2**14, False),
    ],
)
def test_sums(
    offsets: ops.Pair, shifts: tuple[int, int, int], output_offset: int, takes: bool
) -> None:
    make = GraphMaker()
    x = make.input((8,))
    make.output(
        make.emit(
            ops.Add,
            [x, make.input((8,))],
            make.value(x.shape),
            offsets=offsets,
            # Where an input counts for nothing, no weighted sum is looked for.
            scales=(ops.Requantize(0, shifts[0]), ops.Requantize(2**30, shifts[1])),
            output_offset=output_offset,
            requantize=ops.Requantize(2**30, shifts[2]),
            clamp=ops.Clamp(-128, 127),
        )
    )
    (call,) = lower(make.graph, "dsp").calls
    assert (call.kernel, call.variant) == ("add_s8", "dsp" if takes else "scalar")


@pytest.mark.parametrize(
    ("offsets", "inner", "shift", "takes"),
    [
        ((3, -5), 8, -1, True),
        ((3, -5), 8, 0, False),
        ((2**14, 0), 8, -1, True),
        ((2**14 + 1, 0), 8, -1, False),
        # 128 * 128 * 65536 is 2^30.
        ((0, 0), 65535, -1, True),
        ((0, 0), 65536, -1, False),
    ],
)
def test_matrix_products(offsets: ops.Pair, inner: int, shift: int, takes: bool) -> None:
    make = GraphMaker()
    x, y = make.input((1, 2, inner)), make.input((1, 3, inner))
    make.output(
        make.emit(
            ops.BatchMatmul,
            [x, y],
            make.value((1, 2, 3)),
            offsets=offsets,
            output_offset=0,
            requantize=ops.Requantize(2**30, shift),
        )
    )
    (call,) = lower(make.graph, "dsp").calls
    assert call.variant == ("dsp" if takes else "scalar")
    assert call.own_parameters == (call.scratch is not None) == takes


@pytest.mark.parametrize(
    ("scale", "zero_point", "takes"),
    [
        (0.5, 3, True),
        (2.0**-126, 0, True),
        (2.0**-127, 0, False),
        (float("inf"), 0, False),
        (float("nan"), 0, False),
        (0.5, 2**21 - 1, True),
        (0.5, -(2**21), False),
    ],
)
def test_floats_that_helium_takes_for_others(scale: float, zero_point: int, takes: bool) -> None:
    make = GraphMaker()
    make.output(make.dequantize(make.input((4,)), scale, zero_point))
    assert variants(make, "mve") == ["mve" if takes else "scalar"]


@pytest.mark.parametrize(
    ("scale", "count", "kernel"),
    [
        (0.5, 1023, "dequantize_s8_f32"),
        (0.5, 1024, "lut_s8_f32"),
        (1e-45, 1024, "lut_s8_f32"),
        (float("inf"), 1024, "dequantize_s8_f32"),
        (float("nan"), 1024, "dequantize_s8_f32"),
    ],
)
@pytest.mark.parametrize("instruction_set", ["scalar", "dsp"])
def test_a_table_of_floats_is_no_longer_than_the_input(
    instruction_set: InstructionSet, scale: float, count: int, kernel: str
) -> None:
    make = GraphMaker()
    make.output(make.dequantize(make.input((count,)), scale))
    (call,) = lower(make.graph, instruction_set).calls
    assert call.kernel == kernel
