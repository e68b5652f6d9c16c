# SPDX-License-Identifier: Apache-2.0
"""The graph of one method: values as PyTorch sees them, and the operators between them.

Shapes are logical (NCHW for images), whatever the order in memory; the order in memory is decided
by the layout pass. Every value has one producer: an operator, the method's inputs, a state, or the
constant data itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Op, guards

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Quantization:
    """real = (stored - zero_point) * scale."""

    scale: float
    zero_point: int


@dataclass(eq=False)
class Value:
    """A tensor."""

    name: str
    dtype: DType
    shape: tuple[int, ...]
    #: Constant contents, of the logical shape; None for what is computed at run time.
    data: Array | None = None
    #: Order of the dimensions in memory, outermost first. None until the layout pass decides;
    #: fixed beforehand for what the application sees.
    layout: tuple[int, ...] | None = None
    quantization: Quantization | None = None
    #: Whether integers stand for real numbers, at a scale that may not be known here.
    is_quantized: bool = False

    @property
    def count(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @property
    def size(self) -> int:
        """Bytes."""
        return self.count * self.dtype.size

    @property
    def is_constant(self) -> bool:
        """Whether the contents are known now."""
        return self.data is not None

    def __repr__(self) -> str:
        return f"{self.name}:{self.dtype.torch_name}{list(self.shape)}"


@dataclass(eq=False)
class State:
    """A mutable buffer: read at the start of a call, replaced at its end."""

    name: str
    #: The contents before the call.
    before: Value
    #: The contents after the call (the same value where a call leaves them alone).
    after: Value
    #: Initial contents, of the logical shape; None for zeros.
    initial: Array | None = None


@dataclass(eq=False)
class Graph:
    """One method."""

    name: str
    inputs: list[Value] = field(default_factory=list)
    outputs: list[Value] = field(default_factory=list)
    #: Order in memory in which the application reads each output.
    output_layouts: list[tuple[int, ...]] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)

    def consumers(self, value: Value) -> list[Op]:
        """The operators that read a value."""
        return [op for op in self.ops if any(v is value for v in op.inputs)]

    def producer(self, value: Value) -> Op | None:
        """The operator that computes a value, or None for inputs, states and constants."""
        for op in self.ops:
            if any(v is value for v in op.outputs):
                return op
        return None

    def is_result(self, value: Value) -> bool:
        """Whether a value outlives the call: an output, or the next contents of a state."""
        return any(v is value for v in self.outputs) or any(s.after is value for s in self.states)

    def replace(self, old: Value, new: Value) -> None:
        """Let everybody who reads ``old`` read ``new``."""
        for op in self.ops:
            op.inputs = [new if v is old else v for v in op.inputs]
            for guard in guards(op.guard):
                if guard.condition is old:
                    guard.condition = new
        self.outputs = [new if v is old else v for v in self.outputs]
        for state in self.states:
            if state.after is old:
                state.after = new

    def values(self) -> Iterator[Value]:
        """Every value once, in order of first appearance."""
        seen: set[int] = set()
        groups = [self.inputs, [s.before for s in self.states]]
        groups += [[*op.inputs, *op.outputs] for op in self.ops]
        groups += [self.outputs, [s.after for s in self.states]]
        for group in groups:
            for value in group:
                if id(value) not in seen:
                    seen.add(id(value))
                    yield value
