# SPDX-License-Identifier: Apache-2.0
"""Plans are small, the same every time, and accepted by a checker that can refuse."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_maker import NHWC, GraphMaker, schedules_of
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.ir.ops import Padding
from petite.ir.schedule import Buffer, Role, Schedule
from petite.placement import check as placement_check
from petite.placement import spans
from petite.placement.check import check
from petite.placement.lifetimes import Lifetime, lifetimes, meetings, overlaps
from petite.placement.model import place_model
from petite.placement.planner import Plan, plan
from petite.placement.problem import ALIGNMENT
from random_schedules import schedules

KERNELS = Path(__file__).resolve().parents[2] / "runtime" / "kernels"


@given(st.lists(st.tuples(st.integers(-1, 9), st.integers(0, 5)), max_size=12))
def test_meetings_are_all_pairs_in_use_at_the_same_time(spans: list[tuple[int, int]]) -> None:
    buffer = Buffer("b", 1, Role.ACTIVATION, DType.S8)
    lives = [Lifetime(buffer, first, first + calls) for first, calls in spans]
    expected = [{i, j} for i, j in combinations(range(len(lives)), 2) if lives[i].meets(lives[j])]
    found = [set(pair) for pair in meetings(lives)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


@settings(max_examples=60)
@given(schedules(), st.booleans(), st.booleans())
def test_plans_are_accepted(schedule: Schedule, keep_inputs: bool, overlap: bool) -> None:
    made = plan(schedule, keep_inputs=keep_inputs, overlap=overlap)
    check(schedule, made, keep_inputs=keep_inputs)
    assert made.size % ALIGNMENT == 0


@settings(max_examples=25)
@given(schedules(), st.data())
def test_a_buffer_on_top_of_a_living_one_is_refused(
    schedule: Schedule, data: st.DataObject
) -> None:
    made = plan(schedule)
    lives = [life for life in lifetimes(schedule, keep_inputs=False) if life.buffer.size]
    pairs = [
        (a, b)
        for a in lives
        for b in lives
        # Neither is born from the other: between first and last use of a, all of b is written.
        if a is not b and a.first < b.first < a.last
    ]
    if not pairs:
        return
    first, second = data.draw(st.sampled_from(pairs))
    moved = {**made.offsets, second.buffer: made.offsets[first.buffer]}
    size = max(o + b.size for b, o in moved.items()) + ALIGNMENT
    with pytest.raises(AssertionError, match=r"overwritten|overwrites|must not overlap"):
        check(schedule, Plan(moved, size))


@settings(max_examples=15)
@given(schedules())
def test_planning_is_deterministic(schedule: Schedule) -> None:
    first, second = plan(schedule), plan(schedule)
    assert list(first.offsets.values()) == list(second.offsets.values())
    assert first.size == second.size


# --- the checker's measure of overlap, to the byte -----------------------------------------------


def _single(kind: str) -> Schedule:
    """One operator, whose smallest safe distance is one byte above a multiple of ALIGNMENT."""
    make = GraphMaker()
    match kind:
        case "linear":  # 3 rows: 31 + 2 * (31 - 30)
            make.output(make.linear(make.input((3, 30)), 31))
        case "softmax":  # a row is read again while its result is written: 17
            make.output(make.softmax(make.input((5, 17)), 1))
        case "conv":  # the last of 4 x 5 windows ends at 20 * 6, and starts at pixel 23 of 3 bytes
            x = make.input((1, 3, 6, 7), layout=NHWC)
            make.output(make.conv2d(x, 5), NHWC)
        case "pool":
            x = make.input((1, 17, 4, 4), layout=NHWC)
            make.output(make.max_pool(x, (2, 2), (1, 1)), NHWC)
        case "depthwise":
            x = make.input((1, 17, 5, 5), layout=NHWC)
            make.output(make.depthwise(x, (1, 1)), NHWC)
        case "batch_matmul":
            from petite.ir import ops
            from petite.ir.ops import Requantize

            left, right = make.input((1, 3, 30)), make.input((1, 31, 30))
            make.output(
                make.emit(
                    ops.BatchMatmul,
                    [left, right],
                    make.value((1, 3, 31)),
                    offsets=(0, 0),
                    output_offset=0,
                    requantize=Requantize(2**30, 0),
                )
            )
    (schedule,) = schedules_of(make.graph)
    assert len(schedule.calls) == 1
    return schedule


def _smallest_accepted(schedule: Schedule, source: Buffer) -> int:
    """Smallest distance, in steps of the alignment, at which the output may lie below an input."""
    output = schedule.calls[0].write
    others = [p.ref.buffer for p in schedule.inputs if p.ref.buffer is not source]
    for distance in range(-1024, output.size + ALIGNMENT, ALIGNMENT):
        offsets = {output: 1024, source: 1024 + distance}
        offsets.update({other: 8192 for other in others})
        try:
            check(schedule, Plan(offsets, 16384))
        except AssertionError:
            continue
        if distance + source.size > 0:
            return distance
    raise AssertionError("nothing is accepted")


def _up(distance: int) -> int:
    return -(-distance // ALIGNMENT) * ALIGNMENT


@pytest.mark.parametrize("kind", ["linear", "softmax", "conv", "pool", "depthwise", "batch_matmul"])
def test_overlap_one_step_too_far_is_refused(kind: str) -> None:
    """The checker allows exactly what the kernel's contract does, which tells the distance."""
    schedule = _single(kind)
    call = schedule.calls[0]
    read = call.reads[0]
    assert read.steps is not None
    distance = read.steps.distance()
    assert _smallest_accepted(schedule, read.buffer) == _up(distance)


@pytest.mark.parametrize("kind", ["linear", "softmax", "pool", "depthwise", "batch_matmul"])
def test_one_byte_decides(kind: str) -> None:
    """In these the next lower aligned place would be too far by a single byte."""
    schedule = _single(kind)
    steps = schedule.calls[0].reads[0].steps
    assert steps is not None
    assert steps.distance() % ALIGNMENT == 1


def test_elementwise_in_place_but_not_above() -> None:
    make = GraphMaker()
    make.output(make.lut(make.input((64,))))
    (schedule,) = schedules_of(make.graph)
    source, output = schedule.inputs[0].ref.buffer, schedule.calls[0].write
    check(schedule, Plan({source: 32, output: 32}, 128))
    check(schedule, Plan({source: 32, output: 16}, 128))
    with pytest.raises(AssertionError, match="before it has read"):
        check(schedule, Plan({source: 32, output: 48}, 128))


def test_growing_elements_end_together_at_most() -> None:
    """int8 to float32: the output may end where the input ends, no sooner."""
    make = GraphMaker()
    make.output(make.dequantize(make.input((64,))))
    (schedule,) = schedules_of(make.graph)
    source, output = schedule.inputs[0].ref.buffer, schedule.calls[0].write
    check(schedule, Plan({source: 192, output: 0}, 256))
    with pytest.raises(AssertionError, match="before it has read"):
        check(schedule, Plan({source: 176, output: 0}, 256))


def test_an_operand_that_is_read_for_every_row_must_not_overlap() -> None:
    schedule = _single("batch_matmul")
    left, right = (p.ref.buffer for p in schedule.inputs)
    output = schedule.calls[0].write
    with pytest.raises(AssertionError, match="must not overlap"):
        check(schedule, Plan({left: 4096, right: 64, output: 0}, 8192))


def test_a_relayout_must_not_overlap() -> None:
    make = GraphMaker()
    make.output(make.input((1, 4, 6, 6)), NHWC)
    (schedule,) = schedules_of(make.graph)
    source, output = schedule.inputs[0].ref.buffer, schedule.calls[0].write
    with pytest.raises(AssertionError, match="must not overlap"):
        check(schedule, Plan({source: 0, output: 0}, 256))


@pytest.mark.parametrize(
    ("offset", "size", "message"),
    [(8, 256, "aligned"), (208, 256, "sticks out"), (-16, 256, "sticks")],
)
def test_misplaced_buffers_are_refused(offset: int, size: int, message: str) -> None:
    make = GraphMaker()
    make.output(make.lut(make.input((64,))))
    (schedule,) = schedules_of(make.graph)
    source, output = schedule.inputs[0].ref.buffer, schedule.calls[0].write
    with pytest.raises(AssertionError, match=message):
        check(schedule, Plan({source: offset, output: 64}, size))


def test_kept_inputs_survive() -> None:
    make = GraphMaker()
    make.output(make.lut(make.input((64,))))
    (schedule,) = schedules_of(make.graph)
    shared, kept = plan(schedule), plan(schedule, keep_inputs=True)
    assert (shared.size, kept.size) == (64, 128)
    check(schedule, shared)
    check(schedule, kept, keep_inputs=True)
    with pytest.raises(AssertionError, match="the application finds input0 overwritten"):
        check(schedule, shared, keep_inputs=True)


def test_a_broadcast_operand_is_not_overwritten() -> None:
    """It is read again for every row of the output."""
    from petite.ir import ops

    make = GraphMaker()
    x, y = make.input((4, 8), DType.F32), make.input((1, 8), DType.F32)
    output = make.value((4, 8), DType.F32)
    make.output(make.emit(ops.Elementwise, [x, y], output, function="add"))
    (schedule,) = schedules_of(make.graph)
    check(schedule, plan(schedule))
    wide, narrow = (p.ref.buffer for p in schedule.inputs)
    target = schedule.calls[0].write
    check(schedule, Plan({wide: 0, narrow: 128, target: 0}, 256))
    with pytest.raises(AssertionError, match="must not overlap"):
        check(schedule, Plan({wide: 128, narrow: 0, target: 0}, 256))


# --- whole models ---------------------------------------------------------------------------------


def test_a_chain_needs_little_more_than_its_largest_activation() -> None:
    make = GraphMaker()
    x = make.input((1, 16, 16, 16), layout=NHWC)
    for _ in range(4):
        x = make.conv2d(make.depthwise(x, padding=Padding(1, 1, 1, 1)), 16, (1, 1))
    make.output(x, NHWC)
    (schedule,) = schedules_of(make.graph)
    activation = 16 * 16 * 16
    # Each 3x3 window with padding moves its output a row and two pixels down, each 1x1 one pixel.
    assert plan(schedule).size == activation + 4 * (18 + 1) * 16
    assert plan(schedule, overlap=False).size == 2 * activation


def test_methods_share_the_arena_and_states_do_not() -> None:
    first, second = GraphMaker("first"), GraphMaker("second")
    for make, count in ((first, 100), (second, 50)):
        state = make.state((count,))
        x = make.input((count,))
        state.after = make.add(state.before, x)
        make.output(state.after)
    made = place_model(schedules_of(first.graph, second.graph))
    assert made.arena_size == max(p.size for p in made.plans.values())
    spans = sorted((offset, offset + b.size) for b, offset in made.state_offsets.items())
    assert spans == [(0, 100), (112, 162)] and made.state_size == 176


def test_constants_take_no_ram() -> None:
    make = GraphMaker()
    x = make.input((8,))
    table = Value("c", DType.S8, (8,), data=np.arange(8, dtype=np.int8))
    make.output(make.add(x, table))
    (schedule,) = schedules_of(make.graph)
    assert plan(schedule).size == 16


@pytest.mark.parametrize(
    "kernel",
    [*spans.WINDOWS, *placement_check._ROWS, *spans.ELEMENTWISE, placement_check._MOVE],
)
def test_kernels_that_may_overlap_say_so(kernel: str) -> None:
    family = kernel.split("_")[0]
    header = next(KERNELS.glob(f"*/{kernel}.h"), KERNELS / family / f"{family}.h")
    assert "Overlap: none" not in header.read_text(encoding="utf-8")


def test_a_copy_must_not_overlap() -> None:
    """Its contract is memcpy's."""
    make = GraphMaker()
    x = make.lut(make.input((100,)))
    make.output(make.emit(ops.Copy, [x], make.value((100,))))
    (schedule,) = schedules_of(make.graph)
    outputs = [
        pair.output.name for pair in overlaps(schedule, lifetimes(schedule, keep_inputs=False))
    ]
    assert outputs == ["t0"], "the look-up may overlap its input, the copy must not"
