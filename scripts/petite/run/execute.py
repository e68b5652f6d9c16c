# SPDX-License-Identifier: Apache-2.0
"""Runs a compiled model on the host or in QEMU."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from petite.errors import PetiteError
from petite.run.build import build
from petite.run.counter import Count
from petite.run.exchange import pack_request, unpack_response
from petite.run.qemu import emulate
from petite.run.toolchain import Finished, run_tool
from petite.targets import Target

DEFAULT_TIMEOUT_S = 300.0


@dataclass(frozen=True)
class RunResult:
    """What came out of a run.

    `outputs[call][output]` are raw bytes as the plan stores them. `count` and `profile`
    (instructions by function, on request) are those of the last call, `stack` the most bytes that
    any call used; None on the host, which measures none of them. `elf` is the program that ran.
    `load_count` and `load_stack` are those of loading, for a program that was loaded.
    """

    outputs: list[list[bytes]]
    count: Count | None
    stack: int | None
    elf: Path
    profile: dict[str, int] | None = None
    load_count: Count | None = None
    load_stack: int | None = None

    @property
    def instructions(self) -> int | None:
        """All instructions of the last call."""
        return self.count.instructions if self.count else None

    @property
    def instructions_without_loop_ends(self) -> int | None:
        """All but the ends of low-overhead loops."""
        return self.count.without_loop_ends if self.count else None


def execute(
    model_dir: Path,
    target: Target,
    method: int,
    calls: Sequence[Sequence[bytes]],
    *,
    sanitize: bool = False,
    profile: bool = False,
    loaded: bool = False,
    timeout: float = DEFAULT_TIMEOUT_S,
) -> RunResult:
    """Build model_dir/model.c, run the method (by its index) once for each entry of `calls`.

    `calls[call][input]` are the raw bytes of each input as the plan stores it. The program is left
    in model_dir. `loaded` says that model.c has a program to load (petite/run/loaded.py). Raises
    PetiteError where anything fails, and after `timeout` seconds of running.
    """
    request = pack_request(method, calls)
    if profile and target.is_host:
        raise PetiteError("instructions by function are counted only in QEMU, not on the host")
    elf = build(model_dir, target, sanitize=sanitize, loaded=loaded)
    with tempfile.TemporaryDirectory(prefix="petite-") as directory:
        work = Path(directory)
        (work / "request.bin").write_bytes(request)
        if target.is_host:
            run_host(elf, work, timeout)
            emulation = None
        else:
            emulation = emulate(elf, target, work, profile=profile, timeout=timeout)
        response = unpack_response((work / "response.bin").read_bytes(), len(calls), loaded=loaded)
    measured = [stack for stack in response.stacks if stack is not None]
    return RunResult(
        outputs=response.outputs,
        count=emulation.counts[-1] if emulation else None,
        stack=max(measured, default=None),
        elf=elf,
        profile=emulation.profile if emulation else None,
        load_count=emulation.counts[0] if emulation and loaded else None,
        load_stack=response.load_stack,
    )


def run_host(elf: Path, work: Path, timeout: float) -> None:
    """Run a program of the host in a directory that has its files."""
    try:
        done = run_tool([elf.resolve()], cwd=work, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise PetiteError(f"the model did not finish on the host in {timeout:g} s") from None
    if done.status != 0:
        raise PetiteError(f"the model failed on the host: {_describe_host(done)}")


def _describe_host(done: Finished) -> str:
    """The sanitizer's own summary, or the runner's message, or the signal that ended it."""
    for pattern in (r"^SUMMARY: (.*)$", r"^(.*runtime error: .*)$", r"^petite: (.*)$"):
        found = re.search(pattern, done.output, re.MULTILINE)
        if found:
            return found[1]
    return f"ended by signal {-done.status}" if done.status < 0 else f"exit status {done.status}"
