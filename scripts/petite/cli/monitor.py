# SPDX-License-Identifier: Apache-2.0
"""``petite monitor``."""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import Any

from petite.cli.monitor_text import summary
from petite.cli.monitor_views import LiveView, PlainView, say
from petite.cli.options import add_command
from petite.errors import PetiteError
from petite.monitor.log import EventLog
from petite.monitor.statistics import Statistics


def add(commands: Any) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "monitor",
        summary="show and log the events that a board reports over its serial port",
        example="petite monitor --port /dev/ttyACM0 --log kws.csv",
        function=run,
    )
    parser.add_argument(
        "--port",
        help="device, pty, or URL of pyserial such as socket://host:4444 (the only serial port)",
    )
    parser.add_argument(
        "--baud", type=_at_least_one, default=115200, help="bits per second (115200)"
    )
    parser.add_argument(
        "--log",
        metavar="FILE",
        type=Path,
        help="append events, and resets, to FILE.jsonl or FILE.csv; fields that have no column "
        "in a .csv are in its column 'other'",
    )
    parser.add_argument(
        "--plain", action="store_true", help="line by line, as is done without a terminal"
    )
    parser.add_argument(
        "--until", metavar="EVENT", help="end at an event of this name, such as summary"
    )
    parser.add_argument(
        "--count",
        metavar="N",
        type=_at_least_one,
        help="end after N events; with --until, after N of that name",
    )
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=_seconds,
        help="end after S seconds: with status 1 if --until or --count has not been reached",
    )
    parser.add_argument("--wait", action="store_true", help="wait for a port that is not there yet")
    parser.add_argument(
        "--no-reconnect", action="store_true", help="end when the port disappears, as at a timeout"
    )


def run(arguments: argparse.Namespace) -> int:
    """Watch, then say what was seen."""
    try:
        from petite.monitor.port import choose_port
        from petite.monitor.session import End, Session, Settings
    except ImportError as error:
        raise PetiteError(
            f"monitor needs pyserial ({error}); install it with pip install pyserial"
        ) from None
    settings = Settings(
        port=arguments.port or choose_port(),
        baud=arguments.baud,
        wait=arguments.wait,
        reconnect=not arguments.no_reconnect,
        until=arguments.until,
        count=arguments.count,
        timeout=arguments.timeout,
    )
    if not arguments.port:
        print(f"petite: watching {settings.port}", file=sys.stderr, flush=True)
    seen = Statistics(time.monotonic())
    live = None if arguments.plain or not _has_screen() else LiveView(settings.port, seen)
    log = None if arguments.log is None else EventLog(arguments.log)
    try:
        with _stop_signals() as signals, live or nullcontext():
            end = Session(settings, live or PlainView(), seen, log, lambda: bool(signals)).run()
    finally:
        if log is not None:
            log.close()
    say(summary(seen, time.monotonic()))
    if settings.has_goal and end in (End.TIMEOUT, End.PORT_GONE):
        wanted = f"{settings.count or 1} event(s)"
        wanted += "" if settings.until is None else f" named {settings.until!r}"
        raise PetiteError(f"{settings.port}: {wanted} did not come before {end.value}")
    return 128 + signal.SIGTERM if signal.SIGTERM in signals else 0


def _has_screen() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def _stop_signals() -> Iterator[list[int]]:
    """Collects Ctrl-C and SIGTERM, so that no line is left half done; a second one interrupts."""
    received: list[int] = []

    def receive(number: int, frame: FrameType | None) -> None:
        if received:
            raise KeyboardInterrupt
        received.append(number)

    before = {number: signal.signal(number, receive) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _at_least_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value
