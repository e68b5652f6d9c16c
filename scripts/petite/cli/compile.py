# SPDX-License-Identifier: Apache-2.0
"""``petite compile``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from petite.cli.options import add_command, add_compile_options, add_model, compile_options
from petite.compile import CompiledModel, compile_file
from petite.targets.catalog import find_target, target_names
from petite.targets.fit import require_fit


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
        "--output", metavar="DIR", type=Path, default=Path("."), help="folder for NAME.c and NAME.h"
    )
    parser.add_argument(
        "--name", default="model", help="start of every symbol, and the files' name (model)"
    )
    parser.add_argument(
        "--target",
        choices=target_names(),
        help="refuse a model that does not fit the target's memories",
    )
    add_compile_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compile, and say what came out."""
    model = compile_file(arguments.model, compile_options(arguments, arguments.name))
    if arguments.target:
        require_fit(
            find_target(arguments.target),
            model.placement.arena_size + model.placement.state_size,
            model.view.constant_size,
        )
    model.write(arguments.output)
    print(summary(model))
    return 0


def summary(model: CompiledModel) -> str:
    """One line a fact that a user plans with."""
    calls = sum(len(s.calls) for s in model.schedules)
    return (
        f"{model.view.name}: {len(model.schedules)} method(s), {calls} kernel calls, "
        f"{model.view.constant_size:,} bytes of constants, "
        f"{model.placement.arena_size + model.placement.state_size:,} bytes of RAM"
    )
