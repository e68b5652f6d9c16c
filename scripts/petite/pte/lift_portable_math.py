# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable operators that compute, on float32, as operators of the graph.

They are what stock export leaves where a layer was not quantised.
"""

from __future__ import annotations

from math import inf

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import FLOAT, NUMBERS
from petite.ir.graph import Value
from petite.ir.ops import Padding
from petite.pte.call import Call
from petite.pte.lift_elementwise import apply, convert, finish, number, plain
from petite.pte.operator import Operator


def _require_float(call: Call, *values: Value) -> None:
    for value in values:
        if value.dtype is not DType.F32:
            raise call.fail(
                f"{value.name} is {value.dtype.torch_name}, but only float32 is supported here; "
                "quantise the layer so that it lowers to a cortex_m operator"
            )


def _emit_clamp(call: Call, low: float, high: float) -> None:
    source, output = convert(call, plain(call, call.tensor(0)), DType.F32), call.result()
    _require_float(call, source, output)
    call.emit(ops.FloatClamp([source], [output], low=low, high=high, source=call.place))


def _clamp(call: Call) -> None:
    """(x, low?, high?)"""
    source, output = call.tensor(0), call.result()
    if source.dtype is not DType.S8 and output.dtype is not DType.F32:
        _clamp_integers(call, source, output.dtype)
        return
    low = -inf if call.is_none(1) else call.number(1)
    high = inf if call.is_none(2) else call.number(2)
    if source.dtype is output.dtype is DType.S8:
        # Stock lowering turns an activation that it cannot fuse into a clamp whose bounds are
        # stored integers. (Other activations on int8 would mean nothing: they are refused.)
        table = np.clip(np.arange(-128, 128), low, high).astype(np.int8)
        call.emit(ops.Lut([source], [output], table=table, source=call.place))
    else:
        _emit_clamp(call, low, high)


def _clamp_integers(call: Call, source: Value, dtype: DType) -> None:
    value = convert(call, plain(call, source), dtype)
    for position, function in ((1, "max"), (2, "min")):
        if not call.is_none(position):
            bound = number(call, call.literal(position), dtype)
            value = apply(call, function, value, bound)
    finish(call, value)


def _hardtanh(call: Call) -> None:
    """(x, low, high)"""
    source = call.tensor(0)
    if source.dtype is DType.F32:
        _emit_clamp(call, call.number(1), call.number(2))
        return
    _clamp_integers(call, source, source.dtype)


def _relu6_of_plus_3(call: Call, source: Value) -> Value:
    """min(max(x + 3, 0), 6)"""
    moved = apply(call, "add", source, _number(3.0))
    limited = Value(f"{source.name}_relu6", DType.F32, source.shape)
    call.append(ops.FloatClamp([moved], [limited], low=0.0, high=6.0, source=call.place))
    return limited


def _number(value: float) -> Value:
    return Value(f"number{value:g}", DType.F32, (), data=np.array(value, dtype=np.float32))


def _hardsigmoid(call: Call) -> None:
    """min(max(x + 3, 0), 6) / 6"""
    source = call.tensor(0)
    finish(call, apply(call, "div", _relu6_of_plus_3(call, source), _number(6.0)))


def _hardswish(call: Call) -> None:
    """x * min(max(x + 3, 0), 6) / 6"""
    source = call.tensor(0)
    product = apply(call, "mul", source, _relu6_of_plus_3(call, source))
    finish(call, apply(call, "div", product, _number(6.0)))


def _pool_window(call: Call) -> tuple[ops.Pair, ops.Pair, Padding]:
    """(x, kernel, stride, padding, ...): no stride is the kernel"""
    kernel = call.pair(1)
    stride = call.pair(2) if call.integers(2) else kernel
    pad = call.pair(3) if call.integers(3) else (0, 0)
    return kernel, stride, Padding(pad[0], pad[1], pad[0], pad[1])


def _max_pool2d_with_indices(call: Call) -> None:
    """(x, kernel, stride, padding, dilation, ceil_mode) -> values, places"""
    source = call.tensor(0)
    kernel, stride, padding = _pool_window(call)
    dilation = call.pair(4) if call.integers(4) else (1, 1)
    for position, places in ((-3, False), (-2, True)):
        image, output = _as_image(call, source), call.result(position)
        result = Value(f"{source.name}_max", output.dtype, _image_shape(output.shape))
        op: ops.Op
        if source.dtype is DType.S8 and not places:
            op = ops.MaxPool2d(
                [image],
                [result],
                kernel=kernel,
                stride=stride,
                padding=padding,
                clamp=ops.Clamp(),
                dilation=dilation,
                source=call.place,
            )
        else:
            op = ops.WindowMax(
                [image],
                [result],
                kernel=kernel,
                stride=stride,
                padding=padding,
                dilation=dilation,
                places=places,
                source=call.place,
            )
        call.append(op)
        _bind_image(call, result, output, position)


def _avg_pool2d(call: Call) -> None:
    """(x, kernel, stride, padding, ceil_mode, count_include_pad, divisor?)"""
    source, output = call.tensor(0), call.result()
    kernel, stride, padding = _pool_window(call)
    result = Value(f"{source.name}_avg", output.dtype, _image_shape(output.shape))
    call.append(
        ops.FloatAvgPool2d(
            [_as_image(call, source)],
            [result],
            kernel=kernel,
            stride=stride,
            padding=padding,
            count_padding=call.flag(5),
            divisor=None if call.is_none(6) else call.integer(6),
            source=call.place,
        )
    )
    _bind_image(call, result, output, -1)


def _image_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    """With a batch of one, where an image comes without a batch."""
    return (1, *shape) if len(shape) == 3 else shape


def _as_image(call: Call, source: Value) -> Value:
    if len(source.shape) != 3:
        return source
    image = Value(f"{source.name}_v", source.dtype, _image_shape(source.shape))
    call.append(ops.View([source], [image], source=call.place))
    return image


def _bind_image(call: Call, result: Value, output: Value, position: int) -> None:
    if result.shape != output.shape:
        call.append(ops.View([result], [output], source=call.place))
        result = output
    call.bind(result, position)


def _adaptive_avg_pool2d(call: Call) -> None:
    """(x, output size): the output's shape says it"""
    source, output = call.tensor(0), call.result()
    _require_float(call, source, output)
    if len(source.shape) not in (3, 4) or source.shape[:-2] != output.shape[:-2]:
        raise call.fail(f"cannot pool {source} to {output}")
    call.emit(ops.FloatAdaptiveAvgPool2d([source], [output], source=call.place))


def _convolution(call: Call) -> None:
    """(x, weights, bias?, stride, padding, dilation, transposed, output_padding, groups)"""
    source, weights, output = call.tensor(0), call.tensor(1), call.result()
    inputs = [source, weights]
    if not call.is_none(2):
        inputs.append(call.tensor(2))
    _require_float(call, *inputs, output)
    if len(source.shape) not in (3, 4):
        raise call.fail(f"needs an input of rank 3 or 4, not {list(source.shape)}")
    spatial = len(source.shape) - 2
    stride, pad, dilation = (_spatial(call, at, spatial) for at in (3, 4, 5))
    kernel = (weights.shape[2] if spatial == 2 else 1, weights.shape[-1])
    kind = ops.FloatTransposeConv2d if call.flag(6) else ops.FloatConv2d
    call.emit(
        kind(
            inputs,
            [output],
            kernel=kernel,
            stride=(stride[0] or 1, stride[1]),
            padding=Padding(pad[0], pad[1]),
            dilation=(dilation[0] or 1, dilation[1]),
            groups=call.integer(8),
            source=call.place,
        )
    )


def _spatial(call: Call, position: int, count: int) -> ops.Pair:
    """Height and width; a convolution in one dimension has no height (0)."""
    items = call.integers(position)
    if len(items) == 1:
        items = items * count
    if len(items) != count:
        raise call.fail(f"argument {position} should have {count} numbers, not {len(items)}")
    return (items[0], items[1]) if count == 2 else (0, items[0])


PORTABLE_MATH: dict[str, Operator] = {
    "aten::clamp.out": Operator(_clamp, NUMBERS),
    "aten::hardtanh.out": Operator(_hardtanh, NUMBERS),
    "aten::hardsigmoid.out": Operator(_hardsigmoid, FLOAT),
    "aten::hardswish.out": Operator(_hardswish, FLOAT),
    "aten::avg_pool2d.out": Operator(_avg_pool2d, FLOAT),
    "aten::max_pool2d_with_indices.out": Operator(_max_pool2d_with_indices, NUMBERS),
    "aten::_adaptive_avg_pool2d.out": Operator(_adaptive_avg_pool2d, FLOAT),
    "aten::convolution.out": Operator(_convolution, FLOAT, "one or two dimensions"),
}
