# SPDX-License-Identifier: Apache-2.0
"""Operators that stock lowering for Cortex-M never writes, from hand-made files; and refusals."""

from __future__ import annotations

from typing import Any

import pytest
from executorch.exir import schema
from executorch.exir.scalar_type import ScalarType

import cli_files
from petite.compile import Options, compile_program
from petite.errors import PetiteError
from petite.pte import read_program
from pte_files import planned, tensor

FLOAT = ScalarType.FLOAT


class File:
    """Values of a method with one call, each tensor in memory of its own."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def tensor(self, *sizes: int, dtype: ScalarType = FLOAT) -> int:
        """A tensor; its index."""
        at = planned(1024 * len(self.values))
        return self.add(tensor(list(sizes), dtype, allocation_info=at))

    def add(self, value: Any) -> int:
        """Any value; its index."""
        self.values.append(value)
        return len(self.values) - 1

    def integers(self, *numbers: int) -> int:
        """A list of integers; its index."""
        return self.add(schema.IntList([self.add(schema.Int(n)) for n in numbers]))

    def kernels(self, operator: tuple[str, str], args: list[int], inputs: list[int]) -> list[str]:
        """Compile it, the output being value 1; the kernels that it calls."""
        made = cli_files.method(
            operator=operator, values=self.values, args=args, inputs=inputs, sizes=(4096,)
        )
        data = cli_files.program(made)
        model = compile_program(read_program(data, "m.pte"), Options())
        return [call.kernel for call in model.schedules[0].calls]


@pytest.mark.parametrize("dtype", [FLOAT, ScalarType.CHAR, ScalarType.LONG])
def test_places_of_a_maximum_pooling(dtype: ScalarType) -> None:
    """Value 1 is the places: the values are not computed."""
    file = File()
    image = file.tensor(1, 2, 4, 4, dtype=dtype)
    places = file.tensor(1, 2, 2, 2, dtype=ScalarType.LONG)
    values = file.tensor(1, 2, 2, 2, dtype=dtype)
    window, none, one = file.integers(2, 2), file.integers(0, 0), file.integers(1, 1)
    ceil, both = file.add(schema.Bool(False)), file.add(schema.TensorList([values, places]))
    args = [image, window, window, none, one, ceil, values, places, both]
    kernels = file.kernels(("aten::max_pool2d_with_indices", "out"), args, [image])
    suffix = {FLOAT: "f32_s64", ScalarType.CHAR: "s8_s64", ScalarType.LONG: "s64"}[dtype]
    assert kernels == [f"window_max_place_{suffix}"]


def test_logit() -> None:
    file = File()
    source, output = file.tensor(2, 3), file.tensor(2, 3)
    args = [source, file.add(schema.Double(0.1)), output, output]
    kernels = file.kernels(("aten::logit", "out"), args, [source])
    names = ["clamp_f32", "binary_sub_f32", "binary_div_f32", "unary_log_f32"]
    assert kernels == names


@pytest.mark.parametrize("trains", [False, True])
def test_batch_norm_with_statistics(trains: bool) -> None:
    """Outside training only."""
    file = File()
    source, output = file.tensor(2, 3, 4), file.tensor(2, 3, 4)
    parts = [file.tensor(3) for _ in range(4)]
    flag, momentum = file.add(schema.Bool(trains)), file.add(schema.Double(0.1))
    nothing = [file.tensor(0), file.tensor(0)]
    both = file.add(schema.TensorList([output, *nothing]))
    args = [source, *parts, flag, momentum, momentum, output, *nothing, both]
    operator = ("aten::_native_batch_norm_legit", "out")
    if trains:
        with pytest.raises(PetiteError, match="trains; call eval"):
            file.kernels(operator, args, [source, *parts])
    else:
        kernels = file.kernels(operator, args, [source, *parts])
        assert kernels == ["binary_add_f32", "unary_rsqrt_f32", "batch_norm_f32"]


@pytest.mark.parametrize("trains", [True, None])
def test_dropout_in_training_is_refused(trains: bool | None) -> None:
    file = File()
    source, output = file.tensor(2, 3), file.tensor(2, 3)
    mask = file.tensor(2, 3, dtype=ScalarType.BOOL)
    flag = file.add(schema.Null() if trains is None else schema.Bool(trains))
    both = file.add(schema.TensorList([output, mask]))
    args = [source, file.add(schema.Double(0.5)), flag, output, mask, both]
    with pytest.raises(PetiteError, match="drops values at random"):
        file.kernels(("aten::native_dropout", "out"), args, [source])


@pytest.mark.parametrize(("dims", "message"), [((2,), "cannot reduce"), ((0, -2), "cannot reduce")])
def test_dimensions_that_are_not_there_are_refused(dims: tuple[int, ...], message: str) -> None:
    file = File()
    source, output = file.tensor(2, 3), file.tensor(2)
    args = [source, file.integers(*dims), file.add(schema.Bool(False)), output, output]
    with pytest.raises(PetiteError, match=message):
        file.kernels(("aten::amax", "out"), args, [source])


def test_the_largest_of_nothing_is_refused() -> None:
    file = File()
    source, output = file.tensor(2, 0), file.tensor(2)
    args = [source, file.integers(1), file.add(schema.Bool(False)), output, output]
    with pytest.raises(PetiteError, match="no elements"):
        file.kernels(("aten::amax", "out"), args, [source])
