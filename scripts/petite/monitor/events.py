# SPDX-License-Identifier: Apache-2.0
"""Events in a line of text."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import islice
from typing import Any

from petite.monitor.lines import Line

#: Starts of objects that are tried in one line. More are noise, and would cost much time.
_MOST_TRIES = 16
# An object's start. Behind the colon of a member it is a part of another, damaged object.
_START = re.compile(r'(?<!":)(?<!": )\{(?=\s*")')
_LOOKS_LIKE_EVENT = re.compile(r'\{\s*"event"')
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True)
class Event:
    """A JSON object with a string ``event``. ``fields`` has all of it but that."""

    name: str
    fields: dict[str, Any]


@dataclass(frozen=True)
class Text:
    """Anything else. ``damaged`` if it looks like what is left of an event."""

    text: str
    damaged: bool = False


Record = Event | Text


def records(line: Line) -> list[Record]:
    """The events of a line, and the text before, between and after them.

    Text before an event is a log's prefix, or a line that a reset cut short.
    """
    if line.piece:
        return [_text(line.text)]
    found: list[Record] = []
    at = 0  # everything before it is in found
    for start in _starts(line.text):
        if start < at:
            continue
        value, end = _decode(line.text, start)
        if not (isinstance(value, dict) and isinstance(value.get("event"), str)):
            continue
        if line.text[at:start].strip():
            found.append(_text(line.text[at:start]))
        found.append(Event(value.pop("event"), value))
        at = end
    if line.text[at:].strip():
        found.append(_text(line.text[at:]))
    return found


def _starts(text: str) -> list[int]:
    return [match.start() for match in islice(_START.finditer(text), _MOST_TRIES)]


def _decode(text: str, start: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):  # no JSON; a number too long; nested too deeply
        return None, start


def _text(text: str) -> Text:
    return Text(text.rstrip(), _LOOKS_LIKE_EVENT.search(text) is not None)
