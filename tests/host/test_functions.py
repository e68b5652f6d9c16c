# SPDX-License-Identifier: Apache-2.0
"""Every function that works element by element, on every element type that it is there for.

Expected values are numpy's and, for float32, those of numpy in double, rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from math import erf
from typing import Any

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import At, KernelRunner
from petite.ir.dtype import DType
from petite.ir.functions import FUNCTIONS, cast_kernel

Array = cases.Array
UNARY = [f for f in FUNCTIONS.values() if f.operands == 1]
BINARY = [f for f in FUNCTIONS.values() if f.operands == 2]
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-42, 3e38, -3e38, 0.5, 2.5], np.float32)

#: Units in the last place by which a correct result may differ. Two for libm's own error (newlib
#: and glibc promise less than one and a half), one for each rounding of what is made of it.
LIBM_ULPS = {"rsqrt": 1}
EXACT = ("abs", "neg", "sign", "not", "ceil", "floor", "trunc", "round", "sqrt", "reciprocal")
TESTS = ("isnan", "isinf")


def values_of(rng: cases.Rng, dtype: DType, shape: tuple[int, ...]) -> Array:
    """Small numbers, and some at the ends of the range."""
    if dtype is DType.BOOL:
        return rng.integers(0, 2, shape).astype(np.bool_)
    if dtype is DType.F32:
        values = rng.normal(0, 3, shape).astype(np.float32)
        return np.where(rng.random(shape) < 0.2, rng.choice(SPECIAL, shape), values)
    limits = np.iinfo(dtype.numpy)
    values = rng.integers(max(-9, limits.min), 10, shape).astype(dtype.numpy)
    ends = rng.choice(np.array([limits.min, limits.max], dtype.numpy), shape)
    return np.where(rng.random(shape) < 0.3, ends, values)


def _gelu(x: Array) -> Array:
    x = np.where(x == -np.inf, -1e9, x)  # the limit is 0
    return np.array([v * 0.5 * (1 + erf(v / np.sqrt(2.0))) for v in x.ravel()])


def _gelu_tanh(x: Array) -> Array:
    x = np.where(x == -np.inf, -1e9, x)
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


FLOAT: dict[str, Callable[[Array], Array]] = {
    "neg": np.negative,
    "round": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "erf": lambda x: np.array([erf(v) for v in x.ravel()]),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
}


def expected_unary(name: str, x: Array) -> Array:
    """The result, of the input's type or bool; float32 rounded once from double."""
    if name == "sign":
        return np.where(np.isnan(x), 0, np.sign(x)).astype(x.dtype)
    if name == "not":
        return ~x
    if name in TESTS:
        return np.asarray(getattr(np, name)(x))
    function = FLOAT.get(name) or getattr(np, name)
    if x.dtype == np.float32:
        return np.asarray(function(x.astype(np.float64))).astype(np.float32)
    return np.asarray(getattr(np, {"neg": "negative"}.get(name, name))(x))


def assert_near(actual: Array, wanted: Array, ulps: int, scale: Array | float = 1e-38) -> None:
    """Equal, but for so many units in the last place of float32 (of ``scale`` where larger)."""
    assert np.array_equal(np.isnan(actual), np.isnan(wanted))
    same: Array = (actual == wanted) | np.isnan(wanted)
    with np.errstate(all="ignore"):
        step = np.spacing(np.maximum(np.abs(wanted), np.abs(np.float32(scale))))
        near = np.abs(actual - wanted) <= ulps * step
    assert (same | near).all(), (actual[~(same | near)][:5], wanted[~(same | near)][:5])


def ids(value: Any) -> str:
    return value.name if hasattr(value, "name") else str(value)


@pytest.mark.parametrize(("function", "dtype"), [(f, d) for f in UNARY for d in f.dtypes], ids=ids)
def test_unary(kernels: KernelRunner, function: Any, dtype: DType) -> None:
    x = values_of(np.random.default_rng(1), dtype, (700,))
    kernel = function.kernel(dtype)
    output = np.zeros(700, function.result(dtype).numpy)
    actual = kernels.run(kernel, input=x, output=output, count=700)
    with np.errstate(all="ignore"):
        wanted = expected_unary(function.name, x)
    if dtype is DType.F32 and function.name not in (*EXACT, *TESTS):
        # Of gelu's two factors one vanishes for negative x, with an error relative to 1.
        scale = x if function.name.startswith("gelu") else 1e-38
        assert_near(actual, wanted, LIBM_ULPS.get(function.name, 2), scale)
    else:
        np.testing.assert_array_equal(actual, wanted)
    if output.dtype == x.dtype:
        in_place = kernels.run_in_memory(kernel, x, input=At(0), output=At(0), count=700)
        np.testing.assert_array_equal(in_place, actual)


PAIRS = [(a, b) for a in DType for b in DType if a is not b]


def expected_cast(x: Array, to: DType) -> Array:
    """Truncated towards zero and limited to int32 (or int64), then reduced to the type's bits."""
    if to is DType.BOOL or x.dtype != np.float32:
        return x.astype(to.numpy)
    if to is DType.F32:
        return x
    wide = np.iinfo(np.int64 if to is DType.S64 else np.int32)
    whole = [0 if np.isnan(v) else v for v in x.astype(np.float64)]
    limited = [wide.max if v > wide.max else wide.min if v < wide.min else int(v) for v in whole]
    return np.array(limited, np.int64).astype(to.numpy)


@pytest.mark.parametrize(("source", "to"), PAIRS, ids=ids)
def test_cast(kernels: KernelRunner, source: DType, to: DType) -> None:
    x = values_of(np.random.default_rng(2), source, (500,))
    if source is DType.F32:
        x[:5] = [2147483647.0, -2147483648.0, 9.3e18, -9.3e18, 300.7]
    output = np.zeros(500, to.numpy)
    actual = kernels.run(cast_kernel(source, to), input=x, output=output, count=500)
    np.testing.assert_array_equal(actual, expected_cast(x, to))


def _power(a: int, b: int) -> int:
    if b >= 0:
        return pow(a, b, 2**64)
    return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)


def _trunc(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


INTEGER: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "min": min,
    "max": max,
    "pow": _power,
    "div_trunc": _trunc,
    "div_floor": lambda a, b: a // b,
    "fmod": lambda a, b: a - b * _trunc(a, b),
    "remainder": lambda a, b: a % b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}
DIVIDING = ("div_trunc", "div_floor", "fmod", "remainder")
COMPARING = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
FLOAT_PAIR: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "min": np.minimum,
    "max": np.maximum,
    "fmod": np.fmod,
    "div_trunc": lambda a, b: np.trunc(a / b),
    "remainder": np.remainder,
    "pow": lambda a, b: np.power(a.astype(np.float64), b).astype(np.float32),
    "atan2": lambda a, b: np.arctan2(a.astype(np.float64), b).astype(np.float32),
    "div_floor": np.floor_divide,
}


def _shifted(name: str, a: int, b: int, bits: int) -> int:
    """Shifts that C has, and the limit of shifting further for those that it has not."""
    outside = not 0 <= b < bits
    if name == "shift_left":
        return 0 if outside else a << b
    return -int(a < 0) if outside else a >> b


def expected_binary(name: str, a: Array, b: Array) -> Array:
    """Python's integers of any size, reduced; numpy's float32."""
    if name in COMPARING:
        return np.asarray(COMPARING[name](a, b))
    if a.dtype == np.float32:
        return FLOAT_PAIR[name](a, b)
    pairs = zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)
    bits = 8 * a.dtype.itemsize
    if name.startswith("shift"):
        numbers = [_shifted(name, x, y, bits) for x, y in pairs]
    else:
        numbers = [INTEGER[name](x, y) for x, y in pairs]
    if a.dtype == np.bool_:
        return np.array(numbers).reshape(a.shape) != 0
    numbers = [n % 2**bits for n in numbers]
    return (
        np.array(numbers, np.uint64).astype(f"u{a.dtype.itemsize}").view(a.dtype).reshape(a.shape)
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("function", "dtype"), [(f, d) for f in BINARY for d in f.dtypes], ids=ids)
def test_binary(kernels: KernelRunner, function: Any, dtype: DType, seed: int) -> None:
    """Broadcasts of every rank up to six."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(n) for n in rng.integers(1, 4, int(rng.integers(3, 7))))
    inputs = [
        values_of(rng, dtype, tuple(n if rng.random() < 0.7 else 1 for n in shape))
        for _ in range(2)
    ]
    if function.name in DIVIDING and dtype is not DType.F32:
        inputs[1][inputs[1] == 0] = 3
    shape = np.broadcast_shapes(inputs[0].shape, inputs[1].shape)
    spread = [np.broadcast_to(array, shape) for array in inputs]
    actual = kernels.run(
        function.kernel(dtype),
        input1=inputs[0],
        input2=inputs[1],
        output=np.zeros(shape, function.result(dtype).numpy),
        **walk_of(shape, spread),
    )
    with np.errstate(all="ignore"):
        wanted = np.asarray(expected_binary(function.name, *spread))
    if dtype is DType.F32 and function.name in ("pow", "atan2"):
        assert_near(actual, wanted, 2)
    else:
        np.testing.assert_array_equal(actual, wanted)


def walk_of(shape: tuple[int, ...], spread: list[Array], first: int = 1) -> dict[str, Any]:
    """Sizes and strides of a walk over broadcast operands."""
    strides = {
        f"stride{number}": oracle.leading_ones(oracle.element_strides(array), fill=0)
        for number, array in enumerate(spread, first)
    }
    return {"dims": oracle.leading_ones(shape), **strides}


@pytest.mark.parametrize("dtype", [DType.S8, DType.U8, DType.S16, DType.S32, DType.S64], ids=ids)
@pytest.mark.parametrize("name", DIVIDING)
def test_integer_division_by_zero(kernels: KernelRunner, name: str, dtype: DType) -> None:
    """PETITE_ERR_DATA, not a trap."""
    a, b = np.array([7, 7], dtype.numpy), np.array([2, 0], dtype.numpy)
    status, _ = kernels.call(
        FUNCTIONS[name].kernel(dtype),
        input1=a,
        input2=b,
        output=np.zeros_like(a),
        **walk_of((2,), [a, b]),
    )
    assert status == -11


@pytest.mark.parametrize("dtype", list(DType), ids=ids)
def test_where(kernels: KernelRunner, dtype: DType) -> None:
    """Any element size; the condition and the values broadcast."""
    rng = np.random.default_rng(3)
    condition = rng.integers(0, 2, (4, 1, 5)).astype(np.bool_)
    first, second = values_of(rng, dtype, (4, 3, 1)), values_of(rng, dtype, (3, 5))
    shape = (4, 3, 5)
    spread = [np.broadcast_to(array, shape) for array in (condition, first, second)]
    actual = kernels.run(
        "where",
        condition=condition,
        input1=first,
        input2=second,
        output=np.zeros(shape, dtype.numpy),
        element_size=dtype.size,
        **walk_of(shape, spread, 0),
    )
    np.testing.assert_array_equal(actual, np.where(*spread))
