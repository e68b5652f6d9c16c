# SPDX-License-Identifier: Apache-2.0
"""Programs that the runner loads, as a device would, instead of models compiled into it."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from petite.run.build import RUNNER, build
from petite.run.exchange import known_stack
from petite.run.execute import DEFAULT_TIMEOUT_S, run_host
from petite.run.qemu import emulate
from petite.targets import Target

_MODEL = """\
{table}
#include "model.h"

#include <petite/section.h>

#include "loaded.h"

static const uint8_t bytes[] PETITE_PLACED(".rodata.petite.model.program", 16) = {{
{bytes}
}};
static uint8_t structures[{structures}] PETITE_PLACED(".bss.petite.model.structures", 16);
static uint8_t arena[{arena}] PETITE_PLACED(".bss.petite.model.arena", 16);

const struct petite_program model_programs[] = {{
{programs}
}};
const uint32_t model_plan_count = {count};
const struct petite_load_memory model_memory = {{structures, {structures}, arena, {arena}}};
"""

_HEADER = """\
#define MODEL_IS_LOADED
"""

_PER_LINE = 32


@dataclass(frozen=True)
class Need:
    """What loading a method needs, as petite_load_plan() says, and what finding that out took.

    `copied` bytes of `structures` are constants that are not aligned for their type in the file.
    `instructions` and `stack` are None on the host.
    """

    structures: int
    arena: int
    copied: int
    instructions: int | None
    stack: int | None


@dataclass(frozen=True)
class LoadedProgram:
    """A program, its methods' names in order, and C text that defines its table `operators`."""

    data: bytes
    methods: Sequence[str]
    table: str

    def write(self, directory: Path, structures: int, arena: int) -> None:
        """Write model.c and model.h, with memories of these sizes."""
        lines = [
            "\t" + ", ".join(map(str, self.data[at : at + _PER_LINE])) + ","
            for at in range(0, len(self.data), _PER_LINE)
        ]
        programs = [
            f'\t{{bytes, sizeof(bytes), "{name}", &operators, NULL}},' for name in self.methods
        ]
        text = _MODEL.format(
            table=self.table,
            bytes="\n".join(lines),
            structures=max(structures, 1),
            arena=max(arena, 1),
            programs="\n".join(programs),
            count=len(self.methods),
        )
        (directory / "model.c").write_text(text, encoding="utf-8")
        (directory / "model.h").write_text(_HEADER, encoding="utf-8")


def plan_loading(
    program: LoadedProgram,
    target: Target,
    method: int,
    *,
    sanitize: bool = False,
    timeout: float = DEFAULT_TIMEOUT_S,
) -> Need:
    """Ask the loader what a method (by its index) needs. PetiteError where it refuses it."""
    with tempfile.TemporaryDirectory(prefix="petite-") as directory:
        work = Path(directory)
        program.write(work, 0, 0)
        main = RUNNER / "plan_load.c"
        elf = build(work, target, sanitize=sanitize, loaded=True, main=main)
        (work / "request.bin").write_bytes(struct.pack("<I", method))
        emulation = None
        if target.is_host:
            run_host(elf, work, timeout)
        else:
            emulation = emulate(elf, target, work, timeout=timeout)
        words = struct.unpack("<4I", (work / "response.bin").read_bytes())
    return Need(
        structures=words[0],
        arena=words[1],
        copied=words[2],
        instructions=emulation.counts[0].instructions if emulation else None,
        stack=known_stack(words[3]),
    )
