# SPDX-License-Identifier: Apache-2.0
"""One example: a graph, how it is compiled, what goes in, and what has to come out."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import numpy as np

from petite.compile import Options
from petite.ir.graph import Graph, Value
from petite.ir.ops import Op
from petite.placement.slides import AT_ANY_COST
from petite.targets import Target
from properties.reference import evaluate

Array = np.ndarray[Any, np.dtype[Any]]

_SHOWN_ELEMENTS = 12


class Case:
    """Calls are one sequence: states keep their values between them."""

    def __init__(
        self,
        graph: Graph,
        calls: list[list[Array]],
        *,
        optimize: bool,
        keep_inputs: bool,
        cuts: int | None = None,
    ) -> None:
        self.graph = graph
        self.calls = calls
        self.optimize = optimize
        self.keep_inputs = keep_inputs
        #: Seed of stripes that are made whether or not they save anything; None for none of these.
        self.cuts = cuts
        self._expected: list[list[Array]] | None = None

    def build(self) -> Graph:
        """A graph of its own for the compiler, which changes it."""
        return copy.deepcopy(self.graph)

    def options(self, name: str, target: Target) -> Options:
        """Options of the compiler; whatever depends on the target is chosen here."""
        return Options(
            name=name,
            optimize=self.optimize,
            keep_inputs=self.keep_inputs,
            slides=AT_ANY_COST,
            instruction_set=target.instruction_set,
        )

    def expected(self) -> list[list[Array]]:
        """Outputs of each call, from the reference."""
        if self._expected is None:
            self._expected = evaluate(self.graph, self.calls)
        return self._expected

    def __repr__(self) -> str:
        """Everything that the example consists of, for a human."""
        graph = self.graph
        lines = [f"optimize={self.optimize} keep_inputs={self.keep_inputs} cuts={self.cuts}"]
        lines += [f"input {v} layout {v.layout}" for v in graph.inputs]
        lines += [f"state {s.before} initial {_shown(s.initial)}" for s in graph.states]
        lines += [_operator(op) for op in graph.ops]
        lines += [
            f"output {v} layout {layout}"
            for v, layout in zip(graph.outputs, graph.output_layouts, strict=True)
        ]
        lines += [f"next {s.before.name} = {s.after}" for s in graph.states]
        return "\n".join(lines)


def _operator(op: Op) -> str:
    parts = [
        f"{entry.name}={_shown(getattr(op, entry.name))}"
        for entry in dataclasses.fields(op)
        if entry.name not in ("inputs", "outputs", "source")
    ]
    inputs = ", ".join(_value(v) for v in op.inputs)
    return f"{op.output} = {op.kind}({', '.join([inputs, *parts])})"


def _value(value: Value) -> str:
    return value.name if value.data is None else f"constant {_shown(value.data)}"


def _shown(value: object) -> str:
    if not isinstance(value, np.ndarray):
        return str(value)
    if value.size <= _SHOWN_ELEMENTS:
        return f"{value.dtype}{value.tolist()}"
    return f"{value.dtype}{list(value.shape)} {value.reshape(-1)[:_SHOWN_ELEMENTS].tolist()}..."
