# SPDX-License-Identifier: Apache-2.0
"""How much memory calls need, depending on which others have run before.

Buffers are known by the units that use them, and sets of units are the bits of a number. Sizes are
in units of ``ALIGNMENT`` bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir.schedule import Buffer, Role, Schedule
from petite.placement.lifetimes import allowed
from petite.placement.precedence import Unit
from petite.placement.problem import most_shared, units


@dataclass(frozen=True)
class _Use:
    """A buffer that more than one unit uses, or the application."""

    size: int
    users: int
    #: Written by the application before the first unit, or read by it after the last one.
    from_start: bool
    to_end: bool

    def is_born(self, done: int) -> bool:
        """Whether whoever comes after these units is the first to use it."""
        return not self.from_start and not self.users & done

    def is_dead(self, done: int) -> bool:
        """Whether nobody uses it after these units."""
        return not self.to_end and not self.users & ~done


@dataclass(frozen=True)
class Demand:
    """What one unit needs."""

    bit: int
    uses: tuple[_Use, ...]
    #: What nobody else uses.
    own: int
    output: _Use | None
    #: The inputs that the output may overlap, each with its distance.
    overlapped: tuple[tuple[_Use, int], ...]

    def after(self, done: int, live: int) -> tuple[int, int]:
        """What is in use while it runs, and then, if ``live`` is in use after the units before."""
        after = done | self.bit
        born = dead = 0
        for use in self.uses:
            if use.is_born(done):
                born += use.size
            if use.is_dead(after):
                dead += use.size
        need = live + born
        return need + self.own - self._shared(done), need - dead

    def _shared(self, done: int) -> int:
        if self.output is None or not self.output.is_born(done):
            return 0
        dying = [(u.size, d) for u, d in self.overlapped if u.is_dead(done | self.bit)]
        return most_shared(self.output.size, dying)

    def least(self) -> int:
        """What it needs if nothing else is in use, and nobody reads its inputs again."""
        shared = 0
        if self.output is not None:
            inputs = [(use.size, distance) for use, distance in self.overlapped if not use.to_end]
            shared = most_shared(self.output.size, inputs)
        return sum(use.size for use in self.uses) + self.own - shared


@dataclass(frozen=True)
class Demands:
    """What all units of a method need."""

    units: list[Demand]
    uses: tuple[_Use, ...]

    def in_use(self, done: int) -> int:
        """What is in use between these units and all others."""
        return sum(u.size for u in self.uses if not (u.is_born(done) or u.is_dead(done)))

    def least(self, last: list[Demand]) -> int:
        """No order needs less. ``last`` are the units of which one runs after all others."""
        everything = (1 << len(self.units)) - 1
        ends = []
        for unit in last:
            others = everything ^ unit.bit
            ends.append(unit.after(others, self.in_use(others))[0])
        needs = [self.in_use(0), *(unit.least() for unit in self.units)]
        return max(*needs, min(ends, default=0))


def demands_of(schedule: Schedule, groups: list[Unit], *, keep_inputs: bool) -> Demands:
    """What each unit needs of what it shares with others."""
    uses = _uses(schedule, groups, keep_inputs)
    demands = []
    for number, unit in enumerate(groups):
        used = {id(b): uses[id(b)] for b in (*unit.reads, *unit.writes) if id(b) in uses}
        output, overlapped = _overlapped(unit, uses)
        demand = Demand(1 << number, tuple(used.values()), _own(unit, uses), output, overlapped)
        demands.append(demand)
    return Demands(demands, tuple(uses.values()))


def _uses(schedule: Schedule, groups: list[Unit], keep_inputs: bool) -> dict[int, _Use]:
    """By identity of buffer, all that several units use, or the application."""
    users: dict[int, int] = {}
    buffers: dict[int, Buffer] = {}
    inputs = {id(port.ref.buffer) for port in schedule.inputs}
    outputs = {id(port.ref.buffer) for port in schedule.outputs}
    for port in (*schedule.inputs, *schedule.outputs):
        buffers[id(port.ref.buffer)] = port.ref.buffer
    for number, unit in enumerate(groups):
        for buffer in (*unit.reads, *unit.writes):
            buffers[id(buffer)] = buffer
            users[id(buffer)] = users.get(id(buffer), 0) | 1 << number
    found = {}
    for key, buffer in buffers.items():
        bits = users.get(key, 0)
        shared = bits & (bits - 1) or key in inputs or key in outputs
        if shared and _is_planned(buffer):
            kept = key in outputs or (keep_inputs and key in inputs)
            found[key] = _Use(units(max(buffer.size, 1)), bits, key in inputs, kept)
    return found


def _is_planned(buffer: Buffer) -> bool:
    return buffer.role in (Role.INPUT, Role.ACTIVATION)


def _overlapped(
    unit: Unit, uses: dict[int, _Use]
) -> tuple[_Use | None, tuple[tuple[_Use, int], ...]]:
    """The output and what it may overlap, where the unit is one call that has such a contract."""
    call = unit.calls[0]
    output = uses.get(id(call.writes[0])) if len(unit.calls) == len(call.writes) == 1 else None
    if output is None:
        return None, ()
    inputs = [
        (uses[id(source)], min(units(distance), output.size))
        for source, distance in allowed(call)
        if id(source) in uses
    ]
    return output, tuple(inputs)


def _own(unit: Unit, uses: dict[int, _Use]) -> int:
    """Most that is in use at once of what only this unit uses."""
    last: dict[int, tuple[int, int]] = {}
    first: dict[int, int] = {}
    for number, call in enumerate(unit.calls):
        scratch = [] if call.scratch is None else [call.scratch]
        for buffer in (*(r.buffer for r in call.reads), *call.writes, *scratch):
            if id(buffer) not in uses and _is_planned(buffer):
                first.setdefault(id(buffer), number)
                last[id(buffer)] = (number, units(max(buffer.size, 1)))
    return max(
        sum(size for key, (end, size) in last.items() if first[key] <= number <= end)
        for number in range(len(unit.calls))
    )
