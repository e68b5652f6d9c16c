# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable activations that are put together from other operators, on float32."""

from __future__ import annotations

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import ALL, FLOAT
from petite.ir.graph import Value
from petite.pte.call import Call
from petite.pte.lift_elementwise import apply, choose, convert, finish, number, plain
from petite.pte.operator import Operator


def _times(call: Call, value: Value, factor: float) -> Value:
    if factor == 1:
        return value
    return apply(call, "mul", value, number(call, factor, DType.F32))


def _leaky_relu(call: Call) -> None:
    """(x, slope): x where it is not negative, else slope * x"""
    source, slope = call.tensor(0), call.number(1)
    scaled = _times(call, source, slope)
    if 0 < slope <= 1:
        # Of the two the larger one is right, and NaN stays. (A slope of 0 makes NaN of infinity.)
        finish(call, apply(call, "max", source, scaled))
        return
    negative = apply(call, "lt", source, number(call, 0.0, DType.F32))
    finish(call, choose(call, negative, scaled, source))


def _elu(call: Call) -> None:
    """(x, alpha, scale, input scale): scale * x above zero, else alpha * scale * expm1(...)"""
    source = call.tensor(0)
    alpha, scale, input_scale = (call.number(p) for p in (1, 2, 3))
    factor = float(np.float32(alpha) * np.float32(scale))
    below = _times(call, apply(call, "expm1", _times(call, source, input_scale)), factor)
    above = _times(call, source, scale)
    negative = apply(call, "le", source, number(call, 0.0, DType.F32))
    finish(call, choose(call, negative, below, above))


def _logit(call: Call) -> None:
    """(x, epsilon?): log(x / (1 - x)), of x limited to epsilon and 1 - epsilon"""
    value = convert(call, plain(call, call.tensor(0)), DType.F32)
    if not call.is_none(1):
        epsilon = call.number(1)
        limited = Value(f"{value.name}_inside", DType.F32, value.shape)
        low, high = epsilon, 1 - epsilon
        call.append(ops.FloatClamp([value], [limited], low=low, high=high, source=call.place))
        value = limited
    rest = apply(call, "sub", number(call, 1.0, DType.F32), value)
    finish(call, apply(call, "log", apply(call, "div", value, rest)))


def _dropout(call: Call) -> None:
    """(x, probability, train?) -> x, mask: nothing is dropped outside training"""
    trains = call.is_none(2) or call.flag(2)
    if trains and call.number(1) != 0:
        raise call.fail("drops values at random; call eval() on the model before it is exported")
    mask = call.result(-2)
    mask.data = np.ones(mask.shape, np.bool_)
    finish(call, call.tensor(0), -3)
    call.bind(mask, -2)


ACTIVATION_OPERATORS: dict[str, Operator] = {
    "aten::leaky_relu.out": Operator(_leaky_relu, FLOAT),
    "aten::elu.out": Operator(_elu, FLOAT),
    "aten::logit.out": Operator(_logit, ALL),
    "aten::native_dropout.out": Operator(_dropout, FLOAT, "not in training"),
}
