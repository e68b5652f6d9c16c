# SPDX-License-Identifier: Apache-2.0
"""Operators that move data without computing."""

from __future__ import annotations

import numpy as np

from petite.errors import PetiteError
from petite.ir.graph import Value
from petite.ir.ops import Concat, Copy, Expand, Op, Pad, Relayout, Slice
from petite.ir.schedule import KernelCall, Ref, Role
from petite.passes.layout import layout_of
from petite.passes.lower.context import LoweringContext, part_of, read_of
from petite.passes.lower.strides import MAX_RANK, broadcast_strides, padded, strides_of, walk


def copy(context: LoweringContext, op: Op) -> None:
    """The same bytes somewhere else."""
    assert isinstance(op, Copy)
    context.call(op, "copy", {"size": op.output.size}, [None], folder="copy")


def relayout(context: LoweringContext, op: Op) -> None:
    """The same elements in another order in memory."""
    assert isinstance(op, Relayout)
    order = layout_of(op.output)
    strided_copy(context, op, [op.output.shape[d] for d in order], _ordered(op.input, order), 0)


def expand(context: LoweringContext, op: Op) -> None:
    """Repeats dimensions by strides of zero."""
    assert isinstance(op, Expand)
    dims, strides = broadcast_strides(op.output, op.inputs, op.source)
    strided_copy(context, op, dims, strides[0], 0)


def slice_(context: LoweringContext, op: Op) -> None:
    """Every step-th element along one dimension."""
    assert isinstance(op, Slice)
    order = layout_of(op.output)
    own = strides_of(op.input)
    start = op.start * own[op.dim]
    own[op.dim] *= op.step
    strided_copy(context, op, [op.output.shape[d] for d in order], [own[d] for d in order], start)


def _ordered(value: Value, order: tuple[int, ...]) -> list[int]:
    own = strides_of(value)
    return [own[d] for d in order]


def strided_copy(
    context: LoweringContext, op: Op, dims: list[int], strides: list[int], start: int
) -> None:
    """Read with strides, write densely: blocks where the innermost elements are neighbours."""
    size = op.output.dtype.size
    dims, (strides,) = walk(dims, [strides], op.source)
    address = context.ref(op.input)
    moved = Ref(address.buffer, address.offset + start * size)
    if strides[-1] == 1 and len(dims) <= 2:
        block = dims[-1] * size
        count = dims[0] if len(dims) == 2 else 1
        stride = strides[0] * size if len(dims) == 2 else block
        _blocks(
            context, op, op.input, (moved, stride), (context.ref(op.output), block), count, block
        )
        return
    context.call(
        op,
        "transpose",
        {
            "element_size": size,
            "dims": padded(dims, 1),
            "strides": padded(strides, 0),
            "input": moved,
        },
        [None],
        folder="transpose",
        # Others move bytes.
        variant=None if size == 1 else "scalar",
    )


def _blocks(
    context: LoweringContext,
    op: Op,
    source: Value,
    read: tuple[Ref, int],
    write: tuple[Ref, int],
    count: int,
    block: int,
) -> None:
    """``count`` blocks of bytes, equally spaced on both sides: (address, stride) each."""
    buffer = read[0].buffer
    output = context.ref(op.output)
    context.calls.append(
        KernelCall(
            context.name("copy_blocks"),
            "copy_blocks",
            "kernels/copy_blocks/copy_blocks.h",
            {
                "input": read[0],
                "output": write[0],
                "count": count,
                "block_size": block,
                "input_stride": read[1],
                "output_stride": write[1],
            },
            []
            if buffer.role is Role.CONSTANT
            else [read_of(source, context.ref(source), None, output)],
            [output.buffer],
            op.source,
            part=part_of(op.output, output),
        )
    )


def concat(context: LoweringContext, op: Op) -> None:
    """One call an input, each into its place in the output."""
    assert isinstance(op, Concat)
    order = layout_of(op.output)
    position = order.index(op.dim)
    outer = int(np.prod([op.output.shape[d] for d in order[:position]], dtype=np.int64))
    stride = op.output.size // outer
    target = context.ref(op.output)
    offset = target.offset
    for part in op.inputs:
        block = part.size // outer
        place = Ref(target.buffer, offset)
        _blocks(context, op, part, (context.ref(part), block), (place, stride), outer, block)
        offset += block


def pad(context: LoweringContext, op: Op) -> None:
    """Constant padding in the order of memory; negative padding is refused."""
    assert isinstance(op, Pad)
    if min(*op.before, *op.after) < 0:
        raise PetiteError(f"{op.source}: negative padding is not supported; use a slice")
    order = layout_of(op.output)
    if len(order) > MAX_RANK:
        raise PetiteError(f"{op.source}: rank {len(order)} is not supported, at most {MAX_RANK}")
    fill = np.array([op.value], dtype=op.output.dtype.numpy).tobytes()
    context.call(
        op,
        "pad",
        {
            "element_size": op.output.dtype.size,
            "input_dims": padded([op.input.shape[d] for d in order], 1),
            "before": padded([op.before[d] for d in order], 0),
            "after": padded([op.after[d] for d in order], 0),
            "fill": tuple(fill.ljust(8, b"\0")),
        },
        [None],
        folder="pad",
    )
