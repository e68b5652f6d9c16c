# SPDX-License-Identifier: Apache-2.0
"""A run of twister, and its results."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zephyr.scenarios import EMULATED, FOLDERS, ROOT, Scenario, installed_fvps
from zephyr.tree import Tree

_TAIL = 80  # lines of a log that a failure shows


@dataclass(frozen=True)
class Result:
    """What twister says of a scenario on a board."""

    status: str
    reason: str
    testcases: dict[str, str]
    """Status by name."""
    directory: Path
    """The build directory."""

    @property
    def was_run(self) -> bool:
        """Whether twister did more than to build it."""
        return (self.directory / "handler.log").is_file()

    def log(self) -> str:
        """The end of what the firmware printed, or else of what the build printed."""
        for name in ("handler.log", "build.log"):
            path = self.directory / name
            if path.is_file() and path.stat().st_size:
                return tail(path.read_text(encoding="utf-8", errors="replace"))
        return "there is no log"

    def own_warnings(self) -> list[str]:
        """Lines of the build with warnings about our files, or about what they generate.

        Zephyr's own are not ours to mend, so twister is told not to stop at warnings.
        """
        text = (self.directory / "build.log").read_text(encoding="utf-8", errors="replace")
        lines = re.sub(r"\x1b\[[0-9;]*[mK]", "", text).splitlines()
        ours = (f"{ROOT}/", f"{self.directory}/petite/")
        found = re.compile(r"^(\S+?):\d+:(\d+:)? warning: ")
        return [line for line in lines if (m := found.match(line)) and m[1].startswith(ours)]


def tail(text: str) -> str:
    """The last lines of a log."""
    return "\n".join(text.splitlines()[-_TAIL:])


class Twister:
    """Results of all scenarios."""

    def __init__(self, tree: Tree, output: Path) -> None:
        """Run twister, which takes minutes, unless `output` has the results of a run already.

        RuntimeError where it did not get to running anything.
        """
        self._results = _run(tree, output / "emulated", ["--integration", *_on(EMULATED)])
        if installed_fvps():
            self._results |= _run(tree, output / "fvp", _on(installed_fvps()))

    def find(self, scenario: Scenario) -> Result:
        """The result of a scenario. KeyError where twister did not take it up."""
        for (name, platform), result in self._results.items():
            if name == scenario.name and f"{platform}/".startswith(f"{scenario.platform}/"):
                return result
        raise KeyError(f"twister left out {scenario}")


def _on(boards: Iterable[str]) -> list[str]:
    return [option for board in boards for option in ("-p", board)]


def _run(tree: Tree, output: Path, options: list[str]) -> dict[tuple[str, str], Result]:
    """Results by the names of scenario and board."""
    command = [sys.executable, str(tree.base / "scripts" / "twister"), "-O", str(output), *options]
    for folder in FOLDERS:
        command += ["-T", str(folder)]
    command += ["--disable-warnings-as-errors", "--no-detailed-test-id"]
    report = output / "twister.json"
    if not report.is_file():
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=tree.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if not report.is_file():
            raise RuntimeError(f"twister did not run:\n{tail(done.stdout)}")
    suites = json.loads(report.read_text(encoding="utf-8"))["testsuites"]
    return {(suite["name"], suite["platform"]): _result(suite, output) for suite in suites}


def _result(suite: dict[str, Any], output: Path) -> Result:
    board = output / suite["platform"].replace("/", "_")
    directories = [path.parent for path in board.rglob("build.log")]
    named = [path for path in directories if path.name == suite["name"]]
    return Result(
        suite["status"],
        suite.get("reason", ""),
        {case["identifier"]: case["status"] for case in suite["testcases"]},
        named[0] if named else board,
    )
