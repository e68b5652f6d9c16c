# SPDX-License-Identifier: Apache-2.0
"""``petite inspect``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from petite.cli.firmware import add_application_operators
from petite.cli.inspect_text import describe
from petite.cli.options import add_command, add_model
from petite.inspect import inspect_program
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
    add_application_operators(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Read, verify, print."""
    facts = inspect_program(load_program(arguments.model), arguments.application_operators)
    print(json.dumps(asdict(facts)) if arguments.json else describe(facts))
    return 0
