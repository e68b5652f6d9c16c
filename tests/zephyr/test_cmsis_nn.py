# SPDX-License-Identifier: Apache-2.0
"""Models give the expected outputs by the kernels of Zephyr's module cmsis-nn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from zephyr.qemu import run_until
from zephyr.tree import ROOT, Tree
from zephyr.twister import tail

pytestmark = pytest.mark.xdist_group("zephyr cmsis-nn")

SUITE = ROOT / "tests" / "zephyr" / "inference"
NEEDED = ("cmsis-nn", "cmsis-dsp")
SECONDS = 120.0


def modules_of(tree: Tree) -> set[str]:
    """Names of the modules that a build finds: those of the workspace, and named ones."""
    named = ";".join(
        tree.environment.get(name, "") for name in ("ZEPHYR_MODULES", "EXTRA_ZEPHYR_MODULES")
    )
    names = set()
    for folder in filter(None, named.split(";")):
        description = Path(folder) / "zephyr" / "module.yml"
        text = description.read_text(encoding="utf-8") if description.is_file() else ""
        names |= {line[5:].strip() for line in text.splitlines() if line.startswith("name:")}
        names.add(Path(folder).name)
    command = [sys.executable, "-m", "west", "list", "-f", "{name}"]
    done = subprocess.run(command, cwd=tree.base, capture_output=True, text=True, check=False)
    return names | set(done.stdout.split() if done.returncode == 0 else ())


@pytest.mark.parametrize("board", ["mps3/corstone300/an547", "mps2/an386"])
def test_models(board: str, tree: Tree, tmp_path: Path) -> None:
    missing = set(NEEDED) - modules_of(tree)
    if missing:
        pytest.skip(f"the Zephyr tree has no module {' nor '.join(sorted(missing))}")
    build = tmp_path / "build"
    configure = ["cmake", "-GNinja", "-S", str(SUITE), "-B", str(build), f"-DBOARD={board}"]
    configure += ["-DCONFIG_PETITE_KERNELS_CMSIS_NN=y", f"-DPython3_EXECUTABLE={sys.executable}"]
    text = ""
    for command in (configure, ["ninja", "-C", str(build)]):
        done = subprocess.run(
            command, env=tree.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, tail(done.stdout)
        text += done.stdout
    ours = [line for line in text.splitlines() if "warning:" in line and f"{ROOT}/" in line]
    assert ours == []
    generated = "".join(path.read_text("utf-8") for path in build.glob("petite/*/*.c"))
    assert "petite_conv2d_s8_cmsis_nn" in generated
    end = "PROJECT EXECUTION (SUCCESSFUL|FAILED)"
    console = run_until(build / "zephyr" / "zephyr.elf", board, [end], SECONDS)
    assert "PROJECT EXECUTION SUCCESSFUL" in console, tail(console)
