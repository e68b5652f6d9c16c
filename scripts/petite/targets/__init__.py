# SPDX-License-Identifier: Apache-2.0
"""Where programs run: cores, memories, and how QEMU is asked for them."""

from petite.targets.catalog import (
    TARGETS,
    InstructionSet,
    Memory,
    MemoryKind,
    Target,
    find_target,
    target_names,
)

__all__ = [
    "TARGETS",
    "InstructionSet",
    "Memory",
    "MemoryKind",
    "Target",
    "find_target",
    "target_names",
]
