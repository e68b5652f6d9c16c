# SPDX-License-Identifier: Apache-2.0
"""The reader's field map says what ExecuTorch's schema files say."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from petite.pte.schema import (
    BYTE,
    PROGRAM,
    Enumeration,
    Field,
    Number,
    NumberVector,
    Table,
    TableVector,
    Text,
    Union,
)

_SAME_WIDTH = {"int64": "long", "uint32": "uint", "uint64": "ulong"}


def _schema_text() -> str:
    folder = resources.files("executorch.exir._serialize")
    text = "".join((folder / name).read_text() for name in ("program.fbs", "scalar_type.fbs"))
    return re.sub(r"//[^\n]*", "", text)


def _blocks(keyword: str) -> dict[str, str]:
    found = re.findall(rf"\b{keyword}\s+(\w+)\s*(?::\s*\w+\s*)?{{([^}}]*)}}", _schema_text())
    return dict(found)


def _reachable(table: Table, found: dict[str, Table]) -> dict[str, Table]:
    found[table.name] = table
    for field in table.fields:
        kind = field.type
        below: tuple[Table, ...] = ()
        if isinstance(kind, Table):
            below = (kind,)
        elif isinstance(kind, TableVector):
            below = (kind.element,)
        elif isinstance(kind, Union):
            below = kind.members
        for member in below:
            _reachable(member, found)
    return found


_TABLES = _reachable(PROGRAM, {})


def _type_name(field: Field) -> str:
    kind = field.type
    if isinstance(kind, Text):
        return "string"
    if isinstance(kind, NumberVector):
        return f"[{kind.element.name}]"
    if isinstance(kind, TableVector):
        return f"[{kind.element.name}]"
    return kind.name


def test_every_table_of_the_schema_is_known() -> None:
    assert set(_TABLES) == set(_blocks("table"))


@pytest.mark.parametrize("name", sorted(_TABLES))
def test_fields_have_their_slots_and_types(name: str) -> None:
    expected = []
    slot = 0
    unions = _blocks("union")
    for field, kind in re.findall(r"(\w+)\s*:\s*([\[\]\w]+)", _without_attributes(name)):
        plain = re.sub(r"\w+", lambda m: _SAME_WIDTH.get(m[0], m[0]), kind)
        slot += plain in unions  # the slot of its type comes first
        expected.append((slot, field, plain))
        slot += 1
    assert [(f.slot, f.name, _type_name(f)) for f in _TABLES[name].fields] == expected


def _without_attributes(name: str) -> str:
    return re.sub(r"\([^)]*\)", "", _blocks("table")[name])


def test_enumerations_and_unions_have_their_members() -> None:
    kinds = [field.type for table in _TABLES.values() for field in table.fields]
    enumerations = {kind.name: kind for kind in kinds if isinstance(kind, Enumeration)}
    texts = _blocks("enum")
    assert set(enumerations) == set(texts)
    for name, text in texts.items():
        members = {int(code): member for member, code in re.findall(r"(\w+)\s*=\s*(\d+)", text)}
        assert dict(enumerations[name].names) == members
        assert isinstance(enumerations[name].number, Number)
    unions = {kind.name: kind for kind in kinds if isinstance(kind, Union)}
    texts = _blocks("union")
    assert set(unions) == set(texts)
    for name, text in texts.items():
        assert [member.name for member in unions[name].members] == re.findall(r"\w+", text)


def test_forced_alignments_are_the_schemas() -> None:
    for name, table in _TABLES.items():
        forced = dict(
            re.findall(r"(\w+)\s*:\s*\[ubyte\]\s*\(force_align:\s*(\d+)\)", _blocks("table")[name])
        )
        ours = {
            field.name: str(field.type.alignment)
            for field in table.fields
            if isinstance(field.type, NumberVector)
            and field.type.element is BYTE
            and field.type.alignment > 1
        }
        assert ours == forced
