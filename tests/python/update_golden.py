# SPDX-License-Identifier: Apache-2.0
"""Rewrite tests/golden from what the code generator makes now. Read the difference before it lands.

Example: python tests/python/update_golden.py
"""

from __future__ import annotations

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
GOLDEN = _HERE.parent / "golden"


def main() -> None:
    """Write every file, and take away what no model makes any more."""
    sys.path[:0] = [str(_HERE), str(_HERE.parents[1] / "scripts")]
    from golden_models import GOLDEN_MODELS

    files = {name: text for make in GOLDEN_MODELS.values() for name, text in make().items()}
    GOLDEN.mkdir(exist_ok=True)
    for old in GOLDEN.glob("[!.]*"):
        if old.name not in files:
            old.unlink()
    for name, text in files.items():
        (GOLDEN / name).write_text(text, encoding="utf-8")
        print(GOLDEN / name)


if __name__ == "__main__":
    main()
