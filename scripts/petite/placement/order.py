# SPDX-License-Identifier: Apache-2.0
"""Chooses the order of a method's calls that needs the least memory at once.

Where branches of a network meet again, the file's order may keep the large values of all branches
while each could be reduced before the next begins. How much is in use after some calls depends on
which ones have run and not on their order, so the search is over sets of calls. It looks at the
set whose way needed least so far, which ends with the best order; where there are too many sets,
only the most promising ones of each size are followed.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass

from petite.ir.schedule import KernelCall, Schedule
from petite.placement.demand import Demands, demands_of
from petite.placement.exact import OutOfWork, Work
from petite.placement.precedence import predecessors, units_of
from petite.placement.problem import units

#: Most steps of the search over all sets, and of the one that follows the most promising sets of
#: each size, and how many these are at most. A step looks at one buffer of one call.
_STEPS = 30_000
_STEPS_OF_BEAM = 40_000
_BEAM = 24


@dataclass(frozen=True)
class _State:
    """Some units have run, as the bits of a number; so are those that can run next."""

    done: int
    ready: int
    #: Most that was in use at once, and what is in use now.
    peak: int
    live: int
    #: The unit that ran last, and what had run before it.
    last: int
    previous: _State | None

    def order(self) -> list[int]:
        """The units in the order in which they ran."""
        found = []
        state = self
        while state.previous is not None:
            found.append(state.last)
            state = state.previous
        return found[::-1]


def smaller_order(schedule: Schedule, size: int, *, keep_inputs: bool) -> list[KernelCall] | None:
    """The calls in an order that may need less than ``size`` bytes; None where none was found.

    Deterministic.
    """
    groups = units_of(schedule)
    demands = demands_of(schedule, groups, keep_inputs=keep_inputs)
    search = _Search(demands, predecessors(groups), units(size))
    found = search.best()
    return None if found is None else [call for i in found.order() for call in groups[i].calls]


class _Search:
    def __init__(self, demands: Demands, before: list[set[int]], limit: int) -> None:
        self._demands = demands.units
        self._start = demands.in_use(0)
        self._limit = limit
        self._before = [sum(1 << i for i in earlier) for earlier in before]
        self._after: list[list[int]] = [[] for _ in before]
        for later, all_earlier in enumerate(before):
            for earlier in all_earlier:
                self._after[earlier].append(later)
        last = [d for d, after in zip(demands.units, self._after, strict=True) if not after]
        self._least = demands.least(last)

    def best(self) -> _State | None:
        """An order that needs less than the limit."""
        if self._least >= self._limit:
            return None
        ready = sum(1 << i for i, before in enumerate(self._before) if not before)
        first = _State(0, ready, self._start, self._start, -1, None)
        try:
            return self._over_all_sets(first, Work(_STEPS))
        except OutOfWork:
            pass
        try:
            return self._over_promising_sets(first, Work(_STEPS_OF_BEAM))
        except OutOfWork:
            return None

    def _over_all_sets(self, first: _State, work: Work) -> _State | None:
        """The order that needs least. Of sets that need as much, the largest is looked at first."""
        heap = [(self._least, 0, 0, first)]
        seen: set[int] = set()
        number = 0
        while heap:
            _, left, _, state = heapq.heappop(heap)
            if not state.ready:
                return state
            if state.done in seen:
                continue
            seen.add(state.done)
            for following in self._following(state, work):
                number += 1
                peak = max(following.peak, self._least)
                heapq.heappush(heap, (peak, left - 1, number, following))
        return None

    def _over_promising_sets(self, first: _State, work: Work) -> _State | None:
        """An order that needs little. Fewer sets are followed where more could come next."""
        expected = sum(len(d.uses) + 1 for d in self._demands) * first.ready.bit_count()
        width = min(_BEAM, max(1, work.left // expected))
        states = [first]
        for _ in self._demands:
            best: dict[int, _State] = {}
            for state in states:
                for following in self._following(state, work):
                    known = best.get(following.done)
                    if known is None or following.peak < known.peak:
                        best[following.done] = following
            states = sorted(best.values(), key=lambda s: (s.peak, s.live))[:width]
        return states[0] if states else None

    def _following(self, state: _State, work: Work) -> list[_State]:
        """What can run next. What frees as much as it takes, and sets no new peak, runs at once."""
        found = []
        for i in _bits(state.ready):
            work.take(len(self._demands[i].uses) + 1)
            need, live = self._demands[i].after(state.done, state.live)
            if need < self._limit:
                following = self._run(state, i, max(state.peak, need), live)
                if live <= state.live and need <= max(state.peak, self._least):
                    return [following]
                found.append(following)
        return found

    def _run(self, state: _State, unit: int, peak: int, live: int) -> _State:
        done = state.done | 1 << unit
        ready = state.ready & ~(1 << unit)
        for i in self._after[unit]:
            if self._before[i] & ~done == 0:
                ready |= 1 << i
        return _State(done, ready, peak, live, unit, state)


def _bits(number: int) -> Iterator[int]:
    """Positions of the bits that are set, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
