# SPDX-License-Identifier: Apache-2.0
"""Figures about the events so far, in bounded memory however long it takes."""

from __future__ import annotations

import math
import statistics
from collections import deque

from petite.monitor.events import Event

#: Values of which a median is taken: the newest.
MEDIAN_OF = 1001
_RATE_OVER = 10.0  # seconds
_MOST_KINDS = 64
_MOST_FIELDS = 32  # of one kind


class Field:
    """A numeric field: its least, greatest and newest value, and the median of the newest."""

    def __init__(self) -> None:
        self.count = 0
        self.least = math.inf
        self.greatest = -math.inf
        self.newest: deque[float] = deque(maxlen=MEDIAN_OF)

    def add(self, value: float) -> None:
        """Take one value in."""
        self.count += 1
        self.least = min(self.least, value)
        self.greatest = max(self.greatest, value)
        self.newest.append(value)

    @property
    def median(self) -> float:
        """Median of the newest values; the lower one of two."""
        return statistics.median_low(self.newest)


class Rate:
    """Events per second over the last ten seconds."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=1024)

    def add(self, now: float) -> None:
        """One more. Times are seconds of a clock that only goes forward."""
        self._times.append(now)

    def __call__(self, now: float, since: float) -> float:
        """The rate at ``now``, where counting started at ``since``."""
        while self._times and self._times[0] <= now - _RATE_OVER:
            self._times.popleft()
        if not self._times:
            return 0.0
        full = len(self._times) == self._times.maxlen
        span = now - (self._times[0] if full else max(since, now - _RATE_OVER))
        return len(self._times) / max(span, 1.0)


class Kind:
    """The events of one name."""

    def __init__(self) -> None:
        self.count = 0
        self.rate = Rate()
        self.latest: Event | None = None
        self.fields: dict[str, Field] = {}

    def add(self, event: Event, now: float) -> None:
        """Take one event in."""
        self.count += 1
        self.rate.add(now)
        self.latest = event
        for name, value in event.fields.items():
            if not _is_number(value):
                continue
            if name not in self.fields and len(self.fields) == _MOST_FIELDS:
                continue
            self.fields.setdefault(name, Field()).add(value)


class Statistics:
    """Counts of everything that was seen."""

    def __init__(self, now: float) -> None:
        self.started = now
        self.events = 0
        self.texts = 0
        self.damaged = 0
        self.boots = 0
        self.reconnects = 0
        self.kinds: dict[str, Kind] = {}

    def add(self, event: Event, now: float) -> None:
        """Take one event in. Kinds beyond a bound are counted in ``events`` only."""
        self.events += 1
        if event.name in self.kinds or len(self.kinds) < _MOST_KINDS:
            self.kinds.setdefault(event.name, Kind()).add(event, now)


def _is_number(value: object) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
