# SPDX-License-Identifier: Apache-2.0
"""Transposed convolutions of every instruction set give the bits of the oracle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from graph_maker import NHWC, GraphMaker
from kernel_testing import cases, oracle
from petite.ir import ops
from variant_testing import Case, Takes, random_numbers, run_all


def transposed(seed: int, takes: Takes) -> Case:
    """Any window, also smaller than its strides, and outputs that no input reaches."""
    rng = np.random.default_rng(seed)
    depth, channels = (int(rng.choice([1, 3, 4, 16, 17])) for _ in range(2))
    image = cases.image(rng, int(rng.integers(1, 3)), *rng.integers(1, 7, 2), depth)
    kernel, stride, dilation, cut, output = [], [], [], [], []
    for size in image.shape[1:3]:
        taps, step, apart = (int(rng.choice([1, 2, 3, 4])) for _ in range(3))
        apart = 1 if rng.random() < 0.6 else apart
        full = (size - 1) * step + (taps - 1) * apart + 1
        kernel.append(taps)
        stride.append(step)
        dilation.append(apart)
        cut.append(int(rng.integers(0, min(full, 4))))
        output.append(max(1, full - cut[-1] - int(rng.integers(-2, 4))))
    weights = cases.image(rng, channels, *kernel, depth)
    own = random_numbers(rng, channels, 73.0 * 73.0 * np.sqrt(kernel[0] * depth), takes)
    make = GraphMaker(f"method{seed}")
    shape = (image.shape[0], depth, image.shape[1], image.shape[2])
    y = make.emit(
        ops.TransposeConv2d,
        [make.input(shape, layout=NHWC)],
        make.value((image.shape[0], channels, output[0], output[1])),
        kernel=tuple(kernel),
        stride=tuple(stride),
        dilation=tuple(dilation),
        padding=ops.Padding(cut[0], cut[1], 0, 0),
        weights=weights,
        bias=own.bias,
        input_offset=own.input_offset,
        output_offset=own.output_offset,
        multipliers=own.multipliers,
        shifts=own.shifts.astype(np.int32),
        clamp=ops.Clamp(*own.limits),
    )
    make.output(y, NHWC)
    sums = oracle.transpose_conv2d_sums(
        image, weights, own.bias, (output[0], output[1]), (stride[0], stride[1]),
        (dilation[0], dilation[1]), (cut[0], cut[1]), own.input_offset,
    )  # fmt: skip
    expected = oracle.requantize_s8(
        sums, own.multipliers, own.shifts, own.output_offset, *own.limits
    )
    return Case(make.graph, image, expected)


@pytest.mark.parametrize(
    ("target", "takes", "seeds"),
    [
        ("qemu-m55", "mve", range(1000, 1050)),
        ("qemu-m4", "dsp", range(1050, 1090)),
        ("qemu-m33", "dsp", range(1080, 1100)),
    ],
)
def test_transposed_convolutions(target: str, takes: Takes, seeds: range, tmp_path: Path) -> None:
    schedules = run_all([transposed(s, takes) for s in seeds], target, tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {f"petite_conv2d_s8_{takes}"}
    assert max(len(s.calls) for s in schedules) > 4
