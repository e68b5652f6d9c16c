# SPDX-License-Identifier: Apache-2.0
"""What is known of an operator of a file: how it gets into the graph, and its element types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from petite.ir.dtype import DType
from petite.pte.call import Call
from petite.pte.program import Method, TensorList, TensorValue
from petite.pte.tensors import known_dtype

Lift = Callable[[Call], None]


@dataclass(frozen=True)
class Operator:
    """An operator that is supported; docs/operators.md and the tests are made from these too."""

    lift: Lift
    #: Element types that its first tensor may have.
    dtypes: tuple[DType, ...]
    #: What else is asked of it, for the documents.
    limits: str = ""

    def __call__(self, call: Call) -> None:
        """Put a call into the graph. PetiteError where its element type is not supported."""
        dtype = first_dtype(call.lifter.method, call.args)
        if dtype is not None and dtype not in self.dtypes:
            names = ", ".join(d.torch_name for d in self.dtypes)
            raise call.fail(
                f"is given {dtype.torch_name}, but only {names} is supported here; convert the "
                "tensor in the model, or quantise the layer so that it lowers to a cortex_m "
                "operator"
            )
        self.lift(call)


def first_dtype(method: Method, args: tuple[int, ...]) -> DType | None:
    """Element type of a call's first tensor; None where it has none, or one that is not known."""
    for index in args:
        value = method.values[index]
        if isinstance(value, TensorList):
            if not value.items:
                continue
            value = method.values[value.items[0]]
        if isinstance(value, TensorValue):
            return known_dtype(value)
    return None
