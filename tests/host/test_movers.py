# SPDX-License-Identifier: Apache-2.0
"""Operators that only move bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import At, KernelRunner

SEEDS = range(60)
TYPES: dict[int, Any] = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def elements(rng: cases.Rng, size: int, shape: tuple[int, ...]) -> cases.Array:
    """Random elements of a size in bytes."""
    limits = np.iinfo(TYPES[size])
    return rng.integers(limits.min, limits.max, shape, TYPES[size], endpoint=True)


def shape_of(rng: cases.Rng) -> tuple[int, ...]:
    """A shape of rank 1 to 6."""
    return tuple(int(n) for n in rng.integers(1, 5, int(rng.integers(1, 7))))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", TYPES)
def test_pad(kernels: KernelRunner, size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = shape_of(rng)
    array = elements(rng, size, shape)
    pads = [tuple(int(n) for n in rng.integers(0, 3, 2)) for _ in shape]
    fill = elements(rng, size, (1,))
    expected = np.pad(array, pads, constant_values=fill[0])
    actual = kernels.run(
        "pad",
        input=array,
        output=np.zeros_like(expected),
        element_size=size,
        input_dims=oracle.leading_ones(shape),
        before=oracle.leading_ones([pad[0] for pad in pads], fill=0),
        after=oracle.leading_ones([pad[1] for pad in pads], fill=0),
        fill=[*fill.tobytes(), *bytes(8 - size)],
    )
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", TYPES)
def test_transpose(kernels: KernelRunner, size: int, seed: int) -> None:
    """Permutations of every rank up to six."""
    rng = np.random.default_rng(seed)
    shape = shape_of(rng)
    array = elements(rng, size, shape)
    expected = array.transpose(rng.permutation(len(shape)))
    actual = kernels.run(
        "transpose",
        input=array,
        output=np.zeros(expected.shape, array.dtype),
        element_size=size,
        dims=oracle.leading_ones(expected.shape),
        strides=oracle.leading_ones(oracle.element_strides(expected), fill=0),
    )
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("size", TYPES)
def test_transpose_broadcasts(kernels: KernelRunner, size: int) -> None:
    """A stride of zero repeats, one above one skips."""
    array = elements(np.random.default_rng(size), size, (3, 8))
    expected = np.broadcast_to(array[:, np.newaxis, ::3], (3, 5, 3))
    actual = kernels.run(
        "transpose",
        input=array,
        output=np.zeros(expected.shape, array.dtype),
        element_size=size,
        dims=oracle.leading_ones(expected.shape),
        strides=oracle.leading_ones(oracle.element_strides(expected), fill=0),
    )
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_move(kernels: KernelRunner, seed: int) -> None:
    """Up and down, over itself or not; nothing but the output changes."""
    rng = np.random.default_rng(seed)
    size, distance = int(rng.integers(1, 200)), 16 * int(rng.integers(1, 16))
    places = [0, distance] if seed % 2 else [distance, 0]
    memory = elements(rng, 1, (distance + size + 16,))
    expected = memory.copy()
    expected[places[1] :][:size] = memory[places[0] :][:size]
    source, target = (At(place) for place in places)
    result = kernels.run_in_memory("move", memory, input=source, output=target, size=size)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_copies(kernels: KernelRunner, seed: int) -> None:
    """A copy of everything, and a slice and a concatenation as copies of blocks."""
    rng = np.random.default_rng(seed)
    outer, rows, inner = (int(n) for n in rng.integers(1, 6, 3))
    array = elements(rng, 4, (outer, rows, inner))
    whole = kernels.run("copy", input=array, output=np.zeros_like(array), size=array.nbytes)
    np.testing.assert_array_equal(whole, array)

    end = int(rng.integers(1, rows + 1))
    sliced = kernels.run(
        "copy_blocks",
        input=array,
        output=np.zeros((outer, end, inner), np.int32),
        count=outer,
        block_size=end * inner * 4,
        input_stride=rows * inner * 4,
        output_stride=end * inner * 4,
    )
    np.testing.assert_array_equal(sliced, array[:, :end])

    wider = elements(rng, 4, (outer, rows + 2, inner))
    joined = kernels.run(
        "copy_blocks",
        input=array,
        output=wider,
        count=outer,
        block_size=rows * inner * 4,
        input_stride=rows * inner * 4,
        output_stride=(rows + 2) * inner * 4,
    )
    expected = wider.copy()
    expected[:, :rows] = array
    np.testing.assert_array_equal(joined, expected)
