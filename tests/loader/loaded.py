# SPDX-License-Identifier: Apache-2.0
"""Loads programs out of files, on the host and in QEMU: one build takes every program."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from loader.builds import write_operators
from petite.run.build import build
from petite.run.execute import run_host
from petite.run.qemu import emulate
from petite.targets import Target

HERE = Path(__file__).resolve().parent
_WORDS = 7
_TIMEOUT_S = 300.0


@dataclass(frozen=True)
class Outcome:
    """What petite_load() said, and the outputs of each call, as raw bytes.

    `instructions` are those of planning, of loading, and of each call; empty on the host.
    """

    status: int
    byte: int
    instruction: int
    structures: int
    arena: int
    copied: int
    stack: int
    outputs: list[bytes]
    instructions: list[int]


@cache
def _firmware(target: Target, sanitize: bool) -> Path:
    """The program that loads others, with every operator there is. Built once a process."""
    directory = Path(tempfile.mkdtemp(prefix="petite-load-"))
    write_operators(directory, target)
    return build(directory, target, sanitize=sanitize, main=HERE / "load_program.c")


def load_and_run(
    program: bytes,
    method: str,
    calls: Sequence[Sequence[bytes]],
    target: Target,
    output_size: int,
    *,
    sanitize: bool = False,
) -> Outcome:
    """Load a method, and run it once for each entry of `calls`; `output_size` is of one call."""
    elf = _firmware(target, sanitize)
    name = method.encode() + b"\0"
    request = struct.pack("<3I", len(program), len(name), len(calls)) + name + program
    request += b"".join(data for inputs in calls for data in inputs)
    with tempfile.TemporaryDirectory(prefix="petite-") as directory:
        work = Path(directory)
        (work / "request.bin").write_bytes(request)
        counts = []
        if target.is_host:
            run_host(elf, work, _TIMEOUT_S)
        else:
            counts = emulate(elf, target, work, timeout=_TIMEOUT_S).counts
        response = (work / "response.bin").read_bytes()
    status, byte, instruction, structures, arena, copied, stack = struct.unpack_from(
        "<iIi4I", response
    )
    rest = response[4 * _WORDS :]
    outputs = []
    if status == 0:
        assert len(rest) == len(calls) * (4 + output_size)
        for at in range(0, len(rest), 4 + output_size):
            (ran,) = struct.unpack_from("<i", rest, at)
            assert ran == 0, f"petite_run() returned {ran}"
            outputs.append(rest[at + 4 : at + 4 + output_size])
    return Outcome(
        status,
        byte,
        instruction,
        structures,
        arena,
        copied,
        stack,
        outputs,
        [count.instructions for count in counts],
    )
