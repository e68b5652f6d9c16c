# SPDX-License-Identifier: Apache-2.0
"""Programs of the catalogue give the reference's bits when they are loaded, as when compiled.

What cannot be loaded is listed with its reason in refused.txt; a program that is not there runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from conformance.direct_calls import method_of
from conformance.direct_calls_quantized import case as quantized
from conformance.programs import Built, build, default_cache, listed
from conformance.test_conformance import MODELS, assert_equal
from loader.loaded import Outcome, load_and_run
from petite.cli.arrays import from_bytes, to_bytes
from petite.compile import Options, compile_file
from petite.ir.schedule import Schedule
from petite.targets import Target, find_target

CACHE = default_cache()
NOT_REGISTERED, UNSUPPORTED = -8, -13
REFUSED = dict(
    line.split(maxsplit=1)
    for line in Path(__file__).with_name("refused.txt").read_text(encoding="ascii").splitlines()
    if line and not line.startswith("#")
)


def _groups(built: Built, schedule: Schedule, calls: list[int]) -> list[list[int]]:
    """Calls of one instance: all, or each by itself where they start from the initial state."""
    alone = schedule.states and not built.meta.stateful
    return [[call] for call in calls] if alone else [calls]


def outcomes(
    built: Built, target: Target, *, sanitize: bool = False
) -> Iterator[tuple[Schedule, list[int], Outcome]]:
    """Every method of a program, loaded and run: its interface, its calls, what came of them."""
    schedules = compile_file(built.pte, Options()).schedules
    program = built.pte.read_bytes()
    for schedule in schedules:
        calls = [i for i, name in enumerate(built.meta.methods) if name == schedule.name]
        size = sum(port.size for port in schedule.outputs)
        for group in _groups(built, schedule, calls) if calls else []:
            data = [
                [
                    to_bytes(array, port, "input")
                    for array, port in zip(built.inputs[i], schedule.inputs, strict=True)
                ]
                for i in group
            ]
            yield (
                schedule,
                group,
                load_and_run(program, schedule.name, data, target, size, sanitize=sanitize),
            )


def check(name: str, target: Target, *, sanitize: bool = False) -> None:
    """The outputs are the reference's, or the program is refused as the list says."""
    built = build(name, CACHE)
    actual: list[list[object]] = [[] for _ in built.meta.methods]
    for schedule, calls, outcome in outcomes(built, target, sanitize=sanitize):
        if name in REFUSED:
            assert outcome.status in (NOT_REGISTERED, UNSUPPORTED)
            return
        assert outcome.status == 0, f"refused at byte {outcome.byte}: {outcome}"
        for call, raw in zip(calls, outcome.outputs, strict=True):
            at = 0
            for port in schedule.outputs:
                actual[call].append(from_bytes(raw[at : at + port.size], port))
                at += port.size
    assert name not in REFUSED, "the list says that this program cannot be loaded, but it can"
    assert_equal(built, actual)


COMPILED = sorted(name for name in listed() if not name.startswith("refused_"))


@pytest.mark.long
@pytest.mark.parametrize("name", COMPILED)
def test_on_the_host_with_sanitizers(name: str) -> None:
    if build(name, CACHE).meta.refused is None:
        check(name, find_target("host"), sanitize=True)


#: Programs with kernels for Helium or the DSP extension.
QUANTIZED = sorted(
    name
    for name, module in listed().items()
    if module in ("catalogue_convolution", "catalogue_quantized", "catalogue_elementwise")
    and name not in REFUSED
)


#: Branches in branches, and one in a loop.
CONTROL = ("cond_nested", "loop_scan_cond")

#: Scalar convolutions take long in an emulator: by default one model, and one of linear layers.
_DEFAULT = {
    *(("ds_cnn", "qemu-m55"), ("deep_autoencoder", "qemu-m4")),
    *((name, "qemu-m55") for name in CONTROL),
}


def _runs() -> list[Any]:
    """Models on three cores, and small programs where there are fast kernels."""
    runs = [(name, core) for name in MODELS for core in ("qemu-m55", "qemu-m4", "qemu-m3")]
    runs += [(name, core) for name in (*QUANTIZED, *CONTROL) for core in ("qemu-m55", "qemu-m4")]
    long = [() if run in _DEFAULT else (pytest.mark.long,) for run in runs]
    return [pytest.param(*run, marks=marks) for run, marks in zip(runs, long, strict=True)]


@pytest.mark.parametrize(("name", "target"), _runs())
def test_on_emulated_cores(name: str, target: str) -> None:
    if build(name, CACHE).meta.refused is None:
        check(name, find_target(target))


@pytest.mark.long
def test_dequantised_int32() -> None:
    """Zero points are subtracted before rounding: no program of the catalogue has one but 0."""
    stored = torch.tensor([-(2**31), -1, 0, 16777217, 2**31 - 1], dtype=torch.int32)
    limits = (-(2**31), 2**31 - 1)
    for zero in (0, 3, -77777777):
        arguments = (stored, 0.0371, zero, *limits, torch.int32, None)
        method = method_of(quantized("dequantize_per_tensor.out", arguments, torch.zeros(5)))
        outcome = load_and_run(
            method.file(), "forward", [method.data], find_target("host"), 20, sanitize=True
        )
        difference = (stored.numpy().astype(np.int64) - zero).astype(np.int32)
        expected = difference.astype(np.float32) * np.float32(0.0371)
        assert outcome.outputs == [expected.tobytes()]
