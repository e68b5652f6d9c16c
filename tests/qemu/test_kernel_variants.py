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
from variant_testing import Case, Takes, compile_all, random_numbers, run_all

Array = np.ndarray[Any, np.dtype[Any]]


def convolution(rng: cases.Rng, make: GraphMaker, x: Any, image: Array, takes: Takes) -> Any:
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
    # Helium leaves groups to the DSP kernel.
    divisors = [g for g in (2, 3, 4, 5) if depth % g == 0 and takes == "dsp"]
    groups = int(rng.choice([1, *divisors])) if divisors else 1
    channels *= groups
    weights = cases.image(rng, channels, *kernel, depth // groups)
    if rng.random() < 0.5:
        # Files have weights in other orders as well.
        weights = np.asfortranarray(weights)
    own = random_numbers(rng, channels, 73.0 * 73.0 * np.sqrt(kernel[0] * kernel[1] * depth), takes)
    y = make.emit(
        ops.Conv2d,
        [x],
        make.value((batches, channels, output[0], output[1])),
        kernel=tuple(kernel),
        stride=tuple(stride),
        dilation=tuple(dilation),
        padding=ops.Padding(before[0], before[1], 0, 0),
        weights=weights,
        bias=own.bias,
        input_offset=own.input_offset,
        output_offset=own.output_offset,
        multipliers=own.multipliers,
        shifts=own.shifts.astype(np.int32),
        clamp=ops.Clamp(*own.limits),
    )
    sums = oracle.conv2d_sums(
        image, weights, own.bias, (output[0], output[1]), (stride[0], stride[1]),
        (dilation[0], dilation[1]), (before[0], before[1]), groups, own.input_offset,
    )  # fmt: skip
    return y, oracle.requantize_s8(
        sums, own.multipliers, own.shifts, own.output_offset, *own.limits
    )


def convolutions(seed: int, takes: Takes) -> Case:
    """A chain of convolutions."""
    rng = np.random.default_rng(seed)
    depth = int(rng.choice([1, 2, 3, 4, 8, 16, 16, 20, 32, 48]))
    image = cases.image(rng, int(rng.integers(1, 3)), *rng.integers(1, 10, 2), depth)
    make = GraphMaker(f"method{seed}")
    x = make.input((image.shape[0], depth, image.shape[1], image.shape[2]), layout=NHWC)
    result = image
    for _ in range(int(rng.integers(1, 4))):
        x, result = convolution(rng, make, x, result, takes)
    make.output(x, NHWC)
    return Case(make.graph, image, result)


@pytest.mark.parametrize("seeds", [range(0, 40), range(40, 80)], ids=str)
def test_convolutions(seeds: range, tmp_path: Path) -> None:
    schedules = run_all([convolutions(s, "mve") for s in seeds], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_conv2d_s8_mve", "petite_pointwise_conv2d_s8_mve"}


def test_convolutions_that_no_fast_kernel_takes(tmp_path: Path) -> None:
    seeds = range(100, 130)
    schedules = run_all([convolutions(s, "any") for s in seeds], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols - {"petite_pointwise_conv2d_s8_mve"} == {
        "petite_conv2d_s8_mve",
        "petite_conv2d_s8_scalar",
    }


def linears(seed: int, takes: Takes) -> Case:
    """One or two matrix products of a few rows."""
    rng = np.random.default_rng(seed)
    sizes = [1, 5, 15, 16, 17, 32, 70]
    # Runs that the DSP kernel cuts into segments.
    sizes += [2, 495, 496, 497, 1000] if takes == "dsp" else []
    rows, inputs = int(rng.choice([1, 1, 2, 5])), int(rng.choice(sizes))
    data = cases.image(rng, rows, inputs)
    make = GraphMaker(f"method{seed}")
    x, result = make.input(data.shape), data
    for _ in range(int(rng.integers(1, 3))):
        outputs = int(rng.choice([1, 3, 4, 6, 16, 33]))
        weights = cases.image(rng, outputs, result.shape[1])
        bias = cases.bias(rng, outputs)
        bias = np.zeros(outputs, np.int32) if bias is None else bias
        multiplier, shift = cases.scale(rng, 73.0 * 73.0 * np.sqrt(result.shape[1]))
        output_offset, limits = cases.offset(rng), cases.limits(rng)
        if takes == "mve":
            shift = min(shift, 0)
        if takes == "dsp":
            shift, output_offset = min(shift, -1), min(output_offset, 2**14 - 1)
            bias = np.clip(bias, -(2**29), 2**29).astype(np.int32)
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
    schedules = run_all([linears(s, "mve") for s in range(40)], "qemu-m55", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_linear_s8_mve"}


def test_linears_that_no_fast_kernel_takes(tmp_path: Path) -> None:
    schedules = run_all([linears(s, "any") for s in range(100, 160)], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_linear_s8_mve", "petite_linear_s8_scalar"}


@pytest.mark.parametrize("target", ["host", "qemu-m4", "qemu-m33"])
def test_a_compiler_without_helium_says_so(target: str, tmp_path: Path) -> None:
    case = linears(0, "mve")
    compile_all([case], "mve", tmp_path)
    with pytest.raises(PetiteError, match=r"Helium \(--instruction-set mve\)") as caught:
        execute(tmp_path, find_target(target), 0, [[case.inputs.tobytes()]])
    assert "\n" not in str(caught.value)
