# SPDX-License-Identifier: Apache-2.0
"""Operators that loops are made of. All but the copy of a row run while a program is loaded."""

from __future__ import annotations

from petite.ir.dtype import DType
from petite.ir.functions import ALL
from petite.select.entry import Entry


def _entry(operator: str, dtype: DType | None, prepare: str) -> Entry:
    return Entry(operator, dtype, None, prepare, "operators/prim/prim.h")


_NUMBERS = {
    "executorch_prim::add.Scalar": "add_numbers",
    "executorch_prim::sub.Scalar": "subtract_numbers",
    "executorch_prim::eq.Scalar": "are_numbers_equal",
}
_TENSORS = {
    "aten::sym_size.int": "number_of_size",
    "executorch_prim::et_copy_index.tensor": "copy_row",
}

CONTROL: tuple[Entry, ...] = (
    *(_entry(operator, None, prepare) for operator, prepare in _NUMBERS.items()),
    *(_entry(operator, dtype, prepare) for operator, prepare in _TENSORS.items() for dtype in ALL),
)
