# SPDX-License-Identifier: Apache-2.0
"""Numbers that a program computes are those that ExecuTorch's own C++ runtime computes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from executorch.exir import schema
from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer

from conformance.direct_calls import Case, Known, Method
from petite.errors import PetiteError
from petite.ir.graph import Graph
from petite.pte import read_program
from petite.pte.lift import lift_method

Number = bool | int | float
_KINDS = {
    bool: (schema.Bool(False), torch.bool),
    int: (schema.Int(0), torch.int64),
    float: (schema.Double(0.0), torch.float32),
}


def program_of(operator: str, args: tuple[Any, ...], kind: type) -> bytes:
    """A file that computes a number, and gives a tensor filled with it."""
    method = Method()
    placeholder, dtype = _KINDS[kind]
    number = method.add(placeholder)
    values = [method.argument(value) for value in args]
    method._append(Case(operator, ()), [*values, number])
    shape, output = method.argument([2]), method.tensor(torch.zeros(2, dtype=dtype))
    method._append(Case("aten::full.out", ()), [shape, number, output, output])
    method.outputs.append(output)
    return method.file()


def lifted(data: bytes) -> Graph:
    """The graph of the only method."""
    program = read_program(data, "m.pte")
    return lift_method(program, program.methods[0])


ADD, SUB, MUL, DIV, FLOOR = (
    f"executorch_prim::{n}.Scalar" for n in ("add", "sub", "mul", "truediv", "floordiv")
)
_WHOLE = [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, -3), (0, -5)]
_REAL = [(7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (6.0, -3.0), (-1.0, 0.0), (1e30, 7.0)]
_MIXED = [(7, 2.5), (-7.5, 2), (3, -0.0)]
_TENSOR = torch.arange(6).reshape(2, 3)


def _calls() -> list[tuple[str, tuple[Any, ...], type]]:
    whole = [(op, pair, int) for op in (ADD, SUB, MUL, FLOOR) for pair in _WHOLE]
    real = [(op, pair, float) for op in (ADD, SUB, MUL, FLOOR, DIV) for pair in (*_REAL, *_MIXED)]
    compared = [
        (f"executorch_prim::{name}.Scalar", pair, bool)
        for name in ("eq", "lt", "le", "gt", "ge")
        for pair in ((2, 2), (-3, 2), (2.5, 2.5), (2, 2.5), (2**53 + 1, 2.0**53), (True, False))
    ]
    integers = [
        (f"executorch_prim::{name}", pair, int)
        for name in ("floordiv.int", "mod.int", "mod.Scalar", "sym_max.Scalar", "sym_min.Scalar")
        for pair in _WHOLE
    ]
    rounded = [
        (f"executorch_prim::{name}.Scalar", (x,), int)
        for name in ("ceil", "round", "trunc", "sym_int")
        for x in (0.5, 1.5, -2.5, -0.4, 2.7, 1e15 + 0.5)
    ]
    others: list[tuple[str, tuple[Any, ...], type]] = [
        (DIV, (7, -2), float),
        ("executorch_prim::neg.Scalar", (5,), int),
        ("executorch_prim::neg.Scalar", (-2.5,), float),
        *(("executorch_prim::sym_float.Scalar", (x,), float) for x in (3, True, 2.5)),
        *(("executorch_prim::sym_int.Scalar", (x,), int) for x in (3, True)),
        *(("executorch_prim::sym_not.Scalar", (x,), bool) for x in (True, False)),
        *(("executorch_prim::sym_ite.Scalar", (x, 3, 4), int) for x in (True, False)),
        ("executorch_prim::sym_ite.Scalar", (False, 3.5, 4.5), float),
        ("aten::sym_numel", (_TENSOR,), int),
        ("aten::sym_size.int", (_TENSOR, 1), int),
        ("aten::_local_scalar_dense", (Known(_TENSOR + 4),), int),
        ("aten::_local_scalar_dense", (Known(torch.tensor(2.5)),), float),
        ("aten::_local_scalar_dense", (Known(torch.tensor([True])),), bool),
    ]
    return [*whole, *real, *compared, *integers, *rounded, *others]


@pytest.mark.parametrize(
    ("operator", "args", "kind"), _calls(), ids=[f"{n}-{c[0]}" for n, c in enumerate(_calls())]
)
def test_a_number_is_that_of_the_runtime(operator: str, args: tuple[Any, ...], kind: type) -> None:
    data = program_of(operator, args, kind)
    inputs = [value for value in args if isinstance(value, torch.Tensor)]
    (expected,) = _load_for_executorch_from_buffer(data).run_method("forward", inputs)
    (output,) = lifted(data).outputs
    assert output.data is not None
    assert output.data.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("operator", "args", "kind", "message"),
    [
        (FLOOR, (1, 0), int, "there is no result for 1 and 0"),
        ("executorch_prim::mod.Scalar", (1, 0), int, "there is no result for 1 and 0"),
        ("executorch_prim::mod.Scalar", (1.5, 1), int, "there is no result for 1.5 and 1.0"),
        ("executorch_prim::trunc.Scalar", (float("inf"),), int, "there is no result for inf"),
        ("executorch_prim::round.Scalar", (float("nan"),), int, "there is no result for nan"),
        (MUL, (2**62, 2), int, "does not fit 64 bits"),
        (DIV, (1, 2), int, "cannot become DoubleValue"),
        ("aten::_local_scalar_dense", (_TENSOR,), int, "computed when the model runs"),
    ],
)
def test_a_number_that_is_not_known_is_refused(
    operator: str, args: tuple[Any, ...], kind: type, message: str
) -> None:
    with pytest.raises(PetiteError) as caught:
        lifted(program_of(operator, args, kind))
    text = str(caught.value)
    assert message in text and operator in text and "\n" not in text
