# SPDX-License-Identifier: Apache-2.0
"""Direct calls of quantized_decomposed operators.

Expected values are those of ExecuTorch's C++ kernels, and of its Python operators for embeddings,
whose kernels the package does not bring for Python.
"""

from __future__ import annotations

from typing import Any

import executorch.kernels.quantized  # noqa: F401 - the kernels
import torch
import torch.ao.quantization.fx._decomposed
from executorch.exir.passes import _quant_patterns_and_replacements  # noqa: F401 - likewise

from conformance.direct_calls import SCALAR_TYPES, Case, Known, floats, ints

Tensor = torch.Tensor
_OPERATORS = torch.ops.quantized_decomposed
_LIMITS = {
    torch.int8: (-128, 127),
    torch.uint8: (0, 255),
    torch.int16: (-32768, 32767),
    torch.int32: (-(2**31), 2**31 - 1),
}

#: Operators that make their result, by those that write it.
_WITHOUT_OUT = {"out": "default", "dtype_out": "dtype"}


def _plain(value: Any) -> Any:
    return value.tensor if isinstance(value, Known) else value


def case(name: str, args: tuple[Any, ...], *outs: Tensor, units: int = 0) -> Case:
    """A call, whose arguments at the end that name an element type are given as torch has them."""
    operator, _, overload = name.partition(".")
    numbers = tuple(
        int(SCALAR_TYPES[value]) if isinstance(value, torch.dtype) else value for value in args
    )

    def expected() -> Any:
        packet = getattr(getattr(_OPERATORS, operator), overload)
        copies = [out.clone() for out in outs]
        given = (*map(_plain, args), *copies)
        values = list(zip(packet._schema.arguments, given, strict=True))
        named = {a.name: value for a, value in values if a.kwarg_only}
        packet(*[value for a, value in values if not a.kwarg_only], **named)
        return copies[0] if len(copies) == 1 else copies

    return Case(f"quantized_decomposed::{name}", numbers, expected, units)


def _conversions(dtype: torch.dtype) -> list[Case]:
    """To integers of a type, and back."""
    limits = _LIMITS[dtype]
    x = floats(3, 4, 5)
    stored = (ints(3, 4, 5).int() * 300).clamp(*limits).to(dtype)
    result, real = torch.zeros(3, 4, 5, dtype=dtype), torch.zeros(3, 4, 5)
    line, scales = Known(torch.tensor([2, -3, 0, 7])), Known(floats(4).abs().double() + 0.01)
    tokens = Known(floats(3, 4, 1).abs().double() * 0.1 + 0.01)
    zeros = Known(ints(3, 4, 1, dtype=torch.int64))
    # Halves of steps, where rounding the product decides; and what no integer of the type is near.
    halves, far = (torch.arange(-30, 30) + 0.5).reshape(3, 4, 5) * 0.0371, x * 3e8
    one, two = Known(torch.tensor(0.0371, dtype=torch.float64)), Known(torch.tensor([3]))
    return [
        case("quantize_per_tensor.out", (x, 0.0371, 3, *limits, dtype), result),
        case("quantize_per_tensor.out", (halves, 0.0371, 3, *limits, dtype), result),
        case("quantize_per_tensor.out", (far, 0.25, -9, *limits, dtype), result),
        case("quantize_per_tensor.Tensor_out", (x, one, two, *limits, dtype), result),
        case("quantize_per_channel.out", (x, scales, line, 1, *limits, dtype), result),
        case("quantize_per_channel.out", (x, scales, line, -2, 0, 100, dtype), result),
        case("quantize_per_token.out", (x, tokens, zeros, *limits, dtype), result),
        case("dequantize_per_tensor.out", (stored, 0.0371, 3, *limits, dtype, None), real),
        case("dequantize_per_tensor.Tensor_out", (stored, one, two, *limits, dtype, None), real),
        case("dequantize_per_channel.out", (stored, scales, line, 1, *limits, dtype, None), real),
        case("dequantize_per_channel.out", (stored, scales, None, 1, *limits, dtype, None), real),
        case(
            "dequantize_per_channel.out",
            (Known(stored), Known(scales.tensor.float()), line, 1, *limits, dtype, None),
            real,
        ),
        case(
            "dequantize_per_token.out",
            (stored, tokens, zeros, *limits, dtype, torch.float32),
            real,
        ),
    ]


def _sums() -> list[Case]:
    found = []
    for dtype in (torch.uint8, torch.int8, torch.int16):
        x, y = (ints(*shape, dtype=dtype) for shape in ((4, 5), (1, 4, 5)))
        args = (x, 0.0371, 3, 0, 255, y[0], 0.05, 7, 0, 255, 0.0613, 11, 0, 100)
        found.append(case("add.out", args, torch.zeros(4, 5, dtype=dtype)))
    return found


def _weight_only() -> list[Case]:
    """Tables of bytes and of packed numbers; scales for rows, and for groups of columns."""
    scales, zeros = floats(6).abs() + 0.1, ints(6).float() / 8
    grouped, middles = floats(6, 2).abs() + 0.1, ints(6, 2).float() / 8
    index = torch.tensor([[5, 0], [2, 5]])
    table, small = ints(6, 8, dtype=torch.int8), ints(6, 4, dtype=torch.uint8)
    found = []
    for name, weights, limits in (
        ("byte", table, (-128, 127)),
        ("byte", ints(6, 8, dtype=torch.uint8), (0, 255)),
        ("4bit", small, (-8, 7)),
        ("2bit", small[:, :2], (-2, 1)),
    ):
        weights = weights.contiguous()
        for parameters in ((scales, None), (scales, zeros), (grouped, middles)):
            known = [None if p is None else Known(p) for p in (weights, *parameters)]
            found.append(_embedding(f"embedding_{name}.out", (*known, *limits, index)))
        args = (weights, grouped, middles, *limits, index)
        found.append(_embedding(f"embedding_{name}.dtype_out", (*args, torch.float32)))
    x = floats(3, 8)
    out, units = torch.zeros(3, 6), 64
    found += [
        case("mixed_linear.out", (x, Known(table), Known(scales), None, None), out, units=units),
        case("mixed_linear.out", (x, table, floats(6, 3), None, None), out, units=units),
        case("mixed_mm.out", (floats(3, 6), Known(table), scales, None), x, units=units),
    ]
    return found


def _embedding(name: str, args: tuple[Any, ...]) -> Case:
    operator, _, overload = name.partition(".")
    function = getattr(getattr(_OPERATORS, operator), _WITHOUT_OUT[overload])
    plain = tuple(map(_plain, args))
    named = {"dtype": plain[6]} if len(plain) > 6 else {}
    numbers = tuple(int(SCALAR_TYPES[v]) if isinstance(v, torch.dtype) else v for v in args)
    return Case(f"quantized_decomposed::{name}", numbers, lambda: function(*plain[:6], **named))


def quantized() -> list[Case]:
    """Every such call."""
    return [*(c for dtype in _LIMITS for c in _conversions(dtype)), *_sums(), *_weight_only()]
