# SPDX-License-Identifier: Apache-2.0
"""Chooses which regions run in stripes: those that make the arena smaller for little flash.

A byte of flash has to save at least five of the arena, and all stripes together may not move more
than two percent more bytes. Only what the size of the arena depends on is worth it: the calls that
need most, in the method that needs most. The best region is cut, and the next looked for, until no
other saves anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from petite.ir.graph import Value
from petite.ir.ops import Op
from petite.ir.schedule import KernelCall, Schedule
from petite.passes.lower import MAX_STEPS, LoweredMethod
from petite.placement.lifetimes import lifetimes, overlaps
from petite.placement.model import place_model, plan_method
from petite.placement.planner import aligned, quick_size
from petite.placement.problem import ALIGNMENT, Problem
from petite.stripes.alive import Alive
from petite.stripes.cost import flash_of, flash_of_parts, parameter_bytes, traffic
from petite.stripes.cut import Cut, Region, cut
from petite.stripes.emit import Owned, calls_of, runs_same_kernels, spliced
from petite.stripes.regions import regions_of

#: Bytes of the arena that a byte of flash has to save.
WORTH = 5
#: Most that the bytes which a method moves may grow by: one part in so many.
_SHARE = 50
#: Most cuts that are lowered and placed for one step of the search, and most steps.
_TRIED = 24
_STEPS = 8


@dataclass(frozen=True)
class Striped:
    """What runs in stripes, and why."""

    method: str
    cuts: tuple[Cut, ...]
    #: Arena without, and with the stripes; bytes of flash that they take, estimated.
    before: int
    after: int
    flash: int


def use_stripes(methods: list[LoweredMethod], *, keep_inputs: bool) -> list[Striped]:
    """Cut regions of the methods that need most, one method after the other, in place."""
    sizes = {m.schedule.name: quick_size(m.schedule, keep_inputs=keep_inputs) for m in methods}
    found = []
    for method in sorted(methods, key=lambda m: -sizes[m.schedule.name]):
        name = method.schedule.name
        others = max((size for other, size in sizes.items() if other != name), default=0)
        striped = _Search(method, keep_inputs, others).run()
        if striped is None:
            break
        found.append(striped)
        sizes[name] = striped.after
    return found


@dataclass(frozen=True)
class _State:
    """Cuts, and what a method's calls with them cost."""

    cuts: tuple[Cut, ...]
    owned: list[Owned]
    size: int
    flash: int
    traffic: int

    @property
    def calls(self) -> list[KernelCall]:
        """In order."""
        return [entry.call for entry in self.owned]


@dataclass(frozen=True)
class _Look:
    """What a cut needs at least, and what it costs, both estimated."""

    cut: Cut
    need: int
    flash: int


class _Search:
    def __init__(self, method: LoweredMethod, keep_inputs: bool, others: int) -> None:
        self._method = method
        self._keep_inputs = keep_inputs
        #: What other methods need: below that nothing is gained.
        self._others = others
        self._regions = list(regions_of(method))
        self._alive = Alive(method, keep_inputs=keep_inputs)
        self._looks: dict[tuple[Region, int], _Look | None] = {}
        self._emitted: dict[tuple[Region, int], list[Owned]] = {}

    def run(self) -> Striped | None:
        """Stripes for the method, if they are worth it; its schedule then has them."""
        schedule = self._method.schedule
        if not self._candidates(self._state(())):
            return None
        # Its calls in their best order, and its size with slides, which whole layers may have too.
        plan_method(schedule, keep_inputs=self._keep_inputs)
        whole = place_model([replace(schedule)], keep_inputs=self._keep_inputs)
        first = state = self._state((), whole.arena_size)
        for _ in range(_STEPS):
            following = self._step(first, state)
            if following is None:
                break
            state = following
        if not state.cuts:
            return None
        schedule.calls = state.calls
        return Striped(schedule.name, state.cuts, first.size, state.size, state.flash - first.flash)

    def _state(self, cuts: tuple[Cut, ...], size: int | None = None) -> _State:
        owned = spliced(self._method, {c.region.last: self._emit(c) for c in cuts}, cuts)
        calls = [entry.call for entry in owned]
        if size is None:
            size = quick_size(self._with(calls), keep_inputs=self._keep_inputs)
        return _State(cuts, owned, max(size, self._others), flash_of(calls), traffic(calls))

    def _emit(self, made: Cut) -> list[Owned]:
        key = (made.region, made.height)
        if key not in self._emitted:
            self._emitted[key] = calls_of(self._method, made)
        return self._emitted[key]

    def _with(self, calls: list[KernelCall]) -> Schedule:
        return replace(self._method.schedule, calls=calls)

    def _step(self, first: _State, state: _State) -> _State | None:
        """The best cut more, or instead of those that it shares operators with."""
        best: _State | None = None
        start = gain = _gain(first, state)
        for possible, candidate in self._candidates(state)[:_TRIED]:
            if start + possible <= gain:
                break
            if not runs_same_kernels(self._method, self._emit(candidate)):
                continue
            own = set(candidate.region.ops)
            kept = [c for c in state.cuts if own.isdisjoint(c.region.ops)]
            tried = self._state((*kept, candidate))
            moves_more = (tried.traffic - first.traffic) * _SHARE > first.traffic
            if moves_more or len(tried.calls) > MAX_STEPS:
                continue
            if tried.size < state.size and _gain(first, tried) > gain:
                best, gain = tried, _gain(first, tried)
        return best

    def _candidates(self, state: _State) -> list[tuple[int, Cut]]:
        """Cuts with what they could gain at most, the most first."""
        loads = _Loads(self._method, self._with(state.calls), state, self._keep_inputs)
        found = []
        for region in self._regions:
            replaced = {*region.ops}
            for c in state.cuts:
                if not replaced.isdisjoint(c.region.ops):
                    replaced |= {*c.region.ops}
            floor = max(loads.outside(replaced, region.inner), self._others)
            if floor < state.size:
                found += self._worthwhile(region, state.size, floor)
        return sorted(found, key=lambda entry: -entry[0])

    def _worthwhile(self, region: Region, size: int, floor: int) -> list[tuple[int, Cut]]:
        found = []
        for height in _heights(region):
            if size - floor - WORTH * self._least_flash(region, height) <= 0:
                break
            looked_at = self._look_at(region, height)
            if looked_at is not None:
                possible = size - max(looked_at.need, floor) - WORTH * looked_at.flash
                if possible > 0:
                    found.append((possible, looked_at.cut))
        return found

    def _least_flash(self, region: Region, height: int) -> int:
        """Without a look at the rows; more for smaller heights."""
        calls = [call for op in region.ops for call in self._method.calls[op]]
        each = sum(map(parameter_bytes, calls))
        return each * (-(-region.last.output.shape[region.axis] // height) - 1)

    def _look_at(self, region: Region, height: int) -> _Look | None:
        key = (region, height)
        if key not in self._looks:
            made = cut(region, height)
            self._looks[key] = None if made is None else self._estimate(made)
        return self._looks[key]

    def _estimate(self, made: Cut) -> _Look:
        need = self._alive.around(made.region) + self._alive.most(made)
        return _Look(made, need, flash_of_parts(made, self._method.calls))


class _Loads:
    """What the calls of a state need."""

    def __init__(
        self, method: LoweredMethod, schedule: Schedule, state: _State, keep_inputs: bool
    ) -> None:
        self._method = method
        lives = lifetimes(schedule, keep_inputs=keep_inputs)
        self._lives = {id(life.buffer): life for life in lives}
        self._loads = Problem(lives, overlaps(schedule, lives)).loads() * ALIGNMENT
        self._owners = [None, *(entry.op for entry in state.owned), None]

    def outside(self, replaced: set[Op], gone: list[Value]) -> int:
        """Most that any call needs that is not of these operators, without these values."""
        loads = self._loads.copy()
        for value in gone:
            # A Concat's output may be there before its last part is computed.
            life = self._lives.get(id(self._method.context.ref(value).buffer))
            if life is not None:
                loads[life.first + 1 : life.last + 2] -= aligned(life.buffer.size)
        owned = zip(self._owners, loads, strict=False)
        return max((int(load) for op, load in owned if op not in replaced), default=0)


def _gain(first: _State, state: _State) -> int:
    return first.size - state.size - WORTH * (state.flash - first.flash)


def _heights(region: Region) -> list[int]:
    """Rows of a stripe that make different numbers of stripes, at least two."""
    length = region.last.output.shape[region.axis]
    return list(dict.fromkeys(-(-length // stripes) for stripes in range(2, length + 1)))
