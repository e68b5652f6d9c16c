# SPDX-License-Identifier: Apache-2.0
"""Portable operators that work element by element, by the table of functions."""

from __future__ import annotations

from collections.abc import Iterable

from petite.ir.dtype import DType
from petite.ir.functions import ALL, FUNCTIONS, INTEGERS, NUMBERS, Function, cast_kernel
from petite.pte.promotion import promote
from petite.select.entry import Entry

F32, BOOL = DType.F32, DType.BOOL

#: What a function of numbers is on bools.
_ON_BOOL = {"add": "or", "mul": "and", "min": "and", "max": "or"}

#: Operators whose operands are promoted: (function, prepare function without its type).
_PROMOTING = {
    **{f"aten::{f}.{form}": (f, "add") for f in ("add", "sub") for form in ("out", "Scalar_out")},
    "aten::rsub.Scalar_out": ("sub", "rsub"),
    **{f"aten::mul.{form}": ("mul", "binary") for form in ("out", "Scalar_out")},
    **{f"aten::div.{form}": ("div_trunc", "div") for form in ("out_mode", "Scalar_mode_out")},
    "aten::floor_divide.out": ("div_floor", "binary"),
    **{
        f"aten::{f}.{form}": (f, "binary")
        for f in ("fmod", "remainder")
        for form in ("Tensor_out", "Scalar_out")
    },
    **{
        f"aten::pow.{form}": ("pow", "binary")
        for form in ("Tensor_Tensor_out", "Tensor_Scalar_out", "Scalar_out")
    },
    "aten::minimum.out": ("min", "binary"),
    "aten::maximum.out": ("max", "binary"),
    "cortex_m::minimum.out": ("min", "binary"),
    "cortex_m::maximum.out": ("max", "binary"),
    **{
        f"aten::bitwise_{f}.{form}": (f, "binary")
        for f in ("and", "or", "xor")
        for form in ("Tensor_out", "Scalar_out")
    },
    **{
        f"aten::bitwise_{side}_shift.{form}_out": (f"shift_{side}", "binary")
        for side in ("left", "right")
        for form in ("Tensor", "Tensor_Scalar")
    },
}

_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_FLOATING = (
    *("sqrt", "rsqrt", "reciprocal", "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos"),
    *("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf"),
    "sigmoid",
)
_CONVERTING = (
    "dim_order_ops::_to_dim_order_copy.out",
    "aten::_to_copy.out",
)


def _entry(
    operator: str, first: DType, result: DType, prepare: str, kernel: str | None = None
) -> Entry:
    header = None
    if kernel is not None:
        family = kernel.split("_")[0]
        header = f"kernels/{family}/{family}.h"
    return Entry(operator, first, result, prepare, "operators/aten/aten.h", kernel, header)


def _kernel(function: str, dtype: DType) -> str | None:
    """The kernel of a function of numbers, which may be another one on bools."""
    if dtype is BOOL:
        function = _ON_BOOL.get(function, function)
    entry = FUNCTIONS[function]
    return entry.kernel(dtype) if dtype in entry.dtypes else None


def _promoting() -> Iterable[Entry]:
    for operator, (function, prepare) in _PROMOTING.items():
        for result in ALL:
            kernel = _kernel(function, result)
            for first in ALL if kernel is not None else ():
                if promote(first, result) is result:
                    assert kernel is not None
                    name = f"{prepare}_{result.suffix}"
                    yield _entry(operator, first, result, name, kernel)


def _binary() -> Iterable[Entry]:
    for function in _COMPARISONS:
        for form in ("Tensor_out", "Scalar_out"):
            for dtype in ALL:
                kernel = FUNCTIONS[function].kernel(dtype)
                name = f"compare_{dtype.suffix}"
                yield _entry(f"aten::{function}.{form}", dtype, BOOL, name, kernel)
    for dtype in ALL:
        for form in ("out", "Scalar_out"):
            yield _entry(f"aten::div.{form}", dtype, F32, "binary_as_f32", "binary_div_f32")
        yield _entry("aten::atan2.out", dtype, F32, "binary_as_f32", "binary_atan2_f32")
        for bits in ("and", "or", "xor"):
            kernel = f"binary_{bits}_bool"
            yield _entry(f"aten::logical_{bits}.out", dtype, BOOL, "binary_as_bool", kernel)


def _same_type(operator: str, function: Function) -> Iterable[Entry]:
    for dtype in function.dtypes:
        yield _entry(operator, dtype, dtype, "unary", function.kernel(dtype))


def _unary() -> Iterable[Entry]:
    for name in ("abs", "neg", "sign"):
        yield from _same_type(f"aten::{name}.out", FUNCTIONS[name])
    yield from _same_type("aten::bitwise_not.out", FUNCTIONS["not"])
    for name in ("ceil", "floor", "round", "trunc"):
        yield _entry(f"aten::{name}.out", F32, F32, "unary", f"unary_{name}_f32")
        for dtype in INTEGERS:
            yield _entry(f"aten::{name}.out", dtype, dtype, "same")
    for dtype in ALL:
        prepare = "unary" if dtype is F32 else "unary_of_f32"
        for name in _FLOATING:
            yield _entry(f"aten::{name}.out", dtype, F32, prepare, f"unary_{name}_f32")
        prepare = "unary" if dtype is BOOL else "unary_of_bool"
        yield _entry("aten::logical_not.out", dtype, BOOL, prepare, "unary_not_bool")
        for name in ("isnan", "isinf"):
            if dtype is F32:
                yield _entry(f"aten::{name}.out", F32, BOOL, "unary", f"unary_{name}_f32_bool")
            else:
                yield _entry(f"aten::{name}.out", dtype, BOOL, "never")
    yield _entry("aten::gelu.out", F32, F32, "gelu")


def _casts() -> Iterable[Entry]:
    for operator in _CONVERTING:
        for first in ALL:
            for result in ALL:
                if first is not result:
                    yield _entry(operator, first, result, "unary", cast_kernel(first, result))


def _limits() -> Iterable[Entry]:
    for operator in ("aten::clamp.out", "aten::hardtanh.out"):
        yield _entry(operator, F32, F32, "clamp_f32")
        for first in INTEGERS:
            if operator == "aten::clamp.out":
                yield _entry(operator, first, F32, "clamp_as_f32")
            for result in INTEGERS:
                if promote(first, result) is result:
                    yield _entry(operator, first, result, f"clamp_{result.suffix}")
    for first in NUMBERS:
        for result in NUMBERS:
            if promote(first, result) is result:
                name = "clamp_tensor_f32" if result is F32 else f"clamp_{result.suffix}"
                yield _entry("aten::clamp.Tensor_out", first, result, name)
    yield _entry("aten::relu.out", F32, F32, "relu_f32")
    for dtype in INTEGERS:
        yield _entry("aten::relu.out", dtype, dtype, "relu", f"binary_max_{dtype.suffix}")


def _choices() -> Iterable[Entry]:
    for dtype in ALL:
        for condition in (BOOL, DType.U8):
            name = f"where_{dtype.suffix}"
            yield _entry("aten::where.self_out", condition, dtype, name)
        yield _entry("aten::masked_fill.Scalar_out", dtype, dtype, "masked_fill")


def _activations() -> Iterable[Entry]:
    for name in ("hardsigmoid", "hardswish", "leaky_relu", "elu", "glu"):
        yield _entry(f"aten::{name}.out", F32, F32, name)
    for dtype in ALL:
        yield _entry("aten::logit.out", dtype, F32, "logit")


ELEMENTWISE: tuple[Entry, ...] = (
    *_promoting(),
    *_binary(),
    *_unary(),
    *_casts(),
    *_limits(),
    *_choices(),
    *_activations(),
)
