# SPDX-License-Identifier: Apache-2.0
"""Numbers that a program computes beside its tensors: shapes, counters, and what follows from them.

They are known when the model is compiled, because shapes are. As in ExecuTorch, integers divide as
C's do where an operator says so, and a double beside an integer makes that a double.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from petite.ir.functions import ALL
from petite.pte.call import Call
from petite.pte.operator import Lift, Operator
from petite.pte.program import BoolValue, DoubleValue, IntValue

#: A float is numpy's, which divides by zero, beside other numbers.
Number = bool | int | float
#: The result, or None where ExecuTorch has none.
Function = Callable[..., Number | None]

_INT64 = 2**63
_REEXPORT = "export the model again with ExecuTorch 1.5.1"


def _bind(call: Call, position: int, result: Number) -> None:
    """A number of the file becomes the result."""
    if isinstance(result, bool):
        call.set_scalar(position, BoolValue(result))
    elif isinstance(result, float):
        call.set_scalar(position, DoubleValue(result))
    elif -_INT64 <= result < _INT64:
        call.set_scalar(position, IntValue(result))
    else:
        raise call.fail(f"the result {result} does not fit 64 bits; {_REEXPORT}")


def _of_two(function: Function) -> Lift:
    """(a, b, result)"""

    def lift(call: Call) -> None:
        numbers: list[Any] = [call.literal(0), call.literal(1)]
        if any(isinstance(number, float) for number in numbers):
            numbers = [np.float64(number) for number in numbers]
        _compute(call, function, *numbers)

    return lift


def _of_one(function: Function) -> Lift:
    """(a, result)"""
    return lambda call: _compute(call, function, call.literal(0))


def _compute(call: Call, function: Function, *numbers: Number) -> None:
    with np.errstate(all="ignore"):
        result = function(*numbers)
    if result is None:
        shown = " and ".join(str(n) for n in numbers)
        raise call.fail(f"there is no result for {shown}; {_REEXPORT}")
    # numpy has types of its own.
    _bind(call, len(numbers), result.item() if isinstance(result, np.generic) else result)


def _are_whole(*numbers: Number) -> bool:
    return all(isinstance(n, int) for n in numbers)


def _quotient(a: Number, b: Number) -> Number:
    """Of reals; integers become reals first."""
    return float(np.float64(a) / np.float64(b))


def _towards_zero(a: Number, b: Number) -> Number | None:
    """C's quotient of integers."""
    if not _are_whole(a, b) or b == 0:
        return None
    return abs(int(a)) // abs(int(b)) * (1 if (a < 0) == (b < 0) else -1)


def _rest(a: Number, b: Number) -> Number | None:
    """C's remainder of integers: it has the sign of a."""
    quotient = _towards_zero(a, b)
    return None if quotient is None else a - b * quotient


def _floor(a: Number, b: Number) -> Number | None:
    """Python's a // b; of reals by way of the remainder, which is exact."""
    if _are_whole(a, b):
        return a // b if b != 0 else None
    if b == 0:
        return float(np.copysign(np.inf, a))
    rest = float(np.fmod(a, b))
    quotient = (a - rest) / b
    return quotient - 1 if rest != 0 and np.signbit(b) != np.signbit(rest) else quotient


def _of_whole(function: Callable[[int, int], int]) -> Function:
    return lambda a, b: function(a, b) if _are_whole(a, b) else None


def _rounded(function: Function) -> Function:
    """A double to an integer; one that no integer is near has no result."""

    def whole(a: Number) -> Number | None:
        if not isinstance(a, float) or not -_INT64 <= a < _INT64:
            return None
        return int(function(a) or 0)

    return whole


def _as_integer(a: Number) -> Number | None:
    return _rounded(np.trunc)(a) if isinstance(a, float) else int(a)


def _if_then_else(call: Call) -> None:
    """(condition, a, b, result)"""
    _bind(call, 3, call.literal(1 if call.flag(0) else 2))


def _size(call: Call) -> None:
    """(tensor, dim, result)"""
    shape = call.lifter.shape(call.args[0], call.place)
    dim = call.integer(1)
    if not -len(shape) <= dim < len(shape):
        raise call.fail(f"has no dimension {dim} of {list(shape)}; {_REEXPORT}")
    _bind(call, 2, shape[dim])


def _count(call: Call) -> None:
    """(tensor, result): how many elements it has"""
    _bind(call, 1, prod(call.lifter.shape(call.args[0], call.place)))


def _first_element(call: Call) -> None:
    """(tensor, result)"""
    value = call.tensor(0)
    if value.data is None:
        raise call.fail(
            f"makes a number of {value}, which is computed when the model runs; "
            "keep it a tensor, or a constant of the model"
        )
    if not value.count:
        raise call.fail(f"{value} has no first element; {_REEXPORT}")
    _bind(call, 1, value.data.reshape(-1)[0].item())


_TWO: dict[str, Function] = {
    **{
        f"{name}.Scalar": getattr(operator, name)
        for name in ("add", "sub", "mul", "eq", "lt", "le", "gt", "ge")
    },
    "truediv.Scalar": _quotient,
    "floordiv.Scalar": _floor,
    "floordiv.int": _towards_zero,
    "mod.Scalar": _rest,
    "mod.int": _rest,
    "sym_max.Scalar": _of_whole(max),
    "sym_min.Scalar": _of_whole(min),
}
_ONE: dict[str, Function] = {
    "neg.Scalar": operator.neg,
    "ceil.Scalar": _rounded(np.ceil),
    "round.Scalar": _rounded(np.rint),
    "trunc.Scalar": _rounded(np.trunc),
    "sym_float.Scalar": float,
    "sym_int.Scalar": _as_integer,
    "sym_not.Scalar": lambda a: not a if isinstance(a, bool) else None,
}

NUMBER_OPERATORS: dict[str, Operator] = {
    "aten::sym_size.int": Operator(_size, ALL),
    "aten::sym_numel": Operator(_count, ALL),
    "aten::_local_scalar_dense": Operator(_first_element, ALL, "only of constants"),
    **{f"executorch_prim::{n}": Operator(_of_two(f), ()) for n, f in _TWO.items()},
    **{f"executorch_prim::{n}": Operator(_of_one(f), ()) for n, f in _ONE.items()},
    "executorch_prim::sym_ite.Scalar": Operator(_if_then_else, ()),
}
