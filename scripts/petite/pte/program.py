# SPDX-License-Identifier: Apache-2.0
"""What a program file says, after verification: plain immutable data.

Every index in these objects is in range, every constant has the bytes that its shape needs, and
every planned tensor lies inside its memory; `petite.pte.reader` has seen to that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from math import prod
from typing import NamedTuple, TypeAlias

from petite.pte.scalar_type import DType


class Dynamism(IntEnum):
    """What a tensor's sizes mean at run time."""

    STATIC = 0  #: the shape
    DYNAMIC_BOUND = 1  #: the largest shape
    DYNAMIC_UNBOUND = 2  #: nothing


class Allocation(NamedTuple):
    """Where ExecuTorch planned a tensor."""

    memory_id: int  #: index into ``Method.buffer_sizes``; never 0
    offset: int  #: bytes from the start of that memory


@dataclass(frozen=True)
class TensorValue:
    """A tensor: constant (``data``), planned (``allocation``), or given by the caller (neither)."""

    dtype: DType
    sizes: tuple[int, ...]  #: logical shape, in elements
    dim_order: tuple[int, ...]  #: dimensions from outermost to innermost in memory
    data: bytes | None = field(default=None, repr=False)  #: contents in dim_order, if constant
    allocation: Allocation | None = None
    initial: bytes | None = field(default=None, repr=False)  #: contents before the first call
    name: str | None = None  #: fully qualified name in the model, where the exporter kept it
    dynamism: Dynamism = Dynamism.STATIC

    @property
    def is_dynamic(self) -> bool:
        """Whether the shape can differ from call to call."""
        return self.dynamism is not Dynamism.STATIC

    @property
    def nbytes(self) -> int:
        """Bytes of the contents, without padding."""
        return prod(self.sizes) * self.dtype.itemsize


@dataclass(frozen=True)
class NullValue:
    """None."""


@dataclass(frozen=True)
class IntValue:
    """A 64-bit integer; dtypes and memory formats are integers too."""

    value: int


@dataclass(frozen=True)
class BoolValue:
    """A boolean."""

    value: bool


@dataclass(frozen=True)
class DoubleValue:
    """A double; may be infinite or not a number."""

    value: float


@dataclass(frozen=True)
class StringValue:
    """A string."""

    value: str


@dataclass(frozen=True)
class IntList:
    """Integers. In the file each is a value of its own, which an instruction could write."""

    items: tuple[int, ...]  #: the integers
    indexes: tuple[int, ...]  #: the value index of each


@dataclass(frozen=True)
class DoubleList:
    """Doubles, held in the list itself."""

    items: tuple[float, ...]


@dataclass(frozen=True)
class BoolList:
    """Booleans, held in the list itself."""

    items: tuple[bool, ...]


@dataclass(frozen=True)
class TensorList:
    """Tensors, by value index."""

    items: tuple[int, ...]


@dataclass(frozen=True)
class OptionalTensorList:
    """Tensors or None, by value index; -1, or the index of a NullValue, is None."""

    items: tuple[int, ...]


Value: TypeAlias = (
    NullValue
    | IntValue
    | BoolValue
    | DoubleValue
    | StringValue
    | TensorValue
    | IntList
    | DoubleList
    | BoolList
    | TensorList
    | OptionalTensorList
)


@dataclass(frozen=True)
class KernelCall:
    """Run an operator, say ``aten::add.out``, on values."""

    operator: str
    args: tuple[int, ...]  #: value indexes, inputs and outputs in the operator's order
    #: Where the model's author wrote it ("model.py:12, in forward"); empty where the file does not
    #: say. Export with ExecutorchBackendConfig(emit_stacktrace=True) to have it.
    origin: str = ""


@dataclass(frozen=True)
class DelegateCall:
    """Run a delegate on values."""

    delegate_index: int  #: into ``Method.delegates``
    args: tuple[int, ...]  #: value indexes


@dataclass(frozen=True)
class MoveCall:
    """Let one value be what another is."""

    move_from: int
    move_to: int


@dataclass(frozen=True)
class JumpFalseCall:
    """Continue elsewhere where a value is false."""

    condition: int  #: value index
    destination: int  #: into ``Method.instructions``, or one past the end


@dataclass(frozen=True)
class FreeCall:
    """A value is not needed any more."""

    value_index: int


Instruction: TypeAlias = KernelCall | DelegateCall | MoveCall | JumpFalseCall | FreeCall


@dataclass(frozen=True)
class CompileSpec:
    """One setting that a delegate's compiler was given."""

    key: str
    value: bytes


@dataclass(frozen=True)
class Delegate:
    """A part of the model that another compiler has taken over."""

    id: str  #: the backend's name
    blob: bytes = field(repr=False)  #: what its runtime executes
    compile_specs: tuple[CompileSpec, ...]


@dataclass(frozen=True)
class Method:
    """One entry point of the model."""

    name: str
    values: tuple[Value, ...]
    inputs: tuple[int, ...]  #: value indexes
    outputs: tuple[int, ...]  #: value indexes
    instructions: tuple[Instruction, ...]  #: of all chains, one after the other
    operators: tuple[str, ...]  #: as the file lists them, used or not
    delegates: tuple[Delegate, ...]
    buffer_sizes: tuple[int, ...]  #: bytes of each planned memory; number 0 is reserved


@dataclass(frozen=True)
class NamedData:
    """Bytes that a delegate looks up by name."""

    key: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Program:
    """A whole file."""

    name: str  #: the file, for messages
    digest: str  #: SHA-256 of the file, in hexadecimal
    version: int  #: of the format
    methods: tuple[Method, ...]
    named_data: tuple[NamedData, ...]
