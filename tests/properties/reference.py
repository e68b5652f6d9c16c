# SPDX-License-Identifier: Apache-2.0
"""What a graph has to compute, operator by operator, in numpy.

Everything speaks of logical shapes (images are NCHW), as the graph does; orders in memory, passes,
lowering and placement do not exist here. The arithmetic is that of the kernels' oracles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kernel_testing import oracle
from petite.ir import ops
from petite.ir.graph import Graph, Value
from petite.ir.ops import Op

Array = np.ndarray[Any, np.dtype[Any]]


def evaluate(graph: Graph, calls: Sequence[Sequence[Array]]) -> list[list[Array]]:
    """Outputs of each call; the calls are one sequence."""
    states = {
        id(s): np.zeros(s.before.shape, s.before.dtype.numpy) if s.initial is None else s.initial
        for s in graph.states
    }
    results = []
    for inputs in calls:
        known = {id(v): array for v, array in zip(graph.inputs, inputs, strict=True)}
        known.update({id(s.before): states[id(s)] for s in graph.states})
        for op in graph.ops:
            arguments = [_contents(value, known) for value in op.inputs]
            result = np.asarray(REFERENCE[type(op)](op, *arguments))
            assert result.shape == op.output.shape, f"{op.source}: {result.shape}"
            known[id(op.output)] = result.astype(op.output.dtype.numpy)
        results.append([_contents(value, known) for value in graph.outputs])
        states = {id(s): _contents(s.after, known) for s in graph.states}
    return results


def _contents(value: Value, known: dict[int, Array]) -> Array:
    return known[id(value)] if value.data is None else value.data


def _to_nhwc(image: Array) -> Array:
    return image.transpose(0, 2, 3, 1)


def _to_nchw(image: Array) -> Array:
    return image.transpose(0, 3, 1, 2)


def _pixels(op: Op) -> ops.Pair:
    return op.output.shape[2], op.output.shape[3]


def _convolution(op: ops.Convolution, image: Array) -> Array:
    image = _to_nhwc(image)
    before = (op.padding.top, op.padding.left)
    shared = (op.bias, _pixels(op), op.stride, op.dilation, before)
    if isinstance(op, ops.TransposeConv2d):
        sums = oracle.transpose_conv2d_sums(image, op.weights, *shared, op.input_offset)
    elif isinstance(op, ops.DepthwiseConv2d):
        weights = oracle.depthwise_as_conv2d(op.weights[0])
        sums = oracle.conv2d_sums(image, weights, *shared, image.shape[3], op.input_offset)
    else:
        groups = image.shape[3] // op.weights.shape[3]
        sums = oracle.conv2d_sums(image, op.weights, *shared, groups, op.input_offset)
    end = (op.output_offset, op.clamp.low, op.clamp.high)
    return _to_nchw(oracle.requantize_s8(sums, op.multipliers, op.shifts, *end))


def _avg_pool(op: ops.AvgPool2d, image: Array) -> Array:
    padding = op.padding
    value = op.padding_value if op.count_padding else None
    after = (padding.bottom, padding.right)
    before = (padding.top, padding.left)
    means = oracle.avg_pool(
        _to_nhwc(image), _pixels(op), op.kernel, op.stride, before, after, value
    )
    return _to_nchw(np.clip(means, -128, 127))


def _max_pool(op: ops.MaxPool2d, image: Array) -> Array:
    before = (op.padding.top, op.padding.left)
    largest = oracle.max_pool(
        _to_nhwc(image), _pixels(op), op.kernel, op.stride, before, op.dilation
    )
    return _to_nchw(np.clip(largest, op.clamp.low, op.clamp.high))


def _requantized(sums: Array, scale: ops.Requantize, offset: int, clamp: ops.Clamp) -> Array:
    return oracle.requantize_s8(sums, scale.multiplier, scale.shift, offset, clamp.low, clamp.high)


def _linear(op: ops.Linear, rows: Array) -> Array:
    sums = rows.astype(np.int64) @ op.weights.astype(np.int64).T + op.bias
    return _requantized(sums, op.requantize, op.output_offset, op.clamp)


def _batch_matmul(op: ops.BatchMatmul, left: Array, right: Array) -> Array:
    centred = (left.astype(np.int64) + op.offsets[0], right.astype(np.int64) + op.offsets[1])
    sums = centred[0] @ centred[1].transpose(0, 2, 1)
    return _requantized(sums, op.requantize, op.output_offset, ops.Clamp())


def _add(op: ops.Add, first: Array, second: Array) -> Array:
    terms = [
        oracle.add_term(values, offset, scale.multiplier, scale.shift)
        for values, offset, scale in zip((first, second), op.offsets, op.scales, strict=True)
    ]
    return _requantized(terms[0] + terms[1], op.requantize, op.output_offset, op.clamp)


def _mul(op: ops.Mul, first: Array, second: Array) -> Array:
    products = (first.astype(np.int64) + op.offsets[0]) * (second.astype(np.int64) + op.offsets[1])
    return _requantized(products, op.requantize, op.output_offset, ops.Clamp())


def _div(op: ops.Div, first: Array, second: Array) -> Array:
    return oracle.divide(first, second, op.offsets, op.scale, op.output_offset)


#: Functions that numpy calls otherwise.
_NUMPY = {
    **{"neg": "negative", "not": "invert", "sub": "subtract", "mul": "multiply"},
    **{"min": "minimum", "max": "maximum"},
    **{"and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"},
    **{"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal"},
    **{"gt": "greater", "ge": "greater_equal"},
}


def _shifted(function: str, values: Array, counts: Array) -> Array:
    """By counts that C leaves undefined too: nothing is left, or the sign."""
    bits = 8 * values.dtype.itemsize
    if values.dtype == np.bool_:
        return values if function == "shift_left" else values & ~counts
    outside = (counts < 0) | (counts >= bits)
    places = np.where(outside, 0, counts).astype(values.dtype)
    if function == "shift_left":
        return np.where(outside, 0, np.left_shift(values, places)).astype(values.dtype)
    rest = -(values < 0).astype(np.int64)
    return np.where(outside, rest, np.right_shift(values, places)).astype(values.dtype)


def _elementwise(op: ops.Elementwise, *operands: Array) -> Array:
    if op.function.startswith("shift_"):
        return np.broadcast_to(_shifted(op.function, *operands), op.output.shape)
    return np.asarray(getattr(np, _NUMPY.get(op.function, op.function))(*operands))


def _lut(op: ops.Lut, values: Array) -> Array:
    return np.asarray(op.table[values.astype(np.int64) + 128])


def _softmax(op: ops.Softmax, values: Array) -> Array:
    scale = op.requantize
    return np.apply_along_axis(
        oracle.softmax_row, op.dim, values, scale.multiplier, scale.shift, op.diff_min
    )


def _quantize(op: ops.Quantize, values: Array) -> Array:
    inverse = float(np.float32(1.0) / np.float32(op.scale))
    return oracle.quantize(values, inverse, op.zero_point, op.low, op.high)


def _dequantize(op: ops.Dequantize, values: Array) -> Array:
    return (values.astype(np.int64) - op.zero_point).astype(np.float32) * np.float32(op.scale)


def _pad(op: ops.Pad, values: Array) -> Array:
    return np.pad(values, list(zip(op.before, op.after, strict=True)), constant_values=op.value)


def _slice(op: ops.Slice, values: Array) -> Array:
    chosen = op.start + op.step * np.arange(op.output.shape[op.dim])
    return np.take(values, chosen, axis=op.dim)


#: The reference of every operator that random graphs are made of.
REFERENCE: dict[type[Op], Callable[..., Array]] = {
    ops.Conv2d: _convolution,
    ops.DepthwiseConv2d: _convolution,
    ops.TransposeConv2d: _convolution,
    ops.AvgPool2d: _avg_pool,
    ops.MaxPool2d: _max_pool,
    ops.Linear: _linear,
    ops.BatchMatmul: _batch_matmul,
    ops.Add: _add,
    ops.Mul: _mul,
    ops.Div: _div,
    ops.Elementwise: _elementwise,
    ops.Cast: lambda op, values: values.astype(op.output.dtype.numpy),
    ops.Where: lambda op, condition, yes, no: np.where(condition, yes, no),
    ops.Lut: _lut,
    ops.Softmax: _softmax,
    ops.Quantize: _quantize,
    ops.Dequantize: _dequantize,
    ops.Pad: _pad,
    ops.Slice: _slice,
    ops.Permute: lambda op, values: values.transpose(op.permutation),
    ops.View: lambda op, values: values.reshape(op.output.shape),
    ops.Expand: lambda op, values: np.broadcast_to(values, op.output.shape),
    ops.Copy: lambda op, values: values.copy(),
    ops.Concat: lambda op, *parts: np.concatenate(parts, op.dim),
}
