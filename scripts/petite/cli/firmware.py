# SPDX-License-Identifier: Apache-2.0
"""Options that say what goes with a model into the firmware, and what the firmware leaves out."""

from __future__ import annotations

import argparse
from dataclasses import replace

from petite.compile import Options
from petite.errors import PetiteError
from petite.ir.dtype import DType


def add_firmware_options(parser: argparse.ArgumentParser) -> None:
    """--application-operators, --arena, --dtypes, --step-names, --checksums."""
    add_application_operators(parser)
    parser.add_argument(
        "--arena",
        metavar="NAME",
        default="",
        help="use the arena of that name, which the application brings for several models that "
        "never run at the same time (petite/arena.h)",
    )
    parser.add_argument(
        "--dtypes",
        metavar="LIST",
        help="element types that kernels may compute with, such as int8,int32 (all); "
        "a model that needs another is refused",
    )
    parser.add_argument(
        "--step-names",
        action="store_true",
        help="emit a name for each step, to print beside its ticks (costs flash)",
    )
    parser.add_argument(
        "--checksums",
        action="store_true",
        help="emit checksums of the constants, for petite_verify() (costs flash)",
    )


def add_application_operators(parser: argparse.ArgumentParser) -> None:
    """--application-operators."""
    parser.add_argument(
        "--application-operators",
        metavar="PATTERN",
        action="append",
        default=[],
        help="let the application bring operators of these names, such as 'mylib::*', that are "
        "not supported otherwise; repeat for several",
    )


def with_firmware(options: Options, arguments: argparse.Namespace) -> Options:
    """The options, with those of add_firmware_options()."""
    return replace(
        options,
        application_operators=tuple(arguments.application_operators),
        dtypes=None if arguments.dtypes is None else parse_dtypes(arguments.dtypes),
        arena=arguments.arena,
        step_names=arguments.step_names,
        checksums=arguments.checksums,
    )


def parse_dtypes(text: str) -> frozenset[DType]:
    """Element types from their names, separated by commas."""
    by_name = {dtype.torch_name: dtype for dtype in DType}
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in by_name:
            raise PetiteError(
                f"--dtypes: {name!r} is no element type; choose from {', '.join(by_name)}"
            )
    return frozenset(by_name[name] for name in names)
