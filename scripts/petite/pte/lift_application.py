# SPDX-License-Identifier: Apache-2.0
"""Operators that the application brings: any operator of the file, by its name.

The file has no schemas, so what is an output follows from how ExecuTorch writes an operator's
``out`` variant: all arguments, then the outputs, then the result, which is the outputs once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from petite.ir import ops
from petite.pte.call import Call
from petite.pte.program import (
    BoolValue,
    DoubleValue,
    IntList,
    IntValue,
    NullValue,
    TensorList,
    TensorValue,
)

#: Most arguments, and most outputs, that a call can count.
_MAX_COUNT = 255


def is_of_application(operator: str, patterns: Sequence[str]) -> bool:
    """Whether a shell pattern names the operator."""
    return any(fnmatchcase(operator, pattern) for pattern in patterns)


def lift_application_operator(call: Call) -> None:
    """(arguments..., outputs..., the output or the list of outputs)"""
    outputs = _outputs(call)
    count = len(call.args) - 1 - len(outputs)
    if max(count, len(outputs)) > _MAX_COUNT:
        raise call.fail(f"has more than {_MAX_COUNT} arguments or outputs")
    op = ops.Application([], [], operator=call.operator, arguments=(), source=call.place)
    op.arguments = tuple(_argument(call, op, position) for position in range(count))
    op.outputs = [call.result(position) for position in outputs]
    call.append(op)
    for position, value in zip(outputs, op.outputs, strict=True):
        call.bind(value, position)


def _outputs(call: Call) -> range:
    """Positions of the outputs."""
    result = call.raw(-1)
    indexes = result.items if isinstance(result, TensorList) else call.args[-1:]
    first = len(call.args) - 1 - len(indexes)
    is_out_variant = (
        # The overload without a name is the one that PyTorch calls.
        "." in call.operator
        and isinstance(result, TensorList | TensorValue)
        and first >= 0
        and call.args[first:-1] == indexes
        and len(set(indexes)) == len(indexes) > 0
    )
    if not is_out_variant:
        raise call.fail(
            "does not return the tensors that it is given to write to; "
            "register an out variant of the operator in PyTorch before export"
        )
    return range(first, len(call.args) - 1)


def _argument(call: Call, op: ops.Application, position: int) -> ops.Argument:
    value = call.raw(position)
    match value:
        case TensorValue():
            op.inputs.append(call.tensor(position))
            return ops.Operand(len(op.inputs) - 1)
        case IntValue() | BoolValue() | DoubleValue():
            return value.value
        case IntList():
            return call.integers(position)
        case NullValue():
            return None
    raise call.fail(
        f"argument {position} is a {type(value).__name__}, which operators of the application "
        "cannot be given; use tensors, numbers, booleans, lists of integers, or None"
    )
