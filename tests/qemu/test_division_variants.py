# SPDX-License-Identifier: Apache-2.0
"""Divisions of every instruction set give the bits of the oracle, for every pair of inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel_testing import oracle
from petite.ir import ops
from variant_testing import Case, of_all_pairs, run_all


def quotients(
    number: int, scale: float, offsets: ops.Pair, output_offset: int, left_out: int = 0
) -> Case:
    """Each int8 number divided by each other one, but for some at the end."""
    graph, first, second = of_all_pairs(
        f"method{number}",
        ops.Div,
        left_out=left_out,
        offsets=offsets,
        output_offset=output_offset,
        scale=scale,
    )
    return Case(graph, first, oracle.divide(first, second, offsets, scale, output_offset))


@pytest.mark.parametrize(
    ("target", "variant"),
    [
        ("qemu-m55", "mve"),
        ("qemu-m4", "dsp"),
        ("qemu-m33", "dsp"),
        pytest.param("qemu-m3", "scalar", marks=pytest.mark.long),
        pytest.param("qemu-m0", "scalar", marks=pytest.mark.long),
    ],
)
def test_every_pair(target: str, variant: str, tmp_path: Path) -> None:
    """With a table; without one where ties go to both sides."""
    made = [
        quotients(number, *numbers)
        for number, numbers in enumerate(
            (
                (43.739452362060547, (5, -100), -3),
                (0.5, (0, 0), 0, 1),
                (1.0, (128, 128), -128, 2),
                (3e38, (-127, 3), 127, 3),
                (255.0, (383, -383), -1000),
                (3.5, (3, -7), 11),
            )
        )
    ]
    schedules = run_all(made, target, tmp_path)
    symbols = [call.symbol for s in schedules for call in s.calls]
    assert symbols == [f"petite_div_by_table_s8_{variant}"] * 5 + ["petite_div_s8_scalar"]
