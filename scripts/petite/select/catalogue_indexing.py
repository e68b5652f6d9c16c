# SPDX-License-Identifier: Apache-2.0
"""Portable operators that read and write where indices say, and those that make constants."""

from __future__ import annotations

from collections.abc import Iterable

from petite.ir.dtype import DType
from petite.ir.functions import ALL, NUMBERS, cast_kernel
from petite.select.entry import Entry

F32 = DType.F32
#: Integers that are stored for real numbers, and are float32.
_NARROW = (DType.S8, DType.U8, DType.S16)

#: Operators on any element type, which the output has too.
_ANY = {
    "aten::embedding.out": "embedding",
    "aten::index_select.out": "index_select",
    "aten::index.Tensor_out": "index",
    "aten::gather.out": "gather",
    "aten::scatter.src_out": "scatter",
    "aten::scatter.value_out": "scatter",
    "aten::masked_scatter.out": "masked_scatter",
    "aten::full.out": "full",
    "aten::fill.Scalar_out": "full",
    "aten::zeros.out": "zeros",
    "aten::ones.out": "ones",
    "aten::empty.out": "zeros",
    "dim_order_ops::_empty_dim_order.out": "zeros",
    "aten::scalar_tensor.out": "scalar_tensor",
    "aten::slice_scatter.out": "slice_scatter",
    "aten::select_scatter.out": "select_scatter",
    "aten::tril.out": "tril",
    **{
        f"aten::{name}_pad{dims}d.out": f"{name}_pad"
        for name in ("reflection", "replication")
        for dims in (1, 2, 3)
    },
}
_OF_NUMBERS = {
    "aten::arange.out": "arange",
    "aten::arange.start_out": "arange_from",
}


def _entry(
    operator: str, first: DType, result: DType | None, prepare: str, kernel: str | None = None
) -> Entry:
    header = None
    if kernel is not None:
        family = kernel.split("_")[0]
        header = f"kernels/{family}/{family}.h"
    return Entry(operator, first, result, prepare, "operators/aten/aten.h", kernel, header)


def _entries() -> Iterable[Entry]:
    for operators, dtypes in ((_ANY, ALL), (_OF_NUMBERS, NUMBERS)):
        for operator, prepare in operators.items():
            for dtype in dtypes:
                yield _entry(operator, dtype, dtype, prepare)
    for dtype in ALL:
        name = f"fill_tensor_{dtype.suffix}"
        yield _entry("aten::fill.Tensor_out", dtype, dtype, name)
        for result in ALL:
            yield _entry("aten::full_like.out", dtype, result, "full")
        add = f"put_add_{dtype.suffix}"
        yield _entry("aten::scatter_add.out", dtype, dtype, "scatter_add", add)
        yield _entry("aten::index_put.out", dtype, dtype, f"index_put_{dtype.suffix}")
        name = f"index_put_in_place_{dtype.suffix}"
        yield _entry("aten::index_put_", dtype, dtype, name)
    for dtype in _NARROW:
        name = "quantized_decomposed::quantize_per_tensor.out"
        yield _entry(name, F32, dtype, "quantize_number", cast_kernel(F32, dtype))
        name = "quantized_decomposed::dequantize_per_tensor.out"
        yield _entry(name, dtype, F32, "dequantize_number", cast_kernel(dtype, F32))
    name = "quantized_decomposed::dequantize_per_tensor.out"
    yield _entry(name, DType.S32, F32, "dequantize_s32_number", cast_kernel(DType.S32, F32))
    for dtype in NUMBERS:
        types = dict.fromkeys((dtype.suffix, "s64"))
        yield _entry("aten::topk.values", dtype, None, "topk", "_".join(("topk", *types)))


INDEXING: tuple[Entry, ...] = tuple(_entries())
