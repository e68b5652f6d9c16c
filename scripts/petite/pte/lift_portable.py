# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable operators that only move data, as operators of the graph."""

from __future__ import annotations

from petite.ir import ops
from petite.ir.functions import ALL
from petite.ir.graph import Value
from petite.pte.call import Call
from petite.pte.lift_elementwise import convert, plain
from petite.pte.operator import Operator


def _same(call: Call) -> None:
    """Copies that change nothing but perhaps the element type."""
    source = call.tensor(0)
    output = call.result()
    if output.dtype is not source.dtype:
        source = convert(call, plain(call, source), output.dtype)
    call.bind(source if output.shape == source.shape else _view(call, source, output))


def _view(call: Call, source: Value, output: Value) -> Value:
    if output.count != source.count or output.dtype != source.dtype:
        raise call.fail(f"cannot see {source} as {output}")
    if source.data is not None:
        output.data = source.data.reshape(output.shape)
    else:
        call.append(ops.View([source], [output], source=call.place))
    return output


def _reshape(call: Call) -> None:
    """view_copy, squeeze_copy, unsqueeze_copy...: the output's shape says it all."""
    call.bind(_view(call, call.tensor(0), call.result()))


def _permute(call: Call) -> None:
    """(input, dims)"""
    source = call.tensor(0)
    permutation = _dimensions(call, call.integers(1), source)
    if sorted(permutation) != list(range(len(source.shape))):
        raise call.fail(f"{list(permutation)} is no permutation of {source}")
    _emit_permute(call, source, permutation)


def _dimensions(call: Call, numbers: tuple[int, ...], value: Value) -> tuple[int, ...]:
    """Dimensions of a value, counted from the front."""
    rank = len(value.shape)
    wrong = [dim for dim in numbers if not -rank <= dim < rank]
    if wrong:
        raise call.fail(f"{value} has no dimension {wrong[0]}")
    return tuple(dim % rank for dim in numbers)


def _transpose(call: Call) -> None:
    """(input, dim0, dim1)"""
    source = call.tensor(0)
    permutation = list(range(len(source.shape)))
    if not permutation:
        call.bind(source)
        return
    first, second = _dimensions(call, (call.integer(1), call.integer(2)), source)
    permutation[first], permutation[second] = second, first
    _emit_permute(call, source, tuple(permutation))


def _t(call: Call) -> None:
    """(input): reverses a matrix; leaves a vector."""
    source = call.tensor(0)
    _emit_permute(call, source, tuple(reversed(range(len(source.shape)))))


def _emit_permute(call: Call, source: Value, permutation: tuple[int, ...]) -> None:
    output = call.result()
    if source.data is not None:
        output.data = source.data.transpose(permutation)
        call.bind(output)
        return
    call.emit(ops.Permute([source], [output], permutation=permutation, source=call.place))


def _copy_in_place(call: Call) -> None:
    """copy_(self, src): self, and the result, take the contents of src"""
    value = _broadcast_to(call, call.tensor(1), call.tensor_value(0).sizes)
    call.bind(value, 0)
    call.bind(value)


def _copy(call: Call) -> None:
    """copy(self, src): the result takes the contents of src, in the shape of self"""
    call.bind(_broadcast_to(call, call.tensor(1), call.tensor_value(-1).sizes))


def _broadcast_to(call: Call, source: Value, shape: tuple[int, ...]) -> Value:
    if source.shape == shape:
        return source
    value = Value(f"{source.name}_e", source.dtype, shape)
    call.append(ops.Expand([source], [value], source=call.place))
    return value


def _cat(call: Call) -> None:
    """(tensors, dim)"""
    output = call.result()
    (dim,) = _dimensions(call, (call.integer(1),), output)
    parts = [part for part in call.tensors(0) if part.count > 0]
    if any(part.dtype != output.dtype for part in parts):
        raise call.fail(
            "tensors of different element types cannot be joined; convert them in the model first"
        )
    call.emit(ops.Concat(parts, [output], dim=dim, source=call.place))


def _slice(call: Call) -> None:
    """(input, dim, start?, end?, step)"""
    source = call.tensor(0)
    (dim,) = _dimensions(call, (call.integer(1),), source)
    start = 0 if call.is_none(2) else call.integer(2)
    size = source.shape[dim]
    start = min(max(start + size if start < 0 else start, 0), size)
    call.emit(
        ops.Slice(
            [source], [call.result()], dim=dim, start=start, step=call.integer(4), source=call.place
        )
    )


def _select(call: Call) -> None:
    """(input, dim, index): a slice of one, without its dimension"""
    source, output = call.tensor(0), call.result()
    (dim,) = _dimensions(call, (call.integer(1),), source)
    size, index = source.shape[dim], call.integer(2)
    if not -size <= index < size:
        raise call.fail(f"{source} has no element {index} along dimension {dim}")
    index %= size
    shape = (*source.shape[:dim], 1, *source.shape[dim + 1 :])
    one = Value(f"{output.name}_s", source.dtype, shape)
    call.append(ops.Slice([source], [one], dim=dim, start=index, step=1, source=call.place))
    call.bind(_view(call, one, output))


def _split(call: Call) -> None:
    """(input, sizes or size, dim) -> list: each part is a slice"""
    source = call.tensor(0)
    (dim,) = _dimensions(call, (call.integer(2),), source)
    start = 0
    for index in call.tensor_indexes(-1):
        part = call.lifter.new_value(index, call.place)
        call.append(ops.Slice([source], [part], dim=dim, start=start, step=1, source=call.place))
        call.lifter.write(index, part)
        start += part.shape[dim]


def _expand(call: Call) -> None:
    """(input, size, implicit)"""
    source, output = call.tensor(0), call.result()
    if output.count == source.count:
        call.bind(_view(call, source, output))
        return
    call.emit(ops.Expand([source], [output], source=call.place))


def _flip(call: Call) -> None:
    """(input, dims): each is read from its end"""
    value, output = call.tensor(0), call.result()
    # A tensor without dimensions has one element, whose order cannot change.
    for dim in _dimensions(call, call.integers(1), value) if value.shape else ():
        flipped = Value(f"{value.name}_f{dim}", value.dtype, value.shape)
        call.append(
            ops.Slice(
                [value],
                [flipped],
                dim=dim,
                start=value.shape[dim] - 1,
                step=-1,
                source=call.place,
            )
        )
        value = flipped
    call.bind(value if value.shape == output.shape else _view(call, value, output))


def _repeat(call: Call) -> None:
    """(input, counts): every dimension, and new ones in front, so many times over"""
    source, output = call.tensor(0), call.result()
    counts = call.integers(1)
    if len(counts) < len(source.shape):
        raise call.fail(f"{len(counts)} counts do not fit {source}")
    shape = (1,) * (len(counts) - len(source.shape)) + source.shape
    split = tuple(n for size in shape for n in (1, size))
    spread = tuple(n for pair in zip(counts, shape, strict=True) for n in pair)
    apart = Value(f"{output.name}_v", source.dtype, split)
    repeated = Value(f"{output.name}_e", source.dtype, spread)
    call.append(ops.View([source], [apart], source=call.place))
    call.append(ops.Expand([apart], [repeated], source=call.place))
    call.append(ops.View([repeated], [output], source=call.place))
    call.bind(output)


def _constant_pad(call: Call) -> None:
    """(input, pads from the last dimension backwards, value)"""
    source = call.tensor(0)
    rank = len(source.shape)
    pads = call.integers(1)
    if len(pads) % 2 or len(pads) > 2 * rank:
        raise call.fail(f"{len(pads)} paddings do not fit {source}")
    before, after = [0] * rank, [0] * rank
    for pair in range(len(pads) // 2):
        before[rank - 1 - pair] = pads[2 * pair]
        after[rank - 1 - pair] = pads[2 * pair + 1]
    call.emit(
        ops.Pad(
            [source],
            [call.result()],
            before=tuple(before),
            after=tuple(after),
            value=call.number(2),
            source=call.place,
        )
    )


PORTABLE_OPERATORS: dict[str, Operator] = {
    "dim_order_ops::_clone_dim_order.out": Operator(_same, ALL),
    "dim_order_ops::_to_dim_order_copy.out": Operator(_same, ALL),
    "aten::_to_copy.out": Operator(_same, ALL),
    "aten::clone.out": Operator(_same, ALL),
    "aten::alias_copy.out": Operator(_same, ALL),
    "aten::detach_copy.out": Operator(_same, ALL),
    "aten::lift_fresh_copy.out": Operator(_same, ALL),
    "aten::view_copy.out": Operator(_reshape, ALL),
    "aten::_unsafe_view.out": Operator(_reshape, ALL),
    "aten::squeeze_copy.dim_out": Operator(_reshape, ALL),
    "aten::squeeze_copy.dims_out": Operator(_reshape, ALL),
    "aten::squeeze_copy.out": Operator(_reshape, ALL),
    "aten::unsqueeze_copy.out": Operator(_reshape, ALL),
    "executorch_prim::et_view.default": Operator(_reshape, ALL),
    "aten::permute_copy.out": Operator(_permute, ALL),
    "aten::transpose_copy.int_out": Operator(_transpose, ALL),
    "aten::t_copy.out": Operator(_t, ALL),
    "aten::copy_": Operator(_copy_in_place, ALL),
    "aten::copy.out": Operator(_copy, ALL),
    "aten::cat.out": Operator(_cat, ALL),
    "aten::slice_copy.Tensor_out": Operator(_slice, ALL),
    "aten::select_copy.int_out": Operator(_select, ALL),
    "aten::split_with_sizes_copy.out": Operator(_split, ALL),
    "aten::split_copy.Tensor_out": Operator(_split, ALL),
    "aten::expand_copy.out": Operator(_expand, ALL),
    "aten::repeat.out": Operator(_repeat, ALL),
    "aten::flip.out": Operator(_flip, ALL),
    "aten::constant_pad_nd.out": Operator(_constant_pad, ALL, "not negative"),
}
