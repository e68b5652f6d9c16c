# SPDX-License-Identifier: Apache-2.0
"""Operators on each element, matrix products, softmax, and conversions."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from kernel_testing import cases
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import ALL, FUNCTIONS
from petite.ir.graph import Value
from properties.growth import INT8, MOST_ELEMENTS, MOST_WEIGHTS, Growing

#: Functions without rounding (of float32 only those that compare).
_EXACT = (
    *("min", "max", "add", "sub", "mul", "abs", "neg", "sign", "not"),
    *("and", "or", "xor", "shift_left", "shift_right", "eq", "ne", "lt", "le", "gt", "ge"),
)


def _channelwise(grow: Growing) -> tuple[Value, Value]:
    """Two operands of one shape, or the second with one value a channel."""
    if grow.chance():
        x = grow.image()
        return x, grow.companion(x, (1, x.shape[1], 1, 1))
    x = grow.tensor(DType.S8)
    return x, grow.companion(x)


def add(grow: Growing) -> None:
    """Scales as exports have them, and far from that."""
    x, y = _channelwise(grow)
    grow.emit(
        ops.Add,
        [x, y],
        x.shape,
        offsets=(grow.offset(), grow.offset()),
        scales=(grow.requantize(2.0**7), grow.requantize(2.0**7)),
        output_offset=grow.offset(),
        requantize=grow.requantize(2.0**27),
        clamp=grow.clamp(),
    )


def mul(grow: Growing) -> None:
    """Offsets on both sides."""
    x, y = _channelwise(grow)
    grow.emit(
        ops.Mul,
        [x, y],
        x.shape,
        offsets=(grow.offset(), grow.offset()),
        output_offset=grow.offset(),
        requantize=grow.requantize(5000.0),
    )


def div(grow: Growing) -> None:
    """int8 and int16, divisors of zero among them."""
    x = grow.tensor(DType.S8, DType.S8, DType.S16)
    grow.emit(
        ops.Div,
        [x, grow.companion(x)],
        x.shape,
        x.dtype,
        offsets=(grow.offset(), grow.offset()),
        output_offset=grow.offset(),
        scale=float(np.float32(grow.choose(1.0, 0.5, 0.0625, 37.25, 1e30, 0.001))),
    )


def _broadcast(grow: Growing, value: Value) -> Value:
    """An operand that broadcasts to a value's shape."""
    shape = tuple(n if grow.chance() else 1 for n in value.shape)
    shape = shape[grow.number(0, len(shape) - 1) :] if grow.chance() else shape
    return grow.companion(value, None if grow.chance() else shape)


def elementwise(grow: Growing) -> None:
    """What is exact on every element type, broadcast in any dimension of either side.

    Functions that round are tested one by one (tests/host/test_functions.py).
    """
    x = grow.tensor(DType.S8, DType.S8, *ALL)
    names = [n for n in _EXACT if x.dtype in FUNCTIONS[n].dtypes]
    exact = names if x.dtype is not DType.F32 else [n for n in names if FUNCTIONS[n].gives_bool]
    function = FUNCTIONS[grow.choose(*exact)]
    inputs = [x] if function.operands == 1 else [x, _broadcast(grow, x)]
    if grow.chance():
        inputs.reverse()
    dtype = function.result(x.dtype)
    grow.emit(ops.Elementwise, inputs, x.shape, dtype, function=function.name)


def where(grow: Growing) -> None:
    """A condition that broadcasts, or values that do."""
    x = grow.tensor(DType.S8, *ALL)
    condition = grow.operand(
        lambda v: v.dtype is DType.BOOL and v.shape == x.shape,
        lambda: grow.input(x.shape, DType.BOOL),
    )
    values = [x, _broadcast(grow, x)]
    if grow.chance():
        values.reverse()
    grow.emit(ops.Where, [condition, *values], x.shape, x.dtype)


def cast(grow: Growing) -> None:
    """Integers to anything, float32 to bool: what no number is too large for."""
    x = grow.tensor(*ALL)
    results = (DType.BOOL,) if x.dtype is DType.F32 else tuple(d for d in ALL if d is not x.dtype)
    grow.emit(ops.Cast, [x], x.shape, grow.choose(*results))


def lut(grow: Growing) -> None:
    """Any table."""
    x = grow.tensor(DType.S8)
    grow.emit(ops.Lut, [x], x.shape, table=cases.image(grow.rng, 256))


def softmax(grow: Growing) -> None:
    """Over any dimension."""
    x = grow.tensor(DType.S8)
    shift = grow.number(0, 22)
    lowest = -(2**31 >> shift)
    grow.emit(
        ops.Softmax,
        [x],
        x.shape,
        dim=grow.number(0, len(x.shape) - 1),
        requantize=ops.Requantize(
            grow.draw(st.one_of(st.integers(2**30, 2**31 - 1), st.integers(1, 2**31 - 1))), shift
        ),
        diff_min=max(lowest, -grow.choose(255, 248, 100, 20, 1, 0)),
    )


def linear(grow: Growing) -> None:
    """Rows of any rank; sums near the ends of 32 bits."""
    x = grow.tensor(DType.S8)
    inner, rows = x.shape[-1], x.count // x.shape[-1]
    features = max(1, min(grow.channels(), MOST_ELEMENTS // rows, MOST_WEIGHTS // inner))
    bias = cases.bias(grow.rng, features)
    grow.emit(
        ops.Linear,
        [x],
        (*x.shape[:-1], features),
        weights=grow.weights(features, inner),
        bias=np.zeros(features, np.int32) if bias is None else bias,
        output_offset=grow.offset(),
        requantize=grow.requantize(5000.0 * inner**0.5),
        clamp=grow.clamp(),
    )


def batch_matmul(grow: Growing) -> None:
    """The right side comes transposed."""
    x = grow.tensor(DType.S8, low_rank=3, high_rank=3)
    batches, rows, inner = x.shape
    columns = grow.choose(rows, grow.number(1, max(1, min(9, MOST_ELEMENTS // (batches * rows)))))
    y = grow.companion(x, (batches, columns, inner))
    grow.emit(
        ops.BatchMatmul,
        [x, y],
        (batches, rows, columns),
        offsets=(grow.offset(), grow.offset()),
        output_offset=grow.offset(),
        requantize=grow.requantize(5000.0 * inner**0.5),
    )


def quantize(grow: Growing) -> None:
    """To int8 and int16, into a part of the range."""
    x = grow.tensor(DType.F32)
    stored = grow.choose(DType.S8, DType.S8, DType.S16)
    ends = np.iinfo(stored.numpy)
    low, high = int(ends.min), int(ends.max)
    if grow.number(0, 3) == 0:
        low = grow.number(low, high)
        high = grow.number(low, high)
    grow.emit(
        ops.Quantize,
        [x],
        x.shape,
        stored,
        scale=_scale(grow),
        zero_point=grow.draw(st.one_of(st.sampled_from(INT8), st.integers(-40000, 40000))),
        low=low,
        high=high,
    )


def dequantize(grow: Growing) -> None:
    """From int8 and int16."""
    x = grow.tensor(DType.S8, DType.S16)
    grow.emit(ops.Dequantize, [x], x.shape, DType.F32, scale=_scale(grow), zero_point=grow.offset())


def _scale(grow: Growing) -> float:
    """Powers of two, whose products end in ties, and all others."""
    exponent = grow.number(-12, 4)
    return float(np.float32(2.0**exponent * grow.choose(1.0, 1.37, 1.9999)))
