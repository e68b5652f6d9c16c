# SPDX-License-Identifier: Apache-2.0
"""What a program file holds, in words."""

from __future__ import annotations

from petite.pte import Program


def describe(program: Program) -> str:
    """Operators, shapes, sizes and dead weight of every method."""
    return program.name
