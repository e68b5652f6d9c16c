# SPDX-License-Identifier: Apache-2.0
"""``west petite``: the petite command line inside a west workspace.

All arguments go to the command line as they are. It is taken from the folder beside this one, so
nothing has to be installed but the requirements of building firmware.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from west.commands import WestCommand

_SCRIPTS = Path(__file__).resolve().parents[1]


class Petite(WestCommand):
    """The command that scripts/west-commands.yml names."""

    def __init__(self) -> None:
        super().__init__(
            "petite",
            "PyTorch models, exported by ExecuTorch, on microcontrollers",
            "The petite command line; see west petite --help.",
        )

    def do_add_parser(self, parser_adder: Any) -> argparse.ArgumentParser:
        """Take every argument, options too: no argument starts with the prefix of options here."""
        parser: argparse.ArgumentParser = parser_adder.add_parser(
            self.name,
            help=self.help,
            description=self.description,
            add_help=False,
            prefix_chars="\0",
        )
        parser.add_argument("arguments", nargs=argparse.REMAINDER)
        return parser

    def do_run(self, args: argparse.Namespace, unknown: list[str]) -> None:
        """Run the command line; its exit status is west's."""
        sys.path.insert(0, str(_SCRIPTS))
        try:
            from petite.cli.main import main
        except ModuleNotFoundError as error:
            self.die(
                f"petite needs the Python package {error.name}; install it with "
                f"'west packages pip --install', or 'pip install -r {_requirements()}'"
            )
        status = main(args.arguments, program="west petite")
        if status:
            raise SystemExit(status)


def _requirements() -> Path:
    return _SCRIPTS / "requirements.txt"
