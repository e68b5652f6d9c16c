# SPDX-License-Identifier: Apache-2.0
"""Puts the sample's Python files on the path, and builds it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]


@pytest.fixture(scope="session")
def host_firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as a program of the host, with sanitizers, and an arena of 24,000 bytes."""
    from quick_build import build_for_host

    return build_for_host(tmp_path_factory.mktemp("host"), arena=24000)


@pytest.fixture(scope="session")
def m55_firmware(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample for the emulated Cortex-M55."""
    from quick_build import build_for_m55

    return build_for_m55(tmp_path_factory.mktemp("m55"))
