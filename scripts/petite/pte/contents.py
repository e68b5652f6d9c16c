# SPDX-License-Identifier: Apache-2.0
"""What a method's tensors and numbers are at one point of its instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from petite.ir.graph import Value
from petite.pte.memory import Join, PlannedMemory
from petite.pte.program import Value as FileValue


@dataclass
class Contents:
    """Changes from instruction to instruction; each side of a branch has its own."""

    memory: PlannedMemory = field(default_factory=PlannedMemory)
    #: Tensors that no memory was planned for, by value index.
    unplanned: dict[int, Value] = field(default_factory=dict)
    #: Numbers that instructions have set; None where it depends on a branch which.
    scalars: dict[int, FileValue | None] = field(default_factory=dict)
    #: Rows that a loop has put into a tensor.
    rows: dict[int, tuple[Value, ...]] = field(default_factory=dict)

    def copy(self) -> Contents:
        """The same, apart from what changes from now on."""
        return Contents(
            self.memory.copy(), dict(self.unplanned), dict(self.scalars), dict(self.rows)
        )

    def join(self, other: Contents, join: Join, file: Sequence[FileValue]) -> Contents:
        """What is known after one of two paths was taken. ``file`` has the first numbers."""
        unplanned = {}
        for index in sorted(self.unplanned.keys() | other.unplanned.keys()):
            a, b = self.unplanned.get(index), other.unplanned.get(index)
            unplanned[index] = a if a is not None and a is b else join(a, b)
        scalars = {}
        for index in sorted(self.scalars.keys() | other.scalars.keys()):
            number = self.scalars.get(index, file[index])
            same = number == other.scalars.get(index, file[index])
            scalars[index] = number if same else None
        # A loop is on one side as a whole, so its rows are joined as the tensor that they make.
        return Contents(
            self.memory.join(other.memory, join), unplanned, scalars, other.rows | self.rows
        )
