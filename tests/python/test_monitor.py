# SPDX-License-Identifier: Apache-2.0
"""``petite monitor`` on pseudo terminals and sockets that come and go."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from petite.cli.main import main
from petite.errors import PetiteError
from petite.monitor.port import choose_port

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
LONG = 20.0  # seconds; nothing takes so long unless it hangs

BOOT = b"*** Booting Zephyr OS build v4.3.0 ***\r\n"
YES = b'{"event":"keyword","clip":"x.wav","keyword":"yes","score":97,"time_ms":960}\r\n'
RUN = b'{"event":"inference","instructions":%d,"us":12.5}\r\n'
SUMMARY = b'{"event":"summary","keywords":1}\n'


def wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def events(log: Path) -> list[dict[str, Any]]:
    """What is in a log; fails on half a line."""
    text = log.read_text() if log.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def names(log: Path) -> list[str]:
    return [event["event"] for event in events(log)]


class Board:
    """A board on a pseudo terminal. ``port`` is a name that stays, as udev gives one."""

    def __init__(self, folder: Path) -> None:
        self.port = folder / "board"
        self.log = folder / "log.jsonl"
        self._master = -1
        self._connections = 0

    def plug(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.port.symlink_to(os.ttyname(slave))
        os.close(slave)

    def unplug(self) -> None:
        self.port.unlink()
        os.close(self._master)

    def send(self, data: bytes) -> None:
        os.write(self._master, data)

    def wait_until_open(self) -> None:
        """The port is read from now on; what was sent before is lost, as on a real one."""
        self._connections += 1
        wait_for(lambda: names(self.log).count("monitor.connected") == self._connections)


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path)


@contextmanager
def playing(script: Callable[[], None]) -> Iterator[Future[None]]:
    """Run the board's side in a thread; its failures are the test's."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(script)
        yield future
        future.result(LONG)


@contextmanager
def server(*replies: bytes) -> Iterator[str]:
    """A socket that sends a reply to each connection, at once, and cuts it. The URL."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(LONG)

        def serve() -> None:
            for reply in replies:
                connection, _ = listening.accept()
                connection.sendall(reply)
                connection.close()

        with playing(serve):
            yield f"socket://127.0.0.1:{listening.getsockname()[1]}"


def monitor(*arguments: object) -> int:
    return main(["monitor", "--timeout", str(LONG), *map(str, arguments)])


@contextmanager
def process(*arguments: object, stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    started = subprocess.Popen(
        [sys.executable, "-m", "petite", "monitor", *map(str, arguments)],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SCRIPTS), "TERM": "xterm"},
    )
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


def error_line(capsys: pytest.CaptureFixture[str]) -> str:
    """The last line of stderr, which must be the only error."""
    lines = capsys.readouterr().err.splitlines()
    assert [line.startswith("petite: error: ") for line in lines].count(True) == 1
    return lines[-1]


# --- what is shown -----------------------------------------------------------------------------


def test_text_and_events_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    data = BOOT + b"\x1b[32mheard yes\x1b[0m\r\n<inf> kws: " + YES + b"\xff\r\n" + RUN % 7 + SUMMARY
    with server(data) as url:
        assert monitor("--port", url, "--until", "summary") == 0
    printed, error = capsys.readouterr()
    assert error == ""
    assert printed.splitlines()[:7] == [
        "*** Booting Zephyr OS build v4.3.0 ***",
        "heard yes",
        "<inf> kws:",
        "keyword: clip=x.wav keyword=yes score=97 time_ms=960",
        "\ufffd",
        "inference: instructions=7 us=12.5",
        "summary: keywords=1",
    ]
    assert "3 event(s) in " in printed.splitlines()[7]
    assert printed.splitlines()[7].endswith(": keyword 1, inference 1, summary 1")


def test_the_summary_has_figures(capsys: pytest.CaptureFixture[str]) -> None:
    data = b"".join(RUN % n for n in (1000, 3000, 2000)) + SUMMARY
    with server(data) as url:
        assert monitor("--port", url, "--until", "summary") == 0
    printed = capsys.readouterr().out
    assert re.search(r"^inference.instructions +1,000 +2,000 +3,000$", printed, re.MULTILINE)
    assert re.search(r"^inference.us +12.5 +12.5 +12.5$", printed, re.MULTILINE)


def test_an_event_cannot_control_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with server(b'{"event":"\\u001b[2Je","\\u001b[1mk":"\\u001bc\\ud800"}\n') as url:
        assert monitor("--port", url, "--count", 1) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_output_that_cannot_hold_every_character() -> None:
    with server('{"event":"größe","a":"→"}\n'.encode()) as url:
        done = subprocess.run(
            [sys.executable, "-m", "petite", "monitor", "--port", url, "--count", "1"],
            capture_output=True,
            check=False,
            timeout=LONG,
            env={**os.environ, "PYTHONPATH": str(SCRIPTS), "PYTHONIOENCODING": "ascii"},
        )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"gr??e: a=?\n")


def test_live_table_fits_the_terminal_and_gives_it_back(board: Board) -> None:
    screen, stdout = os.openpty()
    fcntl.ioctl(stdout, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 40, 0, 0))
    shown = bytearray()

    def read_screen() -> None:
        while True:
            try:
                shown.extend(os.read(screen, 4096))
            except OSError:
                return

    board.plug()
    reader = threading.Thread(target=read_screen)
    reader.start()
    with process("--port", board.port, "--log", board.log, stdout=stdout) as running:
        os.close(stdout)
        board.wait_until_open()
        board.send(BOOT + YES + RUN % 1234 + b"\x1b[31mlast words " + b"x" * 100 + b"\r\n")
        wait_for(lambda: b"last words" in shown)
        running.send_signal(signal.SIGINT)
        assert running.wait(LONG) == 0
    reader.join(LONG)
    os.close(screen)
    text = shown.decode()
    assert text.startswith("\x1b[?1049h\x1b[?25l")
    table, after = text.split("\x1b[?7h\x1b[?25h\x1b[?1049l")
    frame = table.split("\x1b[H")[-1]
    lines = [line.removesuffix("\x1b[K") for line in frame.removesuffix("\x1b[J").split("\r\n")]
    assert len(lines) <= 20 and max(map(len, lines)) == 40
    assert "\x1b" not in "".join(lines)
    assert any(line.startswith("inference.instructions") for line in lines)
    assert any("keyword: clip=x.wav" in line for line in lines)
    assert "2 event(s) in " in after and "\x1b" not in after


# --- ends --------------------------------------------------------------------------------------


def test_count_ends_after_so_many_events(capsys: pytest.CaptureFixture[str]) -> None:
    with server(YES * 5) as url:
        assert monitor("--port", url, "--count", 2) == 0
    assert "2 event(s)" in capsys.readouterr().out


def test_count_of_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    with server((RUN % 1 + YES) * 5) as url:
        assert monitor("--port", url, "--until", "keyword", "--count", 3) == 0
    assert "inference 3, keyword 3" in capsys.readouterr().out


def test_a_last_event_without_line_end_counts() -> None:
    with server(YES.rstrip()) as url:
        assert monitor("--port", url, "--count", 1) == 0


@pytest.mark.parametrize("goal", [("--until", "summary"), ("--count", "2")])
def test_a_goal_that_is_not_reached_in_time(
    capsys: pytest.CaptureFixture[str], goal: tuple[str, str]
) -> None:
    with server(YES) as url:
        assert main(["monitor", "--port", url, *goal, "--timeout", "0.3"]) == 1
    assert "did not come before the time was over" in error_line(capsys)


def test_without_a_goal_the_end_of_time_is_no_error(board: Board) -> None:
    board.plug()
    assert main(["monitor", "--port", str(board.port), "--timeout", "0.2"]) == 0


def test_no_reconnect_ends_with_the_port(capsys: pytest.CaptureFixture[str]) -> None:
    with server(YES, YES) as url:
        assert monitor("--port", url, "--no-reconnect") == 0
        assert "1 event(s)" in capsys.readouterr().out
        assert monitor("--port", url, "--no-reconnect", "--until", "summary") == 1
    assert "named 'summary' did not come before the port disappeared" in error_line(capsys)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_signals_end_it_cleanly(board: Board, number: signal.Signals, status: int) -> None:
    board.plug()
    with process("--port", board.port, "--log", board.log) as running:
        board.wait_until_open()
        board.send(YES + b"half a li")
        assert running.stdout is not None and running.stderr is not None
        assert running.stdout.readline().startswith("keyword: ")
        running.send_signal(number)
        assert running.wait(LONG) == status
        assert running.stderr.read() == ""
        assert running.stdout.readline() == "half a li\n"
        assert running.stdout.readline().startswith("1 event(s)")
    assert names(board.log) == ["monitor.connected", "keyword"]


def test_interrupt_while_the_port_is_away(board: Board) -> None:
    with process("--port", board.port, "--wait") as running:
        assert running.stderr is not None
        assert running.stderr.readline().startswith(f"petite: waiting for {board.port} (")
        running.send_signal(signal.SIGINT)
        assert running.wait(LONG) == 0


def test_a_reader_that_has_seen_enough(board: Board) -> None:
    board.plug()
    with process("--port", board.port, "--log", board.log) as running:
        board.wait_until_open()
        assert running.stdout is not None and running.stderr is not None
        running.stdout.close()
        board.send(YES)
        assert running.wait(LONG) == 1
        assert running.stderr.read() == ""


# --- resets ------------------------------------------------------------------------------------


def test_a_port_that_comes_back(board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    def script() -> None:
        board.wait_until_open()
        board.send(YES + b'{"event":"inference","instr')
        wait_for(lambda: "keyword" in names(board.log))
        board.unplug()
        wait_for(lambda: "monitor.disconnected" in names(board.log))
        board.plug()
        board.wait_until_open()
        board.send(BOOT + SUMMARY)

    board.plug()
    with playing(script):
        assert monitor("--port", board.port, "--log", board.log, "--until", "summary") == 0
    assert names(board.log) == [
        *("monitor.connected", "keyword", "monitor.damaged", "monitor.disconnected"),
        *("monitor.connected", "monitor.boot", "summary"),
    ]
    assert events(board.log)[2]["text"] == '{"event":"inference","instr'
    printed, error = capsys.readouterr()
    assert error.splitlines() == [
        f"petite: disconnected, waiting for {board.port}",
        f"petite: connected to {board.port} again",
    ]
    assert "1 time(s) the port was lost and found again" in printed


def test_a_socket_that_is_cut_several_times(capsys: pytest.CaptureFixture[str]) -> None:
    with server(YES, YES, SUMMARY) as url:
        assert monitor("--port", url, "--until", "summary") == 0
    printed, error = capsys.readouterr()
    assert "keyword 2, summary 1" in printed
    assert error.count("disconnected, waiting for") == 2


def test_a_reset_that_the_port_does_not_notice(board: Board) -> None:
    def script() -> None:
        board.wait_until_open()
        board.send(BOOT + b'{"event":"inference","ins' + BOOT + YES)
        board.send(b'{"event":"infer' + SUMMARY)

    board.plug()
    with playing(script):
        assert monitor("--port", board.port, "--log", board.log, "--until", "summary") == 0
    assert names(board.log) == [
        *("monitor.connected", "monitor.boot", "monitor.damaged", "monitor.boot", "keyword"),
        *("monitor.damaged", "summary"),
    ]


def test_wait_for_a_port_that_is_not_there_yet(
    board: Board, capsys: pytest.CaptureFixture[str]
) -> None:
    def script() -> None:
        time.sleep(0.2)
        board.plug()
        board.wait_until_open()
        board.send(YES)

    with playing(script):
        assert monitor("--port", board.port, "--log", board.log, "--wait", "--count", 1) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"petite: waiting for {board.port} (No such file or directory)",
        f"petite: connected to {board.port}",
    ]


# --- mistakes ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("port", "reason"),
    [
        ("/dev/no-such-port", "No such file or directory"),
        ("/dev/null", "cannot open it"),
        ("socket://127.0.0.1:1", "Connection refused"),
        ("socket://nowhere", "write socket://nowhere:NUMBER"),
        ("nothing://x", "protocol 'nothing' not known"),
    ],
)
def test_a_port_that_cannot_be_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], port: str, reason: str
) -> None:
    assert monitor("--port", port, "--log", tmp_path / "log.csv") == 1
    error = error_line(capsys)
    assert port in error and reason in error
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_somebody_else_reads(board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    board.plug()
    with process("--port", board.port, "--log", board.log):
        board.wait_until_open()
        assert monitor("--port", board.port) == 1
    assert "another program uses it" in error_line(capsys)


def test_an_unwritable_log_is_found_before_the_port_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "none" / "log.csv"
    assert monitor("--port", "/dev/no-such-port", "--log", log) == 1
    assert f"{log}: cannot write it (No such file or directory)" in error_line(capsys)


@pytest.mark.parametrize("option", [("--count", "0"), ("--timeout", "nan"), ("--baud", "-1")])
def test_numbers_out_of_range(capsys: pytest.CaptureFixture[str], option: tuple[str, str]) -> None:
    with pytest.raises(SystemExit) as end:
        monitor("--port", "loop://", *option)
    assert end.value.code == 2
    assert option[0] in capsys.readouterr().err


def test_the_only_port_is_chosen() -> None:
    acm, usb = ("/dev/ttyACM0", "J-Link"), ("/dev/ttyUSB0", "FTDI")
    assert choose_port([acm]) == "/dev/ttyACM0"
    with pytest.raises(PetiteError, match="no serial port is there"):
        choose_port([])
    with pytest.raises(PetiteError, match=r"ttyACM0 \(J-Link\), /dev/ttyUSB0 \(FTDI\)$"):
        choose_port([usb, acm])
