# SPDX-License-Identifier: Apache-2.0
"""Bytes move to places that overlap the old ones, upwards and downwards, on every kind of core."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from petite.codegen.build_view import Source, build_view
from petite.codegen.emit import render, write_files
from petite.ir.dtype import DType
from petite.ir.schedule import Buffer, KernelCall, Port, Read, Ref, Role, Schedule
from petite.placement.model import Placement
from petite.placement.planner import Plan
from petite.run import execute
from petite.targets import find_target

#: Whole blocks of 16 bytes, less, and more.
SIZES = (1, 15, 16, 17, 100, 333)
DISTANCES = (-352, -48, -16, 16, 32, 352)
ARENA = 3 * 352


def moving(size: int, distance: int, variant: str) -> tuple[Schedule, Plan]:
    """A method that moves its input by so many bytes."""
    name = f"m{size}_{'up' if distance > 0 else 'down'}{abs(distance)}"
    before, after = (Buffer(n, size, role, DType.S8) for n, role in _BUFFERS)
    call = KernelCall(
        "move_0",
        "move",
        "kernels/move/move.h",
        {"input": Ref(before), "output": Ref(after), "size": size},
        [Read(before)],
        [after],
        "test",
        variant=variant,
    )
    ports = [Port(b.name, Ref(b), DType.S8, (size,), (0,), None) for b in (before, after)]
    schedule = Schedule(name, [call], ports[:1], ports[1:])
    return schedule, Plan({before: 352, after: 352 + distance}, ARENA)


_BUFFERS = (("before", Role.INPUT), ("after", Role.ACTIVATION))


@pytest.mark.parametrize(("target_name", "variant"), [("qemu-m55", "mve"), ("qemu-m0", "scalar")])
def test_moves(target_name: str, variant: str, tmp_path: Path) -> None:
    made = [moving(size, distance, variant) for size in SIZES for distance in DISTANCES]
    placement = Placement({schedule.name: own for schedule, own in made}, ARENA, {}, 0)
    methods = [schedule for schedule, _ in made]
    view = build_view("model", Source("test.pte", "0" * 64, "0.0.0"), methods, placement)
    write_files(tmp_path, render(view))
    target = find_target(target_name)
    rng = np.random.default_rng(3)
    for number, method in enumerate(methods):
        given = rng.bytes(method.inputs[0].size)
        result = execute(tmp_path, target, number, [[given]])
        assert result.outputs[0][0] == given, method.name
