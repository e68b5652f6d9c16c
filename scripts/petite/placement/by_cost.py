# SPDX-License-Identifier: Apache-2.0
"""Moves constants and the arena to where they save most, and says why each thing is where it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from petite.placement.budget import Budget, Item, fill_budgets, gain
from petite.placement.memories import MemoryChoice
from petite.targets.catalog import Memory

ARENA = "activations and states"


@dataclass(frozen=True)
class Use:
    """Bytes of a constant, or of the arena and the states, and how many of it a run moves."""

    name: str
    size: int
    moved: int


@dataclass(frozen=True)
class Placed:
    """Where something is, and why."""

    use: Use
    memory: Memory
    why: str


def place_by_cost(
    choice: MemoryChoice,
    uses: list[Use],
    budgets: list[Budget],
    costs: Mapping[Memory, float],
) -> MemoryChoice:
    """The choice, with what is worth it moved; what a user's rule names stays where it says."""
    free = [use for use in uses if not _is_pinned(choice, use)]
    items = [
        Item(use.name, use.size, use.moved, memory_of(choice, use), needs_ram=use.name == ARENA)
        for use in free
    ]
    moved = fill_budgets(items, budgets, costs)
    arena = moved.pop(ARENA, None)
    return replace(choice, moved=moved, moved_activations=arena)


def memory_of(choice: MemoryChoice, use: Use) -> Memory:
    """Where something goes, also where that is the linker's default. The board is known."""
    assert choice.memory_map is not None
    if use.name == ARENA:
        return choice.for_activations() or choice.memory_map.default("ram")
    return choice.for_constant(use.name) or choice.memory_map.default("flash")


def _is_pinned(choice: MemoryChoice, use: Use) -> bool:
    if use.name == ARENA:
        return choice.activations is not None
    rule = choice.rule_of(use.name)
    return rule is not None and not rule.is_default


def explain(
    choice: MemoryChoice,
    uses: list[Use],
    budgets: list[Budget],
    costs: Mapping[Memory, float],
) -> list[Placed]:
    """Every constant and the arena, the largest first."""
    placed = []
    for use in sorted(uses, key=lambda u: (u.name == ARENA, -u.size)):
        memory = memory_of(choice, use)
        placed.append(Placed(use, memory, _why(choice, use, budgets, costs)))
    return placed


def _why(
    choice: MemoryChoice, use: Use, budgets: list[Budget], costs: Mapping[Memory, float]
) -> str:
    if use.name == ARENA and choice.activations is not None:
        return "--activations"
    rule = None if use.name == ARENA else choice.rule_of(use.name)
    if rule is not None and not rule.is_default:
        return f"--weights {rule.pattern}={rule.memory.name}"
    before = memory_of(replace(choice, moved={}, moved_activations=None), use)
    item = Item(use.name, use.size, use.moved, before, needs_ram=use.name == ARENA)
    to = memory_of(choice, use)
    if to != before:
        return f"budget: saves {gain(item, to, costs):,.0f}"
    why = "default" if rule is None else f"--default-weights {rule.pattern}={rule.memory.name}"
    usable = [b.memory for b in budgets if not (item.needs_ram and b.memory.kind == "flash")]
    best = max(usable, key=lambda memory: gain(item, memory, costs), default=None)
    if best is not None and gain(item, best, costs) > 0:
        why += f"; {best.name} has no room (would save {gain(item, best, costs):,.0f})"
    return why


def modelled_cost(placed: list[Placed], costs: Mapping[Memory, float]) -> float:
    """Bytes moved in a run, each times the cost of its memory."""
    return sum(entry.use.moved * costs[entry.memory] for entry in placed)
