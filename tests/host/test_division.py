# SPDX-License-Identifier: Apache-2.0
"""Divisions of int8 by a table of reciprocals."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import At, KernelRunner

VALUES = np.arange(-128, 128, dtype=np.int8)


def any_reciprocals(rng: cases.Rng) -> cases.Array:
    """Of every size, both ends among them."""
    table = (rng.uniform(-1, 1, 256) * 2.0 ** rng.uniform(0, 31, 256)).astype(np.int32)
    table[rng.integers(0, 256, 3)] = (0, 2**31 - 1, 1 - 2**31)
    return table


@pytest.mark.parametrize(
    ("offset", "output_offset"),
    [(0, 0), (3, -7), (128, 127), (-127, -128), (384, 2**14), (-384, -(2**14))],
)
def test_every_pair(kernels: KernelRunner, offset: int, output_offset: int) -> None:
    input1, input2 = np.repeat(VALUES, 256), np.tile(VALUES, 256)
    table = any_reciprocals(np.random.default_rng(offset + 500))
    actual = kernels.run(
        "div_by_table_s8",
        input1=input1,
        input2=input2,
        output=np.zeros_like(input1),
        count=input1.size,
        reciprocals=table,
        input1_offset=offset,
        output_offset=output_offset,
    )
    expected = oracle.divide_by_table(input1, input2, offset, table, output_offset)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("target", [0, 1])
def test_in_place(kernels: KernelRunner, target: int) -> None:
    """The output is one of the inputs."""
    rng = np.random.default_rng(target)
    count = 37
    memory = cases.image(rng, 2 * count)
    table = any_reciprocals(rng)
    result = kernels.run_in_memory(
        "div_by_table_s8",
        memory,
        input1=At(0),
        input2=At(count),
        output=At(target * count),
        count=count,
        reciprocals=table,
        input1_offset=5,
        output_offset=-3,
    )
    expected = memory.copy()
    expected[target * count :][:count] = oracle.divide_by_table(
        memory[:count], memory[count:], 5, table, -3
    )
    np.testing.assert_array_equal(result, expected)
