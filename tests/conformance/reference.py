# SPDX-License-Identifier: Apache-2.0
"""Expected outputs: the lowered graph of a program, run in Python, one operator after the other.

Every operator is ExecuTorch's own reference implementation, except for the few whose C arithmetic
on the core is known to give other bits. Those are written out below, each with what differs:

* cortex_m::quantize_per_tensor divides by the scale in Python; the core multiplies by the float32
  reciprocal of the scale, in one fused operation.
* quantized_decomposed::quantize_per_tensor: the core multiplies by the reciprocal too, and rounds
  the product to float32 first.
* cortex_m::quantized_avg_pool2d averages in float in Python, ties to even; the core divides
  integers, ties away from zero.
* cortex_m::softmax uses float exponentials in Python; the core uses fixed point throughout.
* cortex_m::quantized_conv2d and cortex_m::quantized_depthwise_conv2d cannot run dilated in Python.
* cortex_m::quantized_transpose_conv2d and cortex_m::quantized_batch_matmul accumulate in float32 in
  Python, which is inexact above 2**24; the core accumulates in int32.

Nothing here imports the compiler or looks at the kernels: it is what they are judged by.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind

IntArray = npt.NDArray[np.int64]


class MeaninglessGraphError(Exception):
    """The lowered graph computes with raw int8 values as if they were numbers."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        # Kept apart from the message, to which the interpreter adds the place in the graph.
        self.operator = name


def operator_name(target: object) -> str:
    """Name of a call target as the `.pte` spells it, without overload: "aten::cat"."""
    name = getattr(target, "_name", None) or getattr(target, "__name__", None) or str(target)
    return str(name).split(".")[0]


class Reference:
    """A lowered program with its state, to be called again and again.

    `initial_state` says whether the `.pte` holds the initial values of the mutable buffers; where
    it does not, they start at zero. `quantized` says whether int8 stands for real numbers.
    """

    def __init__(
        self, program: ExportedProgram, initial_state: bool = True, quantized: bool = True
    ) -> None:
        self._program = program
        self._quantized = quantized
        self._initial_state = initial_state
        self._state: dict[str, torch.Tensor] = {}
        self.reset()

    def reset(self) -> None:
        """Give every mutable buffer its initial value."""
        self._state = {}
        for spec in self._program.graph_signature.output_specs:
            if spec.kind is OutputKind.BUFFER_MUTATION and spec.target is not None:
                value = self._stored(spec.target)
                self._state[spec.target] = (
                    value.clone() if self._initial_state else torch.zeros_like(value)
                )

    def call(self, inputs: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Run the program once; the mutable buffers take their new values."""
        signature = self._program.graph_signature
        given = iter(inputs)
        arguments: list[torch.Tensor] = []
        for spec in signature.input_specs:
            if spec.kind is InputKind.USER_INPUT:
                arguments.append(next(given))
            else:
                assert spec.target is not None
                arguments.append(self._state.get(spec.target, self._stored(spec.target)))
        with torch.no_grad():
            results = _GraphRunner(self._program.graph_module, self._quantized).run(*arguments)
        outputs: list[torch.Tensor] = []
        for spec, result in zip(signature.output_specs, results, strict=True):
            if spec.kind is OutputKind.BUFFER_MUTATION:
                assert spec.target is not None
                self._state[spec.target] = result.clone()
            elif spec.kind is OutputKind.USER_OUTPUT:
                outputs.append(result.clone())
        return outputs

    def _stored(self, name: str) -> torch.Tensor:
        value = self._program.state_dict.get(name)
        if value is None:
            value = self._program.constants[name]
        assert isinstance(value, torch.Tensor)
        return value.detach()


class _GraphRunner(torch.fx.Interpreter):
    """Runs a lowered graph with the operators of this file in place of the inexact ones."""

    def __init__(self, module: torch.fx.GraphModule, quantized: bool) -> None:
        super().__init__(module)
        self._quantized = quantized

    def run_node(self, n: torch.fx.Node) -> Any:
        result = super().run_node(n)
        return _with_layout_of(result, n.meta.get("val"))

    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if target is operator.getitem:
            return super().call_function(target, args, kwargs)
        name = operator_name(target)
        if self._quantized:
            _check_meaningful(name, args)
        replacement = _REPLACEMENTS.get(name)
        if replacement is not None:
            return replacement(*args, **kwargs)
        dilated = _dilated(name, args)
        if dilated is not None:
            return dilated
        return super().call_function(target, args, kwargs)


def _with_layout_of(result: Any, described: Any) -> Any:
    """Give a rank-4 result the strides that the program plans for it.

    ExecuTorch's own pad operator reads the memory format of its argument to learn what its pad
    widths mean, and eager operators do not always return the memory format that was planned.
    """
    if not isinstance(result, torch.Tensor) or not isinstance(described, torch.Tensor):
        return result
    if result.dim() != 4 or result.shape != described.shape:
        return result
    if result.stride() == described.stride():
        return result
    planned = torch.empty_strided(result.shape, described.stride(), dtype=result.dtype)
    return planned.copy_(result)


# ---------------------------------------------------------------------------------------------
# Graphs that stock lowering leaves meaningless

_FLOAT_ARITHMETIC = frozenset(
    {
        "_softmax", "_log_softmax", "add", "addmm", "avg_pool2d", "bmm", "convolution", "cumsum",
        "div", "elu", "exp", "gelu", "hardsigmoid", "hardswish", "leaky_relu", "linear", "log",
        "mean", "mm", "mul", "native_layer_norm", "pow", "prod", "reciprocal", "relu", "rsqrt",
        "sigmoid", "silu", "sqrt", "sub", "sum", "tanh",
    }
)  # fmt: skip


def _check_meaningful(name: str, args: Sequence[Any]) -> None:
    namespace, _, short = name.partition("::")
    if namespace != "aten" or short not in _FLOAT_ARITHMETIC:
        return
    for value in args:
        if isinstance(value, torch.Tensor) and value.dtype == torch.int8:
            raise MeaninglessGraphError(name)


# ---------------------------------------------------------------------------------------------
# Operators whose C arithmetic differs from ExecuTorch's Python


def _quantize(
    values: torch.Tensor, scale: float, zero_point: int, low: int, high: int, dtype: torch.dtype
) -> torch.Tensor:
    """Round (value * float32(1 / scale)) to nearest, ties to even, as a fused multiply-add does.

    A product of two float32 is exact in float64, so one rounding is left.
    """
    inverse = np.float32(1.0) / np.float32(scale)
    product = values.numpy().astype(np.float64) * np.float64(inverse)
    quantized = np.clip(np.rint(product) + zero_point, low, high)
    return torch.from_numpy(quantized).to(dtype)


def _quantize_portable(
    values: torch.Tensor, scale: float, zero_point: int, low: int, high: int, dtype: torch.dtype
) -> torch.Tensor:
    """The portable operator rounds twice: the product to float32, then to an integer."""
    inverse = np.float32(1.0) / np.float32(scale)
    product = (values.numpy().astype(np.float32) * inverse).astype(np.float64)
    quantized = np.clip(np.rint(product) + zero_point, low, high)
    return torch.from_numpy(quantized).to(dtype)


def _avg_pool(
    values: torch.Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    ceil_mode: bool,
    zero_point: int,
    multiplier: int,
    shift: int,
    scratch: torch.Tensor,
) -> torch.Tensor:
    """Integer average of the window's elements that lie inside the image, NCHW.

    C's division truncates, and half of the count is added first with the sign of the sum: ties
    go away from zero. Input and output share scale and zero point, which the core ignores, so
    that the tie is one of the raw values.
    """
    image = values.numpy().astype(np.int64)
    height = _pooled(image.shape[2], kernel[0], stride[0], padding[0], ceil_mode)
    width = _pooled(image.shape[3], kernel[-1], stride[-1], padding[-1], ceil_mode)
    result = np.empty((*image.shape[:2], height, width), dtype=np.int64)
    for row in range(height):
        rows = _window(row, kernel[0], stride[0], padding[0], image.shape[2])
        for column in range(width):
            columns = _window(column, kernel[-1], stride[-1], padding[-1], image.shape[3])
            window = image[:, :, rows, columns]
            count = window.shape[2] * window.shape[3]
            total = window.sum(axis=(2, 3))
            away = np.where(total > 0, total + count // 2, total - count // 2)
            result[:, :, row, column] = np.sign(away) * (np.abs(away) // count)
    return torch.from_numpy(np.clip(result, -128, 127)).to(torch.int8)


def _pooled(size: int, kernel: int, stride: int, padding: int, ceil_mode: bool) -> int:
    """Number of windows along one dimension: torch's rule."""
    span = size + 2 * padding - kernel
    count = (-(-span // stride) if ceil_mode else span // stride) + 1
    # The last window has to start inside the image or its left padding.
    if ceil_mode and (count - 1) * stride >= size + padding:
        count -= 1
    return count


def _window(index: int, kernel: int, stride: int, padding: int, size: int) -> slice:
    start = index * stride - padding
    return slice(max(start, 0), min(start + kernel, size))


def _avg_pool_nhwc(values: torch.Tensor, *rest: Any) -> torch.Tensor:
    return _avg_pool(values.permute(0, 3, 1, 2), *rest).permute(0, 2, 3, 1).contiguous()


def _softmax(
    values: torch.Tensor,
    dim: int,
    input_zero_point: int,
    output_zero_point: int,
    multiplier: int,
    shift: int,
    diff_min: int,
) -> torch.Tensor:
    """Fixed-point softmax along `dim`; the output has scale 1/256 and zero point -128.

    The differences from the row's maximum are scaled to Q5.26; exponentials are Q0.31; their sum
    is Q12.19; its reciprocal comes from three Newton steps.
    """
    raw = values.movedim(dim, -1).numpy().astype(np.int64)
    difference = raw - raw.max(axis=-1, keepdims=True)
    counts = difference >= diff_min
    scaled = _doubling_high(np.where(counts, difference, 0) * (1 << shift), np.int64(multiplier))
    exponentials = _exp_on_negative(scaled)
    total = np.where(counts, _divide_by_power(exponentials, np.int64(12)), 0).sum(
        axis=-1, keepdims=True
    )
    headroom = _leading_zeros(total)
    reciprocal = _one_over_one_plus((total << headroom) - (1 << 31))
    probability = _divide_by_power(_doubling_high(reciprocal, exponentials), 12 - headroom + 23)
    result = np.where(counts, np.clip(probability - 128, -128, 127), -128)
    return torch.from_numpy(result).to(torch.int8).movedim(-1, dim)


def _doubling_high(first: IntArray, second: IntArray | np.int64) -> IntArray:
    """round(first * second / 2**31), ties upwards, of two values of 32 bits."""
    return np.asarray((first * second + (1 << 30)) >> 31, dtype=np.int64)


def _divide_by_power(value: IntArray, exponent: IntArray | np.int64) -> IntArray:
    """round(value / 2**exponent), ties away from zero."""
    half = (np.int64(1) << exponent) >> 1
    return np.asarray(np.sign(value) * ((np.abs(value) + half) >> exponent), dtype=np.int64)


def _exp_on_negative(value: IntArray) -> IntArray:
    """exp of Q5.26 values not above zero, in Q0.31.

    A polynomial of degree four on [-1/4, 0) around -1/8, then one factor exp(-2**k) for each bit
    that is set in the rest.
    """
    quarter = 1 << 24
    part = (value & (quarter - 1)) - quarter
    rest = part - value
    x = (part << 5) + (1 << 28)
    x2 = _doubling_high(x, x)
    x3 = _doubling_high(x2, x)
    x4 = _doubling_high(x2, x2)
    sixth = _doubling_high(_divide_by_power(x4, np.int64(2)) + x3, np.int64(715827883)) + x2
    series = x + _divide_by_power(sixth, np.int64(1))
    result = 1895147668 + _doubling_high(np.full_like(x, 1895147668), series)
    factors = (1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242)
    for bit, factor in enumerate(factors):
        scaled = _doubling_high(result, np.int64(factor))
        result = np.where(rest & (quarter << bit), scaled, result)
    return np.where(value == 0, (1 << 31) - 1, result)


def _one_over_one_plus(value: IntArray) -> IntArray:
    """1 / (1 + value) for Q0.31 values in [0, 1), in Q0.31, by Newton's method."""
    denominator = (value + (1 << 31) - 1 + 1) // 2
    x = 1515870810 + _doubling_high(denominator, np.int64(-1010580540))
    for _ in range(3):
        error = (1 << 29) - _doubling_high(denominator, x)
        x = x + _shift_saturating(_doubling_high(x, error), 2)
    return _shift_saturating(x, 1)


def _shift_saturating(value: IntArray, exponent: int) -> IntArray:
    return np.clip(value << exponent, -(1 << 31), (1 << 31) - 1)


def _leading_zeros(value: IntArray) -> IntArray:
    """Leading zeros of positive values of 32 bits."""
    # frexp gives the position of the highest bit, exactly, below 2**53.
    return 32 - np.frexp(value.astype(np.float64))[1].astype(np.int64)


def _requantize(total: IntArray, multiplier: IntArray, shift: IntArray) -> IntArray:
    """Scale an int32 sum by multiplier * 2**(shift - 31) with the core's two roundings."""
    left = np.maximum(shift, 0)
    right = np.maximum(-shift, 0)
    return _divide_by_power(_doubling_high(total << left, multiplier), right)


def _undilated(target: Any) -> Any:
    """A convolution whose dilated weights are spread out, zeros between them.

    PyTorch convolves integers only without dilation; a tap that is zero adds nothing.
    """

    def run(*args: Any, **kwargs: Any) -> Any:
        weight, dilation = args[1], args[5]
        if tuple(dilation) == (1, 1):
            return target(*args, **kwargs)
        # Weights are OHWI, or 1HWO for a depthwise convolution.
        height = (weight.shape[1] - 1) * dilation[0] + 1
        width = (weight.shape[2] - 1) * dilation[1] + 1
        spread = torch.zeros((weight.shape[0], height, width, weight.shape[3]), dtype=weight.dtype)
        spread[:, :: dilation[0], :: dilation[1]] = weight
        return target(args[0], spread, *args[2:5], [1, 1], *args[6:], **kwargs)

    return run


def _transpose_conv(
    values: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilation: Sequence[int],
    input_offset: int,
    output_offset: int,
    multipliers: torch.Tensor,
    shifts: torch.Tensor,
    low: int,
    high: int,
    *scratch: torch.Tensor,
) -> torch.Tensor:
    """Transposed convolution with integer sums. Image NCHW, weight [out, kh, kw, in].

    Every input pixel adds its kernel to the output at (stride * position - padding).
    """
    image = values.numpy().astype(np.int64) + input_offset
    kernel = weight.numpy().astype(np.int64)
    batch, _, rows, columns = image.shape
    outputs, taps_y, taps_x, _ = kernel.shape
    full_y = (rows - 1) * stride[0] + dilation[0] * (taps_y - 1) + 1 + output_padding[0]
    full_x = (columns - 1) * stride[1] + dilation[1] * (taps_x - 1) + 1 + output_padding[1]
    total = np.zeros((batch, outputs, full_y, full_x), dtype=np.int64)
    for y in range(taps_y):
        for x in range(taps_x):
            added = np.einsum("nihw,oi->nohw", image, kernel[:, y, x, :])
            top, left = y * dilation[0], x * dilation[1]
            total[
                :,
                :,
                top : top + (rows - 1) * stride[0] + 1 : stride[0],
                left : left + (columns - 1) * stride[1] + 1 : stride[1],
            ] += added
    total = total[:, :, padding[0] : full_y - padding[0], padding[1] : full_x - padding[1]]
    if bias is not None:
        total = total + bias.numpy().astype(np.int64)[None, :, None, None]
    scaled = _requantize(
        total,
        multipliers.numpy().astype(np.int64)[None, :, None, None],
        shifts.numpy().astype(np.int64)[None, :, None, None],
    )
    result = np.clip(scaled + output_offset, low, high)
    return torch.from_numpy(result).to(torch.int8)


def _transpose_conv_nhwc(values: torch.Tensor, *rest: Any) -> torch.Tensor:
    return _transpose_conv(values.permute(0, 3, 1, 2), *rest).permute(0, 2, 3, 1).contiguous()


def _dilated(name: str, args: Sequence[Any]) -> torch.Tensor | None:
    """A convolution with dilation, which ExecuTorch's Python cannot run; None for all others."""
    if name not in _CONVOLUTIONS or all(step == 1 for step in args[5]):
        return None
    values, weight, bias, stride, padding, dilation = args[:6]
    depthwise = "depthwise" in name
    nhwc = name.endswith("_nhwc")
    # A depthwise operator has its channel multiplier before the offsets.
    offsets = args[7:] if depthwise else args[6:]
    input_offset, output_offset, multipliers, shifts, low, high = offsets[:6]
    image = values.permute(0, 3, 1, 2) if nhwc else values
    # To [out, in of the group, kh, kw] from [1, kh, kw, out] or [out, kh, kw, in of the group].
    kernel = weight.permute(3, 0, 1, 2) if depthwise else weight.permute(0, 3, 1, 2)
    # Integers below 2**53 are exact in float64, and so are their sums.
    total = torch.nn.functional.conv2d(
        image.double() + input_offset,
        kernel.double(),
        None if bias is None else bias.double(),
        stride=tuple(stride),
        padding=tuple(padding),
        dilation=tuple(dilation),
        groups=image.shape[1] // kernel.shape[1],
    )
    scaled = _requantize(
        total.numpy().astype(np.int64),
        multipliers.numpy().astype(np.int64)[None, :, None, None],
        shifts.numpy().astype(np.int64)[None, :, None, None],
    )
    result = torch.from_numpy(np.clip(scaled + output_offset, low, high)).to(torch.int8)
    return result.permute(0, 2, 3, 1).contiguous() if nhwc else result


_CONVOLUTIONS = frozenset(
    f"cortex_m::quantized_{kind}{layout}"
    for kind in ("conv2d", "depthwise_conv2d")
    for layout in ("", "_nhwc")
)


def _batch_matmul(
    left: torch.Tensor,
    left_offset: int,
    right_transposed: torch.Tensor,
    right_offset: int,
    output_offset: int,
    multiplier: int,
    shift: int,
    scratch: torch.Tensor,
) -> torch.Tensor:
    """Batched matrix product with integer sums: [b, m, k] times [b, n, k] transposed."""
    first = left.numpy().astype(np.int64) + left_offset
    second = right_transposed.numpy().astype(np.int64) + right_offset
    total = first @ second.transpose(0, 2, 1)
    scaled = _requantize(total, np.asarray(multiplier, np.int64), np.asarray(shift, np.int64))
    return torch.from_numpy(np.clip(scaled + output_offset, -128, 127)).to(torch.int8)


_REPLACEMENTS: dict[str, Callable[..., torch.Tensor]] = {
    **{
        f"cortex_m::quantized_{kind}": _undilated(getattr(torch.ops.cortex_m, f"quantized_{kind}"))
        for kind in ("conv2d", "depthwise_conv2d", "conv2d_nhwc", "depthwise_conv2d_nhwc")
    },
    "cortex_m::quantize_per_tensor": _quantize,
    "quantized_decomposed::quantize_per_tensor": _quantize_portable,
    "cortex_m::quantized_avg_pool2d": _avg_pool,
    "cortex_m::quantized_avg_pool2d_nhwc": _avg_pool_nhwc,
    "cortex_m::softmax": _softmax,
    "cortex_m::quantized_transpose_conv2d": _transpose_conv,
    "cortex_m::quantized_transpose_conv2d_nhwc": _transpose_conv_nhwc,
    "cortex_m::quantized_batch_matmul": _batch_matmul,
}
