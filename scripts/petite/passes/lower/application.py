# SPDX-License-Identifier: Apache-2.0
"""Calls of operators that the application brings."""

from __future__ import annotations

import numpy as np

from petite.ir.dtype import DType
from petite.ir.graph import Graph, Value
from petite.ir.ops import Application, Argument, Op, Operand
from petite.ir.schedule import (
    Integers,
    KernelCall,
    ModelOperators,
    OperatorCall,
    OperatorSlot,
    Read,
    Ref,
    Role,
    Tensor,
)
from petite.passes.lower.context import LoweringContext

_HEADER = "registry/operator_steps.h"


def require_bound(context: LoweringContext, graph: Graph) -> None:
    """Where a method calls the application, its first step sees to it that it can."""
    if any(isinstance(op, Application) for op in graph.ops):
        context.calls.append(
            KernelCall(
                f"require_bound_{len(context.calls)}",
                "require_bound",
                _HEADER,
                {"operators": ModelOperators()},
                [],
                [],
                f"{graph.name}: the application's operators",
                variant="",
            )
        )


def call_operator(context: LoweringContext, op: Op) -> None:
    """One step; the outputs overlap no argument, as nobody knows in what order they are read."""
    assert isinstance(op, Application)
    name = f"call_operator_{len(context.calls)}"
    addresses = [context.ref(v) for v in op.inputs]
    call = OperatorCall(
        op.operator,
        tuple(_argument(context, op, name, argument) for argument in op.arguments),
        tuple(_tensor(context, name, value) for value in op.outputs),
    )
    context.calls.append(
        KernelCall(
            name,
            "call_operator",
            _HEADER,
            {"function": OperatorSlot(op.operator), "call": call},
            [Read(ref.buffer) for ref in addresses if ref.buffer.role is not Role.CONSTANT],
            [context.ref(v).buffer for v in op.outputs],
            op.source,
            variant="",
        )
    )


def _argument(
    context: LoweringContext, op: Application, name: str, argument: Argument
) -> Tensor | Integers | bool | int | float | None:
    match argument:
        case Operand():
            return _tensor(context, name, op.inputs[argument.position])
        case tuple():
            return Integers(_array(context, f"{name}_integers", argument, DType.S64), len(argument))
    return argument


def _tensor(context: LoweringContext, name: str, value: Value) -> Tensor:
    dims = _array(context, f"{name}_dims", value.shape, DType.S32)
    return Tensor(context.ref(value), dims, len(value.shape), value.dtype)


def _array(context: LoweringContext, name: str, items: tuple[int, ...], dtype: DType) -> Ref | None:
    """Constant numbers; C has no empty arrays."""
    return context.constant(name, np.array(items, dtype.numpy), dtype) if items else None
