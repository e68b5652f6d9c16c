# SPDX-License-Identifier: Apache-2.0
"""``petite inspect``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from petite.cli.firmware import add_application_operators
from petite.cli.inspect_text import describe
from petite.cli.loading import add_load, loaded_program
from petite.cli.options import (
    add_command,
    add_instruction_set,
    add_model,
    chosen_instruction_set,
)
from petite.cli.table import table
from petite.inspect import inspect_program
from petite.pte import load_program
from petite.run.loaded import plan_loading
from petite.targets import InstructionSet, find_target, instruction_set_of
from petite.targets.memory_map import known_boards, memory_map_named

#: Where programs are loaded to see what they need; all cores of 32 bits need the same.
_LOAD_TARGET = "qemu-m55"


def add(commands: Any) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "inspect",
        summary="show a program's operators, shapes, sizes, and what in it is dead weight",
        example="petite inspect kws.pte",
        function=run,
    )
    add_model(parser)
    add_application_operators(parser)
    parser.add_argument(
        "--target",
        choices=known_boards(),
        metavar="BOARD",
        help="show which kernel runs each step on this board's core; the boards are "
        + ", ".join(known_boards()),
    )
    add_instruction_set(parser, "the best that the core of --target has, else scalar")
    add_load(parser, f"and show what that needs; in QEMU, on --target or {_LOAD_TARGET}")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Read, verify, print."""
    if arguments.load:
        return _inspect_loading(arguments)
    facts = inspect_program(
        load_program(arguments.model),
        arguments.application_operators,
        _instruction_set(arguments),
    )
    print(json.dumps(asdict(facts)) if arguments.json else describe(facts))
    return 0


def _inspect_loading(arguments: argparse.Namespace) -> int:
    """Load every method on an emulated core, and show what it needs."""
    target = find_target(arguments.target or _LOAD_TARGET)
    program = loaded_program(arguments.model, _instruction_set(arguments))
    needs = {
        name: plan_loading(program, target, index) for index, name in enumerate(program.methods)
    }
    if arguments.json:
        print(json.dumps({name: asdict(need) for name, need in needs.items()}))
        return 0
    rows = [
        (name, *(f"{n:,}" for n in (need.structures, need.arena, need.copied)))
        for name, need in needs.items()
    ]
    print(table(["method", "structures", "arena", "copied"], rows))
    return 0


def _instruction_set(arguments: argparse.Namespace) -> InstructionSet:
    if not arguments.target:
        chosen: InstructionSet = arguments.instruction_set or "scalar"
        return chosen
    core = memory_map_named(arguments.target).core
    best = instruction_set_of(core)
    return chosen_instruction_set(arguments, f"{arguments.target}'s core {core}", best)
