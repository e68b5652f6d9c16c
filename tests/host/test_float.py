# SPDX-License-Identifier: Apache-2.0
"""Operators of float32: the same bits as the same operations in the same order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import At, KernelRunner

SEEDS = range(40)
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, 1e-42, 3e38, -3e38], np.float32)


def floats(rng: cases.Rng, *shape: int, special: float = 0.0) -> cases.Array:
    """Normally distributed values, some of them special."""
    values = rng.normal(0, 3, shape).astype(np.float32)
    chosen = rng.choice(SPECIAL, shape)
    return np.where(rng.random(shape) < special, chosen, values)


def test_clamp(kernels: KernelRunner) -> None:
    """Apart and in place; NaNs stay."""
    values = floats(np.random.default_rng(0), 500, special=0.3)
    bounds = {"count": 500, "low": -1.5, "high": 6.0}
    actual = kernels.run("clamp_f32", input=values, output=np.zeros_like(values), **bounds)
    np.testing.assert_array_equal(actual, np.clip(values, -1.5, 6.0))
    in_place = kernels.run_in_memory("clamp_f32", values, input=At(0), output=At(0), **bounds)
    np.testing.assert_array_equal(in_place, actual)


def test_clamp_is_relu(kernels: KernelRunner) -> None:
    """relu as the range from zero to infinity."""
    values = floats(np.random.default_rng(1), 500, special=0.3)
    actual = kernels.run(
        "clamp_f32",
        input=values,
        output=np.zeros_like(values),
        count=500,
        low=0.0,
        high=np.inf,
    )
    np.testing.assert_array_equal(actual, np.maximum(values, np.float32(0)))


def ordered_sum(terms: cases.Array) -> cases.Array:
    """The sum along the last axis from left to right, each addition in float32."""
    total = np.zeros(terms.shape[:-1], np.float32)
    for index in range(terms.shape[-1]):
        total = total + terms[..., index]
    return total


@pytest.mark.parametrize("seed", SEEDS)
def test_linear(kernels: KernelRunner, seed: int) -> None:
    """Weights stored either way, a bias for all rows or one each or none, factors."""
    rng = np.random.default_rng(seed)
    rows, inner, columns = (int(n) for n in rng.integers(1, [5, 30, 8]))
    inputs, weights = floats(rng, rows, inner), floats(rng, columns, inner)
    stored = weights if seed % 2 else np.ascontiguousarray(weights.T)
    inner_stride, column_stride = (1, inner) if seed % 2 else (columns, 1)
    bias = [None, floats(rng, columns), floats(rng, rows, columns)][seed % 3]
    alpha, beta = (np.float32(n) for n in rng.choice([1.0, 0.3], 2))
    actual = kernels.run(
        "linear_f32",
        input=inputs,
        weights=stored,
        bias=bias,
        output=np.zeros((rows, columns), np.float32),
        rows=rows,
        inner=inner,
        columns=columns,
        inner_stride=inner_stride,
        column_stride=column_stride,
        bias_row_stride=columns if bias is not None and bias.ndim == 2 else 0,
        bias_column_stride=1,
        alpha=alpha,
        beta=beta,
    )
    expected = ordered_sum(inputs[:, np.newaxis, :] * weights)
    if bias is not None:
        expected = expected * alpha + bias * beta
    np.testing.assert_array_equal(actual, expected)


@dataclass(frozen=True)
class Convolution:
    """A random convolution of float32, or a transposed one: logical arrays (NCHW), and sizes."""

    window: cases.Window
    image: cases.Array
    weights: cases.Array
    bias: cases.Array | None
    #: Of the output.
    shape: tuple[int, ...]
    #: Input and output channels of a group.
    depth: int
    per_group: int


def convolution(rng: cases.Rng, *, biased: bool, transposed: bool) -> Convolution:
    """Groups, strides, dilations, pads."""
    window = cases.window(rng, dilated=True)
    groups = int(rng.choice([1, 2]))
    depth, per_group = (int(n) for n in rng.integers(1, 4, 2))
    image = floats(rng, window.batches, groups * depth, *window.size)
    channels = (groups * depth, per_group) if transposed else (groups * per_group, depth)
    weights = floats(rng, *channels, *window.kernel)
    bias = floats(rng, groups * per_group) if biased else None
    shape = (window.batches, groups * per_group, *window.output)
    return Convolution(window, image, weights, bias, shape, depth, per_group)


def run_convolution(
    kernels: KernelRunner, name: str, layout: str, case: Convolution
) -> cases.Array:
    """The kernel's output, NCHW, with everything stored in the layout."""
    order = (0, 1, 2, 3) if layout == "NCHW" else (0, 2, 3, 1)
    inverse = np.argsort(order)
    stored = [np.ascontiguousarray(array.transpose(order)) for array in (case.image, case.weights)]
    output = np.zeros([case.shape[axis] for axis in order], np.float32)
    strides = [oracle.element_strides(array.transpose(inverse)) for array in (*stored, output)]
    actual = kernels.run(
        name,
        input=stored[0],
        weights=stored[1],
        bias=case.bias,
        output=output,
        **case.window.parameters(),
        **case.window.dilations(),
        input_c=case.image.shape[1],
        output_c=case.shape[1],
        groups=case.image.shape[1] // case.depth,
        input_layout=strides[0],
        weights_layout=strides[1],
        output_layout=strides[2],
    )
    return actual.transpose(inverse)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_conv2d(kernels: KernelRunner, layout: str, seed: int) -> None:
    """Channels outermost in the sum, in both layouts."""
    rng = np.random.default_rng(seed)
    case = convolution(rng, biased=bool(seed % 3), transposed=False)
    window, image, weights, bias = case.window, case.image, case.weights, case.bias
    actual = run_convolution(kernels, "conv2d_f32", layout, case)
    expected = np.zeros(case.shape, np.float32)
    for n, o, y, x in np.ndindex(*case.shape):
        total = np.float32(0)
        for c, ky, kx in np.ndindex(case.depth, *window.kernel):
            iy = y * window.stride[0] - window.before[0] + ky * window.dilation[0]
            ix = x * window.stride[1] - window.before[1] + kx * window.dilation[1]
            if 0 <= iy < window.size[0] and 0 <= ix < window.size[1]:
                channel = o // case.per_group * case.depth + c
                total = total + image[n, channel, iy, ix] * weights[o, c, ky, kx]
        expected[n, o, y, x] = total if bias is None else total + bias[o]
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_transpose_conv2d(kernels: KernelRunner, layout: str, seed: int) -> None:
    """Each input pixel in turn is spread over the output, which starts as the bias."""
    rng = np.random.default_rng(seed)
    case = convolution(rng, biased=bool(seed % 3), transposed=True)
    window, image, weights, bias = case.window, case.image, case.weights, case.bias
    actual = run_convolution(kernels, "transpose_conv2d_f32", layout, case)
    expected = np.zeros(case.shape, np.float32)
    expected += 0 if bias is None else bias[:, np.newaxis, np.newaxis]
    for iy, ix, c in np.ndindex(*window.size, image.shape[1]):
        first = c // case.depth * case.per_group
        for ky, kx in np.ndindex(*window.kernel):
            y = iy * window.stride[0] - window.before[0] + ky * window.dilation[0]
            x = ix * window.stride[1] - window.before[1] + kx * window.dilation[1]
            if 0 <= y < window.output[0] and 0 <= x < window.output[1]:
                for w in range(case.per_group):
                    expected[:, first + w, y, x] += image[:, c, iy, ix] * weights[c, w, ky, kx]
    np.testing.assert_array_equal(actual, expected)
