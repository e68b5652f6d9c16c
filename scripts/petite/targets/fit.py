# SPDX-License-Identifier: Apache-2.0
"""Whether a model fits a target's memories."""

from __future__ import annotations

from petite.errors import PetiteError
from petite.targets.catalog import MemoryKind, Target


def require_fit(target: Target, ram: int, flash: int) -> None:
    """PetiteError where the model's data alone exceeds the target's largest memory of a kind.

    ``ram`` and ``flash`` are bytes. Code and stack come on top; the linker has the last word.
    """
    _require(target, "ram", ram, "activations and states")
    _require(target, "flash", flash, "constants")


def _require(target: Target, kind: MemoryKind, need: int, what: str) -> None:
    memories = [m for m in target.memories if m.kind == kind]
    if not memories:
        return
    largest = max(memories, key=lambda m: m.size)
    if need > largest.size:
        raise PetiteError(
            f"the model is too big for {target.name}: its {what} need {need} bytes, but memory "
            f"{largest.name} has {largest.size}; use a smaller model or a target with more memory"
        )
