# SPDX-License-Identifier: Apache-2.0
"""What several tests with a Zephyr tree share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zephyr.application import Application
from zephyr.tree import Tree, usable_tree

Configure = Callable[..., Application]


@pytest.fixture(scope="session")
def tree() -> Tree:
    """The Zephyr tree. Where there is none, what needs it is skipped, with the reason."""
    found = usable_tree()
    if isinstance(found, str):
        pytest.skip(found)
    return found


@pytest.fixture(scope="module")
def configure(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> Configure:
    def run(board: str, models: str, *options: str) -> Application:
        return Application(tree, tmp_path_factory.mktemp("app"), board, models, list(options))

    return run
