# SPDX-License-Identifier: Apache-2.0
"""Messages about what is wrong in a file."""

from __future__ import annotations

from petite.errors import PetiteError

#: What to do about a file that no exporter writes.
DAMAGED = "the file is damaged: copy it again, or export the model again"
#: What to do about a file whose format is younger or older than the one known here.
REEXPORT = "export the model again with ExecuTorch 1.5.1"

_LONGEST_QUOTE = 60


def fault(file: str, field: str, byte: int, what: str, remedy: str = DAMAGED) -> PetiteError:
    """An error at a field and a byte offset of a file, as one line."""
    place = f"{field} at byte {byte}" if field else f"byte {byte}"
    return PetiteError(f"{one_line(file)}: {place}: {what}; {remedy}")


def one_line(text: str) -> str:
    """Text with line breaks and other control characters escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def quoted(text: str) -> str:
    """A string out of a file, made fit for a message whatever it holds."""
    short = text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "..."
    return ascii(short)
