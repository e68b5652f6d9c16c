# SPDX-License-Identifier: Apache-2.0
"""Turns what compilers and linkers print into one line."""

from __future__ import annotations

import re
from pathlib import Path

from petite.targets import Target

_OVERFLOW = re.compile(r"region [`'](?P<name>\w+)' overflowed by (?P<excess>\d+) bytes")
_NO_LIBRARY = re.compile(r"fatal error: string\.h: No such file|cannot find -lc\b")
_FIRST_ERROR = re.compile(r"^(?:.*?(?:error:|undefined reference|CMake Error).*)$", re.MULTILINE)


def describe_build_failure(output: str, target: Target, log: Path | None = None) -> str:
    """One line: the memory that is too small, or else the first error of the output."""
    overflows = {found["name"]: int(found["excess"]) for found in _OVERFLOW.finditer(output)}
    if overflows:
        return _describe_overflow(overflows, target)
    if not target.is_host and _NO_LIBRARY.search(output):
        return (
            "the C library for arm-none-eabi-gcc is not installed: "
            "on Debian run 'apt-get install libnewlib-arm-none-eabi'"
        )
    found = _FIRST_ERROR.search(output)
    lines = output.strip().splitlines()
    what = found.group(0) if found else (lines[-1] if lines else "no message")
    where = f" (all of it is in {log})" if log else ""
    return f"building for {target.name} failed: {what.strip()}{where}"


def _describe_overflow(overflows: dict[str, int], target: Target) -> str:
    parts = []
    for name, excess in overflows.items():
        size = next((memory.size for memory in target.memories if memory.name == name), 0)
        parts.append(f"memory {name} holds {size} bytes and {size + excess} are needed")
    return (
        f"the model does not fit {target.name}: {'; '.join(parts)}: "
        "make the model smaller or choose a target with more memory"
    )
