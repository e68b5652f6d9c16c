#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every case, and writes what it did into cases.tsv and docs/cortex_m_suite.md.

Usage: python tests/cortex_m_suite/update.py [--table]

With --table only the document is written, from the list as it is. A case that fails stays in the
list as "passed": the list says what is right, and the test fails. Read the difference.
"""

from __future__ import annotations

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cortex_m_suite.cases import Case, read_cases, run, write_cases
from cortex_m_suite.table import DOCUMENT, document


def main() -> int:
    """Update both files."""
    if sys.argv[1:] != ["--table"]:
        write_cases(_measured())
    DOCUMENT.write_text(document(read_cases()), encoding="utf-8")
    return 0


def _measured() -> list[Case]:
    collected = run("cortex-m55", [])
    known = {case.name: case for case in read_cases()}
    cases = [Case(name, "passed") for name in collected.tests]
    found = _run_all(cases)
    for name, (outcome, reason) in found.items():
        if outcome == "failed":
            print(f"FAILED {name}: {_short(reason)}")
    missing = [case for case in known.values() if case.outcome == "missing"]
    return [_case(name, found[name], known.get(name)) for name in collected.tests] + missing


def _run_all(cases: list[Case]) -> dict[str, tuple[str, str]]:
    """On all cores of this machine."""
    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        shares = [cases[number::workers] for number in range(workers)]
        results = list(pool.map(lambda share: run("cortex-m55", ["qemu-m55"], share), shares))
    for result in results:
        if not result.tests:
            raise SystemExit(result.output)
    return {name: found for result in results for name, found in result.tests.items()}


def _case(name: str, found: tuple[str, str], known: Case | None) -> Case:
    outcome, reason = found
    if outcome in ("failed", "passed"):
        return Case(name, "passed")
    if known is not None and known.outcome == outcome:
        return known
    return Case(name, outcome, _short(reason) if outcome != "xpassed" else "")


def _short(reason: str) -> str:
    lines = [line.strip() for line in reason.splitlines() if line.strip()]
    errors = [line.removeprefix("E   ") for line in lines if line.startswith("E   ")]
    text = " ".join((errors or lines or [""])[0].split())
    # Without the file, which was a temporary one, and without the advice.
    return re.sub(r"^/\S+: ", "", text).split("; ")[0][:300]


if __name__ == "__main__":
    sys.exit(main())
