# SPDX-License-Identifier: Apache-2.0
"""--load: the program as a device loads it, instead of compiled into the firmware."""

from __future__ import annotations

import argparse
from pathlib import Path

from petite.errors import PetiteError
from petite.pte import load_program
from petite.run.loaded import LoadedProgram
from petite.select.selection import entries_of
from petite.select.table import table_definition
from petite.targets import InstructionSet

#: Options of `petite run` that only a compiler can follow.
_COMPILER_ONLY = ("int8_io", "keep_inputs", "no_optimize", "weights", "activations", "budget")


def add_load(parser: argparse.ArgumentParser, what: str) -> None:
    """--load; ``what`` ends the sentence in the help."""
    parser.add_argument(
        "--load",
        action="store_true",
        help=f"load the program on the target, as firmware that takes updates does, {what}",
    )


def refuse_compiler_options(arguments: argparse.Namespace) -> None:
    """PetiteError where an option is given that changes what the compiler does."""
    given = [name for name in _COMPILER_ONLY if getattr(arguments, name, None)]
    if getattr(arguments, "kernels", "petite") != "petite":
        given.append("kernels")
    if given:
        raise PetiteError(
            f"--{given[0].replace('_', '-')} is for compiled models: leave it out, or --load"
        )


def loaded_program(path: Path, instruction_set: InstructionSet) -> LoadedProgram:
    """A program with the table of the operators that it calls."""
    program = load_program(path)
    return LoadedProgram(
        data=path.read_bytes(),
        methods=[method.name for method in program.methods],
        table=table_definition("operators", entries_of(program), instruction_set),
    )
