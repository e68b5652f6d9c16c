# SPDX-License-Identifier: Apache-2.0
"""Kernels that read and write where a tensor of indices says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import KernelRunner

Array = np.ndarray[Any, np.dtype[Any]]

SEEDS = range(25)
ERR_DATA = -11
SIZES: dict[int, Any] = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
INTEGERS: dict[str, Any] = {
    "s8": np.int8,
    "s16": np.int16,
    "s32": np.int32,
    "s64": np.int64,
    "u8": np.uint8,
}


def shape_of(rng: cases.Rng, most: int = 4) -> tuple[int, ...]:
    """A shape of rank 1 to ``most``."""
    return tuple(int(n) for n in rng.integers(1, 5, int(rng.integers(1, most + 1))))


def elements(rng: cases.Rng, dtype: Any, shape: tuple[int, ...]) -> Array:
    """Random elements from the whole range of an integer type."""
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


def dims(shape: tuple[int, ...]) -> list[int]:
    """Sizes as a kernel has them."""
    return oracle.leading_ones(shape)


def steps(array: Array) -> list[int]:
    """Strides in elements as a kernel has them."""
    return oracle.leading_ones(oracle.element_strides(array), fill=0)


def some_broadcast(rng: cases.Rng, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A shape that broadcasts to another."""
    return tuple(n if rng.integers(2) else 1 for n in shape)


# --- offsets -----------------------------------------------------------------------------------


def run_offsets(
    kernels: KernelRunner,
    index: Array,
    base: Array | None,
    shape: tuple[int, ...],
    size: int,
    scale: int,
    from_end: bool,
) -> tuple[int, Array]:
    """Status and output."""
    whole = np.broadcast_to(index, shape)
    above = np.zeros(shape, np.int32) if base is None else np.broadcast_to(base, shape)
    status, results = kernels.call(
        "offsets_s32" if index.dtype == np.int32 else "offsets_s64_s32",
        index=index,
        base=base,
        output=np.zeros(shape, np.int32),
        size=size,
        scale=scale,
        from_end=int(from_end),
        dims=dims(shape),
        index_strides=steps(whole),
        base_strides=[0] * 6 if base is None else steps(above),
    )
    return status, results["output"]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_offsets(kernels: KernelRunner, dtype: Any, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = shape_of(rng)
    size, scale, from_end = int(rng.integers(1, 9)), int(rng.integers(0, 50)), bool(seed % 2)
    low = -size if from_end else 0
    index = rng.integers(low, size, some_broadcast(rng, shape), dtype)
    base = rng.integers(0, 1000, some_broadcast(rng, shape), np.int32) if seed % 3 else None
    status, actual = run_offsets(kernels, index, base, shape, size, scale, from_end)
    places = np.arange(size)[index] * scale  # numpy counts from the end too
    expected = np.broadcast_to(places, shape) + (0 if base is None else base)
    assert status == 0
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("from_end", [False, True])
def test_indices_out_of_range_fail(kernels: KernelRunner, dtype: Any, from_end: bool) -> None:
    limits = np.iinfo(dtype)
    wrong = [5, limits.max, limits.min, -6, *([] if from_end else [-1, -5])]
    right = [0, 4, *([-1, -5] if from_end else [])]
    for value in wrong + right:
        for place in (0, 3):
            index = np.zeros(4, dtype)
            index[place] = value
            status, _ = run_offsets(kernels, index, None, (4,), 5, 3, from_end)
            assert status == (0 if value in right else ERR_DATA), value


def test_an_index_of_64_bits_is_not_cut_off(kernels: KernelRunner) -> None:
    """Its lower half alone would be in range."""
    index = np.array([2**32 + 1, -(2**32) + 1], np.int64)
    for one in index:
        status, _ = run_offsets(kernels, np.array([one]), None, (1,), 5, 1, True)
        assert status == ERR_DATA


# --- take --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", SIZES)
def test_take(kernels: KernelRunner, size: int, seed: int) -> None:
    """Rows of a table, whole or with steps, at random places."""
    rng = np.random.default_rng(seed)
    shape = shape_of(rng, 6)
    own = [int(n) for n in rng.integers(0, 4, len(shape))]
    if seed % 2:
        own[-1] = 1
    offsets = rng.integers(0, 30, some_broadcast(rng, shape), np.int32)
    if seed % 4 == 1:
        offsets = offsets[..., :1].copy()
    places = np.broadcast_to(offsets, shape) + sum(
        np.indices(shape)[d] * step for d, step in enumerate(own)
    )
    table = elements(rng, SIZES[size], (int(places.max()) + 1,))
    actual = kernels.run(
        "take",
        input=table,
        offsets=offsets,
        output=np.zeros(shape, table.dtype),
        element_size=size,
        dims=dims(shape),
        strides=oracle.leading_ones(own, fill=0),
        offset_strides=steps(np.broadcast_to(offsets, shape)),
    )
    np.testing.assert_array_equal(actual, table[places])


# --- put ---------------------------------------------------------------------------------------


def put_case(rng: cases.Rng, dtype: Any) -> tuple[dict[str, Any], Array, Array]:
    """Parameters, the places in the order of the walk, and the source's elements for them."""
    shape = shape_of(rng)
    own = [int(n) for n in rng.integers(0, 4, len(shape))]
    offsets = rng.integers(0, 6, some_broadcast(rng, shape), np.int32)
    places = np.broadcast_to(offsets, shape) + sum(
        np.indices(shape)[d] * step for d, step in enumerate(own)
    )
    count = int(places.max()) + 1 + int(rng.integers(3))
    if dtype == np.float32:
        target = rng.standard_normal(count).astype(dtype)
        source = rng.standard_normal(some_broadcast(rng, shape)).astype(dtype)
    elif dtype == np.bool_:
        target = rng.integers(0, 2, count).astype(dtype)
        source = rng.integers(0, 2, some_broadcast(rng, shape)).astype(dtype)
    else:
        target = elements(rng, dtype, (count,))
        source = elements(rng, dtype, some_broadcast(rng, shape))
    whole = np.broadcast_to(source, shape)
    parameters = {
        "input": target,
        "source": source,
        "offsets": offsets,
        "output": np.zeros_like(target),
        "element_size": target.dtype.itemsize,
        "count": count,
        "dims": dims(shape),
        "strides": oracle.leading_ones(own, fill=0),
        "source_strides": steps(whole),
        "offset_strides": steps(np.broadcast_to(offsets, shape)),
    }
    return parameters, places.ravel(), whole.ravel()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", SIZES)
def test_put(kernels: KernelRunner, size: int, seed: int) -> None:
    """Of several values for one place the last one stays."""
    parameters, places, source = put_case(np.random.default_rng(seed), SIZES[size])
    expected = parameters["input"].copy()
    for place, value in zip(places, source, strict=True):
        expected[place] = value
    np.testing.assert_array_equal(kernels.run("put", **parameters), expected)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("suffix", INTEGERS)
def test_put_add_of_integers(kernels: KernelRunner, suffix: str, seed: int) -> None:
    """Sums wrap."""
    parameters, places, source = put_case(np.random.default_rng(seed), INTEGERS[suffix])
    expected = [int(n) for n in parameters["input"]]
    for place, value in zip(places, source, strict=True):
        expected[place] += int(value)
    bits = 8 * parameters["input"].dtype.itemsize
    signed = suffix[0] == "s"
    half = 2 ** (bits - 1) if signed else 0
    wrapped = [(n + half) % 2**bits - half for n in expected]
    assert kernels.run(f"put_add_{suffix}", **parameters).tolist() == wrapped


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("suffix", "dtype"), [("f32", np.float32), ("bool", np.bool_)])
def test_put_add_of_others(kernels: KernelRunner, suffix: str, dtype: Any, seed: int) -> None:
    """float32 is added in the order of the walk, so that the sum is this one."""
    parameters, places, source = put_case(np.random.default_rng(seed), dtype)
    expected = parameters["input"].copy()
    for place, value in zip(places, source, strict=True):
        expected[place] = expected[place] + value
    np.testing.assert_array_equal(kernels.run(f"put_add_{suffix}", **parameters), expected)


# --- masked_scatter ----------------------------------------------------------------------------


def masked_case(rng: cases.Rng, size: int) -> tuple[dict[str, Any], Array, Array]:
    """Parameters without the source, and the broadcast operands."""
    shape = shape_of(rng)
    target = elements(rng, SIZES[size], some_broadcast(rng, shape))
    mask = rng.integers(0, 2, some_broadcast(rng, shape)).astype(np.bool_)
    whole, marks = np.broadcast_to(target, shape), np.broadcast_to(mask, shape)
    parameters = {
        "input": target,
        "mask": mask,
        "output": np.zeros(shape, target.dtype),
        "element_size": size,
        "dims": dims(shape),
        "strides": steps(whole),
        "mask_strides": steps(marks),
    }
    return parameters, whole, marks


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", SIZES)
def test_masked_scatter(kernels: KernelRunner, size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    parameters, expected, marks = masked_case(rng, size)
    source = elements(rng, SIZES[size], (int(marks.sum()) + seed % 2 + 1,))
    expected = expected.copy()
    expected[marks] = source[: marks.sum()]
    actual = kernels.run("masked_scatter", source=source, source_count=source.size, **parameters)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_source_that_is_too_small_fails(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    parameters, _, marks = masked_case(rng, 4)
    missing = int(marks.sum()) - 1
    source = elements(rng, np.uint32, (max(missing, 0),))
    status, _ = kernels.call(
        "masked_scatter", source=source, source_count=source.size, **parameters
    )
    assert status == (ERR_DATA if missing >= 0 else 0)


# --- topk --------------------------------------------------------------------------------------


def run_topk(kernels: KernelRunner, rows: Array, k: int, largest: bool) -> Array:
    """Columns of the best elements of each row."""
    suffix = {np.dtype(t): s for s, t in [*INTEGERS.items(), ("f32", np.float32)]}[rows.dtype]
    return kernels.run(
        "topk_s64" if suffix == "s64" else f"topk_{suffix}_s64",
        input=rows,
        output=np.zeros((rows.shape[0], k), np.int64),
        rows=rows.shape[0],
        columns=rows.shape[1],
        k=k,
        largest=int(largest),
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("suffix", [*INTEGERS, "f32"])
def test_topk(kernels: KernelRunner, suffix: str, seed: int) -> None:
    """Few different values, so that the order of equals is seen, and the ends of the range."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 4)), int(rng.integers(1, 12)))
    dtype = INTEGERS.get(suffix, np.float32)
    if suffix == "f32":
        kinds = np.array([-np.inf, -1.5, -0.0, 0.0, 2.5, np.inf, np.nan], dtype)
    else:
        limits = np.iinfo(dtype)
        kinds = np.array([limits.min, limits.min + 1, 3, 5, limits.max - 1, limits.max], dtype)
    rows = rng.choice(kinds, shape)
    k, largest = int(rng.integers(1, shape[1] + 1)), bool(seed % 2)

    def key(row: int, column: int) -> Any:
        value = rows[row, column].item()
        missing = value != value
        order = (missing, 0 if missing else value)
        return tuple(-part for part in order) if largest else order

    expected = [
        sorted(range(shape[1]), key=lambda column: (key(row, column), column))[:k]
        for row in range(shape[0])
    ]
    assert run_topk(kernels, rows, k, largest).tolist() == expected
