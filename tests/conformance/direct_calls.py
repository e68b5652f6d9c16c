# SPDX-License-Identifier: Apache-2.0
"""Operators that stock export takes apart, called by files made by hand.

Other ways of export leave them whole. Here are the calls, what PyTorch's operator of each name
gives, and how a file of such calls is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from executorch.exir import schema
from executorch.exir._serialize._program import PTEFile, serialize_pte_binary
from executorch.exir.scalar_type import ScalarType

SCALAR_TYPES = {
    torch.uint8: ScalarType.BYTE,
    torch.int8: ScalarType.CHAR,
    torch.int16: ScalarType.SHORT,
    torch.int32: ScalarType.INT,
    torch.int64: ScalarType.LONG,
    torch.float32: ScalarType.FLOAT,
    torch.bool: ScalarType.BOOL,
}
#: What a file can hold; scales are float64.
FILE_TYPES = {**SCALAR_TYPES, torch.float64: ScalarType.DOUBLE}


@dataclass(frozen=True)
class Known:
    """A tensor that is a constant of the file."""

    tensor: torch.Tensor


@dataclass(frozen=True)
class Case:
    """A call: tensors among its arguments are inputs of the method, unless they are Known."""

    operator: str
    """Name and overload as a file has them."""
    args: tuple[Any, ...]
    expected: Callable[[], Any] | None = None
    """What PyTorch gives, where that is not its operator of this name."""
    units: int = 0
    """Units in the last place by which a float32 may differ; 0 is equality."""

    def results(self) -> list[torch.Tensor]:
        """What comes out, in PyTorch."""
        made = self._made()
        return [made] if isinstance(made, torch.Tensor) else list(made)

    def _made(self) -> Any:
        if self.expected is not None:
            return self.expected()
        if self.in_place:
            return torch.ops.aten.index_put(*map(_plain, self.args))
        name, overload = self.operator.removeprefix("aten::").split(".")
        packet = getattr(torch.ops.aten, name)
        overload = overload.removesuffix("out").removesuffix("_").replace("values", "")
        function = getattr(packet, overload or "default")
        args = dict(zip(function._schema.arguments, map(_plain, self.args), strict=False))
        named = {a.name: value for a, value in args.items() if a.kwarg_only}
        return function(*[value for a, value in args.items() if not a.kwarg_only], **named)

    @property
    def in_place(self) -> bool:
        """Whether the first argument becomes the result."""
        return self.operator.endswith("_")

    @property
    def gives_list(self) -> bool:
        """Whether the outputs are one argument, a list."""
        return "unbind" in self.operator or "split" in self.operator


def _plain(value: Any) -> Any:
    """An argument as PyTorch has it."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.tensor if isinstance(value, Known) else value


def _shuffled(*shape: int) -> torch.Tensor:
    """Numbers that are all different."""
    generator = torch.Generator().manual_seed(3)
    return torch.randperm(torch.Size(shape).numel(), generator=generator).reshape(shape)


def ints(*shape: int, dtype: torch.dtype = torch.int16) -> torch.Tensor:
    """Random integers, the same each time."""
    generator = torch.Generator().manual_seed(len(shape))
    return torch.randint(-100, 100, shape, generator=generator).to(dtype)


def floats(*shape: int) -> torch.Tensor:
    """Random numbers, the same each time."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape)))


X = ints(3, 4, 5)
NUMBER = torch.tensor(7, dtype=torch.int32)
INDEX = torch.tensor([2, 0, 2, 1])
SHORT_INDEX = INDEX.to(torch.int32)
FLAGS = ints(3, 4, 5) > 0


def _padded(mode: str, pads: list[int], x: torch.Tensor) -> Callable[[], torch.Tensor]:
    return lambda: torch.nn.functional.pad(x.float(), pads, mode).to(x.dtype)


CASES = [
    Case("aten::stack.out", ([X, X, X], 1)),
    Case("aten::stack.out", ([FLAGS, FLAGS], -1)),
    Case("aten::stack.out", ([NUMBER, NUMBER], 0)),
    Case("aten::stack.out", ([X[0], Known(X[1])], 2)),
    Case("aten::unbind_copy.int_out", (X, 1)),
    Case("aten::unbind_copy.int_out", (X, -1)),
    Case("aten::split_copy.Tensor_out", (X, 2, 2)),
    Case("aten::roll.out", (X, [1], [2])),
    Case("aten::roll.out", (X, [-7, 3, 1], [1, 0, 1])),
    Case("aten::roll.out", (X, [13], [])),
    Case("aten::pixel_shuffle.out", (ints(8, 3, 2), 2)),
    Case("aten::pixel_shuffle.out", (ints(2, 2, 9, 1, 2, dtype=torch.int64), 3)),
    Case("aten::pixel_unshuffle.out", (floats(2, 3, 4, 6), 2)),
    Case("aten::narrow_copy.out", (X, -1, -4, 3)),
    Case("aten::diagonal_copy.out", (X, 2, 0, 2)),
    Case("aten::diagonal_copy.out", (X, -1, -1, 1)),
    Case("aten::as_strided_copy.out", (X, [2, 3], [1, 20], None)),
    Case("aten::as_strided_copy.out", (X, [4], [0], 59)),
    Case("aten::unfold_copy.out", (X, 1, 3, 1)),
    Case("aten::unfold_copy.out", (X, 2, 2, 3)),
    Case("aten::tril.out", (X, 0)),
    Case("aten::tril.out", (FLAGS, -1)),
    Case("aten::tril.out", (floats(4, 3), 1)),
    Case("aten::tril.out", (Known(X), 0)),
    Case("aten::select_scatter.out", (X, X[:, 1], 1, -1)),
    Case("aten::slice_scatter.out", (X, X[:, :, :2], -1, 1, None, 2)),
    Case("aten::slice_scatter.out", (X, X[:2], 0, None, -1, 1)),
    Case("aten::slice_scatter.out", (X, X.float(), 0, None, None, 1)),
    Case("aten::repeat_interleave.Tensor_out", (Known(torch.tensor([2, 0, 3])), None)),
    Case("aten::repeat_interleave.Tensor_out", (Known(NUMBER.reshape(1)), 7)),
    *(
        Case(f"aten::{mode}_pad1d.out", (x, pads), _padded(name, pads, x))
        for mode, name in (("reflection", "reflect"), ("replication", "replicate"))
        for x in (ints(2, 5, dtype=torch.int8), ints(2, 3, 5, dtype=torch.int64))
        for pads in ([4, 1], [0, 3], [-2, 2], [1, -1])
    ),
    *(
        Case(f"aten::{mode}_pad{n}d.out", (x, pads), _padded(name, pads, x))
        for mode, name in (("reflection", "reflect"), ("replication", "replicate"))
        for n, x, pads in (
            (2, ints(2, 3, 4), [1, 2, 0, 2]),
            (2, ints(1, 2, 3, 4), [3, 0, -1, 1]),
            (3, ints(2, 3, 4, 2), [1, 1, 2, 0, 0, 2]),
        )
    ),
    # A sigmoid of four roundings, and a product.
    Case("aten::glu.out", (floats(3, 4, 5), 1), units=5),
    Case("aten::full.out", ([2, 3], -2.5), lambda: torch.full((2, 3), -2.5)),
    Case("aten::full.out", ([2], 7), lambda: torch.full((2,), 7, dtype=torch.uint8)),
    Case("aten::full_like.out", (X, 3, None), lambda: torch.full_like(X, 3)),
    Case("aten::zeros.out", ([3],), lambda: torch.zeros(3)),
    Case("aten::ones.out", ([2, 2],), lambda: torch.ones(2, 2, dtype=torch.bool)),
    Case("aten::fill.Scalar_out", (X, 9)),
    Case("aten::fill.Tensor_out", (X, NUMBER)),
    Case("aten::fill.Tensor_out", (FLAGS, Known(NUMBER))),
    Case("aten::scalar_tensor.out", (True,), lambda: torch.tensor(True)),
    Case("aten::scalar_tensor.out", (2.75,), lambda: torch.tensor(2, dtype=torch.int32)),
    Case("aten::arange.out", (4.5,), lambda: torch.arange(4.5)),
    Case("aten::arange.start_out", (7, -3, -4), lambda: torch.arange(7, -3, -4)),
    Case("aten::arange.start_out", (-2.5, 3.0, 1.5), lambda: torch.tensor([-2, -1, 0, 2])),
    Case("aten::embedding.out", (ints(5, 3, dtype=torch.int8), INDEX, -1, False, False)),
    Case("aten::embedding.out", (Known(floats(5, 3)), SHORT_INDEX, 1, False, False)),
    Case("aten::embedding.out", (floats(5, 3), Known(INDEX), -1, False, False)),
    Case("aten::index_select.out", (X, 1, INDEX)),
    Case("aten::index_select.out", (X, -2, SHORT_INDEX)),
    Case("aten::index_select.out", (X, 0, torch.tensor(2))),
    Case("aten::index_select.out", (NUMBER, 0, torch.tensor([0])), lambda: NUMBER),
    Case("aten::index.Tensor_out", (X, [None, INDEX - 3])),
    Case("aten::index.Tensor_out", (X, [INDEX, None, INDEX.reshape(4, 1)])),
    Case("aten::index.Tensor_out", (X, [torch.tensor(1), SHORT_INDEX])),
    Case("aten::index.Tensor_out", (X, [None, Known(INDEX), Known(INDEX + 1)])),
    Case("aten::index.Tensor_out", (X, [Known(INDEX), INDEX])),
    Case("aten::index.Tensor_out", (X, [None, Known(torch.tensor([True, False, True, True]))])),
    Case("aten::index.Tensor_out", (X, [None, None]), lambda: X),
    Case("aten::gather.out", (X, 1, torch.tensor([[[0], [3]]]), False)),
    Case("aten::gather.out", (X, -1, INDEX.reshape(2, 2, 1), False)),
    Case("aten::gather.out", (NUMBER, 0, torch.tensor([0]), False), lambda: NUMBER.reshape(1)),
    Case("aten::gather.out", (torch.arange(3), 0, torch.tensor(2), False)),
    Case("aten::index_put.out", (X, [INDEX], X[0, 0], False)),
    Case("aten::index_put.out", (X, [None, Known(INDEX)], X[0, 0], True)),
    Case("aten::index_put.out", (X, [INDEX, None, INDEX], X[:1, :, 0], True)),
    Case("aten::index_put.out", (X, [FLAGS], X[0, 0, 0], False)),
    Case("aten::index_put.out", (X, [FLAGS[:, :, 0]], X[0, 0], True)),
    Case("aten::index_put.out", (X, [None, FLAGS[0, :, 0]], X[:, :1, 0, None], False)),
    Case("aten::index_put.out", (X, [Known(FLAGS)], X[0, 0, 0], True)),
    Case("aten::scatter.src_out", (X, 2, INDEX.reshape(1, 2, 2), X)),
    Case("aten::scatter.value_out", (floats(3, 4), 1, INDEX.reshape(2, 2), -1.5)),
    Case("aten::scatter.value_out", (FLAGS, 0, INDEX.reshape(1, 2, 2), True)),
    Case("aten::scatter_add.out", (X, 0, INDEX.reshape(2, 2, 1), X)),
    Case("aten::scatter_add.out", (X, 0, Known(INDEX.reshape(2, 2, 1)), X)),
    Case("aten::masked_scatter.out", (X, FLAGS, X)),
    Case("aten::masked_scatter.out", (X[0], FLAGS, Known(X.flip(0)))),
    Case("aten::topk.values", (_shuffled(4, 5), 3, -1, True, True)),
    Case("aten::topk.values", (_shuffled(4, 5), 2, 0, False, False)),
    Case("aten::topk.values", (NUMBER, 1, -1, True, True)),
]


def _of_type(dtype: torch.dtype) -> list[Case]:
    """What export writes in another way, or for few types only, on tensors of a type."""
    x = ints(2, 4, 5) > 0 if dtype is torch.bool else ints(2, 4, 5).to(dtype)
    line, image, volume = x[:, 0], x[None], x[None, None]
    pads = [
        Case(f"aten::{mode}_pad{n}d.out", (value, sizes), _padded(name, sizes, value))
        for mode, name in (("reflection", "reflect"), ("replication", "replicate"))
        for n, value, sizes in (
            (1, line, [1, 2]),
            (2, image, [0, 2, 3, 1]),
            (3, volume, [1, 0, 2, 1, 1, 1]),
        )
    ]
    made = [
        Case("aten::full.out", ([2, 3], 1), lambda: torch.full((2, 3), 1, dtype=dtype)),
        Case("aten::full_like.out", (x, 1, None), lambda: torch.full_like(x, 1)),
        Case("aten::fill.Scalar_out", (x, 1)),
        Case("aten::fill.Tensor_out", (x, NUMBER)),
        Case("aten::zeros.out", ([3],), lambda: torch.zeros(3, dtype=dtype)),
        Case("aten::ones.out", ([2, 2],), lambda: torch.ones(2, 2, dtype=dtype)),
        # Their contents are undefined in PyTorch, and zero here.
        Case("aten::empty.out", ([3], None), lambda: torch.zeros(3, dtype=dtype)),
        Case(
            "dim_order_ops::_empty_dim_order.out",
            ([3], None),
            lambda: torch.zeros(3, dtype=dtype),
        ),
    ]
    ranges = [
        Case("aten::arange.out", (4,), lambda: torch.arange(4, dtype=dtype)),
        Case("aten::arange.start_out", (9, 1, -3), lambda: torch.arange(9, 1, -3, dtype=dtype)),
    ]
    return [
        Case("aten::stack.out", ([x, x], 1)),
        Case("aten::unbind_copy.int_out", (x, 1)),
        Case("aten::roll.out", (x, [3, -1], [2, 1])),
        Case("aten::pixel_shuffle.out", (x.reshape(4, 2, 5), 2)),
        Case("aten::pixel_unshuffle.out", (x.reshape(2, 10, 2), 2)),
        Case("aten::tril.out", (x, 1)),
        Case("aten::select_scatter.out", (x, x[:, :, 0], 2, 3)),
        Case("aten::embedding.out", (x[0], INDEX, -1, False, False)),
        Case("aten::index_put_", (x, [None, INDEX], x[:, :, :1], False)),
        Case("aten::index_put_", (x, [None, INDEX], x[0, 0], True)),
        *pads,
        *made,
        *([] if dtype is torch.bool else ranges),
    ]


CASES += [case for dtype in SCALAR_TYPES for case in _of_type(dtype)]


@dataclass
class Method:
    """A method under construction."""

    values: list[Any] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    data: list[bytes] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    constants: list[bytes] = field(default_factory=list)
    operators: list[Any] = field(default_factory=list)
    instructions: list[Any] = field(default_factory=list)
    memory: int = 0

    def add(self, value: Any) -> int:
        """Index of a new value."""
        self.values.append(schema.EValue(value))
        return len(self.values) - 1

    def tensor(self, tensor: torch.Tensor, *, known: bool = False) -> int:
        """A planned tensor, or a constant one."""
        allocation = None
        if not known:
            allocation = schema.AllocationDetails(1, self.memory, 0)
            self.memory += (tensor.nbytes + 15) // 16 * 16
        return self.add(
            schema.Tensor(
                scalar_type=FILE_TYPES[tensor.dtype],
                sizes=list(tensor.shape),
                storage_offset=0,
                dim_order=list(range(tensor.dim())),
                requires_grad=False,
                layout=0,
                data_buffer_idx=len(self.constants) if known else 0,
                allocation_info=allocation,
                shape_dynamism=schema.TensorShapeDynamism.STATIC,
            )
        )

    def argument(self, value: Any) -> int:
        """Index of a value for an argument."""
        if isinstance(value, torch.Tensor):
            index = self.tensor(value)
            self.inputs.append(index)
            self.data.append(value.contiguous().numpy().tobytes())
            return index
        if isinstance(value, Known):
            self.constants.append(value.tensor.contiguous().numpy().tobytes())
            return self.tensor(value.tensor, known=True)
        if isinstance(value, list):
            return self._list(value)
        kinds = {
            bool: schema.Bool,
            int: schema.Int,
            float: schema.Double,
            str: schema.String,
        }
        return self.add(schema.Null() if value is None else kinds[type(value)](value))

    def _list(self, items: Sequence[Any]) -> int:
        indexes = [self.argument(item) for item in items]
        if all(isinstance(item, int) for item in items):
            return self.add(schema.IntList(indexes))
        kind = schema.OptionalTensorList if None in items else schema.TensorList
        return self.add(kind(indexes))

    def call(self, case: Case) -> None:
        """An instruction, and its outputs as outputs of the method."""
        args = [self.argument(value) for value in case.args]
        if case.in_place:
            self.outputs.append(args[0])
            self._append(case, [*args, args[0]])
            return
        outputs = [self.tensor(result) for result in case.results()]
        self.outputs += outputs
        whole = outputs[0] if len(outputs) == 1 else self.add(schema.TensorList(outputs))
        args += [whole] if case.gives_list else outputs
        self._append(case, [*args, whole])

    def _append(self, case: Case, args: list[int]) -> None:
        call = schema.KernelCall(len(self.operators), args)
        self.instructions.append(schema.Instruction(call))
        name, _, overload = case.operator.partition(".")
        self.operators.append(schema.Operator(name, overload))

    def file(self) -> bytes:
        """The bytes of a program of this method."""
        plan = schema.ExecutionPlan(
            name="forward",
            container_meta_type=schema.ContainerMetadata("", ""),
            values=self.values,
            inputs=self.inputs,
            outputs=self.outputs,
            chains=[schema.Chain([], [], self.instructions, None)],
            operators=self.operators,
            delegates=[],
            non_const_buffer_sizes=[0, self.memory],
            non_const_buffer_device=[],
        )
        made = schema.Program(
            version=0,
            execution_plan=[plan],
            constant_buffer=[schema.Buffer(b""), *map(schema.Buffer, self.constants)],
            backend_delegate_data=[],
            segments=[],
            constant_segment=schema.SubsegmentOffsets(0, []),
            mutable_data_segments=None,
        )
        return bytes(serialize_pte_binary(PTEFile(made, None, None)))


def method_of(*cases: Case) -> Method:
    """A method of these calls."""
    method = Method()
    for case in cases:
        method.call(case)
    return method
