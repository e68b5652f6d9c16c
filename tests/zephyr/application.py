# SPDX-License-Identifier: Apache-2.0
"""The small application that tests configure in many ways."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from zephyr.tree import ROOT, Tree

APPLICATION = ROOT / "tests" / "zephyr" / "bad_input"


class Application:
    """A build directory."""

    def __init__(self, tree: Tree, directory: Path, board: str, models: str, options: list[str]):
        """Configure it; `models` is CMake text."""
        self.directory = directory
        self._tree = tree
        named = directory / "models.cmake"
        named.write_text(models, encoding="utf-8")
        command = ["cmake", "-GNinja", "-S", str(APPLICATION), "-B", str(directory / "build")]
        command += [f"-DPython3_EXECUTABLE={sys.executable}"]
        command += [f"-DBOARD={board}", f"-DMODELS={named}", *options]
        self.status, self.output = self.run(command)

    def build(self, target: str) -> tuple[int, str]:
        """Build one file; status and output."""
        return self.run(["ninja", "-C", str(self.directory / "build"), target])

    def run(self, command: list[str]) -> tuple[int, str]:
        """Run a command where the tree is found; status and output."""
        done = subprocess.run(
            command,
            env=self._tree.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout
