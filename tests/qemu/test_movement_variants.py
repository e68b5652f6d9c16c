# SPDX-License-Identifier: Apache-2.0
"""Strided copies of every instruction set give the bytes of numpy's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_maker import GraphMaker
from kernel_testing import cases
from petite.ir import ops
from petite.ir.dtype import DType
from variant_testing import Case, run_all

Array = np.ndarray[Any, np.dtype[Any]]

TARGETS = [("qemu-m55", "mve"), ("qemu-m4", "dsp"), ("qemu-m33", "dsp")]


def table(make: GraphMaker, x: Any, data: Array) -> tuple[Any, Array]:
    """Another value for each: so that no copy turns into a change of names."""
    y = make.emit(ops.Lut, [x], make.value(data.shape), table=np.arange(256)[::-1].astype(np.int8))
    return y, (-1 - data.astype(np.int32)).astype(np.int8)


def copies(seed: int) -> Case:
    """Permutations, slices with steps, and broadcasts of what has up to five dimensions."""
    rng = np.random.default_rng(seed)
    sizes = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 40]
    shape = [int(rng.choice(sizes))]
    for _ in range(int(rng.integers(1, 5))):
        most = 3000 // int(np.prod(shape))
        shape.append(int(rng.choice([n for n in sizes if n <= max(1, most)])))
    data = cases.image(rng, *rng.permutation(shape))
    make = GraphMaker(f"method{seed}")
    x, result = make.input(data.shape), data
    for _ in range(2):
        order = tuple(int(n) for n in rng.permutation(result.ndim))
        dim = int(rng.integers(0, result.ndim))
        match rng.integers(3):
            case 0:
                result = result.transpose(order)
                x = make.emit(ops.Permute, [x], make.value(result.shape), permutation=order)
            case 1:
                step = int(rng.integers(1, 4))
                start = int(rng.integers(0, result.shape[dim]))
                result = np.moveaxis(np.moveaxis(result, dim, 0)[start::step], 0, dim)
                x = make.emit(
                    ops.Slice, [x], make.value(result.shape), dim=dim, start=start, step=step
                )
            case _:
                times = int(rng.integers(2, 6))
                one = (*result.shape[:dim], 1, *result.shape[dim:])
                x = make.emit(ops.View, [x], make.value(one))
                result = np.repeat(result.reshape(one), times, axis=dim)
                x = make.emit(ops.Expand, [x], make.value(result.shape))
                if result.ndim == 6:
                    flat = (*result.shape[:4], result.shape[4] * result.shape[5])
                    result = result.reshape(flat)
                    x = make.emit(ops.View, [x], make.value(flat))
        x, result = table(make, x, result)
    make.output(x)
    return Case(make.graph, data, result)


@pytest.mark.parametrize(("target", "variant"), TARGETS)
def test_copies(target: str, variant: str, tmp_path: Path) -> None:
    schedules = run_all([copies(s) for s in range(1200, 1280)], target, tmp_path)
    calls = [call for s in schedules for call in s.calls if call.kernel == "transpose"]
    assert {call.symbol for call in calls} == {f"petite_transpose_{variant}"}
    planes = {tuple(call.fields["dims"][-2:]) for call in calls}  # type: ignore[index]
    # Rows that are copied as such, and columns instead; lines with rests and without.
    assert {columns >= 32 or columns >= rows for rows, columns in planes} == {True, False}
    assert any(0 in call.fields["strides"][-2:] for call in calls)  # type: ignore[index,operator]


def wide_rows(columns: int) -> Case:
    """Neighbours that get as far apart as 16 bits can say, and further."""
    data = np.random.default_rng(columns).integers(-128, 128, (33, columns)).astype(np.int8)
    make = GraphMaker(f"method{columns}")
    x = make.emit(
        ops.Permute, [make.input(data.shape)], make.value((columns, 33)), permutation=(1, 0)
    )
    make.output(x)
    return Case(make.graph, data, np.ascontiguousarray(data.T))


def test_bytes_that_are_far_apart(tmp_path: Path) -> None:
    made = [wide_rows(columns) for columns in (9362, 9363)]
    schedules = run_all(made, "qemu-m55", tmp_path)
    assert [c.symbol for s in schedules for c in s.calls] == 2 * ["petite_transpose_mve"]


def test_other_elements_are_left_to_the_scalar_kernel(tmp_path: Path) -> None:
    data = np.random.default_rng(1).standard_normal((5, 9)).astype(np.float32)
    make = GraphMaker("method")
    x = make.input(data.shape, DType.F32)
    make.output(make.emit(ops.Permute, [x], make.value((9, 5), DType.F32), permutation=(1, 0)))
    schedules = run_all(
        [Case(make.graph, data, np.ascontiguousarray(data.T))], "qemu-m55", tmp_path
    )
    assert [c.symbol for s in schedules for c in s.calls] == ["petite_transpose_scalar"]
