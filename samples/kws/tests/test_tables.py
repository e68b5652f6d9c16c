# SPDX-License-Identifier: Apache-2.0
"""tables.c is what make_tables.py makes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

FRONTEND = Path(__file__).resolve().parent.parent / "frontend"


def test_tables_are_current(tmp_path: Path) -> None:
    made = tmp_path / "tables.c"
    subprocess.run([sys.executable, str(FRONTEND / "make_tables.py"), str(made)], check=True)
    assert made.read_text() == (FRONTEND / "tables.c").read_text()
