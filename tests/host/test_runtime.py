# SPDX-License-Identifier: Apache-2.0
"""Executor, log, profile, verification and registry: small C programs, compiled with sanitizers."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from kernel_testing.runner import FLAGS, INCLUDE, ROOT

PROGRAMS = Path(__file__).resolve().parent / "runtime_testing"
RUNTIME = ROOT / "runtime"

#: The programs, and what each of them is built with.
BUILDS = {
    "run": [],
    "profile": [],
    "verify": [],
    "registry": [],
    "log": ["-DPETITE_LOG=1"],
    "log_port": ["-DPETITE_LOG=1", str(RUNTIME / "platform" / "host" / "platform_host.c")],
}


def names_of_tests(program: str) -> list[str]:
    """Names of a program's tests."""
    text = (PROGRAMS / f"{program}_program.c").read_text(encoding="utf-8")
    return re.findall(r"^TEST\((\w+)\)", text, re.MULTILINE)


TESTS = [(program, test) for program in BUILDS for test in names_of_tests(program)]

Run = Callable[[str, str], "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module", params=["gcc", "clang"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A function that runs one test of a program, which is built once."""
    directory = tmp_path_factory.mktemp(request.param)

    @cache
    def build(program: str) -> Path:
        sources = [PROGRAMS / f"{program}_program.c", PROGRAMS / "model.c"]
        for part in ("executor", "verify", "registry"):
            sources += RUNTIME.glob(f"{part}/*.c")
        made = directory / program
        command = [request.param, *FLAGS, f"-I{INCLUDE}", f"-I{RUNTIME}", f"-I{PROGRAMS}"]
        command += [*BUILDS[program], *map(str, sources), "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return made

    def run_test(program: str, test: str) -> subprocess.CompletedProcess[str]:
        command = [str(build(program)), test]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run_test


@pytest.mark.parametrize(("program", "test"), TESTS)
def test_program(program: str, test: str, run: Run) -> None:
    done = run(program, test)
    assert done.returncode == 0, done.stderr


def test_the_host_port_prints_messages(run: Run) -> None:
    lines = run("log_port", "messages_reach_the_port").stderr.splitlines()
    assert [re.sub("0x[0-9a-f]+", "ADDRESS", line) for line in lines] == [
        "petite: debug: plan ADDRESS: starts, steps 3",
        "petite: error: plan ADDRESS: failed in step 2",
        "petite: error: plan ADDRESS: failed with status -4",
        "petite: debug: plan ADDRESS: ends, status -4",
    ]


def test_every_test_is_in_its_table() -> None:
    for program in BUILDS:
        text = (PROGRAMS / f"{program}_program.c").read_text(encoding="utf-8")
        assert sorted(re.findall(r"ENTRY\((\w+)\)", text)) == sorted(names_of_tests(program)), (
            program
        )
