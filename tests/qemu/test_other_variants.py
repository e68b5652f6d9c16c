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

#: Armv7E-M, and Armv8-M.
DSP_SEEDS = [("qemu-m4", range(0, 40)), ("qemu-m33", range(20, 40))]

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


@pytest.mark.parametrize(("target", "variant"), [("qemu-m55", "mve"), ("qemu-m4", "dsp")])
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_quantize(dtype: DType, target: str, variant: str, tmp_path: Path) -> None:
    made = [
        conversion(n, scale, dtype, zero_point)
        for n, (scale, zero_point) in enumerate(
            (scale, zero_point)
            for scale in (1.0, 0.5, 0.003921568859368563, 0.0235, 7.3, 1e-6, 1e-17, 1e17)
            for zero_point in (0, -128, 1000)
        )
    ]
    schedules = run_all(made, target, tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {f"petite_quantize_f32_{'s8' if dtype is DType.S8 else 's16'}_{variant}"}


def test_quantize_with_scales_that_no_fast_kernel_takes(tmp_path: Path) -> None:
    made = [conversion(n, scale, DType.S8, 3) for n, scale in enumerate((1e-30, 1e30))]
    schedules = run_all(made, "qemu-m55", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_quantize_f32_s8_scalar"}


def back_conversion(
    number: int, scale: float, zero_point: int, dtype: DType = DType.S8, times: int = 1
) -> Case:
    """Every number of a type so many times, and an odd number of them, to floats."""
    limits = np.iinfo(TYPES[dtype])
    every = np.tile(np.arange(limits.min, limits.max + 1), times)
    values = np.append(every, every[: number % 3]).astype(TYPES[dtype])
    make = GraphMaker(f"method{number}")
    x, y = make.input(values.shape, dtype), make.value(values.shape, DType.F32)
    make.emit(ops.Dequantize, [x], y, scale=scale, zero_point=zero_point)
    make.output(y)
    with np.errstate(over="ignore"):
        expected = (values.astype(np.int32) - zero_point).astype(np.float32) * np.float32(scale)
    return Case(make.graph, values, expected)


def back_conversions(dtype: DType = DType.S8, times: int = 1, every: int = 1) -> list[Case]:
    """Scales and zero points at the ends of what Helium takes, or every so many of these pairs."""
    scales = (1.0, 0.5, 0.003921568859368563, 0.0235, 7.3, 1.17549435e-38, 1e37, 3e38)
    zero_points = (0, -128, 127, 1000, 2**21 - 1, 1 - 2**21)
    pairs = [(s, z) for s in scales for z in zero_points][::every]
    return [back_conversion(n, *pair, dtype, times) for n, pair in enumerate(pairs)]


def test_dequantize(tmp_path: Path) -> None:
    schedules = run_all(back_conversions(), "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_dequantize_s8_f32_mve"}


def test_dequantize_int16(tmp_path: Path) -> None:
    schedules = run_all(back_conversions(DType.S16, every=7), "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_dequantize_s16_f32_mve"}


@pytest.mark.parametrize(
    ("target", "variant"),
    [("qemu-m4", "dsp"), pytest.param("qemu-m0", "scalar", marks=pytest.mark.long)],
)
def test_dequantize_with_a_table(target: str, variant: str, tmp_path: Path) -> None:
    schedules = run_all(back_conversions(times=4, every=3), target, tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {f"petite_lut_s8_f32_{variant}"}


def test_dequantize_what_helium_would_flush(tmp_path: Path) -> None:
    pairs = ((1e-39, 3), (1e-45, 0), (0.5, 2**21), (0.5, -(2**22)))
    made = [back_conversion(n, *pair) for n, pair in enumerate(pairs)]
    made += [back_conversion(4 + n, *pair, times=4) for n, pair in enumerate(pairs)]
    schedules = run_all(made, "qemu-m55", tmp_path)
    symbols = [call.symbol for s in schedules for call in s.calls]
    assert symbols == ["petite_dequantize_s8_f32_scalar"] * 4 + ["petite_lut_s8_f32_dsp"] * 4


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


@pytest.mark.parametrize(("target", "seeds"), DSP_SEEDS, ids=[name for name, _ in DSP_SEEDS])
def test_softmax_with_a_table(target: str, seeds: range, tmp_path: Path) -> None:
    schedules = run_all([softmax(700 + s) for s in seeds], target, tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_softmax_s8_dsp", "petite_softmax_s8_scalar"}


def equal_elements(columns: int) -> Case:
    """Rows whose exponentials are all 1."""
    multiplier, shift, diff_min = cases.softmax_scale(0.1)
    shape = (-(-512 // columns), columns)
    values = np.full(shape, columns % 256 - 128, np.int8)
    make = GraphMaker(f"method{columns}")
    y = make.emit(
        ops.Softmax, [make.input(shape)], make.value(shape),
        dim=1, requantize=ops.Requantize(multiplier, shift), diff_min=diff_min,
    )  # fmt: skip
    make.output(y)
    row = oracle.softmax_row(values[0], multiplier, shift, diff_min)
    return Case(make.graph, values, np.tile(row, (shape[0], 1)))


def test_softmax_of_equal_elements(tmp_path: Path) -> None:
    """Sums of every number of bits, up to those beside which no element counts."""
    made = [equal_elements(c) for k in range(12) for c in (2**k, 2 ** (k + 1) - 1) if c != 1]
    schedules = run_all([equal_elements(1), *made], "qemu-m4", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_softmax_s8_dsp"}


def product(seed: int, *, odd: bool) -> Case:
    """A matrix product with a constant matrix or with itself."""
    rng = np.random.default_rng(seed)
    batches, rows, inner = (int(rng.integers(1, 4)), int(rng.integers(1, 6)), 0)
    inner = int(rng.choice([1, 2, 3, 15, 16, 17, 40, 100]))
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


@pytest.mark.parametrize(("target", "seeds"), DSP_SEEDS, ids=[name for name, _ in DSP_SEEDS])
def test_products_by_the_dsp_extension(target: str, seeds: range, tmp_path: Path) -> None:
    made = [product(800 + s, odd=False) for s in seeds]
    made += [largest_product(*ends) for ends in ((0, 3), (128, 128), (-127, 128), (128, -127))]
    schedules = run_all(made, target, tmp_path)
    calls = [call for s in schedules for call in s.calls]
    assert {c.symbol for c in calls} == {f"petite_batch_matmul_s8_{v}" for v in ("dsp", "scalar")}
    fast = [call for call in calls if call.variant == "dsp"]
    # Rows, columns and elements that are left over, and that are not.
    for name, at_once in (("rows", 2), ("columns", 2), ("inner", 4)):
        assert {int(str(c.fields[name])) % at_once for c in fast} == set(range(at_once)), name


def largest_product(lhs_offset: int, rhs_offset: int) -> Case:
    """As large sums as offsets allow, of both signs, for the longest rows that the kernel takes."""
    ends = [max(abs(offset - 128), abs(offset + 127)) for offset in (lhs_offset, rhs_offset)]
    inner = (2**30 - 1) // (ends[0] * ends[1])
    lhs = np.repeat(np.array([[[-128], [127], [0]]], np.int8), inner, axis=2)
    rhs = lhs[:, :2]
    make = GraphMaker(f"method_{lhs_offset + 128}_{rhs_offset + 128}")
    y = Value("constant", DType.S8, rhs.shape, data=rhs)
    multiplier, shift = 2**30 + 12345, -22
    z = make.emit(
        ops.BatchMatmul, [make.input(lhs.shape), y], make.value((1, 3, 2)),
        offsets=(lhs_offset, rhs_offset), output_offset=-7,
        requantize=ops.Requantize(multiplier, shift),
    )  # fmt: skip
    make.output(z)
    sums = np.einsum(
        "brk,bck->brc", lhs.astype(np.int64) + lhs_offset, rhs.astype(np.int64) + rhs_offset
    )
    return Case(make.graph, lhs, oracle.requantize_s8(sums, multiplier, shift, -7, -128, 127))
