# SPDX-License-Identifier: Apache-2.0
"""The facts about a program as tables."""

from __future__ import annotations

from petite.cli.table import table
from petite.inspect import ProgramFacts
from petite.inspect.facts import (
    InstructionFacts,
    MethodFacts,
    OperatorFacts,
    StepFacts,
    TensorFacts,
)

_NOT_SUPPORTED = "not supported"


def describe(facts: ProgramFacts) -> str:
    """All facts, a table each, in the order in which a user asks for them."""
    parts = [f"{facts.file}\nsha256 {facts.digest}"]
    if facts.problem is not None:
        parts.append(f"cannot be compiled: {facts.problem}")
    for method in facts.methods:
        parts += _method(method)
        if method.steps is not None:
            parts.append(_steps(method.steps, facts.instruction_set))
    parts += [_constants(facts), _memory(facts)]
    return "\n\n".join(parts)


def _method(method: MethodFacts) -> list[str]:
    interface = [(f"input {i}", *_tensor(t)) for i, t in enumerate(method.inputs)]
    interface += [(f"output {i}", *_tensor(t)) for i, t in enumerate(method.outputs)]
    operators = [(o.name, o.count, _mark(o)) for o in method.operators]
    instructions = [
        (i.number, i.operator, ", ".join(i.outputs), _mark(i)) for i in method.instructions
    ]
    parts = [
        f"method {method.name}\n\n"
        + table(["tensor", "type", "shape", "order in memory", "stored"], interface),
        table(["operator", "count", "note"], operators),
        table(["at", "instruction", "output", "note"], instructions),
    ]
    if method.states:
        rows = [
            (s.name, s.dtype, f"{s.bytes:,}", "in the file" if s.has_initial else "zeros")
            for s in method.states
        ]
        parts.append(table(["state", "type", "bytes", "initial contents"], rows))
    return parts


_EXTENSION = {"dsp": "the DSP extension", "mve": "Helium"}


def _steps(steps: tuple[StepFacts, ...], instruction_set: str) -> str:
    """Which kernel runs each step, and which steps do not use what the core has."""
    extension = _EXTENSION.get(instruction_set)
    note = f"without {extension}" if extension else ""
    rows = [
        (number, step.source.removeprefix("instruction "), step.kernel, _note(step, note))
        for number, step in enumerate(steps)
    ]
    text = table(["step", "from", "kernel", "note"], rows)
    if extension is None:
        return text
    plain = sum(not step.accelerated for step in steps)
    return f"{text}\n\n{plain} of {len(steps)} steps run without {extension}."


def _note(step: StepFacts, note: str) -> str:
    return "" if step.accelerated else note


def _tensor(tensor: TensorFacts | None) -> tuple[str, str, str, str]:
    if tensor is None:
        return ("no tensor", _NOT_SUPPORTED, "", "")
    shape = f"{list(tensor.shape)}" + (" at most (dynamic)" if tensor.dynamic else "")
    stored = [tensor.shape[d] for d in tensor.stored_order]
    return (tensor.dtype, shape, f"{list(tensor.stored_order)}", f"{stored}")


def _mark(facts: OperatorFacts | InstructionFacts) -> str:
    if facts.by_application:
        return "of the application"
    return "" if facts.supported else _NOT_SUPPORTED


def _constants(facts: ProgramFacts) -> str:
    constants = facts.constants
    rows = [("in the file", f"{constants.in_file:,}")]
    rows += [
        (f"  dead weight: {reason}", f"{size:,}") for reason, size in sorted(constants.dead.items())
    ]
    rows.append(("  dead weight in all", f"{sum(constants.dead.values()):,}"))
    rows.append(("  needed", f"{constants.needed:,}"))
    rows.append(("in the compiled model", _number(facts.compiled_constants)))
    return table(["constants", "bytes"], rows)


def _memory(facts: ProgramFacts) -> str:
    rows = [
        (
            m.name,
            f"{m.planned_by_executorch:,}",
            _number(m.arena),
            _number(m.arena_bound),
            _number(m.kernel_calls),
        )
        for m in facts.methods
    ]
    text = table(
        ["RAM of method", "planned by ExecuTorch", "our arena", "lower bound", "kernel calls"], rows
    )
    states = _number(facts.compiled_states)
    return (
        f"{text}\n\n"
        "No arena for these kernel calls, in their order, is smaller than the lower bound.\n"
        f"Our arena is shared by all methods; states take {states} bytes beside it."
    )


def _number(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"
