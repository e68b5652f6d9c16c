# SPDX-License-Identifier: Apache-2.0
"""Operators on each element by itself, and softmax."""

from __future__ import annotations

import numpy as np

from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.ir.functions import FUNCTIONS, cast_kernel
from petite.ir.ops import (
    Add,
    Cast,
    Elementwise,
    Lut,
    Mul,
    Op,
    Softmax,
    Where,
)
from petite.ir.schedule import Field, Steps
from petite.passes.lower.access import elementwise, rows
from petite.passes.lower.context import LoweringContext
from petite.passes.lower.packing_dsp import products_fit, scales_fit
from petite.passes.lower.strides import broadcast_strides, padded
from petite.passes.lower.variants import implementation, with_shifts
from petite.passes.lower.weighted_sum import as_weighted_sum

#: See runtime/kernels/softmax/softmax_s8.h.
MAX_SOFTMAX_COLUMNS = 4095

#: Bytes of the table that the DSP kernel for softmax makes, of 256 exponentials.
_SOFTMAX_TABLE = 1024
#: Largest offset with which int8 numbers are below 2^9.
_MOST_DSP_OFFSET = 383
#: Elements that the DSP kernel for products multiplies at a turn.
_DSP_RUN = 4

_TWO_INPUTS = ("input1", "input2")


def _operand_sizes(op: Op) -> dict[str, Field]:
    """Sizes of two operands, the second perhaps repeating."""
    return {"count": op.output.count, "period": op.inputs[1].count}


def _operand_steps(op: Op) -> list[Steps | None]:
    """How the output may overlap the two."""
    count = op.output.count
    steps = elementwise(count, 1, 1)
    return [steps, steps if op.inputs[1].count == count else None]


def add(context: LoweringContext, op: Op) -> None:
    """Add."""
    assert isinstance(op, Add)
    steps = _operand_steps(op)
    short = as_weighted_sum(op)
    if short is not None:
        fields = _operand_sizes(op)
        fields.update(
            weight1=short.weight1,
            weight2=short.weight2,
            bias=short.bias,
            shift=short.shift,
            activation_min=op.clamp.low,
            activation_max=op.clamp.high,
        )
        context.call(op, "weighted_sum_s8", fields, steps, inputs=_TWO_INPUTS)
        return
    shifts = [*(scale.shift for scale in op.scales), op.requantize.shift]
    variant = with_shifts("add_s8", context.instruction_set, shifts)
    if variant == "dsp" and not _dsp_adds(op):
        variant = "scalar"
    context.call(op, "add_s8", add_fields(op), steps, inputs=_TWO_INPUTS, variant=variant)


def _dsp_adds(op: Add) -> bool:
    """Whether the DSP kernel's contract allows the sum."""
    return (
        max(map(abs, op.offsets)) <= _MOST_DSP_OFFSET
        and max(scale.shift for scale in op.scales) <= 0
        # Scaled inputs are below 2^29.
        and scales_fit(np.array([2**30 - 1]), np.array(op.requantize.shift), op.output_offset)
    )


def add_fields(op: Add) -> dict[str, Field]:
    """Numbers of add_s8's parameter structure."""
    fields = _operand_sizes(op)
    for number in (0, 1):
        fields[f"input{number + 1}_offset"] = op.offsets[number]
        fields[f"input{number + 1}_multiplier"] = op.scales[number].multiplier
        fields[f"input{number + 1}_shift"] = op.scales[number].shift
    fields.update(
        output_offset=op.output_offset,
        multiplier=op.requantize.multiplier,
        shift=op.requantize.shift,
        activation_min=op.clamp.low,
        activation_max=op.clamp.high,
    )
    return fields


def mul(context: LoweringContext, op: Op) -> None:
    """Mul."""
    assert isinstance(op, Mul)
    variant = with_shifts("mul_s8", context.instruction_set, [op.requantize.shift])
    if variant == "dsp" and not _dsp_multiplies(op):
        variant = "scalar"
    context.call(
        op, "mul_s8", mul_fields(op), _operand_steps(op), inputs=_TWO_INPUTS, variant=variant
    )


def _dsp_multiplies(op: Mul) -> bool:
    """Whether the DSP kernel's contract allows the product, and runs are worth to begin them."""
    return (
        products_fit(op.offsets, 1, op.requantize, op.output_offset)
        and max(map(abs, op.offsets)) <= 2**13
        and op.inputs[1].count >= _DSP_RUN
    )


def mul_fields(op: Mul) -> dict[str, Field]:
    """Numbers of mul_s8's parameter structure."""
    fields = _operand_sizes(op)
    fields.update(
        input1_offset=op.offsets[0],
        input2_offset=op.offsets[1],
        output_offset=op.output_offset,
        multiplier=op.requantize.multiplier,
        shift=op.requantize.shift,
        activation_min=-128,
        activation_max=127,
    )
    return fields


def function(context: LoweringContext, op: Op) -> None:
    """Elementwise."""
    assert isinstance(op, Elementwise)
    entry = FUNCTIONS[op.function]
    kernel = entry.kernel(op.input.dtype)
    if entry.operands == 1:
        _unary(context, op, kernel)
        return
    _broadcast(context, op, kernel, _TWO_INPUTS, ("stride1", "stride2"), {}, "binary")


def cast(context: LoweringContext, op: Op) -> None:
    """Cast."""
    assert isinstance(op, Cast)
    _unary(context, op, cast_kernel(op.input.dtype, op.output.dtype))


def _unary(context: LoweringContext, op: Op, kernel: str) -> None:
    count = op.output.count
    steps = elementwise(count, op.input.dtype.size, op.output.dtype.size)
    context.call(op, kernel, {"count": count}, [steps], family="unary")


def where(context: LoweringContext, op: Op) -> None:
    """Where."""
    assert isinstance(op, Where)
    _broadcast(
        context,
        op,
        "where",
        ("condition", "input1", "input2"),
        ("stride0", "stride1", "stride2"),
        {"element_size": op.output.dtype.size},
        "where",
    )


def _broadcast(
    context: LoweringContext,
    op: Op,
    kernel: str,
    names: tuple[str, ...],
    stride_names: tuple[str, ...],
    fields: dict[str, Field],
    family: str,
) -> None:
    """A call whose operands have strides of their own; those of the output's shape may overlap."""
    dims, strides = broadcast_strides(op.output, op.inputs, op.source)
    fields["dims"] = padded(dims, 1)
    fields.update((n, padded(s, 0)) for n, s in zip(stride_names, strides, strict=True))
    steps: list[Steps | None] = [
        elementwise(op.output.count, v.dtype.size, op.output.dtype.size)
        if v.shape == op.output.shape
        else None
        for v in op.inputs
    ]
    variant = implementation(kernel, context.instruction_set)
    if not all(own[-1] in (0, 1) for own in strides):
        variant = "scalar"
    context.call(op, kernel, fields, steps, inputs=names, family=family, variant=variant)


def lut(context: LoweringContext, op: Op) -> None:
    """Table look-up."""
    assert isinstance(op, Lut)
    context.call(
        op,
        "lut_s8",
        {"count": op.output.count},
        [elementwise(op.output.count, 1, 1)],
        {"table": (op.table, DType.S8)},
    )


def softmax(context: LoweringContext, op: Op) -> None:
    """Softmax: the dimension that it runs over is innermost."""
    assert isinstance(op, Softmax)
    columns = op.input.shape[op.dim]
    steps = rows(op.input.count // columns, columns, columns)
    variant = implementation("softmax_s8", context.instruction_set)
    # The table pays where it has fewer entries than there are elements, and takes memory.
    if variant == "dsp" and 2 * op.input.count < _SOFTMAX_TABLE:
        variant = "scalar"
    is_dsp = variant == "dsp"
    context.call(
        op,
        "softmax_s8",
        softmax_fields(op),
        [steps],
        variant=variant,
        own_parameters=is_dsp,
        scratch=_SOFTMAX_TABLE if is_dsp else 0,
    )


def softmax_fields(op: Softmax) -> dict[str, Field]:
    """Numbers of the parameter structure. PetiteError for rows that are too long."""
    columns = op.input.shape[op.dim]
    if columns > MAX_SOFTMAX_COLUMNS:
        raise PetiteError(
            f"{op.source}: softmax over {columns} elements; at most {MAX_SOFTMAX_COLUMNS} are "
            "supported (the sum of exponentials has 12 integer bits)"
        )
    return {
        "rows": op.input.count // columns,
        "columns": columns,
        "input_multiplier": op.requantize.multiplier,
        "input_shift": op.requantize.shift,
        "diff_min": op.diff_min,
    }
