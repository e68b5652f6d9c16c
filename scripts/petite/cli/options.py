# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from petite.compile import Options
from petite.errors import PetiteError
from petite.targets import RUNS, InstructionSet


def add_command(
    commands: Any, name: str, *, summary: str, example: str, function: Any
) -> argparse.ArgumentParser:
    """A command's own parser, with its example below the options."""
    made: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.set_defaults(function=function)
    return made


def add_model(parser: argparse.ArgumentParser) -> None:
    """The program file."""
    parser.add_argument("model", metavar="MODEL.pte", type=Path, help="program from ExecuTorch")


def add_compile_options(parser: argparse.ArgumentParser) -> None:
    """What changes the generated code."""
    parser.add_argument(
        "--int8-io",
        action="store_true",
        help="int8 inputs and outputs at the model's own scales, instead of float",
    )
    parser.add_argument(
        "--keep-inputs",
        action="store_true",
        help="inputs still hold what was written to them after a call (costs RAM)",
    )
    parser.add_argument(
        "--no-optimize",
        action="store_true",
        help="same results without the passes and without sharing of memory, to compare",
    )
    parser.add_argument(
        "--no-stripes",
        action="store_true",
        help="every layer whole, also where running some in stripes of rows would save RAM for "
        "a little flash",
    )


def add_kernels(parser: argparse.ArgumentParser, library: str) -> None:
    """--kernels; ``library`` says in the help where CMSIS-NN has to be."""
    parser.add_argument(
        "--kernels",
        choices=["petite", "cmsis-nn"],
        default="petite",
        help="whose kernels run: Petite's own (the default), or those of CMSIS-NN for the "
        f"operators that it covers, with the same results; {library}",
    )


def add_instruction_set(parser: argparse.ArgumentParser, default: str) -> None:
    """--instruction-set; ``default`` says in the help what is taken without it."""
    parser.add_argument(
        "--instruction-set",
        choices=list(RUNS),
        help="what the kernels may use: the base instruction set, the DSP extension, or Helium, "
        f"with the same results ({default})",
    )


def chosen_instruction_set(
    arguments: argparse.Namespace, core: str, best: InstructionSet
) -> InstructionSet:
    """What the user asks for, or the best that the core has. PetiteError where it has less."""
    chosen: InstructionSet = arguments.instruction_set or best
    if chosen not in RUNS[best]:
        raise PetiteError(
            f"--instruction-set {chosen}: {core} lacks it; choose one of {', '.join(RUNS[best])}"
        )
    return chosen


def compile_options(
    arguments: argparse.Namespace, name: str, instruction_set: InstructionSet
) -> Options:
    """The options of add_compile_options()."""
    return Options(
        name=name,
        instruction_set=instruction_set,
        cmsis_nn=arguments.kernels == "cmsis-nn",
        int8_io=arguments.int8_io,
        keep_inputs=arguments.keep_inputs,
        optimize=not arguments.no_optimize,
        stripes=not arguments.no_stripes,
    )
