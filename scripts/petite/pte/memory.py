# SPDX-License-Identifier: Apache-2.0
"""Which value lies where in the memory that ExecuTorch planned.

ExecuTorch's planner elides views: two tensors that share their bytes are one buffer under two
names, with no instruction between them. Following the bytes, instead of the names, recovers the
dataflow whatever was elided, and shows which buffers are read before anything wrote them: those
are the mutable buffers, whose contents survive from call to call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from petite.ir.graph import Value

#: What two paths leave, where they differ; None is what a path does not know of.
Join = Callable[[Value | None, Value | None], Value]


@dataclass(frozen=True)
class Region:
    """Bytes [start, end) of one planned memory."""

    memory: int
    start: int
    end: int

    def overlaps(self, other: Region) -> bool:
        """Whether the two share a byte."""
        return self.memory == other.memory and self.start < other.end and other.start < self.end


class PlannedMemory:
    """The newest value of each region."""

    def __init__(self, contents: dict[Region, Value] | None = None) -> None:
        self._contents = {} if contents is None else contents

    def copy(self) -> PlannedMemory:
        """The same contents, apart from what is written from now on."""
        return PlannedMemory(dict(self._contents))

    def add(self, region: Region, value: Value) -> None:
        """Put a value that was there from the start, unless something was written since."""
        if not any(r.overlaps(region) for r in self._contents):
            self._contents[region] = value

    def join(self, other: PlannedMemory, join: Join) -> PlannedMemory:
        """What lies where after one of two paths was taken."""
        contents = {}
        for region, value in self._contents.items():
            second = other._contents.get(region)
            contents[region] = value if second is value else join(value, second)
        for region, value in other._contents.items():
            if not any(r.overlaps(region) for r in contents):
                contents[region] = join(None, value)
        return PlannedMemory(contents)

    def write(self, region: Region, value: Value) -> None:
        """Put a value; whatever it overlaps is gone."""
        if region.start == region.end:
            return
        for other in [r for r in self._contents if r.overlaps(region)]:
            del self._contents[other]
        self._contents[region] = value

    def read(self, region: Region) -> Value | None:
        """The value that fills exactly this region, or None where nothing wrote any of it.

        Raises LookupError where the bytes belong to another value in part.
        """
        value = self._contents.get(region)
        if value is None and any(r.overlaps(region) for r in self._contents):
            raise LookupError("the bytes belong to parts of other tensors")
        return value
