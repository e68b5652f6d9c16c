# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's test cases: what each is expected to do here, and how they are run."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LIST = HERE / "cases.tsv"
#: Cases of our own, in ExecuTorch's manner.
MORE = "more_cases.py"
_SCRIPTS = HERE.parents[1] / "scripts"
#: Stands for the core in the name of a case that is lowered for one.
TARGET = "TARGET"
#: ExecuTorch's files with tests that run something on a core.
_SELECTION = "implementation or runs_on_fvp or ops_fvp"


@dataclass(frozen=True)
class Case:
    """One test of ExecuTorch: `name` is FILE::FUNCTION[PARAMETERS], from its test folder.

    `outcome` is what happens here: passed, xpassed (ExecuTorch expects a failure), xfailed (and it
    fails), skipped (by ExecuTorch), or missing (a package that `why` names is not installed).
    """

    name: str
    outcome: str
    why: str = ""

    @property
    def file(self) -> str:
        """The file that has it."""
        return self.name.partition("::")[0]

    @property
    def is_lowered_for_a_core(self) -> bool:
        """Whether ExecuTorch's option chooses the core; it is a Cortex-M55 otherwise."""
        return TARGET in self.name


def read_cases() -> list[Case]:
    """The list, in the order of ExecuTorch's collection."""
    with LIST.open(encoding="utf-8", newline="") as file:
        return [Case(*row) for row in csv.reader(file, delimiter="\t")]


def write_cases(cases: Sequence[Case]) -> None:
    """Write the list."""
    with LIST.open("w", encoding="utf-8", newline="") as file:
        rows = ([case.name, case.outcome, case.why] for case in cases)
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)


@dataclass(frozen=True)
class Results:
    """Outcome and reason of each case; the error of each file that could not be imported."""

    tests: dict[str, tuple[str, str]]
    files: dict[str, str]
    output: str


def suite_directory() -> Path:
    """Where the executorch package has its tests."""
    spec = find_spec("executorch.backends.cortex_m.test.tester")
    assert spec is not None and spec.origin is not None, "executorch has no Cortex-M tests"
    return Path(spec.origin).parent


def run(target: str, cores: Sequence[str], cases: Sequence[Case] | None = None) -> Results:
    """Run cases, lowered for core `target` ("cortex-m4"), on the host and on Petite's targets.

    Without cases nothing is run, and the results have what ExecuTorch collects.
    """
    ours = Results({}, {}, "")
    names = [c.name.replace(TARGET, target) for c in cases or () if c.file != MORE]
    own = [c.name for c in cases or () if c.file == MORE]
    theirs = ours
    options = [f"--cortex-m-target={target}", *(f"--petite-core={core}" for core in cores)]
    if cases is None:
        options.append("--collect-only")
    if names or cases is None:
        selection = ["-k", _SELECTION] if cases is None else []
        theirs = _run(suite_directory(), names, [*options, *selection])
    if own or cases is None:
        fixtures = ["-p", "executorch.backends.cortex_m.test.conftest"]
        ours = _run(HERE, own or [MORE], [*options, *fixtures])
    tests = {name.replace(target, TARGET): found for name, found in theirs.tests.items()}
    return Results(tests | ours.tests, theirs.files | ours.files, theirs.output + ours.output)


def _run(root: Path, names: Sequence[str], options: Sequence[str]) -> Results:
    """pytest in a process of its own, which knows nothing of the configuration of this one."""
    paths = [str(_SCRIPTS), str(HERE), os.environ.get("PYTHONPATH", "")]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    with tempfile.TemporaryDirectory(prefix="petite-") as directory:
        results = Path(directory) / "results.json"
        (Path(directory) / "pytest.ini").write_text("[pytest]\n")
        command = [sys.executable, "-m", "pytest", "-q", "--tb=short", f"--rootdir={root}"]
        command += ["-c", f"{directory}/pytest.ini", "-p", "petite_serialize", "-p", "no:xdist"]
        command += ["-p", "no:cacheprovider", "--continue-on-collection-errors"]
        command += [f"--petite-results={results}", *options]
        command += [str(root / name) for name in names] or [str(root)]
        done = subprocess.run(
            command, env=environment, cwd=directory, capture_output=True, text=True, check=False
        )
        output = done.stdout[-3000:] + done.stderr[-3000:]
        found: dict[str, Any] = json.loads(results.read_text()) if results.is_file() else {}
    tests = {name: (pair[0], pair[1]) for name, pair in found.get("tests", {}).items()}
    return Results(tests, found.get("files", {}), output)
