# SPDX-License-Identifier: Apache-2.0
"""What follows from constants alone is in the file, and is what the kernels would compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from graph_maker import GraphMaker, kinds
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.ir.verify import verify
from petite.passes.fold_constants import fold_constants

A = [[-128, 127, 3], [7, -7, 0]]
B = [[-1, 2, -2], [3, 2, 5]]


def known(data: Any, dtype: DType) -> Value:
    """A constant."""
    array = np.array(data, dtype.numpy)
    return Value("known", dtype, array.shape, data=array)


def folded(make: GraphMaker, value: Value) -> Value:
    """The value after the pass; the graph is still well formed."""
    make.output(value)
    fold_constants(make.graph)
    verify(make.graph)
    return value


def function(name: str, dtype: DType, result: DType | None = None) -> Value:
    """A function of A, or of A and B, after the pass."""
    make = GraphMaker()
    count = 1 if name in ("abs", "neg", "sign", "not") else 2
    inputs = [known(data, dtype) for data in (A, B)[:count]]
    output = make.value((2, 3), result or dtype)
    return folded(make, make.emit(ops.Elementwise, inputs, output, function=name))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("add", [[127, -127, 1], [10, -5, 5]]),
        ("sub", [[-127, 125, 5], [4, -9, -5]]),
        ("mul", [[-128, -2, -6], [21, -14, 0]]),
        ("abs", [[-128, 127, 3], [7, 7, 0]]),
        ("neg", [[-128, -127, -3], [-7, 7, 0]]),
        ("sign", [[-1, 1, 1], [1, -1, 0]]),
        ("min", [[-128, 2, -2], [3, -7, 0]]),
        ("max", [[-1, 127, 3], [7, 2, 5]]),
        ("div_floor", [[-128, 63, -2], [2, -4, 0]]),
        ("remainder", [[0, 1, -1], [1, 1, 0]]),
        ("fmod", [[0, 1, 1], [1, -1, 0]]),
        ("and", [[-128, 2, 2], [3, 0, 0]]),
        ("not", [[127, -128, -4], [-8, 6, -1]]),
    ],
)
def test_integers_wrap(name: str, expected: list[list[int]]) -> None:
    data = function(name, DType.S8).data
    assert data is not None and data.dtype == np.int8
    assert data.tolist() == expected


@pytest.mark.parametrize("name", ["pow", "div_trunc"])
def test_other_functions_are_left_to_the_device(name: str) -> None:
    assert function(name, DType.S8).data is None


@pytest.mark.parametrize("name", ["min", "max", "pow", "fmod"])
def test_float_functions_that_do_not_round_once_are_left(name: str) -> None:
    assert function(name, DType.F32).data is None


def test_floats_round_once() -> None:
    data = function("div", DType.F32).data
    assert data is not None and data.dtype == np.float32
    expected = np.array(A, np.float32) / np.array(B, np.float32)
    np.testing.assert_array_equal(data, expected)


def test_a_comparison_is_a_bool() -> None:
    data = function("lt", DType.F32, DType.BOOL).data
    assert data is not None and data.dtype == np.bool_
    assert data.tolist() == [[True, False, False], [False, True, True]]


@pytest.mark.parametrize("name", ["div_floor", "remainder", "fmod"])
def test_division_by_zero_is_an_error_of_the_device(name: str) -> None:
    make = GraphMaker()
    inputs = [known([1, 2], DType.S32), known([1, 0], DType.S32)]
    value = make.emit(ops.Elementwise, inputs, make.value((2,), DType.S32), function=name)
    assert folded(make, value).data is None


@pytest.mark.parametrize(
    ("source", "target", "data", "expected"),
    [
        (DType.S32, DType.S8, [300, -129], [44, 127]),
        (DType.S64, DType.F32, [2**24 + 1, -3], [2.0**24, -3.0]),
        (DType.F32, DType.S16, [-2.75, 32766.5], [-2, 32766]),
        (DType.F32, DType.BOOL, [0.0, float("nan")], [False, True]),
        (DType.BOOL, DType.S64, [True, False], [1, 0]),
        (DType.F32, DType.S8, [1.0, 200.0], None),
        (DType.F32, DType.S32, [float("nan"), 1.0], None),
        (DType.F32, DType.S64, [float("inf"), 1.0], None),
    ],
)
def test_casts(source: DType, target: DType, data: list[Any], expected: list[Any] | None) -> None:
    make = GraphMaker()
    value = make.emit(ops.Cast, [known(data, source)], make.value((2,), target))
    result = folded(make, value).data
    assert (None if result is None else result.tolist()) == expected


_X = known(np.arange(24).reshape(2, 3, 4), DType.S16)
_N = np.arange(24).reshape(2, 3, 4)
_MOVES: list[tuple[Callable[[GraphMaker], Value], Any]] = [
    (lambda m: m.view(_X, (4, 6)), _N.reshape(4, 6)),
    (lambda m: m.permute(_X, (2, 0, 1)), _N.transpose(2, 0, 1)),
    (lambda m: m.slice(_X, 2, 1, 4, 2), _N[:, :, 1::2]),
    (lambda m: m.concat([_X, _X], 1), np.concatenate([_N, _N], 1)),
    (
        lambda m: m.emit(ops.Expand, [known([[1], [2]], DType.S16)], m.value((3, 2, 2), DType.S16)),
        np.broadcast_to([[1], [2]], (3, 2, 2)),
    ),
    (
        lambda m: m.emit(
            ops.Where,
            [known([True, False], DType.BOOL), known([[1], [2]], DType.S16), known(7, DType.S16)],
            m.value((2, 2), DType.S16),
        ),
        [[1, 7], [2, 7]],
    ),
    (
        lambda m: m.emit(
            ops.Take,
            [_X, known([[3], [5]], DType.S32)],
            m.value((2, 3), DType.S16),
            strides=(8, 1),
            start=1,
            reach=5,
        ),
        [[4, 5, 6], [14, 15, 16]],
    ),
]


@pytest.mark.parametrize("number", range(len(_MOVES)))
def test_moves(number: int) -> None:
    make = GraphMaker()
    move, expected = _MOVES[number]
    data = folded(make, move(make)).data
    assert data is not None
    np.testing.assert_array_equal(data, expected)


@pytest.mark.parametrize(
    ("index", "from_end", "expected"),
    [
        ([0, 2], False, [10, 17]),
        ([-3, -1], True, [10, 17]),
        ([0, 3], True, None),
        ([0, -4], True, None),
        ([0, -1], False, None),
    ],
)
def test_offsets(index: list[int], from_end: bool, expected: list[int] | None) -> None:
    make = GraphMaker()
    inputs = [known(index, DType.S64), known([10, 11], DType.S32)]
    value = make.emit(
        ops.Offsets, inputs, make.value((2,), DType.S32), size=3, scale=3, from_end=from_end
    )
    result = folded(make, value).data
    assert (None if result is None else result.tolist()) == expected


def test_chains_are_folded_to_their_end() -> None:
    make = GraphMaker()
    x = make.input((2, 3), DType.F32)
    moved = make.permute(known([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], DType.F32), (1, 0))
    total = make.emit(
        ops.Elementwise, [moved, moved], make.value((2, 3), DType.F32), function="add"
    )
    make.output(
        make.emit(ops.Elementwise, [x, total], make.value((2, 3), DType.F32), function="mul")
    )
    fold_constants(make.graph)
    assert kinds(make.graph) == ["Elementwise"]


def test_what_would_grow_large_is_left() -> None:
    make = GraphMaker()
    value = make.emit(ops.Expand, [known(1.0, DType.F32)], make.value((33, 32), DType.F32))
    assert folded(make, value).data is None
