# SPDX-License-Identifier: Apache-2.0
"""Weights are packed the same in whatever order numpy holds them."""

from __future__ import annotations

import numpy as np

from petite.passes.lower.packing import pack_pairs


def test_weights_that_lie_column_by_column() -> None:
    """Taking channels away (passes/dead_channels.py) leaves some so."""
    rng = np.random.default_rng(1)
    weights = rng.integers(-128, 128, (6, 20)).astype(np.int8)
    numbers = rng.integers(0, 1000, (2, 6)).astype(np.int32)
    shifts = np.full(6, -3, np.int32)
    plain = pack_pairs(weights, numbers[0], numbers[1], shifts)
    other = pack_pairs(np.asfortranarray(weights), numbers[0], numbers[1], shifts)
    np.testing.assert_array_equal(other, plain)
