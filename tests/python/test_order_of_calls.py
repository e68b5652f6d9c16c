# SPDX-License-Identifier: Apache-2.0
"""Calls are put into the order that needs least, and into none that their results forbid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graph_maker import NHWC, GraphMaker, schedules_of
from petite.ir.dtype import DType
from petite.ir.schedule import Buffer, Field, KernelCall, Read, Ref, Role, Schedule
from petite.placement import order
from petite.placement.check import check
from petite.placement.lifetimes import lifetimes, overlaps
from petite.placement.model import place_model
from petite.placement.order import smaller_order
from petite.placement.planner import plan
from petite.placement.precedence import predecessors, units_of
from petite.placement.problem import ALIGNMENT, Problem
from random_schedules import schedules

NO_LIMIT = 2**40


def _peak(schedule: Schedule, calls: list[KernelCall], *, keep_inputs: bool = False) -> int:
    """Most that is in use at once, in bytes, with the calls in this order."""
    reordered = Schedule(schedule.name, calls, schedule.inputs, schedule.outputs, schedule.states)
    lives = lifetimes(reordered, keep_inputs=keep_inputs)
    return Problem(lives, overlaps(reordered, lives)).bound() * ALIGNMENT


def _orders(before: list[set[int]], done: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every order in which all come after what must be before them."""
    if len(done) == len(before):
        yield done
    for i, needed in enumerate(before):
        if i not in done and needed <= set(done):
            yield from _orders(before, (*done, i))


def _writers_before(calls: list[KernelCall]) -> dict[tuple[str, int], set[str]]:
    """For each call and buffer that it reads or writes, which calls wrote the buffer before."""
    writers: dict[int, set[str]] = {}
    found = {}
    for call in calls:
        for buffer in (*(r.buffer for r in call.reads), *call.writes):
            found[call.name, id(buffer)] = set(writers.get(id(buffer), ()))
        for buffer in call.writes:
            writers.setdefault(id(buffer), set()).add(call.name)
    return found


# --- random methods -------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(schedules(), st.booleans())
def test_no_order_needs_less(schedule: Schedule, keep_inputs: bool) -> None:
    units = units_of(schedule)
    before = predecessors(units)
    assume(len(units) <= 9)
    every = [
        _peak(schedule, [c for i in chosen for c in units[i].calls], keep_inputs=keep_inputs)
        for _, chosen in zip(range(2000), _orders(before), strict=False)
    ]
    assume(len(every) < 2000)
    found = smaller_order(schedule, NO_LIMIT, keep_inputs=keep_inputs)
    assert found is not None
    assert _peak(schedule, found, keep_inputs=keep_inputs) == min(every)
    # Asked for less than that, it finds nothing.
    assert smaller_order(schedule, min(every), keep_inputs=keep_inputs) is None


@pytest.mark.parametrize("steps", [order._STEPS, 0], ids=["all sets", "promising sets"])
@settings(max_examples=30, deadline=None)
@given(schedule=schedules())
def test_every_call_finds_what_it_found(steps: int, schedule: Schedule) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "_STEPS", steps)
        found = smaller_order(schedule, NO_LIMIT, keep_inputs=False)
    assert found is not None
    assert {id(c) for c in found} == {id(c) for c in schedule.calls}
    parts = {c.name for c in found if c.kernel == "copy_blocks"}
    then, now = _writers_before(schedule.calls), _writers_before(found)
    for (name, buffer), writers in now.items():
        # Parts of a concatenation may come in any order.
        others = parts if name in parts else set()
        assert writers - others == then[name, buffer] - others
    writes_state = [any(b.role is Role.STATE for b in c.writes) for c in found]
    assert writes_state == sorted(writes_state), "states are written last"


@settings(max_examples=20, deadline=None)
@given(schedules(), st.booleans())
def test_a_model_is_never_larger_than_in_the_order_of_its_file(
    schedule: Schedule, keep_inputs: bool
) -> None:
    size = plan(schedule, keep_inputs=keep_inputs).size
    names = {call.name for call in schedule.calls}
    placement = place_model([schedule], keep_inputs=keep_inputs)
    assert placement.arena_size <= size
    assert {call.name for call in schedule.calls if call.kernel != "move"} == names
    check(schedule, placement.plans["forward"], keep_inputs=keep_inputs)


# --- methods where order matters -----------------------------------------------------------------


def _interleaved(branches: int = 3) -> Schedule:
    """All branches are widened before the first one is narrowed again."""
    make = GraphMaker()
    x = make.input((1, 4, 8, 8), layout=NHWC)
    wide = [make.conv2d(x, 32, (1, 1)) for _ in range(branches)]
    narrow = [make.conv2d(w, 4, (1, 1)) for w in wide]
    total = narrow[0]
    for other in narrow[1:]:
        total = make.add(total, other)
    make.output(total, NHWC)
    (schedule,) = schedules_of(make.graph)
    return schedule


WIDE, NARROW = 32 * 64, 4 * 64


@pytest.mark.parametrize("steps", [order._STEPS, 0], ids=["all sets", "promising sets"])
def test_a_branch_is_narrowed_before_the_next_is_widened(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order, "_STEPS", steps)
    schedule = _interleaved()
    assert plan(schedule).size >= 3 * WIDE
    placement = place_model([schedule])
    # A wide value, the input, and the sum of the branches before.
    assert placement.arena_size <= WIDE + 2 * NARROW + 2 * ALIGNMENT
    assert placement.arena_bound == placement.arena_size


def test_without_optimisation_the_order_stays() -> None:
    schedule = _interleaved()
    before = list(schedule.calls)
    place_model([schedule], optimize=False)
    assert schedule.calls == before
    place_model([schedule])
    assert schedule.calls != before


def test_parts_of_a_concatenation_are_written_when_they_are_ready() -> None:
    """The last part can be narrowed first where the first one needs the input no more."""
    make = GraphMaker()
    x = make.input((1, 8, 16))
    wide = [make.linear(x, 128) for _ in range(2)]
    parts = [make.linear(w, 16) for w in wide]
    make.output(make.concat(parts, 1))
    (schedule,) = schedules_of(make.graph)
    writers = [c for c in schedule.calls if c.kernel == "copy_blocks"]
    assert len(writers) == 2
    before = predecessors(units_of(schedule))
    first, second = (schedule.calls.index(c) for c in writers)
    assert first not in before[second]
    assert place_model([schedule]).arena_size < 2 * 8 * 128


# --- what must stay -------------------------------------------------------------------------------


def _must_precede(schedule: Schedule) -> set[tuple[int, int]]:
    """Pairs of units, also by way of others."""
    before = predecessors(units_of(schedule))
    closed: list[set[int]] = []
    for needed in before:
        closed.append(needed.union(*(closed[i] for i in needed)) if needed else set())
    return {(earlier, later) for later, all_ in enumerate(closed) for earlier in all_}


def test_states_are_written_after_everything_else() -> None:
    """So that a run that fails leaves them alone."""
    make = GraphMaker()
    state = make.state((16,))
    x = make.input((16,))
    state.after = make.add(state.before, x)
    make.output(make.lut(make.lut(x)))
    (schedule,) = schedules_of(make.graph)
    last = len(schedule.calls) - 1
    assert any(b.role is Role.STATE for b in schedule.calls[last].writes)
    assert {(i, last) for i in range(last)} <= _must_precede(schedule)


def test_calls_of_the_application_keep_their_order() -> None:
    """Also where no bytes connect them."""
    make = GraphMaker()
    outputs = [make.value((64,), DType.F32) for _ in range(3)]
    for output in outputs:
        make.call("mylib::f.out", [make.input((8,), DType.F32)], [output])
    for output in outputs:
        make.output(output)
    (schedule,) = schedules_of(make.graph)
    assert [c.kernel for c in schedule.calls] == ["require_bound", *["call_operator"] * 3]
    assert _must_precede(schedule) >= set(pairwise(range(4)))
    # A look-up is no call of the application, but comes after the check that all are there.
    make.output(make.lut(make.input((8,))))
    (schedule,) = schedules_of(make.graph)
    assert _must_precede(schedule) >= {(0, number) for number in range(1, len(schedule.calls))}


def _step(name: str, reads: list[Buffer], writes: list[Buffer], **fields: Field) -> KernelCall:
    kernel = name.rsplit("_", 1)[0]
    return KernelCall(name, kernel, "", fields, [Read(b) for b in reads], writes, "")


def _buffer(name: str) -> Buffer:
    return Buffer(name, 64, Role.ACTIVATION, DType.S8)


def test_the_sides_of_a_branch_stay_whole() -> None:
    """Also one branch within another; both sides write the same result in the file's order."""
    condition, other, result = _buffer("condition"), _buffer("other"), _buffer("result")
    calls = [
        _step("make_0", [], [condition]),
        _step("make_1", [], [other]),
        _step("branch_2", [condition], [], skip=3),
        _step("branch_3", [other], [], skip=1),
        _step("copy_4", [other], [result]),
        _step("copy_5", [other], [result]),
        _step("branch_6", [condition], [], skip=1),
        _step("copy_7", [other], [result]),
        _step("use_8", [result], [_buffer("output")]),
    ]
    schedule = Schedule("forward", calls)
    units = units_of(schedule)
    assert [len(u.calls) for u in units] == [1, 1, 4, 2, 1]
    assert [call for unit in units for call in unit.calls] == calls
    expected = {(0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4)}
    assert _must_precede(schedule) == expected | {(0, 4), (1, 4)}


@pytest.mark.parametrize(
    ("second", "apart"),
    [
        ({"offset": 8}, True),
        ({"offset": 7}, False),
        ({"offset": 9}, False),  # its last byte is the first one of the next row
        ({"offset": 8, "count": 1}, False),
        ({"offset": 8, "output_stride": 32}, False),
    ],
)
def test_only_parts_that_share_no_byte_may_come_in_any_order(
    second: dict[str, int], apart: bool
) -> None:
    result = _buffer("result")

    def part(number: int, offset: int = 0, **changed: int) -> KernelCall:
        fields = {"count": 4, "block_size": 8, "output_stride": 16, **changed}
        output = Ref(result, offset)
        return _step(f"copy_blocks_{number}", [_buffer("p")], [result], output=output, **fields)

    schedule = Schedule("forward", [part(0), part(1, **second)])
    assert (_must_precede(schedule) == set()) is apart


def test_what_is_read_in_between_is_not_written_before() -> None:
    first, second, changed = _buffer("first"), _buffer("second"), _buffer("changed")
    calls = [
        _step("make_0", [], [changed]),
        _step("use_1", [changed], [first]),
        _step("make_2", [], [changed]),
        _step("use_3", [changed], [second]),
    ]
    expected = {(0, 1), (0, 2), (1, 2), (2, 3), (0, 3), (1, 3)}
    assert _must_precede(Schedule("forward", calls)) == expected
