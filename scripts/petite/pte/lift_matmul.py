# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable products of matrices, on numbers of any type."""

from __future__ import annotations

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import NUMBERS
from petite.ir.graph import Value
from petite.pte.call import Call
from petite.pte.lift_elementwise import apply, finish, number, plain
from petite.pte.operator import Operator


def _operands(call: Call, first: int, *, transposed: bool, rank: int) -> tuple[Value, Value]:
    left, right = (plain(call, call.tensor(p)) for p in (first, first + 1))
    inner = right.shape[-1 if transposed else -2] if len(right.shape) == rank else None
    same = left.dtype is right.dtype and (rank == 2 or left.shape[:-2] == right.shape[:-2])
    if not left.shape or left.shape[-1] != inner or not same:
        raise call.fail(f"{left} and {right} do not match")
    return left, right


def _product(call: Call, left: Value, right: Value, *, transposed: bool) -> Value:
    columns = right.shape[-2 if transposed else -1]
    result = Value(f"{left.name}_matmul", left.dtype, (*left.shape[:-1], columns))
    call.append(ops.Matmul([left, right], [result], transposed=transposed, source=call.place))
    return result


def _mm(call: Call) -> None:
    """(x, y)"""
    finish(call, _product(call, *_operands(call, 0, transposed=False, rank=2), transposed=False))


def _bmm(call: Call) -> None:
    """(x, y), a product for each batch"""
    finish(call, _product(call, *_operands(call, 0, transposed=False, rank=3), transposed=False))


def _linear(call: Call) -> None:
    """(x, weights [out, in], bias?)"""
    rows, matrix = _operands(call, 0, transposed=True, rank=2)
    bias = None if call.is_none(2) else plain(call, call.tensor(2))
    if rows.dtype is DType.F32:
        _emit_float(call, rows, matrix, bias, transposed=True)
        return
    product = _product(call, rows, matrix, transposed=True)
    finish(call, product if bias is None else apply(call, "add", product, bias))


def _addmm(call: Call) -> None:
    """(bias, x, y, beta, alpha)"""
    rows, matrix = _operands(call, 1, transposed=False, rank=2)
    bias = plain(call, call.tensor(0))
    beta, alpha = call.number(3), call.number(4)
    if rows.dtype is DType.F32:
        _emit_float(call, rows, matrix, bias, transposed=False, beta=beta, alpha=alpha)
        return
    product = _product(call, rows, matrix, transposed=False)
    parts = [
        value if factor == 1 else apply(call, "mul", value, number(call, factor, rows.dtype))
        for value, factor in ((product, alpha), (bias, beta))
    ]
    finish(call, apply(call, "add", *parts))


def _emit_float(
    call: Call,
    rows: Value,
    matrix: Value,
    bias: Value | None,
    *,
    transposed: bool,
    beta: float = 1.0,
    alpha: float = 1.0,
) -> None:
    call.emit(
        ops.FloatLinear(
            [rows, matrix] if bias is None else [rows, matrix, bias],
            [call.result()],
            transposed=transposed,
            beta=beta,
            alpha=alpha,
            source=call.place,
        )
    )


MATMUL_OPERATORS: dict[str, Operator] = {
    "aten::mm.out": Operator(_mm, NUMBERS),
    "aten::bmm.out": Operator(_bmm, NUMBERS),
    "aten::linear.out": Operator(_linear, NUMBERS),
    "aten::addmm.out": Operator(_addmm, NUMBERS),
}
