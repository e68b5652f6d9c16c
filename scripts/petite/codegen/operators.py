# SPDX-License-Identifier: Apache-2.0
"""C initialisers of petite/operator.h: what an operator of the application is given."""

from __future__ import annotations

import math
from collections.abc import Callable

from petite.codegen.literals import element
from petite.ir.dtype import DType
from petite.ir.schedule import Integers, OperatorCall, Ref, Role, Tensor

#: A C expression of pointer type for an address, or for none.
Address = Callable[[Ref | None], str]


def operator_call(call: OperatorCall, address: Address) -> str:
    """A struct petite_operator_call, one argument or output a line, as a field's value.

    Names of operators hold only letters, digits, underscores, colons and dots.
    """
    arguments = [_argument(value, address) for value in call.arguments]
    outputs = [_tensor(value, address) for value in call.outputs]
    fields = [
        f'.name = "{call.name}"',
        f".arguments = {_array('struct petite_argument', arguments)}",
        f".outputs = {_array('struct petite_tensor', outputs)}",
        f".argument_count = {len(arguments)}",
        f".output_count = {len(outputs)}",
    ]
    return "{\n" + "".join(f"\t\t{field},\n" for field in fields) + "\t}"


def _array(c_type: str, items: list[str]) -> str:
    """An unnamed array, which at file scope lives as long as the program."""
    if not items:
        return "NULL"
    return f"(const {c_type}[]){{\n" + "".join(f"\t\t\t{item},\n" for item in items) + "\t\t}"


def _tensor(tensor: Tensor, address: Address) -> str:
    # Only arguments are constants, and those are read only.
    cast = "(void *)" if tensor.ref.buffer.role is Role.CONSTANT else ""
    return (
        f"{{ .data = {cast}{address(tensor.ref)}, .dims = {address(tensor.dims)}, "
        f".rank = {tensor.rank}, .dtype = {tensor.dtype.plan_name} }}"
    )


def _argument(value: Tensor | Integers | bool | int | float | None, address: Address) -> str:
    kind, member = _kind_and_member(value, address)
    return f"{{ {member}.kind = PETITE_ARGUMENT_{kind} }}"


def _kind_and_member(
    value: Tensor | Integers | bool | int | float | None, address: Address
) -> tuple[str, str]:
    match value:
        case None:
            return "NONE", ""
        case Tensor():
            return "TENSOR", f".as.tensor = {_tensor(value, address)}, "
        case Integers():
            items = f"{{ .items = {address(value.items)}, .count = {value.count} }}"
            return "INTEGERS", f".as.integers = {items}, "
        case bool():  # before int, whose subclass it is
            return "BOOLEAN", f".as.integer = {int(value)}, "
        case int():
            return "INTEGER", f".as.integer = {element(value, DType.S64)}, "
        case float():
            return "REAL", f".as.real = {_double(value)}, "


def _double(value: float) -> str:
    """A double literal: the shortest decimal that reads back as the same number."""
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value)
