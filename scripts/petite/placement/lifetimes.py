# SPDX-License-Identifier: Apache-2.0
"""When buffers are in use, and which pairs of them may share bytes while both are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petite.ir.schedule import Buffer, KernelCall, Role, Schedule


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
    """The pairs that a kernel's contract lets overlap: an input that dies as an output is born."""
    by_buffer = {id(life.buffer): life for life in lives}
    found = []
    for number, call in enumerate(schedule.calls):
        if len(call.writes) != 1:
            continue  # no contract with several outputs lets any overlap
        output = by_buffer.get(id(call.write))
        if output is None or output.first != number:
            continue
        for source, distance in allowed(call):
            life = by_buffer.get(id(source))
            if life is not None and life.last == number:
                found.append(Overlap(source, call.write, distance))
    return found


def allowed(call: KernelCall) -> list[tuple[Buffer, int]]:
    """The inputs that a call's only output may overlap, if they die there; each with a distance."""
    found = []
    for source in {id(r.buffer): r.buffer for r in call.reads}.values():
        steps = [r.steps for r in call.reads if r.buffer is source]
        if source is not call.write and all(s is not None for s in steps):
            found.append((source, max(s.distance() for s in steps if s is not None)))
    return found
