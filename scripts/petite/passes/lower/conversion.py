# SPDX-License-Identifier: Apache-2.0
"""Conversions between float32 and the integers that are stored for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from petite.ir.dtype import DType
from petite.ir.ops import Dequantize, Op, Quantize
from petite.passes.lower.access import elementwise
from petite.passes.lower.context import Constants, LoweringContext
from petite.passes.lower.variants import implementation

Array = np.ndarray[Any, np.dtype[Any]]

#: Elements from which on they are no fewer than the bytes of a table of 256 floats.
_TABLE_PAYS = 1024

_INT8 = np.arange(-128, 128, dtype=np.int32)
_SUFFIX = {DType.S8: "s8", DType.S16: "s16"}


def quantize(context: LoweringContext, op: Op) -> None:
    """float32 to int8 or int16. The scale's inverse is a float32 quotient, as on the core."""
    assert isinstance(op, Quantize)
    out = op.output
    inverse_scale = float(np.float32(1.0) / np.float32(op.scale))
    context.call(
        op,
        f"quantize_f32_{_SUFFIX[out.dtype]}",
        {
            "count": out.count,
            "inverse_scale": inverse_scale,
            "zero_point": op.zero_point,
            "quant_min": op.low,
            "quant_max": op.high,
        },
        [elementwise(out.count, op.input.dtype.size, out.dtype.size)],
        folder="quantize",
        # Beyond that, even the smallest and the largest floats may round to small integers.
        variant=None if 2.0**-60 <= inverse_scale <= 2.0**60 else "scalar",
    )


def dequantize(context: LoweringContext, op: Op) -> None:
    """int8 or int16 to float32."""
    assert isinstance(op, Dequantize)
    source = op.input
    scale = np.float32(op.scale)
    kernel = f"dequantize_{_SUFFIX[source.dtype]}_f32"
    steps = elementwise(source.count, source.dtype.size, op.output.dtype.size)
    # Of a normal scale no product is so small that Helium takes it for zero.
    is_normal = np.finfo(np.float32).tiny <= scale <= np.finfo(np.float32).max
    variant = implementation(kernel, context.instruction_set)
    if not (is_normal and abs(op.zero_point) < 2**21):
        variant = "scalar"
    is_long = source.dtype is DType.S8 and source.count >= _TABLE_PAYS
    if variant == "scalar" and is_long and np.isfinite(scale):
        table: Constants = {"table": (_real_numbers(scale, op.zero_point), DType.F32)}
        context.call(op, "lut_s8_f32", {"count": source.count}, [steps], table)
        return
    context.call(
        op,
        kernel,
        {"count": source.count, "zero_point": op.zero_point, "scale": float(scale)},
        [steps],
        folder="dequantize",
        variant=variant,
    )


def _real_numbers(scale: np.float32, zero_point: int) -> Array:
    """What each int8 number stands for, as dequantize_s8_f32 computes it."""
    with np.errstate(over="ignore"):
        return np.asarray((_INT8 - zero_point).astype(np.float32) * scale)
