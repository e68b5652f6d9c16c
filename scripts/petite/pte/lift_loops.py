# SPDX-License-Identifier: Apache-2.0
"""What torch.map and torch.scan become: rows gathered one after the other.

The numbers that a loop counts with (lift_numbers.py) are known when the model is compiled. So a
loop is unrolled by doing what its instructions say.
"""

from __future__ import annotations

from petite.ir import ops
from petite.ir.functions import ALL
from petite.ir.graph import Value
from petite.pte.call import Call
from petite.pte.operator import Operator

_REEXPORT = "export the model again with ExecuTorch 1.5.1"


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
    "executorch_prim::et_copy_index.tensor": Operator(_copy_index, ALL),
}
