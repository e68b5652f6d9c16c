# SPDX-License-Identifier: Apache-2.0
"""``python -m petite``."""

import sys
from pathlib import Path

try:
    from petite.cli.main import main
except ModuleNotFoundError as error:
    if (error.name or "petite").partition(".")[0] == "petite":
        raise
    requirements = Path(__file__).resolve().parent.parent / "requirements.txt"
    print(
        f"petite: error: {sys.executable} has no package {error.name!r}; install what firmware "
        f"needs: {sys.executable} -m pip install -r {requirements}",
        file=sys.stderr,
    )
    raise SystemExit(1) from None

if __name__ == "__main__":
    raise SystemExit(main())
