# SPDX-License-Identifier: Apache-2.0
"""How many bytes of each kind a firmware holds, from its sections.

A linker script puts the constants of models into sections .petite_constants (and, for other
memories, .petite_constants_MEMORY), and their arenas and states into .petite_arena*.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from petite.errors import PetiteError

#: How the names of the sections begin, and the bare-metal stack's whole name.
CONSTANTS, ARENA, _STACK = ".petite_constants", ".petite_arena", ".stack"
#: Input sections of named memories; in a linked firmware they are leftovers.
_UNPLACED = (".petite_in.", ".bss.petite_in.")


@dataclass(frozen=True)
class Sizes:
    """Bytes. `flash` is all that is stored: `code` (everything but the model) and `constants`.

    `static_ram` is .data and .bss, `arena` what models work in; the stack is in neither.
    """

    code: int
    constants: int
    flash: int
    static_ram: int
    arena: int


def sizes(elf: Path) -> Sizes:
    """Measure a linked firmware. Raises PetiteError where it is no ELF or holds no Petite model."""
    with opened(elf) as image:
        sections = list(_loaded_sections(image))
        holds_runtime = _has_symbol(image, "petite_run")
    if not holds_runtime and not any(s.name.startswith((CONSTANTS, ARENA)) for s in sections):
        raise PetiteError(
            f"{elf} holds no Petite model: it has neither the function petite_run() nor a section "
            f"{CONSTANTS} or {ARENA}"
        )
    for section in sections:
        if section.name.startswith(_UNPLACED):
            raise PetiteError(
                f"{elf}: section {section.name} was placed in a memory by its name, but the linker "
                "script has no place for it: the model does not lie where it was put"
            )
    flash = sum(s.size for s in sections if s.stored)
    constants = sum(s.size for s in sections if s.name.startswith(CONSTANTS))
    arena = sum(s.size for s in sections if s.name.startswith(ARENA))
    ram = sum(s.size for s in sections if s.writable and s.name != _STACK)
    return Sizes(flash - constants, constants, flash, ram - arena, arena)


@contextmanager
def opened(elf: Path) -> Iterator[ELFFile]:
    """The file, for as long as it is read. Raises PetiteError where that fails, also later on."""
    try:
        with elf.open("rb") as file:
            yield ELFFile(file)
    except OSError as error:
        raise PetiteError(f"cannot read {elf}: {error.strerror}") from None
    except ELFError as error:
        raise PetiteError(f"{elf} is not an ELF file that can be read: {error}") from None


@dataclass(frozen=True)
class _Section:
    name: str
    size: int
    stored: bool
    writable: bool


def _loaded_sections(image: ELFFile) -> Iterator[_Section]:
    """Sections that take memory on the device."""
    for section in image.iter_sections():
        flags = section["sh_flags"]
        if flags & SH_FLAGS.SHF_ALLOC:
            stored = section["sh_type"] != "SHT_NOBITS"
            writable = bool(flags & SH_FLAGS.SHF_WRITE)
            yield _Section(section.name, section["sh_size"], stored, writable)


def _has_symbol(image: ELFFile, name: str) -> bool:
    table = image.get_section_by_name(".symtab")
    return isinstance(table, SymbolTableSection) and bool(table.get_symbol_by_name(name))
