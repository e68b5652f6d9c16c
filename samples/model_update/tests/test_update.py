# SPDX-License-Identifier: Apache-2.0
"""update.py and the sample, which runs on the host with its flash in a file."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import tty
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import update
from board_process import Process
from petite.pte import load_program
from sample_programs import ANGLE, KWS, SINE, compiled_output, features
from update import UpdateError

#: One worker, which builds the sample once.
pytestmark = pytest.mark.xdist_group("model update")
Start = Callable[[], Process]


@pytest.fixture
def start(host_firmware: Path, tmp_path: Path) -> Iterator[Start]:
    """Starts the board; again and again, its flash stays."""
    started: list[Process] = []

    def begin() -> Process:
        while started:
            started.pop().stop()
        started.append(Process([host_firmware], tmp_path))
        return started[0]

    yield begin
    while started:
        started.pop().stop()


def sine(process: Process) -> bytes:
    """What the model says to one angle."""
    [(dtype, data)] = update.outputs_of(process.board.command("run", ANGLE))
    assert dtype == "float32"
    return data


def slots(process: Process) -> list[str]:
    """The lines of "info" about the slots."""
    return [line for line in process.board.command("info") if line.startswith("slot")]


def refusal(process: Process, command: str, data: bytes = b"") -> str:
    """What the board says to a command that it refuses."""
    with pytest.raises(UpdateError) as caught:
        process.board.command(command, data)
    return str(caught.value)


def put_refused(process: Process, program: bytes) -> str:
    """What it says to a program that it refuses."""
    return refusal(process, f"put {len(program)} {zlib.crc32(program):08x}", program)


# --- what goes well ------------------------------------------------------------------------------


def test_a_life(start: Start) -> None:
    """Nothing, one model, another, a reset, nothing again."""
    board = start()
    assert b"no model: send one" in board.read_until(b"no model: send one")
    assert slots(board) == ["slot 0: empty", "slot 1: empty"]
    assert refusal(board, "run") == "there is no model: put one first"

    update.put(board.board, SINE.read_bytes())
    assert sine(board) == compiled_output(SINE, ANGLE)
    update.put(board.board, KWS.read_bytes())
    [(_, scores)] = update.outputs_of(board.board.command("run", features()))
    assert scores == compiled_output(KWS, features())
    sine_slot = f"slot 0: 3956 bytes, CRC-32 {zlib.crc32(SINE.read_bytes()):08x}, number 1"
    kws_slot = f"slot 1: 54240 bytes, CRC-32 {zlib.crc32(KWS.read_bytes()):08x}, number 2, in use"
    assert slots(board) == [sine_slot, kws_slot]

    board = start()
    assert slots(board) == [sine_slot, kws_slot]
    update.put(board.board, SINE.read_bytes())
    assert sine(board) == compiled_output(SINE, ANGLE)
    assert slots(board)[0].endswith("number 3, in use")

    assert board.board.command("erase") == []
    assert refusal(board, "run") == "there is no model: put one first"
    board = start()
    assert slots(board) == ["slot 0: empty", "slot 1: empty"]


def test_what_info_says(start: Start) -> None:
    board = start()
    update.put(board.board, SINE.read_bytes())
    lines = board.board.command("info")
    assert "largest program: 130816 bytes" in lines
    assert "input 0: 4 bytes, float32" in lines
    assert "output 0: 4 bytes, float32" in lines
    [memory] = [line for line in lines if line.startswith("memory")]
    assert re.fullmatch(
        r"memory: \d+ of 8192 bytes for structures, \d+ of 24000 for the arena", memory
    )


def test_an_image_is_what_put_writes(start: Start, tmp_path: Path) -> None:
    program = SINE.read_bytes()
    board = start()
    update.put(board.board, program)
    slot = (tmp_path / "models.bin").read_bytes()
    assert slot[: 256 + len(program)] == update.image(program)

    whole = update.image(program).ljust(len(slot), b"\xff")
    (tmp_path / "models.bin").write_bytes(whole)
    assert sine(start()) == compiled_output(SINE, ANGLE)


# --- what does not -------------------------------------------------------------------------------


def test_programs_that_are_refused(start: Start) -> None:
    """Each in one line with the place; the model before goes on."""
    board = start()
    update.put(board.board, SINE.read_bytes())
    good = KWS.read_bytes()
    damaged = good[:3000] + bytes(64) + good[3064:]
    place = r"the program is refused at byte \d+.*: "
    sound = "this is no sound program: send a .pte of ExecuTorch 1.5.1, all of it"
    assert re.fullmatch(place + re.escape(sound), put_refused(board, damaged))
    assert re.fullmatch(place + re.escape(sound), put_refused(board, b"hello" * 20))

    name = b"quantized_linear"
    at = SINE.read_bytes().index(b"cortex_m::" + name)
    unknown = SINE.read_bytes().replace(name, b"quantized_lin\n\xffr")
    assert at > 0 and unknown != SINE.read_bytes()
    assert re.fullmatch(
        r"the program is refused at byte \d+, instruction \d+, cortex_m::quantized_lin\?\?r\.out: "
        r"the firmware lacks this operator for these element types: .*",
        put_refused(board, unknown),
    )
    assert sine(board) == compiled_output(SINE, ANGLE)
    # What was refused never counts, also after a reset.
    assert slots(start()) == [
        f"slot 0: 3956 bytes, CRC-32 {zlib.crc32(SINE.read_bytes()):08x}, number 1, in use",
        "slot 1: empty",
    ]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("put", "write: put BYTES CRC, such as: put 3956 1a2b3c4d"),
        ("put 12", "write: put BYTES CRC"),
        ("put 12 xyz", "write: put BYTES CRC"),
        ("put 12 123456789", "write: put BYTES CRC"),
        ("put 12 1234 5", "write: put BYTES CRC"),
        ("put 4294967296 0", "write: put BYTES CRC"),
        ("put 0 0", "a program has 1 to 130816 bytes: make the partition larger"),
        ("put 130817 0", "a program has 1 to 130816 bytes: make the partition larger"),
        ("run fast", "there is no such command: type help"),
        ("putt", "there is no such command: type help"),
        ("info" + 80 * "o", "the line is too long: type help"),
    ],
)
def test_commands_that_are_refused(start: Start, command: str, message: str) -> None:
    board = start()
    shown = command[:63]
    board.port.write(command.encode() + b"\n")
    text = board.read_until(f"{shown}\r\nerror: ".encode()) + board.read_until(b"\n")
    assert f"error: {message}" in text.decode()
    assert slots(board) == ["slot 0: empty", "slot 1: empty"]


def test_a_person_types(start: Start) -> None:
    """Backspace, either end of a line, spaces, and bytes that are none of a keyboard."""
    board = start()
    board.read_until(b"put model.pte\r\n")
    board.port.write(b"\x00\xff hlp\b\x7felp \r\n")
    text = board.read_until(b"ok\r\n")
    assert text.startswith(b" hlp\b \b\b \belp \r\n")
    assert text.count(b"put BYTES CRC") == 1


def test_a_wrong_crc(start: Start) -> None:
    board = start()
    update.put(board.board, SINE.read_bytes())
    message = refusal(board, f"put {len(SINE.read_bytes())} 12345678", SINE.read_bytes())
    assert message == "what was stored has another CRC-32 than you said: send it again"
    assert sine(board) == compiled_output(SINE, ANGLE)


def send_first_block(board: Process) -> None:
    """Begin to send a program; the board asks for the second block."""
    board.port.write(b"put 54240 1234\n")
    board.read_until(b"send 0 512\r\n")
    board.port.write(update.frame(KWS.read_bytes(), 0, 512))
    board.read_until(b"send 512 512\r\n")


def test_a_sender_that_goes_away(start: Start) -> None:
    """In the middle of a block; the board asks again and then gives up, and the model stays."""
    board = start()
    update.put(board.board, SINE.read_bytes())
    send_first_block(board)
    board.port.write(update.frame(KWS.read_bytes(), 512, 512)[:100])
    text = board.read_until(b"error: the program did not arrive")
    assert text.count(b"send 512 512\r\n") == 4
    assert sine(board) == compiled_output(SINE, ANGLE)
    assert slots(start())[1] == "slot 1: empty"


def test_a_sender_that_stops_and_another_that_comes(start: Start) -> None:
    """The board still waits for a block when the next command comes."""
    board = start()
    board.port.write(b"put 54240 1234\n")
    board.read_until(b"send 0 512\r\n")
    update.put(board.board, SINE.read_bytes())
    assert sine(board) == compiled_output(SINE, ANGLE)


def test_power_that_fails_during_an_upload(start: Start) -> None:
    board = start()
    update.put(board.board, SINE.read_bytes())
    send_first_block(board)
    board = start()
    assert sine(board) == compiled_output(SINE, ANGLE)
    update.put(board.board, KWS.read_bytes())
    assert slots(board)[1].endswith("number 2, in use")


class BadLine:
    """A port that loses, changes and repeats some of what is sent."""

    in_waiting = 4096

    def __init__(self, process: Process) -> None:
        self._port = process.port
        self._sent = 0
        self.spoiled = 0

    def read(self, size: int) -> bytes:
        return self._port.read(size)

    def write(self, data: bytes) -> None:
        self._sent += 1
        if data.startswith(update.STX) and self._sent % 3 == 0:
            self.spoiled += 1
            kinds = [data[:-1], data[1:], data + data, data[:99] + b"\x55" + data[100:], b""]
            data = kinds[self.spoiled % len(kinds)]
        self._port.write(data)


def test_a_bad_line_is_made_good(start: Start) -> None:
    process = start()
    line = BadLine(process)
    update.put(update.Board(line), SINE.read_bytes())
    assert line.spoiled > 3
    assert sine(process) == compiled_output(SINE, ANGLE)


# --- after a change of the firmware --------------------------------------------------------------


def write_slots(folder: Path, programs: list[tuple[bytes, int]]) -> None:
    """A partition with these programs and sequence numbers, whether they can be loaded or not."""
    size = 128 * 1024
    data = b""
    for program, sequence in programs:
        header = bytearray(update.image(program)[:256])
        struct.pack_into("<I", header, 16, sequence)
        struct.pack_into("<I", header, 60, zlib.crc32(header[:60]))
        data += (bytes(header) + program).ljust(size, b"\xff")
    (folder / "models.bin").write_bytes(data.ljust(2 * size, b"\xff"))


def test_the_older_program_where_the_newer_is_refused(start: Start, tmp_path: Path) -> None:
    unsound = KWS.read_bytes()[:20000]
    write_slots(tmp_path, [(unsound, 5), (SINE.read_bytes(), 4)])
    board = start()
    text = board.read_until(b"in use")
    assert b"slot 0 is refused at byte " in text
    assert b"slot 1: 3956 bytes" in text
    assert sine(board) == compiled_output(SINE, ANGLE)
    # The next one takes the place of the refused one, and is the newest.
    update.put(board.board, KWS.read_bytes())
    assert slots(start())[0].endswith("number 5, in use")


def test_no_program_that_can_be_loaded(start: Start, tmp_path: Path) -> None:
    unsound = KWS.read_bytes()[:20000]
    write_slots(tmp_path, [(unsound, 5), (unsound[:9000], 4)])
    board = start()
    text = board.read_until(b"no model: send one")
    assert text.count(b"is refused at byte") == 2
    assert refusal(board, "run") == "there is no model: put one first"
    update.put(board.board, SINE.read_bytes())
    assert sine(board) == compiled_output(SINE, ANGLE)


def test_a_program_that_needs_more_memory(start: Start) -> None:
    board = start()
    message = put_refused(board, larger_program())
    match = re.fullmatch(
        r"the program is refused: it needs (\d+) bytes for structures and (\d+) for the arena, "
        r"and there are 8192 and 24000: build the firmware with more, or send a smaller model",
        message,
    )
    assert match is not None and int(match[2]) >= 65536


def larger_program() -> bytes:
    """The keyword spotter, which says that its values take 64 KiB."""
    (method,) = load_program(KWS).methods
    _, size = method.buffer_sizes
    planned = struct.pack("<q", size)
    assert KWS.read_bytes().count(planned) == 1
    return KWS.read_bytes().replace(planned, struct.pack("<q", 65536))


# --- the command line ----------------------------------------------------------------------------


@contextmanager
def on_a_terminal(firmware: Path, folder: Path) -> Iterator[str]:
    """Starts the board on a pseudo terminal; its name."""
    board_end, host_end = pty.openpty()
    tty.setraw(board_end)
    tty.setraw(host_end)
    process = subprocess.Popen([str(firmware)], cwd=folder, stdin=board_end, stdout=board_end)
    try:
        yield os.ttyname(host_end)
    finally:
        process.kill()
        process.wait()
        os.close(board_end)
        os.close(host_end)


def test_command_line(
    host_firmware: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(*arguments: str) -> tuple[int, str, str]:
        status = update.main(["--port", port, *arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    with on_a_terminal(host_firmware, tmp_path) as port:
        assert call("run") == (1, "", "update: error: there is no model: put one first\n")
        status, output, _ = call("put", str(SINE))
        assert status == 0 and output.startswith("slot 0: 3956 bytes")
        status, output, _ = call("run", "1.0", "--output", str(tmp_path / "y.bin"))
        expected = compiled_output(SINE, ANGLE)
        assert (tmp_path / "y.bin").read_bytes() == expected
        [value] = struct.unpack("<f", expected)
        assert status == 0 and f"output 0 float32: {value:.6g}\n" in output
        (tmp_path / "x.bin").write_bytes(ANGLE)
        status, output, _ = call("run", "--input", str(tmp_path / "x.bin"))
        assert status == 0 and f"output 0 float32: {value:.6g}\n" in output
        assert call("run", "1", "2")[2] == (
            "update: error: the model takes 1 numbers, and you gave 2\n"
        )
        (tmp_path / "x.bin").write_bytes(ANGLE * 2)
        assert call("run", "--input", str(tmp_path / "x.bin"))[2] == (
            "update: error: the model takes 4 bytes, and there are 8\n"
        )
        assert call("run", "--", "x")[2].startswith("update: error: a number does not fit")
        status, output, _ = call("info")
        assert status == 0 and "input 0: 4 bytes, float32\n" in output
        assert call("erase")[0] == 0
        assert call("put", str(tmp_path / "none.pte"))[0] == 1
    assert update.main(["image", str(SINE), "--output", str(tmp_path / "image.bin")]) == 0
    assert (tmp_path / "image.bin").read_bytes() == update.image(SINE.read_bytes())
    status, _, error = call("info")
    assert status == 1 and error.startswith("update: error: ")


def test_a_port_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        update.main(["info"])
    assert "give the board's port with --port" in capsys.readouterr().err


def test_the_protocol_is_what_the_headers_say() -> None:
    """Numbers of the C headers, and a frame worked out from transfer.h."""
    source = Path(update.__file__).parent / "src"
    text = "".join((source / name).read_text() for name in ("store.h", "transfer.h"))
    numbers = dict(re.findall(r"#define UPDATE_(\w+) (0x[0-9a-f]+|\d+)u?\b", text))
    assert int(numbers["MAGIC"], 0) == update.MAGIC == int.from_bytes(b"PTMD", "little")
    assert int(numbers["VERSION"], 0) == update.VERSION
    assert int(numbers["HEADER_BYTES"], 0) == update.HEADER_BYTES
    assert int(numbers["KIND_PTE"], 0) == update.KIND_PTE
    assert bytes([int(numbers["STX"], 0)]) == update.STX
    assert bytes([int(numbers["CANCEL"], 0)]) == update.CANCEL
    crc = zlib.crc32(b"\x02\0\0\0cd").to_bytes(4, "little")
    assert update.frame(b"abcdef", 2, 2) == b"\x02\x02\0\0\0cd" + crc
