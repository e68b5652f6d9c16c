# SPDX-License-Identifier: Apache-2.0
"""Lowers what CMSIS-NN covers to kernels that call it.

The library promises nothing about overlap, so outputs lie apart from inputs, except where elements
follow one another. Operators that it does not compute, or not to the same bits, are left to
Petite's own kernels.
"""

from __future__ import annotations

from collections.abc import Callable

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.ops import Op
from petite.ir.schedule import Field, Steps
from petite.passes.coverage import every_window_covers_a_pixel
from petite.passes.lower import cmsis_nn_scratch as scratch
from petite.passes.lower import elementwise, matmul, pooling
from petite.passes.lower.access import elementwise as one_by_one
from petite.passes.lower.cmsis_nn_convolution import convolution
from petite.passes.lower.context import LoweringContext

_TWO_INPUTS = ("input1", "input2")
#: Offsets that fit 16 bits together with any int8.
_LARGEST_OFFSET = 1024


def lower_to_cmsis_nn(context: LoweringContext, op: Op) -> bool:
    """Whether the library takes the operator; if so, its call is appended."""
    lower = _LOWER.get(type(op))
    return lower is not None and lower(context, op)


def _linear(context: LoweringContext, op: Op) -> bool:
    assert isinstance(op, ops.Linear)
    context.call(
        op,
        "linear_s8",
        matmul.linear_fields(op),
        [None],
        {"weights": (op.weights, DType.S8), "bias": (op.bias, DType.S32)},
        variant="cmsis_nn",
    )
    return True


def _batch_matmul(context: LoweringContext, op: Op) -> bool:
    assert isinstance(op, ops.BatchMatmul)
    if not _offsets_fit(op.offsets):
        return False
    size = scratch.batch_matmul(op.inputs[1].shape[1], context.instruction_set)
    context.call(
        op,
        "batch_matmul_s8",
        {**matmul.batch_matmul_fields(op), "scratch_size": size},
        [None, None],
        inputs=("lhs", "rhs"),
        variant="cmsis_nn",
        own_parameters=True,
        scratch=size,
    )
    return True


def _add(context: LoweringContext, op: Op) -> bool:
    assert isinstance(op, ops.Add)
    return _two_operands(context, op, op.offsets, "add_s8", elementwise.add_fields(op))


def _mul(context: LoweringContext, op: Op) -> bool:
    assert isinstance(op, ops.Mul)
    return _two_operands(context, op, op.offsets, "mul_s8", elementwise.mul_fields(op))


def _two_operands(
    context: LoweringContext, op: Op, offsets: ops.Pair, kernel: str, fields: dict[str, Field]
) -> bool:
    count = op.output.count
    if op.inputs[1].count != count or not _offsets_fit(offsets):
        return False
    steps: list[Steps | None] = [one_by_one(count, 1, 1)] * 2
    context.call(op, kernel, fields, steps, inputs=_TWO_INPUTS, variant="cmsis_nn")
    return True


def _softmax(context: LoweringContext, op: Op) -> bool:
    assert isinstance(op, ops.Softmax)
    context.call(op, "softmax_s8", elementwise.softmax_fields(op), [None], variant="cmsis_nn")
    return True


def _average_pool(context: LoweringContext, op: Op) -> bool:
    assert isinstance(op, ops.AvgPool2d)
    pooling.check_windows(op)
    if op.count_padding and not op.padding.is_zero:
        return False
    size = scratch.average_pool(op.input.shape[1], context.instruction_set)
    context.call(
        op,
        "avg_pool_s8",
        {
            **pooling.image_fields(op),
            "activation_min": -128,
            "activation_max": 127,
            "scratch_size": size,
        },
        [None],
        variant="cmsis_nn",
        own_parameters=True,
        scratch=size,
    )
    return True


def _max_pool(context: LoweringContext, op: Op) -> bool:
    assert isinstance(op, ops.MaxPool2d)
    if op.dilation != (1, 1) or not every_window_covers_a_pixel(op, op.input, op.padding):
        return False
    context.call(op, "max_pool_s8", pooling.max_pool_fields(op), [None], variant="cmsis_nn")
    return True


def _offsets_fit(offsets: ops.Pair) -> bool:
    return max(abs(offset) for offset in offsets) <= _LARGEST_OFFSET


_LOWER: dict[type[Op], Callable[[LoweringContext, Op], bool]] = {
    ops.Conv2d: convolution,
    ops.DepthwiseConv2d: convolution,
    ops.TransposeConv2d: convolution,
    ops.Linear: _linear,
    ops.BatchMatmul: _batch_matmul,
    ops.Add: _add,
    ops.Mul: _mul,
    ops.Softmax: _softmax,
    ops.AvgPool2d: _average_pool,
    ops.MaxPool2d: _max_pool,
}
