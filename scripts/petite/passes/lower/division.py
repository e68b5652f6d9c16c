# SPDX-License-Identifier: Apache-2.0
"""Divisions, and those of int8 with a table of reciprocals, proved by trying every pair of inputs.

A division is computed in float32, with three roundings, on cores most of which divide slowly or
have no floats. There are only 256 divisors: one number each, with which the dividend is multiplied,
gives the same output in a few instructions. Whether there is such a number follows from what each
of the 256 dividends has to become.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Div, Op
from petite.ir.schedule import Field
from petite.passes.lower.access import elementwise
from petite.passes.lower.context import LoweringContext

Array = np.ndarray[Any, np.dtype[Any]]

_INPUTS = ("input1", "input2")
_SUFFIX = {DType.S8: "s8", DType.S16: "s16"}
#: Elements from which on a table is worth its 1024 bytes: it has no more entries.
TABLE_PAYS = 256

_VALUES = np.arange(-128, 128, dtype=np.int64)
#: See runtime/kernels/div/div_by_table_s8.h: what the product loses, and then the sum.
_PRODUCT_SHIFT = 10
_SUM_SHIFT = 12
#: Numerators, and offsets of the output, are within this.
_MOST_NUMERATOR = 512
_MOST_OFFSET = 2**14
_MOST_RECIPROCAL = 2**31 - 1
#: What no product reaches; stands for no limit.
_FAR = 2**50


def div(context: LoweringContext, op: Op) -> None:
    """Div."""
    assert isinstance(op, Div)
    dtype = op.output.dtype
    steps = elementwise(op.output.count, dtype.size, dtype.size)
    fields: dict[str, Field] = {
        "count": op.output.count,
        "input1_offset": op.offsets[0],
        "output_offset": op.output_offset,
    }
    table = reciprocals(op) if dtype is DType.S8 and op.output.count >= TABLE_PAYS else None
    if table is not None:
        context.call(
            op,
            "div_by_table_s8",
            fields,
            [steps, steps],
            {"reciprocals": (table, DType.S32)},
            folder="div",
            inputs=_INPUTS,
        )
        return
    limits = np.iinfo(dtype.numpy)
    fields.update(
        input2_offset=op.offsets[1],
        scale=float(np.float32(op.scale)),
        activation_min=int(limits.min),
        activation_max=int(limits.max),
    )
    kernel = f"div_{_SUFFIX[dtype]}"
    context.call(op, kernel, fields, [steps, steps], folder="div", inputs=_INPUTS)


def reciprocals(op: Div) -> Array | None:
    """What div_by_table_s8 multiplies dividends by, in the order of divisors as bytes.

    None where no numbers give the output of each of the 65536 pairs: float32 may round one of two
    equal ties down and the other one up.
    """
    numerators = _VALUES + op.offsets[0]
    if np.abs(numerators).max() >= _MOST_NUMERATOR or abs(op.output_offset) >= _MOST_OFFSET:
        return None
    least, most = _limits(numerators, _quotients(op), op.output_offset)
    if np.any(least > most):
        return None
    return np.roll((least + most) // 2, 128)


def _quotients(op: Div) -> Array:
    """[divisors][dividends]: the output for every pair of inputs, as div_s8.h defines it."""
    first, second = (
        (_VALUES + offset).astype(np.float32) for offset in (op.offsets[0], op.offsets[1])
    )
    nonzero = np.where(second == 0, np.float32(1), second)
    quotients = np.where(second[:, None] == 0, np.float32(0), first[None, :] / nonzero[:, None])
    with np.errstate(over="ignore"):
        scaled = (quotients * np.float32(op.scale)).astype(np.float64)
    rounded = np.copysign(np.floor(np.abs(scaled) + 0.5), scaled)
    return np.clip(rounded + op.output_offset, -128, 127).astype(np.int64)


def _limits(numerators: Array, outputs: Array, output_offset: int) -> tuple[Array, Array]:
    """For each divisor, between which numbers its reciprocal gives every output.

    (numerator * reciprocal >> 10) + rounding >> 12 is the output, or beyond it where the output is
    an end of int8: this says what the product is at least, and at most.
    """
    rounding = (output_offset << _SUM_SHIFT) + (1 << (_SUM_SHIFT - 1))
    from_ = ((outputs << _SUM_SHIFT) - rounding) << _PRODUCT_SHIFT
    to = from_ + (1 << (_SUM_SHIFT + _PRODUCT_SHIFT)) - 1
    from_ = np.where(outputs == -128, -_FAR, from_)
    to = np.where(outputs == 127, _FAR, to)
    # The quotients' limits: those of negative numerators change places, zero has none.
    above = np.where(numerators < 0, -to, from_)
    below = np.where(numerators < 0, -from_, to)
    sizes = np.abs(numerators)
    divided = sizes > 0
    least = -(-above[:, divided] // sizes[divided])
    most = below[:, divided] // sizes[divided]
    ends = (-_MOST_RECIPROCAL, _MOST_RECIPROCAL)
    return least.max(axis=1, initial=ends[0]), most.min(axis=1, initial=ends[1])
