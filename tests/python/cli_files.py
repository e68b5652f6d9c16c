# SPDX-License-Identifier: Apache-2.0
"""Tiny program files for the tests of the command line, right ones and wrong ones."""

from __future__ import annotations

from typing import Any

from executorch.exir import schema
from executorch.exir._serialize._program import PTEFile, serialize_pte_binary
from executorch.exir.scalar_type import ScalarType

from pte_files import planned, tensor


def method(
    name: str = "forward",
    *,
    operator: tuple[str, str] = ("aten::relu", "out"),
    sizes: tuple[int, ...] = (2, 3),
    dtype: ScalarType = ScalarType.FLOAT,
    values: list[Any] | None = None,
    args: list[int] | None = None,
    inputs: list[int] | None = None,
    **fields: Any,
) -> Any:
    """A method of one instruction: value 0 is its input, value 1 its output."""
    size = 8
    for n in sizes:
        size *= n
    if values is None:
        values = [
            tensor(list(sizes), dtype, allocation_info=planned(0), **fields),
            tensor(list(sizes), dtype, allocation_info=planned(size), **fields),
        ]
    call = schema.KernelCall(0, args or [0, 1])
    return schema.ExecutionPlan(
        name=name,
        container_meta_type=schema.ContainerMetadata("", ""),
        values=[schema.EValue(value) for value in values],
        inputs=inputs or [0],
        outputs=[1],
        chains=[schema.Chain([], [], [schema.Instruction(call)], None)],
        operators=[schema.Operator(*operator)],
        delegates=[],
        non_const_buffer_sizes=[0, 2 * size],
        non_const_buffer_device=[],
    )


def program(*methods: Any, constants: list[bytes] | None = None) -> bytes:
    """A program file of these methods."""
    file = PTEFile(
        program=schema.Program(
            version=0,
            execution_plan=list(methods),
            constant_buffer=[schema.Buffer(b""), *map(schema.Buffer, constants or [])],
            backend_delegate_data=[],
            segments=[],
            constant_segment=schema.SubsegmentOffsets(0, []),
            mutable_data_segments=None,
        ),
        mutable_data=None,
        named_data=None,
    )
    return bytes(serialize_pte_binary(file))


def relu() -> bytes:
    """One float input and output of shape [2, 3]."""
    return program(method())


def softmax_of_integers() -> bytes:
    """What PyTorch has no result for: a softmax of int32."""
    values = [
        tensor([2, 3], ScalarType.INT, allocation_info=planned(0)),
        tensor([2, 3], ScalarType.INT, allocation_info=planned(32)),
        schema.Int(1),
        schema.Bool(False),
    ]
    return program(method(operator=("aten::_softmax", "out"), values=values, args=[0, 2, 3, 1]))


def two_inputs() -> bytes:
    """The sum of two inputs of shape [2, 3]."""
    values = [
        tensor([2, 3], ScalarType.FLOAT, allocation_info=planned(0)),
        tensor([2, 3], ScalarType.FLOAT, allocation_info=planned(32)),
        tensor([2, 3], ScalarType.FLOAT, allocation_info=planned(64)),
        schema.Int(1),
    ]
    made = method(operator=("aten::add", "out"), values=values, args=[0, 2, 3, 1], inputs=[0, 2])
    return program(made)


def with_constant(count: int) -> bytes:
    """A sum with ``count`` float32 constants."""
    values = [
        tensor([count], ScalarType.FLOAT, allocation_info=planned(0)),
        tensor([count], ScalarType.FLOAT, allocation_info=planned(4 * count)),
        tensor([count], ScalarType.FLOAT, data_buffer_idx=1),
        schema.Int(1),
    ]
    made = method(operator=("aten::add", "out"), values=values, args=[0, 2, 3, 1], sizes=(count,))
    return program(made, constants=[bytes(range(1, 251)) * (4 * count // 250 + 1)])


def counter() -> bytes:
    """A state of shape [3] that starts at 0: each call adds the input and returns the sum."""
    values = [
        tensor([3], ScalarType.FLOAT, allocation_info=planned(0)),
        tensor([3], ScalarType.FLOAT, allocation_info=planned(32)),
        tensor([3], ScalarType.FLOAT, allocation_info=planned(64)),
        schema.Int(1),
    ]
    made = method(operator=("aten::add", "out"), values=values, args=[2, 0, 3, 1])
    made.operators.append(schema.Operator("aten::copy_", ""))
    made.chains[0].instructions.append(schema.Instruction(schema.KernelCall(1, [2, 1, 2])))
    return program(made)


def with_weights(outputs: int, inputs: int) -> bytes:
    """A float32 matrix product whose weights are constants."""
    values = [
        tensor([1, inputs], ScalarType.FLOAT, allocation_info=planned(0)),
        tensor([1, outputs], ScalarType.FLOAT, allocation_info=planned(4 * inputs)),
        tensor([outputs, inputs], ScalarType.FLOAT, data_buffer_idx=1),
        schema.Null(),
    ]
    made = method(
        operator=("aten::linear", "out"),
        values=values,
        args=[0, 2, 3, 1],
        sizes=(outputs + inputs,),
    )
    return program(made, constants=[bytes(4 * outputs * inputs)])


def dynamic() -> bytes:
    """A shape that is only bounded."""
    return program(method(shape_dynamism=schema.TensorShapeDynamism.DYNAMIC_BOUND))


def of_type(dtype: ScalarType) -> bytes:
    """Tensors of another element type."""
    return program(method(dtype=dtype))
