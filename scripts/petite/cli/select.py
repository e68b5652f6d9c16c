# SPDX-License-Identifier: Apache-2.0
"""``petite select``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from petite.cli.firmware import parse_dtypes
from petite.cli.options import add_command, add_instruction_set
from petite.codegen.build_view import check_identifier
from petite.codegen.emit import write_files
from petite.errors import PetiteError
from petite.pte import load_program
from petite.select.catalogue import ENTRIES
from petite.select.entry import Entry
from petite.select.groups import BY_NAME, entries_in
from petite.select.libm import refuse_libm, without_libm
from petite.select.selection import entries_named, entries_of, only_dtypes
from petite.select.table import table_files


def add(commands: Any) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "select",
        summary="write a table of the operators that programs may call which the device loads",
        example="petite select kws.pte --output build",
        function=run,
    )
    parser.add_argument(
        "models",
        metavar="MODEL",
        nargs="*",
        type=Path,
        help="programs whose operators, with their element types, go into the table",
    )
    parser.add_argument(
        "--operators",
        metavar="PATTERN",
        action="append",
        default=[],
        help="more operators, such as 'cortex_m::*', for all element types; repeat for several",
    )
    parser.add_argument(
        "--groups",
        metavar="LIST",
        help=f"more operators, by their groups, for all element types: {', '.join(BY_NAME)} "
        "(docs/loading.md says what is in each)",
    )
    parser.add_argument("--all", action="store_true", help="every operator that can be loaded")
    parser.add_argument(
        "--dtypes",
        metavar="LIST",
        help="of what --operators, --groups and --all bring, only what computes with these element "
        "types",
    )
    parser.add_argument(
        "--without-libm",
        action="store_true",
        help="for a C library without mathematical functions: leave out what needs them, and "
        "refuse programs that do",
    )
    parser.add_argument(
        "--application",
        action="store_true",
        help="let programs call operators that the application registers (petite/registry.h)",
    )
    parser.add_argument(
        "--output", metavar="DIRECTORY", type=Path, required=True, help="where NAME.c and .h go"
    )
    parser.add_argument(
        "--name",
        default="petite_operators",
        help="of the table and of the files (%(default)s)",
    )
    add_instruction_set(parser, "scalar")


def run(arguments: argparse.Namespace) -> int:
    """Select, write, say how many."""
    check_identifier(arguments.name)
    entries = _chosen(arguments)
    if not entries:
        raise PetiteError(
            "nothing is selected: name programs, --operators, --groups or --all, and --dtypes that "
            "they have"
        )
    files = table_files(
        arguments.name,
        entries,
        arguments.instruction_set or "scalar",
        of_application=arguments.application,
    )
    write_files(arguments.output, files)
    operators = len({entry.operator for entry in entries})
    print(
        f"{arguments.output / arguments.name}.c: {operators} operators, "
        f"{len(entries)} with their element types"
    )
    return 0


def _chosen(arguments: argparse.Namespace) -> list[Entry]:
    more = list(ENTRIES) if arguments.all else entries_named(arguments.operators)
    if arguments.groups is not None:
        more += entries_in(name.strip() for name in arguments.groups.split(","))
    if arguments.dtypes is not None:
        more = only_dtypes(more, parse_dtypes(arguments.dtypes))
    if arguments.without_libm:
        more = without_libm(more)
    for model in arguments.models:
        needed = entries_of(load_program(model), of_application=arguments.application)
        if arguments.without_libm:
            refuse_libm(needed, model.name)
        more += needed
    return list({entry.key: entry for entry in more}.values())
