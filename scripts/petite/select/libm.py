# SPDX-License-Identifier: Apache-2.0
"""Which operators need mathematical functions of the C library, which the smallest ones lack."""

from __future__ import annotations

from collections.abc import Iterable

from petite.errors import PetiteError
from petite.select.entry import Entry

#: Functions of the kernels in unary_libm_f32_scalar.c and binary_libm_f32_scalar.c.
_UNARY = (
    *("ceil", "floor", "trunc", "round", "sqrt", "rsqrt", "expm1", "log", "log1p", "log2", "log10"),
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh"),
    *("erf", "gelu"),
)
_BINARY = ("pow", "div_trunc", "div_floor", "fmod", "remainder", "atan2")

#: Kernels that call libm, by their names.
LIBM_KERNELS = frozenset(
    {
        *(f"unary_{function}_f32" for function in _UNARY),
        *(f"binary_{function}_f32" for function in _BINARY),
        *("log_softmax_f32", "grid_sample_f32", "distance_f32"),
    }
)
#: Prepare functions that name one of them. A test compares with the code.
LIBM_PREPARES = frozenset(
    {
        *("gelu", "elu", "logit", "log_softmax_f32", "grid_sampler_2d", "cdist", "pdist"),
        *("layer_norm", "group_norm", "batch_norm", "batch_norm_legit", "batch_norm_of_batch"),
        "quantize_number",
    }
)


def needs_libm(entry: Entry) -> bool:
    """Whether an entry links a kernel that calls libm."""
    return entry.kernel in LIBM_KERNELS or entry.prepare in LIBM_PREPARES


def without_libm(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that do not."""
    return [entry for entry in entries if not needs_libm(entry)]


def refuse_libm(entries: Iterable[Entry], program: str) -> None:
    """PetiteError where a program needs one that does."""
    for entry in entries:
        if needs_libm(entry):
            raise PetiteError(
                f"{program}: {entry.operator} needs mathematical functions, and the C library has "
                "none; choose one that has (Zephyr: CONFIG_PICOLIBC or CONFIG_NEWLIB_LIBC)"
            )
