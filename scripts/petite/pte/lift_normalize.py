# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable operators that bring values to a common scale, on float32."""

from __future__ import annotations

from math import prod

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import FLOAT
from petite.ir.graph import Value
from petite.pte.call import Call
from petite.pte.lift_elementwise import apply, finish, number
from petite.pte.lift_reduce import reduce
from petite.pte.operator import Lift, Operator


def _floats(call: Call, *positions: int) -> list[Value | None]:
    """Optional tensors, which must be float32."""
    found = [None if call.is_none(p) else call.tensor(p) for p in positions]
    for value in found:
        if value is not None and value.dtype is not DType.F32:
            raise call.fail(f"{value} should be float32")
    return found


def _viewed(call: Call, source: Value, shape: tuple[int, ...]) -> Value:
    view = Value(f"{source.name}_v", source.dtype, shape)
    call.append(ops.View([source], [view], source=call.place))
    return view


def _inverse_deviation(call: Call, variance: Value, epsilon: float) -> Value:
    """1 / sqrt(variance + epsilon); of a constant it is computed now, in double."""
    if variance.data is not None:
        exact = 1.0 / np.sqrt(variance.data.astype(np.float64) + epsilon)
        data = exact.astype(np.float32)
        return Value(f"{variance.name}_scale", DType.F32, variance.shape, data=data)
    moved = apply(call, "add", variance, number(call, epsilon, DType.F32))
    return apply(call, "rsqrt", moved)


def _emit_normalize(
    call: Call, parts: tuple[Value | None, Value | None], columns: int, groups: int, inner: int
) -> None:
    source, output = call.tensor(0), call.result(-4)
    if columns == 0 or source.count == 0:
        raise call.fail(f"there is nothing to normalise in {source}")
    weights, bias = parts
    call.emit(
        ops.Normalize(
            [source, *(v for v in parts if v is not None)],
            [output],
            columns=columns,
            groups=groups,
            inner=inner,
            epsilon=call.number(7 if call.operator.startswith("aten::native_group") else 4),
            weighted=weights is not None,
            biased=bias is not None,
            source=call.place,
        ),
        -4,
    )


def _emit_moments(call: Call, rows: Value, epsilon: float) -> None:
    """What training needs of each row; a model that does not read it does not compute it."""
    for position, function in ((-3, "mean"), (-2, "var")):
        shape = call.result(position).shape
        found = reduce(call, function, rows, (1,), (rows.shape[0],))
        found = found if function == "mean" else _inverse_deviation(call, found, epsilon)
        finish(call, _viewed(call, found, shape), position)


def _layer_norm(call: Call) -> None:
    """(x, normalized shape, weights?, bias?, epsilon) -> result, means, inverse deviations"""
    source = call.tensor(0)
    shape = call.integers(1)
    if source.shape[len(source.shape) - len(shape) :] != shape:
        raise call.fail(f"cannot normalise {source} along {list(shape)}")
    weights, bias = _floats(call, 2, 3)
    columns = prod(shape)
    _emit_normalize(call, (weights, bias), columns, 1, 1)
    rows = _viewed(call, source, (source.count // columns, columns))
    _emit_moments(call, rows, call.number(4))


def _group_norm(call: Call) -> None:
    """(x, weights?, bias?, N, C, HxW, groups, epsilon) -> result, means, inverse deviations"""
    source = call.tensor(0)
    weights, bias = _floats(call, 1, 2)
    batches, channels, inner, groups = (call.integer(p) for p in (3, 4, 5, 6))
    fits = batches * channels * inner == source.count and groups > 0 and channels % groups == 0
    if not fits:
        raise call.fail(f"{source} has not {groups} groups of {channels} channels")
    columns = channels // groups * inner
    _emit_normalize(call, (weights, bias), columns, groups, inner)
    _emit_moments(call, _viewed(call, source, (batches * groups, columns)), call.number(7))


def _channel_constant(value: Value | None, channels: int, fill: float) -> Value:
    if value is not None:
        return value
    data = np.full((channels,), fill, np.float32)
    return Value(f"each_{fill:g}", DType.F32, (channels,), data=data)


def _emit_batch_norm(call: Call, mean: Value, scale: Value) -> None:
    source = call.tensor(0)
    weights, bias = _floats(call, 1, 2)
    channels = source.shape[1]
    inputs = [
        *(source, mean, scale),
        *(_channel_constant(weights, channels, 1.0), _channel_constant(bias, channels, 0.0)),
    ]
    call.emit(ops.BatchNorm(inputs, [call.result(-4)], source=call.place), -4)


def _with_statistics(call: Call, epsilon: int) -> None:
    if len(call.tensor(0).shape) < 2:
        raise call.fail(f"{call.tensor(0)} has no channels")
    mean, variance = _floats(call, 3, 4)
    if mean is None or variance is None:
        raise call.fail("has no statistics; call eval() on the model before it is exported")
    _emit_batch_norm(call, mean, _inverse_deviation(call, variance, call.number(epsilon)))
    for position in (-3, -2):
        call.forbid(position, "statistics are computed in training only")


def _batch_norm(call: Call) -> None:
    """(x, weights?, bias?, mean, variance, momentum, epsilon) -> result, nothing, nothing"""
    _with_statistics(call, 6)


def _batch_norm_legit(call: Call) -> None:
    """(x, weights?, bias?, mean, variance, training, momentum, epsilon) -> result, ..."""
    if call.flag(5):
        raise call.fail("trains; call eval() on the model before it is exported")
    _with_statistics(call, 7)


def _batch_norm_of_batch(call: Call) -> None:
    """(x, weights?, bias?, training, momentum, epsilon) -> result, means, inverse deviations"""
    source = call.tensor(0)
    if len(source.shape) < 2:
        raise call.fail(f"{source} has no channels")
    dims = tuple(d for d in range(len(source.shape)) if d != 1)
    shape = (source.shape[1],)
    mean = reduce(call, "mean", source, dims, shape)
    variance = reduce(call, "var", source, dims, shape)
    scale = _inverse_deviation(call, variance, call.number(5))
    _emit_batch_norm(call, mean, scale)
    finish(call, mean, -3)
    finish(call, scale, -2)


def _softmax(log: bool) -> Lift:
    """(x, dim, half_to_float)"""

    def lift(call: Call) -> None:
        source, output = call.tensor(0), call.result()
        if source.shape:
            dim = call.integer(1) % len(source.shape)
            call.emit(ops.FloatSoftmax([source], [output], dim=dim, log=log, source=call.place))
            return
        # A tensor without dimensions is one with a single element.
        row, result = _viewed(call, source, (1,)), Value("softmax", DType.F32, (1,))
        call.append(ops.FloatSoftmax([row], [result], dim=0, log=log, source=call.place))
        finish(call, _viewed(call, result, ()))

    return lift


NORMALIZE_OPERATORS: dict[str, Operator] = {
    "aten::native_layer_norm.out": Operator(_layer_norm, FLOAT),
    "aten::native_group_norm.out": Operator(_group_norm, FLOAT),
    "aten::_native_batch_norm_legit_no_training.out": Operator(_batch_norm, FLOAT),
    "aten::_native_batch_norm_legit.out": Operator(_batch_norm_legit, FLOAT, "not in training"),
    "aten::_native_batch_norm_legit.no_stats_out": Operator(_batch_norm_of_batch, FLOAT),
    "aten::_softmax.out": Operator(_softmax(False), FLOAT),
    "aten::_log_softmax.out": Operator(_softmax(True), FLOAT),
}
