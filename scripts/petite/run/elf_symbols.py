# SPDX-License-Identifier: Apache-2.0
"""Addresses and names in a program."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from petite.errors import PetiteError


class Symbols:
    """The symbol table of one ELF file, without the Thumb bit in addresses."""

    def __init__(self, elf: Path) -> None:
        self._elf = elf
        self._addresses: dict[str, int] = {}
        functions: dict[int, tuple[int, str]] = {}
        with elf.open("rb") as file:
            table = ELFFile(file).get_section_by_name(".symtab")
            if not isinstance(table, SymbolTableSection):
                raise PetiteError(f"{elf} has no symbols: do not strip it")
            for symbol in table.iter_symbols():
                value = int(symbol["st_value"])
                if symbol["st_info"]["type"] == "STT_FUNC":
                    value &= ~1
                    functions[value] = (int(symbol["st_size"]), symbol.name)
                self._addresses[symbol.name] = value
        self._starts = sorted(functions)
        self._functions = functions

    def address(self, name: str) -> int:
        """Address of a symbol. Raises PetiteError where there is none of that name."""
        if name not in self._addresses:
            raise PetiteError(f"{self._elf} has no symbol '{name}'")
        return self._addresses[name]

    def function_at(self, address: int) -> str | None:
        """Name of the function that holds the address, None outside of all functions."""
        index = bisect_right(self._starts, address & ~1) - 1
        if index < 0:
            return None
        start = self._starts[index]
        size, name = self._functions[start]
        # Functions written in assembly often have no size: they reach to the next one.
        return name if size == 0 or address < start + size else None
