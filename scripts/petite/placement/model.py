# SPDX-License-Identifier: Apache-2.0
"""Where everything of a model lies: one arena for all methods, states beside it."""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir.schedule import Buffer, Schedule
from petite.placement.check import check
from petite.placement.order import smaller_order
from petite.placement.planner import Plan, aligned, plan
from petite.placement.slides import DEFAULT_RULE, SlideRule, with_slides


@dataclass(frozen=True)
class Placement:
    """A plan for each method, in the arena that they share, and the states' own memory.

    Methods never run at the same time, so the arena is as large as the largest needs.
    """

    plans: dict[str, Plan]
    arena_size: int
    state_offsets: dict[Buffer, int]
    state_size: int
    #: Bytes by which slides make the arena smaller.
    saved_by_slides: int = 0

    @property
    def arena_bound(self) -> int:
        """No arena for these calls, in their order, is smaller."""
        return max((p.bound for p in self.plans.values()), default=0)


def _largest(plans: dict[str, Plan]) -> int:
    return max((p.size for p in plans.values()), default=0)


def place_model(
    schedules: list[Schedule],
    *,
    keep_inputs: bool = False,
    optimize: bool = True,
    slides: SlideRule = DEFAULT_RULE,
) -> Placement:
    """Plan all methods, and verify each plan.

    Their calls may be put into another order, and slides between them. With ``optimize`` off they
    stay as they are, and no buffers overlap.
    """
    plans = {}
    for schedule in schedules:
        plans[schedule.name] = plan_method(schedule, keep_inputs=keep_inputs, optimize=optimize)
    without_slides = _largest(plans)
    if optimize:
        plans = with_slides(schedules, plans, keep_inputs=keep_inputs, rule=slides)
    state_offsets: dict[Buffer, int] = {}
    state_size = 0
    for schedule in schedules:
        check(schedule, plans[schedule.name], keep_inputs=keep_inputs)
        for state in schedule.states:
            state_offsets[state.buffer] = state_size
            state_size += aligned(max(state.buffer.size, 1))
    size = _largest(plans)
    return Placement(plans, size, state_offsets, state_size, without_slides - size)


def plan_method(schedule: Schedule, *, keep_inputs: bool = False, optimize: bool = True) -> Plan:
    """The plan of one method, whose calls may be put into another order."""
    made = plan(schedule, keep_inputs=keep_inputs, overlap=optimize)
    return _in_better_order(schedule, made, keep_inputs) if optimize else made


def _in_better_order(schedule: Schedule, made: Plan, keep_inputs: bool) -> Plan:
    """Reorder the method's calls if that makes its arena smaller."""
    before = schedule.calls
    calls = smaller_order(schedule, made.size, keep_inputs=keep_inputs)
    if calls is None or calls == before:
        return made
    schedule.calls = calls
    other = plan(schedule, keep_inputs=keep_inputs)
    if other.size < made.size:
        return other
    schedule.calls = before
    return made
