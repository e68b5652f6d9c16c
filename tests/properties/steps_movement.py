# SPDX-License-Identifier: Apache-2.0
"""Operators that move elements of any type."""

from __future__ import annotations

from math import prod

import numpy as np
from hypothesis import strategies as st

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import ALL
from petite.ir.graph import Value
from properties.growth import MOST_ELEMENTS, Growing, Shape

#: Mostly int8, as between quantised operators.
_ANY = (DType.S8, DType.S8, DType.S8, *ALL)


def _any(grow: Growing, high_rank: int = 5) -> Value:
    return grow.tensor(*_ANY, high_rank=high_rank)


def pad(grow: Growing) -> None:
    """Any dimension, either end."""
    x = grow.image() if grow.chance() else _any(grow)
    before, after = [], []
    room = MOST_ELEMENTS // x.count
    for size in x.shape:
        most = min(3, max(0, room * size - size)) if grow.chance() else 0
        before.append(grow.number(0, most // 2 if most > 1 else most))
        after.append(grow.number(0, most - before[-1]))
        room = max(1, room * size // (size + before[-1] + after[-1]))
    shape = tuple(n + b + a for n, b, a in zip(x.shape, before, after, strict=True))
    lowest = 0 if x.dtype in (DType.U8, DType.BOOL) else -128
    value = grow.number(lowest, 1 if x.dtype is DType.BOOL else 127)
    grow.emit(ops.Pad, [x], shape, x.dtype, before=tuple(before), after=tuple(after), value=value)


def permute(grow: Growing) -> None:
    """Up to rank 6."""
    x = _any(grow, 6)
    permutation = tuple(grow.draw(st.permutations(range(len(x.shape)))))
    shape = tuple(x.shape[d] for d in permutation)
    grow.emit(ops.Permute, [x], shape, x.dtype, permutation=permutation)


def view(grow: Growing) -> None:
    """Dimensions split, joined, added and taken away."""
    x = _any(grow)
    grow.emit(ops.View, [x], _regrouped(grow, x.shape), x.dtype)


def _regrouped(grow: Growing, shape: Shape) -> Shape:
    left, parts = prod(shape), []
    while left > 1 and len(parts) < 4:
        divisors = [n for n in range(2, left + 1) if left % n == 0]
        parts.append(grow.choose(*divisors))
        left //= parts[-1]
    parts = [*parts, left] if left > 1 else parts
    for _ in range(grow.number(0, 5 - len(parts))):
        parts.insert(grow.number(0, len(parts)), 1)
    return tuple(parts) or (1,)


def concat(grow: Growing) -> None:
    """Two or three parts of different sizes along one dimension."""
    x = _any(grow)
    dim = grow.number(0, len(x.shape) - 1)
    parts = [x]
    for _ in range(grow.choose(1, 1, 2)):
        size = grow.choose(x.shape[dim], grow.number(1, 4))
        parts.append(grow.companion(x, (*x.shape[:dim], size, *x.shape[dim + 1 :])))
    if grow.chance():
        parts.reverse()
    size = sum(p.shape[dim] for p in parts)
    shape = (*x.shape[:dim], size, *x.shape[dim + 1 :])
    grow.emit(ops.Concat, parts, shape, x.dtype, dim=dim)


def slice_(grow: Growing) -> None:
    """Steps of any size, also backwards."""
    x = _any(grow)
    dim = grow.number(0, len(x.shape) - 1)
    size = x.shape[dim]
    start, step = grow.number(0, size - 1), grow.choose(1, 1, 2, 3, -1, -2)
    most = (size - 1 - start) // step + 1 if step > 0 else start // -step + 1
    shape = (*x.shape[:dim], grow.number(1, most), *x.shape[dim + 1 :])
    grow.emit(ops.Slice, [x], shape, x.dtype, dim=dim, start=start, step=step)


def expand(grow: Growing) -> None:
    """Dimensions of size one repeated, dimensions in front added."""
    x = _any(grow)
    shape = []
    for size in x.shape:
        times = MOST_ELEMENTS // (x.count * int(np.prod(shape or [1])))
        shape.append(grow.number(1, max(1, min(4, times))) if size == 1 else size)
    if grow.chance() and prod(shape) * 2 <= MOST_ELEMENTS:
        shape.insert(0, grow.choose(2, 1))
    grow.emit(ops.Expand, [x], tuple(shape), x.dtype)


def copy(grow: Growing) -> None:
    """Memory of its own."""
    x = _any(grow)
    grow.emit(ops.Copy, [x], x.shape, x.dtype)
