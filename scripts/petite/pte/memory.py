# SPDX-License-Identifier: Apache-2.0
"""Which value lies where in the memory that ExecuTorch planned.

ExecuTorch's planner elides views: two tensors that share their bytes are one buffer under two
names, with no instruction between them. Following the bytes, instead of the names, recovers the
dataflow whatever was elided, and shows which buffers are read before anything wrote them: those
are the mutable buffers, whose contents survive from call to call.
"""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir.graph import Value


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

    def __init__(self) -> None:
        self._contents: dict[Region, Value] = {}

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
