# SPDX-License-Identifier: Apache-2.0
"""An exported model with custom operators runs with the application's functions for them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
import torch

from application_testing import model as energy
from kernel_testing.runner import FLAGS, ROOT
from petite.compile import CompiledModel, Options, compile_file
from petite.targets import find_target

HERE = Path(__file__).resolve().parent / "application_testing"
RUNTIME = ROOT / "runtime"
PORT = RUNTIME / "platform"
NAMES = {"testing::frame_energy.out", "testing::extremes.out"}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> CompiledModel:
    path = tmp_path_factory.mktemp("export") / "energy.pte"
    energy.export(path)
    options = Options(name="energy", application_operators=("testing::*",))
    return compile_file(path, options)


def _input() -> torch.Tensor:
    """Small integers, so that every order of summation gives the same float32."""
    random = np.random.default_rng(7)
    return torch.from_numpy(
        random.integers(-9, 10, (energy.SAMPLES, energy.CHANNELS)).astype(np.float32)
    )


def _write(model: CompiledModel, directory: Path) -> list[str]:
    """The model and its input; arguments for a compiler to build the application with."""
    model.write(directory)
    numbers = ", ".join(f"{x}f" for x in _input().flatten().tolist())
    (directory / "input.h").write_text(f"static const float input[] = {{{numbers}}};\n")
    folders = {Path(h).parent for h in model.view.headers if h.startswith("kernels/")}
    sources = [HERE / "application.c", directory / "energy.c"]
    for folder in sorted(folders):
        sources += (RUNTIME / folder).glob("*_scalar.c")
    for part in ("executor", "registry"):
        sources += (RUNTIME / part).glob("*.c")
    return [f"-I{RUNTIME / 'include'}", f"-I{RUNTIME}", f"-I{directory}", *map(str, sources)]


def _run_on_host(model: CompiledModel, directory: Path, compiler: str) -> str:
    # Addresses in a compiled plan are constants of the linker, as they are on a core.
    flags = [*FLAGS, "-fno-pie", "-no-pie"]
    port = PORT / "host" / "platform_host.c"
    elf = directory / "application"
    command = [compiler, *flags, *_write(model, directory), str(port), "-lm", "-o", str(elf)]
    subprocess.run(command, check=True)
    return subprocess.run([elf], check=True, stderr=subprocess.PIPE, text=True).stderr


def _run_on_core(model: CompiledModel, directory: Path, name: str) -> str:
    target = find_target(name)
    port = PORT / "cortex_m"
    elf = directory / "application.elf"
    command = ["arm-none-eabi-gcc", *target.cpu_flags, "-std=c11", "-Os", "-Wall", "-Wextra"]
    command += ["-Werror", "-ffp-contract=off", "-ffunction-sections", "-fdata-sections"]
    command += [*_write(model, directory), *map(str, port.glob("*.c"))]
    command += ["-nostdlib", "-Wl,--gc-sections", "-L", str(port / "link")]
    command += ["-T", str(target.linker_script), "-lm", "-lc", "-lgcc", "-o", str(elf)]
    subprocess.run(command, check=True)
    command = ["qemu-system-arm", *target.machine, "-display", "none", "-monitor", "none"]
    command += ["-serial", "none", "-semihosting", "-kernel", str(elf)]
    return subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True, timeout=60).stderr


def _expected(gain: float, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The lines of a run's outputs."""
    monkeypatch.setattr(energy, "gain", gain)
    with torch.no_grad():
        outputs = energy.Energy()(_input())
    return [f"output {output.numpy().tobytes().hex()}" for output in outputs]


@pytest.mark.parametrize("place", ["gcc", "clang", "qemu-m55", "qemu-m0"])
def test_the_application_runs(
    place: str, model: CompiledModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = _run_on_core if place.startswith("qemu") else _run_on_host
    given = f"input {_input().numpy().tobytes().hex()}"
    plain, doubled = _expected(1.0, monkeypatch), _expected(2.0, monkeypatch)
    assert plain != doubled
    lacking = ["lacking -8", "missing testing::extremes.out"]
    assert run(model, tmp_path, place).splitlines() == [
        *["registered -0", "full -6", "duplicate -7"],
        # Nothing is written: the input is as it was.
        *["unbound -9", given, *lacking, "unbound -9", given],
        *["plain -0", "missing nothing", "run -0", *plain],
        *["nested run -2", "nested bind -2"],
        # What was bound stays so until a binding succeeds.
        *[*lacking, "doubled -0", "missing nothing", "run -0", *doubled],
        *["giving up -0", "missing nothing", "run -10"],
    ]


def test_the_model_names_its_operators(model: CompiledModel) -> None:
    assert set(model.view.operators) == NAMES
    assert all(name in model.files["energy.h"] for name in NAMES)
