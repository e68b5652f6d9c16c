# SPDX-License-Identifier: Apache-2.0
"""What reading a byte of a memory costs, relative to the fastest one.

A devicetree does not say it, and it depends on clocks, widths, caches and buses that differ from
board to board. So there is an assumption for each kind of memory, which a board's description
(``"cost"``) or the user corrects. It serves to rank places, not to predict time.
"""

from __future__ import annotations

from math import isfinite

from petite.errors import PetiteError
from petite.targets.catalog import Memory
from petite.targets.memory_map import MemoryMap

#: Tightly coupled memory answers in the same cycle. The others are orders of magnitude.
TIGHTLY_COUPLED, ON_CHIP, FLASH, EXTERNAL = 1.0, 2.0, 4.0, 8.0
#: Where the architecture's address map has external RAM.
_EXTERNAL_RAM = range(0x60000000, 0xA0000000)


def assumed_cost(memory: Memory) -> float:
    """By what the memory is called, its kind, and its address."""
    names = [name.casefold() for name in (memory.name, *memory.aliases)]
    if any(name.endswith("tcm") for name in names):
        return TIGHTLY_COUPLED
    if "external" in names:
        return EXTERNAL
    if memory.kind == "flash":
        return FLASH
    return EXTERNAL if memory.base in _EXTERNAL_RAM else ON_CHIP


def memory_costs(memory_map: MemoryMap, chosen: tuple[str, ...] = ()) -> dict[Memory, float]:
    """The cost of each memory that models may use; ``chosen`` holds MEMORY=COST.

    Raises PetiteError for a memory that the board lacks, and a cost that is no positive number.
    """
    costs = {m: m.cost if m.cost else assumed_cost(m) for m in memory_map.usable}
    for text in chosen:
        name, _, number = text.partition("=")
        memory = memory_map.find(name.strip())
        try:
            cost = float(number)
        except ValueError:
            cost = 0.0
        if not (isfinite(cost) and cost > 0):
            raise PetiteError(f"'{text}' is no memory's cost; write, for example, {memory.name}=2")
        costs[memory] = cost
    return costs
