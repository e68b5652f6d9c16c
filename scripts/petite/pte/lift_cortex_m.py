# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's cortex_m operators (schemas of release 1.5.1), as operators of the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import ALL, FLOAT
from petite.ir.graph import Quantization, Value
from petite.ir.ops import Clamp, Op, Padding, Requantize
from petite.pte.call import Call
from petite.pte.lift_elementwise import apply, finish
from petite.pte.operator import Operator

Array = np.ndarray[Any, np.dtype[Any]]

_INT8 = (DType.S8,)
NHWC_TO_NCHW = (0, 3, 1, 2)
NCHW_TO_NHWC = (0, 2, 3, 1)


def _quantize(call: Call) -> None:
    """(input, scale, zero_point, quant_min, quant_max, dtype)"""
    scale, zero_point = call.number(1), call.integer(2)
    source, output = call.tensor(0), call.result()
    _require_dtype(call, source, "float32")
    _require_dtype(call, output, "int8", "int16")
    output.quantization = Quantization(scale, zero_point)
    call.emit(
        ops.Quantize(
            [source],
            [output],
            scale=scale,
            zero_point=zero_point,
            low=call.integer(3),
            high=call.integer(4),
            source=call.place,
        )
    )


def _dequantize(call: Call) -> None:
    """(input, scale, zero_point, quant_min, quant_max, dtype)"""
    scale, zero_point = call.number(1), call.integer(2)
    source, output = call.tensor(0), call.result()
    _require_dtype(call, output, "float32")
    _require_dtype(call, source, "int8", "int16")
    if source.quantization is None:
        source.quantization = Quantization(scale, zero_point)
    call.emit(
        ops.Dequantize([source], [output], scale=scale, zero_point=zero_point, source=call.place)
    )


def _image_input(call: Call, nhwc: bool) -> Value:
    """The first argument as an NCHW image of int8."""
    value = call.tensor(0)
    _require_dtype(call, value, "int8")
    if len(value.shape) != 4:
        raise call.fail(f"needs an input of rank 4, not {list(value.shape)}")
    return _permuted(call, value, NHWC_TO_NCHW) if nhwc else value


def _permuted(call: Call, value: Value, permutation: tuple[int, ...]) -> Value:
    shape = tuple(value.shape[d] for d in permutation)
    output = Value(f"{value.name}_p", value.dtype, shape)
    call.append(ops.Permute([value], [output], permutation=permutation, source=call.place))
    return output


def _emit_image(call: Call, nhwc: bool, make: Callable[[Value], Op]) -> None:
    """Emit an operator with an NCHW result; the file's tensor is NHWC for the _nhwc spellings."""
    output = call.result()
    if len(output.shape) != 4:
        raise call.fail(f"needs an output of rank 4, not {list(output.shape)}")
    _require_dtype(call, output, "int8")
    if not nhwc:
        call.emit(make(output))
        return
    image = Value(f"{output.name}_p", output.dtype, tuple(output.shape[d] for d in NHWC_TO_NCHW))
    call.append(make(image))
    call.emit(ops.Permute([image], [output], permutation=NCHW_TO_NHWC, source=call.place))


def _implied_padding(
    source: Value, output: Value, kernel: ops.Pair, stride: ops.Pair, pad: ops.Pair
) -> Padding:
    """The padding below and to the right is what the output's size asks for."""
    below = (output.shape[2] - 1) * stride[0] + kernel[0] - source.shape[2] - pad[0]
    right = (output.shape[3] - 1) * stride[1] + kernel[1] - source.shape[3] - pad[1]
    return Padding(pad[0], pad[1], max(0, below), max(0, right))


def _spread(kernel: ops.Pair, dilation: ops.Pair) -> ops.Pair:
    """Rows and columns that a dilated kernel spans."""
    return (kernel[0] - 1) * dilation[0] + 1, (kernel[1] - 1) * dilation[1] + 1


def _per_channel(call: Call, values: Array, channels: int, what: str) -> Array:
    flat: Array = values.reshape(-1)
    if flat.size != channels or flat.dtype != np.int32:
        raise call.fail(
            f"{what} should hold {channels} int32 numbers, not {flat.size} of {flat.dtype}"
        )
    return flat


def _convolution(
    call: Call, kind: type[ops.Convolution], nhwc: bool, first: int, dilation_at: int
) -> None:
    """What conv2d, depthwise_conv2d and transpose_conv2d share.

    ``first`` is the position of input_offset, ``dilation_at`` that of dilation.
    """
    source = _image_input(call, nhwc)
    weights = call.constant(1)
    if weights.ndim != 4 or weights.dtype != np.int8:
        raise call.fail(f"weights should be int8 of rank 4, not {weights.dtype}")
    channels = weights.shape[3] if kind is ops.DepthwiseConv2d else weights.shape[0]
    bias = call.optional_constant(2)
    kernel = (int(weights.shape[1]), int(weights.shape[2]))
    stride, pad, dilation = call.pair(3), call.pair(4), call.pair(dilation_at)

    def make(output: Value) -> Op:
        if output.shape[1] != channels:
            raise call.fail(f"weights make {channels} channels, the output has {output.shape[1]}")
        _check_convolution(call, kind, source, output, weights)
        return kind(
            [source],
            [output],
            kernel=kernel,
            stride=stride,
            padding=_implied_padding(source, output, _spread(kernel, dilation), stride, pad)
            if kind is not ops.TransposeConv2d
            else Padding(pad[0], pad[1], pad[0], pad[1]),
            dilation=dilation,
            weights=weights,
            bias=None if bias is None else _per_channel(call, bias, channels, "bias"),
            input_offset=call.integer(first),
            output_offset=call.integer(first + 1),
            multipliers=_per_channel(call, call.constant(first + 2), channels, "multipliers"),
            shifts=_per_channel(call, call.constant(first + 3), channels, "shifts"),
            clamp=Clamp(call.integer(first + 4), call.integer(first + 5)),
            source=call.place,
        )

    _emit_image(call, nhwc, make)


def _check_convolution(
    call: Call, kind: type[ops.Convolution], source: Value, output: Value, weights: Array
) -> None:
    channels = source.shape[1]
    if kind is ops.DepthwiseConv2d:
        right = weights.shape[0] == 1 and weights.shape[3] % channels == 0
    else:
        right = weights.shape[3] > 0 and channels % weights.shape[3] == 0
        groups = channels // max(1, weights.shape[3])
        right = right and weights.shape[0] % max(1, groups) == 0
    if not right:
        raise call.fail(
            f"weights {list(weights.shape)} do not fit an input of {channels} channels; "
            "export the model again with ExecuTorch 1.5.1"
        )
    if source.shape[0] != output.shape[0]:
        raise call.fail(f"batch of input {source.shape[0]} and output {output.shape[0]} differ")


def _conv2d(nhwc: bool) -> Callable[[Call], None]:
    """(input, weight, bias?, stride, padding, dilation, offsets..., scratch)"""
    return lambda call: _convolution(call, ops.Conv2d, nhwc, first=6, dilation_at=5)


def _depthwise(nhwc: bool) -> Callable[[Call], None]:
    """(input, weight, bias?, stride, padding, dilation, depth_multiplier, offsets..., scratch)"""
    return lambda call: _convolution(call, ops.DepthwiseConv2d, nhwc, first=7, dilation_at=5)


def _transpose_conv2d(nhwc: bool) -> Callable[[Call], None]:
    """(input, weight, bias?, stride, padding, output_padding, dilation, offsets..., scratches)"""
    return lambda call: _convolution(call, ops.TransposeConv2d, nhwc, first=7, dilation_at=6)


def _avg_pool2d(nhwc: bool) -> Callable[[Call], None]:
    """(input, kernel, stride, padding, ceil_mode, zero_point, multiplier, shift, scratch)"""

    def lift(call: Call) -> None:
        source = _image_input(call, nhwc)
        kernel, stride, pad = call.pair(1), call.pair(2), call.pair(3)
        zero_point = call.integer(5)

        def make(output: Value) -> Op:
            return ops.AvgPool2d(
                [source],
                [output],
                kernel=kernel,
                stride=stride,
                padding=_implied_padding(source, output, kernel, stride, pad),
                count_padding=False,
                padding_value=zero_point,
                source=call.place,
            )

        _emit_image(call, nhwc, make)

    return lift


def _max_pool2d(nhwc: bool) -> Callable[[Call], None]:
    """(input, kernel, stride, padding, dilation, ceil_mode, zero_points..., activation...)"""

    def lift(call: Call) -> None:
        source = _image_input(call, nhwc)
        kernel, stride, pad = call.pair(1), call.pair(2), call.pair(3)
        dilation = call.pair(4)
        spread = _spread(kernel, dilation)

        def make(output: Value) -> Op:
            return ops.MaxPool2d(
                [source],
                [output],
                kernel=kernel,
                stride=stride,
                padding=_implied_padding(source, output, spread, stride, pad),
                clamp=Clamp(call.integer(8), call.integer(9)),
                dilation=dilation,
                source=call.place,
            )

        _emit_image(call, nhwc, make)

    return lift


def _linear(call: Call) -> None:
    """(input, weights, bias?, kernel_sum?, offsets x3, multipliers, shifts, act_max, act_min)"""
    source, weights, output = call.tensor(0), call.constant(1), call.result()
    _require_dtype(call, source, "int8")
    if weights.ndim != 2 or weights.shape[1] != source.shape[-1] or weights.dtype != np.int8:
        raise call.fail(f"weights {list(weights.shape)} do not fit input {list(source.shape)}")
    if call.integer(5) != 0:
        raise call.fail("weights must be symmetric (filter_offset 0); quantise them so")
    multipliers, shifts = call.integers(7), call.integers(8)
    if len(multipliers) != 1 or len(shifts) != 1:
        raise call.fail(f"needs one multiplier and one shift, not {len(multipliers)}")
    call.emit(
        ops.Linear(
            [source],
            [output],
            weights=weights,
            bias=_folded_bias(call, weights),
            output_offset=call.integer(6),
            requantize=Requantize(multipliers[0], shifts[0]),
            clamp=Clamp(call.integer(10), call.integer(9)),
            source=call.place,
        )
    )


def _folded_bias(call: Call, weights: Array) -> Array:
    """bias + input_offset * sum(weights), as int32.

    A file made for a core with Helium carries this sum already; one made for another core carries
    the plain bias. Both mean the same.
    """
    outputs = weights.shape[0]
    kernel_sum = call.optional_constant(3)
    if kernel_sum is not None:
        return _per_channel(call, kernel_sum, outputs, "kernel_sum")
    bias = call.optional_constant(2)
    folded = weights.astype(np.int64).sum(axis=1) * call.integer(4)
    if bias is not None:
        folded += _per_channel(call, bias, outputs, "bias")
    result: Array = folded.astype(np.int32)
    return result


def _add(call: Call) -> None:
    """(x, x zero_point, multiplier, shift, y, ..., output zero_point, multiplier, shift, act)"""
    first, second, swapped = _two_operands(call, 0, 4)
    offsets = (-call.integer(1), -call.integer(5))
    scales = (
        Requantize(call.integer(2), call.integer(3)),
        Requantize(call.integer(6), call.integer(7)),
    )
    call.emit(
        ops.Add(
            [first, second],
            [call.result()],
            offsets=(offsets[1], offsets[0]) if swapped else offsets,
            scales=(scales[1], scales[0]) if swapped else scales,
            output_offset=call.integer(8),
            requantize=Requantize(call.integer(9), call.integer(10)),
            clamp=Clamp(call.integer(11), call.integer(12)),
            source=call.place,
        )
    )


def _mul(call: Call) -> None:
    """(x, x zero_point, y, y zero_point, output zero_point, multiplier, shift)"""
    first, second, swapped = _two_operands(call, 0, 2)
    offsets = (-call.integer(1), -call.integer(3))
    call.emit(
        ops.Mul(
            [first, second],
            [call.result()],
            offsets=(offsets[1], offsets[0]) if swapped else offsets,
            output_offset=call.integer(4),
            requantize=Requantize(call.integer(5), call.integer(6)),
            source=call.place,
        )
    )


def _two_operands(call: Call, first_at: int, second_at: int) -> tuple[Value, Value, bool]:
    """Both operands, the one of the output's shape first, and whether they changed places."""
    first, second = call.tensor(first_at), call.tensor(second_at)
    _require_dtype(call, first, "int8")
    _require_dtype(call, second, "int8")
    shape = tuple(call.tensor_value(-1).sizes)
    swapped = first.shape != shape
    if swapped:
        first, second = second, first
    channelwise = (
        len(shape) == 4
        and len(second.shape) == 4
        and second.shape[1] == shape[1]
        and second.count == shape[1]
    )
    if first.shape != shape or (second.shape != shape and not channelwise):
        raise call.fail(
            f"shapes {list(first.shape)} and {list(second.shape)} do not match; only equal "
            "shapes, or one value a channel, are supported"
        )
    return first, second, swapped


def _div(call: Call) -> None:
    """(x, x zero_point, y, y zero_point, output zero_point, scale)"""
    first, second = call.tensor(0), call.tensor(2)
    _require_dtype(call, first, "int8", "int16")
    if first.shape != second.shape:
        raise call.fail(f"shapes {list(first.shape)} and {list(second.shape)} differ")
    scale = call.number(5)
    if not 0 <= scale <= float(np.finfo(np.float32).max):
        raise call.fail(f"{scale} is no scale; calibrate the model with representative inputs")
    call.emit(
        ops.Div(
            [first, second],
            [call.result()],
            offsets=(-call.integer(1), -call.integer(3)),
            output_offset=call.integer(4),
            scale=scale,
            source=call.place,
        )
    )


def _extremum(maximum: bool) -> Callable[[Call], None]:
    """(x, y)"""

    def lift(call: Call) -> None:
        # Stock lowering writes these for every element type.
        first, second = call.tensor(0), call.tensor(1)
        if first.dtype is not second.dtype:
            raise call.fail(f"{first} and {second} differ in type")
        finish(call, apply(call, "max" if maximum else "min", first, second))

    return lift


def _activation(call: Call) -> None:
    """(input, table)"""
    source, table = call.tensor(0), call.constant(1).reshape(-1)
    _require_dtype(call, source, "int8")
    if table.size != 256 or table.dtype != np.int8:
        raise call.fail(f"the table should hold 256 int8 values, not {table.size}")
    call.emit(ops.Lut([source], [call.result()], table=table, source=call.place))


def _batch_matmul(call: Call) -> None:
    """(lhs, lhs offset, rhs transposed, rhs offset, output offset, multiplier, shift, scratch)"""
    left, right = call.tensor(0), call.tensor(2)
    _require_dtype(call, left, "int8")
    _require_dtype(call, right, "int8")
    if len(left.shape) != 3 or len(right.shape) != 3 or left.shape[2] != right.shape[2]:
        raise call.fail(f"shapes {list(left.shape)} and {list(right.shape)} do not match")
    call.emit(
        ops.BatchMatmul(
            [left, right],
            [call.result()],
            offsets=(call.integer(1), call.integer(3)),
            output_offset=call.integer(4),
            requantize=Requantize(call.integer(5), call.integer(6)),
            source=call.place,
        )
    )


def _softmax(call: Call) -> None:
    """(input, dim, input zero_point, output zero_point, multiplier, shift, diff_min)"""
    source = call.tensor(0)
    _require_dtype(call, source, "int8")
    if call.integer(3) != -128:
        raise call.fail(f"the output's zero point must be -128, not {call.integer(3)}")
    call.emit(
        ops.Softmax(
            [source],
            [call.result()],
            dim=call.integer(1) % max(1, len(source.shape)),
            requantize=Requantize(call.integer(4), call.integer(5)),
            diff_min=call.integer(6),
            source=call.place,
        )
    )


def _transpose(call: Call) -> None:
    """(input, permutation)"""
    source = call.tensor(0)
    permutation = tuple(d % max(1, len(source.shape)) for d in call.integers(1))
    if sorted(permutation) != list(range(len(source.shape))):
        raise call.fail(f"{list(permutation)} is no permutation of {len(source.shape)} dimensions")
    call.emit(ops.Permute([source], [call.result()], permutation=permutation, source=call.place))


def _pad(call: Call) -> None:
    """(input, pre_pad, post_pad, value): four numbers each, for the last dimensions in memory"""
    source = call.tensor(0)
    _require_dtype(call, source, "int8")
    rank = len(source.shape)
    before, after = call.integers(1), call.integers(2)
    if not 1 <= rank <= 4 or len(before) != 4 or len(after) != 4:
        raise call.fail(f"needs a rank of 1 to 4 and four paddings, not rank {rank}")
    if _is_channels_last(call):
        before = tuple(before[d] for d in NHWC_TO_NCHW)
        after = tuple(after[d] for d in NHWC_TO_NCHW)
    call.emit(
        ops.Pad(
            [source],
            [call.result()],
            before=before[4 - rank :],
            after=after[4 - rank :],
            value=call.integer(3),
            source=call.place,
        )
    )


def _is_channels_last(call: Call) -> bool:
    """Whether the exporter took the input for NHWC when it wrote the padding.

    It does so for every image with one channel or one pixel, whatever the stored order.
    """
    tensor = call.tensor_value(0)
    if len(tensor.sizes) != 4:
        return False
    if tensor.sizes[1] == 1 or tensor.sizes[2] == tensor.sizes[3] == 1:
        return True
    return tuple(tensor.dim_order) == NCHW_TO_NHWC


def _require_dtype(call: Call, value: Value, *names: str) -> None:
    if value.dtype.torch_name not in names:
        raise call.fail(
            f"{value.name} is {value.dtype.torch_name}, but only {' or '.join(names)} is "
            "supported here; quantise the layer to int8"
        )


CORTEX_M_OPERATORS: dict[str, Operator] = {
    "cortex_m::quantize_per_tensor.out": Operator(_quantize, FLOAT),
    "cortex_m::dequantize_per_tensor.out": Operator(_dequantize, (DType.S8, DType.S16)),
    "cortex_m::quantized_conv2d.out": Operator(_conv2d(False), _INT8),
    "cortex_m::quantized_conv2d_nhwc.out": Operator(_conv2d(True), _INT8),
    "cortex_m::quantized_depthwise_conv2d.out": Operator(_depthwise(False), _INT8),
    "cortex_m::quantized_depthwise_conv2d_nhwc.out": Operator(_depthwise(True), _INT8),
    "cortex_m::quantized_transpose_conv2d.out": Operator(_transpose_conv2d(False), _INT8),
    "cortex_m::quantized_transpose_conv2d_nhwc.out": Operator(_transpose_conv2d(True), _INT8),
    "cortex_m::quantized_avg_pool2d.out": Operator(_avg_pool2d(False), _INT8),
    "cortex_m::quantized_avg_pool2d_nhwc.out": Operator(_avg_pool2d(True), _INT8),
    "cortex_m::quantized_max_pool2d.out": Operator(_max_pool2d(False), _INT8),
    "cortex_m::quantized_max_pool2d_nhwc.out": Operator(_max_pool2d(True), _INT8),
    "cortex_m::quantized_linear.out": Operator(_linear, _INT8),
    "cortex_m::quantized_add.out": Operator(_add, _INT8),
    "cortex_m::quantized_mul.out": Operator(_mul, _INT8),
    "cortex_m::quantized_div.out": Operator(_div, (DType.S8, DType.S16)),
    "cortex_m::quantized_activation.out": Operator(_activation, _INT8),
    "cortex_m::quantized_batch_matmul.out": Operator(_batch_matmul, _INT8),
    "cortex_m::minimum.out": Operator(_extremum(False), ALL),
    "cortex_m::maximum.out": Operator(_extremum(True), ALL),
    "cortex_m::softmax.out": Operator(_softmax, _INT8),
    "cortex_m::transpose.out": Operator(_transpose, _INT8),
    "cortex_m::pad.out": Operator(_pad, _INT8),
}
