# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable operators that reduce dimensions, and running sums."""

from __future__ import annotations

from math import prod

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import ALL, FLOAT, NUMBERS
from petite.ir.graph import Value
from petite.ir.reductions import REDUCTIONS
from petite.pte.call import Call
from petite.pte.lift_elementwise import convert, finish, plain
from petite.pte.operator import Lift, Operator

Dims = tuple[int, ...]

#: Functions that mean the same on the stored integers of one scale as on real numbers.
_KEEP_ORDER = ("max", "min", "argmax", "argmin")


def reduce(
    call: Call, function: str, source: Value, dims: Dims, shape: Dims, *, correction: float = 0.0
) -> Value:
    """A function's result in the given shape (dimensions of size one may be left out)."""
    entry = REDUCTIONS[function]
    if not dims:
        # A tensor without dimensions is one with a single element.
        source, dims = _as_vector(call, source), (0,)
    if prod(source.shape[d] for d in dims) == 0 and not entry.of_nothing:
        raise call.fail(f"{function} of {source}, which has no elements, does not exist")
    result = Value(f"{source.name}_{function}", entry.result(source.dtype), shape)
    call.append(
        ops.Reduce(
            [source],
            [result],
            function=function,
            dims=dims,
            correction=correction,
            source=call.place,
        )
    )
    return result


def _as_vector(call: Call, source: Value) -> Value:
    view = Value(f"{source.name}_v", source.dtype, (1,))
    if source.data is not None:
        view.data = source.data.reshape(1)
    else:
        call.append(ops.View([source], [view], source=call.place))
    return view


def _every(source: Value) -> Dims:
    return tuple(range(len(source.shape)))


def _listed(call: Call, source: Value, position: int | None) -> Dims:
    """Dimensions in ascending order; none given are all."""
    if position is None or call.is_none(position):
        return _every(source)
    value = call.raw(position)
    given = call.integers(position) if hasattr(value, "items") else (call.integer(position),)
    rank = max(1, len(source.shape))
    if any(not -rank <= d < rank for d in given) or len({d % rank for d in given}) < len(given):
        raise call.fail(f"cannot reduce dimensions {list(given)} of {source}")
    if not source.shape:
        return ()
    return tuple(sorted(d % rank for d in given)) or _every(source)


def _operand(call: Call, function: str) -> Value:
    source = call.tensor(0)
    return source if function in _KEEP_ORDER else plain(call, source)


def _reduction(function: str, dims: int | None) -> Lift:
    """(x, dims?, keepdim, dtype?): the shape and the type of the output say the rest"""

    def lift(call: Call) -> None:
        source, output = _operand(call, function), call.result()
        chosen = _listed(call, source, dims)
        entry = REDUCTIONS[function]
        if (entry.widens or function in ("mean", "var")) and output.dtype is DType.F32:
            source = convert(call, source, DType.F32)
        elif source.dtype is DType.F32 and output.dtype is not DType.F32 and entry.widens:
            source = convert(call, source, output.dtype)
        if source.dtype not in entry.dtypes:
            raise call.fail(f"{function} of {source.dtype.torch_name} does not exist")
        finish(call, reduce(call, function, source, chosen, output.shape))

    return lift


def _extreme(function: str) -> Lift:
    """(x, dim, keepdim) -> values, places"""

    def lift(call: Call) -> None:
        source = _operand(call, function)
        dims = _listed(call, source, 1)
        for position, name in ((-3, function), (-2, f"arg{function}")):
            shape = call.result(position).shape
            finish(call, reduce(call, name, source, dims, shape), position)

    return lift


def _any(dims: int | None) -> Lift:
    """(x, dims?, keepdim): whether an element is not zero"""

    def lift(call: Call) -> None:
        source, output = plain(call, call.tensor(0)), call.result()
        holds = convert(call, source, DType.BOOL)
        if dims is not None and hasattr(call.raw(dims), "items") and not call.integers(dims):
            finish(call, holds)
            return
        chosen = _listed(call, source, dims)
        if prod(source.shape[d] for d in chosen) == 0:
            total = reduce(call, "sum", holds, chosen, output.shape)
            finish(call, convert(call, total, DType.BOOL))
            return
        finish(call, reduce(call, "max", holds, chosen, output.shape))

    return lift


def _correction(call: Call, position: int) -> float:
    return 1.0 if call.is_none(position) else float(call.number(position))


def _var(call: Call) -> None:
    """(x, dims?, unbiased, keepdim)"""
    source = call.tensor(0)
    dims, shape = _listed(call, source, 1), call.result().shape
    finish(call, reduce(call, "var", source, dims, shape, correction=float(call.flag(2))))


def _var_correction(call: Call) -> None:
    """(x, dims?, correction?, keepdim)"""
    source = call.tensor(0)
    dims, shape = _listed(call, source, 1), call.result().shape
    finish(call, reduce(call, "var", source, dims, shape, correction=_correction(call, 2)))


def _var_mean(call: Call) -> None:
    """(x, dims?, correction?, keepdim) -> variance, mean"""
    source = call.tensor(0)
    dims, shape = _listed(call, source, 1), call.result(-3).shape
    variance = reduce(call, "var", source, dims, shape, correction=_correction(call, 2))
    finish(call, variance, -3)
    finish(call, reduce(call, "mean", source, dims, shape), -2)


def _cumsum(call: Call) -> None:
    """(x, dim, dtype?): computed in float32, or in int64"""
    source, output = plain(call, call.tensor(0)), call.result()
    dim = call.integer(1) % max(1, len(source.shape))
    dtype = DType.F32 if output.dtype is DType.F32 else DType.S64
    result = Value(f"{source.name}_cumsum", dtype, source.shape)
    if source.dtype is DType.F32 and output.dtype is not DType.F32:
        source = convert(call, source, output.dtype)
    call.append(ops.CumSum([convert(call, source, dtype)], [result], dim=dim, source=call.place))
    finish(call, result)


_ANY = Operator(_any(1), ALL)

REDUCE_OPERATORS: dict[str, Operator] = {
    "aten::sum.IntList_out": Operator(_reduction("sum", 1), ALL),
    "aten::prod.out": Operator(_reduction("prod", None), ALL),
    "aten::prod.int_out": Operator(_reduction("prod", 1), ALL),
    "aten::mean.out": Operator(_reduction("mean", 1), ALL),
    "aten::mean.dtype_out": Operator(_reduction("mean", None), ALL),
    "aten::amax.out": Operator(_reduction("max", 1), ALL),
    "aten::amin.out": Operator(_reduction("min", 1), ALL),
    "aten::max.unary_out": Operator(_reduction("max", None), ALL),
    "aten::min.unary_out": Operator(_reduction("min", None), ALL),
    "aten::max.dim_max": Operator(_extreme("max"), ALL),
    "aten::min.dim_min": Operator(_extreme("min"), ALL),
    "aten::argmax.out": Operator(_reduction("argmax", 1), NUMBERS),
    "aten::argmin.out": Operator(_reduction("argmin", 1), NUMBERS),
    "aten::any.all_out": Operator(_any(None), ALL),
    "aten::any.out": _ANY,
    "aten::any.dims_out": _ANY,
    "aten::var.out": Operator(_var, FLOAT),
    "aten::var.correction_out": Operator(_var_correction, FLOAT),
    "aten::var_mean.correction_out": Operator(_var_mean, FLOAT),
    "aten::cumsum.out": Operator(_cumsum, ALL),
}
