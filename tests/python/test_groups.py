# SPDX-License-Identifier: Apache-2.0
"""Tests that are marked as a group run in one worker: what one of them made serves the others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SUITE = """
import os
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", [
    pytest.param(n, marks=pytest.mark.xdist_group("even" if n % 2 == 0 else "odd"))
    for n in range(10)
])
def test_notes_its_worker(number):
    Path(f"worker{number}").write_text(os.environ["PYTEST_XDIST_WORKER"])
"""


def test_a_group_has_one_worker(tmp_path: Path) -> None:
    """With pytest 9.2, xdist 3.8 takes no notice of groups, and says nothing."""
    (tmp_path / "test_suite.py").write_text(SUITE, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    workers = [(tmp_path / f"worker{n}").read_text(encoding="utf-8") for n in range(10)]
    assert [len(set(workers[first::2])) for first in (0, 1)] == [1, 1], workers
