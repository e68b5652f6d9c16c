# SPDX-License-Identifier: Apache-2.0
"""Sends models to a board that runs samples/model_update, and runs them there.

python samples/model_update/update.py --port /dev/ttyACM0 info
python samples/model_update/update.py --port /dev/ttyACM0 put model.pte
python samples/model_update/update.py --port /dev/ttyACM0 run 0.5
python samples/model_update/update.py --port /dev/ttyACM0 erase
python samples/model_update/update.py image model.pte --output models.bin

The port is a device, or another URL that pyserial knows, such as socket://localhost:4321. What goes
over it is in src/protocol.h and src/transfer.h. `image` writes what the flash partition holds with
one model in it, for flashing it together with the firmware. Needs pyserial, but not for `image`.
"""

from __future__ import annotations

import argparse
import re
import struct
import sys
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

STX = b"\x02"
CANCEL = b"\x03"
ECHO_S = 2.0
"""A board shows a command at once; UPDATE_TIMEOUT_MS of src/transfer.h, if it waits for a block."""
TRIES = 8
QUIET_S = 0.3
"""Longer than a board waits for the line to be quiet."""
SILENCE_S = 60.0
"""Erasing a slot takes a while, and a large model too."""

MAGIC = 0x444D5450
VERSION = 1
HEADER_BYTES = 256
KIND_PTE = 1
HEADER = struct.Struct("<IHHIIIHHI32x")
"""struct update_header of src/store.h, without its CRC."""
ERASED = 0xFF

FORMATS = {
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint8": "B",
    "bool": "?",
    "float32": "f",
}
"""Letters of the module struct, by the names of element types that boards print."""


class UpdateError(Exception):
    """What went wrong, in one line; the board's own words where it refused something."""


# --- the line --------------------------------------------------------------------------------


def frame(data: bytes, offset: int, size: int) -> bytes:
    """The answer to "send OFFSET SIZE"."""
    body = struct.pack("<I", offset) + data[offset : offset + size]
    return STX + body + struct.pack("<I", zlib.crc32(body))


class Board:
    """A board at the other end of a port, which is one of pyserial's with a short timeout."""

    def __init__(self, port: Any) -> None:
        self._port = port
        self._received = b""

    def command(self, command: str, data: bytes = b"") -> list[str]:
        """Send a command, and of ``data`` what the board asks for; the lines that it says.

        Raises UpdateError where it says "error", or nothing.
        """
        self._start(command)
        lines: list[str] = []
        while True:
            line = self._line(SILENCE_S)
            if line is None:
                raise UpdateError("the board fell silent: reset it, and try again")
            asked = re.fullmatch(r"send (\d+) (\d+)", line)
            if asked:
                self._port.write(frame(data, int(asked[1]), int(asked[2])))
            elif line == "ok":
                return lines
            elif line.startswith("error: "):
                raise UpdateError(line.removeprefix("error: "))
            else:
                lines.append(line)

    def _start(self, command: str) -> None:
        """Send a command until the board shows it: it may have waited for something else."""
        for _ in range(TRIES):
            self._port.write(f"\n{command}\n".encode())
            end = time.monotonic() + ECHO_S
            while (left := end - time.monotonic()) > 0:
                if self._line(left) == command:
                    return
            self._port.write(CANCEL)
            time.sleep(QUIET_S)
        raise UpdateError(
            "the board does not answer: is samples/model_update on it, and the port right?"
        )

    def _line(self, seconds: float) -> str | None:
        """The next line; None where none is complete in time."""
        end = time.monotonic() + seconds
        while b"\n" not in self._received:
            if time.monotonic() > end:
                return None
            self._received += self._port.read(max(1, self._port.in_waiting))
        line, _, self._received = self._received.partition(b"\n")
        text = line.decode("ascii", errors="replace").strip("\r")
        # Whatever is at the other end, a terminal gets nothing that it obeys.
        return "".join(c if " " <= c <= "~" else "?" for c in text)


# --- commands --------------------------------------------------------------------------------


def put(board: Board, program: bytes) -> list[str]:
    """Store a program and let it run."""
    return board.command(f"put {len(program)} {zlib.crc32(program):08x}", program)


def pack_inputs(lines: Sequence[str], values: Sequence[str]) -> bytes:
    """Numbers as the bytes of all inputs, which ``lines`` of "info" describe.

    Raises UpdateError where there are more or fewer, or one does not fit its type.
    """
    found = [re.fullmatch(r"input \d+: (\d+) bytes, (\w+)", line) for line in lines]
    formats = "".join(
        int(match[1]) // struct.calcsize(FORMATS[match[2]]) * FORMATS[match[2]]
        for match in found
        if match
    )
    if len(values) != len(formats):
        raise UpdateError(f"the model takes {len(formats)} numbers, and you gave {len(values)}")
    try:
        numbers = [
            float(value) if letter == "f" else int(value)
            for letter, value in zip(formats, values, strict=True)
        ]
        return struct.pack(f"<{formats}", *numbers)
    except (ValueError, struct.error) as error:
        raise UpdateError(f"a number does not fit the model's input: {error}") from None


def outputs_of(lines: Sequence[str]) -> list[tuple[str, bytes]]:
    """(element type, bytes) of each output that "run" printed."""
    found = [re.fullmatch(r"output \d+ (\w+): ([0-9a-f]*)", line) for line in lines]
    return [(match[1], bytes.fromhex(match[2])) for match in found if match]


def run(board: Board, values: Sequence[str], inputs: bytes | None) -> list[str]:
    """One inference. Inputs are numbers, or raw bytes, or all zero where there are neither."""
    described = board.command("info")
    size = sum(
        int(match[1]) for line in described if (match := re.match(r"input \d+: (\d+) ", line))
    )
    if inputs is None:
        inputs = pack_inputs(described, values) if values else bytes(size)
    if size and len(inputs) != size:
        raise UpdateError(f"the model takes {size} bytes, and there are {len(inputs)}")
    return board.command("run", inputs)


def readable(line: str) -> str:
    """A line of "run" with numbers instead of bytes."""
    for dtype, data in outputs_of([line]):
        count = len(data) // struct.calcsize(FORMATS[dtype])
        numbers = struct.unpack(f"<{count}{FORMATS[dtype]}", data)
        texts = [f"{number:.6g}" if dtype == "float32" else str(number) for number in numbers]
        return f"{line.partition(':')[0]}: {' '.join(texts)}"
    return line


def image(program: bytes) -> bytes:
    """What the first slot holds: header and program."""
    header = HEADER.pack(
        MAGIC, VERSION, HEADER_BYTES, len(program), zlib.crc32(program), 1, KIND_PTE, 0, 0
    )
    header += struct.pack("<I", zlib.crc32(header))
    return header.ljust(HEADER_BYTES, bytes([ERASED])) + program


# --- command line ----------------------------------------------------------------------------


def arguments_of(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--port", help="serial port, or any URL of pyserial")
    parser.add_argument("--baud", type=int, default=115200, help="bits per second (115200)")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("info", help="what the board has")
    command = commands.add_parser("put", help="send a program; it runs from then on")
    command.add_argument("program", metavar="MODEL.pte", type=Path)
    command = commands.add_parser("run", help="one inference")
    command.add_argument("values", metavar="NUMBER", nargs="*", help="the inputs (all zero)")
    command.add_argument("--input", type=Path, help="or their raw bytes, from a file")
    command.add_argument("--output", type=Path, help="write the outputs' raw bytes to a file")
    commands.add_parser("erase", help="forget all programs")
    command = commands.add_parser("image", help="write the partition's bytes to a file")
    command.add_argument("program", metavar="MODEL.pte", type=Path)
    command.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args(argv)
    if arguments.command != "image" and not arguments.port:
        parser.error("give the board's port with --port")
    return arguments


def talk(arguments: argparse.Namespace) -> list[str]:
    """Do what the command line says, with a board; the lines to print."""
    import serial

    program = arguments.program.read_bytes() if arguments.command == "put" else b""
    with serial.serial_for_url(arguments.port, arguments.baud, timeout=0.05) as port:
        board = Board(port)
        if arguments.command == "put":
            return put(board, program)
        if arguments.command == "run":
            inputs = arguments.input.read_bytes() if arguments.input else None
            lines = run(board, arguments.values, inputs)
            if arguments.output:
                arguments.output.write_bytes(b"".join(data for _, data in outputs_of(lines)))
            return [readable(line) for line in lines]
        return board.command(arguments.command)


def main(argv: Sequence[str] | None = None) -> int:
    """Do it, print; the exit status."""
    arguments = arguments_of(argv)
    try:
        if arguments.command == "image":
            arguments.output.write_bytes(image(arguments.program.read_bytes()))
        else:
            print("\n".join(talk(arguments)))
    except (UpdateError, OSError) as error:  # pyserial's errors are of the latter kind
        print(f"update: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
