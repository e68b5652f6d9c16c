# SPDX-License-Identifier: Apache-2.0
"""Methods from their tables: operators, delegates, instructions, inputs and outputs."""

from __future__ import annotations

import re
from dataclasses import replace

from petite.pte.blobs import Blobs
from petite.pte.faults import quoted
from petite.pte.program import (
    BoolValue,
    CompileSpec,
    Delegate,
    DelegateCall,
    FreeCall,
    Instruction,
    JumpFalseCall,
    KernelCall,
    Method,
    MoveCall,
    TensorValue,
    Value,
)
from petite.pte.record import Record
from petite.pte.scalar_type import DType
from petite.pte.values import check_device, read_values

#: Longer ones are no path and name of a function.
_LONGEST_ORIGIN = 500
_OPERATOR_NAME = re.compile(r"[A-Za-z_]\w*(::[A-Za-z_]\w*)+(\.\w+)?", re.ASCII)


def read_method(plan: Record, blobs: Blobs) -> Method:
    """The method of an ExecutionPlan."""
    _check_buffers(plan)
    operators = tuple(_operator(record) for record in plan.records("operators"))
    delegates = tuple(_delegate(record, blobs) for record in plan.records("delegates"))
    values = read_values(plan, blobs)
    instructions = _InstructionReader(operators, len(delegates), values)
    for chain in plan.records("chains"):
        instructions.read_chain(chain)
    return Method(
        name=_printable(plan, "name"),
        values=values,
        inputs=_indexes(plan, "inputs", len(values)),
        outputs=_indexes(plan, "outputs", len(values)),
        instructions=tuple(instructions.flat),
        operators=operators,
        delegates=delegates,
        buffer_sizes=plan.integers("non_const_buffer_sizes"),
    )


def _check_buffers(plan: Record) -> None:
    sizes = plan.integers("non_const_buffer_sizes")
    for index, size in enumerate(sizes):
        if size < 0:
            raise plan.fault("non_const_buffer_sizes", f"is {size}, below 0", index=index)
    for device in plan.records("non_const_buffer_device"):
        if not 0 <= device.integer("buffer_idx") < len(sizes):
            raise device.fault(
                "buffer_idx",
                f"is {device.integer('buffer_idx')}, but the method has {len(sizes)} memories",
            )
        check_device(device)


def _printable(record: Record, field: str) -> str:
    """A name that fits in a message, a comment and a listing."""
    text = record.text(field)
    if not text or not text.isprintable():
        raise record.fault(field, f"is {quoted(text)}, which is not a name")
    return text


def _operator(record: Record) -> str:
    overload = record.text("overload")
    name = record.text("name") + (f".{overload}" if overload else "")
    if not _OPERATOR_NAME.fullmatch(name):
        raise record.fault("name", f"{quoted(name)} is not the name of an operator")
    return name


def _delegate(record: Record, blobs: Blobs) -> Delegate:
    return Delegate(
        id=_printable(record, "id"),
        blob=blobs.delegate_data(record.record("processed")),
        compile_specs=tuple(
            CompileSpec(spec.text("key"), spec.blob("value"))
            for spec in record.records("compile_specs")
        ),
    )


def _indexes(record: Record, field: str, count: int) -> tuple[int, ...]:
    """A vector of value indexes."""
    indexes = record.integers(field)
    for position, index in enumerate(indexes):
        if not 0 <= index < count:
            raise record.fault(
                field, f"is {index}, but the method has {count} values", index=position
            )
    return indexes


def _origin(frames: Record) -> str:
    """The innermost frame of a stack trace; empty where it is not fit to print."""
    items = frames.records("items")
    if not items:
        return ""
    frame = items[-1]
    text = f"{frame.text('filename')}:{frame.integer('lineno')}, in {frame.text('name')}"
    return text if text.isprintable() and len(text) < _LONGEST_ORIGIN else ""


class _InstructionReader:
    """Puts the chains of a method behind one another."""

    def __init__(
        self, operators: tuple[str, ...], delegates: int, values: tuple[Value, ...]
    ) -> None:
        self._operators = operators
        self._delegates = delegates
        self._values = values
        self.flat: list[Instruction] = []

    def read_chain(self, chain: Record) -> None:
        """Append the instructions of a chain."""
        _indexes(chain, "inputs", len(self._values))
        _indexes(chain, "outputs", len(self._values))
        instructions = chain.records("instructions")
        origins = [_origin(frames) for frames in chain.records("stacktrace")]
        origins += [""] * (len(instructions) - len(origins))
        base = len(self.flat)
        for record, origin in zip(instructions, origins, strict=False):
            instruction = self._read(record.record("instr_args"), base, len(instructions))
            if isinstance(instruction, KernelCall):
                instruction = replace(instruction, origin=origin)
            self.flat.append(instruction)

    def _read(self, record: Record, base: int, chain_length: int) -> Instruction:
        match record.table.name:
            case "KernelCall":
                index = self._index(record, "op_index", len(self._operators), "operators")
                return KernelCall(
                    self._operators[index], _indexes(record, "args", len(self._values))
                )
            case "DelegateCall":
                index = self._index(record, "delegate_index", self._delegates, "delegates")
                return DelegateCall(index, _indexes(record, "args", len(self._values)))
            case "MoveCall":
                return MoveCall(self._value(record, "move_from"), self._value(record, "move_to"))
            case "JumpFalseCall":
                return self._jump(record, base, chain_length)
            case _:
                return self._free(record)

    def _jump(self, record: Record, base: int, chain_length: int) -> JumpFalseCall:
        condition = self._value(record, "cond_value_index")
        value = self._values[condition]
        is_flag = isinstance(value, BoolValue) or (
            isinstance(value, TensorValue) and value.dtype is DType.BOOL
        )
        if not is_flag:
            raise record.fault(
                "cond_value_index", f"value {condition} is a {type(value).__name__}, not a boolean"
            )
        # One past the end is the end of the chain.
        destination = self._index(
            record, "destination_instruction", chain_length + 1, "possible destinations"
        )
        return JumpFalseCall(condition, base + destination)

    def _free(self, record: Record) -> FreeCall:
        index = self._value(record, "value_index")
        if not isinstance(self._values[index], TensorValue):
            raise record.fault(
                "value_index",
                f"value {index} is a {type(self._values[index]).__name__}, not a tensor",
            )
        return FreeCall(index)

    def _value(self, record: Record, field: str) -> int:
        return self._index(record, field, len(self._values), "values")

    @staticmethod
    def _index(record: Record, field: str, count: int, into: str) -> int:
        index = record.integer(field)
        if not 0 <= index < count:
            raise record.fault(field, f"is {index}, but there are {count} {into}")
        return index
