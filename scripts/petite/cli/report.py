# SPDX-License-Identifier: Apache-2.0
"""``petite report``."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from petite.cli.memories import add_board_options, chosen_board
from petite.cli.options import add_command
from petite.cli.table import table
from petite.report.elf_sizes import sizes
from petite.report.memory_use import Region, memory_use


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
    add_board_options(
        parser, "also say what lies in each memory, and fail if anything lies outside"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    measured: dict[str, Any] = asdict(sizes(arguments.firmware))
    board = chosen_board(arguments)
    regions = [Region(m.name, m.base, m.size) for m in board.memories] if board else []
    memories = memory_use(arguments.firmware, regions) if board else []
    if arguments.json:
        extra = {"memories": [asdict(use) for use in memories]} if board else {}
        print(json.dumps({**measured, **extra}))
        return 0
    print(table(["what", "bytes"], [(k, f"{v:,}") for k, v in measured.items()]))
    if memories:
        rows = [
            (use.name, *(f"{n:,}" for n in (use.size, use.used, use.constants, use.arena)))
            for use in memories
        ]
        print("\n" + table(["memory", "size", "used", "constants", "arena"], rows))
    return 0
