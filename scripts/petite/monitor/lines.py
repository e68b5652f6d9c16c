# SPDX-License-Identifier: Apache-2.0
"""From bytes in any portions to clean lines of text."""

from __future__ import annotations

import re
from dataclasses import dataclass

#: A longer line comes in pieces of this many bytes, so that noise cannot fill the memory.
LONGEST_LINE = 16384

_LINE_END = re.compile(rb"[\r\n]+")
# Colours and cursor movements. No final byte beyond "z": a sequence that a reset cut short must
# not swallow the brace of the JSON object behind it.
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
_UNPRINTABLE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True)
class Line:
    """A line without its end. ``piece`` if it is a part of one that was too long."""

    text: str
    piece: bool = False


class LineSplitter:
    """Cuts a stream at every run of carriage returns and line feeds; drops empty lines."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._rest = bytearray()
        self._in_piece = False

    def feed(self, data: bytes) -> list[Line]:
        """The lines that ``data`` completes."""
        *ended, rest = _LINE_END.split(data)
        lines: list[Line] = []
        for part in ended:
            self._append(part, lines)
            lines += self.flush()
        self._append(rest, lines)
        return lines

    def flush(self) -> list[Line]:
        """What has come of a line whose end will not come: none, or one line."""
        rest, piece = bytes(self._rest), self._in_piece
        self._rest.clear()
        self._in_piece = False
        return [Line(_decode(rest), piece)] if rest else []

    def _append(self, part: bytes, lines: list[Line]) -> None:
        self._rest += part
        while len(self._rest) > self._longest:
            lines.append(Line(_decode(bytes(self._rest[: self._longest])), piece=True))
            del self._rest[: self._longest]
            self._in_piece = True


def printable(text: str) -> str:
    """Text that cannot move a terminal's cursor: no ANSI sequences, controls as U+FFFD."""
    return _UNPRINTABLE.sub("\ufffd", _ANSI.sub("", text))


def _decode(line: bytes) -> str:
    return printable(line.decode("utf-8", errors="replace"))
