# SPDX-License-Identifier: Apache-2.0
"""The field map of a program file: which table has which field, in which slot, of which type.

These are the facts of the format with the identifier ET12. A slot is a field's number in its
table's vtable. A union takes two slots: the number of its type, then the value; the map names the
second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from flatbuffers import number_types

from petite.pte.scalar_type import DType


@dataclass(frozen=True)
class Number:
    """A number of a fixed width, little-endian, aligned to its own size."""

    name: str
    flags: Any  #: the flatbuffers library's description of it

    @property
    def width(self) -> int:
        """Bytes."""
        return int(self.flags.bytewidth)


@dataclass(frozen=True)
class Enumeration:
    """A number that stands for a name."""

    name: str
    number: Number
    names: Mapping[int, str]


@dataclass(frozen=True)
class Text:
    """A string in UTF-8, with its length before it and a null byte behind it."""


@dataclass(frozen=True)
class NumberVector:
    """A vector of numbers; of `BYTE`, read as bytes."""

    element: Number
    alignment: int = 1  #: of the first element, unless the exporter was told otherwise


@dataclass(frozen=True)
class TableVector:
    """A vector of offsets to tables."""

    element: Table


@dataclass(frozen=True)
class Union:
    """A table whose kind is told by a number: 0 is none, 1 the first member."""

    name: str
    members: tuple[Table, ...]


@dataclass(frozen=True)
class Table:
    """Fields by slot; those that are absent have their default."""

    name: str
    fields: tuple[Field, ...] = ()

    @property
    def slots(self) -> int:
        """How many slots are known."""
        return max((field.slot for field in self.fields), default=-1) + 1


FieldType: TypeAlias = Number | Enumeration | Text | NumberVector | TableVector | Union | Table


@dataclass(frozen=True)
class Field:
    """One field of a table. Numbers are 0 where they are absent."""

    slot: int
    name: str
    type: FieldType
    required: bool = False  #: the runtime cannot do without it


BOOL = Number("bool", number_types.BoolFlags)
BYTE = Number("ubyte", number_types.Uint8Flags)
INT8 = Number("byte", number_types.Int8Flags)
UINT16 = Number("ushort", number_types.Uint16Flags)
INT32 = Number("int", number_types.Int32Flags)
UINT32 = Number("uint", number_types.Uint32Flags)
INT64 = Number("long", number_types.Int64Flags)
UINT64 = Number("ulong", number_types.Uint64Flags)
DOUBLE = Number("double", number_types.Float64Flags)
TEXT = Text()

SCALAR_TYPE = Enumeration("ScalarType", INT8, {dtype.code: dtype.name for dtype in DType})
SHAPE_DYNAMISM = Enumeration(
    "TensorShapeDynamism", INT8, {0: "STATIC", 1: "DYNAMIC_BOUND", 2: "DYNAMIC_UNBOUND"}
)
TENSOR_DATA_LOCATION = Enumeration("TensorDataLocation", INT8, {0: "SEGMENT", 1: "EXTERNAL"})
DEVICE_TYPE = Enumeration("DeviceType", INT8, {0: "CPU", 1: "CUDA"})
DATA_LOCATION = Enumeration("DataLocation", INT8, {0: "INLINE", 1: "SEGMENT"})

ALLOCATION_DETAILS = Table(
    "AllocationDetails",
    (
        Field(0, "memory_id", UINT32),
        Field(1, "memory_offset_low", UINT32),
        Field(2, "memory_offset_high", UINT32),
    ),
)
EXTRA_TENSOR_INFO = Table(
    "ExtraTensorInfo",
    (
        Field(0, "mutable_data_segments_idx", UINT64),
        Field(1, "fully_qualified_name", TEXT),
        Field(2, "location", TENSOR_DATA_LOCATION),
        Field(3, "device_type", DEVICE_TYPE),
        Field(4, "device_index", INT8),
    ),
)
TENSOR = Table(
    "Tensor",
    (
        Field(0, "scalar_type", SCALAR_TYPE),
        Field(1, "storage_offset", INT32),
        Field(2, "sizes", NumberVector(INT32), required=True),
        Field(3, "dim_order", NumberVector(BYTE), required=True),
        Field(4, "requires_grad", BOOL),
        Field(5, "data_buffer_idx", UINT32),
        Field(6, "allocation_info", ALLOCATION_DETAILS),
        Field(7, "layout", INT8),
        Field(8, "shape_dynamism", SHAPE_DYNAMISM),
        Field(9, "extra_tensor_info", EXTRA_TENSOR_INFO),
    ),
)
KERNEL_TYPES = Union(
    "KernelTypes",
    (
        Table("Null"),
        Table("Int", (Field(0, "int_val", INT64),)),
        Table("Bool", (Field(0, "bool_val", BOOL),)),
        Table("Double", (Field(0, "double_val", DOUBLE),)),
        TENSOR,
        Table("String", (Field(0, "string_val", TEXT, required=True),)),
        Table("IntList", (Field(0, "items", NumberVector(INT64), required=True),)),
        Table("DoubleList", (Field(0, "items", NumberVector(DOUBLE), required=True),)),
        Table("BoolList", (Field(0, "items", NumberVector(BOOL), required=True),)),
        Table("TensorList", (Field(0, "items", NumberVector(INT32), required=True),)),
        Table("OptionalTensorList", (Field(0, "items", NumberVector(INT32), required=True),)),
    ),
)
EVALUE = Table("EValue", (Field(1, "val", KERNEL_TYPES, required=True),))

INSTRUCTION_ARGUMENTS = Union(
    "InstructionArguments",
    (
        Table(
            "KernelCall",
            (Field(0, "op_index", INT32), Field(1, "args", NumberVector(INT32), required=True)),
        ),
        Table(
            "DelegateCall",
            (
                Field(0, "delegate_index", INT32),
                Field(1, "args", NumberVector(INT32), required=True),
            ),
        ),
        Table("MoveCall", (Field(0, "move_from", INT32), Field(1, "move_to", INT32))),
        Table(
            "JumpFalseCall",
            (Field(0, "cond_value_index", INT32), Field(1, "destination_instruction", INT32)),
        ),
        Table("FreeCall", (Field(0, "value_index", INT32),)),
    ),
)
INSTRUCTION = Table("Instruction", (Field(1, "instr_args", INSTRUCTION_ARGUMENTS, required=True),))
FRAME = Table(
    "Frame",
    (
        Field(0, "filename", TEXT),
        Field(1, "lineno", INT32),
        Field(2, "name", TEXT),
        Field(3, "context", TEXT),
    ),
)
FRAME_LIST = Table("FrameList", (Field(0, "items", TableVector(FRAME)),))
CHAIN = Table(
    "Chain",
    (
        Field(0, "inputs", NumberVector(INT32)),
        Field(1, "outputs", NumberVector(INT32)),
        Field(2, "instructions", TableVector(INSTRUCTION), required=True),
        Field(3, "stacktrace", TableVector(FRAME_LIST)),
    ),
)

OPERATOR = Table("Operator", (Field(0, "name", TEXT, required=True), Field(1, "overload", TEXT)))
DELEGATE_DATA_REFERENCE = Table(
    "BackendDelegateDataReference",
    (Field(0, "location", DATA_LOCATION), Field(1, "index", UINT32)),
)
COMPILE_SPEC = Table(
    "CompileSpec", (Field(0, "key", TEXT, required=True), Field(1, "value", NumberVector(BYTE)))
)
BACKEND_DELEGATE = Table(
    "BackendDelegate",
    (
        Field(0, "id", TEXT, required=True),
        Field(1, "processed", DELEGATE_DATA_REFERENCE, required=True),
        Field(2, "compile_specs", TableVector(COMPILE_SPEC)),
    ),
)
CONTAINER_METADATA = Table(
    "ContainerMetadata",
    (Field(0, "encoded_inp_str", TEXT), Field(1, "encoded_out_str", TEXT)),
)
NON_CONST_BUFFER_DEVICE = Table(
    "NonConstBufferDevice",
    (
        Field(0, "buffer_idx", INT32),
        Field(1, "device_type", DEVICE_TYPE),
        Field(2, "device_index", INT8),
    ),
)
EXECUTION_PLAN = Table(
    "ExecutionPlan",
    (
        Field(0, "name", TEXT, required=True),
        Field(1, "container_meta_type", CONTAINER_METADATA),
        Field(2, "values", TableVector(EVALUE), required=True),
        Field(3, "inputs", NumberVector(INT32), required=True),
        Field(4, "outputs", NumberVector(INT32), required=True),
        Field(5, "chains", TableVector(CHAIN), required=True),
        Field(6, "operators", TableVector(OPERATOR)),
        Field(7, "delegates", TableVector(BACKEND_DELEGATE)),
        Field(8, "non_const_buffer_sizes", NumberVector(INT64), required=True),
        Field(9, "non_const_buffer_device", TableVector(NON_CONST_BUFFER_DEVICE)),
    ),
)

BUFFER = Table("Buffer", (Field(0, "storage", NumberVector(BYTE, alignment=16)),))
DELEGATE_INLINE_DATA = Table(
    "BackendDelegateInlineData", (Field(0, "data", NumberVector(BYTE, alignment=16)),)
)
DATA_SEGMENT = Table("DataSegment", (Field(0, "offset", UINT64), Field(1, "size", UINT64)))
SUBSEGMENT_OFFSETS = Table(
    "SubsegmentOffsets",
    (Field(0, "segment_index", UINT32), Field(1, "offsets", NumberVector(UINT64))),
)
NAMED_DATA = Table(
    "NamedData", (Field(0, "key", TEXT, required=True), Field(1, "segment_index", UINT32))
)
PROGRAM = Table(
    "Program",
    (
        Field(0, "version", UINT32),
        Field(1, "execution_plan", TableVector(EXECUTION_PLAN), required=True),
        Field(2, "constant_buffer", TableVector(BUFFER)),
        Field(3, "backend_delegate_data", TableVector(DELEGATE_INLINE_DATA)),
        Field(4, "segments", TableVector(DATA_SEGMENT)),
        Field(5, "constant_segment", SUBSEGMENT_OFFSETS),
        Field(6, "mutable_data_segments", TableVector(SUBSEGMENT_OFFSETS)),
        Field(7, "named_data", TableVector(NAMED_DATA)),
    ),
)
