# SPDX-License-Identifier: Apache-2.0
"""Chooses what goes into fast memories of which a model may use so many bytes.

The gain of moving something is the bytes that an inference moves there, times the difference of the
two memories' costs. Which things gain most together within a budget is a knapsack problem, solved
exactly where it is small enough. Budgets are filled one after the other, the fastest memory first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from petite.errors import PetiteError
from petite.targets.catalog import Memory
from petite.targets.memory_map import MemoryMap

Array = np.ndarray[Any, np.dtype[Any]]

#: What everything is aligned to.
UNIT = 16
#: Entries of the table up to which the problem is solved exactly.
_MOST_ENTRIES = 1 << 26


@dataclass(frozen=True)
class Budget:
    """Bytes of a memory that a model may take."""

    memory: Memory
    size: int


@dataclass(frozen=True)
class Item:
    """A constant, or the arena: where it is without a budget, and what it moves in an inference."""

    name: str
    size: int
    moved: int
    memory: Memory
    #: Flash cannot hold it.
    needs_ram: bool = False


def parse_budgets(memory_map: MemoryMap, texts: tuple[str, ...]) -> list[Budget]:
    """MEMORY for all of it, or MEMORY=BYTES, also with K or M behind the number.

    Raises PetiteError for a memory that the board lacks or that is named twice, and for what is no
    number of bytes.
    """
    budgets: list[Budget] = []
    for text in texts:
        name, equals, number = text.partition("=")
        memory = memory_map.find(name.strip())
        size = _bytes(text, number) if equals else memory.size
        if any(budget.memory == memory for budget in budgets):
            raise PetiteError(f"'{text}': {memory.name} has a budget already")
        if size > memory.size:
            raise PetiteError(f"'{text}': {memory.name} has {memory.size} bytes")
        budgets.append(Budget(memory, size))
    return budgets


def _bytes(text: str, number: str) -> int:
    found = re.fullmatch(r"\s*(\d+)\s*([KkMm]?)\s*", number)
    if not found:
        raise PetiteError(f"'{text}' is no budget; write, for example, DTCM=65536 or DTCM=64K")
    return int(found[1]) << {"": 0, "k": 10, "m": 20}[found[2].lower()]


def fill_budgets(
    items: list[Item], budgets: list[Budget], costs: Mapping[Memory, float]
) -> dict[str, Memory]:
    """Where the items go that leave their memory, by name."""
    moved: dict[str, Memory] = {}
    for budget in sorted(budgets, key=lambda b: (costs[b.memory], b.memory.name)):
        candidates = [
            item
            for item in items
            if item.name not in moved
            and gain(item, budget.memory, costs) > 0
            and not (item.needs_ram and budget.memory.kind == "flash")
        ]
        gains = [gain(item, budget.memory, costs) for item in candidates]
        for index in _best(candidates, gains, budget.size):
            moved[candidates[index].name] = budget.memory
    return moved


def gain(item: Item, memory: Memory, costs: Mapping[Memory, float]) -> float:
    """What the model of memory cost says moving the item there saves in an inference."""
    return item.moved * (costs[item.memory] - costs[memory])


def _best(items: list[Item], gains: list[float], size: int) -> list[int]:
    """Which items gain most together, within so many bytes."""
    units = [-(-max(item.size, 1) // UNIT) for item in items]
    room = size // UNIT
    if sum(units) <= room:
        return list(range(len(items)))
    # Much for little first: what the exact solution takes where several are as good.
    order = sorted(range(len(items)), key=lambda i: (-gains[i] / units[i], items[i].name))
    if len(items) * (room + 1) <= _MOST_ENTRIES:
        return _knapsack([(i, units[i], gains[i]) for i in order], room)
    chosen = []
    for i in order:
        if units[i] <= room:
            chosen.append(i)
            room -= units[i]
    return chosen


def _knapsack(items: list[tuple[int, int, float]], room: int) -> list[int]:
    """Indices of the best choice of (index, units, gain)."""
    best: Array = np.zeros(room + 1)
    taken: Array = np.zeros((len(items), room + 1), np.bool_)
    for row, (_, units, value) in enumerate(items):
        if units <= room:
            with_it = best[: room + 1 - units] + value
            taken[row, units:] = with_it > best[units:]
            best[units:] = np.maximum(best[units:], with_it)
    chosen = []
    for row in range(len(items) - 1, -1, -1):
        if taken[row, room]:
            index, units, _ = items[row]
            chosen.append(index)
            room -= units
    return chosen
