# SPDX-License-Identifier: Apache-2.0
"""The QEMU plugin that counts instructions: builds it, and reads what it wrote."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from petite.errors import PetiteError
from petite.run.elf_symbols import Symbols
from petite.run.toolchain import cache_directory, find_tool, run_tool, tool_stamp, written_whole

_SOURCE = Path(__file__).resolve().parent / "counter.c"


@dataclass(frozen=True)
class Count:
    """Instructions of one call: all, and all but the ends of low-overhead loops."""

    instructions: int
    without_loop_ends: int


def counter_plugin() -> Path:
    """The plugin, compiled on first use for the QEMU that is installed, kept in the cache."""
    identity = f"{tool_stamp('qemu-system-arm')} {tool_stamp('cc')}".encode()
    digest = hashlib.sha256(identity + _SOURCE.read_bytes()).hexdigest()[:12]
    plugin = cache_directory() / f"counter-{digest}.so"
    if plugin.is_file():
        return plugin
    with written_whole(plugin) as partial:
        command: list[str | Path] = [find_tool("cc"), "-O2", "-shared", "-fPIC"]
        command += [f"-DPLUGIN_API={_plugin_api()}", "-o", partial, _SOURCE]
        done = run_tool(command, timeout=60)
        if done.status != 0:
            lines = done.output.strip().splitlines()
            raise PetiteError(f"cannot compile the instruction counter: {lines[0]}")
    return plugin


def _plugin_api() -> int:
    """The version of the plugin interface that the installed QEMU speaks."""
    text = run_tool([find_tool("qemu-system-arm"), "--version"], timeout=60).output
    found = re.search(r"version (\d+)\.(\d+)", text)
    version = (int(found[1]), int(found[2])) if found else (0, 0)
    if version >= (9, 1):
        return 3
    return 2 if version >= (9, 0) else 1


def plugin_arguments(symbols: Symbols, counts: str, blocks: str | None) -> list[str]:
    """QEMU's arguments; `counts` and `blocks` are files in the directory where QEMU runs."""
    start = symbols.address("petite_mark_start")
    stop = symbols.address("petite_mark_stop")
    plugin = str(counter_plugin()).replace(",", ",,")  # how QEMU spells a comma in a value
    arguments = f"{plugin},start={start:#x},stop={stop:#x},out={counts}"
    return ["-plugin", arguments + (f",blocks={blocks}" if blocks else "")]


def read_counts(path: Path) -> list[Count]:
    """The counts of each call, in order. Raises PetiteError where the plugin wrote none."""
    if not path.is_file():
        raise PetiteError("QEMU did not count instructions: it may lack plugin support")
    counts = []
    for line in path.read_text(encoding="ascii").splitlines():
        total, loop_ends = (int(word) for word in line.split())
        counts.append(Count(total, total - loop_ends))
    return counts


def read_profile(path: Path, symbols: Symbols) -> dict[str, int]:
    """Instructions of the last call by function, the most expensive first."""
    profile: dict[str, int] = {}
    for line in path.read_text(encoding="ascii").splitlines():
        address, executed = (int(word) for word in line.split())
        name = symbols.function_at(address) or f"{address:#010x}"
        profile[name] = profile.get(name, 0) + executed
    return dict(sorted(profile.items(), key=lambda item: (-item[1], item[0])))
