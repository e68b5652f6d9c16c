# SPDX-License-Identifier: Apache-2.0
"""The sample as its CMakeLists.txt builds it, with every operator that it offers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import update
from board_process import Process
from petite.targets import find_target
from sample_programs import ANGLE, KWS, SINE, compiled_output, features

SAMPLE = Path(__file__).resolve().parents[1]
ROOT = SAMPLE.parents[1]


def build(folder: Path, *options: str) -> Path:
    configure = ["cmake", "-G", "Ninja", "-S", str(SAMPLE), "-B", str(folder)]
    configure += [f"-DPython3_EXECUTABLE={sys.executable}", *options]
    for command in (configure, ["cmake", "--build", str(folder), "--parallel", "2"]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "warning:" not in done.stdout + done.stderr
    return folder / "model_update"


def for_target(name: str, folder: Path) -> list[str | Path]:
    """Build it; the command that starts it."""
    target = find_target(name)
    if target.is_host:
        return [build(folder)]
    firmware = build(
        folder,
        f"--toolchain={ROOT / 'cmake' / 'arm-none-eabi.cmake'}",
        f"-DPETITE_CPU_FLAGS={' '.join(target.cpu_flags)}",
        f"-DPETITE_LINKER_SCRIPT={target.linker_script}",
    )
    command: list[str | Path] = ["qemu-system-arm", *target.machine, "-display", "none"]
    return [*command, "-serial", "stdio", "-monitor", "none", "-kernel", firmware]


@pytest.mark.long
@pytest.mark.parametrize("target", ["host", "qemu-m55", "qemu-m4"])
def test_both_models(target: str, tmp_path: Path) -> None:
    process = Process(for_target(target, tmp_path / "build"), tmp_path)
    try:
        for program, inputs in ((SINE, ANGLE), (KWS, features())):
            update.put(process.board, program.read_bytes())
            [(_, data)] = update.outputs_of(process.board.command("run", inputs))
            assert data == compiled_output(program, inputs)
    finally:
        process.stop()


def test_a_board_that_it_does_not_know(tmp_path: Path) -> None:
    command = ["cmake", "-G", "Ninja", "-S", str(SAMPLE), "-B", str(tmp_path)]
    command += [f"--toolchain={ROOT / 'cmake' / 'arm-none-eabi.cmake'}"]
    command += [f"-DPython3_EXECUTABLE={sys.executable}", "-DPETITE_CPU_FLAGS=-mcpu=cortex-m3"]
    command += ["-DPETITE_LINKER_SCRIPT=qemu_m3.ld"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    message = " ".join(done.stderr.split())
    assert "qemu_m3.ld: the sample knows the boards of qemu_m55.ld and qemu_m4.ld" in message
