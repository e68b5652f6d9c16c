# SPDX-License-Identifier: Apache-2.0
"""When buffers are in use, and which pairs of them may share bytes while both are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petite.ir.schedule import Buffer, KernelCall, Read, Role, Schedule


@dataclass(eq=False)
class Lifetime:
    """A buffer is in use from call ``first`` to call ``last``, both included.

    Call -1 is the application's: it writes the inputs then. The call after the last one is the
    application's too: it reads the outputs then.
    """

    buffer: Buffer
    first: int
    last: int

    def meets(self, other: Lifetime) -> bool:
        """Whether both are in use during some call."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True)
class Overlap:
    """``output`` may start at or below ``input``'s start minus ``distance``."""

    input: Buffer
    output: Buffer
    distance: int


def lifetimes(schedule: Schedule, *, keep_inputs: bool) -> list[Lifetime]:
    """Lifetimes of all buffers that live within a call (not states, not constants)."""
    found: dict[int, Lifetime] = {}
    end = len(schedule.calls)

    def use(buffer: Buffer, when: int) -> None:
        if buffer.role in (Role.INPUT, Role.ACTIVATION):
            life = found.setdefault(id(buffer), Lifetime(buffer, when, when))
            life.first, life.last = min(life.first, when), max(life.last, when)

    for port in schedule.inputs:
        use(port.ref.buffer, -1)
        if keep_inputs:
            use(port.ref.buffer, end)
    for number, call in enumerate(schedule.calls):
        for buffer in call.writes:
            use(buffer, number)
        if call.scratch is not None:
            use(call.scratch, number)
        for read in call.reads:
            use(read.buffer, number)
    for port in schedule.outputs:
        use(port.ref.buffer, end)
    return list(found.values())


def meetings(lives: list[Lifetime]) -> Iterator[tuple[int, int]]:
    """Positions of each two lifetimes that meet, each pair once."""
    going: list[int] = []
    for i in sorted(range(len(lives)), key=lambda i: lives[i].first):
        going = [j for j in going if lives[j].last >= lives[i].first]
        yield from ((j, i) for j in going)
        going.append(i)


def overlaps(schedule: Schedule, lives: list[Lifetime]) -> list[Overlap]:
    """The pairs that may overlap: an output that follows what is read of an input.

    Mostly that is one call's output and an input that dies there. Calls that work in stripes leave
    an input behind row by row, which all that is born meanwhile may follow.
    """
    users = _users(schedule)
    born: dict[int, list[Lifetime]] = {}
    for life in lives:
        born.setdefault(life.first, []).append(life)
    found = []
    for source in lives:
        if source.last >= len(schedule.calls):
            continue
        for number in range(_left_behind_from(schedule, source, users), source.last + 1):
            for output in born.get(number, ()):
                distance = _distance(schedule, source, output, users)
                if distance is not None and distance < output.buffer.size:
                    found.append(Overlap(source.buffer, output.buffer, distance))
    return found


_Users = dict[int, list[int]]


def _users(schedule: Schedule) -> _Users:
    """By identity of buffer, the calls that read or write it, in ascending order."""
    found: _Users = {}
    for number, call in enumerate(schedule.calls):
        for key in {id(b) for b in (*(r.buffer for r in call.reads), *call.writes)}:
            found.setdefault(key, []).append(number)
    return found


def _left_behind_from(schedule: Schedule, life: Lifetime, users: _Users) -> int:
    """The first call after which nobody reads a buffer's start, nor writes it."""
    for number in reversed(users.get(id(life.buffer), [])):
        call = schedule.calls[number]
        starts = [r.start for r in call.reads if r.buffer is life.buffer]
        if not starts:
            return number + 1
        if min(starts) == 0:
            return max(number, life.first + 1)
    return life.first + 1


def _distance(schedule: Schedule, source: Lifetime, output: Lifetime, users: _Users) -> int | None:
    """How far the output must start below the input; None where no contract covers a call."""
    low: int | None = None
    distances: list[int] = []
    for number in sorted(
        {*users[id(source.buffer)], *users.get(id(output.buffer), ())}, reverse=True
    ):
        if not output.first <= number <= source.last:
            continue
        call = schedule.calls[number]
        reads = [r for r in call.reads if r.buffer is source.buffer]
        if any(b is output.buffer for b in call.writes):
            if len(call.writes) != 1:
                return None
            # Before what is read later, and while this call reads.
            distances += [] if low is None else [call.write_end - low]
            distances += [_within(call, read) for read in reads]
        starts = [r.start for r in reads] if low is None else [low, *(r.start for r in reads)]
        low = min(starts, default=None)
    return max(distances, default=None)


def _within(call: KernelCall, read: Read) -> int:
    """The distance that a call's contract asks for; without one, what is read lies above all that
    is written."""
    return call.write_end - read.start if read.steps is None else read.steps.distance()


def allowed(call: KernelCall) -> list[tuple[Buffer, int]]:
    """The inputs that a call's only output may overlap, if they die there; each with a distance."""
    found = []
    for source in {id(r.buffer): r.buffer for r in call.reads}.values():
        steps = [r.steps for r in call.reads if r.buffer is source]
        if source is not call.write and all(s is not None for s in steps):
            found.append((source, max(s.distance() for s in steps if s is not None)))
    return found
