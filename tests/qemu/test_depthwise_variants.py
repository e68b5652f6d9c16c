# SPDX-License-Identifier: Apache-2.0
"""Depthwise convolutions of every instruction set give the bits of the oracle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_maker import NHWC, GraphMaker
from kernel_testing import cases, oracle
from petite.ir import ops
from petite.ir.schedule import Function, KernelCall
from variant_testing import Case, Takes, random_numbers, run_all

Array = np.ndarray[Any, np.dtype[Any]]


def depthwise(seed: int, takes: Takes, multiples: tuple[int, ...] = (1,)) -> Case:
    """A chain of depthwise convolutions, some as nets have them and some of any shape.

    ``multiples`` are numbers of outputs a channel to choose from.
    """
    rng = np.random.default_rng(seed)
    depth = int(rng.choice([4, 5, 7, 8, 15, 16, 17, 20, 32, 35, 64, 67]))
    sizes = rng.integers(1, 12, 2)
    if rng.random() < 0.4:
        # Long rows and columns: several tiles.
        sizes = rng.permutation([int(rng.choice([1, 1, 2, 3])), int(rng.integers(1, 100))])
        depth = min(depth, 20)
    image = cases.image(rng, int(rng.integers(1, 3)), *sizes, depth)
    make = GraphMaker(f"method{seed}")
    x = make.input((image.shape[0], depth, image.shape[1], image.shape[2]), layout=NHWC)
    result = image
    for _ in range(int(rng.integers(1, 4))):
        x, result = depthwise_step(rng, make, x, result, takes, multiples)
    make.output(x, NHWC)
    return Case(make.graph, image, result)


def depthwise_step(
    rng: cases.Rng,
    make: GraphMaker,
    x: Any,
    image: Array,
    takes: Takes,
    multiples: tuple[int, ...],
) -> Any:
    """Append a depthwise convolution; returns its output, and the oracle's."""
    batches, height, width, depth = image.shape
    plain = rng.random() < 0.5
    kernel, stride, dilation, before, output = [], [], [], [], []
    step = int(rng.choice([1, 2]))
    for size in (height, width):
        taps = 3 if plain else int(rng.choice([1, 2, 3, 4, 5, 7]))
        if size == 1 and rng.random() < 0.5:
            taps = 1
        apart = 1 if plain else int(rng.choice([1, 1, 1, 2]))
        reach = (taps - 1) * apart + 1
        pad = 0 if reach == 1 or rng.random() < 0.3 else int(rng.integers(0, reach + 1))
        after = 0 if reach == 1 or rng.random() < 0.3 else int(rng.integers(0, reach + 1))
        step = step if plain else int(rng.choice([1, 1, 2, 3]))
        kernel.append(taps)
        stride.append(step)
        dilation.append(apart)
        before.append(pad)
        output.append(max(1, (size + pad + after - reach) // step + 1))
    multiple = int(rng.choice(multiples)) if depth < 60 else 1
    channels = depth * multiple
    weights = cases.image(rng, *kernel, channels)
    own = random_numbers(rng, channels, 73.0 * 73.0 * np.sqrt(kernel[0] * kernel[1]), takes)
    if plain:
        own.output_offset, own.limits = -128, (-128, 127)
    y = make.emit(
        ops.DepthwiseConv2d,
        [x],
        make.value((batches, channels, output[0], output[1])),
        kernel=tuple(kernel),
        stride=tuple(stride),
        dilation=tuple(dilation),
        padding=ops.Padding(before[0], before[1], 0, 0),
        weights=weights[None],
        bias=own.bias,
        input_offset=own.input_offset,
        output_offset=own.output_offset,
        multipliers=own.multipliers,
        shifts=own.shifts.astype(np.int32),
        clamp=ops.Clamp(*own.limits),
    )
    sums = oracle.conv2d_sums(
        image, np.moveaxis(weights, 2, 0)[..., None], own.bias, (output[0], output[1]),
        (stride[0], stride[1]), (dilation[0], dilation[1]), (before[0], before[1]), depth,
        own.input_offset,
    )  # fmt: skip
    return y, oracle.requantize_s8(
        sums, own.multipliers, own.shifts, own.output_offset, *own.limits
    )


@pytest.mark.parametrize("seeds", [range(200, 240), range(240, 280)], ids=str)
def test_depthwise_convolutions(seeds: range, tmp_path: Path) -> None:
    schedules = run_all([depthwise(s, "mve") for s in seeds], "qemu-m55", tmp_path)
    calls = [call for s in schedules for call in s.calls]
    assert {call.symbol for call in calls} == {"petite_depthwise_conv2d_s8_mve"}
    # All loops, and tiles of a part of the channels, or of the row, or of the one column.
    assert {1, 2, 3} <= {call.fields["chunks"] for call in calls if is_general(call)}
    assert {call.fields["rows"] for call in calls if not is_general(call)} == {1, 2}
    tiles = {
        (f["run"] == f["channels"], f["tile_w"] == f["output_w"])
        for f in (call.fields for call in calls)
    }
    assert len(tiles) == 4
    assert any(call.fields["cell"] > 16 for call in calls)


def is_general(call: KernelCall) -> bool:
    """Whether the call takes windows of any size."""
    return call.fields["multiply"] == Function("petite_multiply_windows_s8_mve")


def test_depthwise_convolutions_that_no_fast_kernel_takes(tmp_path: Path) -> None:
    seeds = range(300, 330)
    schedules = run_all([depthwise(s, "any") for s in seeds], "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_depthwise_conv2d_s8_mve", "petite_depthwise_conv2d_s8_scalar"}


@pytest.mark.parametrize(("target", "takes"), [("qemu-m55", "mve"), ("qemu-m4", "dsp")])
def test_several_outputs_a_channel(target: str, takes: Takes, tmp_path: Path) -> None:
    """Channels are repeated, unless that takes more than twice the memory of the output."""
    made = [depthwise(s, takes, (1, 2, 3, 5)) for s in range(330, 360)]
    schedules = run_all(made, target, tmp_path)
    calls = [call for s in schedules for call in s.calls]
    assert {call.symbol for call in calls} == {
        f"petite_transpose_{takes}",
        f"petite_depthwise_conv2d_s8_{takes}",
        "petite_depthwise_conv2d_s8_scalar",
    }
    for call in calls:
        if call.symbol == "petite_depthwise_conv2d_s8_scalar":
            input_size, output_size = (
                [call.fields[f"{name}_{axis}"] for axis in "hw"] for name in ("input", "output")
            )
            assert np.prod(input_size) > 2 * np.prod(output_size)
            assert call.fields["input_c"] != call.fields["output_c"]
