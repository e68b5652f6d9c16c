# SPDX-License-Identifier: Apache-2.0
"""Kernels of every instruction set give the bits of the oracle, on cores that have it.

Whole small networks go through lowering, placement with overlap and code generation, so that what
lowering packs for a kernel, and how far its output reaches into its input, are tested with it.
Many share one program: each is a method of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_maker import NHWC, GraphMaker
from kernel_testing import cases, oracle
from petite.errors import PetiteError
from petite.ir import ops
from petite.run import execute
from petite.targets import find_target
from variant_testing import Case, compile_all, run_all

Array = np.ndarray[Any, np.dtype[Any]]


def convolution(rng: cases.Rng, make: GraphMaker, x: Any, image: Array, odd: bool) -> Any:
    """Append a random convolution; returns its output, and the oracle's."""
    batches, height, width, depth = image.shape
    kernel, stride, dilation, before, output = [], [], [], [], []
    is_pointwise = rng.random() < 0.25
    for size in (height, width):
        if is_pointwise:
            for numbers, number in zip(
                (kernel, stride, dilation, before, output), (1, 1, 1, 0, size), strict=True
            ):
                numbers.append(number)
            continue
        taps = int(rng.choice([1, 1, 2, 3, 3, 5]))
        apart = int(rng.choice([1, 1, 1, 2]))
        reach = (taps - 1) * apart + 1
        pad = 0 if rng.random() < 0.3 else int(rng.integers(0, reach + 1))
        after = 0 if rng.random() < 0.3 else int(rng.integers(0, reach + 1))
        step = int(rng.choice([1, 1, 2, 3]))
        kernel.append(taps)
        stride.append(step)
        dilation.append(apart)
        before.append(pad)
        output.append(max(1, (size + pad + after - reach) // step + 1))
    channels = int(rng.choice([1, 2, 3, 4, 5, 7, 8, 16, 17, 32]))
    weights = cases.image(rng, channels, *kernel, depth)
    multipliers, shifts = cases.scales(
        rng, channels, 73.0 * 73.0 * np.sqrt(kernel[0] * kernel[1] * depth)
    )
    if not odd:
        shifts = np.minimum(shifts, 0)
    bias = cases.bias(rng, channels)
    input_offset = cases.offset(rng) if odd else int(rng.integers(-127, 129))
    output_offset, limits = cases.offset(rng), cases.limits(rng)
    y = make.emit(
        ops.Conv2d,
        [x],
        make.value((batches, channels, output[0], output[1])),
        kernel=tuple(kernel),
        stride=tuple(stride),
        dilation=tuple(dilation),
        padding=ops.Padding(before[0], before[1], 0, 0),
        weights=weights,
        bias=bias,
        input_offset=input_offset,
        output_offset=output_offset,
        multipliers=multipliers,
        shifts=shifts.astype(np.int32),
        clamp=ops.Clamp(*limits),
    )
    sums = oracle.conv2d_sums(
        image, weights, bias, (output[0], output[1]), (stride[0], stride[1]),
        (dilation[0], dilation[1]), (before[0], before[1]), 1, input_offset,
    )  # fmt: skip
    return y, oracle.requantize_s8(sums, multipliers, shifts, output_offset, *limits)


def convolutions(seed: int, *, odd: bool) -> Case:
    """A chain of convolutions; ``odd`` ones may have numbers that only scalar kernels take."""
    rng = np.random.default_rng(seed)
    depth = int(rng.choice([1, 2, 3, 4, 8, 16, 16, 20, 32, 48]))
    image = cases.image(rng, int(rng.integers(1, 3)), *rng.integers(1, 10, 2), depth)
    make = GraphMaker(f"method{seed}")
    x = make.input((image.shape[0], depth, image.shape[1], image.shape[2]), layout=NHWC)
    result = image
    for _ in range(int(rng.integers(1, 4))):
        x, result = convolution(rng, make, x, result, odd)
    make.output(x, NHWC)
    return Case(make.graph, image, result)


@pytest.mark.parametrize("seeds", [range(0, 40), range(40, 80)], ids=str)
def test_convolutions(seeds: range, tmp_path: Path) -> None:
    schedules = run_all([convolutions(s, odd=False) for s in seeds], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_conv2d_s8_mve", "petite_pointwise_conv2d_s8_mve"}


def test_convolutions_that_no_fast_kernel_takes(tmp_path: Path) -> None:
    seeds = range(100, 130)
    schedules = run_all([convolutions(s, odd=True) for s in seeds], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols - {"petite_pointwise_conv2d_s8_mve"} == {
        "petite_conv2d_s8_mve",
        "petite_conv2d_s8_scalar",
    }


def linears(seed: int, *, odd: bool) -> Case:
    """One or two matrix products of a few rows."""
    rng = np.random.default_rng(seed)
    rows, inputs = int(rng.choice([1, 1, 2, 5])), int(rng.choice([1, 5, 15, 16, 17, 32, 70]))
    data = cases.image(rng, rows, inputs)
    make = GraphMaker(f"method{seed}")
    x, result = make.input(data.shape), data
    for _ in range(int(rng.integers(1, 3))):
        outputs = int(rng.choice([1, 3, 4, 6, 16, 33]))
        weights = cases.image(rng, outputs, result.shape[1])
        bias = cases.bias(rng, outputs)
        bias = np.zeros(outputs, np.int32) if bias is None else bias
        multiplier, shift = cases.scale(rng, 73.0 * 73.0 * np.sqrt(result.shape[1]))
        shift = shift if odd else min(shift, 0)
        output_offset, limits = cases.offset(rng), cases.limits(rng)
        x = make.emit(
            ops.Linear,
            [x],
            make.value((rows, outputs)),
            weights=weights,
            bias=bias,
            output_offset=output_offset,
            requantize=ops.Requantize(multiplier, shift),
            clamp=ops.Clamp(*limits),
        )
        sums = result.astype(np.int64) @ weights.T.astype(np.int64) + bias
        result = oracle.requantize_s8(sums, multiplier, shift, output_offset, *limits)
    make.output(x)
    return Case(make.graph, data, result)


def test_linears(tmp_path: Path) -> None:
    schedules = run_all([linears(s, odd=False) for s in range(40)], "qemu-m55", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_linear_s8_mve"}


def test_linears_that_no_fast_kernel_takes(tmp_path: Path) -> None:
    schedules = run_all([linears(s, odd=True) for s in range(100, 160)], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_linear_s8_mve", "petite_linear_s8_scalar"}


@pytest.mark.parametrize("target", ["host", "qemu-m4", "qemu-m33"])
def test_a_compiler_without_helium_says_so(target: str, tmp_path: Path) -> None:
    case = linears(0, odd=False)
    compile_all([case], "mve", tmp_path)
    with pytest.raises(PetiteError, match=r"Helium \(--instruction-set mve\)") as caught:
        execute(tmp_path, find_target(target), 0, [[case.inputs.tobytes()]])
    assert "\n" not in str(caught.value)
