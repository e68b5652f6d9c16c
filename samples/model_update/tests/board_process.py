# SPDX-License-Identifier: Apache-2.0
"""Boards of the tests: processes whose console is one end of a socket."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from update import Board

LONG = 60.0  # seconds; nothing takes so long unless it hangs


class SocketPort:
    """A socket, with as much of pyserial's interface as update.py asks for."""

    in_waiting = 4096

    def __init__(self, end: socket.socket) -> None:
        end.settimeout(0.05)
        self.end = end

    def read(self, size: int) -> bytes:
        """What is there; nothing after a while."""
        try:
            return self.end.recv(size)
        except TimeoutError:
            return b""

    def write(self, data: bytes) -> None:
        """Send all."""
        self.end.sendall(data)


class Process:
    """A board that runs as a process, in a folder where it keeps its flash, if at all."""

    def __init__(self, command: Sequence[str | Path], folder: Path) -> None:
        ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [str(word) for word in command], cwd=folder, stdin=theirs, stdout=theirs
        )
        theirs.close()
        self.port = SocketPort(ours)
        self.board = Board(self.port)

    def read_until(self, text: bytes) -> bytes:
        """What the board says, up to a text that has to come."""
        received = b""
        end = time.monotonic() + LONG
        while text not in received:
            assert time.monotonic() < end, f"no {text!r} in {received!r}"
            received += self.port.read(1)
        return received

    def stop(self) -> None:
        """Take its power away."""
        self._process.kill()
        self._process.wait()
        self.port.end.close()
