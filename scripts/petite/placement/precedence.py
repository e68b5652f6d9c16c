# SPDX-License-Identifier: Apache-2.0
"""Which calls of a method must stay before which others, whatever order is chosen.

A call is free to move as long as every byte that anybody reads was written by the same call as
before. Beyond what bytes demand: the sides of a branch stay whole, calls of the application keep
their order, because nobody knows what else they do, and states are written last, so that a run that
fails leaves them as they were.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petite.ir.schedule import Buffer, KernelCall, Ref, Role, Schedule


@dataclass(frozen=True)
class Unit:
    """Calls that stay together: one, or a branch step with all that it may skip."""

    calls: tuple[KernelCall, ...]

    @property
    def reads(self) -> list[Buffer]:
        """What it reads, each once."""
        return list({id(r.buffer): r.buffer for c in self.calls for r in c.reads}.values())

    @property
    def writes(self) -> list[Buffer]:
        """What it writes, each once."""
        return list({id(b): b for c in self.calls for b in c.writes}.values())


def units_of(schedule: Schedule) -> list[Unit]:
    """The method's calls in their present order, as units."""
    found = []
    position = 0
    while position < len(schedule.calls):
        skip = schedule.calls[position].fields.get("skip", 0)
        end = position + 1
        if schedule.calls[position].kernel == "branch":
            assert isinstance(skip, int)
            end += skip
        found.append(Unit(tuple(schedule.calls[position:end])))
        position = end
    return found


def predecessors(units: list[Unit]) -> list[set[int]]:
    """Of each unit, the positions of those that must come before it."""
    before: list[set[int]] = [set() for _ in units]
    for earlier, later in (*_by_bytes(units), *_by_effects(units)):
        before[later].add(earlier)
    return before


def _by_bytes(units: list[Unit]) -> Iterator[tuple[int, int]]:
    """Readers come after the writers that they came after, and before the next ones."""
    writers: dict[int, list[int]] = {}
    readers: dict[int, list[int]] = {}
    for number, unit in enumerate(units):
        for buffer in unit.reads:
            yield from ((writer, number) for writer in writers.get(id(buffer), ()))
            readers.setdefault(id(buffer), []).append(number)
        for buffer in unit.writes:
            yield from ((r, number) for r in readers.get(id(buffer), ()) if r != number)
            for writer in writers.setdefault(id(buffer), []):
                if not _are_apart(units[writer], unit):
                    yield writer, number
            writers[id(buffer)].append(number)


def _are_apart(first: Unit, second: Unit) -> bool:
    """Whether two writers of a buffer certainly write to different bytes: parts of a Concat."""
    spans = []
    for unit in (first, second):
        (call, *others) = unit.calls
        target = call.fields.get("output")
        if others or call.kernel != "copy_blocks" or not isinstance(target, Ref):
            return False
        stride, size, count = (call.fields[key] for key in ("output_stride", "block_size", "count"))
        assert isinstance(stride, int) and isinstance(size, int) and isinstance(count, int)
        spans.append((stride, count, target.offset, target.offset + size))
    (stride, count, low, high), (other_stride, other_count, other_low, other_high) = spans
    alike = (stride, count) == (other_stride, other_count)
    within = max(high, other_high) - min(low, other_low) <= stride
    return alike and within and (high <= other_low or other_high <= low)


def _by_effects(units: list[Unit]) -> Iterator[tuple[int, int]]:
    """The order of what more than bytes depends on."""
    writes_state = [any(b.role is Role.STATE for b in unit.writes) for unit in units]
    calls_out = [any(c.kernel == "call_operator" for c in unit.calls) for unit in units]
    last_call = last_state = None
    for number, unit in enumerate(units):
        if unit.calls[0].kernel == "require_bound":
            yield from ((number, later) for later in range(number + 1, len(units)))
        if calls_out[number]:
            if last_call is not None:
                yield last_call, number
            last_call = number
        if writes_state[number]:
            yield from ((other, number) for other in range(len(units)) if not writes_state[other])
            if last_state is not None:
                yield last_state, number
            last_state = number
