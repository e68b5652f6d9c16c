# SPDX-License-Identifier: Apache-2.0
"""Compiles C files of the sample to a shared object that Python can load."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

FAST = ("-O2",)
CHECKED = ("-O1", "-g", "-fsanitize=undefined", "-fno-sanitize-recover=all")
"""Undefined behaviour ends the process instead of passing by luck."""


def compile_shared(sources: Iterable[Path], target: Path, flags: tuple[str, ...]) -> Path:
    """Compile with $CC (default cc) to `target`, whose folder is made; returns `target`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    compiler = [os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Werror", *flags]
    files = [str(source) for source in sources]
    subprocess.run([*compiler, "-shared", "-fPIC", *files, "-o", str(target)], check=True)
    return target
