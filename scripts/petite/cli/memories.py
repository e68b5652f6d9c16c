# SPDX-License-Identifier: Apache-2.0
"""Options that say which board's memories a model goes to, and the table of where it went."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from petite.cli.table import table
from petite.compile import CompiledModel, Options, budgets_of
from petite.placement.by_cost import ARENA, explain, modelled_cost
from petite.targets.memory_map import (
    MemoryMap,
    known_boards,
    load_memory_map,
    memory_map_named,
)


def add_board_options(parser: argparse.ArgumentParser, purpose: str) -> None:
    """--target and --memories."""
    board = parser.add_mutually_exclusive_group()
    board.add_argument(
        "--target",
        choices=known_boards(),
        metavar="BOARD",
        help=f"{purpose}; the boards are {', '.join(known_boards())}",
    )
    board.add_argument(
        "--memories", metavar="FILE.json", type=Path, help="the same for a board of your own"
    )


def add_placement_options(parser: argparse.ArgumentParser) -> None:
    """--weights and --activations."""
    parser.add_argument(
        "--weights",
        metavar="[PATTERN=]MEMORY",
        action="append",
        default=[],
        help="memory of the constants, or of those whose name matches a shell pattern; repeat it, "
        "the last one that fits wins",
    )
    parser.add_argument(
        "--default-weights",
        metavar="[PATTERN=]MEMORY",
        action="append",
        default=[],
        help="the same for all models of a build: comes before --weights, and may match nothing",
    )
    parser.add_argument("--activations", metavar="MEMORY", help="memory of arena and states")
    parser.add_argument(
        "--budget",
        metavar="MEMORY[=BYTES]",
        action="append",
        default=[],
        help="put there what gains most from it, up to so many bytes (64K), by a model of what "
        "memories cost; --weights and --activations come first",
    )
    parser.add_argument(
        "--memory-cost",
        metavar="MEMORY=COST",
        action="append",
        default=[],
        help="what reading a byte costs in that model, where tightly coupled memory costs 1; by "
        "default on-chip RAM costs 2, flash 4, external RAM 8",
    )


def chosen_board(arguments: argparse.Namespace) -> MemoryMap | None:
    """The memories that add_board_options() names; None where it names none."""
    if arguments.memories:
        return load_memory_map(arguments.memories)
    return memory_map_named(arguments.target) if arguments.target else None


def with_memories(
    options: Options, arguments: argparse.Namespace, memory_map: MemoryMap | None
) -> Options:
    """The options, with what add_placement_options() added, on the board."""
    return replace(
        options,
        memory_map=memory_map,
        weights=tuple(arguments.weights),
        default_weights=tuple(arguments.default_weights),
        activations=arguments.activations,
        budgets=tuple(arguments.budget),
        memory_costs=tuple(arguments.memory_cost),
    )


def explanation(model: CompiledModel, options: Options) -> str:
    """Every constant and the arena: bytes, what a run moves, memory and why; the largest first.

    Then what that costs by the model, and the kernels that move most.
    """
    if options.memory_map is None:
        return _without_board(model)
    budgets, costs = budgets_of(options)
    placed = explain(model.memories, model.uses, budgets, costs)
    rows = [
        (p.use.name, f"{p.use.size:,}", f"{p.use.moved:,}", p.memory.name, p.why) for p in placed
    ]
    text = table(["what", "bytes", "moved in a run", "memory", "why"], rows)
    now = modelled_cost(placed, costs)
    unmoved = replace(model.memories, moved={}, moved_activations=None)
    before = modelled_cost(explain(unmoved, model.uses, [], costs), costs)
    listed = ", ".join(f"{memory.name} {cost:g}" for memory, cost in costs.items())
    text += (
        f"\n\nBy a model, which measures nothing: bytes moved, times the cost of their memory\n"
        f"({listed}), are {now:,.0f}"
    )
    text += f"; without the budget {before:,.0f}" if budgets else ""
    return text + "\n\n" + _kernels(model)


def _without_board(model: CompiledModel) -> str:
    rows = [
        (use.name, f"{use.size:,}", f"{use.moved:,}", "default")
        for use in sorted(model.uses, key=lambda u: (u.name == ARENA, -u.size))
    ]
    return table(["what", "bytes", "moved in a run", "memory"], rows) + "\n\n" + _kernels(model)


def _kernels(model: CompiledModel) -> str:
    """For who puts code into fast memory, by the linker or CONFIG_PETITE_KERNELS_IN_ITCM."""
    rows = sorted(model.functions.items(), key=lambda item: (-item[1], item[0]))
    return table(["kernel", "bytes moved in a run"], [(name, f"{n:,}") for name, n in rows])
