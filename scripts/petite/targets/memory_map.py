# SPDX-License-Identifier: Apache-2.0
"""The memories of a board: which there are, under which names, and what lies where by default.

A build describes its board in a small JSON file (Zephyr's is written from the devicetree, by
zephyr/memories.cmake)::

    {"board": "alif_e8", "core": "cortex-m55",
     "memories": [
       {"name": "FLASH", "base": "0x80008000", "size": "0x568000", "kind": "flash",
        "aliases": [], "default": true},
       {"name": "RAM", "base": "0x20000000", "size": "0x100000", "kind": "ram",
        "aliases": ["sram", "DTCM"], "default": true}]}

Bases and sizes are bytes, as integers or as text such as 0x8000. ``default`` marks the memory of
each kind that the linker uses by itself; without a flash, that is the RAM for everything. The kind
is flash, ram, or reserved for what models cannot use. Names are C identifiers; case does not
matter. ``"cost": 2.5`` may say what reading a byte costs, where tightly coupled memory costs 1.
"""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from petite.errors import PetiteError
from petite.targets.catalog import TARGETS, Memory, MemoryKind, Target, find_target


@dataclass(frozen=True)
class MemoryMap:
    """What a linker can place things in."""

    board: str
    core: str
    memories: tuple[Memory, ...]

    def default(self, kind: MemoryKind) -> Memory:
        """The memory of that kind which the linker uses by itself."""
        found = [m for m in self.memories if m.kind == kind and m.default]
        return found[0] if found else self.default("ram")

    @property
    def usable(self) -> tuple[Memory, ...]:
        """Those that models may use."""
        return tuple(memory for memory in self.memories if memory.kind != "reserved")

    def find(self, name: str) -> Memory:
        """The memory of that name or alias. Raises PetiteError, with all names, if none has it."""
        wanted = name.casefold()
        found = [m for m in self.memories if wanted in map(str.casefold, (m.name, *m.aliases))]
        if found and found[0].kind != "reserved":
            return found[0]
        known = ", ".join(_describe(memory) for memory in self.usable)
        what = (
            f"memory '{name}' is reserved"
            if found
            else f"board {self.board} has no memory '{name}'"
        )
        raise PetiteError(f"{what}: choose one of {known}")


def _describe(memory: Memory) -> str:
    aliases = f", also {'/'.join(memory.aliases)}" if memory.aliases else ""
    return f"{memory.name} ({memory.size:,} bytes at {memory.base:#010x}{aliases})"


#: Descriptions of boards that are no targets of `petite run`.
_BOARDS = Path(__file__).resolve().parent / "boards"


def known_boards() -> list[str]:
    """Names that memory_map_named() takes: the emulated machines, then real boards."""
    emulated = [target.name for target in TARGETS if not target.is_host]
    return emulated + sorted(path.stem for path in _BOARDS.glob("*.json"))


def memory_map_named(name: str) -> MemoryMap:
    """The memories of a board that is known by name. Raises PetiteError for another name."""
    if name not in known_boards():
        raise PetiteError(f"unknown board '{name}': choose one of {', '.join(known_boards())}")
    path = _BOARDS / f"{name}.json"
    return load_memory_map(path) if path.is_file() else memory_map_of(find_target(name))


def memory_map_of(target: Target) -> MemoryMap:
    """The memories of an emulated machine."""
    return MemoryMap(target.name, target.core, target.memories)


def load_memory_map(path: Path) -> MemoryMap:
    """Read a description. Raises PetiteError with the place of what is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
        return parse_memory_map(json.loads(text))
    except OSError as error:
        raise PetiteError(
            f"{path}: cannot read the memory description ({error.strerror})"
        ) from None
    except ValueError as error:  # also JSON's and UTF-8's
        raise PetiteError(f"{path}: no memory description: {error}") from None


def parse_memory_map(data: Any) -> MemoryMap:
    """The decoded JSON as a MemoryMap. Raises ValueError."""
    board, core = _text(data, "board"), _text(data, "core")
    entries = _field(data, "memories", list)
    memories = tuple(_memory(entry) for entry in entries)
    _require_distinct_names(memories)
    _require_apart(memories)
    defaults = [m.kind for m in memories if m.default]
    if sorted(defaults) not in (["flash", "ram"], ["ram"]):
        raise ValueError(f"the default memories must be one ram, and one flash or none: {defaults}")
    return MemoryMap(board, core, memories)


def _memory(data: Any) -> Memory:
    name = _text(data, "name")
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        raise ValueError(f"the memory's name {name!r} is no C identifier")
    kind = _text(data, "kind")
    kinds: dict[str, MemoryKind] = {"flash": "flash", "ram": "ram", "reserved": "reserved"}
    if kind not in kinds:
        raise ValueError(f"{name}: kind {kind!r} is not one of {', '.join(kinds)}")
    return Memory(
        name,
        _number(data, "base"),
        _number(data, "size"),
        kinds[kind],
        _aliases(data),
        _flag(data, "default"),
        _cost(data),
    )


def _aliases(data: dict[str, Any]) -> tuple[str, ...]:
    aliases = data.get("aliases", [])
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise ValueError(f"{data['name']}: 'aliases' is no list of names: {aliases!r}")
    return tuple(aliases)


def _cost(data: dict[str, Any]) -> float | None:
    cost = data.get("cost")
    if cost is None:
        return None
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 < cost < inf:
        raise ValueError(f"{data['name']}: 'cost' is no positive number: {cost!r}")
    return float(cost)


def _flag(data: dict[str, Any], key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{data['name']}: '{key}' is neither true nor false: {value!r}")
    return value


def _require_distinct_names(memories: tuple[Memory, ...]) -> None:
    seen: set[str] = set()
    for memory in memories:
        for name in {n.casefold() for n in (memory.name, *memory.aliases)}:
            if name in seen:
                raise ValueError(f"two memories are called {name!r}")
            seen.add(name)


def _require_apart(memories: tuple[Memory, ...]) -> None:
    """A linker does not notice memories that overlap: it would put two things in one place."""
    ordered = sorted((m for m in memories if m.kind != "reserved"), key=lambda m: m.base)
    for low, high in itertools.pairwise(ordered):
        if low.base + low.size > high.base:
            raise ValueError(f"memories {low.name} and {high.name} overlap")


def _field(data: Any, key: str, kind: type) -> Any:
    if not isinstance(data, dict) or not isinstance(data.get(key), kind):
        raise ValueError(f"'{key}' is missing or of another type")
    return data[key]


def _text(data: Any, key: str) -> str:
    return str(_field(data, key, str))


def _number(data: Any, key: str) -> int:
    value = data.get(key) if isinstance(data, dict) else None
    try:
        number = int(value, 0) if isinstance(value, str) else value
    except ValueError:
        number = None
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 1 << 32:
        name = data.get("name") if isinstance(data, dict) else data
        raise ValueError(f"{name}: '{key}' is no 32-bit number of bytes: {value!r}")
    return number
