# SPDX-License-Identifier: Apache-2.0
"""A lowered method: kernel calls in order, on buffers of bytes.

This is what placement and code generation see. Shapes and operators are gone; a call's fields are
those of the kernel's C parameter structure, and its accesses say which bytes it reads and writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np

from petite.ir.dtype import DType
from petite.ir.graph import Quantization

Array = np.ndarray[Any, np.dtype[Any]]


class Role(Enum):
    """What a buffer is for."""

    #: Written by the application before a call.
    INPUT = "input"
    #: Computed and consumed within a call, or read by the application after it.
    ACTIVATION = "activation"
    #: Survives from call to call.
    STATE = "state"
    #: Known at build time.
    CONSTANT = "constant"


@dataclass(eq=False)
class Buffer:
    """A run of bytes."""

    name: str
    size: int
    role: Role
    dtype: DType
    #: A constant's contents, one-dimensional, in the order of memory.
    data: Array | None = None


@dataclass(frozen=True)
class Ref:
    """An address: a buffer's start plus bytes."""

    buffer: Buffer
    offset: int = 0


@dataclass(frozen=True)
class Tensor:
    """A tensor of an operator call, dense in logical order; ``dims`` is None for rank 0."""

    ref: Ref
    dims: Ref | None
    rank: int
    dtype: DType


@dataclass(frozen=True)
class Integers:
    """A list of int64; ``items`` is None for the empty list."""

    items: Ref | None
    count: int


@dataclass(frozen=True)
class OperatorCall:
    """What an operator of the application is given."""

    name: str
    arguments: tuple[Tensor | Integers | bool | int | float | None, ...]
    outputs: tuple[Tensor, ...]

    def refs(self) -> Iterator[Ref]:
        """Every address in it."""
        for value in (*self.arguments, *self.outputs):
            if isinstance(value, Tensor):
                yield from (r for r in (value.ref, value.dims) if r is not None)
            elif isinstance(value, Integers) and value.items is not None:
                yield value.items


@dataclass(frozen=True)
class OperatorSlot:
    """Where the application's function for an operator is found at run time."""

    name: str


@dataclass(frozen=True)
class ModelOperators:
    """The table of all operators that the model calls of the application."""


@dataclass(frozen=True)
class Function:
    """A C function, by its name, that the kernel's header declares."""

    name: str


#: What a field of a parameter structure may hold.
Field = (
    int
    | float
    | Ref
    | None
    | tuple[int, ...]
    | OperatorCall
    | OperatorSlot
    | ModelOperators
    | Function
)


@dataclass(frozen=True)
class Steps:
    """How far the reading and the writing of a call have come, step by step.

    In step t the call reads nothing of the input below byte ``read_low[t]``, nor does any later
    step, and has written at most ``write_end[t]`` bytes of the output by its end. Within a step
    reads come before writes where ``reads_first`` is set, and in any order elsewhere.
    """

    read_low: Array
    write_end: Array
    reads_first: bool

    def distance(self) -> int:
        """Bytes that the output's start must lie below the input's start, to overlap safely.

        May be negative: then the output may even start above the input.
        """
        return self._distance

    @cached_property
    def _distance(self) -> int:
        low = np.minimum.accumulate(self.read_low[::-1])[::-1]
        ends = self.write_end
        if self.reads_first:
            low, ends = low[1:], ends[:-1]
        return int(np.max(ends - low)) if len(low) else -(2**31)

    def moved(self, read: int, written: int) -> Steps:
        """The same for an input and an output that start so many bytes into their buffers."""
        if read == written == 0:
            return self
        return Steps(self.read_low + read, self.write_end + written, self.reads_first)


@dataclass(frozen=True)
class Read:
    """A buffer that a call reads; ``steps`` is None where the output must not overlap it."""

    buffer: Buffer
    steps: Steps | None = None
    #: The first byte that it reads, and the one behind the last; None for the buffer's end.
    start: int = 0
    stop: int | None = None

    @property
    def size(self) -> int:
        """Bytes."""
        return (self.buffer.size if self.stop is None else self.stop) - self.start


@dataclass(eq=False)
class KernelCall:
    """One step of the plan."""

    #: Unique within the method, for symbols and reports.
    name: str
    #: Kernel without instruction set, "conv2d_s8".
    kernel: str
    #: Header, relative to runtime/.
    header: str
    fields: dict[str, Field]
    reads: list[Read]
    writes: list[Buffer]
    source: str
    #: Instruction set of the implementation; empty where there is but one for all.
    variant: str = "scalar"
    #: Family of kernels that share one parameter structure; empty for a kernel with its own.
    family: str = ""
    #: Memory that only this call uses; overlaps nothing that it reads or writes.
    scratch: Buffer | None = None
    #: Whether the implementation has a header and a parameter structure of its own.
    own_parameters: bool = False
    #: Where it writes a part of its only output: the first byte, and the one behind the last.
    part: tuple[int, int] | None = None

    @property
    def symbol(self) -> str:
        """The C function that runs."""
        return "_".join(filter(None, ("petite", self.kernel, self.variant)))

    @property
    def structure(self) -> str:
        """The C structure that holds its parameters."""
        return self.symbol if self.own_parameters else f"petite_{self.family or self.kernel}"

    @property
    def write(self) -> Buffer:
        """The only buffer that it writes."""
        (buffer,) = self.writes
        return buffer

    @property
    def write_end(self) -> int:
        """It writes nothing of its only output from this byte on."""
        return self.write.size if self.part is None else self.part[1]

    @property
    def written(self) -> int:
        """Bytes that it writes."""
        if self.part is not None:
            return self.part[1] - self.part[0]
        return sum(buffer.size for buffer in self.writes)

    def refs(self) -> Iterator[Ref]:
        """Every address in its fields."""
        for value in self.fields.values():
            if isinstance(value, Ref):
                yield value
            elif isinstance(value, OperatorCall):
                yield from value.refs()


@dataclass(frozen=True)
class Port:
    """An input or an output as the application sees it."""

    name: str
    ref: Ref
    dtype: DType
    #: As PyTorch sees it.
    shape: tuple[int, ...]
    #: Order of the dimensions in memory, outermost first.
    layout: tuple[int, ...]
    quantization: Quantization | None

    @property
    def size(self) -> int:
        """Bytes."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.size


@dataclass(frozen=True)
class StateBuffer:
    """A state's memory and its initial contents (None for zeros)."""

    buffer: Buffer
    initial: Buffer | None


@dataclass(eq=False)
class Schedule:
    """One method, lowered."""

    name: str
    calls: list[KernelCall] = field(default_factory=list)
    inputs: list[Port] = field(default_factory=list)
    outputs: list[Port] = field(default_factory=list)
    states: list[StateBuffer] = field(default_factory=list)
    #: Implementation of the kernel `move` for the method's cores: placement may add such calls.
    move_variant: str = "scalar"

    def constants(self) -> list[Buffer]:
        """Every constant that a call refers to, in order of first use."""
        found: dict[int, Buffer] = {}
        for call in self.calls:
            for ref in call.refs():
                if ref.buffer.role is Role.CONSTANT:
                    found[id(ref.buffer)] = ref.buffer
        for state in self.states:
            if state.initial is not None:
                found[id(state.initial)] = state.initial
        return list(found.values())
