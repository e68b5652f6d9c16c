# SPDX-License-Identifier: Apache-2.0
"""Checksums and step names in generated code: on the host they agree with the compiled bytes."""

from __future__ import annotations

import re
import subprocess
import zlib
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest

import cli_files
from graph_maker import Array, GraphMaker, generated
from petite.cli.main import main
from petite.codegen.emit import write_files
from petite.codegen.literals import stored_bytes
from petite.ir.dtype import DType
from petite.ir.graph import Value

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"

#: Prints the status of petite_verify(), and the index of what it found.
_VERIFY = """
#include <stdio.h>
#include "m.h"
int main(void)
{
	uint32_t corrupt = 99;
	int status = petite_verify(&m_checksums, &corrupt);

	printf("%d %u\\n", status, (unsigned int)corrupt);
	return 0;
}
"""

#: Prints name and ticks of each step.
_PROFILE = """
#include <stdio.h>
#include "m.h"
static uint32_t clock_of_readings(void)
{
	static uint32_t readings = UINT32_MAX;

	return readings++;
}
int main(void)
{
	uint32_t ticks[M_STEP_COUNT];
	int status = petite_run_profiled(&m_plan, clock_of_readings, ticks, M_STEP_COUNT);

	for (int i = 0; i < M_STEP_COUNT && status == 0; i++) {
		printf("%s %u\\n", m_step_names[i], (unsigned int)ticks[i]);
	}
	return status;
}
"""


def _constant(make: GraphMaker, data: Array) -> None:
    """Use a constant of any element type: join it with an input."""
    dtype = next(d for d in DType if d.numpy == data.dtype and d is not DType.BOOL)
    value = Value("c", dtype, data.shape, data=data)
    make.output(make.concat([value, make.input((1,), dtype)], 0))


def _every_type() -> dict[str, str]:
    """Constants of every element type, with the numbers that C writes in ways of their own."""
    make = GraphMaker()
    odd_nan = np.array([0xFFC12345], np.uint32).view(np.float32)
    for data in (
        np.array([-128, 127, 0, 1], np.int8),
        np.array([-(2**15), 2**15 - 1, 258], np.int16),
        np.array([-(2**31), 2**31 - 1, 0x01020304], np.int32),
        np.array([-(2**63), 2**63 - 1, 0x0102030405060708], np.int64),
        np.array([0, 255, 7], np.uint8),
        np.array([0.1, -0.0, 1e-45, 3.4028235e38, inf, -inf, nan, -nan, *odd_nan], np.float32),
    ):
        _constant(make, data)
    return generated("m", make.graph, checksums=True)


def run_program(directory: Path, files: dict[str, str], main_c: str) -> list[str]:
    """Lines that the program prints; the model's own kernels are linked with it."""
    write_files(directory, files)
    (directory / "main.c").write_text(main_c, encoding="utf-8")
    headers = re.findall(r"#include <(kernels/\S+)\.h>", files["m.c"])
    sources = [str(RUNTIME / f"{header}_scalar.c") for header in headers]
    sources += [str(path) for path in RUNTIME.glob("executor/*.c")]
    sources += [str(RUNTIME / "verify" / "verify.c")]
    command = ["gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fno-pie", "-no-pie"]
    command += [f"-I{RUNTIME}", f"-I{RUNTIME / 'include'}", "main.c", "m.c", *sources, "-o", "m"]
    for step in (command, ["./m"]):
        done = subprocess.run(step, cwd=directory, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_checksums_are_those_of_the_compiled_bytes(tmp_path: Path) -> None:
    files = _every_type()
    assert files["m.c"].count(".crc = ") == 6
    assert run_program(tmp_path, files, _VERIFY) == ["0 99"]


@pytest.mark.parametrize("index", range(6))
def test_a_constant_that_nobody_copied_is_found(index: int, tmp_path: Path) -> None:
    """Zeros in place of one constant, as a section that is not loaded has them."""
    files = _every_type()
    symbol = re.findall(r"\{ \.data = (\w+), .*\.crc", files["m.c"])[index]
    array = re.compile(rf"({symbol}\[\d+\] PETITE_PLACED[^\n]*= )\{{.*?\n\}};", re.DOTALL)
    files["m.c"], replaced = array.subn(r"\1{ 0 };", files["m.c"])
    assert replaced == 1
    assert run_program(tmp_path, files, _VERIFY) == [f"-5 {index}"]


@pytest.mark.parametrize("dtype", ["<i4", ">i4", "<f4", ">f4"])
def test_bytes_are_little_endian(dtype: str) -> None:
    data = np.array([1, 258], dtype)
    kind = DType.F32 if dtype.endswith("f4") else DType.S32
    expected = b"\0\0\x80\x3f\0\0\x81\x43" if kind is DType.F32 else b"\1\0\0\0\2\1\0\0"
    assert stored_bytes(data, kind) == expected


def test_a_model_without_constants(tmp_path: Path) -> None:
    make = GraphMaker()
    make.output(make.input((3,)))
    files = generated("m", make.graph, checksums=True, step_names=True)
    assert "M_STEP_COUNT 0" in files["m.h"] and "step_names" not in files["m.c"]
    assert run_program(tmp_path, files, _VERIFY) == ["0 99"]


def test_a_profile_has_names_and_ticks(tmp_path: Path) -> None:
    """Between two readings of a clock that counts its readings lies one tick."""
    make = GraphMaker()
    x = make.linear(make.input((1, 4)), 6)
    make.output(make.lut(make.add(x, make.input((1, 6)))))
    files = generated("m", make.graph, step_names=True)
    assert run_program(tmp_path, files, _PROFILE) == [
        "linear_s8_0 1",
        "weighted_sum_s8_1 1",
        "lut_s8_2 1",
    ]


# --- the command line ----------------------------------------------------------------------------


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program with 300 float32 constants."""
    path = tmp_path / "p.pte"
    path.write_bytes(cli_files.with_constant(300))
    return path


def compiled(program: Path, *options: str) -> tuple[str, str]:
    """NAME.c and NAME.h of `petite compile`."""
    output = program.parent / "out"
    assert main(["compile", str(program), "--name", "m", "--output", str(output), *options]) == 0
    return (output / "m.c").read_text(encoding="utf-8"), (output / "m.h").read_text("utf-8")


def test_tables_are_off_by_default(program: Path) -> None:
    for text in compiled(program):
        assert "checksum" not in text and "step_names" not in text


def test_verify_emits_the_checksums(program: Path) -> None:
    source, header = compiled(program, "--checksums")
    data = (bytes(range(1, 251)) * 5)[: 4 * 300]
    assert f".size = 1200, .crc = 0x{zlib.crc32(data):08X}U" in source
    assert "extern const struct petite_checksums m_checksums;" in header
    assert "step_names" not in source + header


def test_step_names_emits_the_names(program: Path) -> None:
    source, header = compiled(program, "--step-names")
    assert 'const char *const m_step_names[] = {\n\t"binary_add_f32_0",\n};' in source
    assert "extern const char *const m_step_names[M_STEP_COUNT];" in header
    assert "checksum" not in source + header


def test_dtypes_that_suffice_change_nothing(program: Path) -> None:
    assert compiled(program, "--dtypes", "float32") == compiled(program)
    assert compiled(program, "--dtypes", "int8, float32") == compiled(program)


@pytest.mark.parametrize(
    ("dtypes", "message"),
    [
        ("int8", r"instruction 0 \(aten::add.out\): kernel binary_add_f32 computes with float32"),
        ("", "'' is no element type; choose from int8, int16"),
        ("int8,", "'' is no element type"),
        ("f32", "'f32' is no element type; choose from int8, int16, int32, int64, uint8, float32"),
    ],
)
def test_bad_dtypes(
    dtypes: str, message: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = program.parent / "out"
    assert main(["compile", str(program), "--dtypes", dtypes, "--output", str(output)]) == 1
    printed, error = capsys.readouterr()
    assert printed == "" and error.count("\n") == 1 and not output.exists()
    assert error.startswith("petite: error: ") and re.search(message, error)
