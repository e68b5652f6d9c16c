# SPDX-License-Identifier: Apache-2.0
"""Where programs run: cores, memories, and how QEMU is asked for them."""

from petite.targets.catalog import (
    RUNS,
    TARGETS,
    InstructionSet,
    Memory,
    MemoryKind,
    Target,
    find_target,
    instruction_set_of,
    target_names,
)

__all__ = [
    "RUNS",
    "TARGETS",
    "InstructionSet",
    "Memory",
    "MemoryKind",
    "Target",
    "find_target",
    "instruction_set_of",
    "target_names",
]
