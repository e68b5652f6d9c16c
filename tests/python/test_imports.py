# SPDX-License-Identifier: Apache-2.0
"""Who may import whom in the Python package: the arrows of DESIGN.md."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "scripts" / "petite"

#: Parts of the package that each part may import, beside itself and petite.errors.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "ir": set(),
    "targets": set(),
    "pte": {"ir"},
    "passes": {"ir", "targets"},
    "placement": {"ir", "targets"},
    "codegen": {"ir", "placement"},
    "stripes": {"ir", "passes", "placement"},
    "compile": {"ir", "targets", "pte", "passes", "placement", "codegen", "stripes"},
    "inspect": {"ir", "targets", "pte", "compile"},
    "select": {"ir", "targets", "pte", "passes"},
    "run": {"targets", "report"},
    "report": set(),
    "monitor": set(),
    "export": set(),
    "cli": {
        *("ir", "targets", "pte", "passes", "placement", "codegen", "stripes", "compile"),
        "inspect",
        *("select", "run", "report", "monitor", "export"),
    },
    "__main__": {"cli"},
    "__init__": set(),
}

#: What building firmware needs, as pyproject.toml has it.
LIGHT = {"numpy", "jinja2", "flatbuffers", "elftools"}
#: What only one part may import, beside that.
ONLY_IN = {"serial": "monitor"}
#: What only the exporter may import.
HEAVY = {"torch", "executorch", "torchao"}

MODULES = sorted(PACKAGE.rglob("*.py"))


def part_of(path: Path) -> str:
    """First folder, or the module itself at the top."""
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imported(tree: ast.AST) -> Iterator[str]:
    """Full names of all imported modules, wherever in the file the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide what is imported"
            module = node.module or ""
            # "from petite import x" imports petite.x where there is such a module.
            yield from (f"{module}.{alias.name}" for alias in node.names)


def violations(path: Path, source: str) -> list[str]:
    """What a module imports and must not."""
    part = part_of(path)
    found = []
    for name in imported(ast.parse(source)):
        top, *rest = name.split(".")
        if top == "petite":
            target = rest[0] if rest else ""
            if target in ALLOWED and target not in {part, "errors", *ALLOWED[part]}:
                found.append(name)
        elif top in HEAVY:
            if part != "export":
                found.append(name)
        elif top not in sys.stdlib_module_names and top not in LIGHT and part != ONLY_IN.get(top):
            found.append(name)
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_follow_the_rules(path: Path) -> None:
    assert violations(path, path.read_text(encoding="utf-8")) == []


def test_every_part_has_rules() -> None:
    assert {part_of(path) for path in MODULES} <= set(ALLOWED)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("ir/graph.py", "from petite.pte import Program"),
        ("ir/graph.py", "from petite import codegen"),
        ("passes/layout.py", "import petite.placement.planner"),
        ("codegen/emit.py", "from petite.passes.lower import lower"),
        ("pte/lift.py", "def f() -> None:\n    import torch"),
        ("report/elf_sizes.py", "from petite.targets import find_target"),
        ("compile.py", "from petite.cli.table import table"),
        ("run/build.py", "from petite.compile import compile_file"),
        ("placement/check.py", "import scipy"),
        ("cli/monitor.py", "import serial"),
    ],
)
def test_a_wrong_import_is_found(path: str, line: str) -> None:
    assert len(violations(PACKAGE / path, line)) == 1
