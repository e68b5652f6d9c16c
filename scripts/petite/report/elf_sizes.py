# SPDX-License-Identifier: Apache-2.0
"""How many bytes of each kind a firmware holds, from its sections and symbols.

Firmware with a Petite model brackets the model's constants and arena by the symbols
__petite_constants_start/_end and __petite_arena_start/_end.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from petite.errors import PetiteError


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
    try:
        with elf.open("rb") as file:
            image = ELFFile(file)
            flash, ram = _section_totals(image)
            bounds = _bounds(image)
    except OSError as error:
        raise PetiteError(f"cannot read {elf}: {error.strerror}") from None
    except ELFError as error:
        raise PetiteError(f"{elf} is not an ELF file that can be read: {error}") from None
    if "constants" not in bounds or "arena" not in bounds:
        raise PetiteError(
            f"{elf} holds no Petite model: it has no symbols __petite_constants_start/_end and "
            "__petite_arena_start/_end"
        )
    constants, arena = bounds["constants"], bounds["arena"]
    static_ram = ram - arena - bounds.get("stack", 0)
    return Sizes(flash - constants, constants, flash, static_ram, arena)


def _section_totals(image: ELFFile) -> tuple[int, int]:
    """Bytes stored (flash), and bytes that are written at run time (RAM)."""
    flash = ram = 0
    for section in image.iter_sections():
        flags, size = section["sh_flags"], section["sh_size"]
        if not flags & SH_FLAGS.SHF_ALLOC:
            continue
        if section["sh_type"] != "SHT_NOBITS":
            flash += size
        if flags & SH_FLAGS.SHF_WRITE:
            ram += size
    return flash, ram


def _bounds(image: ELFFile) -> dict[str, int]:
    """Sizes between __petite_NAME_start and __petite_NAME_end."""
    table = image.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return {}
    edges = {
        symbol.name: symbol["st_value"]
        for symbol in table.iter_symbols()
        if symbol.name.startswith("__petite_")
    }
    found = {}
    for name in ("constants", "arena", "stack"):
        start, end = edges.get(f"__petite_{name}_start"), edges.get(f"__petite_{name}_end")
        if start is not None and end is not None:
            found[name] = end - start
    return found
