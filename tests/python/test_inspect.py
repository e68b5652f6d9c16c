# SPDX-License-Identifier: Apache-2.0
"""``petite inspect`` tells the truth, also about programs that cannot be compiled."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from executorch.exir import schema
from executorch.exir.scalar_type import ScalarType

import cli_files
from petite.cli.inspect_text import describe
from petite.cli.main import main
from petite.compile import Options, compile_program
from petite.inspect import ProgramFacts, inspect_program
from petite.inspect.dead_weight import constant_facts
from petite.pte import read_program
from pte_files import pte_file, tensor

KWS = Path(__file__).resolve().parents[2] / "samples" / "kws" / "model" / "kws.pte"


def facts_of(data: bytes) -> ProgramFacts:
    return inspect_program(read_program(data, "m.pte"))


def test_a_program_with_a_state() -> None:
    facts = facts_of(cli_files.counter())
    (method,) = facts.methods
    assert [(o.name, o.count, o.supported) for o in method.operators] == [
        ("aten::add.out", 1, True),
        ("aten::copy_", 1, True),
    ]
    assert [i.outputs for i in method.instructions] == [("float32[3]",), ("float32[3]",)]
    assert method.states is not None
    (state,) = method.states
    assert (state.dtype, state.bytes, state.has_initial) == ("float32", 12, False)
    assert facts.problem is None and facts.compiled_states == 16
    model = compile_program(read_program(cli_files.counter(), "m.pte"), Options())
    assert method.arena == method.arena_bound == model.placement.arena_size == 16


def test_order_in_memory() -> None:
    facts = facts_of(pte_file("convolution"))
    (given,) = facts.methods[0].inputs
    assert given is not None
    assert given.shape == (1, 2, 6, 5) and given.stored_order == (0, 1, 2, 3)
    assert facts.compiled_constants == facts.constants.needed == facts.constants.in_file


UNSUPPORTED: dict[str, tuple[bytes, str]] = {
    "operator": (
        cli_files.program(cli_files.method(operator=("aten::erfinv", "out"))),
        "aten::erfinv.out",
    ),
    "delegate": (pte_file("delegate inline"), "delegate BackendWithCompilerDemo"),
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_what_is_not_supported_is_marked(name: str) -> None:
    data, operator = UNSUPPORTED[name]
    facts = facts_of(data)
    assert facts.problem is not None and facts.compiled_constants is None
    assert [o.supported for o in facts.methods[0].operators if o.name == operator] == [False]
    marked = [line for line in describe(facts).splitlines() if line.endswith("not supported")]
    assert any(operator in line for line in marked)
    assert "cannot be compiled: m.pte: method forward: instruction 0" in describe(facts)


@pytest.mark.parametrize(
    "data",
    [cli_files.dynamic(), cli_files.of_type(ScalarType.DOUBLE), pte_file("everything inline")],
    ids=["dynamic", "float64", "everything"],
)
def test_other_programs_that_cannot_be_compiled(data: bytes) -> None:
    facts = facts_of(data)
    assert facts.problem is not None
    assert all(o.supported for m in facts.methods for o in m.operators if "aten::relu" in o.name)
    assert describe(facts)


def _with_constants(*constants: tuple[Any, bytes, bool]) -> bytes:
    """A relu beside constants: (tensor, contents, whether an instruction refers to it)."""
    made = cli_files.method()
    for value, _, used in constants:
        made.values.append(schema.EValue(value))
        if used:
            made.chains[0].instructions[0].instr_args.args.insert(1, len(made.values) - 1)
    return cli_files.program(made, constants=[data for _, data, _ in constants])


def test_dead_weight() -> None:
    weights, turned = bytes(range(1, 13)), bytes(range(12, 0, -1))
    data = _with_constants(
        (tensor([3, 2, 2, 1], data_buffer_idx=1), weights, True),
        (tensor([3, 1, 2, 2], data_buffer_idx=2), turned, False),
        (tensor([3], ScalarType.FLOAT, data_buffer_idx=3), bytes(range(12)), False),
        (tensor([2], ScalarType.LONG, data_buffer_idx=4), bytes(16), False),
        (tensor([5], ScalarType.INT, data_buffer_idx=5), bytes(20), False),
        (tensor([7], data_buffer_idx=6), bytes(range(7)), False),
        (tensor([12], data_buffer_idx=1), weights, False),  # the same bytes: no weight
    )
    facts = constant_facts(read_program(data, "m.pte"))
    assert facts.dead == {
        "weights stored again in another order": 12,
        "scales (float32)": 12,
        "zero points (int64)": 16,
        "zero points (int32)": 20,
        "read by no instruction": 7,
    }
    assert (facts.in_file, facts.needed) == (79, 12)


def test_json_is_one_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.pte").write_bytes(cli_files.counter())
    assert main(["inspect", "m.pte", "--json"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert json.loads(printed) == json.loads(json.dumps(asdict(facts_of(cli_files.counter()))))


def test_the_kernel_of_each_step_on_a_core(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.pte").write_bytes(KWS.read_bytes())
    assert main(["inspect", "m.pte", "--target", "qemu-m55"]) == 0
    text = capsys.readouterr().out
    assert re.search(
        r"\(cortex_m::quantized_conv2d\.out\) +petite_pointwise_conv2d_s8_mve", text
    ), text
    assert re.search(r"\d of 16 steps run without Helium\.", text)
    slide = r"quantized_conv2d\.out\) \(its input moves, to save RAM\) +petite_move_mve"
    assert len(re.findall(slide, text)) == 3, text
    assert main(["inspect", "m.pte", "--target", "qemu-m0"]) == 0
    text = capsys.readouterr().out
    assert "petite_conv2d_s8_scalar" in text and "without" not in text
    assert main(["inspect", "m.pte", "--target", "qemu-m4", "--instruction-set", "mve"]) == 1
    assert "qemu-m4's core Cortex-M4 lacks it" in capsys.readouterr().err


def test_tables_are_readable() -> None:
    text = describe(facts_of(cli_files.counter()))
    assert max(map(len, text.splitlines())) <= 100
    for line in (
        "tensor    type     shape  order in memory  stored",
        "input 0   float32  [3]    [0]              [3]",
        "aten::add.out      1",
        "state   type     bytes  initial contents",
        "forward                           96         16           16             2",
    ):
        assert line in text
