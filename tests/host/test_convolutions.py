# SPDX-License-Identifier: Apache-2.0
"""Convolutions and matrix products of int8."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import KernelRunner

SEEDS = range(150)


def tail(rng: cases.Rng) -> dict[str, int]:
    """Offsets and limits of a requantised output."""
    low, high = cases.limits(rng)
    return {"output_offset": cases.offset(rng), "activation_min": low, "activation_max": high}


def finish(sums: cases.Array, multiplier: Any, shift: Any, end: dict[str, int]) -> cases.Array:
    """Sums to the expected output."""
    return oracle.requantize_s8(
        sums, multiplier, shift, end["output_offset"], end["activation_min"], end["activation_max"]
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_conv2d(kernels: KernelRunner, seed: int) -> None:
    """Strides, dilations, asymmetric pads, groups, 1xN and Nx1 kernels, batches."""
    rng = np.random.default_rng(seed)
    window = cases.window(rng, dilated=True)
    groups = int(rng.choice([1, 1, 2, 3]))
    depth, per_group = (int(n) for n in rng.integers(1, 7, 2))
    image = cases.image(rng, window.batches, *window.size, groups * depth)
    weights = cases.image(rng, groups * per_group, *window.kernel, depth)
    bias = cases.bias(rng, groups * per_group)
    multiplier, shift = cases.scales(rng, groups * per_group, 5000.0)
    input_offset, end = cases.offset(rng), tail(rng)
    actual = kernels.run(
        "conv2d_s8",
        input=image,
        weights=weights,
        bias=bias,
        multiplier=multiplier,
        shift=shift,
        output=np.zeros((window.batches, *window.output, groups * per_group), np.int8),
        **window.parameters(),
        **window.dilations(),
        input_c=groups * depth,
        output_c=groups * per_group,
        groups=groups,
        input_offset=input_offset,
        **end,
    )
    sums = oracle.conv2d_sums(
        image,
        weights,
        bias,
        window.output,
        window.stride,
        window.dilation,
        window.before,
        groups,
        input_offset,
    )
    np.testing.assert_array_equal(actual, finish(sums, multiplier, shift, end))


@pytest.mark.parametrize("seed", SEEDS)
def test_depthwise_conv2d(kernels: KernelRunner, seed: int) -> None:
    """As conv2d, with channel multipliers from 1 to 4."""
    rng = np.random.default_rng(seed)
    window = cases.window(rng, dilated=True)
    channels, outputs_per_input = int(rng.integers(1, 7)), int(rng.choice([1, 1, 2, 3, 4]))
    output_c = channels * outputs_per_input
    image = cases.image(rng, window.batches, *window.size, channels)
    weights = cases.image(rng, *window.kernel, output_c)
    bias = cases.bias(rng, output_c)
    multiplier, shift = cases.scales(rng, output_c, 5000.0)
    input_offset, end = cases.offset(rng), tail(rng)
    actual = kernels.run(
        "depthwise_conv2d_s8",
        input=image,
        weights=weights,
        bias=bias,
        multiplier=multiplier,
        shift=shift,
        output=np.zeros((window.batches, *window.output, output_c), np.int8),
        **window.parameters(),
        **window.dilations(),
        input_c=channels,
        output_c=output_c,
        input_offset=input_offset,
        **end,
    )
    sums = oracle.conv2d_sums(
        image,
        oracle.depthwise_as_conv2d(weights),
        bias,
        window.output,
        window.stride,
        window.dilation,
        window.before,
        channels,
        input_offset,
    )
    np.testing.assert_array_equal(actual, finish(sums, multiplier, shift, end))


@pytest.mark.parametrize("seed", SEEDS)
def test_transpose_conv2d(kernels: KernelRunner, seed: int) -> None:
    """Strides, dilations, padding and output padding."""
    rng = np.random.default_rng(seed)
    sizes, kernel, stride, dilation, cut, output = [], [], [], [], [], []
    for _ in range(2):
        sizes.append(int(rng.integers(1, 6)))
        kernel.append(int(rng.integers(1, 5)))
        stride.append(int(rng.integers(1, 4)))
        dilation.append(int(rng.integers(1, 3)))
        reach = (kernel[-1] - 1) * dilation[-1]
        full = (sizes[-1] - 1) * stride[-1] + reach + 1
        cut.append(int(rng.integers(0, min(reach, (full - 1) // 2) + 1)))
        extra = int(rng.integers(0, max(stride[-1], dilation[-1])))
        output.append(full - 2 * cut[-1] + extra)
    batches, input_c, output_c = (int(n) for n in rng.integers(1, [3, 6, 6]))
    image = cases.image(rng, batches, *sizes, input_c)
    weights = cases.image(rng, output_c, *kernel, input_c)
    bias = cases.bias(rng, output_c)
    multiplier, shift = cases.scales(rng, output_c, 5000.0)
    input_offset, end = cases.offset(rng), tail(rng)
    window = cases.Window(
        batches,
        (sizes[0], sizes[1]),
        (kernel[0], kernel[1]),
        (stride[0], stride[1]),
        (dilation[0], dilation[1]),
        (cut[0], cut[1]),
        (output[0], output[1]),
    )
    actual = kernels.run(
        "transpose_conv2d_s8",
        input=image,
        weights=weights,
        bias=bias,
        multiplier=multiplier,
        shift=shift,
        output=np.zeros((batches, *output, output_c), np.int8),
        **window.parameters(),
        **window.dilations(),
        input_c=input_c,
        output_c=output_c,
        input_offset=input_offset,
        **end,
    )
    sums = oracle.transpose_conv2d_sums(
        image,
        weights,
        bias,
        window.output,
        window.stride,
        window.dilation,
        window.before,
        input_offset,
    )
    np.testing.assert_array_equal(actual, finish(sums, multiplier, shift, end))


@pytest.mark.parametrize("seed", SEEDS)
def test_linear(kernels: KernelRunner, seed: int) -> None:
    """Several rows, with and without a bias."""
    rng = np.random.default_rng(seed)
    rows, in_features, out_features = (int(n) for n in rng.integers(1, [4, 40, 12]))
    inputs = cases.image(rng, rows, in_features)
    weights = cases.image(rng, out_features, in_features)
    bias = cases.bias(rng, out_features)
    multiplier, shift = cases.scale(rng, 10000.0)
    end = tail(rng)
    actual = kernels.run(
        "linear_s8",
        input=inputs,
        weights=weights,
        bias=bias,
        output=np.zeros((rows, out_features), np.int8),
        rows=rows,
        in_features=in_features,
        out_features=out_features,
        multiplier=multiplier,
        shift=shift,
        **end,
    )
    sums = inputs.astype(np.int64) @ weights.astype(np.int64).T
    sums = sums if bias is None else sums + bias
    np.testing.assert_array_equal(actual, finish(sums, multiplier, shift, end))


@pytest.mark.parametrize("seed", SEEDS)
def test_batch_matmul(kernels: KernelRunner, seed: int) -> None:
    """Several batches, offsets on both sides."""
    rng = np.random.default_rng(seed)
    batches, rows, columns, inner = (int(n) for n in rng.integers(1, [4, 6, 6, 20]))
    lhs = cases.image(rng, batches, rows, inner)
    rhs = cases.image(rng, batches, columns, inner)
    lhs_offset, rhs_offset = cases.offset(rng), cases.offset(rng)
    multiplier, shift = cases.scale(rng, 20000.0)
    end = tail(rng)
    actual = kernels.run(
        "batch_matmul_s8",
        lhs=lhs,
        rhs=rhs,
        output=np.zeros((batches, rows, columns), np.int8),
        batches=batches,
        rows=rows,
        columns=columns,
        inner=inner,
        lhs_offset=lhs_offset,
        rhs_offset=rhs_offset,
        multiplier=multiplier,
        shift=shift,
        **end,
    )
    sums = (lhs.astype(np.int64) + lhs_offset) @ np.moveaxis(
        rhs.astype(np.int64) + rhs_offset, 1, 2
    )
    np.testing.assert_array_equal(actual, finish(sums, multiplier, shift, end))


def test_sums_wrap_at_32_bits(kernels: KernelRunner) -> None:
    """A sum past 2^31 - 1 wraps as the core's registers do, in conv2d and in linear."""
    one = np.ones(1, np.int32)
    end = {"output_offset": 0, "activation_min": -128, "activation_max": 127}
    shared: dict[str, Any] = {
        "bias": np.array([2**31 - 1], np.int32),
        "output": np.zeros((1, 1), np.int8),
    }
    linear = kernels.run(
        "linear_s8",
        input=np.ones((1, 1), np.int8),
        weights=np.ones((1, 1), np.int8),
        rows=1,
        in_features=1,
        out_features=1,
        multiplier=2**30,
        shift=-25,
        **shared,
        **end,
    )
    conv = kernels.run(
        "conv2d_s8",
        input=np.ones((1, 1, 1, 1), np.int8),
        weights=np.ones((1, 1, 1, 1), np.int8),
        multiplier=one * 2**30,
        shift=np.full(1, -25, np.int8),
        **cases.Window(1, (1, 1), (1, 1), (1, 1), (1, 1), (0, 0), (1, 1)).parameters(),
        dilation_h=1,
        dilation_w=1,
        input_c=1,
        output_c=1,
        groups=1,
        input_offset=0,
        **shared,
        **end,
    )
    assert linear.item() == conv.item() == -32
