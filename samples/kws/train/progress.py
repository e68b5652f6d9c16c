# SPDX-License-Identifier: Apache-2.0
"""Shows how far a long task is."""

from __future__ import annotations

import sys


def progress(what: str, done: int, total: int) -> None:
    """Say `what` `done` of `total` on standard error: on one line, or on few where it is a file."""
    if sys.stderr.isatty():
        print(f"\r{what} {done} of {total}", end="\n" if done == total else "", file=sys.stderr)
    elif done == total or done % max(1, total // 8) == 0:
        print(f"{what} {done} of {total}", file=sys.stderr, flush=True)
