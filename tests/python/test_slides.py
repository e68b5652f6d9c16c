# SPDX-License-Identifier: Apache-2.0
"""Chains of overlapping layers stay where they are, where moving their values is worth it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from graph_maker import NHWC, GraphMaker, schedules_of
from petite.cli.compile import summary
from petite.compile import Options, compile_program
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.ir.ops import Guard, Merge, Padding
from petite.ir.schedule import Buffer, KernelCall, Ref, Role, Schedule
from petite.placement import slides as slides_module
from petite.placement.check import check
from petite.placement.model import place_model
from petite.placement.planner import Plan, plan
from petite.placement.slides import AT_ANY_COST, SlideRule, possible_slides
from petite.placement.traffic import traffic_of
from petite.pte import load_program
from random_schedules import schedules

KWS = Path(__file__).resolve().parents[2] / "samples" / "kws" / "model" / "kws.pte"
ROUND = Padding(1, 1, 1, 1)
NEVER = SlideRule(most_moved=0)
#: Of the chains below, an activation, and how far each layer goes down: a row and two pixels.
ACTIVATION, DISTANCE = 16 * 16 * 16, (16 + 2) * 16


def _convolutions(make: GraphMaker, x: Value, count: int) -> Value:
    for _ in range(count):
        x = make.conv2d(x, 16, padding=ROUND)
    return x


def _chain(count: int, name: str = "forward") -> Schedule:
    """Padded 3x3 convolutions of one size."""
    make = GraphMaker(name)
    x = make.input((1, 16, 16, 16), layout=NHWC)
    make.output(_convolutions(make, x, count), NHWC)
    (schedule,) = schedules_of(make.graph)
    return schedule


def _moves(schedule: Schedule) -> list[KernelCall]:
    return [call for call in schedule.calls if call.kernel == "move"]


def _moved_by_kernels(schedule: Schedule) -> int:
    return sum(traffic_of([schedule]).functions.values())


@pytest.mark.parametrize("count", [3, 4, 7])
def test_a_chain_stays_where_it_is(count: int) -> None:
    """It needs an activation and one distance, however long it is."""
    drifting = place_model([_chain(count)], slides=NEVER)
    assert drifting.arena_size == ACTIVATION + count * DISTANCE
    schedule = _chain(count)
    placement = place_model([schedule])
    assert placement.arena_size == placement.arena_bound == ACTIVATION + DISTANCE
    # The input has room above from the start; every other value moves up before it is read.
    assert len(_moves(schedule)) == count - 1
    assert [c.kernel for c in schedule.calls] == ["conv2d_s8", *["move", "conv2d_s8"] * (count - 1)]


def test_a_slide_reads_what_was_there_and_its_reader_what_it_wrote() -> None:
    schedule = _chain(3)
    layers = list(schedule.calls)
    place_model([schedule])
    first, move, second, *_ = schedule.calls
    assert first is layers[0] and second.name == layers[1].name
    moved = move.write
    assert move.fields == {"input": Ref(first.write), "output": Ref(moved), "size": ACTIVATION}
    assert [read.buffer for read in move.reads] == [first.write]
    assert [read.buffer for read in second.reads] == [moved]
    assert second.fields == {**layers[1].fields, "input": Ref(moved)}
    assert second.reads[0].steps is layers[1].reads[0].steps
    assert move.name == f"move_for_{second.name}"
    assert move.source == f"{second.source} (its input moves, to save RAM)"


def test_compiling_says_what_moves() -> None:
    model = compile_program(load_program(KWS), Options(name="kws", instruction_set="mve"))
    size, saved = model.placement.arena_size, model.placement.saved_by_slides
    calls = model.schedules[0].calls
    moved = sum(call.write.size for call in calls if call.kernel == "move")
    plain = compile_program(load_program(KWS), Options(instruction_set="mve", slides=NEVER))
    assert saved == plain.placement.arena_size - size > 0 and moved > 0
    assert summary(model).splitlines()[2] == (
        f"{len(calls) - len(plain.schedules[0].calls)} of the calls move values, {moved:,} bytes "
        f"in all, to make the arena {saved:,} bytes smaller"
    )
    assert len(summary(plain).splitlines()) == 2
    assert model.functions["petite_move_mve"] == 2 * moved


@pytest.mark.parametrize(("instruction_set", "variant"), [("scalar", "scalar"), ("mve", "mve")])
def test_the_core_says_which_kernel_moves(instruction_set: str, variant: str) -> None:
    make = GraphMaker()
    x = make.input((1, 16, 16, 16), layout=NHWC)
    make.output(_convolutions(make, x, 4), NHWC)
    (schedule,) = schedules_of(make.graph, instruction_set=instruction_set)  # type: ignore[arg-type]
    place_model([schedule], slides=AT_ANY_COST)
    assert {call.symbol for call in _moves(schedule)} == {f"petite_move_{variant}"}


# --- what slides must be worth --------------------------------------------------------------------


@pytest.mark.parametrize(("affordable", "distances"), [(0, 7), (1, 4), (2, 3), (3, 2), (5, 2)])
def test_a_budget_is_spent_where_it_saves_most(affordable: int, distances: int) -> None:
    """Seven layers in pieces: each drifts by its length, so the longest should be short."""
    schedule = _chain(7)
    cost = (affordable + 0.5) * 2 * ACTIVATION
    rule = SlideRule(most_moved=cost / _moved_by_kernels(schedule))
    placement = place_model([schedule], slides=rule)
    assert placement.arena_size == ACTIVATION + distances * DISTANCE
    # Not five: three reach the same.
    assert len(_moves(schedule)) == min(affordable, 3)


def test_what_saves_little_is_left_alone() -> None:
    saved, drifting = 2 * DISTANCE, ACTIVATION + 3 * DISTANCE
    for least, count in ((saved / drifting, 2), (saved / drifting + 1e-9, 0)):
        schedule = _chain(3)
        place_model([schedule], slides=SlideRule(least_saved=least))
        assert len(_moves(schedule)) == count


def test_without_optimisation_nothing_moves() -> None:
    schedule = _chain(4)
    place_model([schedule], optimize=False, slides=AT_ANY_COST)
    assert len(schedule.calls) == 4


def test_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a step left nothing is found, and the plan without slides stays."""
    monkeypatch.setattr(slides_module, "_STEPS", 0)
    schedule = _chain(4)
    assert place_model([schedule]).arena_size == ACTIVATION + 4 * DISTANCE
    assert not _moves(schedule)


def test_of_too_many_calls_those_that_need_most_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    make = GraphMaker()
    x = make.conv2d(make.input((1, 8, 16, 16), layout=NHWC), 8, padding=ROUND)
    make.output(_convolutions(make, x, 4), NHWC)
    (schedule,) = schedules_of(make.graph)
    monkeypatch.setattr(slides_module, "_MOST_SLIDES", 3)
    assert list(possible_slides(schedule, keep_inputs=False)) == [2, 3, 4]
    monkeypatch.setattr(slides_module, "_MOST_CALLS", 4)
    assert not possible_slides(schedule, keep_inputs=False)


# --- several methods ------------------------------------------------------------------------------


def test_only_methods_that_set_the_size_of_the_arena_slide() -> None:
    longest, shorter, short = _chain(5, "a"), _chain(3, "b"), _chain(1, "c")
    placement = place_model([longest, shorter, short])
    assert placement.arena_size == ACTIVATION + DISTANCE
    assert [len(_moves(s)) for s in (longest, shorter, short)] == [4, 2, 0]


def test_no_more_slides_than_another_method_leaves_use_for() -> None:
    make = GraphMaker("second")
    make.output(make.lut(make.input((ACTIVATION + 2 * DISTANCE,))))
    (second,) = schedules_of(make.graph)
    first = _chain(6, "first")
    placement = place_model([first, second])
    assert placement.arena_size == ACTIVATION + 2 * DISTANCE
    assert len(_moves(first)) == 2 and not _moves(second)


# --- what else lives ------------------------------------------------------------------------------


def test_an_input_that_is_kept_does_not_move() -> None:
    schedule = _chain(4)
    placement = place_model([schedule], keep_inputs=True)
    # The first layer cannot overlap the input, and the last may write where there is room.
    assert placement.arena_size == 2 * ACTIVATION + DISTANCE
    moved = [read.buffer for call in _moves(schedule) for read in call.reads]
    assert schedule.inputs[0].ref.buffer not in moved


def test_an_input_that_is_not_kept_may_move() -> None:
    """Here what lies below makes the chain start too low."""
    schedule = _chain(4)
    candidates = possible_slides(schedule, keep_inputs=False)
    assert list(candidates) == [0, 1, 2, 3]
    assert candidates[0].move.reads[0].buffer is schedule.inputs[0].ref.buffer
    assert candidates[0].move.write.role is Role.ACTIVATION
    assert list(possible_slides(schedule, keep_inputs=True)) == [1, 2, 3]


def test_what_is_read_again_does_not_move() -> None:
    make = GraphMaker()
    x = make.input((1, 16, 16, 16), layout=NHWC)
    y = make.conv2d(x, 16, padding=ROUND)
    make.output(make.add(make.conv2d(y, 16, padding=ROUND), y), NHWC)
    (schedule,) = schedules_of(make.graph)
    assert list(possible_slides(schedule, keep_inputs=False)) == [0]


def test_a_residual_block_stays_beside_what_it_adds() -> None:
    make = GraphMaker()
    x = make.input((1, 16, 16, 16), layout=NHWC)
    for _ in range(2):
        x = make.add(_convolutions(make, x, 3), x)
    make.output(x, NHWC)
    (schedule,) = schedules_of(make.graph)
    before = place_model(schedules_of(make.graph), slides=NEVER).arena_size
    placement = place_model([schedule], slides=AT_ANY_COST)
    assert placement.arena_size == 2 * ACTIVATION + DISTANCE < before


# --- branches -------------------------------------------------------------------------------------


def _branch() -> Schedule:
    """Five convolutions on one side, two on the other, one before and one after."""
    make = GraphMaker()
    condition = make.input((), DType.BOOL)
    x = _convolutions(make, make.input((1, 16, 16, 16), layout=NHWC), 1)
    sides, results = [], []
    for sense, count in ((True, 5), (False, 2)):
        side = Guard(condition, sense, None, "test.pte: branch")
        before = len(make.graph.ops)
        results.append(_convolutions(make, x, count))
        for op in make.graph.ops[before:]:
            op.guard = side
        sides.append(side)
    y = make.emit(Merge, [*results, condition], make.value(x.shape), sides=tuple(sides))
    make.output(_convolutions(make, y, 1), NHWC)
    (schedule,) = schedules_of(make.graph)
    return schedule


def _that_run(schedule: Schedule, condition: bool) -> list[KernelCall]:
    """What the executor calls."""
    found, position = [], 0
    while position < len(schedule.calls):
        call = schedule.calls[position]
        found.append(call)
        position += 1
        if call.kernel == "branch" and bool(call.fields["sense"]) != condition:
            skip = call.fields["skip"]
            assert isinstance(skip, int)
            position += skip
    return found


@pytest.mark.parametrize("condition", [True, False])
def test_slides_of_a_side_run_with_it(condition: bool) -> None:
    plain, schedule = _branch(), _branch()
    before = place_model([plain], slides=NEVER)
    placement = place_model([schedule])
    assert placement.arena_size < before.arena_size and _moves(schedule)
    run = _that_run(schedule, condition)
    check(replace(schedule, calls=run), placement.plans["forward"])
    names = [call.name for call in _that_run(plain, condition)]
    assert [call.name for call in run if call.kernel != "move"] == names
    for position, call in enumerate(run):
        if call.kernel == "move":
            assert call.name == f"move_for_{run[position + 1].name}"


def test_what_needs_no_move_is_not_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the search knows too little to leave slides out, the plan shows which are idle."""
    monkeypatch.setattr(slides_module, "_STEPS_OF_A_SIZE", 0)
    schedule = _branch()
    placement = place_model([schedule], slides=AT_ANY_COST)
    assert placement.saved_by_slides > 0
    assert 0 < len(_moves(schedule)) < len(possible_slides(_branch(), keep_inputs=False))


# --- random methods -------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(schedules())
def test_slides_are_accepted_and_never_cost_memory(schedule: Schedule) -> None:
    names = [call.name for call in schedule.calls]
    plain = place_model([replace(schedule)], slides=NEVER).arena_size
    placement = place_model([schedule], slides=AT_ANY_COST)
    assert placement.arena_size <= plain
    assert bool(_moves(schedule)) == (placement.arena_size < plain)
    assert sorted(names) == sorted(c.name for c in schedule.calls if c.kernel != "move")
    check(schedule, placement.plans["forward"])


@settings(max_examples=10, deadline=None)
@given(schedules())
def test_slides_are_the_same_every_time(schedule: Schedule) -> None:
    found = []
    for _ in range(2):
        own = replace(schedule)
        placement = place_model([own], slides=AT_ANY_COST)
        offsets = list(placement.plans["forward"].offsets.values())
        found.append(([call.name for call in own.calls], offsets))
    assert found[0] == found[1]


# --- the check ------------------------------------------------------------------------------------


def _moved_once() -> tuple[Schedule, Plan]:
    """Two convolutions with a slide between them, in bytes of which all are known."""
    schedule = _chain(2)
    first, second = schedule.calls
    slide = possible_slides(schedule, keep_inputs=False)[1]
    schedule.calls = [first, slide.move, slide.reader]
    offsets = {
        schedule.inputs[0].ref.buffer: DISTANCE,
        first.write: 0,
        slide.move.write: DISTANCE,
        second.write: 0,
    }
    return schedule, Plan(offsets, ACTIVATION + DISTANCE)


def _too_low(schedule: Schedule, made: Plan) -> None:
    made.offsets[schedule.calls[1].write] -= 16


def _too_short(schedule: Schedule, made: Plan) -> None:
    schedule.calls[1].fields["size"] = ACTIVATION - 1


def _elsewhere(schedule: Schedule, made: Plan) -> None:
    move = schedule.calls[1]
    move.fields["output"] = Ref(move.write, 16)


def _by_another_kernel(schedule: Schedule, made: Plan) -> None:
    schedule.calls[1].kernel = "copy"


def _not_read(schedule: Schedule, made: Plan) -> None:
    first, _, second = schedule.calls
    second.reads[0] = replace(second.reads[0], buffer=first.write)
    second.fields["input"] = Ref(first.write)


def _on_top_of_another(schedule: Schedule, made: Plan) -> None:
    """What the application reads at the end lies where the value moves to."""
    kept = Buffer("kept", 64, Role.INPUT, DType.S8)
    port = replace(schedule.inputs[0], ref=Ref(kept))
    schedule.inputs.append(port)
    schedule.outputs.append(port)
    made.offsets[kept] = ACTIVATION + DISTANCE - 64


def test_the_slide_by_hand_is_right() -> None:
    schedule, made = _moved_once()
    check(schedule, made)
    assert plan(schedule).size == made.size


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_too_low, "before it has read"),
        (_too_short, "must not overlap"),
        (_elsewhere, "must not overlap"),
        (_by_another_kernel, "must not overlap"),
        (_not_read, "overwritten"),
        (_on_top_of_another, "overwritten"),
    ],
)
def test_a_wrong_slide_is_refused(spoil: Callable[[Schedule, Plan], None], message: str) -> None:
    schedule, made = _moved_once()
    spoil(schedule, made)
    with pytest.raises(AssertionError, match=message):
        check(schedule, made)


@pytest.mark.parametrize("offset", range(0, 2 * DISTANCE, 16))
def test_a_move_may_go_anywhere(offset: int) -> None:
    """Up or down, with and without overlap."""
    schedule, _ = _moved_once()
    schedule.calls = schedule.calls[:2]
    schedule.outputs = [replace(schedule.outputs[0], ref=Ref(schedule.calls[1].write))]
    source, moved = schedule.calls[0].write, schedule.calls[1].write
    given = schedule.inputs[0].ref.buffer
    offsets = {source: DISTANCE, moved: offset, given: 2 * DISTANCE}
    made = Plan(offsets, ACTIVATION + 2 * DISTANCE)
    if offset == DISTANCE:
        with pytest.raises(AssertionError, match="moves nothing"):
            check(schedule, made)
    else:
        check(schedule, made)
    # So nothing but its own size keeps the two in an arena.
    assert plan(schedule).size == ACTIVATION + DISTANCE
