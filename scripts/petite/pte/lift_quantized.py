# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's quantized_decomposed operators: conversions between real numbers and stored ones.

    real = float32(stored - zero point) * scale
    stored = clamp(zero point + round(real * (1 / scale)))

in float32, each operation rounded, as ExecuTorch's quantized kernels compute. Scales and zero
points are numbers or tensors: one, one a channel (along an axis), or one a token (a row of the
last dimension). ExecuTorch keeps tensors of scales in float64, and reads them as float32.

These are for what stock lowering leaves; layers are quantised by the cortex_m operators.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import FLOAT
from petite.ir.graph import Quantization, Value
from petite.pte.call import Call
from petite.pte.lift_elementwise import apply, convert, finish, number
from petite.pte.moves import Shape, constant, dimension, view
from petite.pte.operator import Lift, Operator
from petite.pte.program import TensorValue

#: Integers that are stored for real numbers.
STORED = (DType.S8, DType.U8, DType.S16, DType.S32)
#: Those of which every difference to a zero point is a float32.
_NARROW = (DType.S8, DType.U8, DType.S16)
_EXACT = 2**23


@dataclass(frozen=True)
class Affine:
    """Scale (float32) and zero point (int32), of shapes that broadcast to the tensor's."""

    scale: Value
    zero: Value

    @property
    def has_zero(self) -> bool:
        """Whether the zero point may be another number than 0."""
        return self.zero.data is None or bool(np.any(self.zero.data))

    @property
    def are_numbers(self) -> bool:
        """Whether there is one of each, and both are known."""
        return all(v.data is not None and v.count == 1 for v in (self.scale, self.zero))

    @property
    def numbers(self) -> tuple[float, int]:
        """The scale and the zero point, where these are numbers."""
        assert self.scale.data is not None and self.zero.data is not None
        return float(self.scale.data.item()), int(self.zero.data.item())

    @property
    def is_small(self) -> bool:
        """Whether narrow integers minus the zero point are float32."""
        return self.zero.data is not None and bool(np.all(np.abs(self.zero.data) < _EXACT))


def _is_tensor(call: Call, position: int) -> bool:
    return isinstance(call.raw(position), TensorValue)


def _scale(call: Call, position: int, shape: Shape) -> Value:
    """A scale, or a tensor of them, in float32."""
    if not _is_tensor(call, position):
        return _positive(call, constant("scale", np.array(call.number(position)), DType.F32))
    known = call.known_numbers(position)
    if known is None:
        return view(call, call.real(position), shape)
    if known.dtype not in (np.float32, np.float64):
        raise call.fail(f"scales should be float32 or float64, not {known.dtype}")
    with np.errstate(over="ignore"):
        return _positive(call, view(call, constant("scale", known, DType.F32), shape))


def _positive(call: Call, scale: Value) -> Value:
    assert scale.data is not None
    if not np.all(np.isfinite(scale.data) & (scale.data > 1e-38)):
        raise call.fail("a scale is not positive; calibrate the model with representative inputs")
    return scale


def _zero(call: Call, position: int, shape: Shape) -> Value:
    """A zero point, or a tensor of them, in int32; 0 where there is none."""
    if call.is_none(position):
        return number(call, 0, DType.S32)
    if not _is_tensor(call, position):
        return number(call, call.integer(position), DType.S32)
    value = call.tensor(position)
    if value.dtype not in (DType.S32, DType.S64):
        raise call.fail(f"zero points {value} should be int32 or int64")
    return view(call, convert(call, value, DType.S32), shape)


def _affine(call: Call, shape: Shape) -> Affine:
    """Scale and zero point of most operators: the second and the third argument."""
    return Affine(_scale(call, 1, shape), _zero(call, 2, shape))


def to_real(call: Call, stored: Value, affine: Affine) -> Value:
    """The real numbers that integers stand for."""
    if stored.dtype not in STORED:
        raise call.fail(f"{stored} stores no real numbers")
    if stored.dtype in _NARROW and affine.is_small:
        steps = convert(call, stored, DType.F32)
        if affine.has_zero:
            steps = apply(call, "sub", steps, convert(call, affine.zero, DType.F32))
    else:
        steps = convert(call, stored, DType.S32)
        if affine.has_zero:
            steps = apply(call, "sub", steps, affine.zero)
        steps = convert(call, steps, DType.F32)
    return apply(call, "mul", steps, affine.scale)


def to_stored(call: Call, real: Value, affine: Affine, limits: tuple[int, int]) -> Value:
    """Integers of the result's type that stand for real numbers."""
    dtype = call.result().dtype
    low, high = limits
    bounds = np.iinfo(dtype.numpy) if dtype in STORED else None
    if bounds is None or not bounds.min <= low <= high <= bounds.max:
        raise call.fail(f"cannot store numbers from {low} to {high} as {dtype.torch_name}")
    steps = apply(call, "round", apply(call, "mul", real, _inverse(call, affine.scale)))
    if affine.has_zero:
        steps = apply(call, "add", steps, convert(call, affine.zero, DType.F32))
    if dtype in _NARROW:
        kept = Value(f"{steps.name}_kept", DType.F32, steps.shape)
        clamp = ops.FloatClamp([steps], [kept], low=float(low), high=float(high), source=call.place)
        call.append(clamp)
        return convert(call, kept, dtype)
    # float32 lacks most of the limits; the conversion keeps what int32 cannot hold at its ends.
    whole = convert(call, steps, dtype)
    whole = whole if low == bounds.min else apply(call, "max", whole, number(call, low, dtype))
    return whole if high == bounds.max else apply(call, "min", whole, number(call, high, dtype))


def _inverse(call: Call, scale: Value) -> Value:
    if scale.data is None:
        return apply(call, "reciprocal", scale)
    return constant("inverse_scale", np.float32(1) / scale.data, DType.F32)


def _channels(call: Call, position: int) -> Shape:
    """Shape of one number a channel, as it broadcasts to the first argument."""
    source = call.tensor(0)
    dim = dimension(call, position, source)
    if not source.shape:
        raise call.fail(f"{source} has no channels")
    return (source.shape[dim], *[1] * (len(source.shape) - dim - 1))


def _tokens(call: Call) -> Shape:
    """Shape of one number a row of the last dimension."""
    source = call.tensor(0)
    if not source.shape:
        raise call.fail(f"{source} has no rows")
    return (*source.shape[:-1], 1)


def _one(call: Call) -> Shape:
    return ()


def _dequantize_with(call: Call, shape: Shape) -> None:
    source, affine = call.tensor(0), _affine(call, shape)
    if source.data is not None and affine.scale.data is not None and affine.zero.data is not None:
        # Weights of a layer that stock lowering has left in float: others need them now.
        wide = source.data.astype(np.int64) - affine.zero.data
        steps = wide.astype(np.int32).astype(np.float32)
        finish(call, constant(f"{source.name}_real", steps * affine.scale.data, DType.F32))
        return
    if source.dtype in (DType.S8, DType.S16) and affine.are_numbers:
        scale, zero = affine.numbers
        source.quantization = source.quantization or Quantization(scale, zero)
        real = Value(f"{source.name}_real", DType.F32, source.shape)
        op = ops.Dequantize([source], [real], scale=scale, zero_point=zero, source=call.place)
        call.append(op)
        finish(call, real)
        return
    finish(call, to_real(call, source, affine))


def _quantize_with(call: Call, shape: Shape, limits_at: int) -> None:
    source, affine = call.tensor(0), _affine(call, shape)
    limits = call.integer(limits_at), call.integer(limits_at + 1)
    result = to_stored(call, source, affine, limits)
    result.is_quantized = result.dtype in (DType.S8, DType.S16)
    if affine.are_numbers:
        result.quantization = Quantization(*affine.numbers)
    finish(call, result)


def _quantize_channels(call: Call) -> None:
    """(x, scales, zero points, axis, lowest, highest, dtype)"""
    _quantize_with(call, _channels(call, 3), 4)


def _quantize_tokens(call: Call) -> None:
    """(x, scales, zero points, lowest, highest, dtype)"""
    _quantize_with(call, _tokens(call), 3)


def _quantize_all(call: Call) -> None:
    """(x, scale, zero point, lowest, highest, dtype)"""
    _quantize_with(call, _one(call), 3)


def _dequantize_channels(call: Call) -> None:
    """(x, scales, zero points?, axis, lowest, highest, dtype, dtype of the result?)"""
    _dequantize_with(call, _channels(call, 3))


def _dequantize_tokens(call: Call) -> None:
    """(x, scales, zero points, lowest, highest, dtype, dtype of the result)"""
    _dequantize_with(call, _tokens(call))


def _dequantize_all(call: Call) -> None:
    """(x, scale, zero point, lowest, highest, dtype, dtype of the result?)"""
    _dequantize_with(call, _one(call))


def _add(call: Call) -> None:
    """(x, scale, zero point, lowest, highest, y, the same four, the same four of the result)"""
    left, right = (
        to_real(call, call.tensor(at), Affine(_scale(call, at + 1, ()), _zero(call, at + 2, ())))
        for at in (0, 5)
    )
    if left.shape != right.shape:
        raise call.fail(f"{left} and {right} are of different shapes")
    affine = Affine(_scale(call, 10, ()), _zero(call, 11, ()))
    limits = call.integer(12), call.integer(13)
    result = to_stored(call, apply(call, "add", left, right), affine, limits)
    result.is_quantized = result.dtype in (DType.S8, DType.S16)
    finish(call, result)


def _choose(call: Call, low: int, high: int, shape: Shape) -> None:
    """Scales and zero points of rows, which the next operators quantise with."""
    source = call.tensor(0)
    if source.dtype is not DType.F32 or not source.count or not low < high:
        raise call.fail(f"cannot choose how to quantise {source} from {low} to {high}")
    for position, dtype in ((-3, DType.F32), (-2, DType.S64)):
        found = Value(f"{source.name}_quantization", dtype, shape)
        zeros = dtype is DType.S64
        call.append(
            ops.ChooseQuantization(
                [source], [found], low=low, high=high, zero_points=zeros, source=call.place
            )
        )
        call.bind(view(call, found, call.tensor_value(position).sizes), position)


def _choose_one(call: Call) -> None:
    """(x, lowest, highest, smallest scale (not used), dtype) -> scale, zero point"""
    _choose(call, call.integer(1), call.integer(2), ())


def _choose_for_tokens(call: Call) -> None:
    """(x, dtype) -> scales, zero points, of int8"""
    _choose(call, -128, 127, _tokens(call))


def _operator(lift: Lift) -> Operator:
    return Operator(lift, STORED)


_NAMESPACE = "quantized_decomposed::"
_INSIDE = "the scales are for these operators only"

QUANTIZED_OPERATORS: dict[str, Operator] = {
    f"{_NAMESPACE}quantize_per_tensor.out": Operator(_quantize_all, FLOAT),
    f"{_NAMESPACE}quantize_per_tensor.Tensor_out": Operator(_quantize_all, FLOAT),
    f"{_NAMESPACE}quantize_per_channel.out": Operator(_quantize_channels, FLOAT),
    f"{_NAMESPACE}quantize_per_token.out": Operator(_quantize_tokens, FLOAT),
    f"{_NAMESPACE}dequantize_per_tensor.out": _operator(_dequantize_all),
    f"{_NAMESPACE}dequantize_per_tensor.Tensor_out": _operator(_dequantize_all),
    f"{_NAMESPACE}dequantize_per_channel.out": _operator(_dequantize_channels),
    f"{_NAMESPACE}dequantize_per_token.out": _operator(_dequantize_tokens),
    f"{_NAMESPACE}choose_qparams.Tensor_out": Operator(_choose_one, FLOAT, _INSIDE),
    f"{_NAMESPACE}choose_qparams_per_token_asymmetric.out": Operator(
        _choose_for_tokens, FLOAT, _INSIDE
    ),
    f"{_NAMESPACE}add.out": Operator(_add, _NARROW),
}
