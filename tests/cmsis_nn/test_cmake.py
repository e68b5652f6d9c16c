# SPDX-License-Identifier: Apache-2.0
"""PETITE_KERNELS_CMSIS_NN in a project without Zephyr."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "samples" / "hello_model" / "model" / "sine.pte"

PROJECT = f"""
cmake_minimum_required(VERSION 3.20)
project(app C)
add_subdirectory({ROOT} petite)
add_executable(app main.c {ROOT}/runtime/platform/template/platform_template.c)
target_link_options(app PRIVATE -nostartfiles -Wl,-emain)
petite_add_model(app MODEL {MODEL} NAME sine INT8_IO)
"""
MAIN = """
#include "sine.h"

int main(void)
{
	return petite_run(&sine_plan);
}
"""


def configure(directory: Path, *options: str) -> subprocess.CompletedProcess[str]:
    (directory / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
    (directory / "main.c").write_text(MAIN, encoding="utf-8")
    command = ["cmake", "-G", "Ninja", "-S", str(directory), "-B", str(directory / "build")]
    command += [f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/arm-none-eabi.cmake"]
    command += ["-DPETITE_CPU_FLAGS=-mcpu=cortex-m55 -mthumb -mfloat-abi=hard", *options]
    command += [f"-DPython3_EXECUTABLE={sys.executable}", "-DPETITE_KERNELS_CMSIS_NN=ON"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_models_call_the_library(library: Path, tmp_path: Path) -> None:
    done = configure(tmp_path, f"-DPETITE_CMSIS_NN_DIR={library}")
    assert done.returncode == 0, done.stderr
    build = ["cmake", "--build", str(tmp_path / "build")]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "warning" not in done.stdout
    listed = ["arm-none-eabi-nm", str(tmp_path / "build" / "app")]
    symbols = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    assert " T arm_fully_connected_s8\n" in symbols
    # Of the library, only what the model calls is linked.
    assert "arm_convolve" not in symbols


@pytest.mark.parametrize("options", [(), (f"-DPETITE_CMSIS_NN_DIR={ROOT}",)])
def test_a_folder_without_the_library_is_refused(options: tuple[str, ...], tmp_path: Path) -> None:
    done = configure(tmp_path, *options)
    assert done.returncode != 0
    words = " ".join(done.stderr.split())
    assert "PETITE_KERNELS_CMSIS_NN needs the library" in words
    assert "has no Include/arm_nnfunctions.h" in words
