# SPDX-License-Identifier: Apache-2.0
"""Small graphs made by hand, so that passes, placement and codegen are tested without torch."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from petite.codegen.build_view import Source, build_view
from petite.codegen.emit import render
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Graph, State, Value
from petite.ir.ops import Clamp, Padding, Requantize
from petite.ir.schedule import Schedule
from petite.passes.lower import lower
from petite.passes.pipeline import optimize
from petite.placement.model import place_model
from petite.targets import InstructionSet

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int, ...]

NHWC = (0, 2, 3, 1)


class GraphMaker:
    """Appends operators to a graph; each method returns the new value.

    Images are NCHW, as everywhere in the graph. All numbers that a test does not choose come from
    a seeded generator.
    """

    def __init__(self, name: str = "forward", seed: int = 0) -> None:
        self.graph = Graph(name)
        self._random = np.random.default_rng(seed)
        self._numbers = itertools.count()

    def input(
        self, shape: Shape, dtype: DType = DType.S8, layout: tuple[int, ...] | None = None
    ) -> Value:
        """A new input of the method."""
        layout = tuple(range(len(shape))) if layout is None else layout
        value = Value(f"input{len(self.graph.inputs)}", dtype, shape, layout=layout)
        self.graph.inputs.append(value)
        return value

    def state(self, shape: Shape, dtype: DType = DType.S8, initial: Array | None = None) -> State:
        """A new state, which nothing changes until ``after`` is set."""
        name = f"state{len(self.graph.states)}"
        before = Value(name, dtype, shape, layout=tuple(range(len(shape))))
        state = State(name, before, before, initial)
        self.graph.states.append(state)
        return state

    def output(self, value: Value, layout: tuple[int, ...] | None = None) -> None:
        """Make a value an output of the method."""
        self.graph.outputs.append(value)
        layout = tuple(range(len(value.shape))) if layout is None else layout
        self.graph.output_layouts.append(layout)

    def value(self, shape: Shape, dtype: DType = DType.S8) -> Value:
        """A value that an operator will compute."""
        return Value(f"t{next(self._numbers)}", dtype, shape)

    def emit(
        self, kind: type[ops.Op], inputs: Sequence[Value], output: Value, **fields: Any
    ) -> Value:
        """Append any operator."""
        source = f"test.pte: {kind.__name__} {len(self.graph.ops)}"
        self.graph.ops.append(kind(list(inputs), [output], source=source, **fields))
        return output

    def call(
        self,
        operator: str,
        inputs: Sequence[Value],
        outputs: Sequence[Value],
        arguments: tuple[ops.Argument, ...] | None = None,
    ) -> None:
        """An operator of the application, given all inputs in order unless told otherwise."""
        if arguments is None:
            arguments = tuple(ops.Operand(i) for i in range(len(inputs)))
        source = f"test.pte: {operator}"
        self.graph.ops.append(
            ops.Application(
                list(inputs),
                list(outputs),
                operator=operator,
                arguments=arguments,
                source=source,
            )
        )

    def quantize(self, x: Value, scale: float = 0.5, zero_point: int = 3) -> Value:
        """float32 to int8."""
        return self.emit(
            ops.Quantize,
            [x],
            self.value(x.shape),
            scale=scale,
            zero_point=zero_point,
            low=-128,
            high=127,
        )

    def dequantize(self, x: Value, scale: float = 0.5, zero_point: int = 3) -> Value:
        """int8 to float32."""
        output = self.value(x.shape, DType.F32)
        return self.emit(ops.Dequantize, [x], output, scale=scale, zero_point=zero_point)

    def _window(self, x: Value, kernel: ops.Pair, stride: ops.Pair, padding: Padding) -> Shape:
        height = (x.shape[2] + padding.top + padding.bottom - kernel[0]) // stride[0] + 1
        width = (x.shape[3] + padding.left + padding.right - kernel[1]) // stride[1] + 1
        return height, width

    def _scales(self, channels: int, bias: bool) -> dict[str, Any]:
        return {
            "bias": self._random.integers(-500, 500, channels, np.int32) if bias else None,
            "input_offset": -5,
            "output_offset": 7,
            "multipliers": self._random.integers(2**30, 2**31 - 1, channels, np.int32),
            "shifts": self._random.integers(-9, -5, channels, np.int32),
            "clamp": Clamp(),
        }

    def conv2d(
        self,
        x: Value,
        channels: int,
        kernel: ops.Pair = (3, 3),
        stride: ops.Pair = (1, 1),
        padding: Padding | None = None,
        bias: bool = True,
    ) -> Value:
        """Convolution of all channels; input_offset is -5."""
        padding = padding or Padding()
        shape = (x.shape[0], channels, *self._window(x, kernel, stride, padding))
        weights = self._random.integers(-127, 128, (channels, *kernel, x.shape[1]), np.int8)
        return self.emit(
            ops.Conv2d,
            [x],
            self.value(shape),
            kernel=kernel,
            stride=stride,
            padding=padding,
            dilation=(1, 1),
            weights=weights,
            **self._scales(channels, bias),
        )

    def depthwise(
        self,
        x: Value,
        kernel: ops.Pair = (3, 3),
        stride: ops.Pair = (1, 1),
        padding: Padding | None = None,
        multiplier: int = 1,
    ) -> Value:
        """Convolution of each channel."""
        padding = padding or Padding()
        channels = x.shape[1] * multiplier
        shape = (x.shape[0], channels, *self._window(x, kernel, stride, padding))
        weights = self._random.integers(-127, 128, (1, *kernel, channels), np.int8)
        return self.emit(
            ops.DepthwiseConv2d,
            [x],
            self.value(shape),
            kernel=kernel,
            stride=stride,
            padding=padding,
            dilation=(1, 1),
            weights=weights,
            **self._scales(channels, True),
        )

    def avg_pool(self, x: Value, kernel: ops.Pair = (2, 2), stride: ops.Pair = (2, 2)) -> Value:
        """Mean; the padding would be filled with 4."""
        shape = (*x.shape[:2], *self._window(x, kernel, stride, Padding()))
        return self.emit(
            ops.AvgPool2d,
            [x],
            self.value(shape),
            kernel=kernel,
            stride=stride,
            padding=Padding(),
            count_padding=False,
            padding_value=4,
        )

    def max_pool(self, x: Value, kernel: ops.Pair = (2, 2), stride: ops.Pair = (2, 2)) -> Value:
        """Maximum."""
        shape = (*x.shape[:2], *self._window(x, kernel, stride, Padding()))
        return self.emit(
            ops.MaxPool2d,
            [x],
            self.value(shape),
            kernel=kernel,
            stride=stride,
            padding=Padding(),
            clamp=Clamp(),
        )

    def linear(self, x: Value, features: int) -> Value:
        """Matrix product over the last dimension."""
        inner = x.shape[-1]
        return self.emit(
            ops.Linear,
            [x],
            self.value((*x.shape[:-1], features)),
            weights=self._random.integers(-127, 128, (features, inner), np.int8),
            bias=self._random.integers(-500, 500, features, np.int32),
            output_offset=1,
            requantize=Requantize(2**30 + 12345, -6),
            clamp=Clamp(),
        )

    def add(self, x: Value, y: Value) -> Value:
        """Sum."""
        return self.emit(
            ops.Add,
            [x, y],
            self.value(x.shape),
            offsets=(1, 2),
            scales=(Requantize(2**30, 0), Requantize(2**30 + 1, -1)),
            output_offset=0,
            requantize=Requantize(2**30, -18),
            clamp=Clamp(),
        )

    def lut(self, x: Value) -> Value:
        """Table look-up."""
        table = self._random.integers(-128, 128, 256, np.int8)
        return self.emit(ops.Lut, [x], self.value(x.shape), table=table)

    def softmax(self, x: Value, dim: int) -> Value:
        """Softmax."""
        return self.emit(
            ops.Softmax,
            [x],
            self.value(x.shape),
            dim=dim,
            requantize=Requantize(2**30, 22),
            diff_min=-248,
        )

    def pad(self, x: Value, before: Shape, after: Shape, value: int) -> Value:
        """Constant padding."""
        shape = tuple(n + b + a for n, b, a in zip(x.shape, before, after, strict=True))
        return self.emit(ops.Pad, [x], self.value(shape), before=before, after=after, value=value)

    def view(self, x: Value, shape: Shape) -> Value:
        """Another shape."""
        return self.emit(ops.View, [x], self.value(shape, x.dtype))

    def permute(self, x: Value, permutation: tuple[int, ...]) -> Value:
        """Dimensions in another order."""
        shape = tuple(x.shape[d] for d in permutation)
        return self.emit(ops.Permute, [x], self.value(shape, x.dtype), permutation=permutation)

    def concat(self, parts: Sequence[Value], dim: int) -> Value:
        """One after the other."""
        shape = list(parts[0].shape)
        shape[dim] = sum(p.shape[dim] for p in parts)
        return self.emit(ops.Concat, parts, self.value(tuple(shape), parts[0].dtype), dim=dim)

    def slice(self, x: Value, dim: int, start: int, stop: int, step: int = 1) -> Value:
        """Every step-th element."""
        shape = list(x.shape)
        shape[dim] = len(range(start, stop, step))
        output = self.value(tuple(shape), x.dtype)
        return self.emit(ops.Slice, [x], output, dim=dim, start=start, step=step)


def kinds(graph: Graph) -> list[str]:
    """Names of the operators, in order."""
    return [op.kind for op in graph.ops]


def schedules_of(
    *graphs: Graph,
    quantized_io: bool = False,
    optimized: bool = True,
    instruction_set: InstructionSet = "scalar",
    cmsis_nn: bool = False,
) -> list[Schedule]:
    """Run the passes and lower."""
    for graph in graphs:
        optimize(graph, quantized_io=quantized_io, optimize=optimized)
    return [lower(graph, instruction_set, cmsis_nn=cmsis_nn) for graph in graphs]


def generated(
    name: str,
    *graphs: Graph,
    instruction_set: InstructionSet = "scalar",
    cmsis_nn: bool = False,
    step_names: bool = False,
    checksums: bool = False,
) -> dict[str, str]:
    """The generated files of a model with these methods."""
    schedules = schedules_of(*graphs, instruction_set=instruction_set, cmsis_nn=cmsis_nn)
    source = Source(f"{name}.pte", "0" * 64, "0.0.0")
    placement = place_model(schedules)
    return render(
        build_view(name, source, schedules, placement, step_names=step_names, checksums=checksums)
    )
