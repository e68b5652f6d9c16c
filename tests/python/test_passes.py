# SPDX-License-Identifier: Apache-2.0
"""What each pass does to a graph, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from graph_maker import NHWC, GraphMaker, kinds
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Quantization, Value
from petite.ir.ops import Padding
from petite.ir.verify import verify
from petite.passes.dead_code import dead_code
from petite.passes.fold_clamps import fold_clamps
from petite.passes.fold_padding import fold_padding
from petite.passes.identities import identities
from petite.passes.int8_io import int8_io
from petite.passes.layout import assign_layouts
from petite.passes.pipeline import optimize

IMAGE = (1, 4, 6, 6)


# --- verify ---------------------------------------------------------------------------------------


def test_verify_finds_a_value_that_is_read_too_early() -> None:
    make = GraphMaker()
    x = make.input((4,))
    make.output(make.lut(make.lut(x)))
    verify(make.graph)
    make.graph.ops.reverse()
    with pytest.raises(AssertionError, match="not ready"):
        verify(make.graph)


def test_verify_finds_a_value_that_is_written_twice() -> None:
    make = GraphMaker()
    y = make.lut(make.input((4,)))
    make.output(y)
    make.graph.ops.append(make.graph.ops[0])
    with pytest.raises(AssertionError, match="written twice"):
        verify(make.graph)


def test_verify_finds_an_output_that_nothing_computes() -> None:
    make = GraphMaker()
    make.output(make.value((4,)))
    with pytest.raises(AssertionError, match="never computed"):
        verify(make.graph)


# --- identities -----------------------------------------------------------------------------------


def test_identities_take_out_what_changes_nothing() -> None:
    make = GraphMaker()
    x = make.input((2, 3))
    y = make.view(x, (2, 3))
    y = make.permute(y, (0, 1))
    y = make.pad(y, (0, 0), (0, 0), 7)
    y = make.slice(y, 1, 0, 3)
    y = make.concat([y], 0)
    make.output(y)
    identities(make.graph)
    assert kinds(make.graph) == []
    assert make.graph.outputs == [x]


def test_identities_merge_chains() -> None:
    make = GraphMaker()
    x = make.input((2, 3, 4))
    make.output(make.view(make.view(x, (6, 4)), (24,)))
    make.output(make.permute(make.permute(x, (1, 2, 0)), (1, 0, 2)))
    identities(make.graph)
    dead_code(make.graph)
    assert kinds(make.graph) == ["View", "Permute"]
    view, permute = make.graph.ops
    assert view.input is x and view.output.shape == (24,)
    # Dimension 0 of the result is dimension 2 of x, and so on.
    assert isinstance(permute, ops.Permute)
    array = np.zeros((2, 3, 4)).transpose(1, 2, 0).transpose(1, 0, 2)
    assert np.zeros((2, 3, 4)).transpose(permute.permutation).shape == array.shape
    assert permute.permutation == (2, 1, 0)


def test_identities_cancel_a_permutation_and_its_inverse() -> None:
    make = GraphMaker()
    x = make.input(IMAGE)
    make.output(make.lut(make.permute(make.permute(x, (0, 2, 3, 1)), (0, 3, 1, 2))))
    identities(make.graph)
    dead_code(make.graph)
    assert kinds(make.graph) == ["Lut"]
    assert make.graph.ops[0].input is x


def test_identities_leave_what_changes_something() -> None:
    make = GraphMaker()
    x = make.input((2, 3))
    make.output(make.view(x, (3, 2)))
    make.output(make.permute(x, (1, 0)))
    make.output(make.pad(x, (0, 0), (0, 1), 0))
    make.output(make.slice(x, 1, 0, 2))
    make.output(make.concat([x, x], 0))
    before = kinds(make.graph)
    identities(make.graph)
    assert kinds(make.graph) == before


# --- fold_padding ---------------------------------------------------------------------------------

BEFORE, AFTER = (0, 0, 1, 2), (0, 0, 3, 0)
FOLDED = Padding(top=1, left=2, bottom=3, right=0)


@pytest.mark.parametrize("kind", ["conv2d", "depthwise"])
def test_padding_with_the_zero_point_is_folded(kind: str) -> None:
    make = GraphMaker()
    x = make.input(IMAGE)
    padded = make.pad(x, BEFORE, AFTER, 5)  # the input offset is -5
    make.output(make.conv2d(padded, 8) if kind == "conv2d" else make.depthwise(padded))
    fold_padding(make.graph)
    dead_code(make.graph)
    (op,) = make.graph.ops
    assert isinstance(op, ops.Convolution)
    assert op.padding == FOLDED and op.input is x


def test_padding_adds_to_the_padding_that_is_there() -> None:
    make = GraphMaker()
    padded = make.pad(make.input(IMAGE), BEFORE, AFTER, 5)
    make.output(make.conv2d(padded, 8, padding=Padding(1, 1, 1, 1)))
    fold_padding(make.graph)
    conv = make.graph.ops[-1]
    assert isinstance(conv, ops.Conv2d) and conv.padding == Padding(2, 3, 4, 1)


def test_padding_of_pools() -> None:
    make = GraphMaker()
    x = make.input(IMAGE)
    before, after = (0, 0, 1, 0), (0, 0, 0, 1)
    make.output(make.avg_pool(make.pad(x, before, after, 4)))
    make.output(make.max_pool(make.pad(x, before, after, -128)))
    fold_padding(make.graph)
    dead_code(make.graph)
    average, maximum = make.graph.ops
    assert isinstance(average, ops.AvgPool2d) and isinstance(maximum, ops.MaxPool2d)
    assert average.padding == maximum.padding == Padding(top=1, left=0, bottom=0, right=1)
    assert average.count_padding, "what the Pad added counts in the mean"


def test_padding_that_fills_a_window_of_a_pool_stays() -> None:
    """Two columns before windows of two: the first window sees nothing but the Pad."""
    make = GraphMaker()
    x = make.input(IMAGE)
    make.output(make.avg_pool(make.pad(x, BEFORE, AFTER, 4)))
    make.output(make.max_pool(make.pad(x, BEFORE, AFTER, -128)))
    fold_padding(make.graph)
    assert kinds(make.graph) == ["Pad", "AvgPool2d", "Pad", "MaxPool2d"]
    assert all(isinstance(make.graph.producer(o.input), ops.Pad) for o in make.graph.ops[1::2])


@pytest.mark.parametrize(
    ("before", "after", "value"),
    [
        (BEFORE, AFTER, 4),  # not the zero point
        ((0, 1, 1, 1), AFTER, 5),  # channels
        ((1, 0, 0, 0), (0, 0, 0, 0), 5),  # batches
        ((0, 0, -1, 0), (0, 0, 0, 0), 5),  # takes away
    ],
)
def test_other_padding_stays(before: tuple[int, ...], after: tuple[int, ...], value: int) -> None:
    make = GraphMaker()
    make.output(make.conv2d(make.pad(make.input(IMAGE), before, after, value), 8))
    fold_padding(make.graph)
    dead_code(make.graph)
    assert kinds(make.graph) == ["Pad", "Conv2d"]


def test_padding_with_another_reader_is_kept_for_it() -> None:
    make = GraphMaker()
    padded = make.pad(make.input(IMAGE), BEFORE, AFTER, 5)
    make.output(make.conv2d(padded, 8))
    make.output(padded)
    fold_padding(make.graph)
    dead_code(make.graph)
    assert kinds(make.graph) == ["Pad", "Conv2d"]
    assert make.graph.ops[1].input is make.graph.inputs[0]


# --- dead_code ------------------------------------------------------------------------------------


# --- clamps ---------------------------------------------------------------------------------------


def _limit(low: int, high: int) -> np.ndarray[Any, np.dtype[np.int8]]:
    return np.clip(np.arange(-128, 128), low, high).astype(np.int8)


def _lut(make: GraphMaker, x: Value, table: np.ndarray[Any, np.dtype[np.int8]]) -> Value:
    return make.emit(ops.Lut, [x], make.value(x.shape), table=table)


def _constant(value: int, shape: tuple[int, ...] = ()) -> Value:
    return Value("c", DType.S8, shape, data=np.full(shape, value, np.int8))


@pytest.mark.parametrize("kind", ["conv2d", "depthwise", "max_pool", "linear", "add"])
def test_a_clamp_becomes_the_range_of_what_it_limits(kind: str) -> None:
    make = GraphMaker()
    x = make.input((1, 4, 6, 6), layout=NHWC)
    match kind:
        case "linear":
            y = make.linear(x, 3)
        case "conv2d":
            y = make.conv2d(x, 3)
        case "add":
            y = make.add(x, x)
        case _:
            y = getattr(make, kind)(x)
    z = _lut(make, y, _limit(-20, 100))
    z = make.emit(ops.Elementwise, [_constant(-3), z], make.value(y.shape), function="max")
    z = make.emit(ops.Elementwise, [z, _constant(7)], make.value(y.shape), function="min")
    make.output(z)
    fold_clamps(make.graph)
    (op,) = make.graph.ops
    assert isinstance(op, ops.Convolution | ops.Linear | ops.Add | ops.MaxPool2d)
    assert op.clamp == ops.Clamp(-3, 7) and make.graph.outputs == [op.output]


@pytest.mark.parametrize(
    ("before", "low", "high", "after"),
    [
        ((-10, 20), 30, 40, (30, 30)),
        ((-10, 20), -50, -40, (-40, -40)),
        ((-10, 20), -128, 127, (-10, 20)),
        ((5, 5), 0, 9, (5, 5)),
    ],
)
def test_a_clamp_of_a_clamp(
    before: tuple[int, int], low: int, high: int, after: tuple[int, int]
) -> None:
    make = GraphMaker()
    y = make.add(make.input((4,)), make.input((4,)))
    (op,) = make.graph.ops
    assert isinstance(op, ops.Add)
    op.clamp = ops.Clamp(*before)
    make.output(_lut(make, y, _limit(low, high)))
    fold_clamps(make.graph)
    assert make.graph.ops == [op] and op.clamp == ops.Clamp(*after)


def test_tables_after_one_another_are_one() -> None:
    make = GraphMaker()
    x = make.lut(make.lut(make.input((4,))))
    make.output(x)
    first, second = (op.table for op in make.graph.ops if isinstance(op, ops.Lut))
    expected = [second[int(first[n + 128]) + 128] for n in range(-128, 128)]
    fold_clamps(make.graph)
    (op,) = make.graph.ops
    assert isinstance(op, ops.Lut) and op.output is x
    assert op.table.dtype == np.int8 and op.table.tolist() == expected


def test_what_is_no_clamp_or_not_of_one_operator_stays() -> None:
    make = GraphMaker()
    x = make.input((1, 4, 6, 6), layout=NHWC)
    gap = _limit(-20, 100)
    gap[128] = 1
    make.output(_lut(make, make.conv2d(x, 4), gap))
    make.output(_lut(make, x, _limit(0, 9)))
    read = make.conv2d(x, 4)
    make.output(_lut(make, read, _limit(0, 9)))
    make.output(make.max_pool(read))
    result = make.conv2d(x, 4)
    make.output(result)
    make.output(_lut(make, result, _limit(0, 9)))
    limits = _constant(1, (1, 4, 4, 4))
    assert limits.data is not None
    limits.data[0, 0, 0, 0] = 2
    y = make.conv2d(x, 4)
    make.output(make.emit(ops.Elementwise, [y, limits], make.value(y.shape), function="max"))
    before = list(make.graph.ops)
    fold_clamps(make.graph)
    assert make.graph.ops == before
    assert all(op.clamp == ops.Clamp() for op in before if isinstance(op, ops.Convolution))


def test_dead_code() -> None:
    make = GraphMaker()
    x = make.input((4,))
    used = make.lut(x)
    make.lut(make.lut(x))  # nobody reads these two
    state = make.state((4,))
    state.after = make.add(state.before, used)
    make.output(used)
    dead_code(make.graph)
    assert kinds(make.graph) == ["Lut", "Add"]


# --- int8_io --------------------------------------------------------------------------------------


def test_int8_io_takes_the_conversions_at_the_edges_away() -> None:
    make = GraphMaker()
    x = make.input(IMAGE, DType.F32, NHWC)
    y = make.lut(make.quantize(x, 0.25, -7))
    make.output(make.dequantize(y, 0.125, 9))
    int8_io(make.graph)
    dead_code(make.graph)
    assert kinds(make.graph) == ["Lut"]
    (given,), (result,) = make.graph.inputs, make.graph.outputs
    assert (given.dtype, given.shape, given.layout) == (DType.S8, IMAGE, NHWC)
    assert given.quantization == Quantization(0.25, -7)
    assert result.dtype is DType.S8 and result.quantization == Quantization(0.125, 9)


def test_int8_io_keeps_an_input_that_is_read_as_float() -> None:
    make = GraphMaker()
    x = make.input((4,), DType.F32)
    make.output(make.lut(make.quantize(x)))
    make.output(make.emit(ops.Elementwise, [x], make.value((4,), DType.F32), function="neg"))
    int8_io(make.graph)
    assert make.graph.inputs == [x]
    assert kinds(make.graph) == ["Quantize", "Lut", "Elementwise"]


def test_int8_io_keeps_an_input_that_is_quantised_in_two_ways() -> None:
    make = GraphMaker()
    x = make.input((4,), DType.F32)
    make.output(make.lut(make.quantize(x, 0.5)))
    make.output(make.lut(make.quantize(x, 0.25)))
    int8_io(make.graph)
    assert make.graph.inputs == [x]


def test_int8_io_merges_equal_quantisations() -> None:
    make = GraphMaker()
    x = make.input((4,), DType.F32)
    make.output(make.add(make.quantize(x), make.quantize(x)))
    int8_io(make.graph)
    assert kinds(make.graph) == ["Add"]
    assert make.graph.ops[0].inputs == [make.graph.inputs[0]] * 2


def test_int8_io_keeps_an_input_that_is_an_output() -> None:
    make = GraphMaker()
    x = make.input((4,), DType.F32)
    make.output(make.lut(make.quantize(x)))
    make.output(x)
    int8_io(make.graph)
    assert make.graph.inputs == [x]


# --- layout ---------------------------------------------------------------------------------------


def test_images_become_channels_last_once() -> None:
    """A contiguous image is turned once, at the first operator that wants it otherwise."""
    make = GraphMaker()
    x = make.input(IMAGE)
    y = make.conv2d(x, 8)
    z = make.depthwise(make.lut(y))
    make.output(z, NHWC)
    make.output(make.max_pool(x), NHWC)
    assign_layouts(make.graph)
    verify(make.graph)
    assert kinds(make.graph) == ["Relayout", "Conv2d", "Lut", "DepthwiseConv2d", "MaxPool2d"]
    assert y.layout == z.layout == NHWC


def test_a_permutation_is_a_change_of_names() -> None:
    make = GraphMaker()
    x = make.input((1, 6, 6, 4))
    make.output(make.permute(make.conv2d(make.permute(x, (0, 3, 1, 2)), 8), (0, 2, 3, 1)))
    assign_layouts(make.graph)
    assert "Relayout" not in kinds(make.graph)


def test_dimensions_of_one_need_no_relayout() -> None:
    """[1, 1, 6, 6] and [1, 6, 6, 1] are the same bytes."""
    make = GraphMaker()
    make.output(make.conv2d(make.input((1, 1, 6, 6)), 1))
    assign_layouts(make.graph)
    assert kinds(make.graph) == ["Conv2d"]


def test_a_view_that_must_move_bytes_gets_contiguous_input() -> None:
    make = GraphMaker()
    make.output(make.linear(make.view(make.conv2d(make.input(IMAGE, layout=NHWC), 8), (1, 128)), 3))
    assign_layouts(make.graph)
    assert kinds(make.graph) == ["Conv2d", "Relayout", "View", "Linear"]
    assert make.graph.ops[1].output.layout == (0, 1, 2, 3)


def test_softmax_has_its_dimension_innermost() -> None:
    make = GraphMaker()
    make.output(make.softmax(make.input((2, 5, 3)), dim=1))
    assign_layouts(make.graph)
    assert kinds(make.graph) == ["Relayout", "Softmax", "Relayout"]
    assert make.graph.ops[1].output.layout == (0, 2, 1)


def test_operands_of_one_addition_lie_alike() -> None:
    make = GraphMaker()
    x, y = make.input(IMAGE, layout=NHWC), make.input(IMAGE)
    make.output(make.add(x, y), NHWC)
    assign_layouts(make.graph)
    assert kinds(make.graph) == ["Relayout", "Add"]
    assert make.graph.ops[0].input is y


def test_a_state_keeps_its_order() -> None:
    make = GraphMaker()
    state = make.state(IMAGE)
    state.after = make.lut(make.input(IMAGE, layout=NHWC))
    assign_layouts(make.graph)
    assert kinds(make.graph) == ["Lut", "Relayout"]
    assert state.after.layout == state.before.layout


def test_outputs_come_in_the_order_that_the_application_reads() -> None:
    make = GraphMaker()
    x = make.input(IMAGE, layout=NHWC)
    make.output(make.lut(x), (0, 1, 2, 3))
    assign_layouts(make.graph)
    assert kinds(make.graph) == ["Lut", "Relayout"]
    assert make.graph.outputs[0].layout == (0, 1, 2, 3)


# --- the whole pipeline ---------------------------------------------------------------------------


def test_without_optimisation_nothing_is_folded() -> None:
    def graph() -> GraphMaker:
        make = GraphMaker()
        x = make.pad(
            make.pad(make.input(IMAGE, layout=NHWC), (0,) * 4, (0,) * 4, 5), BEFORE, AFTER, 5
        )
        make.output(make.conv2d(x, 8), NHWC)
        return make

    plain, optimized = graph().graph, graph().graph
    optimize(plain, quantized_io=False, optimize=False)
    optimize(optimized, quantized_io=False)
    assert kinds(plain) == ["Pad", "Pad", "Conv2d"]
    assert kinds(optimized) == ["Conv2d"]
