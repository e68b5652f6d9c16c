# SPDX-License-Identifier: Apache-2.0
"""Decides the order in memory of every value, and inserts a Relayout where two sides disagree.

Images are stored channels last, as the kernels want them; operators that work in any order take
their input's. A permutation then is mostly a change of names: only the method's inputs and outputs
have an order that is not ours to choose.
"""

from __future__ import annotations

from petite.ir import ops
from petite.ir.graph import Graph, Value
from petite.ir.ops import Guard, Op, guards

Layout = tuple[int, ...]

CHANNELS_LAST: Layout = (0, 2, 3, 1)


def contiguous(value: Value) -> Layout:
    """Outermost dimension first."""
    return tuple(range(len(value.shape)))


def essence(value: Value, layout: Layout) -> Layout:
    """The layout without dimensions of size one, which do not move any byte."""
    return tuple(d for d in layout if value.shape[d] != 1)


def layout_of(value: Value) -> Layout:
    """The decided layout; constants are written in whatever order their reader wants."""
    return contiguous(value) if value.layout is None else value.layout


def assign_layouts(graph: Graph) -> None:
    """Give every value a layout. Afterwards no operator needs more than its kernel can do."""
    _LayoutPass(graph).run()


class _LayoutPass:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.done: list[Op] = []
        self.constants: dict[tuple[Value, Layout], Value] = {}
        #: Copies by what they hold, in which order, and the side of a branch that makes them.
        self.copies: dict[tuple[Value, Layout, Guard | None], Value] = {}
        self.guard: Guard | None = None

    def run(self) -> None:
        for op in self.graph.ops:
            self.guard = op.guard
            self._visit(op)
            self.done.append(op)
        self.guard = None
        for position, wanted in enumerate(self.graph.output_layouts):
            value = self.graph.outputs[position]
            self.graph.outputs[position] = self._in_layout(value, wanted, f"output {position}")
        for state in self.graph.states:
            state.after = self._in_layout(
                state.after, layout_of(state.before), f"state {state.name}"
            )
        self.graph.ops = self.done

    def _visit(self, op: Op) -> None:
        match op:
            case ops.FloatConvolution():
                own = layout_of(op.input)
                self._want(op, [own, *(contiguous(v) for v in op.inputs[1:])], own)
            case ops.View():
                self._view(op)
            case ops.Permute():
                source = layout_of(op.input)
                op.output.layout = tuple(op.permutation.index(d) for d in source)
            case ops.Softmax() | ops.FloatSoftmax():
                rest = [d for d in layout_of(op.input) if d != op.dim]
                self._want(op, [(*rest, op.dim)], (*rest, op.dim))
            case ops.BatchNorm():
                own = layout_of(op.input)
                self._want(op, [own, *(contiguous(v) for v in op.inputs[1:])], own)
            case ops.Reduce():
                self._want(op, [layout_of(op.input)], contiguous(op.output))
            case (
                ops.Linear()
                | ops.BatchMatmul()
                | ops.FloatLinear()
                | ops.FloatAdaptiveAvgPool2d()
                | ops.FloatAvgPool2d()
                | ops.WindowMax()
                | ops.Distance()
                | ops.GridSample()
                | ops.ChooseQuantization()
                | ops.CumSum()
                | ops.Matmul()
                | ops.Normalize()
            ):
                self._want(op, [contiguous(v) for v in op.inputs], contiguous(op.output))
            case (
                ops.Application()
                | ops.Offsets()
                | ops.Take()
                | ops.Put()
                | ops.MaskedScatter()
                | ops.TopK()
            ):
                self._contiguous(op)
            case ops.Merge():
                self._merge(op)
            case ops.Resize() | ops.ResizeAntialias():
                own = layout_of(op.input)
                own = own if own == CHANNELS_LAST else contiguous(op.input)
                self._want(op, [own], own)
            case ops.Window():
                self._want(op, [CHANNELS_LAST], CHANNELS_LAST)
            case ops.Expand() | ops.Elementwise() | ops.Where():
                self._broadcast(op)
            case ops.Add() | ops.Mul() | ops.Div():
                self._elementwise(op)
            case _:
                self._like_first(op)

    def _want(self, op: Op, inputs: list[Layout], output: Layout) -> None:
        op.inputs = [
            self._in_layout(v, wanted, op.source)
            for v, wanted in zip(op.inputs, inputs, strict=True)
        ]
        op.output.layout = output

    def _contiguous(self, op: Op) -> None:
        """Any number of operands and results, each as PyTorch would see it in memory."""
        op.inputs = [self._in_layout(v, contiguous(v), op.source) for v in op.inputs]
        for value in op.outputs:
            value.layout = contiguous(value)

    def _like_first(self, op: Op) -> None:
        """All operands and results in the order of the first operand that has one."""
        wanted = next((layout_of(v) for v in op.inputs if not v.is_constant), None)
        if wanted is None:
            wanted = contiguous(op.input)
        self._want(op, [wanted] * len(op.inputs), wanted)

    def _merge(self, op: ops.Merge) -> None:
        """Where one side has another order, that side copies."""
        wanted = next(
            (layout_of(v) for v in op.inputs[:2] if not v.is_constant), contiguous(op.output)
        )
        for position, side in enumerate(op.sides):
            self.guard = side
            op.inputs[position] = self._in_layout(op.inputs[position], wanted, op.source)
        op.output.layout = wanted

    def _elementwise(self, op: Op) -> None:
        if op.inputs[1].shape == op.inputs[0].shape:
            self._like_first(op)
        else:
            # One value a channel repeats at every pixel: the channels must lie innermost.
            self._want(op, [CHANNELS_LAST, CHANNELS_LAST], CHANNELS_LAST)

    def _broadcast(self, op: Op) -> None:
        full = [v for v in op.inputs if v.shape == op.output.shape]
        if full and all(v.count == 1 for v in op.inputs if v not in full):
            # A single number fits any order.
            order = next((layout_of(v) for v in full if not v.is_constant), contiguous(full[0]))
            self._want(op, [order if v in full else contiguous(v) for v in op.inputs], order)
        else:
            self._want(op, [contiguous(v) for v in op.inputs], contiguous(op.output))

    def _view(self, op: ops.View) -> None:
        layout = view_layout(op.input.shape, layout_of(op.input), op.output.shape)
        if layout is None:
            self._want(op, [contiguous(op.input)], contiguous(op.output))
        else:
            op.output.layout = layout

    def _in_layout(self, value: Value, wanted: Layout, source: str) -> Value:
        if value.is_constant:
            return self._constant(value, wanted)
        if essence(value, layout_of(value)) == essence(value, wanted):
            return value
        order = essence(value, wanted)
        for guard in (None, *guards(self.guard)):
            # A copy made on one side of a branch is there on that side only.
            made = self.copies.get((value, order, guard))
            if made is not None:
                return made
        copy = Value(f"{value.name}_r", value.dtype, value.shape, layout=wanted)
        copy.quantization = value.quantization
        self.done.append(ops.Relayout([value], [copy], source=source, guard=self.guard))
        self.copies[value, order, self.guard] = copy
        return copy

    def _constant(self, value: Value, wanted: Layout) -> Value:
        key = (value, wanted)
        if key not in self.constants:
            self.constants[key] = Value(
                value.name, value.dtype, value.shape, data=value.data, layout=wanted
            )
        return self.constants[key]


def view_layout(
    shape: tuple[int, ...], layout: Layout, new_shape: tuple[int, ...]
) -> Layout | None:
    """Layout of a reshaped value on the same bytes, or None where bytes would have to move.

    Dimensions are matched in groups of equal products; the bytes can stay where each group lies
    together, in order.
    """
    groups = _matching_groups(shape, new_shape)
    if groups is None:
        return None
    order = [d for d in layout if shape[d] != 1]
    result: list[int] = []
    while order:
        old, new = next(g for g in groups if order[0] in g[0])
        if order[: len(old)] != old:
            return None
        result += new
        order = order[len(old) :]
    ones = [d for d in range(len(new_shape)) if d not in result]
    return (*ones, *result)


def _matching_groups(
    shape: tuple[int, ...], new_shape: tuple[int, ...]
) -> list[tuple[list[int], list[int]]] | None:
    """Smallest runs of dimensions (larger than one) of both shapes with the same product."""
    old = [d for d in range(len(shape)) if shape[d] != 1]
    new = [d for d in range(len(new_shape)) if new_shape[d] != 1]
    groups: list[tuple[list[int], list[int]]] = []
    while old and new:
        left, right = [old.pop(0)], [new.pop(0)]
        product, new_product = shape[left[0]], new_shape[right[0]]
        while product != new_product:
            if product < new_product:
                if not old:
                    return None
                left.append(old.pop(0))
                product *= shape[left[-1]]
            else:
                if not new:
                    return None
                right.append(new.pop(0))
                new_product *= new_shape[right[-1]]
        groups.append((left, right))
    return None if old or new else groups
