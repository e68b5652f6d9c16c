# SPDX-License-Identifier: Apache-2.0
"""Values made of other values' elements. What is known now is moved now."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.pte.call import Array, Call
from petite.pte.lift_elementwise import convert, plain

Shape = tuple[int, ...]


def constant(name: str, data: Array, dtype: DType) -> Value:
    """Known numbers."""
    return Value(name, dtype, data.shape, data=np.asarray(data, dtype.numpy))


def strides(shape: Shape) -> Shape:
    """Elements between neighbours along each dimension, in logical order."""
    return tuple(prod(shape[d + 1 :]) for d in range(len(shape)))


def dimension(call: Call, position: int, value: Value) -> int:
    """An argument that is a dimension of a value, counted from the front."""
    rank = max(1, len(value.shape))
    dim = call.integer(position)
    if not -rank <= dim < rank:
        raise call.fail(f"{value} has no dimension {dim}")
    return dim % rank


def at_least_one_dimension(call: Call, value: Value) -> Value:
    """A single number as a tensor of one element."""
    return value if value.shape else view(call, value, (1,))


def as_type(call: Call, value: Value, dtype: DType) -> Value:
    """The value in another element type, for operators that convert what they are given."""
    return value if value.dtype is dtype else convert(call, plain(call, value), dtype)


def view(call: Call, value: Value, shape: Shape) -> Value:
    """The same elements in another shape."""
    if value.shape == shape:
        return value
    if prod(shape) != value.count:
        raise call.fail(f"cannot see {value} as {list(shape)}")
    if value.data is not None:
        return constant(value.name, value.data.reshape(shape), value.dtype)
    result = Value(f"{value.name}_v", value.dtype, shape)
    call.append(ops.View([value], [result], source=call.place))
    return result


def permute(call: Call, value: Value, permutation: Shape) -> Value:
    """Dimensions in another order."""
    if permutation == tuple(range(len(value.shape))):
        return value
    if value.data is not None:
        return constant(value.name, value.data.transpose(permutation), value.dtype)
    shape = tuple(value.shape[d] for d in permutation)
    result = Value(f"{value.name}_p", value.dtype, shape)
    call.append(ops.Permute([value], [result], permutation=permutation, source=call.place))
    return result


def cut(call: Call, value: Value, dim: int, start: int, count: int) -> Value:
    """``count`` elements along a dimension."""
    if start < 0 or count < 0 or start + count > value.shape[dim]:
        raise call.fail(f"{value} lacks elements {start} to {start + count} of dimension {dim}")
    if count == value.shape[dim]:
        return value
    if value.data is not None:
        data = value.data.take(range(start, start + count), axis=dim)
        return constant(value.name, data, value.dtype)
    shape = (*value.shape[:dim], count, *value.shape[dim + 1 :])
    result = Value(f"{value.name}_s", value.dtype, shape)
    call.append(ops.Slice([value], [result], dim=dim, start=start, step=1, source=call.place))
    return result


def join(call: Call, values: Sequence[Value], dim: int) -> Value:
    """Values one after the other; what is empty does not count."""
    parts = [value for value in values if value.count > 0] or list(values[:1])
    if not parts:
        raise call.fail("joins no tensors")
    if len(parts) == 1:
        return parts[0]
    shape = list(parts[0].shape)
    shape[dim] = sum(part.shape[dim] for part in parts)
    result = Value(f"{parts[0].name}_c", parts[0].dtype, tuple(shape))
    call.append(ops.Concat(parts, [result], dim=dim, source=call.place))
    return result


def expand(call: Call, value: Value, shape: Shape) -> Value:
    """Dimensions of size one repeated."""
    if value.shape == shape:
        return value
    try:
        broadcast = np.broadcast_shapes(value.shape, shape)
    except ValueError:
        broadcast = None
    if broadcast != shape:
        raise call.fail(f"{value} does not broadcast to {list(shape)}")
    if value.data is not None:
        return constant(value.name, np.broadcast_to(value.data, shape), value.dtype)
    result = Value(f"{value.name}_e", value.dtype, shape)
    call.append(ops.Expand([value], [result], source=call.place))
    return result


def take(
    call: Call,
    value: Value,
    shape: Shape,
    steps: Shape,
    *,
    start: int = 0,
    offsets: Value | None = None,
    reach: int = 0,
) -> Value:
    """Elements of the flattened value at start + o . steps + offsets[o], for o of a shape."""
    furthest = start + reach + sum((n - 1) * s for n, s in zip(shape, steps, strict=True))
    if prod(shape) > 0 and not 0 <= furthest < value.count:
        raise call.fail(f"reads element {furthest} of {value}, which has {value.count}")
    known = np.array(0) if offsets is None else offsets.data
    if value.data is not None and known is not None:
        places = np.broadcast_to(start + known, shape)
        for dim, step in enumerate(steps):
            places = (
                places + np.arange(shape[dim]).reshape(-1, *[1] * (len(shape) - dim - 1)) * step
            )
        return constant(value.name, value.data.reshape(-1)[places], value.dtype)
    result = Value(f"{value.name}_t", value.dtype, shape)
    inputs = [value] if offsets is None else [value, offsets]
    call.append(
        ops.Take(inputs, [result], strides=steps, start=start, reach=reach, source=call.place)
    )
    return result


def put(
    call: Call,
    value: Value,
    source: Value,
    offsets: Value,
    shape: Shape,
    steps: Shape,
    *,
    reach: int,
    accumulate: bool = False,
) -> Value:
    """The value with elements replaced by, or increased by, those of a source; see ops.Put."""
    if accumulate:
        plain(call, value)
        plain(call, source)
    result = Value(f"{value.name}_put", value.dtype, value.shape)
    op = ops.Put(
        [value, source, offsets],
        [result],
        shape=shape,
        strides=steps,
        reach=reach,
        accumulate=accumulate,
        source=call.place,
    )
    call.append(op)
    return result
