# SPDX-License-Identifier: Apache-2.0
"""Constants of a program file that no instruction reads, by what they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from petite.pte.program import (
    DelegateCall,
    KernelCall,
    Method,
    MoveCall,
    OptionalTensorList,
    Program,
    TensorList,
    TensorValue,
)
from petite.pte.scalar_type import DType


@dataclass(frozen=True)
class ConstantFacts:
    """Bytes of constants. Tensors that share their bytes in the file count once."""

    in_file: int
    #: What an instruction or an output refers to.
    needed: int
    #: The rest, by what it is.
    dead: dict[str, int]


def constant_facts(program: Program) -> ConstantFacts:
    """Weigh all constants of a program."""
    tensors = [
        (tensor, index in needed)
        for method in program.methods
        for needed in [_referenced(method)]
        for index, tensor in enumerate(method.values)
        if isinstance(tensor, TensorValue) and tensor.data is not None
    ]
    # The reader hands out one object for the same bytes of the file.
    stored = {id(tensor.data): tensor for tensor, _ in tensors}
    needed = {id(tensor.data) for tensor, used in tensors if used}
    contents = {_sorted(tensor) for key, tensor in stored.items() if key in needed}
    dead: dict[str, int] = {}
    for key, tensor in stored.items():
        if key not in needed:
            reason = _reason(tensor, contents)
            dead[reason] = dead.get(reason, 0) + tensor.nbytes
    in_file = sum(tensor.nbytes for tensor in stored.values())
    return ConstantFacts(in_file, in_file - sum(dead.values()), dead)


def _referenced(method: Method) -> set[int]:
    """Indexes of the values that instructions and outputs refer to, also through lists."""
    direct = set(method.outputs)
    for instruction in method.instructions:
        if isinstance(instruction, KernelCall | DelegateCall):
            direct.update(instruction.args)
        elif isinstance(instruction, MoveCall):
            direct.add(instruction.move_from)
    lists = [method.values[i] for i in direct]
    for value in lists:
        if isinstance(value, TensorList | OptionalTensorList):
            direct.update(value.items)
    return direct


def _sorted(tensor: TensorValue) -> tuple[DType, bytes]:
    """The same for tensors that hold the same elements in any order."""
    elements = np.frombuffer(tensor.data or b"", tensor.dtype.numpy)
    return tensor.dtype, np.sort(elements).tobytes()


def _reason(tensor: TensorValue, needed: set[tuple[DType, bytes]]) -> str:
    is_zero = not any(tensor.data or b"")
    if len(tensor.sizes) > 1 and _sorted(tensor) in needed:
        return "weights stored again in another order"
    if tensor.dtype is DType.LONG:
        return "zero points (int64)"
    if tensor.dtype is DType.INT and is_zero:
        return "zero points (int32)"
    if tensor.dtype is DType.FLOAT and len(tensor.sizes) <= 1:
        return "scales (float32)"
    return "read by no instruction"
