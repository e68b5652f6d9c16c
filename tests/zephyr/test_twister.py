# SPDX-License-Identifier: Apache-2.0
"""The module's suites and samples on emulated boards, by one run of twister.

Skipped where no Zephyr tree is found (tree.py says where it is looked for).
"""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from zephyr.qemu import MACHINES, run_until
from zephyr.scenarios import Scenario, all_scenarios
from zephyr.tree import Tree
from zephyr.twister import Result, Twister, tail

pytestmark = pytest.mark.xdist_group("twister")

SCENARIOS = all_scenarios()
SECONDS = 120.0
SUCCESS, END = "PROJECT EXECUTION SUCCESSFUL", "PROJECT EXECUTION (SUCCESSFUL|FAILED)"


@pytest.fixture(scope="module")
def twister(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> Twister:
    """Results of one run, which all workers share: the first of them to get here makes it."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with (shared / "twister.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return Twister(tree, shared / "twister")


def fail(result: Result) -> None:
    pytest.fail(f"{result.status}: {result.reason}\n{result.log()}", pytrace=False)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_scenario(scenario: Scenario, twister: Twister) -> None:
    result = twister.find(scenario)
    if scenario.platform in MACHINES and not result.was_run:
        # Zephyr knows no QEMU for the board, so twister builds it and leaves it at that.
        if not (result.directory / "zephyr" / "zephyr.elf").is_file():
            fail(result)
        run_in_qemu(scenario, result)
    elif scenario.build_only:
        if result.status not in ("passed", "not run", "built"):
            fail(result)
    elif result.status != "passed" or not result.was_run:
        fail(result)
    elif scenario.is_ztest:
        assert "passed" in result.testcases.values()
        assert set(result.testcases.values()) <= {"passed", "skipped"}
    assert result.own_warnings() == []


def run_in_qemu(scenario: Scenario, result: Result) -> None:
    elf = result.directory / "zephyr" / "zephyr.elf"
    wanted = [END] if scenario.is_ztest else list(scenario.regexes)
    try:
        text = run_until(elf, scenario.platform, wanted, SECONDS)
    except TimeoutError as error:
        pytest.fail(str(error), pytrace=False)
    if scenario.is_ztest and SUCCESS not in text:
        pytest.fail(tail(text), pytrace=False)


# --- what options do to the build ---------------------------------------------------------------


def kernel_commands(twister: Twister, name: str, platform: str) -> list[list[str]]:
    """The compiler's arguments for each kernel of a scenario."""
    [scenario] = [s for s in SCENARIOS if (s.name, s.platform) == (name, platform)]
    path = twister.find(scenario).directory / "compile_commands.json"
    commands = json.loads(path.read_text(encoding="utf-8"))
    kernels = [c["command"].split() for c in commands if "/runtime/kernels/" in c["file"]]
    assert len(kernels) > 10
    return kernels


@pytest.mark.parametrize(
    ("name", "platform", "level", "extension"),
    [
        ("petite.inference", "mps3/corstone300/an547", "-O2", "-mcpu=cortex-m55"),
        ("petite.inference.size", "mps2/an386", "-Os", "-mcpu=cortex-m4"),
        ("petite.inference.scalar", "mps3/corstone300/an547", "-O3", "-mcpu=cortex-m55+nodsp"),
    ],
)
def test_options_reach_the_kernels(
    name: str, platform: str, level: str, extension: str, twister: Twister
) -> None:
    for command in kernel_commands(twister, name, platform):
        # The last of several counts.
        assert [flag for flag in command if flag.startswith("-O")][-1] == level
        assert [flag for flag in command if flag.startswith("-mcpu=")][-1] == extension
        assert "-ffp-contract=off" in command


def test_kernels_of_types_that_are_off_are_not_compiled(twister: Twister) -> None:
    commands = kernel_commands(twister, "petite.options.int8_only", "mps2/an386")
    names = [Path(command[-1]).name for command in commands]
    assert "conv2d_s8_scalar.c" in names
    assert [name for name in names if "_f32" in name or "_s64" in name] == []


def linked(twister: Twister, name: str, platform: str = "mps3/corstone300/an547") -> set[str]:
    """Our functions in the firmware of a scenario."""
    [scenario] = [s for s in SCENARIOS if (s.name, s.platform) == (name, platform)]
    elf = twister.find(scenario).directory / "zephyr" / "zephyr.elf"
    with elf.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".symtab").iter_symbols()
        return {symbol.name for symbol in symbols if symbol.name.startswith("petite_")}


def test_what_no_group_names_is_not_linked(twister: Twister) -> None:
    two_groups = linked(twister, "petite.loading")
    assert {"petite_prepare_quantized_conv2d", "petite_conv2d_s8_scalar"} <= two_groups
    assert "petite_prepare_reshape" in two_groups
    more = {"petite_prepare_mm", "petite_matmul_f32_scalar", "petite_matmul_s32_scalar"}
    assert not more & two_groups
    assert more <= linked(twister, "petite.loading.all")


def test_what_needs_a_type_that_is_off_is_not_linked(twister: Twister) -> None:
    every, two = (linked(twister, f"petite.loading.{name}") for name in ("all", "all.two_types"))
    assert two < every
    assert {"petite_matmul_f32_scalar", "petite_matmul_s8_scalar"} <= two
    others = {name for name in every if name.endswith(("_s16_scalar", "_u8_scalar"))}
    assert others and not others & two
