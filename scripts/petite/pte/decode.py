# SPDX-License-Identifier: Apache-2.0
"""Tables from bytes, with every offset, size, type and string verified on the way.

The format allows many offsets to point at one object. A file made to hurt could use that to cost
time and memory without bound, so the bytes visited are counted, and a file that would have more of
them visited than a small multiple of its own length is refused. Nesting is bounded by the field
map, which has no cycles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flatbuffers import encode, number_types

from petite.errors import PetiteError
from petite.pte.container import Container
from petite.pte.faults import DAMAGED, REEXPORT, fault
from petite.pte.record import Content, Record
from petite.pte.schema import (
    BOOL,
    BYTE,
    INT32,
    UINT16,
    UINT32,
    Enumeration,
    Field,
    FieldType,
    Number,
    NumberVector,
    Table,
    TableVector,
    Text,
    Union,
)

#: How often each byte of a file may be visited on average. ExecuTorch shares no objects but
#: vtables, which makes it at most 1.
_MOST_VISITS = 2
_OFFSET_WIDTH = UINT32.width
_VTABLE_HEAD = 4


def decode(container: Container, table: Table) -> Record:
    """The root table and all below it; PetiteError at the first byte that is wrong."""
    decoder = _Decoder(container)
    root = decoder.read_table(table, container.root, "")
    if container.has_header:
        return root  # the header gave the length
    decoder.check_end()
    return root


@dataclass(frozen=True)
class _Layout:
    """A table that has been found, its fields not read yet."""

    table: Table
    at: int
    slots: tuple[int, ...]  #: offset of each field in it; 0 where it is absent


class _Decoder:
    """Reads one file's tables. Every method raises PetiteError where something is wrong."""

    def __init__(self, container: Container) -> None:
        self.file = container.file
        self.data = container.tables
        self.size = len(container.tables)
        self.first = container.first_table
        self.visits_left = _MOST_VISITS * self.size
        self.alignment = _OFFSET_WIDTH
        self.texts: dict[int, str] = {}
        self.vtables: dict[int, tuple[int, ...]] = {}

    def fault(self, path: str, at: int, what: str, remedy: str = DAMAGED) -> PetiteError:
        return fault(self.file, path, at, what, remedy)

    def check_end(self) -> None:
        """See whether padding at the end is missing.

        A complete buffer is a multiple of the strictest alignment of anything in it.
        """
        if self.size % self.alignment:
            raise self.fault(
                "file length",
                self.size,
                f"the tables take {self.size} bytes, which is not a multiple of {self.alignment}",
            )

    def visit(self, path: str, at: int, length: int) -> None:
        """Account for an object; the caller has checked its start, not its end."""
        if at + length > self.size:
            raise self.fault(
                path, at, f"takes {length} bytes, but the tables end at byte {self.size}"
            )
        self.visits_left -= length
        if self.visits_left < 0:
            raise self.fault(path, at, "too many offsets point at the same bytes")

    def read_number(self, number: Number, at: int, path: str) -> Any:
        """A number whose bytes are known to be inside the tables."""
        if at % number.width:
            raise self.fault(path, at, f"is not aligned to {number.width} bytes")
        self.alignment = max(self.alignment, number.width)
        if number is BOOL and self.data[at] > 1:
            raise self.fault(path, at, f"is {self.data[at]}, but a boolean is 0 or 1")
        return number.flags.py_type(encode.Get(number.flags.packer_type, self.data, at))

    def follow(self, at: int, path: str) -> int:
        """Where the offset at ``at`` points: aligned, with room for four bytes."""
        offset = int(self.read_number(UINT32, at, path))
        target = at + offset
        if offset == 0 or target % _OFFSET_WIDTH or target + _OFFSET_WIDTH > self.size:
            raise self.fault(
                path,
                at,
                f"offset {offset} leads to byte {target}, which is not an aligned place "
                f"before the end of the tables at byte {self.size}",
            )
        return target

    def read_table(self, table: Table, at: int, path: str) -> Record:
        """The table at an aligned byte with room for four bytes."""
        layout = self.read_layout(table, at, path)
        record = Record(table, self.file, path, at)
        for field in table.fields:
            place = f"{path}.{field.name}" if path else field.name
            content, start = self.read_field(layout, field, place)
            record.put(field.name, content, start)
        return record

    def read_layout(self, table: Table, at: int, path: str) -> _Layout:
        """Where the table at ``at`` has its fields, from its vtable."""
        name = path or "root table"
        start = at - int(self.read_number(INT32, at, name))
        if start not in self.vtables:
            self.vtables[start] = self.read_vtable(start, at, name)
        slots = self.vtables[start]
        if len(slots) > table.slots:
            raise self.fault(
                name,
                start + _VTABLE_HEAD + 2 * (len(slots) - 1),
                f"slot {len(slots) - 1} is set, but this reader knows {table.slots} slots of a "
                f"{table.name}: the file comes from a newer ExecuTorch, or is damaged",
                REEXPORT,
            )
        self.visit(name, at, _OFFSET_WIDTH)
        return _Layout(table, at, slots)

    def read_vtable(self, start: int, at: int, path: str) -> tuple[int, ...]:
        """The offset of each slot in the table at ``at``; 0 where it is absent.

        Slots at the end that are absent are dropped. The vtable also holds the table's size,
        which cannot be relied upon: the Python library that ExecuTorch writes files with lets
        tables of different sizes share a vtable where their slots agree. Fields are checked
        against the end of all tables instead.
        """
        if start % 2 or not self.first <= start <= self.size - _VTABLE_HEAD:
            raise self.fault(
                path,
                at,
                f"its vtable would be at byte {start}, which is not an even place in bytes "
                f"{self.first} to {self.size}",
            )
        length = int(self.read_number(UINT16, start, path))
        size = int(self.read_number(UINT16, start + 2, path))
        if length < _VTABLE_HEAD or length % 2:
            raise self.fault(path, start, f"a vtable cannot have {length} bytes")
        if size < _OFFSET_WIDTH:
            raise self.fault(path, start + 2, f"a table cannot have {size} bytes")
        self.visit(f"{path} (vtable)", start, length)
        slots = self.read_numbers(UINT16, start + _VTABLE_HEAD, (length - _VTABLE_HEAD) // 2)
        while slots and slots[-1] == 0:
            slots.pop()
        return tuple(slots)

    def read_field(self, layout: _Layout, field: Field, path: str) -> tuple[Content, int]:
        """What one field holds, and the byte where that is."""
        kind: FieldType | None = field.type
        number = kind.number if isinstance(kind, Enumeration) else kind
        width = number.width if isinstance(number, Number) else _OFFSET_WIDTH
        place = self.place_of(layout, field.slot, width, path)
        if isinstance(kind, Union):
            kind = self.read_tag(layout, field.slot - 1, kind, path)
        if kind is not None and place is not None:
            return self.read_content(kind, place, path)
        if kind is None and place is not None:
            raise self.fault(path, place, "is set, but its type is none")
        if field.required or (isinstance(field.type, Union) and kind is not None):
            raise self.fault(path, layout.at, f"is missing from the {layout.table.name}")
        absent = number.flags.py_type(0) if isinstance(number, Number) else None
        return absent, layout.at

    def place_of(self, layout: _Layout, slot: int, width: int, path: str) -> int | None:
        """The byte where a slot's field is, or None where it is absent."""
        offset = layout.slots[slot] if slot < len(layout.slots) else 0
        if offset == 0:
            return None
        place = layout.at + offset
        if offset < _OFFSET_WIDTH:
            raise self.fault(path, layout.at, f"would be {offset} bytes into its table")
        self.visit(path, place, width)
        return place

    def read_tag(self, layout: _Layout, slot: int, union: Union, path: str) -> Table | None:
        """Which member a union is; None where it is none."""
        path = f"{path}_type"
        place = self.place_of(layout, slot, BYTE.width, path)
        tag = 0 if place is None else int(self.read_number(BYTE, place, path))
        if tag > len(union.members):
            raise self.fault(
                path,
                layout.at if place is None else place,
                f"is {tag}, but {union.name} has {len(union.members)} types in this reader",
                f"the file is damaged, or from a newer ExecuTorch: {REEXPORT}",
            )
        return None if tag == 0 else union.members[tag - 1]

    def read_content(self, kind: FieldType, place: int, path: str) -> tuple[Content, int]:
        """What a present field holds, and the byte where that is."""
        if isinstance(kind, Number):
            return self.read_number(kind, place, path), place
        if isinstance(kind, Enumeration):
            return self.read_enumeration(kind, place, path), place
        target = self.follow(place, path)
        if isinstance(kind, Table):
            return self.read_table(kind, target, path), target
        if isinstance(kind, Text):
            return self.read_text(target, path), target + _OFFSET_WIDTH
        if isinstance(kind, NumberVector):
            return self.read_number_vector(kind, target, path), target + _OFFSET_WIDTH
        assert isinstance(kind, TableVector)
        return self.read_table_vector(kind, target, path), target + _OFFSET_WIDTH

    def read_enumeration(self, kind: Enumeration, place: int, path: str) -> int:
        """A number that must have a name."""
        value = int(self.read_number(kind.number, place, path))
        if value not in kind.names:
            raise self.fault(path, place, f"is {value}, which is no {kind.name} known here")
        return value

    def read_length(self, target: int, width: int, path: str) -> int:
        """The number of elements of a vector, once all of them are known to be inside."""
        count = int(self.read_number(UINT32, target, path))
        self.visit(path, target, _OFFSET_WIDTH + count * width)
        return count

    def read_text(self, target: int, path: str) -> str:
        """A string; ends in a null byte, which does not count."""
        if target in self.texts:
            return self.texts[target]
        count = self.read_length(target, 1, path)
        start = target + _OFFSET_WIDTH
        end = start + count
        if end >= self.size or self.data[end] != 0:
            raise self.fault(path, end, "the string does not end in a null byte")
        try:
            text = self.data[start:end].decode()
        except UnicodeDecodeError as error:
            raise self.fault(path, start + error.start, "the string is not UTF-8") from None
        self.texts[target] = text
        return text

    def read_number_vector(
        self, kind: NumberVector, target: int, path: str
    ) -> bytes | tuple[int | float, ...]:
        """A vector of numbers, or of bytes."""
        count = self.read_length(target, kind.element.width, path)
        start = target + _OFFSET_WIDTH
        if start % kind.element.width:
            raise self.fault(path, start, f"is not aligned to {kind.element.width} bytes")
        self.alignment = max(self.alignment, kind.element.width)
        if count and start % kind.alignment == 0:
            self.alignment = max(self.alignment, kind.alignment)
        if kind.element is BYTE:
            return self.data[start : start + count]
        if kind.element is BOOL:
            for at in range(start, start + count):
                self.read_number(BOOL, at, f"{path}[{at - start}]")
        return tuple(self.read_numbers(kind.element, start, count))

    def read_numbers(self, number: Number, start: int, count: int) -> list[Any]:
        """Numbers whose bytes are known to be inside the tables."""
        numpy_type = number_types.to_numpy_type(number.flags)
        numbers: list[Any] = encode.GetVectorAsNumpy(numpy_type, self.data, count, start).tolist()
        return numbers

    def read_table_vector(self, kind: TableVector, target: int, path: str) -> tuple[Record, ...]:
        """A vector of tables."""
        count = self.read_length(target, _OFFSET_WIDTH, path)
        tables = []
        for index in range(count):
            element = f"{path}[{index}]"
            at = self.follow(target + _OFFSET_WIDTH * (1 + index), element)
            tables.append(self.read_table(kind.element, at, element))
        return tuple(tables)
