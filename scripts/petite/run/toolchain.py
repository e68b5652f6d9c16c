# SPDX-License-Identifier: Apache-2.0
"""Finds the programs that building and running need, and runs them."""

from __future__ import annotations

import os
import shutil
import subprocess
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from petite.errors import PetiteError

# Debian's package for each program, for the message when it is missing.
_PACKAGES = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    "qemu-system-arm": "qemu-system-arm",
    "cmake": "cmake",
    "ninja": "ninja-build",
    "cc": "gcc libc6-dev",
}


@dataclass(frozen=True)
class Finished:
    """A program that ended: exit status (negative for a signal) and all that it printed."""

    status: int
    output: str


def find_tool(name: str) -> Path:
    """Where the program is. Raises PetiteError, with the package to install, where it is not."""
    found = shutil.which(name)
    if found is None:
        raise PetiteError(
            f"'{name}' is not installed: on Debian run 'apt-get install {_PACKAGES[name]}'"
        )
    return Path(found)


def tool_stamp(name: str) -> str:
    """Changes whenever another version of the program gets installed."""
    path = find_tool(name).resolve()
    return f"{path}:{path.stat().st_mtime_ns}"


def run_tool(
    command: Sequence[str | Path], cwd: Path | None = None, timeout: float | None = None
) -> Finished:
    """Run a program to its end. `timeout` in seconds; raises subprocess.TimeoutExpired."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=timeout,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode("utf-8", "replace"))


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A path to write to, renamed to `path` at the end: nobody ever sees half a file there."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def cache_directory() -> Path:
    """$PETITE_CACHE, or petite in the user's cache directory. Created where it is missing."""
    chosen = os.environ.get("PETITE_CACHE")
    path = Path(chosen) if chosen else Path.home() / ".cache" / "petite"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PetiteError(
            f"cannot create the cache directory {path}: {error.strerror}; "
            "set PETITE_CACHE to a directory that can be written"
        ) from None
    return path.resolve()
