# SPDX-License-Identifier: Apache-2.0
"""Of a branch, only the side that is taken runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import torch
from executorch.exir import to_edge

from kernel_testing.runner import FLAGS, ROOT
from petite.compile import Options, compile_file

HERE = Path(__file__).resolve().parent / "control_testing"
RUNTIME = ROOT / "runtime"


class Choice(torch.nn.Module):
    """Two steps on one side, one on the other, and one after both."""

    def forward(self, condition: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """3 * (2 * x + x), or 3 * -x."""
        y = torch.cond(condition, lambda x: (x + x) + x, lambda x: -x, (x,))
        return y + y + y


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_only_one_side_runs(compiler: str, tmp_path: Path) -> None:
    exported = torch.export.export(Choice(), (torch.tensor(True), torch.ones(3)))
    path = tmp_path / "choice.pte"
    path.write_bytes(to_edge(exported).to_executorch().buffer)
    model = compile_file(path, Options(name="choice", step_names=True))
    model.write(tmp_path)
    sources = [HERE / "application.c", tmp_path / "choice.c", *(RUNTIME / "executor").glob("*.c")]
    folders = sorted({(RUNTIME / header).parent for header in model.view.headers})
    sources += [source for folder in folders for source in folder.glob("*_scalar.c")]
    # Addresses in a compiled plan are constants of the linker, as they are on a core.
    command = [compiler, *FLAGS, "-fno-pie", "-no-pie"]
    command += [f"-I{path}" for path in (RUNTIME / "include", RUNTIME, tmp_path)]
    program = tmp_path / "application"
    subprocess.run([*command, *map(str, sources), "-lm", "-o", str(program)], check=True)
    done = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True)
    kernels = ("branch", "add", "add", "branch", "neg", "add", "add")
    true, false = [1, 1, 1, 1, 0, 1, 1], [1, 0, 0, 1, 1, 1, 1]
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 2 * (len(kernels) + 1)
    for start, ran, result in ((0, true, "45"), (len(kernels) + 1, false, "-15")):
        steps = lines[start : start + len(kernels)]
        assert [int(ticks) for _, ticks in steps] == ran
        assert all(kernel in name for kernel, (name, _) in zip(kernels, steps, strict=True))
        assert lines[start + len(kernels)] == ["result", result]
