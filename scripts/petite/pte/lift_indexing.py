# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable operators that read and write where a tensor of indices says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import ALL, NUMBERS
from petite.ir.graph import Value
from petite.pte.call import Call
from petite.pte.lift_elementwise import apply, choose, finish, number, plain
from petite.pte.moves import (
    Shape,
    as_type,
    at_least_one_dimension,
    constant,
    cut,
    dimension,
    expand,
    permute,
    put,
    strides,
    take,
    view,
)
from petite.pte.operator import Operator
from petite.pte.program import TensorValue

_INDICES = (DType.S32, DType.S64)
_MASKS = (DType.BOOL, DType.U8)


@dataclass(frozen=True)
class _Places:
    """Elements of a tensor: o . steps + offsets[o] for each o of a shape."""

    shape: Shape
    steps: Shape
    offsets: Value
    reach: int


def _offsets(
    call: Call, index: Value, size: int, scale: int, *, from_end: bool, base: Value | None = None
) -> Value:
    """base + index * scale, in elements; constant indices are checked now."""
    if index.dtype not in _INDICES:
        raise call.fail(f"indices {index} should be int32 or int64")
    if size < 1:
        raise call.fail(f"indices {index} into nothing")
    before = np.array(0) if base is None else base.data
    if index.data is not None and before is not None:
        wrapped = index.data.astype(np.int64)
        wrapped = wrapped + size * (wrapped < 0) if from_end else wrapped
        if not np.all((wrapped >= 0) & (wrapped < size)):
            raise call.fail(f"the constant indices {index} are not all below {size}")
        return constant(f"{index.name}_offsets", before + wrapped * scale, DType.S32)
    inputs = [index] if base is None else [index, base]
    try:
        shape = np.broadcast_shapes(*(v.shape for v in inputs))
    except ValueError:
        raise call.fail(f"indices {index} and {base} do not broadcast") from None
    result = Value(f"{index.name}_offsets", DType.S32, shape)
    op = ops.Offsets(inputs, [result], size=size, scale=scale, from_end=from_end, source=call.place)
    call.append(op)
    return result


def _places(call: Call, source: Value, indices: list[Value | None], *, from_end: bool) -> _Places:
    """What PyTorch's source[indices] means; None stands for a whole dimension.

    The dimensions of the broadcast indices come where the indices are, or first where these are
    not neighbours.
    """
    shape, own = source.shape, strides(source.shape)
    if len(indices) > len(shape):
        raise call.fail(f"{len(indices)} indices into {source}")
    chosen = [d for d, index in enumerate(indices) if index is not None]
    whole = [d for d in range(len(shape)) if d not in chosen]
    neighbours = chosen[-1] - chosen[0] == len(chosen) - 1
    before = [d for d in whole if neighbours and d < chosen[0]]
    after = [d for d in whole if d not in before]
    base: Value | None = None
    for dim in chosen:
        index = indices[dim]
        assert index is not None
        base = _offsets(call, index, shape[dim], own[dim], from_end=from_end, base=base)
    assert base is not None
    return _Places(
        (*(shape[d] for d in before), *base.shape, *(shape[d] for d in after)),
        (*(own[d] for d in before), *[0] * len(base.shape), *(own[d] for d in after)),
        view(call, base, (*base.shape, *[1] * len(after))),
        sum((shape[d] - 1) * own[d] for d in chosen),
    )


def _take(call: Call, source: Value, places: _Places) -> Value:
    return take(
        call,
        source,
        places.shape,
        places.steps,
        offsets=places.offsets,
        reach=places.reach,
    )


def rows_of(call: Call, table: Value, indices: Value) -> Value:
    """Rows of a table, in the shape of the indices."""
    return _take(call, table, _places(call, table, [indices], from_end=False))


def _embedding(call: Call) -> None:
    """(table, indices, padding index, scale gradients, sparse): rows of the table"""
    finish(call, rows_of(call, call.tensor(0), call.tensor(1)))


def _index_select(call: Call) -> None:
    """(x, dim, indices)"""
    source, output = call.tensor(0), call.result()
    dim = dimension(call, 1, source)
    line = at_least_one_dimension(call, source)
    index = at_least_one_dimension(call, call.tensor(2))
    places = _places(call, line, [*[None] * dim, index], from_end=False)
    finish(call, view(call, _take(call, line, places), output.shape))


def _optional_indices(call: Call, position: int, source: Value) -> list[Value | None]:
    """Indices, where a constant mask stands for the indices of what it marks."""
    found: list[Value | None] = []
    for index in call.tensor_indexes(position):
        is_tensor = index >= 0 and isinstance(call.lifter.method.values[index], TensorValue)
        value = call.lifter.read(index, call.place) if is_tensor else None
        if value is None or value.dtype not in _MASKS:
            found.append(value)
        elif value.data is not None:
            at = len(found)
            if value.shape != source.shape[at : at + len(value.shape)]:
                raise call.fail(f"the mask {value} does not fit {source}")
            found += [constant(value.name, n, DType.S64) for n in np.nonzero(value.data)]
        else:
            raise call.fail(
                f"the mask {value} is computed when the model runs, so the shape of the result "
                "depends on data; use torch.where with three arguments, or multiply by the mask"
            )
    return found


def _index(call: Call) -> None:
    """(x, indices): x[indices]; negative ones count from the end"""
    source = call.tensor(0)
    indices = _optional_indices(call, 1, source)
    if all(index is None for index in indices):
        finish(call, source)
        return
    finish(call, _take(call, source, _places(call, source, indices, from_end=True)))


def _index_put(call: Call) -> None:
    """(x, indices, values, accumulate)"""
    finish(call, _with_values(call))


def _index_put_in_place(call: Call) -> None:
    """The same, and x itself becomes the result"""
    value = _with_values(call)
    call.bind(value, 0)
    call.bind(value)


def _with_values(call: Call) -> Value:
    target, values, accumulate = call.tensor(0), call.tensor(2), call.flag(3)
    if values.dtype is not target.dtype:
        raise call.fail(f"cannot put {values} into {target}")
    mask = _only_mask(call)
    if mask is not None:
        return _with_masked_values(call, target, mask, values, accumulate)
    indices = _optional_indices(call, 1, target)
    if all(index is None for index in indices):
        added = (
            apply(call, "add", plain(call, target), plain(call, values)) if accumulate else values
        )
        return expand(call, added, target.shape)
    places = _places(call, target, indices, from_end=True)
    return put(
        call,
        target,
        _broadcastable(call, values, places.shape),
        places.offsets,
        places.shape,
        places.steps,
        reach=places.reach,
        accumulate=accumulate,
    )


def _broadcastable(call: Call, values: Value, shape: Shape) -> Value:
    """The values without leading dimensions of one that the shape lacks."""
    missing = len(values.shape) - len(shape)
    if missing > 0 and all(n == 1 for n in values.shape[:missing]):
        values = view(call, values, values.shape[missing:])
    padded = (1,) * (len(shape) - len(values.shape)) + values.shape
    if len(padded) > len(shape) or any(a not in (1, b) for a, b in zip(padded, shape, strict=True)):
        raise call.fail(f"{values} does not broadcast to {list(shape)}")
    return values


def _only_mask(call: Call) -> tuple[int, Value] | None:
    """A mask that is computed when the model runs, and the first dimension that it marks."""
    items = call.tensor_indexes(1)
    tensors = [
        (at, call.lifter.read(index, call.place))
        for at, index in enumerate(items)
        if index >= 0 and isinstance(call.lifter.method.values[index], TensorValue)
    ]
    if len(tensors) != 1:
        return None
    at, mask = tensors[0]
    return (at, mask) if mask.dtype in _MASKS and mask.data is None else None


def _with_masked_values(
    call: Call, target: Value, placed: tuple[int, Value], values: Value, accumulate: bool
) -> Value:
    """x[mask] = values, where the same values go to every marked place"""
    at, mask = placed
    rank = len(mask.shape)
    rest = len(target.shape) - at - rank
    if mask.shape != target.shape[at : at + rank] or rank == 0:
        raise call.fail(f"the mask {mask} does not fit {target}")
    shape = (1,) * (at + 1 + rest - len(values.shape)) + values.shape
    if len(shape) != at + 1 + rest or shape[at] != 1:
        raise call.fail(
            f"which of {values} goes where depends on the mask {mask}; use torch.where with three "
            "arguments, or masked_scatter"
        )
    new = view(call, values, (*shape[:at], *[1] * rank, *shape[at + 1 :]))
    if accumulate:
        new = apply(call, "add", plain(call, target), plain(call, new))
    condition = view(call, as_type(call, mask, DType.BOOL), (*mask.shape, *[1] * rest))
    return choose(call, condition, new, target)


def _along(call: Call, value: Value, dim: int, index: Value) -> _Places:
    """For each element of the index: its own place, but along a dimension where it says."""
    if len(index.shape) != len(value.shape) or any(
        n > m for d, (n, m) in enumerate(zip(index.shape, value.shape, strict=True)) if d != dim
    ):
        raise call.fail(f"indices {index} do not fit {value}")
    own = strides(value.shape)
    return _Places(
        index.shape,
        (*own[:dim], 0, *own[dim + 1 :]),
        _offsets(call, index, value.shape[dim], own[dim], from_end=False),
        (value.shape[dim] - 1) * own[dim],
    )


def _gather(call: Call) -> None:
    """(x, dim, index, sparse gradients)"""
    source, output = call.tensor(0), call.result()
    dim = dimension(call, 1, source)
    line = at_least_one_dimension(call, source)
    index = at_least_one_dimension(call, call.tensor(2))
    taken = _take(call, line, _along(call, line, dim, index)) if index.count else index
    finish(call, view(call, taken, output.shape))


def _scatter_source(call: Call) -> None:
    """(x, dim, index, source)"""
    _scatter(call, call.tensor(3), accumulate=False)


def _scatter_value(call: Call) -> None:
    """(x, dim, index, number)"""
    target = plain(call, call.tensor(0))
    _scatter(call, number(call, call.literal(3), target.dtype), accumulate=False)


def _scatter_add(call: Call) -> None:
    """(x, dim, index, source)"""
    _scatter(call, call.tensor(3), accumulate=True)


def _scatter(call: Call, source: Value, *, accumulate: bool) -> None:
    target, index = call.tensor(0), call.tensor(2)
    dim = dimension(call, 1, target)
    if index.count == 0:
        finish(call, target)
        return
    if source.dtype is not target.dtype:
        raise call.fail(f"cannot put {source} into {target}")
    line = at_least_one_dimension(call, target)
    index = at_least_one_dimension(call, index)
    if source.data is None or source.shape:
        source = _first_elements(call, at_least_one_dimension(call, source), index.shape)
    places = _along(call, line, dim, index)
    result = put(
        call,
        line,
        source,
        places.offsets,
        places.shape,
        places.steps,
        reach=places.reach,
        accumulate=accumulate,
    )
    finish(call, view(call, result, target.shape))


def _first_elements(call: Call, value: Value, shape: Shape) -> Value:
    """The elements that an index of a shape has partners in."""
    if len(value.shape) != len(shape):
        raise call.fail(f"{value} does not fit indices of the shape {list(shape)}")
    for dim, count in enumerate(shape):
        value = cut(call, value, dim, 0, count)
    return value


def _masked_scatter(call: Call) -> None:
    """(x, mask, source)"""
    target, mask, source = (call.tensor(position) for position in range(3))
    if source.dtype is not target.dtype:
        raise call.fail(f"cannot put {source} into {target}")
    mask = as_type(call, mask, DType.BOOL)
    output = call.result()
    call.emit(ops.MaskedScatter([target, mask, source], [output], source=call.place))


def _topk(call: Call) -> None:
    """(x, k, dim, largest, sorted) -> values, indices: always sorted"""
    source = call.tensor(0)
    k, dim, largest = call.integer(1), dimension(call, 2, source), call.flag(3)
    line = at_least_one_dimension(call, source)
    rank, columns = len(line.shape), line.shape[dim]
    if not 0 <= k <= columns:
        raise call.fail(f"wants {k} of {columns} elements of {source}")
    inwards = (*(d for d in range(rank) if d != dim), dim)
    outwards = tuple(inwards.index(d) for d in range(rank))
    rows = permute(call, line, inwards)
    best = Value(f"{source.name}_best", DType.S64, (*rows.shape[:-1], k))
    if k == 0:
        best.data = np.empty(best.shape, np.int64)
        values = constant(f"{source.name}_none", np.empty(best.shape, rows.dtype.numpy), rows.dtype)
    else:
        call.append(ops.TopK([rows], [best], k=k, largest=largest, source=call.place))
        values = _take(call, rows, _along(call, rows, rank - 1, best))
    for position, value in ((-3, values), (-2, best)):
        shape = call.result(position).shape
        call.bind(view(call, permute(call, value, outwards), shape), position)


INDEXING_OPERATORS: dict[str, Operator] = {
    "aten::embedding.out": Operator(_embedding, ALL),
    "aten::index_select.out": Operator(_index_select, ALL),
    "aten::index.Tensor_out": Operator(_index, ALL, "no masks, whose result has a dynamic shape"),
    "aten::index_put.out": Operator(_index_put, ALL, "the same values at all that a mask marks"),
    "aten::index_put_": Operator(
        _index_put_in_place, ALL, "the same values at all that a mask marks"
    ),
    "aten::gather.out": Operator(_gather, ALL),
    "aten::scatter.src_out": Operator(_scatter_source, ALL),
    "aten::scatter.value_out": Operator(_scatter_value, ALL),
    "aten::scatter_add.out": Operator(_scatter_add, ALL),
    "aten::masked_scatter.out": Operator(_masked_scatter, ALL),
    "aten::topk.values": Operator(
        _topk, NUMBERS, "always sorted; of equal elements the first comes first"
    ),
}
