# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable operators that work element by element, on any element type.

As there, operands are converted to the type in which the operator computes, and the result to the
type of the tensor that takes it. A Python number is a constant tensor without dimensions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import ALL, FLOAT, FUNCTIONS, INTEGERS, NUMBERS
from petite.ir.graph import Value
from petite.pte.call import Array, Call
from petite.pte.operator import Lift, Operator
from petite.pte.promotion import promote, promote_number

Compute = Callable[[DType], DType]
Table = dict[str, Operator]

#: What a function of numbers is on bools, which PyTorch takes for 0 and 1.
_ON_BOOL = {"add": "or", "mul": "and", "min": "and", "max": "or"}
#: Functions that mean the same on the stored integers of one scale as on real numbers, if all
#: operands are stored so: the quantizer gives them one scale.
_KEEP_ORDER = ("min", "max", "eq", "ne", "lt", "le", "gt", "ge")


def _is_tensor(call: Call, position: int) -> bool:
    return hasattr(call.raw(position), "sizes")


def _operand(call: Call, position: int, dtype: DType) -> Value:
    """A tensor or a number, converted."""
    if not _is_tensor(call, position):
        return number(call, call.number(position), dtype)
    return convert(call, call.tensor(position), dtype)


def _check_scales(call: Call, function: str, *positions: int) -> None:
    """Refuse stored integers, but for functions of several tensors that all are stored alike."""
    values = [call.tensor(p) for p in positions if _is_tensor(call, p)]
    alike = len(values) == len(positions) and all(v.is_quantized for v in values)
    if not (alike and function in _KEEP_ORDER):
        for value in values:
            plain(call, value)


def plain(call: Call, value: Value) -> Value:
    """The value, unless its integers stand for real numbers."""
    if value.is_quantized:
        raise call.fail(
            f"{value} holds quantised numbers, but the operator computes on the stored integers, "
            "so the result would mean nothing; leave the layer in float32, or write it with "
            "operators that the quantizer knows"
        )
    return value


def number(call: Call, value: bool | int | float, dtype: DType) -> Value:
    """A number as a constant of an element type."""
    try:
        data = np.array(value, dtype=dtype.numpy)
    except (OverflowError, ValueError):
        raise call.fail(
            f"{value} does not fit {dtype.torch_name}; convert the tensor to a wider type first"
        ) from None
    return Value("number", dtype, (), data=data)


def convert(call: Call, value: Value, dtype: DType) -> Value:
    """The value in another element type; constants are converted now."""
    if value.dtype is dtype:
        return value
    result = Value(f"{value.name}_{dtype.suffix}", dtype, value.shape)
    if value.data is not None and _is_sure(value.data, dtype):
        result.data = value.data.astype(dtype.numpy)
    else:
        call.append(ops.Cast([value], [result], source=call.place))
    return result


def _is_sure(data: Array, dtype: DType) -> bool:
    """Whether a conversion has one result everywhere: of floats, integers hold only some."""
    if data.dtype != np.float32 or dtype not in INTEGERS:
        return True
    limits = np.iinfo(dtype.numpy)
    whole = np.trunc(data.astype(np.float64))
    return bool(np.all((whole >= limits.min) & (whole < float(limits.max))))


def apply(call: Call, function: str, *operands: Value) -> Value:
    """A function's result, in the element type that it has by itself."""
    dtype = operands[0].dtype
    if dtype is DType.BOOL:
        function = _ON_BOOL.get(function, function)
    entry = FUNCTIONS[function]
    if dtype not in entry.dtypes:
        raise call.fail(f"{function} of {dtype.torch_name} does not exist")
    try:
        shape = np.broadcast_shapes(*(v.shape for v in operands))
    except ValueError:
        shown = " and ".join(str(v) for v in operands)
        raise call.fail(f"{shown} do not broadcast") from None
    result = Value(f"{operands[0].name}_{function}", entry.result(dtype), shape)
    call.append(ops.Elementwise(list(operands), [result], function=function, source=call.place))
    return result


def finish(call: Call, value: Value, position: int = -1) -> None:
    """Let the call's result be a value, converted to the type that the file gives it."""
    output = call.result(position)
    if value.shape != output.shape:
        raise call.fail(f"computes {value}, which is not {output}")
    call.bind(convert(call, value, output.dtype), position)


def _floating(dtype: DType) -> DType:
    return DType.F32 if dtype is not DType.F32 else dtype


def _itself(dtype: DType) -> DType:
    return dtype


def _as_bool(_: DType) -> DType:
    return DType.BOOL


def _common(call: Call, first: int, second: int) -> DType:
    """Element type for two operands, of which either may be a number."""
    types = [call.tensor(p).dtype for p in (first, second) if _is_tensor(call, p)]
    result = types[0]
    for dtype in types[1:]:
        result = promote(result, dtype)
    for position in (first, second):
        if not _is_tensor(call, position):
            result = promote_number(result, call.literal(position))
    return result


def _binary(function: str, compute: Compute = _itself, *, alpha: bool = False) -> Lift:
    """(x, y[, alpha]): the second is multiplied by alpha first"""

    def lift(call: Call) -> None:
        _check_scales(call, function, 0, 1)
        dtype = compute(_common(call, 0, 1))
        first, second = _operand(call, 0, dtype), _operand(call, 1, dtype)
        if alpha and call.number(2) != 1:
            second = apply(call, "mul", second, number(call, call.number(2), dtype))
        finish(call, apply(call, function, first, second))

    return lift


def _rsub(call: Call) -> None:
    """(x, number, alpha): number - alpha * x"""
    dtype = _common(call, 0, 1)
    first = convert(call, plain(call, call.tensor(0)), dtype)
    if call.number(2) != 1:
        first = apply(call, "mul", first, number(call, call.number(2), dtype))
    finish(call, apply(call, "sub", number(call, call.number(1), dtype), first))


_ROUNDED = {"trunc": "div_trunc", "floor": "div_floor"}


def _div_mode(call: Call) -> None:
    """(x, y, rounding mode?)"""
    mode = None if call.is_none(2) else call.text(2)
    if mode is not None and mode not in _ROUNDED:
        raise call.fail(f"rounding mode {mode!r} is not trunc or floor")
    lift = _binary("div", _floating) if mode is None else _binary(_ROUNDED[mode])
    lift(call)


def _unary(function: str, compute: Compute = _itself) -> Lift:
    """(x)"""

    def lift(call: Call) -> None:
        source = plain(call, call.tensor(0))
        finish(call, apply(call, function, convert(call, source, compute(source.dtype))))

    return lift


def _rounding(function: str) -> Lift:
    """(x): integers are whole already"""

    def lift(call: Call) -> None:
        source = plain(call, call.tensor(0))
        finish(call, apply(call, function, source) if source.dtype is DType.F32 else source)

    return lift


def _test(function: str) -> Lift:
    """(x): no integer is infinite, or not a number"""

    def lift(call: Call) -> None:
        source = plain(call, call.tensor(0))
        if source.dtype is DType.F32:
            finish(call, apply(call, function, source))
            return
        output = call.result()
        output.data = np.zeros(source.shape, np.bool_)
        call.bind(output)

    return lift


def _gelu(call: Call) -> None:
    """(x, approximate)"""
    mode = call.text(1)
    if mode not in ("none", "tanh"):
        raise call.fail(f"approximation {mode!r} is not none or tanh")
    _unary("gelu" if mode == "none" else "gelu_tanh")(call)


def _relu(call: Call) -> None:
    """(x)"""
    source = call.tensor(0)
    if source.dtype is DType.F32:
        output = call.result()
        call.emit(ops.FloatClamp([source], [output], low=0.0, high=float("inf"), source=call.place))
        return
    zero = number(call, 0, source.dtype)
    finish(call, apply(call, "max", plain(call, source), zero))


def _clamp_tensor(call: Call) -> None:
    """(x, low?, high?)"""
    present = [p for p in (1, 2) if not call.is_none(p)]
    dtype = call.tensor(0).dtype
    for position in present:
        dtype = promote(dtype, call.tensor(position).dtype)
    _check_scales(call, "max", 0, *present)
    value = _operand(call, 0, dtype)
    for position in present:
        bound = _operand(call, position, dtype)
        value = apply(call, "max" if position == 1 else "min", value, bound)
    finish(call, value)


def _where(call: Call) -> None:
    """(condition, x, y)"""
    condition = convert(call, call.tensor(0), DType.BOOL)
    first, second = call.tensor(1), call.tensor(2)
    dtype = first.dtype if first.dtype is second.dtype else promote(first.dtype, second.dtype)
    choices = [convert(call, value, dtype) for value in (first, second)]
    finish(call, choose(call, condition, *choices))


def _masked_fill(call: Call) -> None:
    """(x, mask, number)"""
    source, mask = call.tensor(0), convert(call, call.tensor(1), DType.BOOL)
    filling = number(call, call.number(2), source.dtype)
    finish(call, choose(call, mask, filling, plain(call, source)))


def choose(call: Call, condition: Value, first: Value, second: Value) -> Value:
    """The first where the condition holds, else the second; broadcast."""
    shape = np.broadcast_shapes(condition.shape, first.shape, second.shape)
    result = Value(f"{first.name}_where", first.dtype, shape)
    call.append(ops.Where([condition, first, second], [result], source=call.place))
    return result


def _pair(name: str, lift: Lift, dtypes: tuple[DType, ...], *, suffix: str = "out") -> Table:
    """Both spellings: the second operand is a tensor, or a number."""
    tensor = "out" if suffix == "out" else "Tensor_out"
    entry = Operator(lift, dtypes)
    return {f"aten::{name}.{tensor}": entry, f"aten::{name}.Scalar_out": entry}


_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_FLOATING = (
    *("sqrt", "rsqrt", "reciprocal", "exp", "expm1", "log", "log1p", "log2", "log10", "sin", "cos"),
    *("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf"),
    "sigmoid",
)

ELEMENTWISE_OPERATORS: Table = {
    **_pair("add", _binary("add", alpha=True), ALL),
    **_pair("sub", _binary("sub", alpha=True), NUMBERS),
    "aten::rsub.Scalar_out": Operator(_rsub, NUMBERS),
    **_pair("mul", _binary("mul"), ALL),
    **_pair("div", _binary("div", _floating), ALL),
    "aten::div.out_mode": Operator(_div_mode, NUMBERS),
    "aten::div.Scalar_mode_out": Operator(_div_mode, NUMBERS),
    "aten::floor_divide.out": Operator(_binary("div_floor"), NUMBERS),
    **_pair("fmod", _binary("fmod"), NUMBERS, suffix="Tensor"),
    **_pair("remainder", _binary("remainder"), NUMBERS, suffix="Tensor"),
    "aten::pow.Tensor_Tensor_out": Operator(_binary("pow"), NUMBERS),
    "aten::pow.Tensor_Scalar_out": Operator(_binary("pow"), NUMBERS),
    "aten::pow.Scalar_out": Operator(_binary("pow"), NUMBERS),
    "aten::atan2.out": Operator(_binary("atan2", _floating), ALL),
    "aten::minimum.out": Operator(_binary("min"), ALL),
    "aten::maximum.out": Operator(_binary("max"), ALL),
    **{
        name: entry
        for function in _COMPARISONS
        for name, entry in _pair(function, _binary(function), ALL, suffix="Tensor").items()
    },
    **{
        name: entry
        for bits in ("and", "or", "xor")
        for name, entry in _pair(
            f"bitwise_{bits}", _binary(bits), (*INTEGERS, DType.BOOL), suffix="Tensor"
        ).items()
    },
    **{
        f"aten::logical_{bits}.out": Operator(_binary(bits, _as_bool), ALL)
        for bits in ("and", "or", "xor")
    },
    **{
        f"aten::bitwise_{side}_shift.{form}_out": Operator(
            _binary(f"shift_{side}"), (*INTEGERS, DType.BOOL)
        )
        for side in ("left", "right")
        for form in ("Tensor", "Tensor_Scalar")
    },
    "aten::bitwise_not.out": Operator(_unary("not"), (*INTEGERS, DType.BOOL)),
    "aten::logical_not.out": Operator(_unary("not", _as_bool), ALL),
    "aten::abs.out": Operator(_unary("abs"), NUMBERS),
    "aten::neg.out": Operator(_unary("neg"), NUMBERS),
    "aten::sign.out": Operator(_unary("sign"), NUMBERS),
    **{
        f"aten::{function}.out": Operator(_rounding(function), NUMBERS)
        for function in ("ceil", "floor", "round", "trunc")
    },
    **{
        f"aten::{function}.out": Operator(_unary(function, _floating), ALL)
        for function in _FLOATING
    },
    "aten::gelu.out": Operator(_gelu, FLOAT),
    "aten::isnan.out": Operator(_test("isnan"), ALL),
    "aten::isinf.out": Operator(_test("isinf"), ALL),
    "aten::relu.out": Operator(_relu, NUMBERS),
    "aten::clamp.Tensor_out": Operator(_clamp_tensor, NUMBERS),
    "aten::where.self_out": Operator(_where, (DType.BOOL, DType.U8)),
    "aten::masked_fill.Scalar_out": Operator(_masked_fill, ALL),
}
