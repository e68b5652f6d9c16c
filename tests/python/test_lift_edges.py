# SPDX-License-Identifier: Apache-2.0
"""Arguments at the edge of what operators take: right, or one line that says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from executorch.exir import schema
from executorch.exir.scalar_type import ScalarType

import cli_files
from petite.compile import CompiledModel, Options, compile_program
from petite.errors import PetiteError
from petite.pte import read_program
from pte_files import planned, tensor


def compiled(
    operator: str, shape: Sequence[int], arguments: Sequence[Any], result: Sequence[int]
) -> CompiledModel:
    """A model of one call: of a float32 tensor, then of the arguments."""
    values = [
        tensor(list(shape), ScalarType.FLOAT, allocation_info=planned(0)),
        tensor(list(result), ScalarType.FLOAT, allocation_info=planned(48)),
    ]
    for argument in arguments:
        if isinstance(argument, int):
            values.append(schema.Int(argument))
        else:
            values += [schema.Int(number) for number in argument]
            places = range(len(values) - len(argument), len(values))
            values.append(schema.IntList(list(places)))
    at = [0]
    number = 2
    for argument in arguments:
        number += 0 if isinstance(argument, int) else len(argument)
        at.append(number)
        number += 1
    name, overload = operator.rsplit(".", 1)
    made = cli_files.method(operator=(name, overload), values=values, args=[*at, 1, 1])
    return compile_program(read_program(cli_files.program(made), "m.pte"), Options())


@pytest.mark.parametrize(
    ("operator", "shape", "arguments", "result"),
    [
        ("aten::flip.out", (), [[0]], ()),
        ("aten::flip.out", (2, 3), [[-1, 0]], (2, 3)),
        ("aten::select_copy.int_out", (2, 3), [-1, -3], (2,)),
        ("aten::transpose_copy.int_out", (), [0, -1], ()),
        ("aten::repeat.out", (2,), [[3, 2]], (3, 4)),
    ],
)
def test_right(
    operator: str, shape: Sequence[int], arguments: Sequence[Any], result: Sequence[int]
) -> None:
    model = compiled(operator, shape, arguments, result)
    assert model.schedules[0].outputs[0].shape == tuple(result)
    assert model.schedules[0].states == []


@pytest.mark.parametrize(
    ("operator", "shape", "arguments", "result", "message"),
    [
        ("aten::flip.out", (2, 3), [[2]], (2, 3), "has no dimension 2"),
        ("aten::select_copy.int_out", (2, 3), [0, 2], (3,), "has no element 2 along dimension 0"),
        ("aten::select_copy.int_out", (0, 3), [0, 0], (3,), "has no element 0 along dimension 0"),
        ("aten::select_copy.int_out", (), [0, 0], (), "has no dimension 0"),
        ("aten::permute_copy.out", (2, 3), [[0, 0]], (2, 3), "is no permutation of"),
        ("aten::transpose_copy.int_out", (2, 3), [0, 5], (2, 3), "has no dimension 5"),
        ("aten::repeat.out", (2, 3), [[2]], (2, 3), "1 counts do not fit"),
    ],
)
def test_wrong(
    operator: str,
    shape: Sequence[int],
    arguments: Sequence[Any],
    result: Sequence[int],
    message: str,
) -> None:
    with pytest.raises(PetiteError, match=message) as caught:
        compiled(operator, shape, arguments, result)
    assert "\n" not in str(caught.value)


def test_an_empty_tensor_is_no_state() -> None:
    """It has no bytes that anything could have written before."""
    model = compiled("aten::clone.out", (0, 3), [0], (0, 3))
    assert model.schedules[0].states == [] and model.placement.state_size == 0


def divided(scale: float) -> CompiledModel:
    """A model of one division, of an int8 tensor by itself."""
    values = [
        *(tensor([4], ScalarType.CHAR, allocation_info=planned(16 * n)) for n in range(2)),
        *(schema.Int(0) for _ in range(3)),
        schema.Double(scale),
    ]
    made = cli_files.method(
        operator=("cortex_m::quantized_div", "out"),
        values=values,
        args=[0, 2, 0, 3, 4, 5, 1, 1],
    )
    return compile_program(read_program(cli_files.program(made), "m.pte"), Options())


def test_scales_of_a_division() -> None:
    """Those that a loaded program may have, and no others."""
    for scale in (0.0, 1e-45, 0.5, 3.4028234663852886e38):
        (call,) = divided(scale).schedules[0].calls
        assert call.kernel == "div_s8"
    for scale in (-0.5, 3.5e38, float("inf"), float("nan")):
        with pytest.raises(PetiteError, match="is no scale"):
            divided(scale)
