# SPDX-License-Identifier: Apache-2.0
"""What torch.map and torch.scan become: counting, and rows gathered one after the other.

The numbers that a loop counts with are known when the model is compiled, because shapes are. So a
loop is unrolled by doing what its instructions say.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import add, eq, sub

from petite.ir import ops
from petite.ir.functions import ALL
from petite.ir.graph import Value
from petite.pte.call import Call
from petite.pte.operator import Operator
from petite.pte.program import BoolValue, IntValue

_INT64 = 2**63
_REEXPORT = "export the model again with ExecuTorch 1.5.1"


def _scalar(function: Callable[[int, int], int]) -> Callable[[Call], None]:
    """(a, b, result) of integers"""

    def lift(call: Call) -> None:
        result = function(call.integer(0), call.integer(1))
        if isinstance(result, bool):
            call.set_scalar(2, BoolValue(result))
        elif -_INT64 <= result < _INT64:
            call.set_scalar(2, IntValue(result))
        else:
            raise call.fail(f"the result {result} does not fit 64 bits; {_REEXPORT}")

    return lift


def _size(call: Call) -> None:
    """(tensor, dim, result)"""
    shape = call.lifter.shape(call.args[0], call.place)
    dim = call.integer(1)
    if not -len(shape) <= dim < len(shape):
        raise call.fail(f"has no dimension {dim} of {list(shape)}; {_REEXPORT}")
    call.set_scalar(2, IntValue(shape[dim]))


def _copy_index(call: Call) -> None:
    """(rows, row, index): the tensor grows by a row"""
    whole = call.tensor_value(0)
    row, index = call.tensor(1), call.integer(2)
    if whole.sizes[1:] != row.shape or not whole.sizes:
        raise call.fail(f"{row} is no row of {list(whole.sizes)}; {_REEXPORT}")
    rows = call.lifter.gather(call.args[0], row, index)
    if rows is None:
        raise call.fail(f"writes row {index}, which is not the one that follows; {_REEXPORT}")
    if len(rows) == whole.sizes[0]:
        _join(call, rows)
    elif len(rows) > whole.sizes[0]:
        raise call.fail(f"writes row {index} of {whole.sizes[0]}; {_REEXPORT}")
    else:
        call.forbid(0, f"{len(rows)} of {whole.sizes[0]} rows are computed; a loop must fill all")


def _join(call: Call, rows: list[Value]) -> None:
    """All rows, below each other."""
    parts = []
    for row in rows:
        part = Value(f"{row.name}_v", row.dtype, (1, *row.shape))
        call.append(ops.View([row], [part], source=call.place))
        parts.append(part)
    call.emit(ops.Concat(parts, [call.result(0)], dim=0, source=call.place), 0)


LOOP_OPERATORS: dict[str, Operator] = {
    "aten::sym_size.int": Operator(_size, ALL),
    "executorch_prim::add.Scalar": Operator(_scalar(add), ()),
    "executorch_prim::sub.Scalar": Operator(_scalar(sub), ()),
    "executorch_prim::eq.Scalar": Operator(_scalar(eq), ()),
    "executorch_prim::et_copy_index.tensor": Operator(_copy_index, ALL),
}
