# SPDX-License-Identifier: Apache-2.0
"""What the tests of the kernels share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

# The test modules import the package kernel_testing, which is beside this file.
sys.path.insert(0, str(Path(__file__).resolve().parent))

if TYPE_CHECKING:
    from kernel_testing.runner import KernelRunner


@pytest.fixture(scope="session", params=["gcc", "clang"])
def kernels(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KernelRunner]:
    """All kernels, compiled with the address and undefined-behaviour sanitizers."""
    from kernel_testing.runner import KernelRunner

    runner = KernelRunner(request.param, tmp_path_factory.mktemp(request.param))
    yield runner
    runner.close()
