# SPDX-License-Identifier: Apache-2.0
"""``petite inspect``."""

from __future__ import annotations

import argparse
from typing import Any

from petite.cli.options import add_command, add_model
from petite.inspect import describe
from petite.pte import load_program


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


def run(arguments: argparse.Namespace) -> int:
    """Read, verify, print."""
    print(describe(load_program(arguments.model)))
    return 0
