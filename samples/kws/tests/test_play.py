# SPDX-License-Identifier: Apache-2.0
"""play.py and the application on the two ends of a serial line, which is a pseudo terminal."""

from __future__ import annotations

import binascii
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import play as host

#: With test_app.py: one worker builds the application, once.
pytestmark = pytest.mark.xdist_group("kws")

SAMPLE = Path(__file__).resolve().parent.parent
CLIPS = SAMPLE / "clips"
LONG = 60.0  # seconds; nothing takes so long unless it hangs
Link = Callable[[bytes], bytes]


@pytest.fixture(scope="session")
def board(app: Path) -> Path:
    """The application as it runs on a board, its UART being standard input and error."""
    return app.parent / "kws_stream"


@contextmanager
def line(board: Path, to_board: Link) -> Iterator[str]:
    """Starts the board; yields the port's name. ``to_board`` may spoil what the host sends."""
    board_end, board_port = pty.openpty()
    host_end, host_port = pty.openpty()
    tty.setraw(board_port)
    tty.setraw(host_port)
    process = subprocess.Popen([str(board)], stdin=board_port, stderr=board_port)
    stopped = threading.Event()

    def carry() -> None:
        while not stopped.is_set():
            ready, _, _ = select.select([board_end, host_end], [], [], 0.05)
            if board_end in ready:
                os.write(host_end, os.read(board_end, 4096))
            if host_end in ready:
                os.write(board_end, to_board(os.read(host_end, 4096)))

    carrier = threading.Thread(target=carry)
    carrier.start()
    try:
        yield os.ttyname(host_port)
    finally:
        stopped.set()
        carrier.join()
        process.kill()
        process.wait()
        for end in (board_end, board_port, host_end, host_port):
            os.close(end)


def play(port: str, *files: Path) -> tuple[int, list[dict[str, Any]], str]:
    """(exit status, events, errors) of play.py."""
    command = [sys.executable, str(SAMPLE / "play.py"), "--port", port, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG)
    lines = [text for text in done.stdout.splitlines() if text.startswith("{")]
    return done.returncode, [json.loads(text) for text in lines], done.stderr


def answer_until(port: int, files: list[tuple[str, bytes]], last: int) -> None:
    """Be a host that answers requests, and stops at the request ``last`` without answering it."""
    sender = host.Sender(files)
    listener = host.Listener()
    while True:
        assert select.select([port], [], [], LONG)[0], "the board asks for nothing"
        for what in listener.feed(os.read(port, 1))[0]:
            if what == last:
                return
            os.write(port, sender.reply(what))


def keywords(events: list[dict[str, Any]], clip: str) -> list[str]:
    return [e["keyword"] for e in events if e["event"] == "keyword" and e["clip"] == clip]


EXPECTED: dict[str, list[str]] = json.loads((CLIPS / "expected.json").read_text())


def test_sessions_one_after_the_other(board: Path) -> None:
    with line(board, lambda data: data) as port:
        for names in (["stream.wav", "other-heart.wav"], ["go-linda.wav"]):
            status, events, errors = play(port, *(CLIPS / name for name in names))
            assert (status, errors) == (0, "")
            assert [event["event"] for event in (events[0], events[-1])] == ["model", "summary"]
            assert {name: keywords(events, name) for name in names} == {
                name: EXPECTED[name] for name in names
            }
            assert events[-1]["clips"] == len(names)


class Spoiler:
    """Loses, changes and repeats some of what is sent, and what follows is still heard."""

    def __init__(self) -> None:
        self.spoiled = 0
        self._sent = 0

    def __call__(self, data: bytes) -> bytes:
        self._sent += 1
        if self._sent in (1, 8):  # the first one is the file's name
            self.spoiled += 1
            return data[:-1]
        if self._sent in (4, 12):
            self.spoiled += 1
            return data[:5] + bytes([data[5] ^ 0x10]) + data[6:] if len(data) > 6 else b""
        if self._sent in (6, 15):
            self.spoiled += 1
            return data + data
        return data


def test_a_bad_line_is_made_good(board: Path) -> None:
    spoiler = Spoiler()
    with line(board, spoiler) as port:
        status, events, errors = play(port, CLIPS / "yes-heart.wav")
    assert (status, errors) == (0, "")
    assert spoiler.spoiled == 6
    assert keywords(events, "yes-heart.wav") == EXPECTED["yes-heart.wav"]


def test_a_file_that_is_no_sound_and_the_next(board: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.wav"
    bad.write_bytes(bytes(5000))
    with line(board, lambda data: data) as port:
        status, events, errors = play(port, bad, CLIPS / "go-linda.wav")
    assert status == 1
    assert errors == "play: error: not heard to the end: bad.wav\n"
    assert [e["reason"] for e in events if e["event"] == "error"] == ["not a WAV file"]
    assert keywords(events, "go-linda.wav") == EXPECTED["go-linda.wav"]


def test_a_file_that_ends_early(board: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.wav"
    cut.write_bytes((CLIPS / "go-linda.wav").read_bytes()[:-1000])
    with line(board, lambda data: data) as port:
        status, events, _ = play(port, cut)
    assert status == 1
    reasons = [e["reason"] for e in events if e["event"] == "error"]
    assert reasons == ["ends before the length that its header says"]


def test_after_a_host_that_went_away(board: Path) -> None:
    with line(board, lambda data: data) as port:
        given_up = os.open(port, os.O_RDWR | os.O_NOCTTY)
        answer_until(given_up, [("lost.wav", bytes(44))], ord("0"))
        os.close(given_up)
        status, events, errors = play(port, CLIPS / "go-linda.wav")
    assert (status, errors) == (0, "")
    assert [e["clip"] for e in events if e["event"] == "error"] == ["lost.wav"]
    assert keywords(events, "go-linda.wav") == EXPECTED["go-linda.wav"]


@pytest.mark.parametrize("missing", ["file", "port"])
def test_what_is_not_there_is_named(tmp_path: Path, missing: str) -> None:
    file = CLIPS / "go-linda.wav" if missing == "port" else tmp_path / "none.wav"
    status, _, errors = play(str(tmp_path / "none"), file)
    assert status == 1
    assert re.fullmatch(rf"play: error: .*{tmp_path / 'none'}.*\n", errors)


def test_the_protocol_is_what_its_header_says() -> None:
    """The bytes of two answers, worked out from src/stream.h."""
    header = (SAMPLE / "src" / "stream.h").read_text()
    block = re.search(r"#define KWS_STREAM_BLOCK (\d+)", header)
    assert block is not None and int(block[1]) == host.BLOCK
    sender = host.Sender([("a.wav", bytes(host.BLOCK) + b"xy")])
    # 0x1021 from 0xffff over "123456789" is 0x29b1 by the catalogue of CRCs.
    assert binascii.crc_hqx(b"123456789", 0xFFFF) == 0x29B1

    def framed(what: bytes, payload: bytes) -> bytes:
        body = what + struct.pack("<H", len(payload)) + payload
        return b"\x02" + body + struct.pack("<H", binascii.crc_hqx(body, 0xFFFF))

    asked = [ord(c) for c in "NN0011x0NN"]
    answers = [sender.reply(what) for what in asked]
    name, first, second = (
        framed(b"N", b"a.wav"),
        framed(b"0", bytes(host.BLOCK)),
        framed(b"1", b"xy"),
    )
    ended, no_file = framed(b"0", b""), framed(b"N", b"")
    assert answers == [name] * 2 + [first] * 2 + [second] * 2 + [b"", ended] + [no_file] * 2
