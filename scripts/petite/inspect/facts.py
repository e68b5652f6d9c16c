# SPDX-License-Identifier: Apache-2.0
"""The facts that ``petite inspect`` shows, also of programs that cannot be compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from petite.compile import CompiledModel, Options, compile_program
from petite.errors import PetiteError
from petite.inspect.dead_weight import ConstantFacts, constant_facts
from petite.pte.lift import OPERATORS, find_lift
from petite.pte.program import (
    DelegateCall,
    FreeCall,
    KernelCall,
    Method,
    Program,
    TensorList,
    TensorValue,
)
from petite.targets import InstructionSet


@dataclass(frozen=True)
class TensorFacts:
    """A tensor of the method's interface."""

    dtype: str
    #: As PyTorch sees it.
    shape: tuple[int, ...]
    #: Dimensions from outermost to innermost in memory.
    stored_order: tuple[int, ...]
    dynamic: bool


@dataclass(frozen=True)
class OperatorFacts:
    """An operator, and how many instructions call it."""

    name: str
    count: int
    #: By Petite, or by the application.
    supported: bool
    by_application: bool


@dataclass(frozen=True)
class InstructionFacts:
    """One instruction; the outputs are "int8[1, 10]" and the like."""

    number: int
    operator: str
    outputs: tuple[str, ...]
    supported: bool
    by_application: bool


@dataclass(frozen=True)
class StateFacts:
    """A buffer that survives from call to call."""

    name: str
    dtype: str
    bytes: int
    #: Whether the file holds what it contains before the first call (zeros otherwise).
    has_initial: bool


@dataclass(frozen=True)
class StepFacts:
    """One kernel call of the compiled method, on the core that was asked for."""

    #: Instruction of the file that it comes from, with its operator.
    source: str
    #: C function that runs.
    kernel: str
    #: Whether it uses an instruction set beyond the base one.
    accelerated: bool


@dataclass(frozen=True)
class MethodFacts:
    """One method. What only compiling tells is None where the program cannot be compiled."""

    name: str
    inputs: tuple[TensorFacts | None, ...]
    outputs: tuple[TensorFacts | None, ...]
    operators: tuple[OperatorFacts, ...]
    instructions: tuple[InstructionFacts, ...]
    #: Bytes that ExecuTorch planned, that our arena takes, and that no arena for these kernel
    #: calls, in their order, can do without.
    planned_by_executorch: int
    arena: int | None
    arena_bound: int | None
    kernel_calls: int | None
    steps: tuple[StepFacts, ...] | None
    states: tuple[StateFacts, ...] | None


@dataclass(frozen=True)
class ProgramFacts:
    """A program file. Sizes are bytes."""

    file: str
    digest: str
    methods: tuple[MethodFacts, ...]
    constants: ConstantFacts
    #: Constants in the generated code, and RAM of its states.
    compiled_constants: int | None
    compiled_states: int | None
    #: Best instruction set of the core that the kernels are for.
    instruction_set: InstructionSet
    #: Why the program cannot be compiled.
    problem: str | None


def inspect_program(
    program: Program,
    application_operators: Sequence[str] = (),
    instruction_set: InstructionSet = "scalar",
) -> ProgramFacts:
    """Collect the facts. A program that cannot be compiled is no error here.

    ``application_operators`` are shell patterns of operators that the application brings;
    ``instruction_set`` is the best of the core whose kernels are asked for.
    """
    options = Options(
        application_operators=tuple(application_operators), instruction_set=instruction_set
    )
    model: CompiledModel | None = None
    problem: str | None = None
    try:
        model = compile_program(program, options)
    except PetiteError as error:
        problem = str(error)
    return ProgramFacts(
        file=program.name,
        digest=program.digest,
        methods=tuple(
            _method(m, model, i, options.application_operators)
            for i, m in enumerate(program.methods)
        ),
        constants=constant_facts(program),
        compiled_constants=None if model is None else model.view.constant_size,
        compiled_states=None if model is None else model.placement.state_size,
        instruction_set=instruction_set,
        problem=problem,
    )


def _method(
    method: Method, model: CompiledModel | None, position: int, application: tuple[str, ...]
) -> MethodFacts:
    instructions = tuple(_instructions(method, application))
    counts = Counter(i.operator for i in instructions)
    first = {i.operator: i for i in reversed(instructions)}
    return MethodFacts(
        name=method.name,
        inputs=tuple(_interface(method, i) for i in method.inputs),
        outputs=tuple(_interface(method, i) for i in method.outputs),
        operators=tuple(
            OperatorFacts(name, count, first[name].supported, first[name].by_application)
            for name, count in counts.most_common()
        ),
        instructions=instructions,
        planned_by_executorch=sum(method.buffer_sizes),
        arena=None if model is None else model.placement.plans[method.name].size,
        arena_bound=None if model is None else model.placement.plans[method.name].bound,
        kernel_calls=None if model is None else len(model.schedules[position].calls),
        steps=None if model is None else _steps(model, method.name, position),
        states=None if model is None else _states(model, position),
    )


def _interface(method: Method, index: int) -> TensorFacts | None:
    """Facts of an input or output; None for what is no tensor."""
    tensor = method.values[index]
    if not isinstance(tensor, TensorValue):
        return None
    return TensorFacts(_dtype(tensor), tensor.sizes, tensor.dim_order, tensor.is_dynamic)


def _instructions(method: Method, application: tuple[str, ...]) -> list[InstructionFacts]:
    found = []
    for number, instruction in enumerate(method.instructions):
        if isinstance(instruction, FreeCall):
            continue
        outputs: tuple[str, ...] = ()
        supported = known = False
        if isinstance(instruction, KernelCall):
            name = instruction.operator
            known = name in OPERATORS
            supported = find_lift(name, application) is not None
            outputs = _result(method, instruction.args)
        elif isinstance(instruction, DelegateCall):
            name = f"delegate {method.delegates[instruction.delegate_index].id}"
        else:
            # Jumps and moves: control flow, which is ours.
            name = type(instruction).__name__
            supported = known = True
        by_application = supported and not known
        found.append(InstructionFacts(number, name, outputs, supported, by_application))
    return found


def _result(method: Method, args: tuple[int, ...]) -> tuple[str, ...]:
    """An operator's last argument is what it writes."""
    last = method.values[args[-1]] if args else None
    indexes = last.items if isinstance(last, TensorList) else args[-1:]
    tensors = [method.values[i] for i in indexes]
    return tuple(f"{_dtype(t)}{list(t.sizes)}" for t in tensors if isinstance(t, TensorValue))


def _steps(model: CompiledModel, method: str, position: int) -> tuple[StepFacts, ...]:
    return tuple(
        StepFacts(
            call.source.rsplit(f"method {method}: ", 1)[-1],
            call.symbol,
            call.variant not in ("", "scalar"),
        )
        for call in model.schedules[position].calls
    )


def _states(model: CompiledModel, position: int) -> tuple[StateFacts, ...]:
    return tuple(
        StateFacts(
            state.buffer.name,
            state.buffer.dtype.torch_name,
            state.buffer.size,
            state.initial is not None,
        )
        for state in model.schedules[position].states
    )


def _dtype(tensor: TensorValue) -> str:
    """The element type as PyTorch names it, where numpy has it; else as the file names it."""
    name = str(tensor.dtype.numpy.name)
    plain = ("BYTE", "CHAR", "SHORT", "INT", "LONG", "HALF", "FLOAT", "DOUBLE", "BOOL")
    return name if tensor.dtype.name in plain else tensor.dtype.name.lower()
