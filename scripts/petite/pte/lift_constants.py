# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable operators whose result is known when the model is compiled."""

from __future__ import annotations

import numpy as np

from petite.ir.functions import ALL, NUMBERS
from petite.pte.call import Array, Call
from petite.pte.lift_elementwise import convert, number
from petite.pte.moves import expand
from petite.pte.operator import Lift, Operator


def _bind_data(call: Call, data: Array) -> None:
    output = call.result()
    if data.shape != output.shape:
        raise call.fail(f"computes the shape {list(data.shape)}, which is not that of {output}")
    output.data = data.astype(output.dtype.numpy)
    call.bind(output)


def _full(call: Call) -> None:
    """(size or tensor, number, ...): the output's shape is the size"""
    output = call.result()
    filling = number(call, call.literal(1), output.dtype)
    assert filling.data is not None
    _bind_data(call, np.broadcast_to(filling.data, output.shape))


def _same(value: int) -> Lift:
    """(size, ...): what is left undefined is zero"""

    def lift(call: Call) -> None:
        _bind_data(call, np.full(call.result().shape, value))

    return lift


def _scalar_tensor(call: Call) -> None:
    """(number)"""
    filling = number(call, call.literal(0), call.result().dtype)
    assert filling.data is not None
    _bind_data(call, filling.data)


def _arange(call: Call) -> None:
    """(end)"""
    _bind_range(call, 0.0, 1.0)


def _arange_from(call: Call) -> None:
    """(start, end, step)"""
    _bind_range(call, call.number(0), call.number(2))


def _bind_range(call: Call, start: float, step: float) -> None:
    """As ExecuTorch does: start + i * step in double, then converted.

    (PyTorch converts start and step first where the result is of integers.)
    """
    output = call.result()
    if len(output.shape) != 1:
        raise call.fail(f"{output} is no range")
    _bind_data(call, float(start) + np.arange(output.count, dtype=np.float64) * float(step))


def _fill_tensor(call: Call) -> None:
    """(tensor for the shape, number as a tensor)"""
    output = call.result()
    filling = convert(call, call.tensor(1), output.dtype)
    if filling.count != 1:
        raise call.fail(f"{filling} is not one number")
    call.bind(expand(call, filling, output.shape))


CONSTANT_OPERATORS: dict[str, Operator] = {
    "aten::full.out": Operator(_full, ALL),
    "aten::full_like.out": Operator(_full, ALL),
    "aten::fill.Scalar_out": Operator(_full, ALL),
    "aten::fill.Tensor_out": Operator(_fill_tensor, ALL),
    "aten::zeros.out": Operator(_same(0), ALL),
    "aten::ones.out": Operator(_same(1), ALL),
    "aten::empty.out": Operator(_same(0), ALL),
    "dim_order_ops::_empty_dim_order.out": Operator(_same(0), ALL),
    "aten::scalar_tensor.out": Operator(_scalar_tensor, ALL),
    "aten::arange.out": Operator(_arange, NUMBERS),
    "aten::arange.start_out": Operator(_arange_from, NUMBERS),
}
