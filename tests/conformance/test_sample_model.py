# SPDX-License-Identifier: Apache-2.0
"""The sample's shipped model gives the bits of ExecuTorch's reference operators on every core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from petite.cli.arrays import from_bytes, to_bytes
from petite.compile import Options, compile_file
from petite.run import execute
from petite.targets import find_target

MODEL = Path(__file__).resolve().parents[2] / "samples" / "kws" / "model" / "kws.pte"
TARGETS = ("host", "qemu-m55", "qemu-m33", "qemu-m4", "qemu-m3", "qemu-m0")

Array = np.ndarray[Any, np.dtype[Any]]


def _inputs() -> list[Array]:
    """Features of several kinds: noise of different levels, silence, and values out of range."""
    rng = np.random.default_rng(7)
    shape = (1, 1, 49, 10)
    noise = [rng.normal(0, level, shape) for level in (0.3, 1.0, 2.0, 3.5)]
    extremes = [np.zeros(shape), np.full(shape, 100.0), rng.uniform(-9, 9, shape)]
    return [array.astype(np.float32) for array in (*noise, *extremes)]


@pytest.fixture(scope="module")
def expected() -> list[Array]:
    from conformance.pte_reference import PteReference

    reference = PteReference(MODEL)
    return [reference.call(array)[0].numpy() for array in _inputs()]


@pytest.mark.xdist_group("sample model")
@pytest.mark.parametrize(
    # By default the host with sanitizers, and a core of each instruction set.
    "target",
    [
        t
        if t in ("host", "qemu-m55", "qemu-m4", "qemu-m0")
        else pytest.param(t, marks=pytest.mark.long)
        for t in TARGETS
    ],
)
def test_shipped_model(target: str, expected: list[Array], tmp_path: Path) -> None:
    model = compile_file(MODEL, Options())
    model.write(tmp_path)
    (schedule,) = model.schedules
    calls = [[to_bytes(array, schedule.inputs[0], "input")] for array in _inputs()]
    result = execute(tmp_path, find_target(target), 0, calls, sanitize=target == "host")
    actual = [from_bytes(outputs[0], schedule.outputs[0]) for outputs in result.outputs]
    assert len({a.tobytes() for a in actual}) > 1, "every input gives the same output"
    np.testing.assert_array_equal(np.stack(actual), np.stack(expected))
