# SPDX-License-Identifier: Apache-2.0
"""Where everything of a model lies: one arena for all methods, states beside it."""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir.schedule import Buffer, Schedule
from petite.placement.check import check
from petite.placement.order import smaller_order
from petite.placement.planner import Plan, aligned, plan


@dataclass(frozen=True)
class Placement:
    """A plan for each method, in the arena that they share, and the states' own memory.

    Methods never run at the same time, so the arena is as large as the largest needs.
    """

    plans: dict[str, Plan]
    arena_size: int
    state_offsets: dict[Buffer, int]
    state_size: int

    @property
    def arena_bound(self) -> int:
        """No arena for these calls, in their order, is smaller."""
        return max((p.bound for p in self.plans.values()), default=0)


def place_model(
    schedules: list[Schedule], *, keep_inputs: bool = False, optimize: bool = True
) -> Placement:
    """Plan all methods, and verify each plan.

    Their calls may be put into another order. With ``optimize`` off their order stays, and no
    buffers overlap.
    """
    plans = {}
    state_offsets: dict[Buffer, int] = {}
    state_size = 0
    for schedule in schedules:
        made = plan(schedule, keep_inputs=keep_inputs, overlap=optimize)
        if optimize:
            made = _in_better_order(schedule, made, keep_inputs)
        check(schedule, made, keep_inputs=keep_inputs)
        plans[schedule.name] = made
        for state in schedule.states:
            state_offsets[state.buffer] = state_size
            state_size += aligned(max(state.buffer.size, 1))
    arena_size = max((p.size for p in plans.values()), default=0)
    return Placement(plans, arena_size, state_offsets, state_size)


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
