# SPDX-License-Identifier: Apache-2.0
"""Views that ExecuTorch's planner elided are found by the bytes that tensors share."""

from __future__ import annotations

import pytest

from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.pte.memory import PlannedMemory, Region


def _value(name: str) -> Value:
    return Value(name, DType.S8, (16,))


def test_the_same_bytes_are_the_same_value() -> None:
    memory = PlannedMemory()
    value = _value("a")
    memory.write(Region(1, 0, 16), value)
    assert memory.read(Region(1, 0, 16)) is value


def test_memories_are_apart() -> None:
    memory = PlannedMemory()
    memory.write(Region(1, 0, 16), _value("a"))
    assert memory.read(Region(2, 0, 16)) is None
    memory.write(Region(2, 0, 16), _value("b"))
    first = memory.read(Region(1, 0, 16))
    assert first is not None and first.name == "a"


@pytest.mark.parametrize("region", [(0, 15), (1, 16), (15, 31), (8, 24)])
def test_part_of_another_value_is_refused(region: tuple[int, int]) -> None:
    memory = PlannedMemory()
    memory.write(Region(1, 0, 16), _value("a"))
    with pytest.raises(LookupError, match="parts of other tensors"):
        memory.read(Region(1, *region))


def test_bytes_that_nothing_wrote_are_a_state() -> None:
    memory = PlannedMemory()
    memory.write(Region(1, 0, 16), _value("a"))
    assert memory.read(Region(1, 16, 32)) is None


@pytest.mark.parametrize("region", [(0, 16), (15, 20), (0, 1), (4, 8)])
def test_what_is_overwritten_in_part_is_gone(region: tuple[int, int]) -> None:
    memory = PlannedMemory()
    memory.write(Region(1, 0, 16), _value("old"))
    memory.write(Region(1, 32, 48), _value("apart"))
    memory.write(Region(1, *region), _value("new"))
    apart = memory.read(Region(1, 32, 48))
    assert apart is not None and apart.name == "apart"
    new = memory.read(Region(1, *region))
    assert new is not None and new.name == "new"
    if region != (0, 16):
        with pytest.raises(LookupError):
            memory.read(Region(1, 0, 16))


def test_an_empty_tensor_overwrites_nothing() -> None:
    memory = PlannedMemory()
    memory.write(Region(1, 0, 16), _value("a"))
    memory.write(Region(1, 8, 8), _value("empty"))
    value = memory.read(Region(1, 0, 16))
    assert value is not None and value.name == "a"
