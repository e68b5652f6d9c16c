# SPDX-License-Identifier: Apache-2.0
"""``petite report``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from petite.cli.options import add_command
from petite.cli.table import table
from petite.report.elf_sizes import sizes


def add(commands: Any) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "report",
        summary="say what a firmware's bytes are: code, constants, arena",
        example="petite report build/kws.elf",
        function=run,
    )
    parser.add_argument("firmware", metavar="FIRMWARE.elf", type=Path, help="linked firmware")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    measured = asdict(sizes(arguments.firmware))
    if arguments.json:
        print(json.dumps(measured))
    else:
        print(table(["what", "bytes"], [(k, f"{v:,}") for k, v in measured.items()]))
    return 0
