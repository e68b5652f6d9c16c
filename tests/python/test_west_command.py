# SPDX-License-Identifier: Apache-2.0
"""``west petite`` in a west workspace, without petite installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
MODEL = REPOSITORY / "samples" / "kws" / "model" / "kws.pte"

MANIFEST = """\
manifest:
  self:
    path: petite
    west-commands: scripts/west-commands.yml
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace whose manifest repository has a copy of scripts/ and nothing else."""
    top = tmp_path_factory.mktemp("workspace")
    shutil.copytree(
        REPOSITORY / "scripts",
        top / "petite" / "scripts",
        ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"),
    )
    (top / "petite" / "west.yml").write_text(MANIFEST)
    (top / ".west").mkdir()
    (top / ".west" / "config").write_text("[manifest]\npath = petite\nfile = west.yml\n")
    return top


def west(workspace: Path, *arguments: object, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run west there. ``before`` is Python that the interpreter runs first."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "ZEPHYR_BASE")}
    program = f"{before}\nimport sys\nfrom west.app.main import main\nmain(sys.argv[1:])"
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=workspace,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def forbid(package: str) -> str:
    """Python after which importing a package fails as if it were not installed."""
    return (
        "import sys, importlib.abc\n"
        "class Missing(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        f"        if name.split('.')[0] == {package!r}:\n"
        "            raise ModuleNotFoundError('No module named ' + name, name=name)\n"
        "sys.meta_path.insert(0, Missing())"
    )


def test_the_repository_s_manifest_names_the_commands() -> None:
    assert "west-commands: scripts/west-commands.yml" in (REPOSITORY / "west.yml").read_text()


def test_west_lists_it(workspace: Path) -> None:
    done = west(workspace, "help")
    assert "petite:" in done.stdout and "microcontrollers" in done.stdout


@pytest.mark.parametrize("arguments", [("petite", "--help"), ("help", "petite")])
def test_help_is_that_of_the_command_line(workspace: Path, arguments: tuple[str, ...]) -> None:
    done = west(workspace, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: west petite [-h] [--version] COMMAND ...")
    for command in ("export", "inspect", "compile", "run", "report", "monitor"):
        assert f"    {command} " in done.stdout


def test_help_of_a_command(workspace: Path) -> None:
    done = west(workspace, "petite", "monitor", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: west petite monitor [-h] [--port PORT]")


def test_it_does_what_the_command_line_does(workspace: Path, tmp_path: Path) -> None:
    done = west(workspace, "petite", "compile", MODEL, "--name", "kws", "--output", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("kws: 1 method(s)")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kws.c", "kws.h"]


def test_the_code_is_that_of_the_workspace(workspace: Path) -> None:
    marked = workspace / "petite" / "scripts" / "petite" / "__init__.py"
    text = marked.read_text()
    marked.write_text(text + '\n__version__ = "of the workspace"\n')
    try:
        assert west(workspace, "petite", "--version").stdout == "petite of the workspace\n"
    finally:
        marked.write_text(text)


def test_an_error_is_one_line_and_status_1(workspace: Path) -> None:
    done = west(workspace, "petite", "inspect", "none.pte")
    assert done.returncode == 1
    assert done.stderr.startswith("petite: error: none.pte: ")
    assert done.stderr.count("\n") == 1 and done.stdout == ""


def test_wrong_options_have_status_2(workspace: Path) -> None:
    done = west(workspace, "petite", "compile", "x.pte", "--colour", "red")
    assert done.returncode == 2
    assert "unrecognized arguments: --colour red" in done.stderr


def test_arguments_arrive_in_order_and_whole(workspace: Path) -> None:
    done = west(workspace, "petite", "-v", "--", "inspect", "a b.pte", "--json")
    assert done.returncode == 2 and "west petite: error" in done.stderr
    done = west(workspace, "petite", "inspect", "--json", "--", "-a b.pte")
    assert done.returncode == 1
    assert done.stderr.startswith("petite: error: -a b.pte: ")


@pytest.mark.parametrize("package", ["numpy", "elftools"])
def test_a_missing_requirement_is_named_with_its_cure(workspace: Path, package: str) -> None:
    done = west(workspace, "petite", "inspect", MODEL, before=forbid(package))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1 and done.stdout == ""
    assert f"needs the Python package {package}; " in done.stderr
    assert "west packages pip --install" in done.stderr
    requirements = workspace / "petite" / "scripts" / "requirements.txt"
    assert f"pip install -r {requirements}" in done.stderr and requirements.is_file()


def test_monitor_without_pyserial_says_so(workspace: Path) -> None:
    done = west(workspace, "petite", "monitor", "--port", "loop://", before=forbid("serial"))
    assert done.returncode == 1
    assert done.stderr.startswith("petite: error: monitor needs pyserial")
    assert done.stderr.count("\n") == 1
