# SPDX-License-Identifier: Apache-2.0
"""Tables of operators for programs that are loaded: `petite select` and the catalogue behind it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import cli_files
from petite.cli.main import main
from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.passes.lower.variants import IMPLEMENTATIONS
from petite.pte.lift import OPERATORS
from petite.select.catalogue import ENTRIES
from petite.select.entry import _ORDER, FAST, Entry
from petite.select.table import table_files
from petite.targets import InstructionSet

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
SINE = RUNTIME.parent / "samples" / "hello_model" / "model" / "sine.pte"


def test_entries_are_in_order_and_each_is_there_once() -> None:
    keys = [entry.key for entry in ENTRIES]
    assert keys == sorted(set(keys))


def test_types_are_ordered_as_in_c() -> None:
    text = (RUNTIME / "include" / "petite" / "plan.h").read_text(encoding="utf-8")
    numbers = {name: int(n) for name, n in re.findall(r"PETITE_(\w+) = (\d+),", text)}
    assert {name: numbers[name] for name in _ORDER} == _ORDER


def test_what_is_loaded_can_be_compiled_too() -> None:
    assert {entry.operator for entry in ENTRIES} <= set(OPERATORS)


def test_fast_kernels_take_the_parameters_of_the_scalar_ones() -> None:
    """A loaded program has none of the arrays that others read."""
    for kernel, variants in FAST.items():
        assert variants <= IMPLEMENTATIONS[kernel]
        for variant in variants:
            assert not list((RUNTIME / "kernels").glob(f"*/{kernel}_{variant}.h")), kernel


@pytest.mark.parametrize(
    ("core", "symbol"), [("mve", "plain_linear_s8_mve"), ("dsp", "linear_s8_scalar")]
)
def test_weights_are_read_as_they_stand(core: InstructionSet, symbol: str) -> None:
    (entry,) = [e for e in ENTRIES if e.operator == "cortex_m::quantized_linear.out"]
    assert entry.symbol(core) == f"petite_{symbol}"
    header = RUNTIME / str(entry.symbol_header(core))
    assert f" petite_{symbol}(" in header.read_text(encoding="utf-8")


def test_a_program_s_operators_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["select", str(SINE), "--output", str(tmp_path)]) == 0
    assert "operators" in capsys.readouterr().out
    text = (tmp_path / "petite_operators.c").read_text(encoding="utf-8")
    assert '"cortex_m::quantized_linear.out", petite_prepare_quantized_linear' in text
    assert "conv2d" not in text
    assert ".fallback = NULL" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing is selected"),
        (["--operators", "mylib::*"], "'mylib::*' fits no operator that can be loaded"),
        (["--all", "--dtypes", "int128"], "'int128' is no element type"),
        (["--groups", "normalization", "--dtypes", "int8"], "nothing is selected"),
        (["--all", "--name", "no name"], "no name"),
    ],
)
def test_mistakes_are_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["select", *arguments, "--output", str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_program_with_an_unknown_operator_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "custom.pte"
    program.write_bytes(cli_files.program(cli_files.method(operator=("mylib::spectrogram", "out"))))
    assert main(["select", str(program), "--output", str(tmp_path)]) == 1
    assert "mylib::spectrogram.out" in capsys.readouterr().err
    arguments = ["select", str(program), "--application", "--operators", "cortex_m::*"]
    assert main([*arguments, "--output", str(tmp_path)]) == 0
    text = (tmp_path / "petite_operators.c").read_text(encoding="utf-8")
    assert ".fallback = petite_prepare_application" in text


@pytest.mark.parametrize(
    ("operator", "types"), [("aten::mm.out", r" from \w+"), ("executorch_prim::add.Scalar", "")]
)
def test_an_entry_that_is_there_twice_is_refused_by_name(operator: str, types: str) -> None:
    first = next(entry for entry in ENTRIES if entry.operator == operator)
    second = replace(first, prepare="another", kernel=None)
    with pytest.raises(
        PetiteError, match=rf"^table t: {re.escape(operator)}{types} is there twice, by "
    ) as e:
        table_files("t", [first, *ENTRIES[:3], second], "scalar")
    assert f"petite_prepare_{first.prepare} and petite_prepare_another" in str(e.value)


def test_a_table_with_too_many_entries_is_refused() -> None:
    """The count in C has 16 bits."""
    plan = (RUNTIME / "include" / "petite" / "prepare.h").read_text(encoding="utf-8")
    assert re.search(r"struct petite_operator_table \{[^}]*\buint16_t count;", plan)
    made = [Entry(f"a::{i:05}", DType.S8, DType.S8, "p", "p.h") for i in range(2**16)]
    assert "a::65534" in table_files("t", made[:-1], "scalar")["t.c"]
    with pytest.raises(PetiteError, match=r"^table t: 65,536 entries, the last of them a::65535;"):
        table_files("t", made, "scalar")
