# SPDX-License-Identifier: Apache-2.0
"""What of a linked firmware lies in which memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from petite.errors import PetiteError
from petite.report.elf_sizes import ARENA, CONSTANTS, opened


@dataclass(frozen=True)
class Region:
    """A memory: base and size in bytes."""

    name: str
    base: int
    size: int

    def holds(self, address: int, size: int) -> bool:
        """Whether the bytes lie in it as a whole."""
        return self.base <= address and address + size <= self.base + self.size


@dataclass(frozen=True)
class MemoryUse:
    """Bytes of one memory.

    `used` is what the linker put there: what the program works with, and what is stored there to
    be copied at boot. `constants` and `arena` are the models' part of what the program works with.
    """

    name: str
    size: int
    used: int
    constants: int
    arena: int


def memory_use(elf: Path, regions: Sequence[Region]) -> list[MemoryUse]:
    """Add up each region. Raises PetiteError where a section lies outside of all of them."""
    used = dict.fromkeys((r.name for r in regions), 0)
    constants, arena = dict(used), dict(used)
    with opened(elf) as image:
        for section in _placed(image):
            run = _region(elf, regions, section.name, section.address, section.size)
            used[run] += section.size
            if section.stored_at not in (None, section.address):
                stored = section.stored_at or 0
                used[_region(elf, regions, section.name, stored, section.size)] += section.size
            if section.name.startswith(CONSTANTS):
                constants[run] += section.size
            elif section.name.startswith(ARENA):
                arena[run] += section.size
    return [
        MemoryUse(r.name, r.size, used[r.name], constants[r.name], arena[r.name]) for r in regions
    ]


@dataclass(frozen=True)
class _Placed:
    name: str
    address: int
    size: int
    #: Where its bytes are stored; None where it has none (zeroed, or not initialised).
    stored_at: int | None


def _placed(image: ELFFile) -> Iterator[_Placed]:
    """Sections that take memory on the device."""
    segments = [s for s in image.iter_segments() if s["p_type"] == "PT_LOAD"]
    for section in image.iter_sections():
        address, size = section["sh_addr"], section["sh_size"]
        if not section["sh_flags"] & SH_FLAGS.SHF_ALLOC or not size:
            continue
        stored = None
        if section["sh_type"] != "SHT_NOBITS":
            offset = section["sh_offset"]
            for segment in segments:
                if segment["p_offset"] <= offset < segment["p_offset"] + segment["p_filesz"]:
                    stored = segment["p_paddr"] + offset - segment["p_offset"]
        yield _Placed(section.name, address, size, stored)


def _region(elf: Path, regions: Sequence[Region], name: str, address: int, size: int) -> str:
    for region in regions:
        if region.holds(address, size):
            return region.name
    known = ", ".join(f"{r.name} {r.base:#010x} to {r.base + r.size - 1:#010x}" for r in regions)
    raise PetiteError(
        f"{elf}: section {name} ({size:,} bytes at {address:#010x}) lies in no memory of the board "
        f"({known})"
    )
