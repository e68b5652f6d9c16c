# SPDX-License-Identifier: Apache-2.0
"""What lowering packs for DSP kernels: the words mean what their header says, and sums fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from petite.passes.lower.packing_dsp import Scales, as_words, in_pairs, pack_pairs, run_order

Array = np.ndarray[Any, np.dtype[Any]]


@pytest.mark.parametrize("length", range(1, 20))
def test_every_byte_of_a_run_has_its_place(length: int) -> None:
    order = run_order(length)
    assert len(order) % 2 == 0
    assert sorted(n for n in order if n >= 0) == list(range(length))
    # Of a word, SXTB16 takes the bytes 0 and 2, and after a rotation 1 and 3.
    assert order[:4] == [0, 2, 1, 3] or length < 4


def test_a_word_gives_the_sums_of_both_channels() -> None:
    """The kernel's arithmetic, on words of every pair of weights."""
    values = np.arange(-128, 128)
    even, odd = (a.reshape(-1).astype(np.int8) for a in np.meshgrid(values, values))
    inputs = np.random.default_rng(1).integers(-128, 128, 2)
    weights = np.stack([np.repeat(even, 2), np.repeat(odd, 2)])
    words = as_words(pack_pairs(weights)).reshape(-1)
    low, high = words.astype(np.int16).astype(np.int64), (words >> 16).astype(np.int64)
    mixed = inputs[0] * low + inputs[1] * high
    unpacked = inputs[0] * (low & 0xFF) + inputs[1] * (high & 0xFF)
    assert np.array_equal(mixed - unpacked, 256 * inputs.sum() * odd.astype(np.int64))
    assert np.array_equal(unpacked - 128 * inputs.sum(), inputs.sum() * even.astype(np.int64))


def test_runs_are_filled_up_on_their_own() -> None:
    weights = np.arange(1, 11, dtype=np.int8).reshape(1, 2, 5)
    assert in_pairs(weights).tolist() == [[1, 3, 2, 4, 5, 0, 6, 8, 7, 9, 10, 0]]


def scales(bias: int, shift: int = -1, output_offset: int = 0) -> Scales:
    return Scales(
        np.array([bias], np.int32), np.array([2**30]), np.array([shift], np.int8), output_offset
    )


def test_sums_at_the_ends_of_what_fits() -> None:
    weights = np.array([[127, -128, 1]], np.int8)
    most = 127 * 127 + 128 * 128 + 127
    least = -128 * 127 - 127 * 128 - 128
    assert scales(2**30 - 1 - most).fit(weights)
    assert not scales(2**30 - most).fit(weights)
    assert scales(-(2**30) - least).fit(weights)
    assert not scales(-(2**30) - least - 1).fit(weights)


@pytest.mark.parametrize(
    ("shift", "offset", "fits"),
    [
        *((-31, 0, True), (-1, 2**14 - 1, True), (-1, -(2**14) + 1, True)),
        *((0, 0, False), (-1, 2**14, False), (-1, -(2**14), False)),
    ],
)
def test_scales_at_the_ends_of_what_fits(shift: int, offset: int, fits: bool) -> None:
    assert scales(0, shift, offset).fit(np.zeros((1, 1), np.int8)) == fits
