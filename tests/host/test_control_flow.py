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
    sources += [RUNTIME / header.replace(".h", "_scalar.c") for header in model.view.headers]
    # Addresses in a compiled plan are constants of the linker, as they are on a core.
    command = [compiler, *FLAGS, "-fno-pie", "-no-pie"]
    command += [f"-I{path}" for path in (RUNTIME / "include", RUNTIME, tmp_path)]
    program = tmp_path / "application"
    subprocess.run([*command, *map(str, sources), "-o", str(program)], check=True)
    done = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True)
    names = "branch_0 add_f32_1 add_f32_2 branch_3 neg_f32_4 add_f32_5 add_f32_6".split()
    true, false = [1, 1, 1, 1, 0, 1, 1], [1, 0, 0, 1, 1, 1, 1]
    assert done.stdout.splitlines() == [
        *(f"{name} {ran}" for name, ran in zip(names, true, strict=True)),
        "result 45",
        *(f"{name} {ran}" for name, ran in zip(names, false, strict=True)),
        "result -15",
    ]
