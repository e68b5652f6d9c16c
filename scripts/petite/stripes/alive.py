# SPDX-License-Identifier: Apache-2.0
"""How many bytes are in use at once while a region runs in stripes: an estimate, before any plan.

Bytes are counted from when they are written until they are read for the last time, as if all could
follow each other perfectly. Plans need a little more.
"""

from __future__ import annotations

from petite.ir.graph import Value
from petite.ir.schedule import Buffer
from petite.passes.lower import LoweredMethod
from petite.placement.lifetimes import lifetimes
from petite.stripes.cut import Cut, Part, Region
from petite.stripes.rows import cut_inputs, row_size


class Alive:
    """Of one method, as it is without stripes."""

    def __init__(self, method: LoweredMethod, *, keep_inputs: bool) -> None:
        self._method = method
        self._lives = lifetimes(method.schedule, keep_inputs=keep_inputs)
        self._by_buffer = {id(life.buffer): life for life in self._lives}
        self._numbers = {id(call): n for n, call in enumerate(method.schedule.calls)}

    def around(self, region: Region) -> int:
        """Bytes of what is in use all the time, for others."""
        own = {id(self._buffer(v)) for v in (*region.inner, region.last.output)}
        own |= {id(self._buffer(v)) for v in self._dying(region)}
        when = self._number(region)
        return sum(
            life.buffer.size
            for life in self._lives
            if life.first < when <= life.last and id(life.buffer) not in own
        )

    def most(self, cut: Cut) -> int:
        """The most of all parts."""
        counter = _Counter(cut, self._dying(cut.region))
        return max(
            counter.during(number) + self._scratch(part) for number, part in enumerate(cut.parts)
        )

    def _scratch(self, part: Part) -> int:
        calls = self._method.calls[part.op]
        return max(0 if call.scratch is None else call.scratch.size for call in calls)

    def _buffer(self, value: Value) -> Buffer:
        return self._method.context.ref(value).buffer

    def _number(self, region: Region) -> int:
        return self._numbers[id(self._method.calls[region.last][-1])]

    def _dying(self, region: Region) -> list[Value]:
        """Inputs that nobody reads after the region."""
        end = self._number(region)
        return [
            value
            for value in region.inputs
            if (life := self._by_buffer.get(id(self._buffer(value)))) and life.last <= end
        ]


class _Counter:
    """Bytes in use during each part of a cut."""

    def __init__(self, cut: Cut, dying: list[Value]) -> None:
        self._cut = cut
        self._axis = cut.region.axis
        self._inner = cut.region.inner
        self._dying = dying
        #: Of each value, the lowest row that a part or a later one reads; its end where none does.
        self._low = {v: self._lowest(v) for v in (*self._inner, *dying)}
        self._top = {v: self._highest(v) for v in (*self._inner, cut.region.last.output)}

    def _lowest(self, value: Value) -> list[int]:
        low = value.shape[self._axis]
        found = [low]
        for part in reversed(self._cut.parts):
            if any(v is value for v in cut_inputs(part.op)):
                low = min(low, part.read.start)
            found.append(low)
        return found[::-1]

    def _highest(self, value: Value) -> list[int]:
        top = 0
        found = []
        for part in self._cut.parts:
            if part.op.output is value:
                top = part.rows.stop
            found.append(top)
        return found

    def during(self, number: int) -> int:
        """Bytes read in this part or later, and bytes written until its end."""
        in_use = 0
        for value in self._dying:
            rows = value.shape[self._axis] - self._low[value][number]
            in_use += rows * row_size(value, self._axis)
        for value in self._inner:
            rows = self._top[value][number] - self._low[value][number]
            in_use += max(0, rows) * row_size(value, self._axis)
        output = self._cut.region.last.output
        in_use += self._top[output][number] * row_size(output, self._axis)
        return in_use - self._in_place(number)

    def _in_place(self, number: int) -> int:
        """Bytes that an operator which works in place does not need a second time."""
        part = self._cut.parts[number]
        if part.read != part.rows:
            return 0
        size = part.rows.count * row_size(part.op.output, self._axis)
        gone = [
            (self._low[v][number + 1] - self._low[v][number]) * row_size(v, self._axis)
            for v in cut_inputs(part.op)
            if v in self._low
        ]
        return min(size, max(gone, default=0))
