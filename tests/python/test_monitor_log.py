# SPDX-License-Identifier: Apache-2.0
"""Logs lose nothing and hold whole lines; figures about events."""

from __future__ import annotations

import csv
import json
import resource
import signal
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from petite.errors import PetiteError
from petite.monitor.events import Event
from petite.monitor.log import COLUMNS, EventLog
from petite.monitor.statistics import MEDIAN_OF, Statistics

WHEN = datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=timezone.utc)
TIME = "2026-01-02T03:04:05.678Z"

EVENTS = [
    Event("keyword", {"clip": "x.wav", "keyword": "yes", "score": 97}),
    Event("odd, name", {"new": {"deep": [1, None, 2.5]}, "other": "o", "time": 3}),
    Event("text", {"clip": "97", "keyword": "", "message": 'say "hi",\nnow', "us": True}),
    Event("97", {"host_time": "board's", "event_": 1, "message": "\ud800=\x1b[31m"}),
    Event("empty", {}),
]


def write(path: Path, events: list[Event]) -> None:
    log = EventLog(path)
    for event in events:
        log.write(event, WHEN)
    log.close()


def read_csv(path: Path) -> list[Event]:
    """As the module's docstring says that a log is to be read."""

    def value(cell: str) -> Any:
        try:
            return json.loads(cell)
        except ValueError:
            return cell

    found = []
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            assert row.pop("host_time") == TIME
            other = json.loads(row.pop("other") or "{}")
            name = value(row.pop("event"))
            found.append(Event(name, {k: value(c) for k, c in row.items() if c} | other))
    return found


def test_csv_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    write(path, EVENTS)
    assert read_csv(path) == EVENTS
    assert path.read_text().count("\n") == 1 + len(EVENTS)
    assert path.read_text().startswith(",".join(COLUMNS) + "\n")


def test_csv_keeps_the_columns_that_the_file_has(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("other,new,event,host_time\n")
    write(path, EVENTS[:2])
    write(path, EVENTS[2:])
    assert read_csv(path) == EVENTS
    assert path.read_text().startswith('other,new,event,host_time\n"{""clip""')


def test_json_lines_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, EVENTS)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line.pop("host_time") for line in lines] == [TIME] * len(EVENTS)
    assert lines[3].pop("host_time_") == "board's"
    lines[3]["host_time"] = "board's"
    assert lines == [{"event": e.name, **e.fields} for e in EVENTS]


@pytest.mark.parametrize("name", ["log.csv", "log.jsonl"])
def test_every_line_is_in_the_file_at_once(tmp_path: Path, name: str) -> None:
    log = EventLog(tmp_path / name)
    log.write(EVENTS[0], WHEN)
    assert (tmp_path / name).read_bytes().endswith(b"\n")
    log.close()


def test_a_half_line_of_somebody_else_is_ended_first(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"cut')
    write(path, EVENTS[:1])
    first, second = path.read_text().splitlines()
    assert first == '{"cut' and json.loads(second)["event"] == "keyword"


@pytest.mark.parametrize("name", ["log.csv", "log.jsonl"])
def test_without_events_no_file_is_left(tmp_path: Path, name: str) -> None:
    EventLog(tmp_path / name).close()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / name).touch()
    EventLog(tmp_path / name).close()
    assert (tmp_path / name).exists()


@pytest.mark.parametrize("first", ["name,age\n", "host_time,event,event,other\n", "\n", "\xff"])
def test_a_csv_of_something_else_is_left_alone(tmp_path: Path, first: str) -> None:
    path = tmp_path / "people.csv"
    path.write_text(first)
    with pytest.raises(PetiteError, match="is no log of events"):
        EventLog(path)
    assert path.read_text() == first


def test_unwritable(tmp_path: Path) -> None:
    (tmp_path / "d.csv").mkdir()
    for path in (tmp_path / "d.csv", tmp_path / "none" / "x.jsonl"):
        with pytest.raises(PetiteError, match="cannot write it"):
            EventLog(path)
    with pytest.raises(PetiteError, match=r"\.csv or \.jsonl"):
        EventLog(tmp_path / "log.txt")


def test_a_full_disk_leaves_no_half_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = EventLog(path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, limits[1]))
    try:
        with pytest.raises(PetiteError, match=r"log.jsonl: cannot write it \(File too large\)"):
            for _ in range(100):
                log.write(EVENTS[0], WHEN)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
        log.close()
    lines = path.read_text().splitlines()
    assert len(lines) == 500 // len(lines[0] + "\n")
    assert all(json.loads(line)["keyword"] == "yes" for line in lines)


def test_figures() -> None:
    seen = Statistics(100.0)
    for i, us in enumerate([5, 1.5, 9, float("inf"), True, "7", 4]):
        seen.add(Event("inference", {"us": us}), 100.0 + i)
    field = seen.kinds["inference"].fields["us"]
    assert (field.count, field.least, field.median, field.greatest) == (4, 1.5, 4, 9)
    assert seen.events == seen.kinds["inference"].count == 7


def test_the_rate_is_that_of_the_last_ten_seconds() -> None:
    seen = Statistics(0.0)
    for i in range(200):
        seen.add(Event("e", {}), i / 10)
    rate = seen.kinds["e"].rate
    assert rate(19.9, 0.0) == pytest.approx(10.0, rel=0.02)
    assert rate(24.9, 0.0) == pytest.approx(5.0, rel=0.02)
    assert rate(60.0, 0.0) == 0.0


def test_memory_is_bounded() -> None:
    seen = Statistics(0.0)
    for i in range(5000):
        seen.add(Event(f"noise{i}", {}), 1.0)
        seen.add(Event("noise0", {"us": i, f"field{i}": i}), 1.0)
    assert seen.events == 10000
    assert len(seen.kinds) < 100
    assert len(seen.kinds["noise0"].fields) < 100
    assert len(seen.kinds["noise0"].fields["us"].newest) == MEDIAN_OF
    assert seen.kinds["noise0"].fields["us"].least == 0
