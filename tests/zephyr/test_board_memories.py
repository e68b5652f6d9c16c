# SPDX-License-Identifier: Apache-2.0
"""The shipped descriptions of boards' memories are what a build reads from their devicetrees."""

from __future__ import annotations

import json

import pytest

from zephyr.conftest import Configure
from zephyr.tree import ROOT

pytestmark = pytest.mark.xdist_group("zephyr bad input")

BOARDS = ROOT / "scripts" / "petite" / "targets" / "boards"
#: GCC 12 is enough to configure for these, and Zephyr's own modules are.
CONFIGURED = ["alif_e8", "mps2/an386", "mps3/corstone300/an547", "mps3/corstone300/fvp"]


@pytest.mark.parametrize("board", CONFIGURED)
def test_description_is_that_of_the_devicetree(board: str, configure: Configure) -> None:
    application = configure(board, "", "-DCONFIG_PETITE=y", "-DSNIPPET=petite")
    assert application.status == 0, application.output
    read = application.directory / "build" / "petite" / "memories.json"
    shipped = BOARDS / f"{board.replace('/', '_')}.json"
    assert json.loads(shipped.read_text("utf-8")) == json.loads(read.read_text("utf-8"))
