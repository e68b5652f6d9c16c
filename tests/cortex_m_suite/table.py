# SPDX-License-Identifier: Apache-2.0
"""docs/cortex_m_suite.md, from the list of cases."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cortex_m_suite.cases import MORE, Case

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "cortex_m_suite.md"

_HEAD = """# ExecuTorch's Cortex-M tests, on Petite

The executorch package brings the tests of its Cortex-M backend. Those that run a program on a core
need Arm's simulator; here Petite compiles and runs what they serialise, on the host with
sanitizers and on an emulated Cortex-M55, which must agree bit for bit. Models, inputs, seeds and
tolerances are ExecuTorch's. `tests/cortex_m_suite` has the plugin; `python
tests/cortex_m_suite/update.py` writes this file, and a test compares it with the list of cases
that all runs are held to.

"""
_TITLES = {
    "passed": "pass, as ExecuTorch expects",
    "xpassed": "pass here, where ExecuTorch expects a failure",
    "xfailed": "fail, as ExecuTorch expects",
    "skipped": "skipped",
    "missing": "skipped: a package is missing",
}


def document(cases: Sequence[Case]) -> str:
    """The whole text."""
    theirs = [case for case in cases if case.file != MORE]
    ours = [case for case in cases if case.file == MORE]
    lines = [
        "| cases | run on a core by ExecuTorch | only lowered by ExecuTorch |",
        "|---|---:|---:|",
    ]
    for outcome, title in _TITLES.items():
        counts = [sum(case.outcome == outcome for case in group) for group in (theirs, ours)]
        lines.append(f"| {title} | {counts[0]} | {counts[1]} |")
    lines.append(f"| all | {len(theirs)} | {len(ours)} |")
    for outcome in ("xpassed", "xfailed", "skipped", "missing"):
        chosen = [case for case in cases if case.outcome == outcome]
        lines += ["", f"## {_TITLES[outcome][0].upper()}{_TITLES[outcome][1:]}", ""]
        lines += [f"- `{case.name}`{': ' if case.why else ''}{case.why}" for case in chosen]
    return _HEAD + "\n".join(lines) + "\n"
