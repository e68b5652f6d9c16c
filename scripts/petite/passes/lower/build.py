# SPDX-License-Identifier: Apache-2.0
"""Lowers a graph, operator by operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from petite.errors import PetiteError
from petite.ir import ops
from petite.ir.graph import Graph, State, Value
from petite.ir.ops import Op
from petite.ir.schedule import Buffer, KernelCall, Port, Ref, Role, Schedule, StateBuffer
from petite.passes.layout import layout_of
from petite.passes.lower import (
    application,
    branches,
    conversion,
    convolution,
    division,
    elementwise,
    floating,
    indexing,
    matmul,
    movement,
    normalization,
    pooling,
    reduction,
    resampling,
)
from petite.passes.lower.cmsis_nn import lower_to_cmsis_nn
from petite.passes.lower.context import LoweringContext
from petite.passes.lower.variants import implementation
from petite.targets import InstructionSet

_LOWER: dict[type[Op], Callable[[LoweringContext, Op], None]] = {
    ops.Conv2d: convolution.convolution,
    ops.DepthwiseConv2d: convolution.convolution,
    ops.TransposeConv2d: convolution.convolution,
    ops.AvgPool2d: pooling.pooling,
    ops.MaxPool2d: pooling.pooling,
    ops.Linear: matmul.linear,
    ops.BatchMatmul: matmul.batch_matmul,
    ops.Quantize: conversion.quantize,
    ops.Dequantize: conversion.dequantize,
    ops.Add: elementwise.add,
    ops.Mul: elementwise.mul,
    ops.Div: division.div,
    ops.Elementwise: elementwise.function,
    ops.Cast: elementwise.cast,
    ops.Where: elementwise.where,
    ops.Lut: elementwise.lut,
    ops.Softmax: elementwise.softmax,
    ops.Copy: movement.copy,
    ops.Relayout: movement.relayout,
    ops.Expand: movement.expand,
    ops.Slice: movement.slice_,
    ops.Concat: movement.concat,
    ops.Pad: movement.pad,
    ops.Offsets: indexing.offsets,
    ops.Take: indexing.take,
    ops.Put: indexing.put,
    ops.MaskedScatter: indexing.masked_scatter,
    ops.TopK: indexing.topk,
    ops.FloatClamp: floating.clamp,
    ops.Reduce: reduction.reduce,
    ops.CumSum: reduction.cumsum,
    ops.Matmul: matmul.matmul,
    ops.Normalize: normalization.normalize,
    ops.BatchNorm: normalization.batch_norm,
    ops.FloatLinear: floating.linear,
    ops.FloatConv2d: floating.convolution,
    ops.FloatTransposeConv2d: floating.convolution,
    ops.FloatSoftmax: normalization.softmax,
    ops.FloatAvgPool2d: pooling.float_average,
    ops.WindowMax: pooling.window_max,
    ops.Resize: resampling.resize,
    ops.ResizeAntialias: resampling.resize_antialias,
    ops.GridSample: resampling.grid_sample,
    ops.ChooseQuantization: reduction.choose_quantization,
    ops.Distance: resampling.distance,
    ops.FloatAdaptiveAvgPool2d: floating.adaptive_avg_pool,
    ops.Application: application.call_operator,
}

#: Most inputs and outputs that a plan can name.
_MAX_PORTS = 255
#: Most steps that it can have.
MAX_STEPS = 65535


@dataclass
class LoweredMethod:
    """A method's schedule, and what lowering some of its operators in another way needs."""

    graph: Graph
    schedule: Schedule
    #: Knows where every value lies.
    context: LoweringContext
    #: What each operator became.
    calls: dict[Op, list[KernelCall]]


def lower(
    graph: Graph, instruction_set: InstructionSet = "scalar", *, cmsis_nn: bool = False
) -> Schedule:
    """The schedule of a graph whose layouts are decided, for cores of an instruction set.

    ``cmsis_nn`` prefers kernels that call CMSIS-NN.
    """
    return lower_method(graph, instruction_set, cmsis_nn=cmsis_nn).schedule


def lower_method(
    graph: Graph, instruction_set: InstructionSet = "scalar", *, cmsis_nn: bool = False
) -> LoweredMethod:
    """The same, with what became of each operator."""
    context = LoweringContext(instruction_set, cmsis_nn=cmsis_nn)
    schedule = Schedule(graph.name, move_variant=implementation("move", instruction_set))
    for value in graph.inputs:
        context.bind(value, Ref(Buffer(value.name, value.size, Role.INPUT, value.dtype)))
    for state in graph.states:
        schedule.states.append(_state_buffer(context, state))
    application.require_bound(context, graph)
    branches.share_memory(context, graph)
    calls = _lower_all(context, graph)
    _write_back(context, graph, schedule)
    schedule.inputs = [_port(context, v, layout_of(v)) for v in graph.inputs]
    schedule.outputs = [
        _port(context, v, layout)
        for v, layout in zip(graph.outputs, graph.output_layouts, strict=True)
    ]
    _rename_outputs(schedule)
    if max(len(schedule.inputs), len(schedule.outputs)) > _MAX_PORTS:
        raise PetiteError(f"method {graph.name}: more than {_MAX_PORTS} inputs or outputs")
    if len(context.calls) > MAX_STEPS:
        raise PetiteError(
            f"method {graph.name}: takes {len(context.calls)} kernel calls, more than {MAX_STEPS}"
        )
    schedule.calls = context.calls
    return LoweredMethod(graph, schedule, context, calls)


def _lower_all(context: LoweringContext, graph: Graph) -> dict[Op, list[KernelCall]]:
    open_branches = branches.OpenBranches(context)
    calls = {}
    for op in graph.ops:
        if isinstance(op, ops.View | ops.Permute):
            context.bind(op.output, context.ref(op.input))
        elif not isinstance(op, ops.Merge):
            open_branches.enter(op.guard)
            before = len(context.calls)
            lower_operator(context, op)
            calls[op] = context.calls[before:]
    open_branches.enter(None)
    return calls


def lower_operator(context: LoweringContext, op: Op) -> None:
    """Append the calls of one operator."""
    if not (context.cmsis_nn and lower_to_cmsis_nn(context, op)):
        _LOWER[type(op)](context, op)


def _state_buffer(context: LoweringContext, state: State) -> StateBuffer:
    before = state.before
    buffer = Buffer(before.name, before.size, Role.STATE, before.dtype)
    context.bind(before, Ref(buffer))
    initial = None
    if state.initial is not None and state.initial.any():
        physical = state.initial.transpose(layout_of(before))
        initial = context.constant(f"{before.name}_initial", physical, before.dtype).buffer
    return StateBuffer(buffer, initial)


def _copied(context: LoweringContext, value: Value, source: str) -> Value:
    copy = Value(f"{value.name}_copy", value.dtype, value.shape, layout=layout_of(value))
    copy.quantization = value.quantization
    movement.copy(context, ops.Copy([value], [copy], source=source))
    return copy


def _write_back(context: LoweringContext, graph: Graph, schedule: Schedule) -> None:
    """Store the states' next contents, after everything has read the present ones."""
    changed = [s for s in graph.states if context.ref(s.after) != context.ref(s.before)]
    after = {}
    for state in changed:
        value = state.after
        if context.ref(value).buffer.role is Role.STATE:
            # Another state's present contents, which its own write-back may replace.
            value = _copied(context, value, f"state {state.name}")
        after[id(state)] = value
    # Outputs that are a state's present contents must be read before they are replaced.
    graph.outputs = [
        _copied(context, v, f"output {i}")
        if context.ref(v).buffer.role in (Role.STATE, Role.CONSTANT)
        else v
        for i, v in enumerate(graph.outputs)
    ]
    for state in changed:
        movement.copy(
            context,
            ops.Copy([after[id(state)]], [state.before], source=f"state {state.name}"),
        )


def _rename_outputs(schedule: Schedule) -> None:
    """Buffers that are outputs are named so, in the generated code and in reports."""
    for number, port in enumerate(schedule.outputs):
        if port.ref.buffer.role is Role.ACTIVATION:
            port.ref.buffer.name = f"output{number}"


def _port(context: LoweringContext, value: Value, layout: tuple[int, ...]) -> Port:
    return Port(
        value.name, context.ref(value), value.dtype, value.shape, layout, value.quantization
    )
