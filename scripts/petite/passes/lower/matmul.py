# SPDX-License-Identifier: Apache-2.0
"""Matrix products."""

from __future__ import annotations

from math import prod

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import BatchMatmul, Linear, Matmul, Op
from petite.ir.schedule import Field
from petite.passes.lower import linear_dsp
from petite.passes.lower.access import rows
from petite.passes.lower.context import Constants, LoweringContext
from petite.passes.lower.packing import BLOCK, pad_channels
from petite.passes.lower.packing_dsp import products_fit
from petite.passes.lower.variants import implementation, with_shifts


def linear(context: LoweringContext, op: Op) -> None:
    """Linear: the input's last dimension is innermost, all others are rows."""
    assert isinstance(op, Linear)
    outputs, inputs = (int(n) for n in op.weights.shape)
    count = op.input.count // inputs
    variant = implementation("linear_s8", context.instruction_set)
    constants: Constants = {"weights": (op.weights, DType.S8), "bias": (op.bias, DType.S32)}
    scratch = 0
    if variant == "mve" and op.requantize.shift <= 0:
        padded = np.pad(op.weights, ((0, -outputs % BLOCK), (0, 0)))
        constants["weights"] = (padded, DType.S8)
        constants["bias"] = (pad_channels(op.bias), DType.S32)
    elif variant == "dsp" and linear_dsp.takes(op):
        constants = {"packed": (linear_dsp.pack(op), DType.S32)}
        scratch = linear_dsp.scratch(inputs)
    else:
        variant = "scalar"
    context.call(
        op,
        "linear_s8",
        linear_fields(op),
        [rows(count, inputs, outputs, reads_first=variant == "dsp")],
        constants,
        variant=variant,
        own_parameters=variant != "scalar",
        scratch=scratch,
    )


def linear_fields(op: Linear) -> dict[str, Field]:
    """Numbers of the parameter structure."""
    outputs, inputs = (int(n) for n in op.weights.shape)
    return {
        "rows": op.input.count // inputs,
        "in_features": inputs,
        "out_features": outputs,
        "multiplier": op.requantize.multiplier,
        "shift": op.requantize.shift,
        "output_offset": op.output_offset,
        "activation_min": op.clamp.low,
        "activation_max": op.clamp.high,
    }


def batch_matmul(context: LoweringContext, op: Op) -> None:
    """BatchMatmul of two computed tensors."""
    assert isinstance(op, BatchMatmul)
    batches, count, inner = op.inputs[0].shape
    columns = op.inputs[1].shape[1]
    variant = with_shifts("batch_matmul_s8", context.instruction_set, [op.requantize.shift])
    if variant == "dsp" and not _dsp_takes(op):
        variant = "scalar"
    context.call(
        op,
        "batch_matmul_s8",
        batch_matmul_fields(op),
        [rows(batches * count, inner, columns), None],
        inputs=("lhs", "rhs"),
        variant=variant,
        own_parameters=variant == "dsp",
        scratch=16 * -(-inner // 4) if variant == "dsp" else 0,
    )


def _dsp_takes(op: BatchMatmul) -> bool:
    """Whether the DSP kernel's contract allows the product."""
    inner = op.inputs[0].shape[2]
    fits = products_fit(op.offsets, inner, op.requantize, op.output_offset)
    return fits and abs(op.offsets[0]) <= 2**14


def batch_matmul_fields(op: BatchMatmul) -> dict[str, Field]:
    """Numbers of the parameter structure."""
    batches, count, inner = op.inputs[0].shape
    return {
        "batches": batches,
        "rows": count,
        "columns": op.inputs[1].shape[1],
        "inner": inner,
        "lhs_offset": op.offsets[0],
        "rhs_offset": op.offsets[1],
        "multiplier": op.requantize.multiplier,
        "shift": op.requantize.shift,
        "output_offset": op.output_offset,
        "activation_min": -128,
        "activation_max": 127,
    }


def matmul(context: LoweringContext, op: Op) -> None:
    """Matmul of any number type, all contiguous."""
    assert isinstance(op, Matmul)
    left, right = op.inputs
    batches = right.shape[0] if len(right.shape) == 3 else 1
    count = prod(left.shape[:-1]) // max(1, batches)
    inner, columns = left.shape[-1], op.output.shape[-1]
    size = op.output.dtype.size
    context.call(
        op,
        f"matmul_{op.output.dtype.suffix}",
        {
            "batches": batches,
            "rows": count,
            "inner": inner,
            "columns": columns,
            "weights_batch_stride": inner * columns,
            "inner_stride": 1 if op.transposed else columns,
            "column_stride": inner if op.transposed else 1,
        },
        [rows(batches * count, inner * size, columns * size), None],
        inputs=("input", "weights"),
        family="matmul",
    )
