# SPDX-License-Identifier: Apache-2.0
"""Pooling of int8 images."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import KernelRunner

SEEDS = range(120)


def pooling_window(rng: cases.Rng) -> tuple[cases.Window, cases.Pair]:
    """A window as PyTorch allows it (ceil_mode too), and the padding after the image."""
    window = cases.window(rng, dilated=False, overhang=False)
    before = tuple(
        min(pad, kernel // 2) for pad, kernel in zip(window.before, window.kernel, strict=True)
    )
    output, after = [], []
    for axis in range(2):
        size, kernel, stride = window.size[axis], window.kernel[axis], window.stride[axis]
        behind = int(rng.integers(0, kernel // 2 + 1))
        room = size + before[axis] + behind - kernel
        count = max(0, (-(-room // stride) if rng.random() < 0.5 else room // stride)) + 1
        # With ceil_mode, every window has to start inside the image or the padding before it.
        output.append(min(count, (size - 1 + before[axis]) // stride + 1))
        after.append(behind)
    shaped = dataclasses.replace(
        window, before=(before[0], before[1]), output=(output[0], output[1])
    )
    return shaped, (after[0], after[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_avg_pool(kernels: KernelRunner, seed: int) -> None:
    """Both ways of counting the padding, windows past the end, ties of both signs."""
    rng = np.random.default_rng(seed)
    window, after = pooling_window(rng)
    channels = int(rng.integers(1, 6))
    image = cases.image(rng, window.batches, *window.size, channels)
    count_include_pad = bool(rng.random() < 0.5)
    pad_value = int(rng.integers(-128, 128))
    low, high = cases.limits(rng)
    actual = kernels.run(
        "avg_pool_s8",
        input=image,
        output=np.zeros((window.batches, *window.output, channels), np.int8),
        **window.parameters(),
        channels=channels,
        pad_bottom=after[0],
        pad_right=after[1],
        count_include_pad=int(count_include_pad),
        pad_value=pad_value,
        activation_min=low,
        activation_max=high,
    )
    expected = oracle.avg_pool(
        image,
        window.output,
        window.kernel,
        window.stride,
        window.before,
        after,
        pad_value if count_include_pad else None,
    )
    np.testing.assert_array_equal(actual, np.clip(expected, low, high))


def test_avg_pool_refuses_an_empty_window(kernels: KernelRunner) -> None:
    """A window that covers nothing has no mean: the kernel says so."""
    window = cases.Window(1, (1, 1), (1, 1), (1, 1), (1, 1), (1, 0), (1, 1))
    status, _ = kernels.call(
        "avg_pool_s8",
        input=np.zeros((1, 1, 1, 1), np.int8),
        output=np.zeros((1, 1, 1, 1), np.int8),
        memory=None,
        **window.parameters(),
        channels=1,
        pad_bottom=0,
        pad_right=0,
        count_include_pad=0,
        pad_value=0,
        activation_min=-128,
        activation_max=127,
    )
    assert status == -4


@pytest.mark.parametrize("seed", SEEDS)
def test_max_pool(kernels: KernelRunner, seed: int) -> None:
    """The padding never wins, even over -128; a window without a pixel gives the lower limit."""
    rng = np.random.default_rng(seed)
    window = cases.window(rng, dilated=True) if seed % 2 else pooling_window(rng)[0]
    channels = int(rng.integers(1, 6))
    image = cases.image(rng, window.batches, *window.size, channels)
    low, high = cases.limits(rng)
    actual = kernels.run(
        "max_pool_s8",
        input=image,
        output=np.zeros((window.batches, *window.output, channels), np.int8),
        **window.parameters(),
        **window.dilations(),
        channels=channels,
        activation_min=low,
        activation_max=high,
    )
    expected = oracle.max_pool(
        image, window.output, window.kernel, window.stride, window.before, window.dilation
    )
    np.testing.assert_array_equal(actual, np.clip(expected, low, high))
