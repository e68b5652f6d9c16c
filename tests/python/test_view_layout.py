# SPDX-License-Identifier: Apache-2.0
"""A reshape that moves no byte is recognised, in whatever order the bytes lie."""

from __future__ import annotations

from itertools import permutations
from math import prod
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from petite.passes.layout import view_layout

Shape = tuple[int, ...]
Layout = tuple[int, ...]


@st.composite
def shapes_of_same_size(draw: st.DrawFn) -> tuple[Shape, Layout, Shape]:
    """A shape with an order of its dimensions, and another shape for the same elements."""
    factors = draw(st.lists(st.sampled_from([1, 2, 3, 4]), min_size=1, max_size=6))
    shape = _merged(factors, draw(st.integers(0, 2**6)))
    new_shape = _merged(factors, draw(st.integers(0, 2**6)))
    if draw(st.booleans()):
        new_shape = tuple(draw(st.permutations(new_shape)))
    return shape, tuple(draw(st.permutations(range(len(shape))))), new_shape


def _merged(factors: list[int], joins: int) -> Shape:
    """Neighbouring factors become one dimension where a bit of ``joins`` says so."""
    shape = [1]
    for position, factor in enumerate(factors):
        if joins >> position & 1:
            shape[-1] *= factor
        else:
            shape.append(factor)
    return tuple(shape) if len(shape) < 6 else (*shape[:4], prod(shape[4:]))


def _addresses(shape: Shape, layout: Layout) -> np.ndarray[Any, np.dtype[Any]]:
    """Where each element of a tensor lies, in its logical order."""
    physical = np.arange(prod(shape)).reshape([shape[d] for d in layout])
    return physical.transpose(np.argsort(layout)).reshape(-1)


@given(shapes_of_same_size())
def test_view_layout_is_right(case: tuple[Shape, Layout, Shape]) -> None:
    shape, layout, new_shape = case
    found = view_layout(shape, layout, new_shape)
    if found is not None:
        assert sorted(found) == list(range(len(new_shape)))
        np.testing.assert_array_equal(_addresses(shape, layout), _addresses(new_shape, found))


@given(shapes_of_same_size())
def test_view_layout_finds_what_exists(case: tuple[Shape, Layout, Shape]) -> None:
    shape, layout, new_shape = case
    wanted = _addresses(shape, layout)
    exists = any(
        np.array_equal(wanted, _addresses(new_shape, order))
        for order in permutations(range(len(new_shape)))
    )
    assert (view_layout(shape, layout, new_shape) is not None) == exists


def test_flattening_channels_last_moves_bytes() -> None:
    assert view_layout((1, 4, 3, 2), (0, 2, 3, 1), (1, 24)) is None
    assert view_layout((1, 4, 1, 1), (0, 2, 3, 1), (1, 4)) is not None
