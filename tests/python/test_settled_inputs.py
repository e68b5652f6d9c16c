# SPDX-License-Identifier: Apache-2.0
"""Inputs that are no tensors: constants of the program, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from executorch.exir import to_edge

from petite.compile import Options, compile_program
from petite.errors import PetiteError
from petite.pte import load_program
from petite.pte.program import (
    BoolValue,
    DoubleValue,
    Instruction,
    IntList,
    IntValue,
    JumpFalseCall,
    KernelCall,
    Method,
    MoveCall,
    NullValue,
)
from petite.pte.settled_inputs import settled_inputs


class Scaled(torch.nn.Module):
    """Takes numbers, a flag and None beside its tensors."""

    def forward(
        self, factor: float, x: torch.Tensor, plus: bool, none: None, y: torch.Tensor
    ) -> torch.Tensor:
        return x * y if plus and none is None and factor > 1 else x


def test_the_application_sees_tensors_alone(tmp_path: Path) -> None:
    inputs = (2.5, torch.ones(3), True, None, torch.ones(3))
    program = to_edge(torch.export.export(Scaled(), inputs)).to_executorch()
    (tmp_path / "scaled.pte").write_bytes(program.buffer)
    loaded = load_program(tmp_path / "scaled.pte")
    assert len(loaded.methods[0].inputs) == 5
    model = compile_program(loaded, Options())
    assert [port.shape for port in model.schedules[0].inputs] == [(3,), (3,)]
    assert "MODEL_INPUT1_COUNT 3" in model.files["model.h"]
    assert "INPUT2" not in model.files["model.h"]


def _method(*instructions: Instruction, outputs: tuple[int, ...] = ()) -> Method:
    """Values 0 to 4: an input of each kind that is no tensor, and a list that holds the first."""
    values = (
        *(IntValue(3), DoubleValue(0.5), BoolValue(True), NullValue()),
        IntList((3, 3), (0, 0)),
    )
    return Method("forward", values, (0, 1, 2, 3), outputs, instructions, (), (), (0,))


def test_what_nothing_reads_is_settled() -> None:
    assert settled_inputs(_method()) == {0, 1, 2, 3}
    assert settled_inputs(_method(MoveCall(4, 1))) == {1, 2, 3}


@pytest.mark.parametrize(
    "instruction", [KernelCall("aten::x", (2,)), JumpFalseCall(2, 0), MoveCall(2, 4)]
)
def test_what_an_instruction_reads_is_not(instruction: Instruction) -> None:
    assert settled_inputs(_method(instruction)) == {0, 1, 3}


def test_a_list_reads_its_items() -> None:
    assert settled_inputs(_method(KernelCall("aten::x", (4,)))) == {1, 2, 3}
    assert settled_inputs(_method(outputs=(1,))) == {0, 2, 3}


def test_a_number_that_is_read_is_refused(tmp_path: Path) -> None:
    """Export keeps an integer that is declared dynamic: it would change from call to call."""

    class Narrow(torch.nn.Module):
        def forward(self, x: torch.Tensor, n: int) -> torch.Tensor:
            return x * n

    exported = torch.export.export(
        Narrow(), (torch.ones(3), 2), dynamic_shapes={"x": None, "n": torch.export.Dim.DYNAMIC}
    )
    (tmp_path / "narrow.pte").write_bytes(to_edge(exported).to_executorch().buffer)
    with pytest.raises(PetiteError, match="input 1: is NullValue, but only tensors are supported"):
        compile_program(load_program(tmp_path / "narrow.pte"), Options())
