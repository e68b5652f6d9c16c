# SPDX-License-Identifier: Apache-2.0
"""``petite``: dispatches to the commands, and turns errors into one line each."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from petite import __version__
from petite.cli import compile, export, inspect, monitor, report, run, select
from petite.errors import PetiteError

_COMMANDS = (export, inspect, compile, select, run, report, monitor)


def parser(program: str = "petite") -> argparse.ArgumentParser:
    """The parser of the whole command line; ``program`` is its name in the help."""
    root = argparse.ArgumentParser(
        prog=program,
        description="PyTorch models, exported by ExecuTorch, on microcontrollers.",
        epilog="Each command has its own --help, with an example.",
    )
    root.add_argument("--version", action="version", version=f"petite {__version__}")
    commands = root.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add(commands)
    return root


def main(argv: Sequence[str] | None = None, program: str = "petite") -> int:
    """Run one command. Returns the exit status: 0, or 1 after an error of one line."""
    arguments = parser(program).parse_args(argv)
    try:
        status: int = arguments.function(arguments)
        sys.stdout.flush()
    except PetiteError as error:
        print(f"petite: error: {' '.join(str(error).split())}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader of a pipe has seen enough; nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("petite: interrupted", file=sys.stderr)
        return 130
    return status
