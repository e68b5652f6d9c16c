# SPDX-License-Identifier: Apache-2.0
"""``petite compile``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from petite.cli.firmware import add_firmware_options, with_firmware
from petite.cli.memories import (
    add_board_options,
    add_placement_options,
    chosen_board,
    explanation,
    with_memories,
)
from petite.cli.options import (
    add_command,
    add_compile_options,
    add_instruction_set,
    add_kernels,
    add_model,
    chosen_instruction_set,
    compile_options,
)
from petite.cli.stripes_text import stripes
from petite.compile import CompiledModel, compile_file
from petite.placement.model import Placement
from petite.targets import InstructionSet, instruction_set_of
from petite.targets.memory_map import MemoryMap


def add(commands: Any) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "compile",
        summary="turn a .pte program into C source for the firmware",
        example="petite compile kws.pte --name kws --int8-io --output build/generated",
        function=run,
    )
    add_model(parser)
    parser.add_argument(
        "--output",
        metavar="DIR",
        type=Path,
        default=Path("."),
        help="folder for NAME.c and NAME.h (.)",
    )
    parser.add_argument(
        "--name", default="model", help="start of every symbol, and the files' name (model)"
    )
    add_compile_options(parser)
    add_kernels(parser, "the firmware's build brings that library")
    add_instruction_set(parser, "the best that the core of --target has, else scalar")
    add_board_options(parser, "refuse a model that does not fit the board's memories")
    add_placement_options(parser)
    parser.add_argument(
        "--explain",
        action="store_true",
        help="list every constant: bytes, what a run moves of it, its memory, and why; and which "
        "layers run in stripes",
    )
    add_firmware_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compile, and say what came out."""
    board = chosen_board(arguments)
    options = compile_options(arguments, arguments.name, _instruction_set(arguments, board))
    options = with_firmware(with_memories(options, arguments, board), arguments)
    model = compile_file(arguments.model, options)
    model.write(arguments.output)
    if arguments.explain:
        print(explanation(model, options))
        print(f"\n{stripes(model)}\n")
    print(summary(model))
    return 0


def _instruction_set(arguments: argparse.Namespace, board: MemoryMap | None) -> InstructionSet:
    if board is None or not arguments.target:
        # A description of memories may name a core that this build uses only a part of.
        chosen: InstructionSet = arguments.instruction_set or "scalar"
        return chosen
    best = instruction_set_of(board.core)
    return chosen_instruction_set(arguments, f"{board.board}'s core {board.core}", best)


def summary(model: CompiledModel) -> str:
    """One line a fact that a user plans with."""
    calls = sum(len(s.calls) for s in model.schedules)
    return (
        f"{model.view.name}: {len(model.schedules)} method(s), {calls} kernel calls, "
        f"{model.view.constant_size:,} bytes of constants, "
        f"{model.placement.arena_size + model.placement.state_size:,} bytes of RAM\n"
        f"{arena(model.placement)}{_slides(model)}"
    )


def _slides(model: CompiledModel) -> str:
    """The calls that only make the arena smaller, where there are any."""
    moves = [call for s in model.schedules for call in s.calls if call.kernel == "move"]
    if not moves:
        return ""
    moved = sum(call.write.size for call in moves)
    saved = model.placement.saved_by_slides
    return (
        f"\n{len(moves)} of the calls move values, {moved:,} bytes in all, to make the arena "
        f"{saved:,} bytes smaller"
    )


def arena(placement: Placement) -> str:
    """The arena, and how far it is from the smallest that these calls can do with."""
    above = placement.arena_size - placement.arena_bound
    if above == 0:
        distance = "no plan for these kernel calls is smaller"
    else:
        percent = 100 * above / placement.arena_bound
        distance = f"at most {above:,} bytes ({percent:.1f} %) above the smallest plan"
    return f"arena of {placement.arena_size:,} bytes: {distance}"
