# SPDX-License-Identifier: Apache-2.0
"""Operators that read or write elements where offsets say. All operands are contiguous."""

from __future__ import annotations

from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.ir.ops import MaskedScatter, Offsets, Op, Put, Take, TopK
from petite.ir.schedule import Field, Ref
from petite.passes.lower.context import LoweringContext
from petite.passes.lower.movement import strided_copy
from petite.passes.lower.strides import broadcast_strides, padded, strides_of, walk


def offsets(context: LoweringContext, op: Op) -> None:
    """Offsets."""
    assert isinstance(op, Offsets)
    if op.output.count == 0:
        return
    dims, strides = broadcast_strides(op.output, op.inputs, op.source)
    fields: dict[str, Field] = {
        "size": op.size,
        "scale": op.scale,
        "from_end": int(op.from_end),
        "dims": padded(dims, 1),
        "index_strides": padded(strides[0], 0),
        "base_strides": padded(strides[-1] if len(op.inputs) == 2 else [0], 0),
    }
    if len(op.inputs) == 1:
        fields["base"] = None
    kernel = "offsets_s64_s32" if op.input.dtype is DType.S64 else "offsets_s32"
    _call(context, op, kernel, "offsets", ("index", "base")[: len(op.inputs)], fields)


def take(context: LoweringContext, op: Op) -> None:
    """Take: without offsets a strided copy."""
    assert isinstance(op, Take)
    if op.output.count == 0:
        return
    shape = list(op.output.shape)
    if len(op.inputs) == 1:
        strided_copy(context, op, shape, list(op.strides), op.start)
        return
    steps = _steps(op.inputs[1], op.output.shape)
    dims, (strides, offset_strides) = walk(shape, [list(op.strides), steps], op.source)
    size = op.output.dtype.size
    address = context.ref(op.input)
    fields: dict[str, Field] = {
        "input": Ref(address.buffer, address.offset + op.start * size),
        "element_size": size,
        "dims": padded(dims, 1),
        "strides": padded(strides, 0),
        "offset_strides": padded(offset_strides, 0),
    }
    _call(context, op, "take", "take", ("input", "offsets"), fields)


def put(context: LoweringContext, op: Op) -> None:
    """Put."""
    assert isinstance(op, Put)
    if op.output.count == 0:
        return
    _, source, at = op.inputs
    operands = [list(op.strides), _steps(source, op.shape), _steps(at, op.shape)]
    dims, (strides, source_strides, offset_strides) = walk(list(op.shape), operands, op.source)
    fields: dict[str, Field] = {
        "element_size": op.output.dtype.size,
        "count": op.output.count,
        "dims": padded(dims, 1),
        "strides": padded(strides, 0),
        "source_strides": padded(source_strides, 0),
        "offset_strides": padded(offset_strides, 0),
    }
    kernel = f"put_add_{op.output.dtype.suffix}" if op.accumulate else "put"
    _call(context, op, kernel, "put", ("input", "source", "offsets"), fields)


def masked_scatter(context: LoweringContext, op: Op) -> None:
    """MaskedScatter."""
    assert isinstance(op, MaskedScatter)
    if op.output.count == 0:
        return
    dims, (strides, mask_strides) = broadcast_strides(op.output, op.inputs[:2], op.source)
    fields: dict[str, Field] = {
        "element_size": op.output.dtype.size,
        "source_count": op.inputs[2].count,
        "dims": padded(dims, 1),
        "strides": padded(strides, 0),
        "mask_strides": padded(mask_strides, 0),
    }
    names = ("input", "mask", "source")
    _call(context, op, "masked_scatter", "masked_scatter", names, fields)


def topk(context: LoweringContext, op: Op) -> None:
    """TopK."""
    assert isinstance(op, TopK)
    if op.output.count == 0:
        return
    columns = op.input.shape[-1]
    fields: dict[str, Field] = {
        "rows": op.input.count // columns,
        "columns": columns,
        "k": op.k,
        "largest": int(op.largest),
    }
    types = dict.fromkeys((op.input.dtype.suffix, op.output.dtype.suffix))
    _call(context, op, "_".join(("topk", *types)), "topk", ("input",), fields)


def _steps(value: Value, shape: tuple[int, ...]) -> list[int]:
    """Strides of a value that is broadcast to a shape."""
    missing = len(shape) - len(value.shape)
    own = zip(value.shape, strides_of(value), strict=True)
    return [0] * missing + [0 if size == 1 else step for size, step in own]


def _call(
    context: LoweringContext,
    op: Op,
    kernel: str,
    family: str,
    names: tuple[str, ...],
    fields: dict[str, Field],
) -> None:
    """No output may overlap an input."""
    context.call(op, kernel, fields, [None] * len(names), inputs=names, family=family)
