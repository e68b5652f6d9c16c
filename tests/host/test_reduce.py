# SPDX-License-Identifier: Apache-2.0
"""Reductions and running sums of every element type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import KernelRunner
from petite.ir.dtype import DType
from petite.ir.reductions import REDUCTIONS, Reduction

Array = cases.Array
ALL = [(r, dtype) for r in REDUCTIONS.values() for dtype in r.dtypes]


def ids(value: Any) -> str:
    return value.name if hasattr(value, "name") else str(value)


def values_of(rng: cases.Rng, dtype: DType, shape: tuple[int, ...]) -> Array:
    """Few different numbers, so that there are ties, and now and then a NaN."""
    if dtype is DType.F32:
        values = rng.integers(-9, 10, shape) * np.float32(0.37)
        return np.where(rng.random(shape) < 0.03, np.float32(np.nan), values).astype(np.float32)
    if dtype is DType.BOOL:
        return rng.integers(0, 2, shape).astype(np.bool_)
    limits = np.iinfo(dtype.numpy)
    values = rng.integers(max(limits.min, -9), 10, shape).astype(dtype.numpy)
    ends = rng.choice(np.array([limits.min, limits.max], dtype.numpy), shape)
    return np.where(rng.random(shape) < 0.2, ends, values)


def folded(function: str, terms: Array) -> Array:
    """Along the last axis from left to right, each operation in the terms' own type."""
    product = function == "prod"
    total = np.full(terms.shape[:-1], 1 if product else 0, terms.dtype)
    for index in range(terms.shape[-1]):
        total = total * terms[..., index] if product else total + terms[..., index]
    return total


def expected(function: str, terms: Array, divisor: np.float32) -> Array:
    """The function along the last axis."""
    if function in ("max", "min"):
        return np.asarray(getattr(np, function)(terms, axis=-1))
    if function in ("argmax", "argmin"):
        return np.asarray(getattr(np, function)(terms, axis=-1)).astype(np.int64)
    if terms.dtype != np.float32:
        return folded(function, terms.astype(np.int64))
    if function == "mean":
        return folded("sum", terms) / divisor
    if function == "var":
        mean = folded("sum", terms) / np.float32(terms.shape[-1])
        return folded("sum", (terms - mean[..., None]) ** 2) / divisor
    return folded(function, terms)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("function", "dtype"), ALL, ids=ids)
def test_reduce(kernels: KernelRunner, function: Reduction, dtype: DType, seed: int) -> None:
    """Any subset of the dimensions, of a transposed array."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(n) for n in rng.integers(1, 6, int(rng.integers(1, 6))))
    stored = values_of(rng, dtype, shape)
    array = stored.transpose(rng.permutation(len(shape)))
    strides = oracle.element_strides(array)
    reduced = [axis for axis in range(len(shape)) if rng.random() < 0.5]
    kept = [axis for axis in range(len(shape)) if axis not in reduced]
    sizes = [array.shape[axis] for axis in kept]
    count = int(np.prod([array.shape[axis] for axis in reduced], dtype=int))
    divisor = np.float32(count + 0.5)
    with np.errstate(all="ignore"):
        terms = array.transpose(*kept, *reduced).reshape(*sizes, count)
        wanted = expected(function.name, terms, divisor)
    actual = kernels.run(
        function.kernel(dtype),
        input=stored,
        output=np.zeros(sizes, function.result(dtype).numpy),
        dims=oracle.leading_ones(sizes),
        strides=oracle.leading_ones([strides[axis] for axis in kept], fill=0),
        reduce_dims=oracle.leading_ones([array.shape[axis] for axis in reduced]),
        reduce_strides=oracle.leading_ones([strides[axis] for axis in reduced], fill=0),
        divisor=divisor,
    )
    assert actual.dtype == wanted.dtype
    np.testing.assert_array_equal(actual, wanted)


@pytest.mark.parametrize("name", ["sum", "prod", "mean"])
def test_nothing_to_reduce(kernels: KernelRunner, name: str) -> None:
    """The sum of nothing is 0, the product 1, the mean not a number."""
    ones = [1] * 5
    actual = kernels.run(
        REDUCTIONS[name].kernel(DType.F32),
        input=np.zeros(0, np.float32),
        output=np.full(3, 7, np.float32),
        dims=[*ones, 3],
        strides=[0] * 6,
        reduce_dims=[*ones, 0],
        reduce_strides=[0] * 6,
        divisor=0.0,
    )
    np.testing.assert_array_equal(actual, np.full(3, {"sum": 0, "prod": 1, "mean": np.nan}[name]))


@pytest.mark.parametrize("dtype", [DType.S64, DType.F32], ids=ids)
@pytest.mark.parametrize("shape", [(1, 7, 1), (3, 4, 5), (2, 1, 3)])
def test_cumsum(kernels: KernelRunner, shape: tuple[int, int, int], dtype: DType) -> None:
    array = values_of(np.random.default_rng(0), dtype, shape)
    outer, length, inner = shape
    sizes = {"outer": outer, "length": length, "inner": inner}
    actual = kernels.run(
        f"cumsum_{dtype.suffix}", input=array, output=np.zeros_like(array), **sizes
    )
    with np.errstate(over="ignore"):
        wanted = [folded("sum", array[:, : k + 1].swapaxes(1, 2)) for k in range(length)]
    np.testing.assert_array_equal(actual, np.stack(wanted, axis=1))
