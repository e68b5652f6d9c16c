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
from petite.targets import Target

_DIRECTORY = Path(__file__).resolve().parent
_SOURCE = _DIRECTORY / "counter.c"
_HEADERS = (_DIRECTORY / "instruction_class.h", _DIRECTORY / "cycle_model.h")

#: Classes of instructions, in the order of instruction_class.h.
CLASSES = (
    "scalar",
    "load",
    "store",
    "divide",
    "branch",
    "loop end",
    "float",
    "Helium load",
    "Helium store",
    "Helium arithmetic",
)


@dataclass(frozen=True)
class Count:
    """Instructions of one call.

    `classes` has those of each class, `taken` how often the flow changed other than by the end of a
    low-overhead loop. `modelled_cycles` is what cycle_model.h gives for a Cortex-M55, whatever core
    was emulated: it is no measurement.
    """

    classes: dict[str, int]
    taken: int
    modelled_cycles: int

    @property
    def instructions(self) -> int:
        """All of them."""
        return sum(self.classes.values())

    @property
    def without_loop_ends(self) -> int:
        """All but the ends of low-overhead loops."""
        return self.instructions - self.classes["loop end"]


def has_cycle_model(target: Target) -> bool:
    """Whether the modelled cycles are those of the target's core."""
    return target.core == "Cortex-M55"


def counter_plugin() -> Path:
    """The plugin, compiled on first use for the QEMU that is installed, kept in the cache."""
    identity = f"{tool_stamp('qemu-system-arm')} {tool_stamp('cc')}".encode()
    contents = b"".join(path.read_bytes() for path in (_SOURCE, *_HEADERS))
    digest = hashlib.sha256(identity + contents).hexdigest()[:12]
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
        *classes, taken, cycles = (int(word) for word in line.split())
        counts.append(Count(dict(zip(CLASSES, classes, strict=True)), taken, cycles))
    return counts


def read_profile(path: Path, symbols: Symbols) -> dict[str, int]:
    """Instructions of the last call by function, the most expensive first."""
    profile: dict[str, int] = {}
    for line in path.read_text(encoding="ascii").splitlines():
        address, executed = (int(word) for word in line.split())
        name = symbols.function_at(address) or f"{address:#010x}"
        profile[name] = profile.get(name, 0) + executed
    return dict(sorted(profile.items(), key=lambda item: (-item[1], item[0])))
