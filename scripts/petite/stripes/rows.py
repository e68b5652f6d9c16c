# SPDX-License-Identifier: Apache-2.0
"""Which rows of its inputs an operator reads for some rows of its output, and the operator on them.

"Rows" lie along the outermost dimension in memory: the height of an image, or the width of one that
is a row of pixels. They are contiguous, so some of them are a value like any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from petite.ir import ops
from petite.ir.graph import Value
from petite.ir.ops import Op, Padding
from petite.passes.layout import essence, layout_of


@dataclass(frozen=True)
class Rows:
    """Rows from ``start`` to before ``stop``."""

    start: int
    stop: int

    @property
    def count(self) -> int:
        """How many; 0 where there is none."""
        return max(0, self.stop - self.start)


_WINDOWS = (ops.Conv2d, ops.DepthwiseConv2d, ops.AvgPool2d, ops.MaxPool2d)
_ELEMENTWISE = (
    *(ops.Add, ops.Mul, ops.Lut, ops.Quantize, ops.Dequantize, ops.FloatClamp, ops.Cast),
    ops.Elementwise,
)
_CUT = (*_WINDOWS, *_ELEMENTWISE, ops.Concat)


def row_axis(op: Op) -> int | None:
    """The dimension of the output whose rows can be computed one after another; None if none."""
    if not isinstance(op, _CUT) or op.guard is not None:
        return None
    if isinstance(op, ops.Concat) and op.dim != 1:
        return None
    axis = _outermost(op.output)
    if axis is None or any(_outermost(v) != axis for v in cut_inputs(op)):
        return None
    others = [v for v in op.inputs if v not in cut_inputs(op)]
    repeats_channels = isinstance(op, ops.Add | ops.Mul) and cut_inputs(op) == op.inputs[:1]
    return axis if repeats_channels or not others else None


def _outermost(value: Value) -> int | None:
    """The dimension of an image that lies outermost in memory, if it has rows."""
    if len(value.shape) != 4 or value.shape[0] != 1:
        return None
    order = essence(value, layout_of(value))
    return order[0] if order and order[0] in (2, 3) else None


def cut_inputs(op: Op) -> list[Value]:
    """The inputs of which some rows are read for some rows of the output; others are read whole."""
    if isinstance(op, _WINDOWS):
        return op.inputs[:1]
    if isinstance(op, ops.Concat):
        return op.inputs
    return [v for v in op.inputs if v.shape == op.output.shape]


def row_size(value: Value, axis: int) -> int:
    """Bytes."""
    return value.size // value.shape[axis]


def rows_read(op: Op, axis: int, rows: Rows) -> Rows | None:
    """Of each input that is cut; None where some window sees no pixel."""
    if not isinstance(op, _WINDOWS):
        return rows
    length = op.input.shape[axis]
    dilation = _dilation(op)[axis - 2]
    reach = (op.kernel[axis - 2] - 1) * dilation + 1
    first = _first_read(op, axis, rows.start)
    last = _first_read(op, axis, rows.stop - 1)
    if first + reach <= 0 or last >= length:
        return None
    return Rows(max(first, 0), min(last + reach, length))


def _first_read(op: ops.Window, axis: int, row: int) -> int:
    """The row that the window of an output row starts at, which may lie outside the image."""
    before = op.padding.top if axis == 2 else op.padding.left
    return row * op.stride[axis - 2] - before


def _dilation(op: ops.Window) -> ops.Pair:
    return op.dilation if isinstance(op, ops.Convolution | ops.MaxPool2d) else (1, 1)


def on_rows(op: Op, axis: int, rows: Rows, inputs: list[Value], output: Value) -> Op:
    """The operator that computes some rows of the output from the rows that they need."""
    where = f"{op.source}, {'rows' if axis == 2 else 'columns'} {rows.start} to {rows.stop - 1}"
    part = replace(op, inputs=inputs, outputs=[output], source=where)
    if isinstance(part, _WINDOWS):
        assert isinstance(op, _WINDOWS)
        part.padding = _padding(op, axis, rows)
    return part


def _padding(op: ops.Window, axis: int, rows: Rows) -> Padding:
    """What is left of it at rows that reach an end of the image."""
    read = rows_read(op, axis, rows)
    assert read is not None
    whole = op.padding
    before = read.start - _first_read(op, axis, rows.start)
    at_end = read.stop == op.input.shape[axis]
    if axis == 2:
        return Padding(before, whole.left, whole.bottom if at_end else 0, whole.right)
    return Padding(whole.top, before, whole.bottom, whole.right if at_end else 0)
