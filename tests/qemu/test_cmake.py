# SPDX-License-Identifier: Apache-2.0
"""petite_add_model() in a project of somebody else's, without Zephyr."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "samples" / "hello_model" / "model" / "sine.pte"

TOP = f"""
cmake_minimum_required(VERSION 3.20)
project(app C)
add_subdirectory({ROOT} petite)
add_executable(app main.c {ROOT}/runtime/platform/host/platform_host.c)
add_subdirectory(models)
"""
MAIN = """
#include "first.h"
#include "second.h"

int main(void)
{
	return petite_run(&first_plan) != PETITE_OK || petite_run(&second_plan) != PETITE_OK;
}
"""


def run(*command: str | Path) -> str:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_models_of_another_folder_and_a_changed_option(tmp_path: Path) -> None:
    """A folder with a space, two models, and a target that another CMakeLists.txt made."""
    source, build = tmp_path / "my project", tmp_path / "build"
    (source / "models").mkdir(parents=True)
    (source / "CMakeLists.txt").write_text(TOP, encoding="utf-8")
    (source / "main.c").write_text(MAIN, encoding="utf-8")
    models = source / "models" / "CMakeLists.txt"
    calls = [f"petite_add_model(app MODEL {MODEL} NAME {n})\n" for n in ("first", "second")]
    models.write_text("".join(calls), encoding="utf-8")
    configure = ["cmake", "-G", "Ninja", "-S", source, "-B", build]
    run(*configure, f"-DPython3_EXECUTABLE={sys.executable}")
    assert run("cmake", "--build", build).count("bytes of constants") == 2
    run(build / "app")
    assert "no work to do" in run("cmake", "--build", build)

    models.write_text("".join(calls).replace("second)", "second CHECKSUMS)"), encoding="utf-8")
    assert run("cmake", "--build", build).count("bytes of constants") == 1
    header = build / "models" / "petite" / "second" / "second.h"
    assert "second_checksums" in header.read_text(encoding="utf-8")


TURNS = """
#include <string.h>

#include "first.h"
#include "second.h"
#include "shared_arena.h"

static float run_first(float value)
{
	*first_input0() = value;
	return petite_run(&first_plan) == PETITE_OK ? *first_output0() : -9.0f;
}

int main(void)
{
	float before = run_first(0.5f);

	memset(second_input0(), 0x55, SECOND_INPUT0_BYTES);
	if (petite_run(&second_plan) != PETITE_OK) {
		return 1;
	}
	if (sizeof(shared_arena) != SECOND_ARENA_BYTES || FIRST_ARENA_BYTES >= SECOND_ARENA_BYTES) {
		return 2;
	}
	return before == 0.0f || run_first(0.5f) != before ? 3 : 0;
}
"""


def test_two_models_share_an_arena(tmp_path: Path) -> None:
    """It is as large as the larger one, which is added last; and they run in turn."""
    larger = ROOT / "samples" / "kws" / "model" / "kws.pte"
    (tmp_path / "models").mkdir()
    (tmp_path / "CMakeLists.txt").write_text(TOP, encoding="utf-8")
    (tmp_path / "main.c").write_text(TURNS, encoding="utf-8")
    models = tmp_path / "models" / "CMakeLists.txt"
    calls = (
        f"petite_add_model(app MODEL {MODEL} NAME first ARENA shared)\n"
        f"petite_add_model(app MODEL {larger} NAME second ARENA shared)\n"
    )
    models.write_text(calls, encoding="utf-8")
    build = tmp_path / "build"
    configure = ["cmake", "-G", "Ninja", "-S", tmp_path, "-B", build]
    configure += [f"-DPython3_EXECUTABLE={sys.executable}"]
    run(*configure)
    run("cmake", "--build", build)
    run(build / "app")
    assert "no work to do" in run("cmake", "--build", build)

    models.write_text(calls.replace("second ARENA", "second ACTIVATIONS RAM ARENA"))
    refused = subprocess.run(configure, capture_output=True, text=True, check=False)
    assert refused.returncode != 0
    message = " ".join(refused.stderr.split())
    assert "models of ARENA shared have different ACTIVATIONS, '' and 'RAM'" in message


CROSS = f"""
cmake_minimum_required(VERSION 3.20)
project(app C)
add_subdirectory({ROOT} petite)
add_library(app OBJECT)
petite_add_model(app MODEL {MODEL} NAME sine INT8_IO)
"""


@pytest.mark.parametrize(
    ("flags", "options", "wanted"),
    [
        ("-mcpu=cortex-m55 -mthumb", [], "mve"),
        ("-mcpu=cortex-m55+nomve -mthumb", [], "dsp"),
        ("-mcpu=cortex-m4 -mthumb", [], "dsp"),
        ("-mcpu=cortex-m55 -mthumb", ["-DPETITE_INSTRUCTION_SET=scalar"], "scalar"),
    ],
)
def test_the_compiler_decides_the_instruction_set(
    flags: str, options: list[str], wanted: str, tmp_path: Path
) -> None:
    """Generated code compiles with what the flags allow, and uses it."""
    (tmp_path / "CMakeLists.txt").write_text(CROSS, encoding="utf-8")
    toolchain = f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/arm-none-eabi.cmake"
    configure = ["cmake", "-G", "Ninja", "-S", tmp_path, toolchain, *options]
    configure += [f"-DPython3_EXECUTABLE={sys.executable}"]
    run(*configure, "-B", tmp_path / "b", f"-DPETITE_CPU_FLAGS={flags} -mfloat-abi=hard")
    run("cmake", "--build", tmp_path / "b", "--target", "app")
    generated = (tmp_path / "b" / "petite" / "sine" / "sine.c").read_text(encoding="utf-8")
    assert f"petite_linear_s8_{wanted}, " in generated


def test_budgets_reach_the_compiler(tmp_path: Path) -> None:
    source, build = tmp_path / "project", tmp_path / "build"
    (source / "models").mkdir(parents=True)
    (source / "CMakeLists.txt").write_text(TOP, encoding="utf-8")
    (source / "main.c").write_text(MAIN, encoding="utf-8")
    calls = [
        f"petite_add_model(app MODEL {MODEL} NAME first BUDGETS DTCM=1K ITCM=16\n"
        "                 MEMORY_COSTS DTCM=1.5)\n",
        f"petite_add_model(app MODEL {MODEL} NAME second)\n",
    ]
    (source / "models" / "CMakeLists.txt").write_text("".join(calls), encoding="utf-8")
    configure = ["cmake", "-G", "Ninja", "-S", source, "-B", build, "-DPETITE_BOARD=qemu-m55"]
    run(*configure, f"-DPython3_EXECUTABLE={sys.executable}")
    run("cmake", "--build", build)
    made = [build / "models" / "petite" / name / f"{name}.c" for name in ("first", "second")]
    texts = [path.read_text(encoding="utf-8") for path in made]
    assert ".petite_in.DTCM." in texts[0] and ".petite_in." not in texts[1]


LOADS = """
#include <stdio.h>

#include <petite/petite.h>
#include <petite/loader.h>

#ifndef TABLE
#define TABLE petite_operators
#endif
#define TEXT(words) #words
#define HEADER(table) TEXT(table.h)
#include HEADER(TABLE)

static uint8_t bytes[65536] __attribute__((aligned(16)));
static uint8_t structures[4096] __attribute__((aligned(16)));
static uint8_t arena[4096] __attribute__((aligned(16)));

int main(int argc, char **argv)
{
	FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
	struct petite_program program = {bytes, 0, NULL, &TABLE, NULL};
	struct petite_load_memory memory = {structures, sizeof(structures), arena, sizeof(arena)};
	const struct petite_plan *plan;

	if (file == NULL) {
		return 1;
	}
	program.size = (uint32_t)fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	if (petite_load(&program, &memory, &plan, NULL) != PETITE_OK) {
		return 2;
	}
	*(float *)plan->inputs[0].data = 0.5f;
	if (petite_run(plan) != PETITE_OK) {
		return 3;
	}
	printf("%.4f", (double)*(float *)plan->outputs[0].data);
	return 0;
}
"""


def test_a_program_is_loaded_with_the_operators_that_were_selected(tmp_path: Path) -> None:
    source, build = tmp_path / "source", tmp_path / "build"
    source.mkdir()
    grouped = (
        f"add_executable(grouped main.c {ROOT}/runtime/platform/host/platform_host.c)\n"
        "target_compile_definitions(grouped PRIVATE TABLE=of_groups)\n"
        "petite_add_operators(grouped NAME of_groups GROUPS int8 math DTYPES int8 float32)\n"
    )
    top = TOP.replace(
        "add_subdirectory(models)",
        f"petite_add_operators(app MODELS {MODEL} DTYPES float32)\n{grouped}",
    )
    (source / "CMakeLists.txt").write_text(top, encoding="utf-8")
    (source / "main.c").write_text(LOADS, encoding="utf-8")
    run("cmake", "-G", "Ninja", "-S", source, "-B", build, f"-DPython3_EXECUTABLE={sys.executable}")
    run("cmake", "--build", build)
    for name in ("app", "grouped"):
        assert abs(float(run(build / name, MODEL)) - 0.4794) < 0.02
    symbols = run("nm", build / "app")
    assert "petite_linear_s8_scalar" in symbols
    assert "petite_conv2d_s8_scalar" not in symbols
    assert "petite_prepare_application" not in symbols
    symbols = run("nm", build / "grouped")
    assert {"petite_conv2d_s8_scalar", "petite_unary_sin_f32_scalar"} <= set(symbols.split())
    assert "petite_matmul_f32_scalar" not in symbols
    assert "petite_div_s16_scalar" not in symbols
