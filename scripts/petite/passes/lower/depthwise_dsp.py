# SPDX-License-Identifier: Apache-2.0
"""Depthwise convolutions by the DSP kernel that reads packed weights."""

from __future__ import annotations

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Convolution, DepthwiseConv2d
from petite.passes.lower.access import windows_of
from petite.passes.lower.context import Array, LoweringContext
from petite.passes.lower.geometry import convolution_sizes, pad_fits
from petite.passes.lower.packing_dsp import BLOCK, Scales, as_words


def takes(op: Convolution) -> bool:
    """Whether the kernel's contract allows the convolution."""
    channels = op.output.shape[1]
    if not isinstance(op, DepthwiseConv2d) or op.input.shape[1] != channels or channels < BLOCK:
        return False
    weights = _as_matrix(op)
    return pad_fits(op) and Scales.of(op, weights).fit(weights)


def depthwise_dsp(context: LoweringContext, op: Convolution) -> None:
    """Lower a convolution that the kernel takes."""
    channels = op.output.shape[1]
    sizes = convolution_sizes(op.input.shape, op.output.shape, op)
    weights = _as_matrix(op)
    pairs = -(-weights.shape[1] // 2)
    shared = {key: sizes[key] for key in sizes if key not in ("input_c", "output_c")}
    context.call(
        op,
        "depthwise_conv2d_s8",
        {
            **shared,
            "channels": channels,
            "pairs": pairs,
            "pad_value": -op.input_offset,
            "activation_min": op.clamp.low,
            "activation_max": op.clamp.high,
        },
        [windows_of(op)],
        {"packed": (_pack(weights, Scales.of(op, weights).packed()), DType.S32)},
        variant="dsp",
        own_parameters=True,
        scratch=8 * pairs + channels,
    )


def _pack(weights: Array, scales: Array) -> Array:
    """[channels][taps] and [channels][3], block after block: see multiply_taps_s8_dsp.h."""
    channels = len(weights)
    order = np.arange(-(-channels // BLOCK) * BLOCK)
    # The last block may start earlier, and repeat channels.
    order[-BLOCK:] = np.arange(channels - BLOCK, channels)
    doubled = 2 * np.pad(weights.astype(np.int64), ((0, 0), (0, weights.shape[1] % 2)))[order]
    words = (doubled[:, 0::2] & 0xFFFF) | (doubled[:, 1::2] << 16)
    scales = scales[order].reshape(-1, BLOCK, 3)
    blocks = len(scales)
    parts = [
        scales[:, :, 0],
        words.reshape(blocks, BLOCK, -1).transpose(0, 2, 1).reshape(blocks, -1),
        scales[:, :, 1:].reshape(blocks, -1),
    ]
    return as_words(np.concatenate(parts, axis=1))


def _as_matrix(op: Convolution) -> Array:
    """[channels][kernel_h * kernel_w]"""
    return np.asarray(op.weights.reshape(op.kernel[0] * op.kernel[1], -1).T)
