# SPDX-License-Identifier: Apache-2.0
"""Events in a file: one line each, whole or not at all.

Both formats keep every field of every event:

* ``.jsonl``: the board's object with ``host_time`` in front. A field of the board that has this
  name itself gets an underscore behind it.
* ``.csv``: a column for each field that is usual, and ``other``, with a JSON object of the fields
  without a column. A new file gets the columns ``COLUMNS``; a file that exists keeps those of its
  first line, so that one chooses columns by writing that line. Cells hold text as it is and all
  else as JSON; text that is not plain, or that would read as JSON, is JSON as well.
"""

from __future__ import annotations

import csv
import io
import json
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, Any

from petite.errors import PetiteError
from petite.monitor.events import Event

#: Columns of a new .csv file. The first two and the last are required.
COLUMNS = (
    *("host_time", "event", "clip", "keyword", "score", "time_ms", "instructions", "cycles", "us"),
    *("arena_bytes", "message", "other"),
)
_REQUIRED = {"host_time", "event", "other"}


class EventLog:
    """An open log; the format follows the name. Appends to what the file has."""

    def __init__(self, path: Path) -> None:
        """Open it; PetiteError if it cannot be written, or is something else's file."""
        if path.suffix not in (".csv", ".jsonl"):
            raise PetiteError(f"{path}: logs are .csv or .jsonl files; name it so")
        self._path = path
        self._created = not path.exists()
        self._columns: list[str] | None = None
        self._head = b""  # to be written before the first line
        try:
            self._file: IO[bytes] = path.open("ab+", buffering=0)
            try:
                self._continue()
            except BaseException:
                self._file.close()
                raise
        except OSError as error:
            raise self._failure(error) from None

    def write(self, event: Event, when: datetime) -> None:
        """Append one event, with the host's time."""
        time = when.astimezone(timezone.utc).isoformat(timespec="milliseconds")
        time = time.replace("+00:00", "Z")
        if self._columns is None:
            line = _json_line(time, event)
        else:
            line = _csv_line([_row(time, event, self._columns)])
        try:
            self._append(self._head + line)
        except OSError as error:
            raise self._failure(error) from None
        self._head = b""

    def close(self) -> None:
        """Close it. A file that was made and got no event is taken away."""
        empty = os.fstat(self._file.fileno()).st_size == 0
        self._file.close()
        if self._created and empty:
            self._path.unlink(missing_ok=True)

    def _continue(self) -> None:
        """Learn the columns, and finish a last line that somebody else left unfinished."""
        size = self._file.seek(0, os.SEEK_END)
        if size:
            self._file.seek(size - 1)
            if self._file.read(1) != b"\n":
                self._head = b"\n"
        if self._path.suffix == ".csv":
            self._columns = self._read_columns() if size else list(COLUMNS)
            self._head += b"" if size else _csv_line([self._columns])

    def _read_columns(self) -> list[str]:
        self._file.seek(0)
        first = self._file.readline(65536).decode("utf-8-sig", errors="replace")
        columns = next(csv.reader([first.rstrip("\r\n")]), [])
        if not set(columns) >= _REQUIRED or len(set(columns)) != len(columns):
            raise PetiteError(
                f"{self._path}: is no log of events (its first line must name host_time, event, "
                "other, and each column once); choose another file"
            )
        return columns

    def _append(self, data: bytes) -> None:
        before = os.fstat(self._file.fileno()).st_size
        try:
            done = 0
            while done < len(data):
                done += self._file.write(data[done:])
        except OSError:
            os.ftruncate(self._file.fileno(), before)
            raise

    def _failure(self, error: OSError) -> PetiteError:
        return PetiteError(f"{self._path}: cannot write it ({error.strerror or error})")


def _json_line(time: str, event: Event) -> bytes:
    fields = dict(event.fields)
    if "host_time" in fields:
        fields[_free("host_time_", fields)] = fields.pop("host_time")
    return json.dumps({"host_time": time, "event": event.name, **fields}).encode() + b"\n"


def _free(name: str, fields: dict[str, Any]) -> str:
    while name in fields:
        name += "_"
    return name


def _row(time: str, event: Event, columns: list[str]) -> list[str]:
    own = [c for c in columns if c in event.fields and c not in _REQUIRED]
    other = {key: value for key, value in event.fields.items() if key not in own}
    cells = {key: _cell(event.fields[key]) for key in own}
    cells |= {"host_time": time, "event": _cell(event.name)}
    cells["other"] = json.dumps(other) if other else ""
    return [cells.get(column, "") for column in columns]


def _cell(value: object) -> str:
    return value if isinstance(value, str) and _is_plain(value) else json.dumps(value)


def _is_plain(text: str) -> bool:
    if not text or not text.isprintable():
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return True
    return False


def _csv_line(rows: list[list[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
