# SPDX-License-Identifier: Apache-2.0
"""Groups of operators: each operator is in one, and a table of some has theirs."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from petite.cli.main import main
from petite.pte import load_program
from petite.select.catalogue import ENTRIES
from petite.select.groups import GROUPS, Group, groups_of
from petite.select.selection import entries_of

ROOT = Path(__file__).resolve().parents[2]
OPERATORS = sorted({entry.operator for entry in ENTRIES})


def test_every_operator_is_in_one_group() -> None:
    found = {operator: groups_of(operator) for operator in OPERATORS}
    wrong = {operator: names for operator, names in found.items() if len(names) != 1}
    assert wrong == {}, "each needs one pattern in scripts/petite/select/groups.py"


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_every_pattern_of_a_group_finds_something(group: Group) -> None:
    for pattern in group.patterns:
        assert any(fnmatchcase(operator, pattern) for operator in OPERATORS), pattern


def test_quantised_models_need_two_groups() -> None:
    """As Kconfig has it by default, and its help says."""
    for path in (ROOT / "samples").rglob("*.pte"):
        groups = {groups_of(entry.operator)[0] for entry in entries_of(load_program(path))}
        assert groups <= {"int8", "shapes"}, path


def operators_in(table: Path) -> set[tuple[str, str]]:
    """Operators of a table with the element type of their first tensor."""
    text = table.read_text(encoding="utf-8")
    return set(re.findall(r'\{"([^"]+)", \w+, \w+, PETITE_(\w+),', text))


def test_a_table_has_the_operators_of_its_groups_and_types(tmp_path: Path) -> None:
    command = ["select", "--groups", "matmul, int8", "--dtypes", "int8,float32"]
    assert main([*command, "--operators", "aten::add.out", "--output", str(tmp_path)]) == 0
    found = operators_in(tmp_path / "petite_operators.c")
    assert {"aten::linear.out", "cortex_m::quantized_linear.out"} <= {name for name, _ in found}
    assert {type_ for _, type_ in found} == {"S8", "F32"}
    assert {(name, *groups_of(name)) for name, _ in found} == {
        (name, group)
        for name in OPERATORS
        for group in groups_of(name)
        if group in ("matmul", "int8") or name == "aten::add.out"
    }


def test_an_unknown_group_is_refused_with_those_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["select", "--groups", "int8,sounds", "--output", str(tmp_path / "out")]
    assert main(command) == 1
    error = capsys.readouterr().err
    assert "'sounds'" in error and error.count("\n") == 1
    assert ", ".join(group.name for group in GROUPS) in error
    assert not (tmp_path / "out").exists()


def test_the_document_lists_the_groups() -> None:
    text = (ROOT / "docs" / "loading.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (\d+) \|", text, re.MULTILINE)
    counts = {g.name: sum(g.has(operator) for operator in OPERATORS) for g in GROUPS}
    assert [(name, int(count)) for name, count in rows] == list(counts.items())
