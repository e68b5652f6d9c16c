# SPDX-License-Identifier: Apache-2.0
"""The outer form of a program file: identifier, optional extended header, segments.

A file begins with the offset of the root table and the identifier. Where data follows the tables
in segments, an extended header stands behind the identifier and says where.

    byte 0   u32  offset of the root table
    byte 4   "ET12"
    byte 8   "eh00"                          only if there are segments
    byte 12  u32  bytes of the extended header
    byte 16  u64  bytes of everything before the segments, from the start of the file
    byte 24  u64  offset of the first segment
    byte 32  u64  bytes of all segments      only in headers of at least 32 bytes
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from petite.pte.faults import REEXPORT, fault, quoted

IDENTIFIER = b"ET12"
_HEADER_AT = 8
_HEADER_MAGIC = b"eh00"
_SHORTEST_HEADER = 24
_HEADER_WITH_DATA_SIZE = 32
#: Offsets between tables are signed 32-bit numbers.
_LONGEST = 2**31 - 1

#: Files that users have near a .pte and may pass by mistake.
_OTHER_FILES = {
    b"BP08": "a bundled program (.bpte); pass the plain .pte that it was made from",
    b"FT01": "external tensor data (.ptd); export the model with its weights inside the .pte",
    b"TFL3": "a TensorFlow Lite model; export the PyTorch model with ExecuTorch instead",
}
_ZIP_MAGIC = b"PK\x03\x04"


@dataclass(frozen=True)
class Container:
    """The parts of a file."""

    file: str  #: its name, for messages
    tables: bytes  #: everything before the segments, from the start of the file
    first_table: int  #: no table lies before this byte
    root: int  #: where the root table is
    segments: bytes
    segments_at: int  #: where the segments begin in the file

    @property
    def has_header(self) -> bool:
        """Whether the file has an extended header."""
        return self.first_table > _HEADER_AT


def open_container(data: bytes, file: str) -> Container:
    """Split a file into its parts; PetiteError where it is not a program file or cut short."""
    _check_identifier(data, file)
    if data[_HEADER_AT : _HEADER_AT + 4] == _HEADER_MAGIC:
        first_table, tables, segments, segments_at = _read_header(data, file)
    else:
        first_table, tables, segments, segments_at = _HEADER_AT, data, b"", len(data)
    if len(tables) > _LONGEST:
        raise fault(file, "file length", len(data), f"is above {_LONGEST} bytes", REEXPORT)
    root = int.from_bytes(data[0:4], "little")
    if not first_table <= root <= len(tables) - 4:
        raise fault(
            file,
            "root table offset",
            0,
            f"is {root}, but tables lie in bytes {first_table} to {len(tables)}",
        )
    return Container(file, tables, first_table, root, segments, segments_at)


def _check_identifier(data: bytes, file: str) -> None:
    if not data:
        raise fault(file, "file length", 0, "the file is empty", "export the model again")
    if data[:4] == _ZIP_MAGIC:
        raise fault(
            file, "", 0, "this is a zip archive, such as torch.save writes", "export to a .pte"
        )
    if len(data) < _HEADER_AT:
        raise fault(
            file, "file length", len(data), "a program file has at least 8 bytes before its tables"
        )
    identifier = data[4:8]
    if identifier == IDENTIFIER:
        return
    if identifier in _OTHER_FILES:
        raise fault(file, "identifier", 4, f"this is {_OTHER_FILES[identifier]}", "use a .pte")
    match = re.fullmatch(rb"ET([0-9]+)", identifier)
    if match:
        age = "newer" if int(match[1]) > int(IDENTIFIER[2:]) else "older"
        raise fault(
            file,
            "identifier",
            4,
            f"the file's schema is {quoted(identifier.decode())}, {age} than the "
            f"{quoted(IDENTIFIER.decode())} that this reader knows",
            REEXPORT,
        )
    raise fault(
        file,
        "identifier",
        4,
        f"is {quoted(identifier.decode('latin-1'))}, not {quoted(IDENTIFIER.decode())}: "
        "not an ExecuTorch program",
        "pass the .pte that the export wrote",
    )


def _read_header(data: bytes, file: str) -> tuple[int, bytes, bytes, int]:
    """First byte for tables, tables, segments, and where those begin."""

    def number(field: str, at: int, width: int) -> int:
        if at + width > len(data):
            raise fault(file, f"extended header.{field}", at, "the file ends inside the header")
        return int.from_bytes(data[at : at + width], "little")

    length = number("length", 12, 4)
    if length < _SHORTEST_HEADER:
        raise fault(
            file, "extended header.length", 12, f"is {length}, below {_SHORTEST_HEADER} bytes"
        )
    program_size = number("program_size", 16, 8)
    base = number("segment_base_offset", 24, 8)
    if not _HEADER_AT + length <= program_size <= len(data):
        raise fault(
            file,
            "extended header.program_size",
            16,
            f"is {program_size}, but the header ends at byte {_HEADER_AT + length} "
            f"and the file at {len(data)}",
        )
    if base != 0 and not program_size <= base <= len(data):
        raise fault(
            file,
            "extended header.segment_base_offset",
            24,
            f"is {base}, but the tables end at byte {program_size} and the file at {len(data)}",
        )
    if length < _HEADER_WITH_DATA_SIZE:
        size = len(data) - base if base else 0
    else:
        size = number("segment_data_size", 32, 8)
    if size > (len(data) - base if base else 0):
        raise fault(
            file,
            "extended header.segment_data_size",
            32,
            f"is {size} bytes from byte {base}, but the file ends at byte {len(data)}",
        )
    tables = data[:program_size]
    return _HEADER_AT + length, tables, data[base : base + size] if base else b"", base
