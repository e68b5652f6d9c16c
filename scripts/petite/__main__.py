# SPDX-License-Identifier: Apache-2.0
"""``python -m petite``."""

from petite.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
