# SPDX-License-Identifier: Apache-2.0
"""Runs a firmware in QEMU, with semihosting, and counts its instructions."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from petite.errors import PetiteError
from petite.run.counter import Count, plugin_arguments, read_counts, read_profile
from petite.run.elf_symbols import Symbols
from petite.run.toolchain import Finished, find_tool, run_tool
from petite.targets import Target

_COUNTS = "counts.txt"
_BLOCKS = "blocks.txt"


@dataclass(frozen=True)
class Emulation:
    """What a firmware printed, and its instructions between the marks, each time it passed them.

    `profile` has the instructions of the last time by function, where it was asked for.
    """

    output: str
    counts: list[Count]
    profile: dict[str, int] | None


def emulate(
    elf: Path, target: Target, work: Path, *, profile: bool = False, timeout: float
) -> Emulation:
    """Run a firmware to its end in directory `work`, where semihosting opens its files.

    The firmware calls petite_mark_start() and petite_mark_stop() around what is counted. Raises
    PetiteError where it faults, ends with another status than 0, or runs for `timeout` seconds.
    """
    symbols = Symbols(elf)
    command: list[str | Path] = [find_tool("qemu-system-arm"), *target.machine]
    command += ["-display", "none", "-monitor", "none", "-serial", "none"]
    command += ["-semihosting-config", "enable=on,target=native", "-kernel", elf.resolve()]
    command += plugin_arguments(symbols, _COUNTS, _BLOCKS if profile else None)
    try:
        done = run_tool(command, cwd=work, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise PetiteError(
            f"the model did not finish on {target.name} in {timeout:g} s: "
            "it hangs, or it needs a longer timeout"
        ) from None
    if done.status != 0:
        raise PetiteError(f"the model failed on {target.name}: {_describe(done, symbols)}")
    return Emulation(
        done.output,
        read_counts(work / _COUNTS),
        read_profile(work / _BLOCKS, symbols) if profile else None,
    )


def _describe(done: Finished, symbols: Symbols) -> str:
    """The runner's message, with the function at a fault's address; or QEMU's own complaint."""
    found = re.search(r"^petite: (.*)$", done.output, re.MULTILINE)
    if found:
        at = re.search(r"at pc (0x[0-9a-f]+)", found[1])
        name = symbols.function_at(int(at[1], 16)) if at else None
        return found[1] + (f", in {name}()" if name else "")
    if "Lockup" in done.output:
        return "the core locked up (a fault inside a fault: often a stack overflow)"
    lines = [line for line in done.output.splitlines() if line.strip()]
    return f"QEMU ended with status {done.status}: {lines[0] if lines else 'no message'}"
