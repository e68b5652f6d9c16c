# SPDX-License-Identifier: Apache-2.0
"""Linear layers by the DSP kernel that reads packed weights."""

from __future__ import annotations

import numpy as np

from petite.ir.ops import Linear
from petite.passes.lower.context import Array
from petite.passes.lower.packing_dsp import (
    BLOCK,
    Scales,
    as_words,
    in_pairs,
    interleave,
    pack_pairs,
    pad_block,
)


def takes(op: Linear) -> bool:
    """Whether the kernel's contract allows the layer."""
    return _scales(op).fit(op.weights)


def pack(op: Linear) -> Array:
    """Weights and biases, block after block: see multiply_run_s8_dsp.h."""
    weights = in_pairs(op.weights[:, None, :])
    weights = np.pad(weights, ((0, 0), (0, -weights.shape[1] % 4)))
    biases = pad_block(2 * op.bias.astype(np.int64)).reshape(-1, BLOCK)
    return as_words(interleave(pack_pairs(pad_block(weights)), biases))


def scratch(inputs: int) -> int:
    """Bytes that the kernel widens a row in."""
    return 8 * -(-inputs // 4)


def _scales(op: Linear) -> Scales:
    return Scales(
        op.bias,
        np.array([op.requantize.multiplier]),
        np.array([op.requantize.shift]),
        op.output_offset,
    )
