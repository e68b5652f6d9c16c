# SPDX-License-Identifier: Apache-2.0
"""Inputs that export turned into constants of the program.

A number, text or None among a model's example inputs becomes part of the program: its
instructions hold the value. The method still lists the input, and ExecuTorch insists that the
application gives what the model was exported with. Here the application does not see it.
"""

from __future__ import annotations

from petite.pte.program import (
    DelegateCall,
    Instruction,
    IntList,
    JumpFalseCall,
    KernelCall,
    Method,
    MoveCall,
    TensorValue,
)


def settled_inputs(method: Method) -> frozenset[int]:
    """Value indexes of the inputs that are no tensors and that nothing reads.

    A number that an instruction does read changes from call to call: it is not settled.
    """
    read = set(method.outputs)
    for instruction in method.instructions:
        read.update(_operands(instruction))
    for index in list(read):
        value = method.values[index]
        if isinstance(value, IntList):
            read.update(value.indexes)
    return frozenset(
        index
        for index in method.inputs
        if index not in read and not isinstance(method.values[index], TensorValue)
    )


def _operands(instruction: Instruction) -> tuple[int, ...]:
    match instruction:
        case KernelCall() | DelegateCall():
            return instruction.args
        case JumpFalseCall():
            return (instruction.condition,)
        case MoveCall():
            return (instruction.move_from,)
        case _:
            return ()
