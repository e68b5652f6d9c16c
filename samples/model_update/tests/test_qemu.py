# SPDX-License-Identifier: Apache-2.0
"""The sample as bare-metal firmware in QEMU: models come, are refused, and outlive a reset."""

from __future__ import annotations

import socket
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import update
from board_process import LONG, Process
from sample_programs import ANGLE, KWS, SINE, compiled_output, features
from update import UpdateError


@pytest.fixture
def board(m55_firmware: Path, tmp_path: Path) -> Iterator[Process]:
    command = ["qemu-system-arm", "-M", "mps3-an547", "-display", "none", "-serial", "stdio"]
    command += ["-monitor", "unix:monitor,server=on,wait=off", "-kernel", str(m55_firmware)]
    process = Process(command, tmp_path)
    yield process
    process.stop()


def reset(monitor: Path) -> None:
    """Press the reset button."""
    with socket.socket(socket.AF_UNIX) as end:
        end.connect(str(monitor))
        end.settimeout(LONG)
        end.sendall(b"system_reset\n")
        # The command is carried out before the monitor asks for the next one.
        received = b""
        while received.count(b"(qemu)") < 2:
            received += end.recv(4096)


def run(process: Process, inputs: bytes) -> bytes:
    [(_, data)] = update.outputs_of(process.board.command("run", inputs))
    return data


def test_models_come_and_go(board: Process, tmp_path: Path) -> None:
    board.read_until(b"no model: send one")
    sine, kws = SINE.read_bytes(), KWS.read_bytes()
    update.put(board.board, sine)
    assert run(board, ANGLE) == compiled_output(SINE, ANGLE)

    damaged = kws[:3000] + bytes(64) + kws[3064:]
    with pytest.raises(UpdateError, match=r"refused at byte \d+.*no sound program"):
        update.put(board.board, damaged)
    with pytest.raises(UpdateError, match="another CRC-32"):
        board.board.command(f"put {len(sine)} 12345678", sine)
    board.port.write(b"put 54240 1234\n")
    board.read_until(b"send 0 512\r\n")
    board.port.write(update.frame(kws, 0, 512)[:300])
    board.read_until(b"error: the program did not arrive")
    assert run(board, ANGLE) == compiled_output(SINE, ANGLE)

    update.put(board.board, kws)
    assert run(board, features()) == compiled_output(KWS, features())
    reset(tmp_path / "monitor")
    text = board.read_until(b"in use")
    assert f"slot 1: 54240 bytes, CRC-32 {zlib.crc32(kws):08x}, number 2, in use" in text.decode()
    assert run(board, features()) == compiled_output(KWS, features())
