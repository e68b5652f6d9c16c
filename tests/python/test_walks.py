# SPDX-License-Identifier: Apache-2.0
"""Merged walks visit the same addresses in the same order."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.passes.lower.strides import MAX_RANK, broadcast_strides, padded, strides_of, walk


def _visited(dims: list[int], strides: list[int]) -> list[int]:
    return [
        sum(i * s for i, s in zip(index, strides, strict=True))
        for index in itertools.product(*(range(n) for n in dims))
    ]


@given(st.data())
def test_walk_visits_the_same(data: st.DataObject) -> None:
    rank = data.draw(st.integers(1, 6))
    dims = data.draw(st.lists(st.integers(1, 4), min_size=rank, max_size=rank))
    # Strides of a dense tensor, and strides that rarely merge.
    dense = [int(np.prod(dims[i + 1 :])) for i in range(rank)]
    other = data.draw(st.lists(st.sampled_from([0, 1, 2, 3, 4, 12]), min_size=rank, max_size=rank))
    operands = [dense, other] if data.draw(st.booleans()) else [dense, dense]
    merged_dims, merged = walk(dims, operands, "here")
    for before, after in zip(operands, merged, strict=True):
        assert _visited(dims, before) == _visited(merged_dims, after)
    if operands[1] is dense:
        assert len(merged_dims) == 1


def test_walk_refuses_what_kernels_cannot_do() -> None:
    dims = [2] * (MAX_RANK + 1)
    strides = [3**i for i in range(MAX_RANK + 1)]
    with pytest.raises(PetiteError, match="there: moves data along 7 dimensions, but at most 6"):
        walk(dims, [strides], "there")


@given(st.data())
def test_strides_agree_with_numpy(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=5)))
    layout = tuple(data.draw(st.permutations(range(len(shape)))))
    array = np.zeros([shape[d] for d in layout], np.int8).transpose(np.argsort(layout))
    ours = strides_of(Value("x", DType.S8, shape, layout=layout))
    # numpy is free in what it says about dimensions of one element.
    assert [s for s, n in zip(ours, shape, strict=True) if n > 1] == [
        s for s, n in zip(array.strides, shape, strict=True) if n > 1
    ]


@given(st.data())
def test_broadcast_agrees_with_numpy(data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    first = [n if data.draw(st.booleans()) else 1 for n in shape]
    kept = data.draw(st.integers(0, len(shape)))
    second = shape[len(shape) - kept :]
    output = np.broadcast_shapes(tuple(first), tuple(second))
    values = [_contiguous(tuple(first)), _contiguous(tuple(second))]
    dims, strides = broadcast_strides(_contiguous(output), values, "here")
    for value, own in zip(values, strides, strict=True):
        numbers = np.arange(value.count).reshape(value.shape)
        assert _visited(dims, own) == np.broadcast_to(numbers, output).reshape(-1).tolist()


def _contiguous(shape: tuple[int, ...]) -> Value:
    return Value("x", DType.S8, shape, layout=tuple(range(len(shape))))


def test_padded_puts_the_missing_in_front() -> None:
    assert padded([2, 3], 1) == (1, 1, 1, 1, 2, 3)
