# SPDX-License-Identifier: Apache-2.0
"""Every operator that a loaded program may call, by element types: the one table.

It drives the C tables that `petite select` writes, the documentation, and the tests.
"""

from __future__ import annotations

from petite.ir.dtype import DType
from petite.select.catalogue_aten import ATEN
from petite.select.catalogue_control import CONTROL
from petite.select.entry import Entry

__all__ = ["ENTRIES", "Entry"]


def _cortex_m(
    operator: str,
    kernel: str,
    folder: str,
    dtype: DType = DType.S8,
    result: DType | None = None,
    prepare: str = "",
) -> Entry:
    return Entry(
        f"cortex_m::{operator}.out",
        dtype,
        dtype if result is None else result,
        prepare or operator,
        "operators/cortex_m/cortex_m.h",
        kernel,
        f"kernels/{folder}/{kernel}.h",
    )


def _images(operator: str, kernel: str, folder: str) -> list[Entry]:
    """Both spellings: of NCHW shapes, and of NHWC ones."""
    return [_cortex_m(name, kernel, folder) for name in (operator, f"{operator}_nhwc")]


def _conversions() -> list[Entry]:
    entries = []
    for stored in (DType.S8, DType.S16):
        kernel = f"quantize_f32_{stored.suffix}"
        name = f"quantize_{stored.suffix}"
        entries.append(
            _cortex_m("quantize_per_tensor", kernel, "quantize", DType.F32, stored, name)
        )
        kernel = f"dequantize_{stored.suffix}_f32"
        entries.append(
            _cortex_m("dequantize_per_tensor", kernel, "dequantize", stored, DType.F32, f"de{name}")
        )
    return entries


def _quantized() -> list[Entry]:
    return [
        *_conversions(),
        *_images("quantized_conv2d", "conv2d_s8", "conv2d"),
        *_images("quantized_depthwise_conv2d", "depthwise_conv2d_s8", "depthwise_conv2d"),
        *_images("quantized_transpose_conv2d", "transpose_conv2d_s8", "transpose_conv2d"),
        *_images("quantized_avg_pool2d", "avg_pool_s8", "avg_pool"),
        *_images("quantized_max_pool2d", "max_pool_s8", "max_pool"),
        _cortex_m("quantized_linear", "linear_s8", "linear"),
        _cortex_m("quantized_add", "add_s8", "add"),
        _cortex_m("quantized_mul", "mul_s8", "mul"),
        _cortex_m("quantized_div", "div_s8", "div", prepare="quantized_div_s8"),
        _cortex_m("quantized_div", "div_s16", "div", DType.S16, prepare="quantized_div_s16"),
        _cortex_m("quantized_activation", "lut_s8", "lut"),
        _cortex_m("quantized_batch_matmul", "batch_matmul_s8", "batch_matmul"),
        _cortex_m("softmax", "softmax_s8", "softmax", prepare="softmax_s8"),
        _cortex_m("pad", "pad", "pad", prepare="cortex_m_pad"),
    ]


#: In the order of a table.
ENTRIES: tuple[Entry, ...] = tuple(
    sorted((*_quantized(), *ATEN, *CONTROL), key=lambda entry: entry.key)
)
