# SPDX-License-Identifier: Apache-2.0
"""Each kind of fault in a file is refused by one line that names the field and the byte."""

from __future__ import annotations

import copy
import struct
from collections.abc import Callable
from typing import Any

import pytest
from executorch.exir import schema
from executorch.exir._serialize._flatbuffer_program import _patch_generated_flatbuffer_aliases
from executorch.exir._serialize.generated.executorch_flatbuffer.Program import (
    Program as Tables,
)
from executorch.exir.scalar_type import ScalarType
from flatbuffers.table import Table

from petite.errors import PetiteError
from petite.pte import read_program
from pte_files import (
    CONSTANT,
    FLAG,
    INPUT,
    INT_LIST,
    OPTIONAL_LIST,
    OUTPUT,
    REAL,
    STATE,
    TENSOR_LIST,
    everything,
    inline,
    pte_file,
    tensor,
    with_segments,
)

_patch_generated_flatbuffer_aliases()  # without which the accessors do not work

VALUES = "execution_plan[0].values"


def refusal(data: bytes) -> str:
    """The message for a file, without its name; one line."""
    with pytest.raises(PetiteError) as caught:
        read_program(data, "some.pte")
    message = str(caught.value)
    assert message.isprintable()
    assert message.startswith("some.pte: ")
    what, remedy = message.removeprefix("some.pte: ").rsplit("; ", 1)
    assert what
    assert remedy
    return message.removeprefix("some.pte: ")


# Where things are in a file, found through ExecuTorch's generated accessors.


def plan_of(data: bytes) -> Any:
    return Tables.GetRootAs(data).ExecutionPlan(0)


def field(table: Any, slot: int) -> int:
    """The byte of a field."""
    offset = table._tab.Offset(4 + 2 * slot)
    assert offset
    return int(table._tab.Pos + offset)


def target(data: bytes, at: int) -> int:
    """Where the offset at a byte leads."""
    return int(at + struct.unpack_from("<I", data, at)[0])


def element(data: bytes, table: Any, slot: int, index: int, width: int) -> int:
    """The byte of one element of a vector."""
    return target(data, field(table, slot)) + 4 + index * width


class _At:
    """A table that the generated code has no accessor for, at a byte."""

    def __init__(self, data: bytes, position: int) -> None:
        self._tab = Table(data, position)


def value(data: bytes, index: int) -> Any:
    """The table of a value."""
    return _At(data, target(data, field(plan_of(data).Values(index), 1)))


def call(data: bytes, chain: int, index: int) -> Any:
    """The table of an instruction's arguments."""
    instruction = plan_of(data).Chains(chain).Instructions(index)
    return _At(data, target(data, field(instruction, 1)))


def patched(data: bytes, at: int, form: str, number: float) -> bytes:
    """The file with a number written over."""
    changed = bytearray(data)
    struct.pack_into("<" + form, changed, at, number)
    return bytes(changed)


GOOD = with_segments(everything())


def _tensor_field(index: int, slot: int) -> Callable[[bytes], int]:
    return lambda d: field(value(d, index), slot)


def _tensor_item(index: int, slot: int, item: int, width: int) -> Callable[[bytes], int]:
    return lambda d: element(d, value(d, index), slot, item, width)


def _inner(index: int, slot: int, inner_slot: int) -> Callable[[bytes], int]:
    """A field of a table below a tensor."""
    return lambda d: field(_At(d, target(d, field(value(d, index), slot))), inner_slot)


def _call_field(chain: int, index: int, slot: int) -> Callable[[bytes], int]:
    return lambda d: field(call(d, chain, index), slot)


def _call_item(chain: int, index: int, slot: int, item: int) -> Callable[[bytes], int]:
    return lambda d: element(d, call(d, chain, index), slot, item, 4)


CALLS = "execution_plan[0].chains"
#: (field path, its byte in a file, struct format, bad number, part of the message)
PATCHES: list[tuple[str, Callable[[bytes], int], str, float, str]] = [
    (f"{VALUES}[{CONSTANT}].val.scalar_type", _tensor_field(CONSTANT, 0), "b", 8, "ScalarType"),
    (f"{VALUES}[{CONSTANT}].val.scalar_type", _tensor_field(CONSTANT, 0), "b", -1, "ScalarType"),
    (f"{VALUES}[{CONSTANT}].val.sizes[1]", _tensor_item(CONSTANT, 2, 1, 4), "i", -3, "below 0"),
    (f"{VALUES}[{CONSTANT}].val.sizes", _tensor_item(CONSTANT, 2, 0, 4), "i", 3, "12 bytes"),
    (
        f"{VALUES}[{CONSTANT}].val.sizes",
        _tensor_item(CONSTANT, 2, 0, 4),
        "i",
        2**31 - 1,
        "above 2147483647",
    ),
    (f"{VALUES}[{CONSTANT}].val.dim_order", _tensor_item(CONSTANT, 3, 0, 1), "B", 0, "no order"),
    (f"{VALUES}[{CONSTANT}].val.dim_order", _tensor_item(CONSTANT, 3, 0, 1), "B", 2, "no order"),
    (
        f"{VALUES}[{CONSTANT}].val.data_buffer_idx",
        _tensor_field(CONSTANT, 5),
        "I",
        2,
        "constant_segment.offsets has 2 entries",
    ),
    (
        f"{VALUES}[{STATE}].val.data_buffer_idx",
        _tensor_field(STATE, 5),
        "I",
        2**32 - 1,
        "mutable_data_segments[0].offsets has 2 entries",
    ),
    (
        f"{VALUES}[{INPUT}].val.allocation_info.memory_id",
        _inner(INPUT, 6, 0),
        "I",
        3,
        "non_const_buffer_sizes has 3 entries",
    ),
    (
        f"{VALUES}[{INPUT}].val.allocation_info.memory_id",
        _inner(INPUT, 6, 0),
        "I",
        0,
        "entry 0 is reserved",
    ),
    (
        f"{VALUES}[{INPUT}].val.allocation_info.memory_offset_low",
        _inner(INPUT, 6, 1),
        "I",
        29,
        "bytes 29 to 33 of memory 1, which has 32 bytes",
    ),
    (
        f"{VALUES}[{INT_LIST}].val.items[2]",
        _tensor_item(INT_LIST, 0, 2, 8),
        "q",
        2**40,
        "15 values",
    ),
    (f"{VALUES}[{INT_LIST}].val.items[0]", _tensor_item(INT_LIST, 0, 0, 8), "q", -1, "15 values"),
    (
        f"{VALUES}[{INT_LIST}].val.items[1]",
        _tensor_item(INT_LIST, 0, 1, 8),
        "q",
        REAL,
        "is a Double, not a Int",
    ),
    (
        f"{VALUES}[{TENSOR_LIST}].val.items[1]",
        _tensor_item(TENSOR_LIST, 0, 1, 4),
        "i",
        -1,
        "15 values",
    ),
    (
        f"{VALUES}[{OPTIONAL_LIST}].val.items[0]",
        _tensor_item(OPTIONAL_LIST, 0, 0, 4),
        "i",
        FLAG,
        "is a Bool, not a Tensor or Null",
    ),
    (f"{VALUES}[{FLAG}].val.bool_val", _tensor_field(FLAG, 0), "B", 2, "a boolean is 0 or 1"),
    (f"{VALUES}[12].val.items[1]", _tensor_item(12, 0, 1, 1), "B", 255, "a boolean is 0 or 1"),
    (f"{CALLS}[0].instructions[0].instr_args.op_index", _call_field(0, 0, 0), "i", 2, "2 operat"),
    (f"{CALLS}[0].instructions[0].instr_args.op_index", _call_field(0, 0, 0), "i", -1, "2 operat"),
    (f"{CALLS}[0].instructions[0].instr_args.args[2]", _call_item(0, 0, 1, 2), "i", 15, "15 valu"),
    (
        f"{CALLS}[0].instructions[1].instr_args.cond_value_index",
        _call_field(0, 1, 0),
        "i",
        REAL,
        "not a boolean",
    ),
    (
        f"{CALLS}[0].instructions[1].instr_args.destination_instruction",
        _call_field(0, 1, 1),
        "i",
        3,
        "3 possible destinations",
    ),
    (f"{CALLS}[1].instructions[0].instr_args.args[1]", _call_item(1, 0, 1, 1), "i", -1, "15 valu"),
    (f"{CALLS}[1].instructions[1].instr_args.move_to", _call_field(1, 1, 1), "i", 99, "15 values"),
    (
        f"{CALLS}[1].instructions[4].instr_args.value_index",
        _call_field(1, 4, 0),
        "i",
        REAL,
        "not a tensor",
    ),
    (
        "execution_plan[0].inputs[0]",
        lambda d: element(d, plan_of(d), 3, 0, 4),
        "i",
        15,
        "15 values",
    ),
    (
        "execution_plan[0].outputs[0]",
        lambda d: element(d, plan_of(d), 4, 0, 4),
        "i",
        -1,
        "15 values",
    ),
    (
        "execution_plan[0].chains[1].outputs[0]",
        lambda d: element(d, plan_of(d).Chains(1), 1, 0, 4),
        "i",
        77,
        "15 values",
    ),
    (
        "execution_plan[0].non_const_buffer_sizes[2]",
        lambda d: element(d, plan_of(d), 8, 2, 8),
        "q",
        -1,
        "below 0",
    ),
    (
        "execution_plan[0].non_const_buffer_device[0].buffer_idx",
        lambda d: field(plan_of(d).NonConstBufferDevice(0), 0),
        "i",
        3,
        "3 memories",
    ),
    (
        "execution_plan[0].delegates[0].processed.index",
        lambda d: field(plan_of(d).Delegates(0).Processed(), 1),
        "I",
        9,
        "segments has 5 entries",
    ),
    (
        "segments[1].offset",
        lambda d: field(Tables.GetRootAs(d).Segments(1), 0),
        "Q",
        3,
        "inside the segment before it, which ends at 12",
    ),
    (
        "segments[4].size",
        lambda d: field(Tables.GetRootAs(d).Segments(4), 1),
        "Q",
        2**64 - 1,
        "bytes of segments, from byte",
    ),
    (
        "segments[4].offset",
        lambda d: field(Tables.GetRootAs(d).Segments(4), 0),
        "Q",
        2**64 - 1,
        "bytes of segments, from byte",
    ),
    (
        "constant_segment.offsets[1]",
        lambda d: element(d, Tables.GetRootAs(d).ConstantSegment(), 1, 1, 8),
        "Q",
        13,
        "beyond the end of its segment of 12 bytes",
    ),
    (
        "named_data[2].segment_index",
        lambda d: field(Tables.GetRootAs(d).NamedData(2), 1),
        "I",
        5,
        "segments has 5 entries",
    ),
    (
        "mutable_data_segments[0].segment_index",
        lambda d: field(Tables.GetRootAs(d).MutableDataSegments(0), 0),
        "I",
        5,
        "segments has 5 entries",
    ),
    (
        f"{VALUES}[{REAL}].val_type",
        lambda d: field(plan_of(d).Values(REAL), 0),
        "B",
        12,
        "KernelTypes has 11 types",
    ),
    (
        f"{CALLS}[0].instructions[1].instr_args_type",
        lambda d: field(plan_of(d).Chains(0).Instructions(1), 0),
        "B",
        6,
        "InstructionArguments has 5 types",
    ),
]


@pytest.mark.parametrize(
    ("path", "locate", "form", "number", "what"),
    PATCHES,
    ids=[f"{p[0]}={p[3]}" for p in PATCHES],
)
def test_a_bad_number_is_named(
    path: str, locate: Callable[[bytes], int], form: str, number: float, what: str
) -> None:
    at = locate(GOOD)
    message = refusal(patched(GOOD, at, form, number))
    named, _, rest = message.partition(" at byte ")
    assert named == path
    assert what in rest
    if "sizes" in path and not path.endswith("]"):  # a fault of the shape as a whole
        at = element(GOOD, value(GOOD, CONSTANT), 2, 0, 4)
    if path.endswith("dim_order"):
        at = element(GOOD, value(GOOD, CONSTANT), 3, 0, 1)
    assert int(rest.split(":")[0]) == at


def _set_tensor(index: int, **fields: Any) -> Callable[[Any], None]:
    def change(program: Any) -> None:
        for name, content in fields.items():
            setattr(program.execution_plan[0].values[index].val, name, content)

    return change


def _set_extra(**fields: Any) -> Callable[[Any], None]:
    return _set_tensor(OUTPUT, extra_tensor_info=schema.ExtraTensorInfo(**fields))


def _set_plan(**fields: Any) -> Callable[[Any], None]:
    def change(program: Any) -> None:
        for name, content in fields.items():
            setattr(program.execution_plan[0], name, content)

    return change


def _twice_the_method(program: Any) -> None:
    program.execution_plan.append(copy.deepcopy(program.execution_plan[0]))


def _no_methods(program: Any) -> None:
    program.execution_plan = []
    program.backend_delegate_data = []


def _newer(program: Any) -> None:
    program.version = 1


#: (field path, what to change before serializing, part of the message)
CHANGES: list[tuple[str, Callable[[Any], None], str]] = [
    ("version", _newer, "is 1, newer than the 0 that this reader knows; export the model again"),
    ("execution_plan", _no_methods, "no methods"),
    ("execution_plan[1].name", _twice_the_method, "earlier method"),
    ("execution_plan[0].name", _set_plan(name=""), "not a name"),
    ("execution_plan[0].name", _set_plan(name="a\nb"), r"'a\nb', which is not a name"),
    (
        "execution_plan[0].operators[0].name",
        _set_plan(operators=[schema.Operator("aten::a*/b", "")]),
        "'aten::a*/b' is not the name of an operator",
    ),
    (
        "execution_plan[0].operators[0].name",
        _set_plan(operators=[schema.Operator("x" * 10000, "")]),
        "x...' is not the name of an operator",
    ),
    (f"{VALUES}[{INPUT}].val.storage_offset", _set_tensor(INPUT, storage_offset=1), "only 0"),
    (f"{VALUES}[{INPUT}].val.layout", _set_tensor(INPUT, layout=1), "only strided"),
    (
        f"{VALUES}[{INPUT}].val.sizes",
        _set_tensor(INPUT, sizes=[1] * 17, dim_order=list(range(17))),
        "17 dimensions, more than 16",
    ),
    (
        f"{VALUES}[{INPUT}].val.sizes",
        _set_tensor(INPUT, sizes=[2**30, 2**30, 0], dim_order=[0, 1, 2]),
        "above 2147483647",
    ),
    (f"{VALUES}[{INPUT}].val.dim_order", _set_tensor(INPUT, dim_order=[]), "no order of 1"),
    (
        f"{VALUES}[{INPUT}].val.allocation_info.memory_offset_low",
        _set_tensor(INPUT, allocation_info=schema.AllocationDetails(1, 0, 1)),
        "bytes 4294967296 to 4294967300 of memory 1",
    ),
    (
        f"{VALUES}[{OUTPUT}].val.extra_tensor_info.location",
        _set_extra(location=schema.TensorDataLocation.EXTERNAL, fully_qualified_name="fc.weight"),
        "the data of tensor 'fc.weight' is in another file",
    ),
    (
        f"{VALUES}[{OUTPUT}].val.extra_tensor_info.device_type",
        _set_extra(device_type=schema.DeviceType.CUDA),
        "is not the CPU",
    ),
    (
        f"{VALUES}[{OUTPUT}].val.extra_tensor_info.device_index",
        _set_extra(device_index=1),
        "is not the CPU",
    ),
    (
        "execution_plan[0].non_const_buffer_device[0].device_type",
        _set_plan(non_const_buffer_device=[schema.NonConstBufferDevice(1, schema.DeviceType.CUDA)]),
        "is not the CPU",
    ),
    (
        f"{VALUES}[{STATE}].val.extra_tensor_info.mutable_data_segments_idx",
        _set_tensor(STATE, extra_tensor_info=schema.ExtraTensorInfo(7)),
        "is 7, but mutable_data_segments has 1 entries",
    ),
]


@pytest.mark.parametrize(("path", "change", "what"), CHANGES, ids=[c[0] for c in CHANGES])
def test_a_program_that_makes_no_sense_is_named(
    path: str, change: Callable[[Any], None], what: str
) -> None:
    file = everything()
    change(file.program)
    message = refusal(with_segments(file))
    assert message.startswith(f"{path} at byte ")
    assert what in message


def test_a_state_without_its_segment_is_named() -> None:
    file = everything()
    file.mutable_data = None
    message = refusal(with_segments(file))
    assert message.startswith(f"{VALUES}[{STATE}].val.")
    assert "mutable_data_segments" in message


def test_an_inline_constant_that_is_too_short_is_named() -> None:
    file = everything()
    file.program.constant_buffer[1] = schema.Buffer(bytes(11))
    message = refusal(inline(file))
    assert message.startswith(f"{VALUES}[{CONSTANT}].val.sizes at byte ")
    assert "needs 12 bytes, but its data has 11 bytes" in message


def test_an_inline_constant_that_is_not_there_is_named() -> None:
    file = everything()
    file.program.execution_plan[0].values[CONSTANT].val = tensor(
        [2], ScalarType.CHAR, data_buffer_idx=2
    )
    message = refusal(inline(file))
    assert message.startswith(f"{VALUES}[{CONSTANT}].val.data_buffer_idx at byte ")
    assert "constant_buffer has 2 entries" in message


def test_an_inline_delegate_that_is_not_there_is_named() -> None:
    file = everything()
    file.program.execution_plan[0].delegates[0].processed.index = 1
    message = refusal(inline(file))
    assert message.startswith("execution_plan[0].delegates[0].processed.index at byte ")
    assert "backend_delegate_data has 1 entries" in message


# The outer form.


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "file length at byte 0: the file is empty; "),
        (b"\x08\0\0\0ET1", "file length at byte 7: a program file has at least 8 bytes"),
        (b"\x08\0\0\0ET12", "root table offset at byte 0: is 8, but tables lie in bytes 8 to 8"),
        (b"\x08\0\0\0ET13\0\0\0\0", "identifier at byte 4: the file's schema is 'ET13', newer"),
        (b"\x08\0\0\0ET99\0\0\0\0", "identifier at byte 4: the file's schema is 'ET99', newer"),
        (b"\x08\0\0\0ET11\0\0\0\0", "identifier at byte 4: the file's schema is 'ET11', older"),
        (b"\x08\0\0\0BP08\0\0\0\0", "identifier at byte 4: this is a bundled program"),
        (b"\x08\0\0\0FT01\0\0\0\0", "identifier at byte 4: this is external tensor data"),
        (b"\x08\0\0\0TFL3\0\0\0\0", "identifier at byte 4: this is a TensorFlow Lite model"),
        (b"PK\x03\x04 and so on", "byte 0: this is a zip archive"),
        (b"\n\n\n\n\n\n\n\n\n\n\n", r"identifier at byte 4: is '\n\n\n\n', not 'ET12'"),
    ],
    ids=lambda content: repr(content)[:20],
)
def test_another_kind_of_file_is_named(data: bytes, message: str) -> None:
    assert refusal(data).startswith(message)


@pytest.mark.parametrize(
    ("field_name", "at", "form", "number"),
    [
        ("extended header.length", 12, "I", 23),
        ("extended header.program_size", 12, "I", 2**32 - 1),
        ("extended header.program_size", 16, "Q", 39),
        ("extended header.program_size", 16, "Q", 2**64 - 1),
        ("extended header.segment_base_offset", 24, "Q", 64),
        ("extended header.segment_base_offset", 24, "Q", 2**63),
        ("extended header.segment_data_size", 32, "Q", 2**64 - 1),
        ("segments[4].size", 32, "Q", 0),
        ("root table offset", 0, "I", 12),
        ("root table offset", 0, "I", 2**32 - 1),
    ],
)
def test_a_bad_header_is_named(field_name: str, at: int, form: str, number: int) -> None:
    message = refusal(patched(GOOD, at, form, number))
    if field_name.startswith("segments"):
        assert message.startswith("segments[0].size at byte ")
    elif number == 2**32 - 1 and at == 12:
        assert message.startswith(f"{field_name} at byte 16: ")
    else:
        assert message.startswith(f"{field_name} at byte {at}: ")


def test_segments_without_a_header_are_named() -> None:
    data = GOOD[:8] + b"EH00" + GOOD[12:]
    message = refusal(data.ljust(-len(data) % 16 + len(data), b"\0"))
    assert message.startswith("segments[0].size at byte ")
    assert "the file has 0 bytes of segments" in message


def test_a_header_of_an_older_exporter_has_no_data_size() -> None:
    older = patched(patched(GOOD, 12, "I", 24), 32, "Q", 2**64 - 1)
    assert read_program(older, "x").methods == read_program(GOOD, "x").methods


# The tables themselves.


def test_a_field_that_is_not_known_here_is_named() -> None:
    """A newer ExecuTorch may add a field that changes what a program means."""
    data = bytearray(pte_file("linear"))
    root = struct.unpack_from("<I", data)[0]
    vtable = root - struct.unpack_from("<i", data, root)[0]
    length = struct.unpack_from("<H", data, vtable)[0]
    longer = struct.pack("<H", length + 2 * (11 - (length - 4) // 2))
    slots = bytes(data[vtable + 2 : vtable + length]).ljust(4 + 2 * 10 - 2, b"\0")
    room = data.rfind(bytes(64), 0, struct.unpack_from("<Q", data, 16)[0])
    if room < 0:  # put the vtable behind the tables, where the padding is
        room = struct.unpack_from("<Q", data, 16)[0]
        data[16:24] = struct.pack("<Q", room + 32)
    data[room : room + 28] = longer + slots + struct.pack("<H", 4) + bytes(4)
    struct.pack_into("<i", data, root, root - room)
    message = refusal(bytes(data))
    assert message.startswith("root table at byte ")
    assert "slot 10 is set, but this reader knows 8 slots of a Program" in message
    assert message.endswith("export the model again with ExecuTorch 1.5.1")


@pytest.mark.parametrize(
    ("number", "what"),
    [
        (0, "which is not an aligned place"),
        (2, "which is not an aligned place"),
        (2**31, "which is not an aligned place"),
        (2**32 - 4, "which is not an aligned place"),
    ],
)
def test_a_bad_offset_is_named(number: int, what: str) -> None:
    at = field(plan_of(GOOD), 2)
    message = refusal(patched(GOOD, at, "I", number))
    assert message.startswith(f"execution_plan[0].values at byte {at}: offset {number} leads to ")
    assert what in message


@pytest.mark.parametrize("count", [2**32 - 1, 2**30, 2**29])
def test_a_bad_vector_length_is_named(count: int) -> None:
    at = element(GOOD, plan_of(GOOD), 8, -1, 8) + 4
    message = refusal(patched(GOOD, at, "I", count))
    assert message.startswith(f"execution_plan[0].non_const_buffer_sizes at byte {at}: takes ")


def test_a_bad_string_is_named() -> None:
    at = GOOD.index("naïve".encode())
    path = f"{VALUES}[4].val.string_val"
    message = refusal(patched(GOOD, at + 3, "B", 0xC3))
    assert message.startswith(f"{path} at byte {at + 2}: the string is not UTF-8; ")
    message = refusal(patched(GOOD, at + 6, "B", 1))
    assert message.startswith(f"{path} at byte {at + 6}: the string does not end in a null byte; ")


def test_a_bad_vtable_is_named() -> None:
    table = value(GOOD, CONSTANT)
    at = table._tab.Pos
    path = f"{VALUES}[{CONSTANT}].val"
    message = refusal(patched(GOOD, at, "i", at - 4))
    assert message.startswith(f"{path} at byte {at}: its vtable would be at byte 4, ")
    message = refusal(patched(GOOD, at, "i", 2**31 - 1))
    assert message.startswith(f"{path} at byte {at}: its vtable would be at byte -")
    vtable = at - struct.unpack_from("<i", GOOD, at)[0]
    message = refusal(patched(GOOD, vtable, "H", 3))
    assert message.startswith(f"{path} at byte {vtable}: a vtable cannot have 3 bytes; ")
    message = refusal(patched(GOOD, vtable + 2, "H", 3))
    assert message.startswith(f"{path} at byte {vtable + 2}: a table cannot have 3 bytes; ")
    message = refusal(patched(GOOD, vtable + 4 + 2 * 2, "H", 0))
    assert message.startswith(f"{path}.sizes at byte {at}: is missing from the Tensor; ")
    message = refusal(patched(GOOD, vtable + 4 + 2 * 2, "H", 2))
    assert message.startswith(f"{path}.sizes at byte {at}: would be 2 bytes into its table; ")
    message = refusal(patched(GOOD, vtable + 4 + 2 * 2, "H", 65532))
    assert message.startswith(f"{path}.sizes at byte {at + 65532}: takes 4 bytes, but the tables ")
