# SPDX-License-Identifier: Apache-2.0
"""One kernel call of a method, with its arguments checked as they are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from petite.errors import PetiteError
from petite.ir.graph import Value
from petite.ir.ops import Op, Pair
from petite.pte.program import (
    BoolValue,
    DoubleList,
    DoubleValue,
    IntList,
    IntValue,
    NullValue,
    OptionalTensorList,
    StringValue,
    TensorList,
    TensorValue,
)
from petite.pte.tensors import logical_array

if TYPE_CHECKING:
    from petite.pte.lift import Lifter

Array = np.ndarray[Any, np.dtype[Any]]


class Call:
    """Typed access to a call's arguments, by position in the operator's schema."""

    def __init__(self, lifter: Lifter, operator: str, args: tuple[int, ...], place: str) -> None:
        self.lifter = lifter
        self.operator = operator
        self.args = args
        #: Where the call is: file, method, instruction and operator.
        self.place = place

    def fail(self, what: str) -> PetiteError:
        """An error at this call."""
        return PetiteError(f"{self.place}: {what}")

    def raw(self, position: int) -> Any:
        """The untyped value of an argument."""
        return self.lifter.value(self._index(position), self.place)

    def _index(self, position: int) -> int:
        """The value index of an argument."""
        if not -len(self.args) <= position < len(self.args):
            raise self.fail(
                f"has {len(self.args)} arguments, but argument {position} is needed; "
                "export the model again with ExecuTorch 1.5.1"
            )
        return self.args[position]

    def _typed(self, position: int, kind: type[Any], name: str) -> Any:
        value = self.raw(position)
        if not isinstance(value, kind):
            raise self.fail(
                f"argument {position} should be {name}, not {type(value).__name__}; "
                "export the model again with ExecuTorch 1.5.1"
            )
        return value

    def is_none(self, position: int) -> bool:
        """Whether an optional argument is absent."""
        return isinstance(self.raw(position), NullValue)

    def integer(self, position: int) -> int:
        """An integer."""
        value = self.raw(position)
        if isinstance(value, BoolValue):
            return int(value.value)
        return int(self._typed(position, IntValue, "an integer").value)

    def number(self, position: int) -> float:
        """A number of any kind."""
        value = self.raw(position)
        if isinstance(value, IntValue | BoolValue):
            return value.value
        return float(self._typed(position, DoubleValue, "a number").value)

    def literal(self, position: int) -> bool | int | float:
        """A number, as the kind of number that the file has it in."""
        value = self.raw(position)
        return value.value if isinstance(value, BoolValue) else self.number(position)

    def text(self, position: int) -> str:
        """A string."""
        return str(self._typed(position, StringValue, "a string").value)

    def flag(self, position: int) -> bool:
        """A boolean."""
        return bool(self.integer(position))

    def integers(self, position: int) -> tuple[int, ...]:
        """A list of integers."""
        indexes = self._typed(position, IntList, "a list of integers").indexes
        values = [self.lifter.value(index, self.place) for index in indexes]
        return tuple(value.value for value in values if isinstance(value, IntValue))

    def reals(self, position: int) -> tuple[float, ...]:
        """A list of doubles."""
        return tuple(self._typed(position, DoubleList, "a list of numbers").items)

    def pair(self, position: int) -> Pair:
        """Height and width; one number stands for both."""
        items = self.integers(position)
        if len(items) == 1:
            return items[0], items[0]
        if len(items) != 2:
            raise self.fail(f"argument {position} should have two numbers, not {len(items)}")
        return items[0], items[1]

    def tensor(self, position: int) -> Value:
        """A tensor that the call reads."""
        self._typed(position, TensorValue, "a tensor")
        return self.lifter.read(self.args[position], self.place)

    def tensor_indexes(self, position: int) -> tuple[int, ...]:
        """Value indexes of a list of tensors."""
        value = self.raw(position)
        if not isinstance(value, TensorList | OptionalTensorList):
            raise self.fail(f"argument {position} should be a list of tensors")
        return value.items

    def tensors(self, position: int) -> list[Value]:
        """A list of tensors that the call reads."""
        indexes = self.tensor_indexes(position)
        return [self.lifter.read(index, self.place) for index in indexes if index >= 0]

    def tensor_value(self, position: int) -> TensorValue:
        """The file's own description of a tensor."""
        tensor: TensorValue = self._typed(position, TensorValue, "a tensor")
        return tensor

    def constant(self, position: int) -> Array:
        """A tensor whose contents must be known."""
        value = self.tensor(position)
        if value.data is None:
            raise self.fail(
                f"argument {position} ({value.name}) must be a constant; "
                "weights and scales computed at run time are not supported"
            )
        return value.data

    def known_numbers(self, position: int) -> Array | None:
        """Contents of a constant tensor of any element type; None where it is no constant."""
        tensor = self.tensor_value(position)
        return None if tensor.data is None else logical_array(tensor, tensor.data)

    def real(self, position: int) -> Value:
        """A tensor of real numbers that the call reads; float64 is float32 here."""
        self.tensor_value(position)
        return self.lifter.read_real(self.args[position], self.place)

    def optional_constant(self, position: int) -> Array | None:
        """A constant tensor, or None where the argument is absent."""
        return None if self.is_none(position) else self.constant(position)

    def result(self, position: int = -1) -> Value:
        """A new value for a tensor that the call writes."""
        self._typed(position, TensorValue, "a tensor")
        return self.lifter.new_value(self.args[position], self.place)

    def forbid(self, position: int, why: str) -> None:
        """The tensor at ``position`` is written, but not here: reading it is an error."""
        self.lifter.forbid(self.args[position], why, self.place)

    def append(self, op: Op) -> None:
        """Append an operator whose output no tensor of the file is."""
        self.lifter.append(op)

    def emit(self, op: Op, position: int = -1) -> None:
        """Append an operator whose output is the tensor at ``position``."""
        self.append(op)
        self.bind(op.output, position)

    def set_scalar(self, position: int, value: IntValue | BoolValue | DoubleValue) -> None:
        """The number at ``position`` now is this one."""
        index = self._index(position)
        if type(self.lifter.method.values[index]) is not type(value):
            raise self.fail(
                f"argument {position} cannot become {type(value).__name__}; "
                "export the model again with ExecuTorch 1.5.1"
            )
        self.lifter.set_scalar(index, value)

    def bind(self, value: Value, position: int = -1) -> None:
        """Let the tensor at ``position`` be a value that exists already."""
        self.lifter.write(self.args[position], value)
