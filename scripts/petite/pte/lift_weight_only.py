# SPDX-License-Identifier: Apache-2.0
"""Layers whose weights are stored integers, and whose arithmetic is float32: embeddings, products.

Scales are float32: one a row of the table (or of the matrix), or one a group of its columns.
"""

from __future__ import annotations

from collections.abc import Callable

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import FLOAT
from petite.ir.graph import Value
from petite.pte.call import Call
from petite.pte.lift_elementwise import apply, convert, finish, number
from petite.pte.lift_indexing import rows_of
from petite.pte.moves import cut, view
from petite.pte.operator import Lift, Operator


def _float(call: Call, position: int) -> Value:
    value = call.tensor(position)
    if value.dtype is not DType.F32:
        raise call.fail(f"{value} should be float32")
    return value


def _bytes(call: Call, rows: Value) -> Value:
    return rows


def _packed(bits: int, highest_first: bool) -> Callable[[Call, Value], Value]:
    """Numbers of a few bits, several in each byte, half of their range below zero."""

    def unpack(call: Call, rows: Value) -> Value:
        lanes = list(range(0, 8, bits))
        if highest_first:
            lanes.reverse()
        single = view(call, rows, (*rows.shape, 1))
        parts = []
        for lane in lanes:
            moved = apply(call, "shift_right", single, number(call, lane, DType.U8))
            parts.append(apply(call, "and", moved, number(call, 2**bits - 1, DType.U8)))
        spread = Value(f"{rows.name}_parts", DType.U8, (*rows.shape, len(lanes)))
        call.append(ops.Concat(parts, [spread], dim=len(rows.shape), source=call.place))
        whole = view(call, spread, (*rows.shape[:-1], rows.shape[-1] * len(lanes)))
        zero = number(call, 2 ** (bits - 1), DType.F32)
        return apply(call, "sub", convert(call, whole, DType.F32), zero)

    return unpack


def _embedding(unpack: Callable[[Call, Value], Value]) -> Lift:
    """(table, scales, zero points?, lowest, highest, indices[, dtype of the result?]): rows"""

    def lift(call: Call) -> None:
        table, indices = call.tensor(0), call.tensor(5)
        scales = _float(call, 1)
        zeros = None if call.is_none(2) else _float(call, 2)
        if len(table.shape) != 2 or not 1 <= len(scales.shape) <= 2:
            raise call.fail(f"{table} with the scales {scales} is no table")
        if scales.shape[0] != table.shape[0] or (zeros and zeros.shape != scales.shape):
            raise call.fail(f"{scales} and {zeros} do not fit {table}")
        rows = convert(call, unpack(call, rows_of(call, table, indices)), DType.F32)
        groups = scales.shape[1] if len(scales.shape) == 2 else 1
        if groups == 0 or rows.shape[-1] % groups:
            raise call.fail(f"{rows.shape[-1]} columns are not {groups} groups")
        grouped = view(call, rows, (*indices.shape, groups, rows.shape[-1] // groups))
        if zeros is not None:
            grouped = apply(call, "sub", grouped, _group(call, zeros, indices, groups))
        result = apply(call, "mul", grouped, _group(call, scales, indices, groups))
        finish(call, view(call, result, rows.shape))

    return lift


def _group(call: Call, parameters: Value, indices: Value, groups: int) -> Value:
    """The parameters of each group of the chosen rows, to be broadcast over its columns."""
    table = view(call, parameters, (parameters.shape[0], groups))
    return view(call, rows_of(call, table, indices), (*indices.shape, groups, 1))


def _no_zero_points(call: Call) -> None:
    if not call.is_none(3):
        raise call.fail("has zero points, for which ExecuTorch has no arithmetic; quantise evenly")


def _matrices(call: Call) -> tuple[Value, Value, Value]:
    """Rows, weights of int8 as float32, scales."""
    rows, weights, scales = _float(call, 0), call.tensor(1), _float(call, 2)
    _no_zero_points(call)
    if len(rows.shape) != 2 or len(weights.shape) != 2 or weights.dtype is not DType.S8:
        raise call.fail(f"{rows} and {weights} are no matrices of float32 and int8")
    if not scales.shape or scales.shape[0] != weights.shape[0]:
        raise call.fail(f"{scales} do not fit {weights}")
    return rows, convert(call, weights, DType.F32), scales


def _product(call: Call, rows: Value, weights: Value, *, transposed: bool) -> Value:
    inner = weights.shape[1 if transposed else 0]
    if rows.shape[1] != inner:
        raise call.fail(f"{rows} and {weights} do not match")
    columns = weights.shape[0 if transposed else 1]
    result = Value(f"{rows.name}_matmul", DType.F32, (rows.shape[0], columns))
    call.append(ops.Matmul([rows, weights], [result], transposed=transposed, source=call.place))
    return result


def _mixed_linear(call: Call) -> None:
    """(x [rows, in], weights [out, in], scales [out] or [out, groups], zero points?, dtype?)"""
    rows, weights, scales = _matrices(call)
    groups = scales.shape[1] if len(scales.shape) == 2 else 1
    if groups == 0 or rows.shape[1] == 0:
        raise call.fail(f"{weights} has no columns, or no groups of them")
    size = -(-rows.shape[1] // groups)
    scales = view(call, scales, (scales.shape[0], groups))
    total: Value | None = None
    for group, start in enumerate(range(0, rows.shape[1], size)):
        count = min(size, rows.shape[1] - start)
        parts = [cut(call, value, 1, start, count) for value in (rows, weights)]
        product = _product(call, *parts, transposed=True)
        factors = view(call, cut(call, scales, 1, group, 1), (1, weights.shape[0]))
        part = apply(call, "mul", product, factors)
        total = part if total is None else apply(call, "add", total, part)
    assert total is not None
    finish(call, total)


def _mixed_mm(call: Call) -> None:
    """(x [rows, in], weights [in, out], scales [in], zero points?)"""
    rows, weights, scales = _matrices(call)
    scaled = apply(call, "mul", rows, view(call, scales, (1, weights.shape[0])))
    finish(call, _product(call, scaled, weights, transposed=False))


_FOUR_BITS = _packed(4, highest_first=True)
_TWO_BITS = _packed(2, highest_first=False)
_BYTES = (DType.S8, DType.U8)
_NAMESPACE = "quantized_decomposed::"

WEIGHT_ONLY_OPERATORS: dict[str, Operator] = {
    **{
        f"{_NAMESPACE}embedding_{width}.{overload}": Operator(_embedding(unpack), dtypes)
        for width, unpack, dtypes in (
            ("byte", _bytes, _BYTES),
            ("4bit", _FOUR_BITS, (DType.U8,)),
            ("2bit", _TWO_BITS, (DType.U8,)),
        )
        for overload in ("out", "dtype_out")
    },
    f"{_NAMESPACE}mixed_linear.out": Operator(_mixed_linear, FLOAT, "no zero points"),
    f"{_NAMESPACE}mixed_mm.out": Operator(_mixed_mm, FLOAT, "no zero points"),
}
