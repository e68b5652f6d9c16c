# SPDX-License-Identifier: Apache-2.0
"""What the kernels have to compute, written from the formulas in whole-array numpy.

Nothing here follows the structure of the C: integers are 64 bits wide, wrapped where the C wraps;
convolutions are sums over the taps of whole shifted images, a transposed convolution scatters.
Images are NHWC.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Pair = tuple[int, int]


def wrap32(values: Array) -> Array:
    """Integers reduced to what a 32-bit two's complement register holds."""
    return np.asarray((np.asarray(values, np.int64) + 2**31) % 2**32 - 2**31)


def round_half_away(values: Array, exponent: Array | int) -> Array:
    """Integers divided by 2^exponent, ties away from zero."""
    values = np.asarray(values, np.int64)
    half = (np.int64(1) << np.asarray(exponent, np.int64)) >> 1
    return np.asarray(np.sign(values) * ((np.abs(values) + half) >> np.asarray(exponent, np.int64)))


def requantize(values: Array, multiplier: Array | int, shift: Array | int) -> Array:
    """value * multiplier * 2^(shift - 31) in two roundings: ties upwards, then away from zero."""
    shift = np.asarray(shift, np.int64)
    shifted = wrap32(np.asarray(values, np.int64) << np.maximum(shift, 0))
    high = np.floor_divide(shifted * np.asarray(multiplier, np.int64) + 2**30, 2**31)
    return round_half_away(high, np.maximum(-shift, 0))


def requantize_s8(
    sums: Array, multiplier: Array | int, shift: Array | int, offset: int, low: int, high: int
) -> Array:
    """Sums to int8: requantised, with the zero point added, limited."""
    scaled = wrap32(requantize(wrap32(sums), multiplier, shift) + offset)
    return np.clip(scaled, low, high).astype(np.int8)


def pad_image(
    image: Array, before: Pair, output: Pair, kernel: Pair, stride: Pair, dilation: Pair, value: int
) -> Array:
    """An NHWC image with ``before`` rows and columns before it, and enough of them after it."""
    pads = [(0, 0)]
    for axis in range(2):
        reach = (output[axis] - 1) * stride[axis] + (kernel[axis] - 1) * dilation[axis] + 1
        pads.append((before[axis], max(0, reach - before[axis] - image.shape[axis + 1])))
    return np.pad(image, [*pads, (0, 0)], constant_values=value)


def tap(padded: Array, at: Pair, output: Pair, stride: Pair) -> Array:
    """What one tap of a window sees, for all output pixels: [N, output_h, output_w, C]."""
    y_end = at[0] + (output[0] - 1) * stride[0] + 1
    x_end = at[1] + (output[1] - 1) * stride[1] + 1
    return padded[:, at[0] : y_end : stride[0], at[1] : x_end : stride[1], :]


def conv2d_sums(
    image: Array,
    weights: Array,
    bias: Array | None,
    output: Pair,
    stride: Pair,
    dilation: Pair,
    before: Pair,
    groups: int,
    input_offset: int,
) -> Array:
    """Sums of a convolution; weights OHWI. The padding is minus ``input_offset``."""
    out_c, kernel_h, kernel_w, depth = weights.shape
    padded = pad_image(
        image.astype(np.int64) + input_offset, before, output, (kernel_h, kernel_w), stride,
        dilation, 0,
    )  # fmt: skip
    sums = np.zeros((image.shape[0], *output, out_c), np.int64)
    per_group = out_c // groups
    for ky in range(kernel_h):
        for kx in range(kernel_w):
            seen = tap(padded, (ky * dilation[0], kx * dilation[1]), output, stride)
            for group in range(groups):
                channels = slice(group * per_group, (group + 1) * per_group)
                part = weights[channels, ky, kx, :].astype(np.int64)
                inputs = seen[..., group * depth : (group + 1) * depth]
                sums[..., channels] += np.einsum("nyxc,oc->nyxo", inputs, part)
    return sums if bias is None else sums + bias.astype(np.int64)


def depthwise_as_conv2d(weights: Array) -> Array:
    """Depthwise weights [kh][kw][O] as OHWI weights of a convolution with a group a channel."""
    return np.moveaxis(weights, 2, 0)[..., np.newaxis]


def transpose_conv2d_sums(
    image: Array,
    weights: Array,
    bias: Array | None,
    output: Pair,
    stride: Pair,
    dilation: Pair,
    cut: Pair,
    input_offset: int,
) -> Array:
    """Sums of a transposed convolution; weights OHWI; ``cut`` rows and columns are taken away."""
    batches, in_h, in_w, _ = image.shape
    out_c, kernel_h, kernel_w, _ = weights.shape
    height = max((in_h - 1) * stride[0] + (kernel_h - 1) * dilation[0] + 1, output[0] + cut[0])
    width = max((in_w - 1) * stride[1] + (kernel_w - 1) * dilation[1] + 1, output[1] + cut[1])
    full = np.zeros((batches, height, width, out_c), np.int64)
    centred = image.astype(np.int64) + input_offset
    for ky in range(kernel_h):
        for kx in range(kernel_w):
            part = np.einsum("nyxc,oc->nyxo", centred, weights[:, ky, kx, :].astype(np.int64))
            y, x = ky * dilation[0], kx * dilation[1]
            full[
                :,
                y : y + (in_h - 1) * stride[0] + 1 : stride[0],
                x : x + (in_w - 1) * stride[1] + 1 : stride[1],
            ] += part
    sums = full[:, cut[0] : cut[0] + output[0], cut[1] : cut[1] + output[1]]
    return sums if bias is None else sums + bias.astype(np.int64)


def mean_half_away(total: int, count: int) -> int:
    """A quotient to the nearest integer, ties away from zero."""
    size = math.floor(Fraction(abs(total), count) + Fraction(1, 2))
    return size if total >= 0 else -size


def avg_pool(
    image: Array,
    output: Pair,
    kernel: Pair,
    stride: Pair,
    before: Pair,
    after: Pair,
    pad_value: int | None,
) -> Array:
    """Means of windows; the padding counts as ``pad_value``, or not at all with None.

    Windows end where the image with its padding ends.
    """
    pads = [(0, 0), (before[0], after[0]), (before[1], after[1]), (0, 0)]
    values = np.pad(image.astype(np.int64), pads, constant_values=pad_value or 0)
    counted = np.pad(np.ones(image.shape, np.int64), pads, constant_values=pad_value is not None)
    result = np.zeros((image.shape[0], *output, image.shape[3]), np.int64)
    for n, y, x, c in np.ndindex(*result.shape):
        window = (
            n,
            slice(y * stride[0], y * stride[0] + kernel[0]),
            slice(x * stride[1], x * stride[1] + kernel[1]),
            c,
        )
        result[n, y, x, c] = mean_half_away(int(values[window].sum()), int(counted[window].sum()))
    return result


def max_pool(
    image: Array, output: Pair, kernel: Pair, stride: Pair, before: Pair, dilation: Pair
) -> Array:
    """Largest values of windows; the padding never wins."""
    padded = pad_image(image.astype(np.int64), before, output, kernel, stride, dilation, -1000)
    taps = [
        tap(padded, (ky * dilation[0], kx * dilation[1]), output, stride)
        for ky in range(kernel[0])
        for kx in range(kernel[1])
    ]
    return np.asarray(np.max(np.stack(taps), axis=0))


def multiply_q31(a: Array, b: Array | int) -> Array:
    """a * b / 2^31, ties upwards, saturated to 32 bits."""
    products = np.asarray(a, np.int64) * np.asarray(b, np.int64)
    return np.minimum(np.floor_divide(products + 2**30, 2**31), 2**31 - 1)


def saturating_shift(values: Array, exponent: int) -> Array:
    """value * 2^exponent, saturated to 32 bits."""
    return np.clip(np.asarray(values, np.int64) << exponent, -(2**31), 2**31 - 1)


def exponential(values: Array) -> Array:
    """exp of Q5.26 values <= 0, as Q0.31, in gemmlowp's fixed-point arithmetic."""
    values = np.asarray(values, np.int64)
    quarter = 2**24
    fraction = values % quarter - quarter
    # Around -1/8: exp(-1/8) * (1 + x + x^2/2 + x^3/6 + x^4/24).
    x = (fraction << 5) + 2**28
    x2 = multiply_q31(x, x)
    x3 = multiply_q31(x2, x)
    x4_over_4 = round_half_away(multiply_q31(x2, x2), 2)
    third = multiply_q31(x4_over_4 + x3, round(2**31 / 3))
    start = round(math.exp(-1 / 8) * 2**31)
    result = start + multiply_q31(np.full_like(x, start), x + round_half_away(third + x2, 1))
    quarters = (fraction - values) // quarter
    for bit in range(7):
        factor = round(math.exp(-(2.0 ** (bit - 2))) * 2**31)
        result = np.where(quarters >> bit & 1, multiply_q31(result, factor), result)
    return np.where(values == 0, 2**31 - 1, result)


def one_over_one_plus(value: int) -> int:
    """1 / (1 + value) for a Q0.31 value in [0, 1), by three Newton-Raphson steps."""
    half = np.array((value + 2**31) // 2)
    x = np.array(round(48 / 17 * 2**29)) + multiply_q31(half, -round(32 / 17 * 2**29))
    for _ in range(3):
        x = x + saturating_shift(multiply_q31(x, 2**29 - multiply_q31(half, x)), 2)
    return int(saturating_shift(x, 1))


def softmax_row(row: Array, multiplier: int, shift: int, diff_min: int) -> Array:
    """Softmax of one row of int8 to scale 1/256, zero point -128."""
    difference = row.astype(np.int64) - int(row.max())
    scaled = multiply_q31(wrap32(difference << shift), multiplier)
    terms = np.where(difference >= diff_min, exponential(scaled), 0)
    total = int(round_half_away(terms, 12).sum())
    headroom = 32 - total.bit_length()
    scale = one_over_one_plus((total << headroom) - 2**31)
    exponent = 35 - headroom
    steps = round_half_away(multiply_q31(np.full_like(terms, scale), terms), exponent)
    return np.clip(steps - 128, -128, 127).astype(np.int8)


def add_term(values: Array, offset: int, multiplier: int, shift: int) -> Array:
    """One operand of a sum, scaled with 20 bits of headroom."""
    centred = wrap32((values.astype(np.int64) + offset) << 20)
    return requantize(centred, multiplier, shift)


def divide(first: Array, second: Array, offsets: Pair, scale: float, output_offset: int) -> Array:
    """Quotients in float32, ties away from zero; nothing divided by zero is zero."""
    numerator = first.astype(np.float32) + np.float32(offsets[0])
    denominator = second.astype(np.float32) + np.float32(offsets[1])
    zero = denominator == 0
    quotient = np.where(zero, np.float32(0), numerator / np.where(zero, 1, denominator))
    with np.errstate(over="ignore"):
        scaled = (quotient.astype(np.float32) * np.float32(scale)).astype(np.float64)
    rounded = np.sign(scaled) * np.floor(np.abs(scaled) + 0.5)
    limits = np.iinfo(first.dtype)
    clipped = np.clip(rounded + output_offset, limits.min, limits.max)
    return np.asarray(clipped.astype(first.dtype))


def divide_by_table(
    first: Array, second: Array, offset: int, reciprocals: Array, output_offset: int
) -> Array:
    """Quotients with a reciprocal for each byte."""
    factors = reciprocals.astype(np.int64)[second.view(np.uint8)]
    products = np.floor_divide((first.astype(np.int64) + offset) * factors, 2**10)
    sums = products + 2**12 * output_offset + 2**11
    return np.asarray(np.clip(np.floor_divide(sums, 2**12), -128, 127).astype(np.int8))


def quantize(values: Array, inverse_scale: float, zero_point: int, low: int, high: int) -> Array:
    """float32 to integers: the product is exact in float64, then rounded to even."""
    with np.errstate(invalid="ignore"):  # signalling NaNs
        products = values.astype(np.float64) * np.float64(np.float32(inverse_scale))
    limited = np.clip(np.nan_to_num(products, nan=0.0, posinf=1e9, neginf=-1e9), -1e9, 1e9)
    return np.asarray(np.clip(np.rint(limited).astype(np.int64) + zero_point, low, high))


def leading_ones(shape: Sequence[int], rank: int = 6, fill: int = 1) -> list[int]:
    """A shape (or, with ``fill`` 0, strides or pads) in the rank that kernels want."""
    return [fill] * (rank - len(shape)) + [int(size) for size in shape]


def element_strides(array: Array) -> list[int]:
    """Strides in elements."""
    return [stride // array.itemsize for stride in array.strides]
