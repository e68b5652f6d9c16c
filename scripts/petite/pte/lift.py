# SPDX-License-Identifier: Apache-2.0
"""From a program file to graphs: the instructions' dataflow, in logical shapes.

Layouts in the file only matter at the edge: where the application reads and writes tensors. In
between, an operator computes what ExecuTorch's Python reference computes on logical tensors, so a
file whose layouts contradict each other still means what its author meant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.ir.graph import Graph, State, Value
from petite.ir.ops import Guard, Merge, Op, View
from petite.ir.quantized import mark_quantized
from petite.pte.call import Call
from petite.pte.contents import Contents
from petite.pte.lift_activation import ACTIVATION_OPERATORS
from petite.pte.lift_application import is_of_application, lift_application_operator
from petite.pte.lift_constants import CONSTANT_OPERATORS
from petite.pte.lift_cortex_m import CORTEX_M_OPERATORS
from petite.pte.lift_elementwise import ELEMENTWISE_OPERATORS
from petite.pte.lift_indexing import INDEXING_OPERATORS
from petite.pte.lift_loops import LOOP_OPERATORS
from petite.pte.lift_matmul import MATMUL_OPERATORS
from petite.pte.lift_moving import MOVING_OPERATORS
from petite.pte.lift_normalize import NORMALIZE_OPERATORS
from petite.pte.lift_numbers import NUMBER_OPERATORS
from petite.pte.lift_portable import PORTABLE_OPERATORS
from petite.pte.lift_portable_math import PORTABLE_MATH
from petite.pte.lift_quantized import QUANTIZED_OPERATORS
from petite.pte.lift_reduce import REDUCE_OPERATORS
from petite.pte.lift_resample import RESAMPLE_OPERATORS
from petite.pte.lift_weight_only import WEIGHT_ONLY_OPERATORS
from petite.pte.memory import Region
from petite.pte.operator import Lift, Operator
from petite.pte.program import (
    BoolValue,
    DelegateCall,
    DoubleValue,
    Instruction,
    IntValue,
    KernelCall,
    Method,
    MoveCall,
    Program,
    TensorValue,
)
from petite.pte.program import Value as FileValue
from petite.pte.refused import REFUSED
from petite.pte.scalar_type import DType as FileType
from petite.pte.settled_inputs import settled_inputs
from petite.pte.tensors import as_dtype, logical_array, nbytes
from petite.pte.walk import Walker

#: Every operator that is supported, by kind.
OPERATOR_GROUPS: tuple[tuple[str, dict[str, Operator]], ...] = (
    ("Quantised, and conversions", {**CORTEX_M_OPERATORS, **QUANTIZED_OPERATORS}),
    ("Float32 with stored weights", WEIGHT_ONLY_OPERATORS),
    ("Movement", {**PORTABLE_OPERATORS, **MOVING_OPERATORS}),
    ("Indexing", INDEXING_OPERATORS),
    ("Constants", CONSTANT_OPERATORS),
    ("Element by element", ELEMENTWISE_OPERATORS),
    ("Layers", PORTABLE_MATH),
    ("Reductions", REDUCE_OPERATORS),
    ("Normalisation", NORMALIZE_OPERATORS),
    ("Products of matrices", MATMUL_OPERATORS),
    ("Activations", ACTIVATION_OPERATORS),
    ("Resized images, and distances", RESAMPLE_OPERATORS),
    ("Numbers, and loops", {**NUMBER_OPERATORS, **LOOP_OPERATORS}),
)
OPERATORS: dict[str, Operator] = {
    name: operator for _, group in OPERATOR_GROUPS for name, operator in group.items()
}


def lift_method(
    program: Program, method: Method, application_operators: Sequence[str] = ()
) -> Graph:
    """The graph of one method; PetiteError names what is not supported and where.

    Operators that are not supported, but named by a shell pattern of ``application_operators``,
    are left to the application.
    """
    return Lifter(program, method, application_operators).run()


def lift_program(program: Program, application_operators: Sequence[str] = ()) -> list[Graph]:
    """The graphs of all methods, in the file's order; see lift_method()."""
    return [lift_method(program, method, application_operators) for method in program.methods]


def find_lift(operator: str, application_operators: Sequence[str]) -> Lift | None:
    """How an operator gets into the graph, or None where it is not supported."""
    lift = OPERATORS.get(operator)
    if lift is None and is_of_application(operator, application_operators):
        return lift_application_operator
    return lift


def _unknown(operator: str, place: str) -> PetiteError:
    if operator in REFUSED:
        return PetiteError(f"{place}: operator {operator} is not supported: {REFUSED[operator]}")
    return PetiteError(
        f"{place}: operator {operator} is not supported; replace it in the model, quantise the "
        "layer so that it lowers to a cortex_m operator, or let the application bring it: "
        f"petite compile --application-operators '{operator}'"
    )


class Lifter:
    """Turns a method's instructions into a graph, one after the other."""

    def __init__(
        self, program: Program, method: Method, application_operators: Sequence[str]
    ) -> None:
        self.method = method
        self._application_operators = application_operators
        self.graph = Graph(method.name)
        self.where = f"{program.name}: method {method.name}"
        #: The side of a branch that is being lifted.
        self.guard: Guard | None = None
        self._contents = Contents()
        self._constants: dict[int, Value] = {}
        self._states: dict[int, State] = {}
        self._forbidden: dict[int, tuple[Value, str]] = {}

    def run(self) -> Graph:
        """Lift everything."""
        settled = settled_inputs(self.method)
        for position, index in enumerate(self.method.inputs):
            if index not in settled:
                self._add_input(position, index)
        Walker(self, self._lift).run()
        for position, index in enumerate(self.method.outputs):
            self._add_output(position, index)
        for index, state in self._states.items():
            state.after = self.read(index, f"{self.where}: state {state.name}")
        return self.graph

    def _lift(self, number: int, instruction: Instruction) -> None:
        """One instruction that does not jump."""
        place = f"{self.where}: instruction {number}"
        match instruction:
            case KernelCall():
                origin = f", from {instruction.origin}" if instruction.origin else ""
                place = f"{place} ({instruction.operator}{origin})"
                lift = find_lift(instruction.operator, self._application_operators)
                if lift is None:
                    raise _unknown(instruction.operator, place)
                lift(Call(self, instruction.operator, instruction.args, place))
            case MoveCall():
                self._move(instruction, f"{place} (MoveCall)")
            case DelegateCall():
                backend = self.method.delegates[instruction.delegate_index].id
                raise PetiteError(
                    f"{place}: delegate {backend} is not supported yet; "
                    "export without a partitioner"
                )

    def _move(self, move: MoveCall, place: str) -> None:
        """One value becomes what another is."""
        moved, target = self.value(move.move_from, place), self.method.values[move.move_to]
        if isinstance(moved, TensorValue) and isinstance(target, TensorValue):
            value = self.read(move.move_from, place)
            shape = self.shape(move.move_to, place)
            if (value.dtype, value.shape) != (as_dtype(target, place), shape):
                raise PetiteError(
                    f"{place}: {value} cannot become {target.dtype.name.lower()}{list(shape)}; "
                    "export the model again with ExecuTorch 1.5.1"
                )
            self.write(move.move_to, value)
        elif isinstance(moved, IntValue | BoolValue | DoubleValue) and type(moved) is type(target):
            self.set_scalar(move.move_to, moved)
        else:
            raise PetiteError(
                f"{place}: {type(moved).__name__} cannot become {type(target).__name__}; "
                "export the model again with ExecuTorch 1.5.1"
            )

    def _add_input(self, position: int, index: int) -> None:
        tensor = self._static(index, f"{self.where}: input {position}")
        value = Value(
            f"input{len(self.graph.inputs)}",
            as_dtype(tensor, f"{self.where}: input {position}"),
            tensor.sizes,
            layout=tensor.dim_order,
        )
        self.graph.inputs.append(value)
        self.write(index, value)

    def _add_output(self, position: int, index: int) -> None:
        place = f"{self.where}: output {position}"
        tensor = self._static(index, place)
        self.graph.outputs.append(self.read(index, place))
        self.graph.output_layouts.append(tensor.dim_order)

    def _static(self, index: int, place: str) -> TensorValue:
        """The tensor at a value index, whose shape must be known."""
        tensor = self.method.values[index]
        if not isinstance(tensor, TensorValue):
            raise PetiteError(
                f"{place}: is {type(tensor).__name__}, but only tensors are supported; "
                "turn it into a constant of the model"
            )
        if tensor.is_dynamic and index not in self._contents.rows:
            raise PetiteError(
                f"{place}: has a dynamic shape (at most {list(tensor.sizes)}); dynamic shapes are "
                "not supported: export with the fixed shape that the device uses"
            )
        return tensor

    def new_value(self, index: int, place: str) -> Value:
        """A value for the tensor at a value index, not yet computed."""
        tensor = self._static(index, place)
        return Value(f"t{index}", as_dtype(tensor, place), tensor.sizes)

    def append(self, op: Op) -> None:
        """Append an operator, on the side of a branch that is being lifted."""
        op.guard = self.guard
        mark_quantized(op)
        self.graph.ops.append(op)

    def write(self, index: int, value: Value) -> None:
        """The tensor at a value index now is this value."""
        tensor = self.method.values[index]
        if isinstance(tensor, TensorValue) and tensor.data is not None:
            raise PetiteError(
                f"{self.where}: tensor {index} is a constant, but an instruction writes to it; "
                "export the model again with ExecuTorch 1.5.1"
            )
        region = self._region(index)
        if region is None:
            self._contents.unplanned[index] = value
        else:
            self._contents.memory.write(region, value)

    def forbid(self, index: int, why: str, place: str) -> None:
        """Whoever reads the tensor at a value index gets an error that says why."""
        self.write(index, self._forbid(self.new_value(index, place), why))

    def _forbid(self, value: Value, why: str) -> Value:
        self._forbidden[id(value)] = (value, why)
        return value

    def value(self, index: int, place: str) -> FileValue:
        """What the file says of a value, or for a number what it is now."""
        number = self._contents.scalars.get(index, self.method.values[index])
        if number is None:
            raise PetiteError(
                f"{place}: reads a number that the two sides of a branch set differently; "
                "keep what a branch decides in tensors"
            )
        return number

    def set_scalar(self, index: int, value: IntValue | BoolValue | DoubleValue) -> None:
        """The number at a value index now is this one."""
        self._contents.scalars[index] = value

    def shape(self, index: int, place: str) -> tuple[int, ...]:
        """The shape of the tensor at a value index."""
        return self._static(index, place).sizes

    def gather(self, index: int, row: Value, position: int) -> list[Value] | None:
        """Rows that a loop has written to a tensor; None where this is not the next one."""
        rows = self._contents.rows.get(index, ()) if position else ()
        if len(rows) != position:
            return None
        self._contents.rows[index] = (*rows, row)
        return [*rows, row]

    def snapshot(self) -> Contents:
        """What lies where now, to come back to."""
        return self._contents.copy()

    def exchange(self, contents: Contents) -> Contents:
        """Come back to a snapshot, and give what lies where now.

        States that were found since were there all the time.
        """
        now, self._contents = self._contents, contents
        self._add_states(contents)
        return now

    def join(self, first: Contents, sides: tuple[Guard, Guard]) -> None:
        """Both sides of a branch are lifted: ``first``, and the second just now."""
        self._add_states(first)
        joined: dict[tuple[Value | None, Value | None], Value] = {}

        def join(a: Value | None, b: Value | None) -> Value:
            if (a, b) not in joined:
                joined[a, b] = self._join(a, b, sides)
            return joined[a, b]

        self._contents = first.join(self._contents, join, self.method.values)

    def _add_states(self, contents: Contents) -> None:
        for index, state in self._states.items():
            region = self._region(index)
            assert region is not None
            contents.memory.add(region, state.before)

    def _join(self, a: Value | None, b: Value | None, sides: tuple[Guard, Guard]) -> Value:
        """What a place holds that the sides of a branch left differently."""
        for value in (a, b):
            if value is not None and id(value) in self._forbidden:
                return value
        source = sides[0].source
        if a is None or b is None or a.dtype != b.dtype or a.count != b.count:
            known = a or b
            assert known is not None
            return self._forbid(
                Value(known.name, known.dtype, known.shape),
                f"reads what only one side of the branch at {source} has computed; "
                "let both return it",
            )
        if b.shape != a.shape:
            b = self._viewed(b, a.shape, source, sides[1])
        merged = Value(f"{a.name}_m", a.dtype, a.shape)
        self.append(Merge([a, b, sides[0].condition], [merged], sides=sides, source=source))
        return merged

    def _viewed(self, value: Value, shape: tuple[int, ...], source: str, guard: Guard) -> Value:
        view = Value(value.name, value.dtype, shape)
        if value.data is not None:
            view.data = value.data.reshape(shape)
        else:
            op = View([value], [view], source=source, guard=guard)
            mark_quantized(op)
            self.graph.ops.append(op)
        return view

    def read(self, index: int, place: str) -> Value:
        """What the tensor at a value index is now."""
        tensor = self._static(index, place)
        if tensor.data is not None:
            return self._constant(index, tensor, place)
        if 0 in tensor.sizes:
            # It has no bytes to follow, and no contents that anything could change.
            dtype = as_dtype(tensor, place)
            nothing = np.empty(tensor.sizes, dtype.numpy)
            return Value(f"t{index}", dtype, tensor.sizes, data=nothing)
        region = self._region(index)
        if region is None:
            value = self._contents.unplanned.get(index)
            if value is None:
                raise PetiteError(f"{place}: tensor {index} is read before it is written")
        else:
            value = self._in_memory(region, index, place)
            if value is None:
                value = self._add_state(index, tensor, place)
        if id(value) in self._forbidden:
            raise PetiteError(f"{place}: {self._forbidden[id(value)][1]}")
        return self._as_shape(value, tensor, index, place)

    def read_real(self, index: int, place: str) -> Value:
        """What a tensor of real numbers is now; for float64 its numbers are kept as float32.

        Only a few operators have such numbers, and read them as float32 as well.
        """
        tensor = self._static(index, place)
        region = self._region(index)
        if tensor.dtype is not FileType.DOUBLE or region is None:
            return self.read(index, place)
        value = self._in_memory(region, index, place)
        if value is None or value.dtype is not DType.F32 or id(value) in self._forbidden:
            raise PetiteError(f"{place}: tensor {index} holds no scales that an operator chose")
        return value

    def _in_memory(self, region: Region, index: int, place: str) -> Value | None:
        """What a region of planned memory holds; None where nothing was written to it."""
        try:
            return self._contents.memory.read(region)
        except LookupError as error:
            raise PetiteError(f"{place}: tensor {index}: {error}") from None

    def _as_shape(self, value: Value, tensor: TensorValue, index: int, place: str) -> Value:
        if value.dtype != as_dtype(tensor, place):
            raise PetiteError(
                f"{place}: tensor {index} reinterprets {value.dtype.torch_name} bytes as "
                f"{tensor.dtype.name.lower()}, which is not supported"
            )
        if value.shape == tensor.sizes:
            return value
        view = Value(f"t{index}", value.dtype, tensor.sizes)
        if value.data is not None:
            view.data = value.data.reshape(tensor.sizes)
            return view
        self.append(View([value], [view], source=place))
        return view

    def _constant(self, index: int, tensor: TensorValue, place: str) -> Value:
        if index not in self._constants:
            self._constants[index] = Value(
                f"t{index}",
                as_dtype(tensor, place),
                tensor.sizes,
                data=logical_array(tensor, tensor.data or b""),
            )
        return self._constants[index]

    def _add_state(self, index: int, tensor: TensorValue, place: str) -> Value:
        """A planned tensor that is read before anything wrote it is a mutable buffer."""
        before = Value(
            f"state{len(self._states)}",
            as_dtype(tensor, place),
            tensor.sizes,
            layout=tensor.dim_order,
        )
        initial = None if tensor.initial is None else logical_array(tensor, tensor.initial)
        state = State(tensor.name or before.name, before, before, initial)
        self.graph.states.append(state)
        self._states[index] = state
        self.write(index, before)
        return before

    def _region(self, index: int) -> Region | None:
        tensor = self.method.values[index]
        if not isinstance(tensor, TensorValue) or tensor.allocation is None:
            return None
        memory, offset = tensor.allocation
        return Region(memory, offset, offset + nbytes(tensor))
