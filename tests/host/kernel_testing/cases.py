# SPDX-License-Identifier: Apache-2.0
"""Random cases for the kernels: small shapes, and the corners of every range."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Pair = tuple[int, int]
Rng = np.random.Generator

#: Zero points that quantisers produce, and offsets outside int8 as after hardswish.
OFFSETS = (0, 1, -1, 128, -127, 127, -128, 5, -300, 1000, 40000)


def image(rng: Rng, *shape: int) -> Array:
    """int8 values with enough of both ends."""
    values = rng.integers(-128, 128, shape, np.int8)
    ends = rng.choice(np.array([-128, 127], np.int8), shape)
    return np.where(rng.random(shape) < 0.1, ends, values).astype(np.int8)


def offset(rng: Rng) -> int:
    """A zero point, or minus one."""
    return int(rng.choice(OFFSETS))


def limits(rng: Rng) -> Pair:
    """Range of an int8 output: usually all of it."""
    if rng.random() < 0.5:
        return -128, 127
    low, high = sorted(rng.integers(-128, 128, 2))
    return int(low), int(high)


def bias(rng: Rng, count: int) -> Array | None:
    """No bias, a usual one, or one that takes sums to the ends of 32 bits."""
    kind = rng.integers(4)
    if kind == 0:
        return None
    if kind == 1:
        return rng.choice(np.array([-(2**31), 2**31 - 1, 2**30, -(2**30)], np.int32), count)
    return rng.integers(-20000, 20000, count, np.int32)


def scales(rng: Rng, count: int, size: float) -> tuple[Array, Array]:
    """Multipliers and shifts for sums of about ``size``, some of them far from that."""
    multipliers = rng.integers(2**30, 2**31, count, np.int64)
    shifts = np.round(np.log2(100.0 / size) + rng.normal(0, 1.5, count)).astype(np.int64)
    odd = rng.random(count) < 0.1
    shifts = np.where(odd, rng.integers(-31, 31, count), np.clip(shifts, -31, 30))
    corners = np.array([2**31 - 1, 1, 0, -(2**31 - 1), 2**30])
    multipliers = np.where(rng.random(count) < 0.1, rng.choice(corners, count), multipliers)
    return multipliers.astype(np.int32), shifts.astype(np.int8)


def scale(rng: Rng, size: float) -> Pair:
    """One multiplier and one shift for values of about ``size``."""
    multipliers, shifts = scales(rng, 1, size)
    return int(multipliers[0]), int(shifts[0])


@dataclass(frozen=True)
class Window:
    """Shapes of an operator with a sliding window."""

    batches: int
    size: Pair
    kernel: Pair
    stride: Pair
    dilation: Pair
    before: Pair
    output: Pair

    def parameters(self) -> dict[str, int]:
        """As the kernels' structures name them, without the dilation."""
        return {
            "batches": self.batches,
            "input_h": self.size[0],
            "input_w": self.size[1],
            "output_h": self.output[0],
            "output_w": self.output[1],
            "kernel_h": self.kernel[0],
            "kernel_w": self.kernel[1],
            "stride_h": self.stride[0],
            "stride_w": self.stride[1],
            "pad_top": self.before[0],
            "pad_left": self.before[1],
        }

    def dilations(self) -> dict[str, int]:
        """The dilation, as the kernels' structures name it."""
        return {"dilation_h": self.dilation[0], "dilation_w": self.dilation[1]}


def window(rng: Rng, *, dilated: bool, overhang: bool = True) -> Window:
    """A window over an image, asymmetrically padded; kernels of 1xN and Nx1 are frequent.

    With ``overhang`` windows may lie in the padding altogether, and reach past the image's end.
    """
    axes = []
    for _ in range(2):
        size = int(rng.integers(1, 9))
        kernel = int(rng.choice([1, 1, 2, 3, 3, 5]))
        stride = int(rng.choice([1, 1, 2, 3]))
        dilation = int(rng.choice([1, 1, 2, 3])) if dilated else 1
        reach = (kernel - 1) * dilation + 1
        before = int(rng.integers(0, reach + overhang)) if reach + overhang > 1 else 0
        before = before if rng.random() < 0.7 else 0
        after = int(rng.integers(0, reach + overhang)) if reach + overhang > 1 else 0
        output = max(1, (size + before + after - reach) // stride + 1)
        if not overhang:
            output = min(output, (size - 1 + before) // stride + 1)
        axes.append((size, kernel, stride, dilation, before, output))
    pairs = list(zip(*axes, strict=True))
    return Window(int(rng.integers(1, 3)), *pairs)


def floats(rng: Rng, inverse_scale: float) -> Array:
    """Values around the output's range, exact and nearly exact ties, and every kind of corner."""
    spread = rng.normal(0, 200, 4000) / inverse_scale
    halves = (rng.integers(-300, 300, 4000) + 0.5) / inverse_scale
    near = np.concatenate([spread, halves]).astype(np.float32)
    any_bits = rng.integers(0, 2**32, 4000, np.uint32).view(np.float32)
    corners = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1.1754942e-38, 3.4028235e38]
    return np.concatenate(
        [near, np.nextafter(near, np.float32(np.inf)), any_bits, np.array(corners, np.float32)]
    )


def softmax_scale(scale: float) -> tuple[int, int, int]:
    """Multiplier, shift and smallest difference for an input scale, as the exporter makes them."""
    mantissa, shift = math.frexp(min(scale * 2**26, 2**31 - 1.0))
    diff_min = -math.floor(31 * 2**26 / 2**shift)
    return min(round(mantissa * 2**31), 2**31 - 1), shift, diff_min
