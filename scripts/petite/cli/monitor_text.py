# SPDX-License-Identifier: Apache-2.0
"""Events and figures of the monitor as lines and tables."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice

from petite.cli.table import table
from petite.monitor.events import Event
from petite.monitor.lines import printable
from petite.monitor.statistics import Statistics


def event_line(event: Event) -> str:
    """Such as ``keyword: clip=x.wav keyword=yes score=97``."""
    values = values_text(event)
    return f"{printable(event.name)}: {values}" if values else printable(event.name)


def values_text(event: Event) -> str:
    """The fields as ``name=value``; text with blanks in quotes."""
    return " ".join(f"{printable(key)}={_value(value)}" for key, value in event.fields.items())


def summary(seen: Statistics, now: float) -> str:
    """What was seen, said once at the end."""
    kinds = ", ".join(f"{printable(name)} {kind.count}" for name, kind in seen.kinds.items())
    first = f"{seen.events} event(s) in {now - seen.started:.1f} s" + (
        f": {kinds}" if kinds else ""
    )
    figures = figure_table(seen)
    return "\n".join([first, *incidents(seen), *(["", figures] if figures else [])])


def incidents(seen: Statistics) -> list[str]:
    """A line each for what should not happen; none if it did not."""
    named = [
        (seen.reconnects, "the port was lost and found again"),
        (seen.boots, "the board booted"),
        (seen.damaged, "an event arrived damaged"),
    ]
    return [f"{count} time(s) {what}" for count, what in named if count]


def kind_table(seen: Statistics, now: float) -> str:
    """A row for each kind of event, with its newest one."""
    rows = [
        (
            printable(name),
            f"{kind.count:,}",
            f"{kind.rate(now, seen.started):.1f}",
            values_text(kind.latest) if kind.latest else "",
        )
        for name, kind in seen.kinds.items()
    ]
    return table(["event", "count", "per s", "newest"], rows)


def figure_table(seen: Statistics) -> str:
    """A row for each numeric field, or nothing."""
    rows = [
        (
            printable(f"{kind_name}.{name}"),
            *map(_number, (field.least, field.median, field.greatest)),
        )
        for kind_name, kind in seen.kinds.items()
        for name, field in kind.fields.items()
    ]
    return table(["field", "min", "median", "max"], rows) if rows else ""


def fit(lines: Iterable[str], width: int, height: int) -> list[str]:
    """At most so many lines, and columns of each."""
    return [line[:width] for line in islice(lines, height)]


def _value(value: object) -> str:
    if isinstance(value, str):
        clean = printable(value)
        return clean if clean and " " not in clean else f'"{clean}"'
    return printable(json.dumps(value, ensure_ascii=False))


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
