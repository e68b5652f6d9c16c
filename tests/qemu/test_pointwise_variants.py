# SPDX-License-Identifier: Apache-2.0
"""Sums, products, poolings and tables of every instruction set give the bits of the oracle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graph_maker import NHWC, GraphMaker
from kernel_testing import cases, oracle
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from variant_testing import Case, run_all

Array = np.ndarray[Any, np.dtype[Any]]


def scale_of(rng: cases.Rng, typical: float, odd: bool) -> ops.Requantize:
    """A scale for sums of that size; ``odd`` ones may have shifts that only scalar kernels take."""
    multiplier, shift = cases.scale(rng, typical)
    return ops.Requantize(multiplier, shift if odd else min(shift, 0))


def constant(image: Array) -> Value:
    """An NHWC image as a value of the graph."""
    data = np.moveaxis(image, 3, 1)
    return Value("constant", DType.S8, data.shape, data=data)


def binaries(seed: int, *, odd: bool) -> Case:
    """Sums and products of an input with itself or with a constant, some of one pixel only."""
    rng = np.random.default_rng(seed)
    image = cases.image(rng, *rng.integers(1, 8, 3), int(rng.choice([1, 3, 4, 16, 21])))
    make = GraphMaker(f"method{seed}")
    x = make.input((image.shape[0], image.shape[3], image.shape[1], image.shape[2]), layout=NHWC)
    result = image
    for _ in range(int(rng.integers(1, 4))):
        if rng.random() < 0.3:
            other, y = result, x
        else:
            shape = image.shape if rng.random() < 0.5 else (1, 1, 1, image.shape[3])
            other = cases.image(rng, *shape)
            y = constant(other)
        offsets = (cases.offset(rng), cases.offset(rng))
        output_offset, limits = cases.offset(rng), cases.limits(rng)
        z = make.value(tuple(x.shape))
        if rng.random() < 0.5:
            scales = (scale_of(rng, 2.0**28, odd), scale_of(rng, 2.0**28, odd))
            last = scale_of(rng, 2.0**27, odd)
            x = make.emit(
                ops.Add, [x, y], z, offsets=offsets, scales=scales, requantize=last,
                output_offset=output_offset, clamp=ops.Clamp(*limits),
            )  # fmt: skip
            sums = np.zeros(image.shape, np.int64)
            for operand, offset, scale in zip((result, other), offsets, scales, strict=True):
                shifted = oracle.wrap32((operand.astype(np.int64) + offset) << 20)
                sums = sums + oracle.requantize(shifted, scale.multiplier, scale.shift)
        else:
            limits = (-128, 127)
            last = scale_of(rng, 2.0**14, odd)
            x = make.emit(
                ops.Mul, [x, y], z, offsets=offsets, requantize=last, output_offset=output_offset
            )
            sums = (result.astype(np.int64) + offsets[0]) * (other.astype(np.int64) + offsets[1])
        result = oracle.requantize_s8(sums, last.multiplier, last.shift, output_offset, *limits)
    make.output(x, NHWC)
    return Case(make.graph, image, result)


def test_sums_and_products(tmp_path: Path) -> None:
    schedules = run_all([binaries(s, odd=False) for s in range(400, 450)], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {f"petite_{k}_s8_mve" for k in ("add", "mul", "weighted_sum")}


def test_sums_and_products_that_no_fast_kernel_takes(tmp_path: Path) -> None:
    schedules = run_all([binaries(s, odd=True) for s in range(500, 550)], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    wanted = {f"petite_{k}_s8_{v}" for k in ("add", "mul") for v in ("mve", "scalar")}
    assert symbols - {"petite_weighted_sum_s8_mve"} == wanted


def pools(seed: int) -> Case:
    """Poolings and a table in a chain."""
    rng = np.random.default_rng(seed)
    depth = int(rng.choice([1, 3, 4, 6, 16, 18, 40]))
    image = cases.image(rng, int(rng.integers(1, 3)), *rng.integers(1, 12, 2), depth)
    make = GraphMaker(f"method{seed}")
    x = make.input((image.shape[0], depth, image.shape[1], image.shape[2]), layout=NHWC)
    result = image
    for _ in range(int(rng.integers(1, 4))):
        x, result = pool(rng, make, x, result)
        table = cases.image(rng, 256)
        x = make.emit(ops.Lut, [x], make.value(x.shape), table=table)
        result = table[result.astype(np.int32) + 128]
    make.output(x, NHWC)
    return Case(make.graph, image, result)


def pool(rng: cases.Rng, make: GraphMaker, x: Value, image: Array) -> tuple[Value, Array]:
    """Append a random pooling; returns its output, and the oracle's."""
    kernel, stride, before, after, output = [], [], [], [], []
    for size in image.shape[1:3]:
        taps = int(rng.choice([1, 2, 3, size]))
        step = int(rng.choice([1, 2, 3]))
        pads = [int(rng.integers(0, taps // 2 + 1)) for _ in range(2)]
        room = size + sum(pads) - taps
        kernel.append(taps)
        stride.append(step)
        before.append(pads[0])
        after.append(pads[1])
        output.append(min(max(0, room) // step + 1, (size - 1 + pads[0]) // step + 1))
    shape = (image.shape[0], image.shape[3], output[0], output[1])
    window: dict[str, Any] = {
        "kernel": tuple(kernel),
        "stride": tuple(stride),
        "padding": ops.Padding(before[0], before[1], after[0], after[1]),
    }
    sizes = (tuple(output), tuple(kernel), tuple(stride), tuple(before))
    if rng.random() < 0.5:
        limits = cases.limits(rng)
        y = make.emit(ops.MaxPool2d, [x], make.value(shape), clamp=ops.Clamp(*limits), **window)
        return y, np.clip(oracle.max_pool(image, *sizes, (1, 1)), *limits)
    counted, value = bool(rng.random() < 0.5), int(rng.integers(-128, 128))
    y = make.emit(
        ops.AvgPool2d, [x], make.value(shape), count_padding=counted, padding_value=value, **window
    )
    return y, oracle.avg_pool(image, *sizes, tuple(after), value if counted else None)


def test_poolings_and_tables(tmp_path: Path) -> None:
    schedules = run_all([pools(s) for s in range(600, 650)], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {f"petite_{k}_s8_mve" for k in ("avg_pool", "max_pool", "lut")}
