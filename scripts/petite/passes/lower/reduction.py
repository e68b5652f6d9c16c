# SPDX-License-Identifier: Apache-2.0
"""Reductions of dimensions, and running sums."""

from __future__ import annotations

from math import nan, prod

from petite.ir.ops import ChooseQuantization, CumSum, Op, Reduce
from petite.ir.reductions import REDUCTIONS
from petite.passes.lower.context import LoweringContext
from petite.passes.lower.strides import padded, strides_of, walk


def reduce(context: LoweringContext, op: Op) -> None:
    """Reduce. The output is contiguous; the reduced dimensions are walked in logical order."""
    assert isinstance(op, Reduce)
    own = strides_of(op.input)
    kept = [d for d in range(len(op.input.shape)) if d not in op.dims]
    dims, (strides,) = walk(
        [op.input.shape[d] for d in kept] or [1], [[own[d] for d in kept] or [0]], op.source
    )
    reduce_dims, (reduce_strides,) = walk(
        [op.input.shape[d] for d in op.dims], [[own[d] for d in op.dims]], op.source
    )
    context.call(
        op,
        REDUCTIONS[op.function].kernel(op.input.dtype),
        {
            "dims": padded(dims, 1),
            "strides": padded(strides, 0),
            "reduce_dims": padded(reduce_dims, 1),
            "reduce_strides": padded(reduce_strides, 0),
            "divisor": _divisor(op, prod(reduce_dims)),
        },
        [None],
        family="reduce",
    )


def _divisor(op: Reduce, count: int) -> float:
    if op.function == "mean":
        return float(count)
    if op.function == "var":
        # As ExecuTorch's operator: a variance with too few elements is not a number.
        return count - op.correction if count - op.correction > 0 else nan
    return 0.0


def cumsum(context: LoweringContext, op: Op) -> None:
    """CumSum, contiguous in and out."""
    assert isinstance(op, CumSum)
    shape = op.input.shape or (1,)
    context.call(
        op,
        f"cumsum_{op.input.dtype.suffix}",
        {
            "outer": prod(shape[: op.dim]),
            "length": shape[op.dim],
            "inner": prod(shape[op.dim + 1 :]),
        },
        [None],
        family="cumsum",
    )


def choose_quantization(context: LoweringContext, op: Op) -> None:
    """ChooseQuantization, contiguous in and out."""
    assert isinstance(op, ChooseQuantization)
    rows = op.output.count
    context.call(
        op,
        "choose_zero_point_f32_s64" if op.zero_points else "choose_scale_f32",
        {
            "rows": rows,
            "columns": op.input.count // rows,
            "quant_min": op.low,
            "quant_max": op.high,
        },
        [None],
        family="choose_qparams",
    )
