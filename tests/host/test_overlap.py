# SPDX-License-Identifier: Apache-2.0
"""The overlap that the headers allow, taken to its limit.

The placement puts an output over parts of its input that are not needed any more. For small shapes
these tests work out, from which input each output reads, how far the output may reach into the
input, place it just there, and expect the same result as without overlap.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernel_testing import cases
from kernel_testing.runner import At, KernelRunner

SEEDS = range(60)
#: Input bytes that each output byte reads, in the order in which outputs are written.
Reads = list[set[int]]


def furthest_start(reads: Reads, unit: int, *, own: bool) -> int:
    """Largest start of the output that overlaps the input's end or less, and loses nothing.

    ``unit`` bytes are written together, after all that they read (with ``own``, they may lie on
    what they read themselves). The start is counted from the input's; it may be negative.
    """
    groups = [set().union(*reads[at : at + unit]) for at in range(0, len(reads), unit)]
    forbidden: list[set[int]] = []
    later: set[int] = set()
    for group in reversed(groups):
        forbidden.insert(0, set(later) if own else later | group)
        later |= group
    start = max(later, default=0)
    while not all(
        spared.isdisjoint(range(start + number * unit, start + (number + 1) * unit))
        for number, spared in enumerate(forbidden)
    ):
        start -= 1
    return start


def window_reads(window: cases.Window, input_c: int, output_c: int, *, depthwise: bool) -> Reads:
    """What each output byte of a sliding window reads."""
    reads: Reads = []
    height, width = window.size
    for b, y, x, c in np.ndindex(window.batches, *window.output, output_c):
        channels = [c * input_c // output_c] if depthwise else list(range(input_c))
        seen = set()
        for ky, kx in np.ndindex(*window.kernel):
            iy = y * window.stride[0] - window.before[0] + ky * window.dilation[0]
            ix = x * window.stride[1] - window.before[1] + kx * window.dilation[1]
            if 0 <= iy < height and 0 <= ix < width:
                pixel = ((b * height + iy) * width + ix) * input_c
                seen |= {pixel + channel for channel in channels}
        reads.append(seen)
    return reads


def check(
    kernels: KernelRunner,
    name: str,
    inputs: cases.Array,
    shape: tuple[int, ...],
    start: int,
    parameters: dict[str, Any],
) -> None:
    """Run with the output at ``start`` from the input, and without overlap; compare."""
    apart = kernels.run(name, input=inputs, output=np.zeros(shape, np.int8), **parameters)
    before = max(0, -start)
    behind = max(0, start + apart.size - inputs.size)
    memory = np.concatenate(
        [np.full(before, 85, np.int8), inputs.ravel(), np.full(behind, 85, np.int8)]
    )
    at = before + start
    result = kernels.run_in_memory(name, memory, input=At(before), output=At(at), **parameters)
    np.testing.assert_array_equal(result[at : at + apart.size], apart.ravel())


def requantisation(rng: cases.Rng, count: int) -> dict[str, Any]:
    """Per-channel scales that keep most of the output's range in use."""
    return {
        "bias": rng.integers(-500, 500, count, np.int32),
        "multiplier": np.full(count, 2**30, np.int32),
        "shift": np.full(count, -4, np.int8),
        "input_offset": 3,
        "output_offset": -2,
        "activation_min": -128,
        "activation_max": 127,
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_conv2d(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    window = cases.window(rng, dilated=True)
    input_c, output_c = (int(n) for n in rng.integers(1, 5, 2))
    inputs = cases.image(rng, window.batches, *window.size, input_c)
    reads = window_reads(window, input_c, output_c, depthwise=False)
    check(
        kernels,
        "conv2d_s8",
        inputs,
        (window.batches, *window.output, output_c),
        furthest_start(reads, output_c, own=False),
        {
            "weights": cases.image(rng, output_c, *window.kernel, input_c),
            "input_c": input_c,
            "output_c": output_c,
            "groups": 1,
            **window.parameters(),
            **window.dilations(),
            **requantisation(rng, output_c),
        },
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_depthwise_conv2d(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    window = cases.window(rng, dilated=True)
    input_c, factor = (int(n) for n in rng.integers(1, [5, 3]))
    inputs = cases.image(rng, window.batches, *window.size, input_c)
    reads = window_reads(window, input_c, input_c * factor, depthwise=True)
    check(
        kernels,
        "depthwise_conv2d_s8",
        inputs,
        (window.batches, *window.output, input_c * factor),
        furthest_start(reads, 1, own=True),
        {
            "weights": cases.image(rng, *window.kernel, input_c * factor),
            "input_c": input_c,
            "output_c": input_c * factor,
            **window.parameters(),
            **window.dilations(),
            **requantisation(rng, input_c * factor),
        },
    )


def test_depthwise_1x1_runs_in_place() -> None:
    """The header names this case: the output may be the input."""
    window = cases.Window(1, (4, 5), (1, 1), (1, 1), (1, 1), (0, 0), (4, 5))
    assert furthest_start(window_reads(window, 3, 3, depthwise=True), 1, own=True) >= 0


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["avg_pool_s8", "max_pool_s8"])
def test_pooling(kernels: KernelRunner, name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    window = cases.window(rng, dilated=name == "max_pool_s8", overhang=False)
    channels = int(rng.integers(1, 5))
    inputs = cases.image(rng, window.batches, *window.size, channels)
    padding = {"pad_bottom": 5, "pad_right": 5, "count_include_pad": 1, "pad_value": 4}
    check(
        kernels,
        name,
        inputs,
        (window.batches, *window.output, channels),
        furthest_start(window_reads(window, channels, channels, depthwise=True), 1, own=True),
        {
            "channels": channels,
            "activation_min": -128,
            "activation_max": 127,
            **window.parameters(),
            **(padding if name == "avg_pool_s8" else window.dilations()),
        },
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_linear(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, in_features, out_features = (int(n) for n in rng.integers(1, [6, 9, 9]))
    reads = [
        set(range(row * in_features, (row + 1) * in_features))
        for row in range(rows)
        for _ in range(out_features)
    ]
    scales = requantisation(rng, out_features) | {"multiplier": 2**30, "shift": -4}
    del scales["input_offset"]
    check(
        kernels,
        "linear_s8",
        cases.image(rng, rows, in_features),
        (rows, out_features),
        furthest_start(reads, out_features, own=False),
        {
            "weights": cases.image(rng, out_features, in_features),
            "rows": rows,
            "in_features": in_features,
            "out_features": out_features,
            **scales,
        },
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_matmul(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    batches, rows, inner, columns = (int(n) for n in rng.integers(1, [3, 5, 9, 9]))
    reads = [
        set(range(row * inner, (row + 1) * inner))
        for row in range(batches * rows)
        for _ in range(columns)
    ]
    check(
        kernels,
        "matmul_s8",
        cases.image(rng, batches, rows, inner),
        (batches, rows, columns),
        furthest_start(reads, columns, own=False),
        {
            "weights": cases.image(rng, batches, inner, columns),
            "batches": batches,
            "rows": rows,
            "inner": inner,
            "columns": columns,
            "weights_batch_stride": inner * columns,
            "inner_stride": columns,
            "column_stride": 1,
        },
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_transpose_conv2d(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, kernel, stride = (tuple(int(n) for n in rng.integers(1, 4, 2)) for _ in range(3))
    output = [(size[axis] - 1) * stride[axis] + kernel[axis] for axis in range(2)]
    window = cases.Window(
        1,
        (size[0], size[1]),
        (kernel[0], kernel[1]),
        (stride[0], stride[1]),
        (1, 1),
        (0, 0),
        (output[0], output[1]),
    )
    input_c, output_c = (int(n) for n in rng.integers(1, 4, 2))
    reads: Reads = [set() for _ in range(output[0] * output[1] * output_c)]
    for iy, ix, ky, kx in np.ndindex(*window.size, *window.kernel):
        pixel = (iy * stride[0] + ky) * output[1] + ix * stride[1] + kx
        source = (iy * size[1] + ix) * input_c
        for c in range(output_c):
            reads[pixel * output_c + c] |= set(range(source, source + input_c))
    check(
        kernels,
        "transpose_conv2d_s8",
        cases.image(rng, 1, *window.size, input_c),
        (1, *window.output, output_c),
        furthest_start(reads, output_c, own=False),
        {
            "weights": cases.image(rng, output_c, *window.kernel, input_c),
            "input_c": input_c,
            "output_c": output_c,
            **window.parameters(),
            **window.dilations(),
            **requantisation(rng, output_c),
        },
    )
