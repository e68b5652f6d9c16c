# SPDX-License-Identifier: Apache-2.0
"""Watching a port from its opening until a reason to end, across resets of the board."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from typing import Any, Protocol

from petite.errors import PetiteError
from petite.monitor.events import Event, Text, records
from petite.monitor.lines import Line, LineSplitter
from petite.monitor.log import EventLog
from petite.monitor.port import Port, PortGone
from petite.monitor.statistics import Statistics

_IDLE = 0.01  # seconds between looks at a quiet port: at 921600 baud less than 1 KiB comes in it
_FIRST_RETRY, _LAST_RETRY = 0.1, 1.0  # seconds between attempts to open, doubling
#: What Zephyr prints first: the board was reset, whether or not the port noticed.
_BOOT_BANNER = "*** Booting "


@dataclass(frozen=True)
class Settings:
    """What to watch, and when that is done. Times in seconds."""

    port: str
    baud: int
    wait: bool = False
    reconnect: bool = True
    until: str | None = None
    count: int | None = None
    timeout: float | None = None

    @property
    def has_goal(self) -> bool:
        """Whether a certain event, or a number of them, is waited for."""
        return self.until is not None or self.count is not None


class End(Enum):
    """Why watching ended."""

    REACHED = "the goal was reached"
    STOPPED = "the user wanted it"
    TIMEOUT = "the time was over"
    PORT_GONE = "the port disappeared"


class View(Protocol):
    """Shows what happens."""

    def text(self, text: Text) -> None:
        """A line of text."""

    def event(self, event: Event, when: datetime) -> None:
        """An event, and the host's time."""

    def notice(self, message: str) -> None:
        """Something about the port."""

    def refresh(self) -> None:
        """Called often, so that figures can be drawn again."""


class _Ended(Exception):
    def __init__(self, end: End) -> None:
        self.end = end


class Session:
    """One run of the monitor. ``stopped`` says whether the user wants it to end."""

    def __init__(
        self,
        settings: Settings,
        view: View,
        seen: Statistics,
        log: EventLog | None,
        stopped: Callable[[], bool],
    ) -> None:
        self._settings = settings
        self._view = view
        self._seen = seen
        self._log = log
        self._stopped = stopped
        self._deadline = None if settings.timeout is None else time.monotonic() + settings.timeout
        self._goal = settings.count or 1
        self._retry = _FIRST_RETRY

    def run(self) -> End:
        """Watch until there is a reason to end; PetiteError if the port cannot be opened."""
        try:
            port = self._open_first()
            while True:
                self._mark("connected")
                try:
                    reason = self._read(port)
                finally:
                    port.close()
                port = self._reconnect(reason)
        except _Ended as ended:
            return ended.end

    def _open_first(self) -> Port:
        try:
            return self._open()
        except PortGone as gone:
            name = self._settings.port
            if not self._settings.wait:
                raise PetiteError(
                    f"{name}: cannot open it ({gone}); connect it, or wait for it with --wait"
                ) from None
            self._view.notice(f"waiting for {name} ({gone})")
            port = self._retry_open()
            self._view.notice(f"connected to {name}")
            return port

    def _open(self) -> Port:
        return Port(self._settings.port, self._settings.baud)

    def _reconnect(self, reason: str) -> Port:
        self._mark("disconnected", reason=reason)
        if not self._settings.reconnect:
            self._view.notice(f"disconnected ({reason})")
            raise _Ended(End.PORT_GONE)
        self._view.notice(f"disconnected, waiting for {self._settings.port}")
        port = self._retry_open()
        self._seen.reconnects += 1
        self._view.notice(f"connected to {self._settings.port} again")
        return port

    def _retry_open(self) -> Port:
        while True:
            until = time.monotonic() + self._retry
            while time.monotonic() < until:
                self._check_end()
                self._view.refresh()
                time.sleep(_IDLE)
            self._retry = min(2 * self._retry, _LAST_RETRY)
            try:
                return self._open()
            except (PortGone, PetiteError):  # a port that comes back may fail in many ways at first
                continue

    def _read(self, port: Port) -> str:
        """Take in what comes until the port is gone; returns why it is."""
        splitter = LineSplitter()
        while True:
            try:
                self._check_end()
                data = port.read()
            except (PortGone, _Ended) as why:
                for line in splitter.flush():
                    self._take(line)
                if isinstance(why, PortGone):
                    return str(why)
                raise
            for line in splitter.feed(data):
                self._take(line)
            self._view.refresh()
            if data:
                # Only a port that has worked is tried quickly again when it disappears.
                self._retry = _FIRST_RETRY
            else:
                time.sleep(_IDLE)

    def _take(self, line: Line) -> None:
        for record in records(line):
            if isinstance(record, Event):
                self._take_event(record)
            else:
                self._take_text(record)

    def _take_event(self, event: Event) -> None:
        now = datetime.now(timezone.utc)
        self._seen.add(event, time.monotonic())
        if self._log is not None:
            self._log.write(event, now)
        self._view.event(event, now)
        if self._settings.has_goal and self._settings.until in (None, event.name):
            self._goal -= 1
            if self._goal == 0:
                raise _Ended(End.REACHED)

    def _take_text(self, text: Text) -> None:
        self._seen.texts += 1
        if text.damaged:
            self._seen.damaged += 1
            self._mark("damaged", text=text.text)
        if _BOOT_BANNER in text.text:
            self._seen.boots += 1
            self._mark("boot", text=text.text)
        self._view.text(text)

    def _mark(self, what: str, **fields: Any) -> None:
        """A line of the monitor's own in the log."""
        if self._log is not None:
            mark = Event(f"monitor.{what}", {"port": self._settings.port, **fields})
            self._log.write(mark, datetime.now(timezone.utc))

    def _check_end(self) -> None:
        if self._stopped():
            raise _Ended(End.STOPPED)
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise _Ended(End.TIMEOUT)
