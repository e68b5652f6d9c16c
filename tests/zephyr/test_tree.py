# SPDX-License-Identifier: Apache-2.0
"""Where a Zephyr tree is looked for, and that its absence is said and not passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from zephyr.scenarios import EMULATED, all_scenarios
from zephyr.tree import ROOT, Tree, find_tree


def make_tree(directory: Path, major: int, minor: int) -> Path:
    package = directory / "share" / "zephyr-package" / "cmake"
    package.mkdir(parents=True)
    text = f"VERSION_MAJOR = {major}\nVERSION_MINOR = {minor}\nPATCHLEVEL = 0\n"
    (directory / "VERSION").write_text(text, encoding="ascii")
    return package


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """CMake's user package registry of an empty home, without ZEPHYR_BASE."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("ZEPHYR_BASE", raising=False)
    folder = tmp_path / ".cmake" / "packages" / "Zephyr"
    folder.mkdir(parents=True)
    return folder


def test_no_tree(registry: Path) -> None:
    reason = find_tree()
    assert isinstance(reason, str)
    assert "no Zephyr tree of version 4.3.0 or newer: set ZEPHYR_BASE" in reason


def test_newest_tree_of_the_registry(registry: Path, tmp_path: Path) -> None:
    for minor in (3, 10, 4):
        package = make_tree(tmp_path / f"zephyr-{minor}", 4, minor)
        (registry / f"entry{minor}").write_text(f"{package}\n", encoding="ascii")
    (registry / "gone").write_text("/nowhere/zephyr/share/zephyr-package/cmake", encoding="ascii")
    tree = find_tree()
    assert isinstance(tree, Tree)
    assert tree.base == tmp_path / "zephyr-10"
    assert tree.environment["ZEPHYR_BASE"] == str(tree.base)
    assert str(ROOT) in tree.environment["EXTRA_ZEPHYR_MODULES"].split(";")


def test_trees_that_are_too_old(registry: Path, tmp_path: Path) -> None:
    package = make_tree(tmp_path / "zephyr", 4, 2)
    (registry / "entry").write_text(str(package), encoding="ascii")
    assert isinstance(find_tree(), str)


def test_tree_of_the_environment(
    registry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_tree(tmp_path / "mine", 4, 3)
    monkeypatch.setenv("ZEPHYR_BASE", str(tmp_path / "mine"))
    monkeypatch.setenv("ZEPHYR_MODULES", f"/modules/cmsis_6;{ROOT}")
    monkeypatch.delenv("EXTRA_ZEPHYR_MODULES", raising=False)
    tree = find_tree()
    assert isinstance(tree, Tree) and tree.base == tmp_path / "mine"
    # This module is there already: it must not be given twice.
    assert "EXTRA_ZEPHYR_MODULES" not in tree.environment


def test_wrong_environment(registry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZEPHYR_BASE", "/nowhere")
    with pytest.raises(ValueError, match="ZEPHYR_BASE=/nowhere is no Zephyr tree"):
        find_tree()


def test_every_kind_of_core_has_scenarios() -> None:
    scenarios = all_scenarios()
    for board in EMULATED:
        assert len({s.name for s in scenarios if s.platform == board}) > 2, board
    assert all(s.is_ztest or s.regexes for s in scenarios)
