# SPDX-License-Identifier: Apache-2.0
"""The scenarios that twister runs on emulated boards, from testcase.yaml and sample.yaml."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
#: Folders that twister searches.
FOLDERS = (ROOT / "tests" / "zephyr", ROOT / "samples")
#: Boards that need nothing beside QEMU and a compiler for the host.
EMULATED = ("native_sim", "mps2/an386", "mps3/corstone300/an547")
#: Boards that need one of Arm's models, which have to be downloaded by hand.
_FVPS = {
    "mps3/corstone300/fvp": "FVP_Corstone_SSE-300_Ethos-U55",
    "mps4/corstone320/fvp": "FVP_Corstone_SSE-320",
}


@dataclass(frozen=True)
class Scenario:
    """A scenario on a board."""

    name: str
    platform: str
    is_ztest: bool
    regexes: tuple[str, ...]
    """What the console has to show, in this order; for samples."""
    build_only: bool

    def __str__(self) -> str:
        return f"{self.name}-{self.platform.replace('/', '_')}"


def installed_fvps() -> list[str]:
    """Boards whose model is found, in ARMFVP_BIN_PATH or on PATH."""
    path = os.pathsep.join(filter(None, [os.environ.get("ARMFVP_BIN_PATH"), os.environ["PATH"]]))
    return [board for board, fvp in _FVPS.items() if shutil.which(fvp, path=path)]


def all_scenarios() -> list[Scenario]:
    """Every scenario on each of its boards that can be run here.

    Emulated boards are those of `integration_platforms`: the others of `platform_allow` would give
    nothing new. An FVP that is found gets everything that allows it.
    """
    files = [path for folder in FOLDERS for path in sorted(folder.glob("*/*.yaml"))]
    names = ("testcase.yaml", "sample.yaml")
    return [s for path in files if path.name in names for s in _scenarios(path)]


def _scenarios(path: Path) -> Iterator[Scenario]:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    common = document.get("common", {})
    for name, own in document["tests"].items():
        merged: dict[str, Any] = {**common, **own}
        regexes = merged.get("harness_config", {}).get("regex", [])
        boards = [b for b in EMULATED if b in _list(common, own, "integration_platforms")]
        boards += [b for b in installed_fvps() if b in _list(common, own, "platform_allow")]
        for board in boards:
            is_ztest = merged.get("harness", "ztest") == "ztest"
            yield Scenario(name, board, is_ztest, tuple(regexes), bool(merged.get("build_only")))


def _list(common: dict[str, Any], own: dict[str, Any], key: str) -> list[str]:
    """What all scenarios of a file and this one have; text is a list separated by spaces."""
    values = [settings.get(key, []) for settings in (common, own)]
    return [v for value in values for v in (value.split() if isinstance(value, str) else value)]
