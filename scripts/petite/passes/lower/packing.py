# SPDX-License-Identifier: Apache-2.0
"""Weights and scales in the order in which Helium kernels read them; the headers define it."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

#: Bytes of a vector.
CHUNK = 16
#: Output channels that one pass over the input computes.
BLOCK = 4


def chunks_of(length: int) -> int:
    """Chunks that hold so many bytes."""
    return -(-length // CHUNK)


def pack_weights(weights: Array) -> Array:
    """[channels][K] int8 to [block][chunk][channel in block][16], filled up with zeros."""
    channels, length = weights.shape
    padded = np.pad(weights, ((0, -channels % BLOCK), (0, -length % CHUNK)))
    blocks = padded.reshape(-1, BLOCK, chunks_of(length), CHUNK)
    return np.ascontiguousarray(blocks.transpose(0, 2, 1, 3))


def pad_channels(values: Array) -> Array:
    """[channels], filled up with zeros to whole blocks."""
    return np.pad(values, (0, -len(values) % BLOCK))


def fold_offset(weights: Array, bias: Array | None, input_offset: int) -> Array:
    """[channels] int32: what sums start from where the kernel adds no offset to its input."""
    start = weights.astype(np.int64).sum(axis=1) * input_offset
    if bias is not None:
        start = start + bias
    return np.asarray(start & 0xFFFFFFFF).astype(np.uint32).view(np.int32)


def pack_scales(bias: Array, multipliers: Array, shifts: Array) -> Array:
    """[block][9] int32: four biases, four multipliers, four shifts as the bytes of a word."""
    words = pad_channels(shifts.astype(np.int8)).view("<i4").astype(np.int32)
    parts = [pad_channels(p.astype(np.int32)).reshape(-1, BLOCK) for p in (bias, multipliers)]
    return np.concatenate([*parts, words.reshape(-1, 1)], axis=1)


def pack_pairs(weights: Array, bias: Array, multipliers: Array, shifts: Array) -> Array:
    """[channels][K] int8 to [block][9 + 16 * chunks] int32, as multiply_pairs_s8_mve.h says."""
    scales = pack_scales(bias, multipliers, shifts)
    words = pack_weights(weights).view("<i4").reshape(len(scales), -1).astype(np.int32)
    return np.concatenate([scales[:, :BLOCK], words, scales[:, BLOCK:]], axis=1)
