# SPDX-License-Identifier: Apache-2.0
"""Weights and scales in the order in which DSP kernels read them; the headers define it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from petite.ir.ops import Convolution, Requantize
from petite.passes.lower.packing import fold_offset

Array = np.ndarray[Any, np.dtype[Any]]

#: Output channels that one pass over the input computes.
BLOCK = 4


@dataclass(frozen=True)
class Scales:
    """What makes outputs of sums, for each channel; sums start from the folded bias."""

    bias: Array
    multipliers: Array
    shifts: Array
    output_offset: int

    @staticmethod
    def of(op: Convolution, weights: Array) -> Scales:
        """With the input's offset in the bias; ``weights`` are [channels][K]."""
        folded = fold_offset(weights, op.bias, op.input_offset)
        return Scales(folded, op.multipliers, op.shifts, op.output_offset)

    def fit(self, weights: Array) -> bool:
        """Whether the kernels' arithmetic is exact for every input; ``weights`` [channels][K]."""
        wide = weights.astype(np.int64)
        up, down = wide.clip(min=0).sum(axis=1), wide.clip(max=0).sum(axis=1)
        least = self.bias + 127 * down - 128 * up
        most = self.bias + 127 * up - 128 * down
        return scales_fit(np.append(least, most), self.shifts, self.output_offset)

    def packed(self) -> Array:
        """[channels][3] int32: see multiply_pairs_s8_dsp.h."""
        last = (2 * self.output_offset + 1) * 2**16 + (-self.shifts.astype(np.int64) - 1)
        words = [2 * self.bias.astype(np.int64), self.multipliers.astype(np.int64), last]
        return np.stack(words, axis=1)


def scales_fit(sums: Array, shifts: Array, output_offset: int) -> bool:
    """Whether six instructions requantise such sums exactly: see requantize_s8_dsp.h."""
    return (
        bool(np.all(sums >= -(2**30)) and np.all(sums < 2**30))
        and bool(np.all(shifts <= -1) and np.all(shifts >= -31))
        and abs(output_offset) < 2**14
    )


def products_fit(
    offsets: tuple[int, int], count: int, requantize: Requantize, output_offset: int
) -> bool:
    """The same for sums of so many products of two int8 numbers, of any value, with offsets."""
    first, second = ((-128 + offset, 127 + offset) for offset in offsets)
    sums = [count * a * b for a in first for b in second]
    return scales_fit(np.array(sums), np.array(requantize.shift), output_offset)


def run_order(length: int) -> list[int]:
    """In which order a run's bytes become pairs; -1 for the zero that fills the last one."""
    whole = length // 4 * 4
    order = [start + k for start in range(0, whole, 4) for k in (0, 2, 1, 3)]
    order += range(whole, length)
    return order + [-1] * (length % 2)


def in_pairs(weights: Array) -> Array:
    """[channels][runs][length] to [channels][inputs in the order of pairs]."""
    channels, _, length = weights.shape
    filled = np.pad(weights, ((0, 0), (0, 0), (0, 1)))
    return np.asarray(filled[:, :, run_order(length)].reshape(channels, -1))


def pack_pairs(weights: Array) -> Array:
    """[channels][inputs] int8, both even in number, to [channels / 2][inputs / 2] words."""
    wide = weights.astype(np.int64)
    halves = 256 * wide[1::2] + wide[0::2] + 128
    return np.asarray((halves[:, 0::2] & 0xFFFF) | (halves[:, 1::2] << 16))


def pad_block(values: Array) -> Array:
    """[channels, ...], filled up with zeros to whole blocks."""
    return np.pad(values, [(0, -len(values) % BLOCK), *[(0, 0)] * (values.ndim - 1)])


def interleave(words: Array, scales: Array) -> Array:
    """Of each block: pair by pair the words of its channels, then its row of ``scales``."""
    each = words.reshape(len(scales), BLOCK // 2, -1).transpose(0, 2, 1)
    return np.concatenate([each.reshape(len(scales), -1), scales], axis=1)


def pack_blocks(weights: Array, scales: Array) -> Array:
    """[channels][inputs] and [channels][3]; block after block: see multiply_pairs_s8_dsp.h."""
    rows = pad_block(scales).reshape(-1, BLOCK * scales.shape[1])
    return as_words(interleave(pack_pairs(pad_block(weights)), rows))


def as_words(values: Array) -> Array:
    """Numbers of more than 32 bits as int32 that wrap."""
    return np.asarray(values & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
