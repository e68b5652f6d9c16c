# SPDX-License-Identifier: Apache-2.0
"""Direct calls of what export writes for few element types only, on a tensor of each type."""

from __future__ import annotations

from collections.abc import Callable

import torch

from conformance.direct_calls import Case, floats, ints

Tensor = torch.Tensor

#: Units in the last place between two libraries' functions: each promises less than two.
_LIBM = 4
#: Functions of reals, by where they are defined.
_ANYWHERE = ("atan", "cos", "erf", "exp", "expm1", "sigmoid", "sin", "tan", "tanh", "sinh", "cosh")
_FROM_ZERO_TO_ONE = ("acos", "asin")
_FROM_ONE = ("acosh", "log", "log10", "log1p", "log2", "reciprocal", "rsqrt", "sqrt", "asinh")


def small(dtype: torch.dtype, modulus: int, *shape: int) -> Tensor:
    """Numbers from 0 to below the modulus."""
    return (ints(*shape) % modulus).to(dtype)


def of_type(dtype: torch.dtype) -> list[Case]:
    """Every such call on tensors of a type."""
    found = [*_moves(dtype), *_comparisons(dtype)]
    if dtype is not torch.bool:
        found += _numbers(dtype)
    if dtype is not torch.float32:
        found += _real_functions(dtype)
    return found


def _moves(dtype: torch.dtype) -> list[Case]:
    x, y = small(dtype, 90, 2, 4, 5), small(dtype, 7, 2, 4, 5)
    mask = small(torch.bool, 2, 2, 4, 5)
    return [
        Case("aten::_to_copy.out", (x, False, None), lambda: x),
        Case("aten::_unsafe_view.out", (x, [8, 5]), lambda: x.reshape(8, 5)),
        Case("executorch_prim::et_view.default", (x, [4, 10]), lambda: x.reshape(4, 10)),
        Case("aten::alias_copy.out", (x,)),
        Case("aten::clone.out", (x, None), lambda: x),
        Case("aten::detach_copy.out", (x,)),
        Case("aten::lift_fresh_copy.out", (x,)),
        Case("aten::t_copy.out", (x[0],)),
        Case("aten::squeeze_copy.out", (x[:, :1],)),
        Case("aten::squeeze_copy.dim_out", (x[:, :1], 1)),
        Case("aten::transpose_copy.int_out", (x, -1, 0)),
        Case("aten::repeat.out", (x, [2, 1, 1, 3])),
        Case("aten::split_copy.Tensor_out", (x, 3, 1)),
        Case("aten::constant_pad_nd.out", (x, [1, 2, 0, 1], 1)),
        Case("aten::copy.out", (x, y[0], False), lambda: y[0].expand(2, 4, 5)),
        Case("aten::copy_", (x, y, False), lambda: y),
        Case("aten::masked_fill.Scalar_out", (x, mask, 1)),
        Case("cortex_m::maximum.out", (x, y[0]), lambda: torch.maximum(x, y[0])),
        Case("cortex_m::minimum.out", (x, y), lambda: torch.minimum(x, y)),
        Case("aten::minimum.out", (x, y)),
        Case("aten::add.Scalar_out", (x, 2, 1), lambda: x + 2),
        Case("aten::mul.Scalar_out", (x, 3), lambda: x * 3),
        Case("aten::div.Scalar_out", (x, 4), lambda: x / 4),
        Case("aten::div.out", (x, y + 1), lambda: x / (y + 1)),
    ]


def _comparisons(dtype: torch.dtype) -> list[Case]:
    x = small(dtype, 3, 2, 4, 5)
    names = ("eq", "ne", "lt", "le", "gt", "ge")
    return [
        *(Case(f"aten::{name}.Scalar_out", (x, 1)) for name in names),
        Case("aten::isnan.out", (x,), lambda: torch.isnan(x)),
        Case("aten::isinf.out", (x,), lambda: torch.isinf(x)),
    ]


def _numbers(dtype: torch.dtype) -> list[Case]:
    x, y = small(dtype, 90, 2, 4, 5), small(dtype, 7, 4, 5) + 1
    return [
        Case("aten::sub.Scalar_out", (x, 1, 2), lambda: x - 2),
        Case("aten::rsub.Scalar_out", (x, 100, 1), lambda: 100 - x),
        Case("aten::div.Scalar_mode_out", (x, 4, "floor")),
        Case("aten::div.Scalar_mode_out", (x, 4, "trunc")),
        Case("aten::floor_divide.out", (x, y), lambda: torch.floor_divide(x, y)),
    ]


def _real_functions(dtype: torch.dtype) -> list[Case]:
    """On integers and bools, which are converted to float32."""
    anywhere, unit = small(dtype, 3, 2, 4, 5), small(dtype, 2, 2, 4, 5)
    from_one = small(dtype, 1, 2, 4, 5) + 1 if dtype is torch.bool else anywhere + 1
    from_one = from_one.to(dtype)
    below_one = torch.zeros(2, 4, dtype=dtype)
    return [
        *(_near(name, anywhere) for name in _ANYWHERE),
        *(_near(name, unit) for name in _FROM_ZERO_TO_ONE),
        *(_near(name, from_one) for name in _FROM_ONE),
        _near("atanh", below_one),
        Case("aten::atan2.out", (anywhere, from_one), units=_LIBM),
        # The logarithm of a quotient of rounded numbers.
        Case("aten::logit.out", (anywhere, 0.25), units=2 * _LIBM),
    ]


def _near(name: str, x: Tensor) -> Case:
    return Case(f"aten::{name}.out", (x,), units=_LIBM)


def _bits(name: str) -> Case:
    x = small(torch.bool, 2, 2, 4, 5)
    function: Callable[[Tensor, Tensor], Tensor] = getattr(torch, f"bitwise_{name}")
    return Case(
        f"aten::bitwise_{name}.Scalar_out", (x, True), lambda: function(x, torch.tensor(True))
    )


def _shifts_of_bools() -> list[Case]:
    """ExecuTorch has them: a bool that is not 0, as one bit of an integer, moved."""
    x, y = small(torch.bool, 2, 2, 4, 5), small(torch.bool, 2, 4, 1)
    left, right = (f"aten::bitwise_{side}_shift" for side in ("left", "right"))
    return [
        Case(f"{left}.Tensor_out", (x, y), lambda: x),
        Case(f"{right}.Tensor_out", (x, y), lambda: x & ~y),
        Case(f"{left}.Tensor_Scalar_out", (x, True), lambda: x),
        Case(f"{right}.Tensor_Scalar_out", (x, True), lambda: torch.zeros_like(x)),
    ]


def others() -> list[Case]:
    """Calls of one element type. Scales are powers of two, so that nothing is rounded twice."""
    chosen = small(torch.uint8, 2, 4, 5)
    x, y = floats(4, 5), floats(4)[:, None]
    stored, wide = ints(3, 4, dtype=torch.int8), ints(3, 4) * 200
    return [
        *(_bits(name) for name in ("and", "or", "xor")),
        *_shifts_of_bools(),
        Case("aten::where.self_out", (chosen, x, y), lambda: torch.where(chosen.bool(), x, y)),
        Case("aten::logit.out", (x, 0.25), units=2 * _LIBM),
        Case("aten::var.out", (x, [1], True, False), lambda: x.var(1), units=16),
        *(
            Case(
                "cortex_m::dequantize_per_tensor.out",
                (values, 0.25, 3, low, -low - 1, kind),
                lambda values=values: (values.float() - 3) * 0.25,
            )
            for values, low, kind in ((stored, -128, 1), (wide, -32768, 2))
        ),
    ]
