# SPDX-License-Identifier: Apache-2.0
"""How the monitor shows what happens: line by line, or as a table that is drawn again."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from contextlib import suppress
from datetime import datetime
from types import TracebackType

from petite.cli.monitor_text import event_line, figure_table, fit, incidents, kind_table
from petite.monitor.events import Event, Text
from petite.monitor.statistics import Statistics

_DRAW_EVERY = 0.2  # seconds
_KEYWORDS, _TEXTS = 5, 8  # newest ones on the screen

# Another screen, so that what stood on the terminal comes back; no cursor; no wrapped lines.
_ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l"
_LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_HOME, _END_OF_LINE, _BELOW = "\x1b[H", "\x1b[K", "\x1b[J"


class PlainView:
    """A line for each line and each event; what concerns the port goes to stderr."""

    def text(self, text: Text) -> None:
        """As it came, without colours."""
        say(text.text)

    def event(self, event: Event, when: datetime) -> None:
        """On one line."""
        say(event_line(event))

    def notice(self, message: str) -> None:
        """Not part of what the board said."""
        print(f"petite: {message}", file=sys.stderr, flush=True)

    def refresh(self) -> None:
        """Nothing is ever drawn again."""


class LiveView:
    """A table of the newest events and figures that fills the terminal; use it with ``with``."""

    def __init__(self, port: str, seen: Statistics) -> None:
        self._port = port
        self._seen = seen
        self._status = "connected"
        self._keywords: deque[str] = deque(maxlen=_KEYWORDS)
        self._texts: deque[str] = deque(maxlen=_TEXTS)
        self._drawn = 0.0

    def __enter__(self) -> LiveView:
        _send(_ENTER)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):  # a terminal that has been closed
            _send(_LEAVE)

    def text(self, text: Text) -> None:
        """Among the newest lines."""
        self._texts.append(text.text)

    def event(self, event: Event, when: datetime) -> None:
        """Keywords are listed; everything is in the figures already."""
        if event.name == "keyword":
            self._keywords.append(f"{when.astimezone():%H:%M:%S}  {event_line(event)}")

    def notice(self, message: str) -> None:
        """On the first line, until the next."""
        self._status = message

    def refresh(self) -> None:
        """Draw, but not too often."""
        now = time.monotonic()
        if now - self._drawn < _DRAW_EVERY:
            return
        self._drawn = now
        with suppress(OSError):  # the size of a terminal that has been closed
            width, height = os.get_terminal_size(sys.stdout.fileno())
            # A terminal that does not know its size says 0.
            lines = fit(self._lines(now), width or 80, height or 24)
            _send(_HOME + "\n".join(line + _END_OF_LINE for line in lines) + _BELOW)

    def _lines(self, now: float) -> list[str]:
        """The most important first: a small terminal shows only those."""
        seen = self._seen
        lines = [
            f"{self._port}: {self._status}",
            f"{seen.events:,} events in {now - seen.started:.0f} s; Ctrl-C ends",
            *incidents(seen),
        ]
        parts = [
            "\n".join(self._keywords),
            kind_table(seen, now) if seen.kinds else "",
            figure_table(seen),
            "\n".join(self._texts),
        ]
        for part in filter(None, parts):
            lines += ["", *part.split("\n")]
        return lines


def say(line: str) -> None:
    """Print at once, also where the output cannot hold every character."""
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, errors="replace").decode(encoding), flush=True)


def _send(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, errors="replace").decode(encoding))
    sys.stdout.flush()
