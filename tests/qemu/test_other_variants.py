# SPDX-License-Identifier: Apache-2.0
"""Conversions, softmax and matrix products of every instruction set give the bits of the oracle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_maker import GraphMaker
from kernel_testing import cases, oracle
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from variant_testing import Case, run_all

Array = np.ndarray[Any, np.dtype[Any]]

TYPES: dict[DType, Any] = {DType.S8: np.int8, DType.S16: np.int16}


def conversion(number: int, scale: float, dtype: DType, zero_point: int) -> Case:
    """Floats of every kind to integers."""
    rng = np.random.default_rng(number)
    limits = np.iinfo(TYPES[dtype])
    low, high = (int(limits.min), int(limits.max)) if number % 3 else (-100, 90)
    inverse = float(np.float32(1) / np.float32(scale))
    values = cases.floats(rng, inverse)[number::7]
    make = GraphMaker(f"method{number}")
    x = make.input(values.shape, DType.F32)
    y = make.emit(
        ops.Quantize, [x], make.value(values.shape, dtype),
        scale=scale, zero_point=zero_point, low=low, high=high,
    )  # fmt: skip
    make.output(y)
    expected = oracle.quantize(values, inverse, zero_point, low, high).astype(TYPES[dtype])
    return Case(make.graph, values, expected)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_quantize(dtype: DType, tmp_path: Path) -> None:
    made = [
        conversion(n, scale, dtype, zero_point)
        for n, (scale, zero_point) in enumerate(
            (scale, zero_point)
            for scale in (1.0, 0.5, 0.003921568859368563, 0.0235, 7.3, 1e-6, 1e-17, 1e17)
            for zero_point in (0, -128, 1000)
        )
    ]
    schedules = run_all(made, "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert len(symbols) == 1 and symbols.pop().endswith("_mve")


def test_quantize_with_scales_that_no_fast_kernel_takes(tmp_path: Path) -> None:
    made = [conversion(n, scale, DType.S8, 3) for n, scale in enumerate((1e-30, 1e30))]
    schedules = run_all(made, "qemu-m55", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_quantize_f32_s8_scalar"}


def softmax(seed: int) -> Case:
    """Rows at scales from far too fine to far too coarse."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 5)), int(rng.choice([1, 2, 4, 10, 12, 17, 300, 4095])))
    multiplier, shift, diff_min = cases.softmax_scale(float(2.0 ** rng.uniform(-10, 4)))
    values = cases.image(rng, *shape)
    if rng.random() < 0.2:
        values = np.full(shape, 7, np.int8)
    make = GraphMaker(f"method{seed}")
    y = make.emit(
        ops.Softmax, [make.input(shape)], make.value(shape),
        dim=1, requantize=ops.Requantize(multiplier, shift), diff_min=diff_min,
    )  # fmt: skip
    make.output(y)
    rows = [oracle.softmax_row(row, multiplier, shift, diff_min) for row in values]
    return Case(make.graph, values, np.stack(rows))


def test_softmax(tmp_path: Path) -> None:
    schedules = run_all([softmax(s) for s in range(700, 740)], "qemu-m55", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_softmax_s8_mve"}


def product(seed: int, *, odd: bool) -> Case:
    """A matrix product with a constant matrix or with itself."""
    rng = np.random.default_rng(seed)
    batches, rows, inner = (int(rng.integers(1, 4)), int(rng.integers(1, 6)), 0)
    inner = int(rng.choice([1, 3, 15, 16, 17, 40, 100]))
    lhs = cases.image(rng, batches, rows, inner)
    make = GraphMaker(f"method{seed}")
    x = make.input(lhs.shape)
    rhs, y = lhs, x
    if rng.random() < 0.7:
        rhs = cases.image(rng, batches, int(rng.choice([1, 2, 3, 4, 5, 8, 11])), inner)
        y = Value("constant", DType.S8, rhs.shape, data=rhs)
    offsets = (cases.offset(rng), cases.offset(rng))
    output_offset = cases.offset(rng)
    multiplier, shift = cases.scale(rng, 73.0 * 73.0 * np.sqrt(inner))
    shift = shift if odd else min(shift, 0)
    z = make.emit(
        ops.BatchMatmul, [x, y], make.value((batches, rows, rhs.shape[1])),
        offsets=offsets, output_offset=output_offset,
        requantize=ops.Requantize(multiplier, shift),
    )  # fmt: skip
    make.output(z)
    sums = np.einsum(
        "brk,bck->brc", lhs.astype(np.int64) + offsets[0], rhs.astype(np.int64) + offsets[1]
    )
    expected = oracle.requantize_s8(sums, multiplier, shift, output_offset, -128, 127)
    return Case(make.graph, lhs, expected)


def test_products(tmp_path: Path) -> None:
    schedules = run_all([product(s, odd=False) for s in range(800, 850)], "qemu-m55", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_batch_matmul_s8_mve"}


def test_products_that_no_fast_kernel_takes(tmp_path: Path) -> None:
    schedules = run_all([product(s, odd=True) for s in range(900, 930)], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_batch_matmul_s8_mve", "petite_batch_matmul_s8_scalar"}
