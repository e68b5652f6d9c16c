# SPDX-License-Identifier: Apache-2.0
"""One table of a file, decoded, that knows where each of its fields came from."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from petite.errors import PetiteError
from petite.pte.faults import DAMAGED, fault
from petite.pte.schema import NumberVector, Table, TableVector

Scalar: TypeAlias = int | float | bool | str
#: What a field decodes to. None is an absent string, vector or table.
Content: TypeAlias = "Scalar | bytes | Record | tuple[int | float, ...] | tuple[Record, ...] | None"
_T = TypeVar("_T")

_OFFSET_WIDTH = 4


class Record:
    """The fields of one table, by name. The decoder fills it, and has checked all the types."""

    __slots__ = ("_contents", "_places", "at", "file", "path", "table")

    def __init__(self, table: Table, file: str, path: str, at: int) -> None:
        self.table = table
        self.file = file
        #: Where the table hangs in the tree, such as ``execution_plan[0].chains[0]``.
        self.path = path
        #: The table's own byte offset.
        self.at = at
        self._contents: dict[str, Content] = {}
        self._places: dict[str, int] = {}

    def put(self, name: str, content: Content, place: int) -> None:
        """Set a field that was found at a byte offset."""
        self._contents[name] = content
        self._places[name] = place

    def has(self, name: str) -> bool:
        """Whether the file holds the field, be it empty."""
        return self._contents.get(name) is not None

    def integer(self, name: str) -> int:
        """A number or enumeration."""
        return self._typed(name, int, 0)

    def real(self, name: str) -> float:
        """A double."""
        return self._typed(name, float, 0.0)

    def flag(self, name: str) -> bool:
        """A boolean."""
        return self._typed(name, bool, False)

    def text(self, name: str) -> str:
        """A string; empty where it is absent."""
        return self._typed(name, str, "")

    def blob(self, name: str) -> bytes:
        """A vector of bytes; empty where it is absent."""
        return self._typed(name, bytes, b"")

    def integers(self, name: str) -> tuple[int, ...]:
        """A vector of integers; empty where it is absent."""
        return self._typed(name, tuple, ())

    def reals(self, name: str) -> tuple[float, ...]:
        """A vector of doubles; empty where it is absent."""
        return self._typed(name, tuple, ())

    def records(self, name: str) -> tuple[Record, ...]:
        """A vector of tables; empty where it is absent."""
        return self._typed(name, tuple, ())

    def record(self, name: str) -> Record:
        """A table that is there."""
        content = self._contents[name]
        assert isinstance(content, Record)
        return content

    def optional(self, name: str) -> Record | None:
        """A table that may be absent."""
        return self.record(name) if self.has(name) else None

    def _typed(self, name: str, kind: type[_T], default: _T) -> _T:
        content = self._contents[name]
        if content is None:
            return default
        assert isinstance(content, kind)
        return content

    def fault(
        self, name: str, what: str, remedy: str = DAMAGED, index: int | None = None
    ) -> PetiteError:
        """An error at a field, or at one element of it."""
        path = f"{self.path}.{name}" if self.path else name
        place = self._places.get(name, self.at)
        if index is not None:
            path = f"{path}[{index}]"
            place += index * self._element_width(name)
        return fault(self.file, path, place, what, remedy)

    def _element_width(self, name: str) -> int:
        kind = next(field.type for field in self.table.fields if field.name == name)
        assert isinstance(kind, NumberVector | TableVector)
        return kind.element.width if isinstance(kind, NumberVector) else _OFFSET_WIDTH
