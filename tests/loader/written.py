# SPDX-License-Identifier: Apache-2.0
"""Files of programs that no exporter writes, from what the reader makes of a file."""

from __future__ import annotations

from typing import Any

from executorch.exir import schema
from executorch.exir.scalar_type import ScalarType

from cli_files import program as file_of
from petite.pte.program import (
    BoolValue,
    DoubleValue,
    FreeCall,
    Instruction,
    IntValue,
    JumpFalseCall,
    KernelCall,
    MoveCall,
    Program,
    TensorValue,
    Value,
)
from pte_files import planned, tensor


def written(program: Program) -> bytes:
    """The first method of a program as a file; constants are inline."""
    (method,) = program.methods
    constants: list[bytes] = []
    operators: list[str] = []
    plan = schema.ExecutionPlan(
        name=method.name,
        container_meta_type=schema.ContainerMetadata("", ""),
        values=[schema.EValue(_value(value, constants)) for value in method.values],
        inputs=list(method.inputs),
        outputs=list(method.outputs),
        chains=[
            schema.Chain(
                [],
                [],
                [schema.Instruction(_instruction(i, operators)) for i in method.instructions],
                None,
            )
        ],
        operators=[schema.Operator(*_name(operator)) for operator in operators],
        delegates=[],
        non_const_buffer_sizes=list(method.buffer_sizes),
        non_const_buffer_device=[],
    )
    return file_of(plan, constants=constants)


def _name(operator: str) -> tuple[str, str]:
    name, _, overload = operator.partition(".")
    return name, overload


def _value(value: Value, constants: list[bytes]) -> Any:
    match value:
        case BoolValue():
            return schema.Bool(value.value)
        case IntValue():
            return schema.Int(value.value)
        case DoubleValue():
            return schema.Double(value.value)
        case TensorValue():
            return _tensor(value, constants)
    raise AssertionError(value)


def _tensor(value: TensorValue, constants: list[bytes]) -> Any:
    fields: dict[str, Any] = {
        "dim_order": list(value.dim_order),
        "shape_dynamism": schema.TensorShapeDynamism(int(value.dynamism)),
    }
    if value.data is not None:
        constants.append(value.data)
        fields["data_buffer_idx"] = len(constants)
    elif value.allocation is not None:
        memory, offset = value.allocation
        fields["allocation_info"] = planned(offset, memory)
    return tensor(list(value.sizes), ScalarType(value.dtype.value[0]), **fields)


def _instruction(instruction: Instruction, operators: list[str]) -> Any:
    match instruction:
        case KernelCall():
            if instruction.operator not in operators:
                operators.append(instruction.operator)
            return schema.KernelCall(operators.index(instruction.operator), list(instruction.args))
        case MoveCall():
            return schema.MoveCall(instruction.move_from, instruction.move_to)
        case JumpFalseCall():
            return schema.JumpFalseCall(instruction.condition, instruction.destination)
        case FreeCall():
            return schema.FreeCall(instruction.value_index)
    raise AssertionError(instruction)
