# SPDX-License-Identifier: Apache-2.0
"""Builds programs for the host around the loader with every operator, with sanitizers."""

from __future__ import annotations

import tempfile
from pathlib import Path

from petite.run.build import build
from petite.select.catalogue import ENTRIES
from petite.select.table import table_files
from petite.targets import Target, find_target


def write_operators(directory: Path, target: Target, *sources: Path) -> None:
    """model.c and model.h: the table `operators`, with everything, and more C files."""
    files = table_files("operators", ENTRIES, target.instruction_set)
    more = "".join(f'#include "{source}"\n' for source in sources)
    (directory / "model.c").write_text(files["operators.c"] + more, encoding="utf-8")
    (directory / "model.h").write_text(files["operators.h"], encoding="utf-8")


def host_program(main: Path, *sources: Path) -> Path:
    """Build `main`, and further files, around the loader."""
    directory = Path(tempfile.mkdtemp(prefix="petite-load-"))
    target = find_target("host")
    write_operators(directory, target, *sources)
    return build(directory, target, sanitize=True, main=main)
