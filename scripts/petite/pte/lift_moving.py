# SPDX-License-Identifier: Apache-2.0
"""More of ExecuTorch's portable operators that move data: to places that the file says."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from petite.ir.dtype import DType
from petite.ir.functions import ALL, FLOAT
from petite.pte.call import Array, Call
from petite.pte.lift_elementwise import apply, choose, finish, number, plain
from petite.pte.moves import (
    Shape,
    as_type,
    constant,
    cut,
    dimension,
    join,
    permute,
    put,
    strides,
    take,
    view,
)
from petite.pte.operator import Operator


def _stack(call: Call) -> None:
    """(tensors, dim): one after the other along a new dimension"""
    output = call.result()
    dim = dimension(call, 1, output)
    parts = []
    for value in call.tensors(0):
        shape = (*value.shape[:dim], 1, *value.shape[dim:])
        parts.append(view(call, as_type(call, value, output.dtype), shape))
    finish(call, join(call, parts, dim))


def _unbind(call: Call) -> None:
    """(x, dim) -> list: each element of the dimension by itself"""
    source = call.tensor(0)
    dim = dimension(call, 1, source)
    shape = source.shape[:dim] + source.shape[dim + 1 :]
    outputs = call.tensor_indexes(-1)
    if len(outputs) != source.shape[dim]:
        raise call.fail(f"splits {source} into {len(outputs)}")
    for position, index in enumerate(outputs):
        call.lifter.write(index, view(call, cut(call, source, dim, position, 1), shape))


def _roll(call: Call) -> None:
    """(x, shifts, dims): what leaves a dimension at its end comes back at its start"""
    source = call.tensor(0)
    shifts, dims = call.integers(1), call.integers(2)
    value = source
    if not dims:
        # Without dimensions the flattened tensor rolls.
        value, dims = view(call, source, (source.count,)), (0,)
    rank = max(1, len(value.shape))
    if len(shifts) != len(dims) or not all(-rank <= dim < rank for dim in dims):
        raise call.fail(f"does not roll {source} by {list(shifts)} along {list(dims)}")
    for shift, dim in zip(shifts, dims, strict=True):
        size = value.shape[dim] if value.shape else 1
        shift = shift % size if size else 0
        if shift:
            last = cut(call, value, dim % rank, size - shift, shift)
            value = join(call, [last, cut(call, value, dim % rank, 0, size - shift)], dim % rank)
    finish(call, view(call, value, source.shape))


def _pixel_shuffle(call: Call) -> None:
    """(x, factor): channels become rows and columns"""
    source, factor = call.tensor(0), call.integer(1)
    if len(source.shape) < 3 or factor < 1 or source.shape[-3] % factor**2:
        raise call.fail(f"does not spread {source} by {factor}")
    *outer, channels, height, width = source.shape
    count = channels // factor**2
    apart = view(call, source, (*outer, count, factor, factor, height, width))
    order = tuple(n + len(outer) for n in (0, 3, 1, 4, 2))
    moved = permute(call, apart, (*range(len(outer)), *order))
    finish(call, view(call, moved, (*outer, count, height * factor, width * factor)))


def _pixel_unshuffle(call: Call) -> None:
    """(x, factor): rows and columns become channels"""
    source, factor = call.tensor(0), call.integer(1)
    fits = len(source.shape) >= 3 and factor >= 1
    if not fits or source.shape[-1] % factor or source.shape[-2] % factor:
        raise call.fail(f"does not gather {source} by {factor}")
    *outer, channels, height, width = source.shape
    rows, columns = height // factor, width // factor
    apart = view(call, source, (*outer, channels, rows, factor, columns, factor))
    order = tuple(n + len(outer) for n in (0, 2, 4, 1, 3))
    moved = permute(call, apart, (*range(len(outer)), *order))
    finish(call, view(call, moved, (*outer, channels * factor**2, rows, columns)))


def _narrow(call: Call) -> None:
    """(x, dim, start, length)"""
    source = call.tensor(0)
    dim, start = dimension(call, 1, source), call.integer(2)
    start = start + source.shape[dim] if start < 0 else start
    finish(call, cut(call, source, dim, start, call.integer(3)))


def _diagonal(call: Call) -> None:
    """(x, offset, dim1, dim2): the diagonal is the last dimension"""
    source, offset = call.tensor(0), call.integer(1)
    first, second = dimension(call, 2, source), dimension(call, 3, source)
    if first == second:
        raise call.fail(f"has no diagonal in one dimension of {source}")
    own = strides(source.shape)
    below, right = max(-offset, 0), max(offset, 0)
    count = max(0, min(source.shape[first] - below, source.shape[second] - right))
    others = [d for d in range(len(source.shape)) if d not in (first, second)]
    shape = (*(source.shape[d] for d in others), count)
    steps = (*(own[d] for d in others), own[first] + own[second])
    start = below * own[first] + right * own[second] if count else 0
    finish(call, take(call, source, shape, steps, start=start))


def _as_strided(call: Call) -> None:
    """(x, size, strides, start?): of the elements in logical order"""
    source = call.tensor(0)
    shape, steps = call.integers(1), call.integers(2)
    start = 0 if call.is_none(3) else call.integer(3)
    if len(shape) != len(steps) or min((*shape, *steps, start), default=0) < 0:
        raise call.fail(f"does not walk {source} as {list(shape)} by {list(steps)}")
    finish(call, take(call, source, shape, steps, start=start))


def _unfold(call: Call) -> None:
    """(x, dim, size, step): windows; their elements are the last dimension"""
    source = call.tensor(0)
    dim, size, step = dimension(call, 1, source), call.integer(2), call.integer(3)
    whole = source.shape or (1,)
    if not 0 <= size <= whole[dim] or step < 1:
        raise call.fail(f"has no windows of {size} by {step} in {source}")
    own = strides(whole)
    shape = (*whole[:dim], (whole[dim] - size) // step + 1, *whole[dim + 1 :], size)
    steps = (*own[:dim], own[dim] * step, *own[dim + 1 :], own[dim])
    if not source.shape:
        shape, steps = (size,), (1,)
    finish(call, take(call, source, shape, steps))


def _tril(call: Call) -> None:
    """(x, diagonal): zero above the diagonal"""
    source, diagonal = plain(call, call.tensor(0)), call.integer(1)
    if len(source.shape) < 2:
        raise call.fail(f"{source} is no matrix")
    kept = np.tri(source.shape[-2], source.shape[-1], k=diagonal, dtype=np.bool_)
    if source.data is not None:
        zeroed = np.where(kept, source.data, 0).astype(source.dtype.numpy)
        finish(call, constant(source.name, zeroed, source.dtype))
        return
    if kept.all():
        finish(call, source)
        return
    mask = constant("lower_triangle", kept, DType.BOOL)
    finish(call, choose(call, mask, source, number(call, 0, source.dtype)))


def _reflected(places: Array, size: int) -> Array:
    """Without repeating the border; what is mirrored twice stays outside."""
    behind = np.where(places >= size, 2 * (size - 1) - places, places)
    return np.asarray(np.where(places < 0, -places, behind))


def _repeated(places: Array, size: int) -> Array:
    return np.asarray(np.clip(places, 0, size - 1))


def _pad_with_own(places_of: Callable[[Array, int], Array], dims: int, call: Call) -> None:
    """(x, pads from the last dimension backwards): filled with the tensor's own elements"""
    value, pads = call.tensor(0), call.integers(1)
    rank = len(value.shape)
    if len(pads) != 2 * dims or rank not in (dims + 1, dims + 2):
        raise call.fail(f"does not pad {value} by {list(pads)}")
    for number_, dim in enumerate(range(rank - 1, rank - 1 - dims, -1)):
        before, after = pads[2 * number_ : 2 * number_ + 2]
        if before == after == 0:
            continue
        size = value.shape[dim]
        places = places_of(np.arange(-before, size + after), size)
        if places.size and not 0 <= places.min() <= places.max() < size:
            raise call.fail(f"cannot pad dimension {dim} of {value} by {before} and {after}")
        own = strides(value.shape)
        shape = (*value.shape[:dim], places.size, *value.shape[dim + 1 :])
        column = places.reshape(-1, *[1] * (rank - 1 - dim)) * own[dim]
        value = take(
            call,
            value,
            shape,
            (*own[:dim], 0, *own[dim + 1 :]),
            offsets=constant("places", column, DType.S32),
            reach=(size - 1) * own[dim],
        )
    finish(call, value)


def _repeat_interleave(call: Call) -> None:
    """(repeats, size?): 0 so many times, 1 so many times, ..."""
    repeats = call.tensor(0)
    if repeats.data is None:
        raise call.fail(
            f"{repeats} is computed when the model runs, so the size of the result depends on "
            "data; repeat by numbers that are constants of the model"
        )
    if len(repeats.shape) != 1 or (repeats.count and repeats.data.min() < 0):
        raise call.fail(f"does not repeat by {repeats}")
    numbers = np.repeat(np.arange(repeats.count), repeats.data)
    finish(call, constant(repeats.name, numbers, repeats.dtype))


def _glu(call: Call) -> None:
    """(x, dim): the first half times the sigmoid of the second"""
    source = call.tensor(0)
    dim = dimension(call, 1, source)
    half, odd = divmod(source.shape[dim] if source.shape else 1, 2)
    if odd:
        raise call.fail(f"dimension {dim} of {source} has no halves")
    first, second = (cut(call, source, dim, at, half) for at in (0, half))
    finish(call, apply(call, "mul", first, apply(call, "sigmoid", second)))


def _slice_scatter(call: Call) -> None:
    """(x, source, dim, start?, end?, step): the slice becomes the source"""
    target = call.tensor(0)
    source = as_type(call, call.tensor(1), target.dtype)
    dim, step = dimension(call, 2, target), call.integer(5)
    size = target.shape[dim] if target.shape else 0
    start = 0 if call.is_none(3) else call.integer(3)
    end = size if call.is_none(4) else call.integer(4)
    if step < 1 or not target.shape:
        raise call.fail(f"has no slice of {target} by {step}")
    chosen = range(*slice(start, end, step).indices(size))
    shape = (*target.shape[:dim], len(chosen), *target.shape[dim + 1 :])
    if source.shape != shape:
        raise call.fail(f"{source} is not the slice {list(shape)} of {target}")
    if source.count == 0 or shape == target.shape:
        finish(call, source if source.count else target)
        return
    own = strides(target.shape)
    first = chosen[0] * own[dim]
    steps = (*own[:dim], own[dim] * step, *own[dim + 1 :])
    offset = constant("start", np.array(first), DType.S32)
    finish(call, put(call, target, source, offset, shape, steps, reach=first))


def _select_scatter(call: Call) -> None:
    """(x, source, dim, index): what has that index becomes the source"""
    target = call.tensor(0)
    source = as_type(call, call.tensor(1), target.dtype)
    dim, index = dimension(call, 2, target), call.integer(3)
    size = target.shape[dim] if target.shape else 0
    shape: Shape = target.shape[:dim] + target.shape[dim + 1 :]
    if not -size <= index < size or source.shape != shape:
        raise call.fail(f"{source} is not element {index} of dimension {dim} of {target}")
    own = strides(target.shape)
    first = index % size * own[dim]
    offset = constant("start", np.array(first), DType.S32)
    steps = own[:dim] + own[dim + 1 :]
    finish(call, put(call, target, source, offset, shape, steps, reach=first))


MOVING_OPERATORS: dict[str, Operator] = {
    "aten::stack.out": Operator(_stack, ALL),
    "aten::unbind_copy.int_out": Operator(_unbind, ALL),
    "aten::roll.out": Operator(_roll, ALL),
    "aten::pixel_shuffle.out": Operator(_pixel_shuffle, ALL),
    "aten::pixel_unshuffle.out": Operator(_pixel_unshuffle, ALL),
    "aten::narrow_copy.out": Operator(_narrow, ALL),
    "aten::diagonal_copy.out": Operator(_diagonal, ALL),
    "aten::as_strided_copy.out": Operator(_as_strided, ALL),
    "aten::unfold_copy.out": Operator(_unfold, ALL),
    "aten::tril.out": Operator(_tril, ALL),
    **{
        f"aten::{name}_pad{dims}d.out": Operator(partial(_pad_with_own, places, dims), ALL)
        for name, places in (("reflection", _reflected), ("replication", _repeated))
        for dims in (1, 2, 3)
    },
    "aten::repeat_interleave.Tensor_out": Operator(
        _repeat_interleave, (DType.S32, DType.S64), "constant repeats"
    ),
    "aten::glu.out": Operator(_glu, FLOAT),
    "aten::slice_scatter.out": Operator(_slice_scatter, ALL),
    "aten::select_scatter.out": Operator(_select_scatter, ALL),
}
