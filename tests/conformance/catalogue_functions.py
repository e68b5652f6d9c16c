# SPDX-License-Identifier: Apache-2.0
"""Every portable operator that works element by element, on every element type.

A program holds many operators, each with an output of its own: the position of a wrong output
says which one it is.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from conformance.program import Function, Program, program

Tensor = torch.Tensor
Unary = Callable[[Tensor], Tensor]
Binary = Callable[[Tensor, Tensor], Tensor]

INTEGERS = {
    "int8": torch.int8,
    "uint8": torch.uint8,
    "int16": torch.int16,
    "int32": torch.int32,
    "int64": torch.int64,
}
TYPES = {**INTEGERS, "float32": torch.float32, "bool": torch.bool}
WIDE, NARROW = (2, 3, 4), (3, 1)


def _divisor(y: Tensor) -> Tensor:
    return y + (y == 0).to(y.dtype)


_NUMBERS: tuple[Binary, ...] = (
    lambda x, y: torch.add(x, y, alpha=2),
    lambda x, y: torch.sub(y, x, alpha=2),
    torch.mul,
    torch.minimum,
    torch.maximum,
    lambda x, y: torch.div(x, _divisor(y)),
    lambda x, y: torch.div(x, _divisor(y), rounding_mode="trunc"),
    lambda x, y: torch.div(x, _divisor(y), rounding_mode="floor"),
    lambda x, y: torch.floor_divide(x, _divisor(y)),
    lambda x, y: torch.fmod(x, _divisor(y)),
    lambda x, y: torch.remainder(x, _divisor(y)),
)
_COMPARISONS: tuple[Binary, ...] = (
    *(torch.eq, torch.ne, torch.lt, torch.le, torch.gt, torch.ge),
    *(torch.logical_and, torch.logical_or, torch.logical_xor),
)
_BITS: tuple[Binary, ...] = (torch.bitwise_and, torch.bitwise_or, torch.bitwise_xor)
#: By numbers beyond both ends too; bools have none in PyTorch.
_SHIFTS: tuple[Binary, ...] = (torch.bitwise_left_shift, torch.bitwise_right_shift)
_OF_NUMBERS: tuple[Unary, ...] = (
    *(torch.neg, torch.abs, torch.sign, torch.ceil, torch.floor, torch.round, torch.trunc),
    *(torch.relu, torch.logical_not, torch.isnan, torch.isinf),
    lambda x: torch.clamp(x, 1, 4),
    lambda x: torch.clamp(x, min=2),
)
_WITH_NUMBER: tuple[Unary, ...] = (
    lambda x: torch.add(x, 2, alpha=3),
    lambda x: torch.sub(x, 1, alpha=2),
    lambda x: torch.rsub(x, 5, alpha=2),
    lambda x: x * 3,
    lambda x: x / 4,
    lambda x: torch.div(x, 3, rounding_mode="floor"),
    lambda x: torch.div(x, -3, rounding_mode="trunc"),
    lambda x: torch.fmod(x, 7),
    lambda x: torch.remainder(x, 7),
    lambda x: torch.pow(x, 3),
    lambda x: torch.pow(2, torch.clamp(x, 0, 5)),
    *(lambda x: x == 3, lambda x: x != 3, lambda x: x < 3),
    *(lambda x: x <= 3, lambda x: x > 3, lambda x: x >= 3),
)


def _casts(x: Tensor) -> tuple[Tensor, ...]:
    """To every other type; of float32 only what every target can hold."""
    if x.dtype is torch.float32:
        x = x.abs()
    return tuple(x.to(dtype) for dtype in TYPES.values() if dtype is not x.dtype)


def _choices(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
    mask = x > y
    return (
        torch.where(mask, x, y),
        torch.masked_fill(x, mask, 1),
        torch.clamp(x, min=y),
        torch.clamp(x, y, y + y),
    )


def integers() -> list[Program]:
    """Functions of each integer type, of tensors and of a tensor and a number."""
    found = []
    for name, dtype in INTEGERS.items():
        numbers = Function(
            lambda x, y: (
                *(f(x, y) for f in _NUMBERS + _COMPARISONS + _BITS + _SHIFTS),
                *_choices(x, y),
            )
        )
        single = Function(
            lambda x: (
                *(f(x) for f in _OF_NUMBERS + _WITH_NUMBER),
                torch.bitwise_not(x),
                *(torch.bitwise_and(x, 6), torch.bitwise_or(x, 6), torch.bitwise_xor(x, 6)),
                *(f(x, count) for f in _SHIFTS for count in (2, 7, 40)),
                torch.pow(torch.clamp(x, 0, 3), torch.clamp(x, 0, 4)),
                *_casts(x),
            )
        )
        options = {"input_dtype": dtype, "quantize": False, "float_terms": 1}
        found.append(program(f"functions_{name}", numbers, WIDE, NARROW, **options))
        found.append(program(f"functions_of_one_{name}", single, WIDE, **options))
    return found


def bools() -> list[Program]:
    """What PyTorch has for bools, which counts them as 0 and 1 where it computes."""

    def function(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
        return (
            *(f(x, y) for f in (torch.add, torch.mul, *_COMPARISONS, *_BITS)),
            *(torch.minimum(x, y), torch.maximum(x, y), torch.where(x, y, x)),
            *(torch.logical_not(x), torch.bitwise_not(x), x + 2, x * 2.5, x == 1),
            *_casts(x),
        )

    options = {"input_dtype": torch.bool, "quantize": False, "float_terms": 1}
    return [program("functions_bool", Function(function), WIDE, NARROW, **options)]


#: Functions of float32 and where they are defined.
_ANYWHERE = (
    *(torch.exp, torch.expm1, torch.sin, torch.cos, torch.atan, torch.sinh, torch.cosh),
    *(torch.tanh, torch.asinh, torch.erf, torch.sigmoid, torch.nn.functional.gelu),
    lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
)
_POSITIVE = (
    *(torch.sqrt, torch.rsqrt, torch.reciprocal, torch.log, torch.log1p, torch.log2, torch.log10),
    *(lambda x: torch.pow(x, 1.5), lambda x: torch.pow(2.0, x), lambda x: torch.acosh(x + 1)),
)
_UP_TO_ONE = (torch.asin, torch.acos, torch.atanh, torch.tan)


def floats() -> list[Program]:
    """Functions of float32: those that are exact, and those that round in their own way."""
    exact = Function(
        lambda x, y: (
            *(f(x, y) for f in _NUMBERS + _COMPARISONS),
            *_choices(x, y),
            *(f(x) for f in _OF_NUMBERS),
            *_casts(x),
        )
    )
    # A power is one libm function's error, which glibc and newlib keep below one unit.
    numbers = Function(lambda x: tuple(f(x) for f in _WITH_NUMBER))
    anywhere = Function(lambda x: tuple(f(x) for f in _ANYWHERE))
    positive = Function(
        lambda x, y: (
            *(f(x.abs() + 0.1) for f in _POSITIVE),
            *(torch.pow(x.abs() + 0.1, y), torch.atan2(x, y)),
        )
    )
    narrow = Function(lambda x: tuple(f(torch.sin(x) * 0.9) for f in _UP_TO_ONE))
    options = {"quantize": False, "spread": 2.0}
    return [
        program("functions_float32", exact, WIDE, NARROW, **options),
        program("functions_of_one_float32", numbers, WIDE, float_terms=2, **options),
        program("functions_everywhere", anywhere, WIDE, float_terms=4, **options),
        program("functions_of_positive", positive, WIDE, NARROW, float_terms=4, **options),
        program("functions_up_to_one", narrow, WIDE, float_terms=16, **options),
    ]


def promotions() -> list[Program]:
    """Operands of two types, and functions of reals on integers."""

    def mixed(x: Tensor) -> tuple[Tensor, ...]:
        small, byte, wide = x.to(torch.int8), x.to(torch.uint8), x.to(torch.int64)
        real, truth = x.to(torch.float32), x > 0
        return (
            *(small + byte, small + wide, small * real, wide - real, truth + small, truth * real),
            *(small < byte, truth == wide, real > small, wide / small.abs().add(1)),
            *(x + 0.5, x * 1.5, x > 0.5, x - 0.25, torch.where(truth, x, real)),
            *(torch.clamp(x, 0.5, 2.5), torch.pow(x, 2.0), torch.remainder(x, 2.5)),
        )

    def real_functions(x: Tensor) -> tuple[Tensor, ...]:
        positive = x.abs() + 1
        return (
            *(torch.sqrt(positive), torch.exp(torch.clamp(x, -3, 3)), torch.sigmoid(x)),
            *(
                torch.sin(x),
                torch.log(positive),
                torch.atan2(x, positive),
                torch.reciprocal(positive),
            ),
        )

    options = {"input_dtype": torch.int32, "quantize": False, "float_terms": 4}
    return [
        program("functions_of_mixed_types", Function(mixed), WIDE, **options),
        program("real_functions_of_integers", Function(real_functions), WIDE, **options),
    ]
