# SPDX-License-Identifier: Apache-2.0
"""What is known of an operator of a file: how it gets into the graph, and its element types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from petite.ir.dtype import DType
from petite.pte.call import Call
from petite.pte.program import TensorList, TensorValue
from petite.pte.tensors import as_dtype

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
        dtype = _first_dtype(call)
        if dtype is not None and dtype not in self.dtypes:
            names = ", ".join(d.torch_name for d in self.dtypes)
            raise call.fail(
                f"is given {dtype.torch_name}, but only {names} is supported here; convert the "
                "tensor in the model, or quantise the layer so that it lowers to a cortex_m "
                "operator"
            )
        self.lift(call)


def _first_dtype(call: Call) -> DType | None:
    for index in call.args:
        value = call.lifter.method.values[index]
        if isinstance(value, TensorList):
            if not value.items:
                continue
            value = call.lifter.method.values[value.items[0]]
        if isinstance(value, TensorValue):
            return as_dtype(value, call.place)
    return None
