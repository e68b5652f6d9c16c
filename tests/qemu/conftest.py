# SPDX-License-Identifier: Apache-2.0
"""The model written by hand, copied to where a test may build it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

_MODEL = Path(__file__).parent / "model"
ModelMaker = Callable[..., Path]


@pytest.fixture
def make_model(tmp_path: Path) -> ModelMaker:
    """Returns a function: its keywords become #defines on top of model.c."""

    def make(**defines: int) -> Path:
        directory = tmp_path / "model"
        shutil.copytree(_MODEL, directory)
        lines = [f"#define {name} {value}\n" for name, value in defines.items()]
        source = directory / "model.c"
        source.write_text("".join(lines) + source.read_text(encoding="utf-8"), encoding="utf-8")
        return directory

    return make


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A Cortex-M33 runs the kernels of a Cortex-M4: by default one of the two is enough."""
    for item in items:
        if item.path.parent == _MODEL.parent and "qemu-m33" in item.name:
            item.add_marker(pytest.mark.long)
