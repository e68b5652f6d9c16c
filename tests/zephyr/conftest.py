# SPDX-License-Identifier: Apache-2.0
"""What several tests with a Zephyr tree share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zephyr.application import Application
from zephyr.tree import usable_tree

Configure = Callable[..., Application]


@pytest.fixture(scope="module")
def configure(tmp_path_factory: pytest.TempPathFactory) -> Configure:
    tree = usable_tree()
    if isinstance(tree, str):
        pytest.skip(tree)

    def run(board: str, models: str, *options: str) -> Application:
        return Application(tree, tmp_path_factory.mktemp("app"), board, models, list(options))

    return run
