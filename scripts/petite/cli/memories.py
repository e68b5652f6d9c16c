# SPDX-License-Identifier: Apache-2.0
"""Options that say which board's memories a model goes to, and the table of where it went."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from petite.cli.table import table
from petite.compile import CompiledModel, Options
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
    )


def where_table(model: CompiledModel) -> str:
    """Every constant and the arena: name, bytes, memory; the largest first."""
    known = model.memories.memory_map
    flash, main_ram = ("default",) * 2
    if known is not None:
        flash, main_ram = known.default("flash").name, known.default("ram").name
    prefix = f"{model.view.name}_"
    rows = []
    for constant in sorted(model.view.constants, key=lambda c: -c.size):
        name = constant.symbol.removeprefix(prefix)
        memory = model.memories.for_constant(name)
        rows.append((name, f"{constant.size:,}", memory.name if memory else flash))
    ram = model.placement.arena_size + model.placement.state_size
    memory = model.memories.for_activations()
    rows.append(("activations and states", f"{ram:,}", memory.name if memory else main_ram))
    return table(["what", "bytes", "memory"], rows)
