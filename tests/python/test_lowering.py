# SPDX-License-Identifier: Apache-2.0
"""What lowering does beyond one call an operator: states, shared constants, limits of kernels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from graph_maker import NHWC, GraphMaker, schedules_of
from petite.errors import PetiteError
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.ops import Requantize
from petite.ir.schedule import Ref, Role, Schedule
from petite.passes.layout import assign_layouts
from petite.passes.lower import lower
from petite.placement.check import check
from petite.placement.planner import plan


def _lowered(make: GraphMaker) -> Schedule:
    (schedule,) = schedules_of(make.graph)
    check(schedule, plan(schedule))
    return schedule


def _written(schedule: Schedule) -> list[str]:
    return [call.write.name for call in schedule.calls]


def _read(schedule: Schedule) -> list[list[str]]:
    return [[read.buffer.name for read in call.reads] for call in schedule.calls]


def test_a_state_is_replaced_after_everything_has_read_it() -> None:
    make = GraphMaker()
    state = make.state((4,))
    x = make.input((4,))
    state.after = make.add(state.before, x)
    make.output(make.lut(state.before))
    schedule = _lowered(make)
    assert _written(schedule)[-1] == "state0"
    last = max(i for i, names in enumerate(_read(schedule)) if "state0" in names)
    assert last < len(schedule.calls) - 1


def test_states_that_change_places_go_through_copies() -> None:
    make = GraphMaker()
    first, second = make.state((4,)), make.state((4,))
    first.after, second.after = second.before, first.before
    make.output(make.lut(make.input((4,))))
    schedule = _lowered(make)
    # Both are copied away before either is replaced.
    reads = _read(schedule)
    writes = _written(schedule)
    first_write = min(writes.index("state0"), writes.index("state1"))
    assert all(not {"state0", "state1"} & set(names) for names in reads[first_write:])


def test_an_output_that_is_a_state_is_what_it_was_before_the_call() -> None:
    make = GraphMaker()
    state = make.state((4,))
    state.after = make.input((4,))
    make.output(state.before)
    schedule = _lowered(make)
    assert schedule.outputs[0].ref.buffer.role is Role.ACTIVATION
    assert _read(schedule) == [["state0"], ["input0"]]


def test_a_state_that_nothing_changes_costs_no_call() -> None:
    make = GraphMaker()
    state = make.state((4,), initial=np.arange(4, dtype=np.int8))
    make.output(make.add(make.input((4,)), state.before))
    schedule = _lowered(make)
    assert [call.kernel for call in schedule.calls] == ["weighted_sum_s8"]
    assert schedule.states[0].initial is not None


def test_initial_zeros_are_not_stored() -> None:
    make = GraphMaker()
    state = make.state((4,), initial=np.zeros(4, np.int8))
    make.output(make.add(make.input((4,)), state.before))
    assert _lowered(make).states[0].initial is None


def test_views_and_permutations_cost_no_call() -> None:
    make = GraphMaker()
    x = make.permute(make.view(make.input((2, 3, 4)), (6, 4)), (1, 0))
    make.output(make.lut(x), (1, 0))
    assert [call.kernel for call in _lowered(make).calls] == ["lut_s8"]


def test_equal_constants_are_one_buffer() -> None:
    make = GraphMaker()
    x = make.input((4,))
    y = make.lut(x)
    table = make.graph.ops[0].table  # type: ignore[attr-defined]
    make.output(make.emit(ops.Lut, [y], make.value((4,)), table=table.copy()))
    assert len(_lowered(make).constants()) == 1


def test_joining_writes_each_part_into_its_place() -> None:
    make = GraphMaker()
    make.output(make.concat([make.input((2, 3)), make.input((2, 5))], 1))
    calls = _lowered(make).calls
    places = [call.fields["output"] for call in calls]
    assert all(isinstance(place, Ref) for place in places)
    assert [place.offset for place in places if isinstance(place, Ref)] == [0, 3]
    assert [call.fields["block_size"] for call in calls] == [3, 5]
    assert [call.fields["output_stride"] for call in calls] == [8, 8]


def test_too_many_softmax_columns_are_refused() -> None:
    make = GraphMaker()
    make.output(make.softmax(make.input((1, 4096)), 1))
    with pytest.raises(PetiteError, match="softmax over 4096 elements; at most 4095"):
        _lowered(make)


@pytest.mark.parametrize("shift", [-32, 31])
def test_shifts_beyond_the_kernels_are_refused(shift: int) -> None:
    make = GraphMaker()
    make.output(make.linear(make.input((1, 4)), 2))
    op = make.graph.ops[0]
    assert isinstance(op, ops.Linear)
    op.requantize = Requantize(2**30, shift)
    with pytest.raises(PetiteError, match=rf"shift is {shift}, beyond -31..30"):
        _lowered(make)


@pytest.mark.parametrize("shift", [-32, 31])
def test_shifts_of_a_channel_are_refused(shift: int) -> None:
    make = GraphMaker()
    make.output(make.conv2d(make.input((1, 2, 4, 4), layout=NHWC), 2), NHWC)
    make.graph.ops[0].shifts[1] = shift  # type: ignore[attr-defined]
    with pytest.raises(PetiteError, match="a channel's scale is out of range"):
        _lowered(make)


def test_numbers_beyond_32_bits_are_refused() -> None:
    make = GraphMaker()
    make.output(make.lut(make.input((4,))))
    x = make.quantize(make.input((4,), DType.F32), zero_point=2**31)
    make.output(x)
    with pytest.raises(PetiteError, match="zero_point is 2147483648, which does not fit 32 bits"):
        _lowered(make)


def test_a_pooling_of_padding_alone_is_refused() -> None:
    make = GraphMaker()
    make.output(make.avg_pool(make.input((1, 1, 4, 4), layout=NHWC)), NHWC)
    op = make.graph.ops[0]
    assert isinstance(op, ops.AvgPool2d)
    op.padding = replace(op.padding, top=2)
    with pytest.raises(PetiteError, match="a window lies in the padding alone"):
        _lowered(make)


def _dilated_pool(size: int, kernel: int, dilation: int, pad: int) -> GraphMaker:
    """A float maximum over windows of two rows and columns or more, stride 1."""
    make = GraphMaker()
    span = (kernel - 1) * dilation + 1
    output = make.value((1, 1, *[size + 2 * pad - span + 1] * 2), DType.F32)
    make.emit(
        ops.WindowMax,
        [make.input((1, 1, size, size), DType.F32)],
        output,
        kernel=(kernel, kernel),
        stride=(1, 1),
        padding=ops.Padding(pad, pad, pad, pad),
        places=False,
        dilation=(dilation, dilation),
    )
    make.output(output)
    return make


def test_a_dilated_window_that_steps_over_the_image_is_refused() -> None:
    """Taps at -1 and 1 of an image of one pixel: the kernel would read beyond it."""
    with pytest.raises(PetiteError, match="steps over the whole image"):
        _lowered(_dilated_pool(size=1, kernel=2, dilation=2, pad=1))


def test_a_dilated_window_may_start_more_than_its_taps_before_the_image() -> None:
    """Taps at -2 and 1: as many rows of padding as taps, and still a pixel in every window."""
    assert len(_lowered(_dilated_pool(size=4, kernel=2, dilation=3, pad=2)).calls) == 1


def test_more_than_255_inputs_are_refused() -> None:
    make = GraphMaker()
    values = [make.input((1,)) for _ in range(256)]
    make.output(make.concat(values, 0))
    assign_layouts(make.graph)
    with pytest.raises(PetiteError, match="more than 255 inputs or outputs"):
        lower(make.graph)
