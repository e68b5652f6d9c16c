# SPDX-License-Identifier: Apache-2.0
"""Sends WAV files to a board that runs the keyword spotter, and prints what it says.

python samples/kws/play.py --port /dev/ttyACM0 samples/kws/clips/stream.wav

The firmware must have been built with CONFIG_KWS_AUDIO_STREAM=y; src/stream.h has the protocol.
Files are 16 kHz, mono, 16 bits. The port is a device, or another URL that pyserial knows, such as
socket://localhost:4321. Needs pyserial.
"""

from __future__ import annotations

import argparse
import binascii
import json
import struct
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import serial

ENQ = 0x05
STX = 0x02
BLOCK = 640
"""Bytes a block, at most; KWS_STREAM_BLOCK of src/stream.h."""
LONGEST_NAME = 63
SILENCE_S = 15.0
"""A board that asks for nothing and says nothing for so long is not what we think it is."""


def answer(what: int, payload: bytes) -> bytes:
    """The bytes that answer a request."""
    body = struct.pack("<BH", what, len(payload)) + payload
    return bytes([STX]) + body + struct.pack("<H", binascii.crc_hqx(body, 0xFFFF))


class Sender:
    """Answers the board's requests. Keeps the place in the files; repeats what is asked again."""

    def __init__(self, files: Sequence[tuple[str, bytes]]) -> None:
        """``files``: (name, contents) each."""
        self._files = list(files)
        self._rest = b""
        self._what = 0
        self._answer = b""

    def reply(self, what: int) -> bytes:
        """The answer to a request: one of b"N01", or another byte, which is noise (b"")."""
        if what not in b"N01":
            return b""
        if what != self._what:
            self._answer = answer(what, self._next_name() if what == ord("N") else self._block())
            self._what = what
        return self._answer

    def _next_name(self) -> bytes:
        if not self._files:
            return b""
        name, self._rest = self._files.pop(0)
        return "".join(c if " " <= c <= "~" else "?" for c in name).encode()[:LONGEST_NAME]

    def _block(self) -> bytes:
        block, self._rest = self._rest[:BLOCK], self._rest[BLOCK:]
        return block


class Listener:
    """Takes what the board sends apart: requests, and lines of text."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._asking = False

    def feed(self, data: bytes) -> tuple[list[int], list[str]]:
        """(requests, lines) that these bytes complete."""
        requests: list[int] = []
        lines: list[str] = []
        for byte in data:
            if self._asking:
                requests.append(byte)
                self._asking = False
            elif byte == ENQ:
                self._asking = True
            elif byte == ord("\n"):
                lines.append(self._line.decode("utf-8", errors="replace").rstrip("\r"))
                self._line.clear()
            else:
                self._line.append(byte)
        return requests, lines


class Results:
    """What the board has reported of the files."""

    def __init__(self) -> None:
        self.heard: set[str] = set()
        self.summary: dict[str, Any] | None = None

    def take(self, line: str) -> None:
        """Note an event; lines that are none are ignored."""
        try:
            event = json.loads(line)
        except ValueError:
            return
        if not isinstance(event, dict):
            return
        if event.get("event") == "clip":
            self.heard.add(str(event.get("clip")))
        elif event.get("event") == "summary":
            self.summary = event


def play(port: Any, files: Sequence[tuple[str, bytes]]) -> Results:
    """Send all files, printing the lines that come back; until the board's summary.

    Raises TimeoutError where the board falls silent.
    """
    sender, listener, results = Sender(files), Listener(), Results()
    last = time.monotonic()
    while results.summary is None:
        data = port.read(max(1, port.in_waiting))
        if data:
            last = time.monotonic()
        elif time.monotonic() - last > SILENCE_S:
            raise TimeoutError
        requests, lines = listener.feed(data)
        for line in lines:
            print(line, flush=True)
            results.take(line)
        for what in requests:
            port.write(sender.reply(what))
    return results


def read_files(paths: Sequence[Path]) -> list[tuple[str, bytes]]:
    """(name, contents) of each; OSError where one cannot be read."""
    return [(path.name, path.read_bytes()) for path in paths]


def main() -> int:
    """Send, print; the exit status: 0 if every file was heard to its end."""
    description = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--port", required=True, help="serial port, or any URL of pyserial")
    parser.add_argument("--baud", type=int, default=115200, help="bits per second (115200)")
    parser.add_argument("files", metavar="FILE.wav", nargs="+", type=Path)
    arguments = parser.parse_args()
    try:
        files = read_files(arguments.files)
        with serial.serial_for_url(arguments.port, arguments.baud, timeout=0.1) as port:
            results = play(port, files)
    except TimeoutError:
        reason = "the board is silent; is its firmware built with CONFIG_KWS_AUDIO_STREAM=y?"
        print(f"play: error: {arguments.port}: {reason}", file=sys.stderr)
        return 1
    except OSError as error:  # pyserial's errors are of this kind
        print(f"play: error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    missing = [name for name, _ in files if name not in results.heard]
    if missing:
        print(f"play: error: not heard to the end: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
