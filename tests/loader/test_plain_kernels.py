# SPDX-License-Identifier: Apache-2.0
"""Kernels that read weights as they stand in a program give the bits of the oracle.

Random layers are the calls of one program, which is loaded on an emulated core.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

from conformance.direct_calls import Case, Known, method_of
from kernel_testing import cases, oracle
from loader.loaded import load_and_run
from petite.targets import find_target

Array = np.ndarray[Any, np.dtype[Any]]
Pair = tuple[int, int]


def _tensor(array: Array) -> torch.Tensor:
    return torch.from_numpy(np.ascontiguousarray(array))


def _case(operator: str, expected: Array, *arguments: Any) -> Case:
    return Case(f"cortex_m::{operator}.out", arguments, expected=lambda: _tensor(expected))


class Window:
    """Sizes in both dimensions; every window sees at least one pixel of the image."""

    def __init__(self, rng: cases.Rng, apart: int) -> None:
        self.kernel = self._pair(rng, (1, 1, 2, 3, 5))
        self.stride = self._pair(rng, (1, 1, 2, 3))
        self.dilation = self._pair(rng, (1, apart))
        self.padding = (0, 0)
        if rng.random() < 0.7:
            first, second = (int(rng.integers(0, k)) for k in self.kernel)
            self.padding = (first * self.dilation[0], second * self.dilation[1])
        self.input = self._size(rng, 0), self._size(rng, 1)
        height, width = (self._output(axis) for axis in (0, 1))
        self.output = height, width

    @staticmethod
    def _pair(rng: cases.Rng, among: tuple[int, ...]) -> Pair:
        return int(rng.choice(among)), int(rng.choice(among))

    def _reach(self, axis: int) -> int:
        return (self.kernel[axis] - 1) * self.dilation[axis] + 1

    def _size(self, rng: cases.Rng, axis: int) -> int:
        least = max(1, self._reach(axis) - 2 * self.padding[axis])
        return least + int(rng.integers(0, 9))

    def _output(self, axis: int) -> int:
        free = self.input[axis] + 2 * self.padding[axis] - self._reach(axis)
        return free // self.stride[axis] + 1


@dataclass(frozen=True)
class Layer:
    """Random numbers of a convolution; its weights are OHWI for the oracle."""

    window: Window
    image: Array
    weights: Array
    bias: Array | None
    input_offset: int
    output_offset: int
    limits: Pair
    multipliers: Array
    shifts: Array

    @staticmethod
    def random(rng: cases.Rng, window: Window, depth: int, weights: Array) -> Layer:
        """On an image of `depth` channels."""
        channels = weights.shape[0]
        typical = 73.0 * 73.0 * np.sqrt(weights[0].size)
        return Layer(
            window,
            cases.image(rng, int(rng.integers(1, 3)), *window.input, depth),
            weights,
            cases.bias(rng, channels),
            cases.offset(rng),
            cases.offset(rng),
            cases.limits(rng),
            *cases.scales(rng, channels, typical),
        )

    def case(self, operator: str, groups: int, weights: Array, *each: int) -> Case:
        """A call; `weights` as the operator has them, `each` what comes behind the dilation."""
        sums = oracle.conv2d_sums(
            self.image, self.weights, self.bias, self.window.output, self.window.stride,
            self.window.dilation, self.window.padding, groups, self.input_offset,
        )  # fmt: skip
        return _case(
            operator,
            oracle.requantize_s8(
                sums, self.multipliers, self.shifts, self.output_offset, *self.limits
            ),
            _tensor(self.image),
            Known(_tensor(weights)),
            None if self.bias is None else Known(_tensor(self.bias)),
            list(self.window.stride),
            list(self.window.padding),
            list(self.window.dilation),
            *each,
            self.input_offset,
            self.output_offset,
            Known(_tensor(self.multipliers)),
            Known(_tensor(self.shifts.astype(np.int32))),
            *self.limits,
        )


def conv2d(seed: int, *, grouped: bool = False) -> Case:
    """A convolution, of groups or with columns apart if those are wanted."""
    rng = np.random.default_rng(seed)
    window = Window(rng, 2 if grouped else 1)
    groups = int(rng.choice([2, 3])) if grouped else 1
    depth = int(rng.choice([1, 3, 4, 16, 17, 40]))
    channels = groups * int(rng.choice([1, 2, 3, 4, 5, 8, 11]))
    weights = cases.image(rng, channels, *window.kernel, depth)
    layer = Layer.random(rng, window, depth * groups, weights)
    return layer.case("quantized_conv2d_nhwc", groups, weights)


def depthwise(seed: int) -> Case:
    """One filter for each channel, or several."""
    rng = np.random.default_rng(seed)
    window = Window(rng, 2)
    inputs = int(rng.choice([1, 2, 5, 8, 16, 19]))
    each = int(rng.choice([1, 1, 2, 3, 8, 9]))
    weights = cases.image(rng, *window.kernel, inputs * each)
    layer = Layer.random(rng, window, inputs, oracle.depthwise_as_conv2d(weights))
    return layer.case("quantized_depthwise_conv2d_nhwc", inputs, weights[None], each)


def linear(seed: int) -> Case:
    """Rows times a matrix, of a program for a core without Helium: its sums are not folded."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 5))
    features = int(rng.choice([1, 3, 15, 16, 17, 64, 100]))
    outputs = int(rng.choice([1, 2, 3, 4, 5, 10, 16]))
    x = cases.image(rng, rows, features)
    weights = cases.image(rng, outputs, features)
    bias = cases.bias(rng, outputs)
    input_offset = cases.offset(rng)
    multiplier, shift = cases.scale(rng, 73.0 * 73.0 * np.sqrt(features))
    offset, limits = cases.offset(rng), cases.limits(rng)
    sums = (x.astype(np.int64) + input_offset) @ weights.T.astype(np.int64)
    sums = oracle.wrap32(sums + (0 if bias is None else bias.astype(np.int64)))
    return _case(
        "quantized_linear",
        oracle.requantize_s8(sums, multiplier, shift, offset, *limits),
        _tensor(x),
        Known(_tensor(weights)),
        None if bias is None else Known(_tensor(bias)),
        None,
        input_offset,
        0,
        offset,
        [multiplier],
        [shift],
        limits[1],
        limits[0],
    )


LAYERS: dict[str, Callable[[int], Case]] = {
    "conv2d": conv2d,
    "conv2d_that_plain_kernels_do_not_take": lambda seed: conv2d(seed, grouped=True),
    "depthwise": depthwise,
    "linear": linear,
}


@pytest.mark.parametrize(
    ("target", "seeds"),
    [
        ("qemu-m55", range(60)),
        pytest.param("qemu-m55", range(60, 300), marks=pytest.mark.long),
        pytest.param("host", range(60), marks=pytest.mark.long),
        pytest.param("qemu-m4", range(60), marks=pytest.mark.long),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", LAYERS)
def test_layers(kind: str, target: str, seeds: range) -> None:
    core = find_target(target)
    for start in seeds[::60]:
        made = [LAYERS[kind](seed) for seed in range(start, start + 60)]
        method = method_of(*made)
        wanted = [case.results()[0].numpy() for case in made]
        size = sum(array.nbytes for array in wanted)
        outcome = load_and_run(
            method.file(), "forward", [method.data], core, size, sanitize=core.is_host
        )
        assert outcome.status == 0, outcome
        raw = outcome.outputs[0]
        for seed, array in enumerate(wanted, start):
            actual = np.frombuffer(raw[: array.nbytes], np.int8).reshape(array.shape)
            np.testing.assert_array_equal(actual, array, err_msg=f"{kind}, seed {seed}")
            raw = raw[array.nbytes :]
