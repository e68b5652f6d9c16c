# SPDX-License-Identifier: Apache-2.0
"""Program files for the tests of the reader, made by ExecuTorch's own exporter and serializer."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from executorch.exir import ExecutorchBackendConfig, schema, to_edge
from executorch.exir._serialize._flatbuffer_program import _program_to_flatbuffer
from executorch.exir._serialize._named_data_store import NamedDataStore
from executorch.exir._serialize._program import PTEFile, serialize_pte_binary
from executorch.exir.backend.backend_api import to_backend
from executorch.exir.backend.compile_spec_schema import CompileSpec
from executorch.exir.backend.test.backend_with_compiler_demo import BackendWithCompilerDemo
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from executorch.exir.scalar_type import ScalarType


class Linear(torch.nn.Module):
    """Constants, and a view."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.linear(x)).reshape(-1)


class Convolution(torch.nn.Module):
    """Weights and activations whose dim_order is not the identity."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(2, 3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv(x.to(memory_format=torch.channels_last))


class Counter(torch.nn.Module):
    """A buffer that survives calls."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.arange(1.0, 5.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.total.add_(x)
        return self.total * 2


class Branch(torch.nn.Module):
    """Jumps and moves."""

    def forward(self, condition: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(condition, lambda x: x + 1, lambda x: x * 2, (x,))


class Lists(torch.nn.Module):
    """Lists of tensors, of optional tensors and of doubles, and a string."""

    def forward(self, x: torch.Tensor, i: torch.Tensor) -> tuple[torch.Tensor, ...]:
        picked = torch.cat([x, x])[:, i]
        rounded = torch.div(x, 2.0, rounding_mode="floor")
        larger = torch.nn.functional.interpolate(
            x[None, None], scale_factor=(2.0, 2.0), mode="bilinear"
        )
        return picked, rounded, larger


class Sine(torch.nn.Module):
    """What ExecuTorch's demonstration delegate takes."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sin(x)


def _edge(model: torch.nn.Module, *inputs: torch.Tensor, **options: Any) -> Any:
    return torch.export.export(model.eval(), inputs, **options)


def _export(programs: Any, **config: Any) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ExecuTorch warns of its own deprecations
        manager = to_edge(programs).to_executorch(ExecutorchBackendConfig(**config))
    return bytes(manager.buffer)


def _linear() -> bytes:
    torch.manual_seed(1)
    return _export(_edge(Linear(), torch.ones(4, 3)))


def _convolution() -> bytes:
    torch.manual_seed(2)
    return _export(_edge(Convolution(), torch.ones(1, 2, 6, 5)), emit_stacktrace=True)


def _several_methods() -> bytes:
    torch.manual_seed(3)
    methods = {
        "forward": _edge(Linear(), torch.ones(4, 3)),
        "count": _edge(Counter(), torch.ones(4)),
        "lists": _edge(Lists(), torch.ones(4, 4), torch.tensor([1, 2])),
    }
    return _export(methods)


def _state() -> bytes:
    return _export(_edge(Counter(), torch.ones(4)))


def _initial_state() -> bytes:
    return _export(
        _edge(Counter(), torch.ones(4)),
        passes=[InitializedMutableBufferPass(["total"])],
        emit_mutable_buffer_names=True,
    )


def _branch() -> bytes:
    return _export(_edge(Branch(), torch.tensor(True), torch.ones(3)))


def _lists() -> bytes:
    return _export(_edge(Lists(), torch.ones(4, 4), torch.tensor([1, 2])))


def _dynamic() -> bytes:
    torch.manual_seed(4)
    batch = {"x": {0: torch.export.Dim("batch", max=8)}}
    return _export(_edge(Linear(), torch.ones(4, 3), dynamic_shapes=batch))


def _delegate(in_segment: bool) -> bytes:
    class Whole(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            edge = to_edge(_edge(Sine(), torch.ones(3)))
            specs = [CompileSpec("max_value", bytes([3]))]
            self.lowered = to_backend(
                BackendWithCompilerDemo.__name__, edge.exported_program(), specs
            )

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.lowered(x)

    return _export(_edge(Whole(), torch.ones(3)), extract_delegate_segments=in_segment)


def tensor(sizes: list[int], scalar_type: ScalarType = ScalarType.CHAR, **fields: Any) -> Any:
    """A tensor as ExecuTorch's schema has it, contiguous, unless ``fields`` say otherwise."""
    settings = {
        "storage_offset": 0,
        "dim_order": list(range(len(sizes))),
        "requires_grad": False,
        "layout": 0,
        "data_buffer_idx": 0,
        "allocation_info": None,
        "shape_dynamism": schema.TensorShapeDynamism.STATIC,
    } | fields
    return schema.Tensor(scalar_type=scalar_type, sizes=sizes, **settings)


def planned(offset: int, memory: int = 1) -> Any:
    """An allocation."""
    return schema.AllocationDetails(memory, offset & 0xFFFFFFFF, offset >> 32)


#: Values of `everything` by what they are.
INT_0, INT_1, FLAG, REAL, TEXT, NONE = 0, 1, 2, 3, 4, 5
CONSTANT, INPUT, STATE, OUTPUT = 6, 7, 8, 9
INT_LIST, REAL_LIST, FLAG_LIST, TENSOR_LIST, OPTIONAL_LIST = 10, 11, 12, 13, 14


def everything() -> PTEFile:
    """A program that has one of everything, to serialize as it is or with a fault in it."""
    values = [
        schema.Int(-5),
        schema.Int(2**62 + 1),
        schema.Bool(True),
        schema.Double(float("inf")),
        schema.String("naïve"),
        schema.Null(),
        tensor([2, 3], ScalarType.SHORT, data_buffer_idx=1, dim_order=[1, 0]),
        tensor([4], allocation_info=planned(16)),
        tensor(
            [3],
            ScalarType.INT,
            data_buffer_idx=1,
            allocation_info=planned(0),
            extra_tensor_info=schema.ExtraTensorInfo(fully_qualified_name="layer.state"),
        ),
        tensor([], ScalarType.FLOAT, allocation_info=planned(4, memory=2)),
        schema.IntList([INT_1, INT_0, INT_1]),
        schema.DoubleList([0.5, -1e300]),
        schema.BoolList([True, False]),
        schema.TensorList([CONSTANT, INPUT]),
        schema.OptionalTensorList([-1, NONE, OUTPUT]),
    ]
    calls = [
        [
            schema.KernelCall(1, [INPUT, INT_LIST, OUTPUT]),
            schema.JumpFalseCall(FLAG, 2),
        ],
        [
            schema.DelegateCall(0, [INPUT, OUTPUT]),
            schema.MoveCall(INPUT, STATE),
            schema.JumpFalseCall(FLAG, 0),
            schema.KernelCall(0, []),
            schema.FreeCall(INPUT),
        ],
    ]
    chains = [
        schema.Chain([INPUT], [OUTPUT], [schema.Instruction(call) for call in chain], None)
        for chain in calls
    ]
    plan = schema.ExecutionPlan(
        name="forward",
        container_meta_type=schema.ContainerMetadata("in", "out"),
        values=[schema.EValue(value) for value in values],
        inputs=[INPUT],
        outputs=[OUTPUT],
        chains=chains,
        operators=[schema.Operator("aten::nop", ""), schema.Operator("aten::add", "out")],
        delegates=[
            schema.BackendDelegate(
                "SomeBackend",
                schema.BackendDelegateDataReference(schema.DataLocation.INLINE, 0),
                [CompileSpec("fast", b"\x01\x02"), CompileSpec("empty", b"")],
            )
        ],
        non_const_buffer_sizes=[0, 32, 8],
        non_const_buffer_device=[schema.NonConstBufferDevice(1)],
    )
    names = NamedDataStore()
    names.add_named_data("first", b"named bytes")
    names.add_named_data("second", b"named bytes")
    names.add_named_data("third", b"other")
    return PTEFile(
        program=schema.Program(
            version=0,
            execution_plan=[plan],
            constant_buffer=[schema.Buffer(b""), schema.Buffer(bytes(range(12)))],
            backend_delegate_data=[schema.BackendDelegateInlineData(b"delegate's bytes")],
            segments=[],
            constant_segment=schema.SubsegmentOffsets(0, []),
            mutable_data_segments=None,
        ),
        mutable_data=[schema.Buffer(b""), schema.Buffer(bytes(range(100, 112)))],
        named_data=names.get_named_data_store_output(),
    )


def with_segments(file: PTEFile) -> bytes:
    """Serialize with constants, states, delegates and named data behind an extended header."""
    return bytes(serialize_pte_binary(file, extract_delegate_segments=True))


def inline(file: PTEFile) -> bytes:
    """Serialize in the old form: constants among the tables, no segments.

    That form has no place for initial states and named data; `file` loses them.
    """
    for plan in file.program.execution_plan:
        for value in plan.values:
            if isinstance(value.val, schema.Tensor) and value.val.allocation_info is not None:
                value.val.data_buffer_idx = 0
    return bytes(_program_to_flatbuffer(file.program).data)


#: How to make each file.
MAKERS: dict[str, Callable[[], bytes]] = {
    "linear": _linear,
    "convolution": _convolution,
    "several methods": _several_methods,
    "state": _state,
    "initial state": _initial_state,
    "branch": _branch,
    "lists": _lists,
    "dynamic": _dynamic,
    "delegate in a segment": lambda: _delegate(in_segment=True),
    "delegate inline": lambda: _delegate(in_segment=False),
    "everything in segments": lambda: with_segments(everything()),
    "everything inline": lambda: inline(everything()),
}


@cache
def pte_file(name: str) -> bytes:
    """The bytes of one of the files of `MAKERS`; made once."""
    return MAKERS[name]()
