# SPDX-License-Identifier: Apache-2.0
"""Which implementation of a kernel runs on which core."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from petite.passes.lower import variants
from petite.targets import RUNS, TARGETS, InstructionSet, instruction_set_of

KERNELS = Path(__file__).resolve().parents[2] / "runtime" / "kernels"


def test_the_table_has_the_files_that_exist() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for extension in ("dsp", "mve"):
        for path in KERNELS.glob(f"*/*_{extension}.c"):
            if path.parent.name == "common":
                continue
            found[path.stem.removesuffix(f"_{extension}")].add(extension)
    assert {k: set(v) for k, v in variants.IMPLEMENTATIONS.items()} == found


def test_the_table_has_the_files_that_call_cmsis_nn() -> None:
    found = {path.stem.removesuffix("_cmsis_nn") for path in KERNELS.glob("*/*_cmsis_nn.c")}
    assert found == variants.BY_CMSIS_NN


def test_every_kernel_has_a_scalar_implementation() -> None:
    for kernel in {*variants.IMPLEMENTATIONS, *variants.BY_CMSIS_NN}:
        general = {**variants.SPECIAL, **variants.FAMILY_FILES}.get(kernel, kernel)
        assert list(KERNELS.glob(f"*/{general}_scalar.c")), kernel


@pytest.mark.parametrize(
    ("own", "wanted"),
    [
        ((), ("scalar", "scalar", "scalar")),
        (("dsp",), ("scalar", "dsp", "dsp")),
        (("mve",), ("scalar", "scalar", "mve")),
        (("dsp", "mve"), ("scalar", "dsp", "mve")),
    ],
)
def test_the_best_that_the_core_runs(
    own: tuple[InstructionSet, ...],
    wanted: tuple[str, str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(variants.IMPLEMENTATIONS, "some_s8", frozenset(own))
    assert tuple(variants.implementation("some_s8", name) for name in RUNS) == wanted


def test_targets_agree_with_their_cores() -> None:
    for target in TARGETS:
        assert target.instruction_set == instruction_set_of(target.core), target.name
    for core, wanted in {"cortex-m85": "mve", "cortex-m7": "dsp", "cortex-m23": "scalar"}.items():
        assert instruction_set_of(core) == wanted
