# SPDX-License-Identifier: Apache-2.0
"""The reader agrees with ExecuTorch's own deserializer on every field."""

from __future__ import annotations

import hashlib
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from executorch.exir import schema
from executorch.exir._serialize._program import PTEFile, deserialize_pte_binary

from petite.errors import PetiteError
from petite.pte import load_program, read_program
from petite.pte.program import (
    BoolList,
    BoolValue,
    Delegate,
    DelegateCall,
    DoubleList,
    DoubleValue,
    FreeCall,
    IntList,
    IntValue,
    JumpFalseCall,
    KernelCall,
    Method,
    MoveCall,
    NullValue,
    OptionalTensorList,
    Program,
    StringValue,
    TensorList,
    TensorValue,
)
from pte_files import MAKERS, pte_file

_ITEM_BYTES = {"CHAR": 1, "BYTE": 1, "BOOL": 1, "SHORT": 2, "INT": 4, "FLOAT": 4, "LONG": 8}


@pytest.mark.parametrize("name", MAKERS)
def test_reader_agrees_with_executorch(name: str) -> None:
    data = pte_file(name)
    theirs = deserialize_pte_binary(data)
    ours = read_program(data, name)
    assert ours.name == name
    assert ours.digest == hashlib.sha256(data).hexdigest()
    assert ours.version == theirs.program.version
    assert {entry.key: entry.data for entry in ours.named_data} == _named_data(theirs)
    assert len(ours.methods) == len(theirs.program.execution_plan)
    for method, plan in zip(ours.methods, theirs.program.execution_plan, strict=True):
        _compare_method(method, plan, theirs)


def _named_data(theirs: PTEFile) -> dict[str, bytes]:
    if theirs.named_data is None:
        return {}
    return {
        key: bytes(theirs.named_data.buffers[entry.buffer_index])
        for key, entry in theirs.named_data.pte_data.items()
    }


def _compare_method(method: Method, plan: Any, file: PTEFile) -> None:
    assert method.name == plan.name
    assert list(method.inputs) == plan.inputs
    assert list(method.outputs) == plan.outputs
    assert list(method.buffer_sizes) == plan.non_const_buffer_sizes
    names = [op.name + ("." + op.overload if op.overload else "") for op in plan.operators]
    assert list(method.operators) == names
    assert len(method.values) == len(plan.values)
    for ours, theirs in zip(method.values, plan.values, strict=True):
        _compare_value(ours, theirs.val, plan, file)
    assert list(method.instructions) == _flat_instructions(plan, names)
    assert len(method.delegates) == len(plan.delegates)
    for delegate, reference in zip(method.delegates, plan.delegates, strict=True):
        _compare_delegate(delegate, reference, file.program)


def _flat_instructions(plan: Any, names: list[str]) -> list[Any]:
    flat: list[Any] = []
    for chain in plan.chains:
        base = len(flat)
        traces = chain.stacktrace or [None] * len(chain.instructions)
        for instruction, trace in zip(chain.instructions, traces, strict=True):
            call = instruction.instr_args
            match call:
                case schema.KernelCall():
                    frame = trace.items[-1] if trace is not None and trace.items else None
                    origin = "" if frame is None else _origin(frame)
                    flat.append(KernelCall(names[call.op_index], tuple(call.args), origin))
                case schema.DelegateCall():
                    flat.append(DelegateCall(call.delegate_index, tuple(call.args)))
                case schema.MoveCall():
                    flat.append(MoveCall(call.move_from, call.move_to))
                case schema.JumpFalseCall():
                    target = base + call.destination_instruction
                    flat.append(JumpFalseCall(call.cond_value_index, target))
                case schema.FreeCall():
                    flat.append(FreeCall(call.value_index))
    return flat


def _origin(frame: Any) -> str:
    return f"{frame.filename}:{frame.lineno}, in {frame.name}"


def _compare_delegate(ours: Delegate, theirs: Any, program: Any) -> None:
    assert ours.id == theirs.id
    assert theirs.processed.location == schema.DataLocation.INLINE  # the deserializer's doing
    assert ours.blob == program.backend_delegate_data[theirs.processed.index].data
    specs = [(spec.key, spec.value) for spec in theirs.compile_specs]
    assert [(spec.key, spec.value) for spec in ours.compile_specs] == specs


def _compare_value(ours: Any, theirs: Any, plan: Any, file: PTEFile) -> None:
    match theirs:
        case schema.Tensor():
            _compare_tensor(ours, theirs, file)
        case schema.Null():
            assert ours == NullValue()
        case schema.Int():
            assert ours == IntValue(theirs.int_val)
        case schema.Bool():
            assert ours == BoolValue(theirs.bool_val)
        case schema.Double():
            assert ours == DoubleValue(float(theirs.double_val))
        case schema.String():
            assert ours == StringValue(theirs.string_val)
        case schema.IntList():
            items = tuple(plan.values[i].val.int_val for i in theirs.items)
            assert ours == IntList(items, tuple(theirs.items))
        case schema.DoubleList():
            assert ours == DoubleList(tuple(theirs.items))
        case schema.BoolList():
            assert ours == BoolList(tuple(theirs.items))
        case schema.TensorList():
            assert ours == TensorList(tuple(theirs.items))
        case schema.OptionalTensorList():
            assert ours == OptionalTensorList(tuple(theirs.items))
        case _:
            raise AssertionError(theirs)


def _compare_tensor(ours: Any, theirs: Any, file: PTEFile) -> None:
    assert isinstance(ours, TensorValue)
    assert ours.dtype.name == theirs.scalar_type.name
    assert list(ours.sizes) == theirs.sizes
    assert list(ours.dim_order) == theirs.dim_order
    assert ours.dynamism == theirs.shape_dynamism
    assert ours.is_dynamic == (theirs.shape_dynamism != schema.TensorShapeDynamism.STATIC)
    extra = theirs.extra_tensor_info
    assert ours.name == (extra.fully_qualified_name if extra else None)
    planned = theirs.allocation_info
    if planned is None:
        assert ours.allocation is None
    else:
        assert ours.allocation == (planned.memory_id, planned.memory_offset)
    nbytes = prod(theirs.sizes) * _ITEM_BYTES[theirs.scalar_type.name]
    assert ours.nbytes == nbytes
    index = theirs.data_buffer_idx
    if index and planned is None:
        assert ours.data == bytes(file.program.constant_buffer[index].storage)[:nbytes]
    else:
        assert ours.data is None
    if index and planned is not None:
        assert file.mutable_data is not None
        assert ours.initial == bytes(file.mutable_data[index].storage)[:nbytes]
    else:
        assert ours.initial is None


def _tensors(program: Program) -> list[TensorValue]:
    return [v for m in program.methods for v in m.values if isinstance(v, TensorValue)]


def test_constants_are_the_models_weights() -> None:
    torch.manual_seed(1)
    linear = torch.nn.Linear(3, 2)
    stored = {t.sizes: t.data for t in _tensors(read_program(pte_file("linear"), "linear"))}
    assert stored[2, 3] == linear.weight.detach().numpy().tobytes()
    assert stored[(2,)] == linear.bias.detach().numpy().tobytes()


def test_initial_state_is_kept_where_the_exporter_kept_it() -> None:
    kept = [t for t in _tensors(read_program(pte_file("initial state"), "x")) if t.initial]
    assert [t.initial for t in kept] == [np.arange(1, 5, dtype="float32").tobytes()]
    assert kept[0].name is not None
    assert kept[0].name.endswith("total")
    assert not any(t.initial for t in _tensors(read_program(pte_file("state"), "x")))


def test_the_files_cover_what_a_file_can_have() -> None:
    """Whoever changes the test files sees what they must go on covering."""
    programs = [read_program(pte_file(name), name) for name in MAKERS]
    methods = [method for program in programs for method in program.methods]
    values = {type(value) for method in methods for value in method.values}
    assert len(values) == 11
    assert len({type(i) for method in methods for i in method.instructions}) == 5
    tensors = [tensor for program in programs for tensor in _tensors(program)]
    assert any(t.data for t in tensors)
    assert any(t.initial for t in tensors)
    assert any(t.is_dynamic for t in tensors)
    assert any(t.dim_order == (0, 2, 3, 1) for t in tensors)
    assert any(len(program.methods) == 3 for program in programs)
    assert any(program.named_data for program in programs)
    headers = {pte_file(name)[8:12] == b"eh00" for name in MAKERS}
    assert headers == {True, False}


def test_load_program_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "model.pte"
    path.write_bytes(pte_file("linear"))
    assert load_program(path) == read_program(pte_file("linear"), str(path))


@pytest.mark.parametrize("kind", ["missing", "directory"])
def test_load_program_names_a_file_that_cannot_be_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path if kind == "directory" else tmp_path / "no.pte"
    with pytest.raises(PetiteError) as caught:
        load_program(path)
    assert str(caught.value).startswith(f"{path}: cannot be read: ")
