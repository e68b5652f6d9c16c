# SPDX-License-Identifier: Apache-2.0
"""Keeps chains of overlapping layers where they are, by moving a value before it is read.

The output of a layer starts some way below the input that it consumes, so a chain drifts downwards,
and its arena is larger than what any call of it needs. A *slide* moves an input up before its layer
runs: one more call, a plain move of bytes, and the output may lie where the input was.

Slides are tried where the arena is larger than its calls need at once. Of the arenas that slides
within their budget reach, the smallest is taken, and for it as few slides as possible.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from petite.ir.schedule import Buffer, KernelCall, Read, Ref, Role, Schedule, Steps
from petite.placement.exact import OutOfWork, Work, fit
from petite.placement.lifetimes import allowed, lifetimes
from petite.placement.planner import Found, Plan, plan, problem_of, quick, solve
from petite.placement.problem import ALIGNMENT, Problem, units
from petite.placement.traffic import traffic_of

#: Most slides that are tried, in methods of at most so many calls.
_MOST_SLIDES = 32
_MOST_CALLS = 4096
#: Most steps that this may take in a method, and to find a plan of a size with some of its slides.
_STEPS = 400_000
_STEPS_OF_A_SIZE = 4_000


@dataclass(frozen=True)
class SlideRule:
    """What slides must be worth."""

    #: Most bytes that they read and write, as a part of what the method's kernels do.
    most_moved: float = 0.03
    #: Least bytes that they save, as a part of the arena: the kernel and its steps cost some 100 of
    #: flash.
    least_saved: float = 0.05
    #: As a part of the arena, too: for the last bytes no more slides are taken.
    least_left: float = 0.01


DEFAULT_RULE = SlideRule()
#: Whatever makes the arena smaller: for tests.
AT_ANY_COST = SlideRule(float("inf"), 0, 0)


@dataclass(frozen=True)
class Slide:
    """A move in front of a call, and the call that reads what was moved."""

    move: KernelCall
    reader: KernelCall

    @property
    def moved(self) -> int:
        """Bytes that it reads and writes."""
        return 2 * self.move.write.size

    def is_idle(self, made: Plan) -> bool:
        """Whether the value already is where it would be moved to."""
        return made.offsets[self.move.reads[0].buffer] == made.offsets[self.move.write]


def with_slides(
    schedules: list[Schedule], plans: dict[str, Plan], *, keep_inputs: bool, rule: SlideRule
) -> dict[str, Plan]:
    """Plans for an arena that slides make smaller; their calls are put into the schedules.

    ``plans`` as they are where the rule allows none. Methods share the arena, so only those get
    slides that need more than all others. Deterministic.
    """
    size = max((p.size for p in plans.values()), default=0)
    goal = max((_needed(s, keep_inputs) for s in schedules), default=0)
    methods = [
        _Method(schedule, plans[schedule.name], keep_inputs, rule)
        for schedule in schedules
        if plans[schedule.name].size > goal
    ]
    for method in methods:
        goal = max(goal, method.smallest(goal))
    least = rule.least_saved * size
    if goal >= size or size - goal < least:
        return plans
    # What is left is too little for more slides.
    goal = int(min(goal + rule.least_left * size, size - least)) // ALIGNMENT * ALIGNMENT
    found = dict(plans)
    for method in methods:
        if method.plan.size > goal:
            found[method.schedule.name] = method.slide(goal)
    return found


def _needed(schedule: Schedule, keep_inputs: bool) -> int:
    """Bytes that one call of the method needs at once."""
    return problem_of(schedule, keep_inputs=keep_inputs).bound() * ALIGNMENT


class _Method:
    """The search of one method: which of all slides that could help are taken."""

    def __init__(self, schedule: Schedule, made: Plan, keep_inputs: bool, rule: SlideRule) -> None:
        self.schedule = schedule
        self.plan = made
        self._keep_inputs = keep_inputs
        self._without = schedule.calls
        self._slides = possible_slides(schedule, keep_inputs=keep_inputs)
        self._budget = rule.most_moved * sum(traffic_of([schedule]).functions.values())
        self._work = Work(_STEPS)
        #: By chosen slides: the smallest plan so far, and a size for which there seems to be none.
        self._found: dict[frozenset[int], Found] = {}
        self._too_small: dict[frozenset[int], int] = {}
        #: What the budget allows, of all that were looked for.
        self._affordable: set[frozenset[int]] = set()

    def smallest(self, goal: int) -> int:
        """Size of the smallest arena that slides within the budget reach; ``goal`` is enough."""
        with suppress(OutOfWork):
            self._look_for(goal)
        sizes = [max(goal, self._size(chosen)) for chosen in self._affordable]
        return min(sizes, default=self.plan.size)

    def slide(self, goal: int) -> Plan:
        """Take the slides that move least for an arena of at most ``goal`` bytes."""
        with suppress(OutOfWork):
            self._fewest(goal)
        fitting = [chosen for chosen in self._affordable if self._size(chosen) <= goal]
        best = min(fitting, key=lambda chosen: (self._moved(chosen), len(chosen), sorted(chosen)))
        return self._planned(best, self._found[best])

    def _planned(self, chosen: frozenset[int], known: Found) -> Plan:
        """Put the slides into the schedule; without those that turn out to move nothing."""
        self.schedule.calls = self._calls(chosen)
        made = plan(self.schedule, keep_inputs=self._keep_inputs, known=known)
        idle = {i for i in chosen if self._slides[i].is_idle(made)}
        if not idle:
            return made
        problem = self._problem(chosen - idle)
        same = Found(problem)
        same.offer([made.offsets[life.buffer] // ALIGNMENT for life in problem.lives])
        return self._planned(chosen - idle, same)

    def _look_for(self, goal: int) -> None:
        """All slides reach the smallest size; a larger one is reached by fewer."""
        everything = frozenset(self._slides)
        if not everything:
            return
        self._found[everything] = solve(self._problem(everything))
        low, high = max(goal, self._size(everything)), self.plan.size
        if low >= high or self._fewest(low):
            return
        while high - low > ALIGNMENT:
            middle = low + units((high - low) // 2) * ALIGNMENT
            if self._fewest(middle):
                high = middle
            else:
                low = middle

    def _fewest(self, size: int) -> bool:
        """Leave slides out, one after the other, as long as that size is kept; from the first on,
        and the costliest first. Whether the budget allows what is left."""
        found = False
        by_cost = sorted(self._slides, key=lambda i: (-self._slides[i].moved, i))
        for order in (sorted(self._slides), by_cost):
            chosen = frozenset(self._slides)
            for position in order:
                if self._fits(chosen - {position}, size):
                    chosen -= {position}
            if self._moved(chosen) <= self._budget:
                self._affordable.add(chosen)
                found = True
        return found

    def _fits(self, chosen: frozenset[int], size: int) -> bool:
        """Whether a little work finds a plan of that size. OutOfWork where none is left at all."""
        if chosen not in self._found:
            problem = self._problem(chosen)
            self._work.take(len(problem.pairs))
            self._found[chosen] = quick(problem)
        if self._size(chosen) > size > self._too_small.get(chosen, 0):
            share = Work(min(_STEPS_OF_A_SIZE, self._work.left))
            before = share.left
            with suppress(OutOfWork):
                offsets = fit(self._problem(chosen), size // ALIGNMENT, share)
                if offsets is not None:
                    self._found[chosen].offer(offsets)
            self._work.take(before - max(share.left, 0))
            self._too_small[chosen] = size
        return self._size(chosen) <= size

    def _size(self, chosen: frozenset[int]) -> int:
        return self._found[chosen].size * ALIGNMENT

    def _moved(self, chosen: Collection[int]) -> int:
        return sum(self._slides[position].moved for position in chosen)

    def _problem(self, chosen: frozenset[int]) -> Problem:
        schedule = replace(self.schedule, calls=self._calls(chosen))
        return problem_of(schedule, keep_inputs=self._keep_inputs)

    def _calls(self, chosen: Iterable[int]) -> list[KernelCall]:
        return inserted(self._without, {i: self._slides[i] for i in chosen})


def possible_slides(schedule: Schedule, *, keep_inputs: bool) -> dict[int, Slide]:
    """By position of the call: those whose output must start below the input that dies there.

    Where there are too many, those of the calls that need most.
    """
    if len(schedule.calls) > _MOST_CALLS:
        return {}
    lives = {id(life.buffer): life for life in lifetimes(schedule, keep_inputs=keep_inputs)}
    found = {}
    for number, call in enumerate(schedule.calls):
        if len(call.writes) != 1 or call.write.role is not Role.ACTIVATION:
            continue
        dying = [
            (source, units(distance))
            for source, distance in allowed(call)
            if id(source) in lives and lives[id(source)].last == number
        ]
        if lives[id(call.write)].first == number and len(dying) == 1:
            ((source, distance),) = dying
            if _is_read_whole(call, source) and 0 < distance < units(call.write.size):
                found[number] = _slide(call, source, schedule.move_variant)
    needs = problem_of(schedule, keep_inputs=keep_inputs).needs()
    most = sorted(found, key=lambda number: (-int(needs[number + 1]), number))[:_MOST_SLIDES]
    return {number: found[number] for number in sorted(most)}


def _is_read_whole(call: KernelCall, source: Buffer) -> bool:
    """Whether moving all of it is no more than the call reads: the last of several stripes is not
    worth it."""
    return 0 < source.size == max(r.size for r in call.reads if r.buffer is source)


def _slide(call: KernelCall, source: Buffer, variant: str) -> Slide:
    moved = replace(source, name=f"{source.name}_moved", role=Role.ACTIVATION)
    everything = Steps(np.zeros(1, np.int64), np.full(1, source.size, np.int64), reads_first=True)
    move = KernelCall(
        f"move_for_{call.name}",
        "move",
        "kernels/move/move.h",
        {"input": Ref(source), "output": Ref(moved), "size": source.size},
        [Read(source, everything)],
        [moved],
        f"{call.source} (its input moves, to save RAM)",
        variant=variant,
    )
    fields = {
        name: Ref(moved, value.offset)
        if isinstance(value, Ref) and value.buffer is source
        else value
        for name, value in call.fields.items()
    }
    reads = [replace(r, buffer=moved) if r.buffer is source else r for r in call.reads]
    reader = replace(call, fields=fields, reads=reads)
    assert all(ref.buffer is not source for ref in reader.refs())
    return Slide(move, reader)


def inserted(calls: list[KernelCall], slides: dict[int, Slide]) -> list[KernelCall]:
    """The calls with these slides, by position; branches skip them with their readers."""
    found = []
    for number, call in enumerate(calls):
        if number in slides:
            found += [slides[number].move, slides[number].reader]
            continue
        skip = call.fields.get("skip", 0)
        assert isinstance(skip, int)
        more = sum(number < position <= number + skip for position in slides)
        found.append(replace(call, fields={**call.fields, "skip": skip + more}) if more else call)
    return found
