# SPDX-License-Identifier: Apache-2.0
"""Portable operators that reduce, normalise, multiply matrices, and move windows over images."""

from __future__ import annotations

from collections.abc import Iterable

from petite.ir.dtype import DType
from petite.ir.functions import ALL, INTEGERS, NUMBERS
from petite.ir.reductions import REDUCTIONS
from petite.select.entry import Entry

F32, S64, BOOL = DType.F32, DType.S64, DType.BOOL
_NARROW = (DType.S8, DType.S16, DType.S32, DType.U8)

#: Operators of float32 alone, and their prepare functions.
_OF_FLOATS = {
    "aten::_softmax.out": "softmax_f32",
    "aten::_log_softmax.out": "log_softmax_f32",
    "aten::convolution.out": "convolution",
    "aten::avg_pool2d.out": "avg_pool2d",
    "aten::_adaptive_avg_pool2d.out": "adaptive_avg_pool2d",
    "aten::upsample_nearest2d.vec_out": "upsample_nearest2d",
    "aten::upsample_bilinear2d.vec_out": "upsample_bilinear2d",
    "aten::_upsample_bilinear2d_aa.out": "upsample_bilinear2d_aa",
    "aten::grid_sampler_2d.out": "grid_sampler_2d",
    "aten::_cdist_forward.out": "cdist",
    "aten::_pdist_forward.out": "pdist",
}
#: The same, of operators with several outputs.
_OF_FLOATS_TO_LIST = {
    "aten::native_layer_norm.out": "layer_norm",
    "aten::native_group_norm.out": "group_norm",
    "aten::_native_batch_norm_legit_no_training.out": "batch_norm",
    "aten::_native_batch_norm_legit.out": "batch_norm_legit",
    "aten::_native_batch_norm_legit.no_stats_out": "batch_norm_of_batch",
    "aten::var_mean.correction_out": "var_mean",
}
#: Sums and their like: (function, of all dimensions).
_TOTALS = {
    "aten::sum.IntList_out": ("sum", False),
    "aten::prod.out": ("prod", True),
    "aten::prod.int_out": ("prod", False),
    "aten::mean.out": ("mean", False),
    "aten::mean.dtype_out": ("mean", True),
}
_EXTREMES = {
    "aten::amax.out": ("max", False),
    "aten::amin.out": ("min", False),
    "aten::max.unary_out": ("max", True),
    "aten::min.unary_out": ("min", True),
    "aten::argmax.out": ("argmax", False),
    "aten::argmin.out": ("argmin", False),
}


def _entry(
    operator: str, first: DType, result: DType | None, prepare: str, kernel: str | None = None
) -> Entry:
    header = None
    if kernel is not None:
        family = kernel.split("_")[0]
        header = f"kernels/{family}/{family}.h"
    return Entry(operator, first, result, prepare, "operators/aten/aten.h", kernel, header)


def _totals() -> Iterable[Entry]:
    for operator, (function, of_all) in _TOTALS.items():
        name = "total_of_all" if of_all else "total"
        kernel = REDUCTIONS[function].kernel
        for dtype in ALL:
            prepare = name if dtype is F32 else f"{name}_as_f32"
            yield _entry(operator, dtype, F32, prepare, kernel(F32))
            if REDUCTIONS[function].widens and dtype is not F32:
                yield _entry(operator, dtype, S64, name, kernel(dtype))
        if REDUCTIONS[function].widens and not of_all:
            for dtype in (*INTEGERS, BOOL):
                for narrow in _NARROW:
                    prepare = f"total_to_{narrow.suffix}"
                    yield _entry(operator, dtype, narrow, prepare, kernel(dtype))
        if REDUCTIONS[function].widens:
            yield _entry(operator, F32, S64, f"{name}_as_s64", kernel(S64))


def _extremes() -> Iterable[Entry]:
    for operator, (function, of_all) in _EXTREMES.items():
        reduction = REDUCTIONS[function]
        prepare = "extreme_of_all" if of_all else "extreme"
        for dtype in reduction.dtypes:
            kernel = reduction.kernel(dtype)
            yield _entry(operator, dtype, reduction.result(dtype), prepare, kernel)
    for dtype in ALL:
        for side in ("max", "min"):
            yield _entry(f"aten::{side}.dim_{side}", dtype, None, f"{side}_dim_{dtype.suffix}")
        # Of uint8 the result is uint8 too.
        result = dtype if dtype is DType.U8 else BOOL
        yield _entry("aten::any.all_out", dtype, result, "any_of_all")
        for form in ("out", "dims_out"):
            yield _entry(f"aten::any.{form}", dtype, result, "any")


def _sums_so_far() -> Iterable[Entry]:
    for form in ("out", "correction_out"):
        yield _entry(f"aten::var.{form}", F32, F32, "var", "reduce_var_f32")
    for dtype in ALL:
        for result in (F32, S64):
            kernel = f"cumsum_{result.suffix}"
            yield _entry("aten::cumsum.out", dtype, result, kernel, kernel)
        for narrow in _NARROW if dtype is not F32 else ():
            prepare = f"cumsum_to_{narrow.suffix}"
            yield _entry("aten::cumsum.out", dtype, narrow, prepare, "cumsum_s64")


def _products() -> Iterable[Entry]:
    for dtype in NUMBERS:
        for operator in ("mm", "bmm"):
            yield _entry(f"aten::{operator}.out", dtype, dtype, "mm", f"matmul_{dtype.suffix}")
        for operator in ("linear", "addmm"):
            yield _entry(f"aten::{operator}.out", dtype, dtype, f"{operator}_{dtype.suffix}")


def _images() -> Iterable[Entry]:
    for dtype in NUMBERS:
        name = f"max_pool2d_{dtype.suffix}"
        yield _entry("aten::max_pool2d_with_indices.out", dtype, None, name)
    u8 = DType.U8
    yield _entry("aten::upsample_nearest2d.vec_out", u8, u8, "upsample_nearest2d")
    for operator, prepare in _OF_FLOATS.items():
        yield _entry(operator, F32, F32, prepare)
    for operator, prepare in _OF_FLOATS_TO_LIST.items():
        yield _entry(operator, F32, None, prepare)


LAYERS: tuple[Entry, ...] = (
    *_totals(),
    *_extremes(),
    *_sums_so_far(),
    *_products(),
    *_images(),
)
