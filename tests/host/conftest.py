# SPDX-License-Identifier: Apache-2.0
"""What the tests of the kernels share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kernel_testing.runner import KernelRunner


@pytest.fixture(scope="session", params=["gcc", pytest.param("clang", marks=pytest.mark.long)])
def kernels(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KernelRunner]:
    """All kernels, compiled with the address and undefined-behaviour sanitizers."""
    runner = KernelRunner(request.param, tmp_path_factory.mktemp(request.param))
    yield runner
    runner.close()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one compiler's kernels share a worker, so that these are compiled once."""
    for item in items:
        if isinstance(item, pytest.Function) and "kernels" in item.fixturenames:
            compiler = item.callspec.params["kernels"]
            item.add_marker(pytest.mark.xdist_group(f"kernels of {compiler}"))
