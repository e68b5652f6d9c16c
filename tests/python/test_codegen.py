# SPDX-License-Identifier: Apache-2.0
"""Generated code: what it says, that it is the same every time, and that compilers take it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golden_models import GOLDEN_MODELS
from graph_maker import NHWC, GraphMaker, generated, schedules_of
from petite.codegen.build_view import ABI, Source, build_view, check_identifier
from petite.codegen.emit import render, write_files
from petite.codegen.literals import element, integer, lines, real
from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.placement.model import place_model
from petite.targets import find_target

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
RUNTIME = ROOT / "runtime"

_WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wpedantic"]
_INCLUDES = [f"-I{RUNTIME / 'include'}", f"-I{RUNTIME}"]
COMPILERS = {
    "gcc": ["gcc", "-std=c11"],
    "clang": ["clang", "-std=c11"],
    "cortex-m55": ["arm-none-eabi-gcc", "-std=c11", "-mcpu=cortex-m55", "-mfloat-abi=hard"],
    "cortex-m0": ["arm-none-eabi-gcc", "-std=c11", "-mcpu=cortex-m0"],
}


# --- golden files --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN_MODELS)
def test_golden(name: str) -> None:
    """After a wanted change: python tests/python/update_golden.py"""
    for file, text in GOLDEN_MODELS[name]().items():
        assert text == (GOLDEN / file).read_text(encoding="utf-8"), file


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("[!.]*")} == set(GOLDEN_MODELS)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("name", GOLDEN_MODELS)
def test_generated_code_compiles(name: str, compiler: str, tmp_path: Path) -> None:
    write_files(tmp_path, GOLDEN_MODELS[name]())
    for_helium = find_target("qemu-m55").cpu_flags
    command = [
        *(COMPILERS[compiler] if name != "helium" else ("arm-none-eabi-gcc", *for_helium)),
        *_WARNINGS,
        *_INCLUDES,
        "-Os",
        "-c",
        f"{name}.c",
        "-o",
        "out.o",
    ]
    _compile(command, tmp_path)


@pytest.mark.parametrize("name", GOLDEN_MODELS)
def test_generated_header_is_cpp_too(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, GOLDEN_MODELS[name]())
    source = tmp_path / "use.cpp"
    source.write_text(f'#include "{name}.h"\nint main() {{ return {name}_plan.abi; }}\n')
    _compile(["g++", "-std=c++17", *_WARNINGS, *_INCLUDES, "-c", source.name], tmp_path)


def _compile(command: list[str], directory: Path) -> None:
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_another_runtime_is_refused(tmp_path: Path) -> None:
    files = GOLDEN_MODELS["images"]()
    files["images.h"] = files["images.h"].replace(
        f"PETITE_ABI != {ABI}", f"PETITE_ABI != {ABI + 1}"
    )
    write_files(tmp_path, files)
    command = [*COMPILERS["gcc"], *_INCLUDES, "-c", "images.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "generated for another version of the Petite runtime" in done.stderr


def test_abi_is_that_of_the_runtime() -> None:
    header = (RUNTIME / "include" / "petite" / "plan.h").read_text(encoding="utf-8")
    assert re.search(rf"#define PETITE_ABI {ABI}\b", header)


# --- what the header promises ---------------------------------------------------------------------


def test_header_says_what_the_application_needs() -> None:
    header = GOLDEN_MODELS["images"]()["images.h"]
    for fact in (
        "#define IMAGES_INPUT0_COUNT 72",
        "#define IMAGES_INPUT0_BYTES 288",
        "#define IMAGES_INPUT0_DIMS {1, 2, 6, 6}",
        "Where to write input0: float [1][6][6][2] in memory.",
        "static inline float *images_input0(void)",
        "static inline const float *images_output0(void)",
    ):
        assert fact in header


@pytest.mark.parametrize("keep", [False, True])
def test_header_says_whether_an_input_survives(keep: bool) -> None:
    make = GraphMaker()
    make.output(make.lut(make.input((64,))))
    schedules = schedules_of(make.graph)
    placement = place_model(schedules, keep_inputs=keep)
    view = build_view("m", Source("m.pte", "0" * 64, "0"), schedules, placement)
    assert view.methods[0].inputs[0].survives is keep


def test_a_shared_arena_is_defined_elsewhere_and_states_are_not() -> None:
    make = GraphMaker()
    state = make.state((4,))
    state.after = make.add(make.input((4,)), state.before)
    make.output(make.lut(state.after))
    schedules = schedules_of(make.graph)
    placement, source = place_model(schedules), Source("m.pte", "0" * 64, "0")
    own = render(build_view("m", source, schedules, placement))
    shared = render(build_view("m", source, schedules, placement, arena="both"))
    assert "static uint8_t m_arena[" in own["m.c"] and ".busy = &m_context.busy," in own["m.c"]
    text = shared["m.c"]
    assert '#include "both_arena.h"' in text and "static uint8_t m_state[" in text
    assert ".busy = &both_arena_busy," in text and "(void *)(both_arena + 0)" in text
    assert "m_arena" not in text
    assert '#define M_ARENA_SECTION ".bss.petite.both.arena"' in shared["m.h"]
    assert "ARENA_SECTION" not in own["m.h"]


@pytest.mark.parametrize(
    ("arena", "message"), [("m", "has the model's own name"), ("Both", "cannot start C symbols")]
)
def test_bad_names_of_arenas(arena: str, message: str) -> None:
    schedules = schedules_of()
    with pytest.raises(PetiteError, match=message):
        build_view(
            "m", Source("m.pte", "0" * 64, "0"), schedules, place_model(schedules), arena=arena
        )


def test_equal_constants_are_stored_once() -> None:
    first, second = GraphMaker(seed=5), GraphMaker("second", seed=5)
    for make in (first, second):
        make.output(make.lut(make.input((4,))))
    text = generated("m", first.graph, second.graph)["m.c"]
    assert text.count("[256]") == 1


def test_a_constant_in_two_orders_is_two_arrays() -> None:
    make = GraphMaker()
    data = np.arange(16, dtype=np.int8).reshape(1, 4, 2, 2)
    constant = Value("c", DType.S8, data.shape, data=data)
    for layout in ((0, 1, 2, 3), NHWC):
        make.output(make.add(make.input(data.shape, layout=layout), constant), layout)
    text = generated("m", make.graph)["m.c"]
    assert "m_c[16]" in text and "m_c_1[16]" in text


def test_methods_that_would_share_a_symbol_are_refused() -> None:
    makers = [GraphMaker("up-down"), GraphMaker("up_down")]
    for make in makers:
        make.output(make.lut(make.input((4,))))
    with pytest.raises(PetiteError, match="'up-down' and 'up_down' would both be called m_up_down"):
        generated("m", *(make.graph for make in makers))


def test_each_constant_has_a_section_of_its_own() -> None:
    text = GOLDEN_MODELS["images"]()["images.c"]
    sections = re.findall(r'PETITE_PLACED\("(\.rodata[^"]*)"', text)
    assert len(sections) == len(set(sections)) > 5


def test_a_comment_in_an_operator_cannot_end_the_comment() -> None:
    make = GraphMaker()
    make.output(make.lut(make.input((4,))))
    make.graph.ops[0].source = "m.pte: bad */ #error"
    assert "*/ #error" not in generated("m", make.graph)["m.c"]


@pytest.mark.parametrize("name", ["", "9lives", "Kws", "a-b", "a b", "x;", "é", "a\n"])
def test_bad_names(name: str) -> None:
    with pytest.raises(PetiteError, match="cannot start C symbols"):
        check_identifier(name)


# --- literals -------------------------------------------------------------------------------------


def test_smallest_integers() -> None:
    assert integer(-(2**31)) == "INT32_MIN"
    assert integer(-(2**31) + 1) == "-2147483647"
    assert element(-(2**63), DType.S64) == "INT64_MIN"
    assert element(2**63 - 1, DType.S64) == "9223372036854775807LL"


def test_special_reals() -> None:
    inf = float("inf")
    assert [real(inf), real(-inf), real(float("nan"))] == ["INFINITY", "-INFINITY", "NAN"]
    assert [real(0.0), real(-0.0), real(1.0)] == ["0.0f", "-0.0f", "1.0f"]
    assert real(0.1) == "0.1f", "the shortest that reads back as the same float32"


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_reals_read_back(value: float) -> None:
    text = real(value)
    assert re.fullmatch(r"-?[0-9.]+(e[-+][0-9]+)?f", text)
    assert np.float32(text[:-1]).tobytes() == np.float32(value).tobytes()


def test_literals_mean_the_same_to_a_compiler(tmp_path: Path) -> None:
    """Every pattern of bits that is hard to write, through gcc and back."""
    floats = np.array(
        [0.1, -0.0, 1e-45, 1.17549435e-38, 3.4028235e38, np.inf, 16777217], np.float32
    )
    wide = np.array([-(2**63), 2**63 - 1, -1, 2**31], np.int64)
    words = np.array([-(2**31), 2**31 - 1, -1], np.int32)
    declarations = "".join(
        f"const {dtype.c_type} {name}[] = {{ {' '.join(lines(data, dtype))} }};\n"
        for name, data, dtype in (
            ("f", floats, DType.F32),
            ("w", wide, DType.S64),
            ("i", words, DType.S32),
        )
    )
    (tmp_path / "t.c").write_text(
        "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n"
        + declarations
        + "int main(void) { fwrite(f, sizeof f, 1, stdout); fwrite(w, sizeof w, 1, stdout);"
        " return fwrite(i, sizeof i, 1, stdout) != 1; }\n"
    )
    _compile(["gcc", "-std=c11", *_WARNINGS, "t.c", "-o", "t"], tmp_path)
    printed = subprocess.run([tmp_path / "t"], capture_output=True, check=True).stdout
    assert printed == floats.tobytes() + wide.tobytes() + words.tobytes()


def test_lines_hold_every_element_and_are_readable() -> None:
    data = np.arange(-500, 500, dtype=np.int32)
    made = lines(data, DType.S32)
    assert max(map(len, made)) <= 92
    assert [int(n) for n in "".join(made).rstrip(",").split(",")] == data.tolist()


# --- files ----------------------------------------------------------------------------------------


def test_generated_code_is_the_same_every_time() -> None:
    for make in GOLDEN_MODELS.values():
        assert make() == make()


def test_unchanged_files_are_not_touched(tmp_path: Path) -> None:
    files = {"a.c": "one\n", "a.h": "two\n"}
    write_files(tmp_path, files)
    before = {p.name: p.stat().st_mtime_ns for p in tmp_path.iterdir()}
    write_files(tmp_path, {**files, "a.h": "three\n"})
    after = {p.name: p.stat().st_mtime_ns for p in tmp_path.iterdir()}
    assert after["a.c"] == before["a.c"] and after["a.h"] > before["a.h"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.c", "a.h"]


def test_nothing_is_left_where_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a.h").mkdir()
    with pytest.raises(PetiteError, match="cannot write the generated files"):
        write_files(tmp_path, {"a.c": "one\n", "a.h": "two\n"})
    assert [p.name for p in tmp_path.iterdir()] == ["a.h"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("forward", "forward"),
        ("*/int x;/*", "* /int x;/ *"),
        ("a\nb", "a?b"),
        ("*/*", "* / *"),
    ],
)
def test_names_cannot_leave_their_comment(text: str, shown: str) -> None:
    from petite.codegen.build_view import as_comment

    assert as_comment(text) == shown
