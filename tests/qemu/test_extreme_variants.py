# SPDX-License-Identifier: Apache-2.0
"""Minimum and maximum of every instruction set give the bits of the oracle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graph_maker import GraphMaker
from kernel_testing import cases
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from variant_testing import Case, run_all

Array = np.ndarray[Any, np.dtype[Any]]

FUNCTIONS: dict[str, Any] = {"min": np.minimum, "max": np.maximum}


def constant(data: Array) -> Value:
    """Known numbers as a value of the graph."""
    return Value("constant", DType.S8, data.shape, data=data)


def extremes(seed: int) -> Case:
    """A chain, with itself or constants that may broadcast in any dimension, on either side."""
    rng = np.random.default_rng(seed)
    shape = [int(rng.choice([1, 2, 3, 5])) for _ in range(int(rng.integers(0, 4)))]
    shape.append(int(rng.choice([1, 2, 3, 4, 5, 15, 16, 17, 35, 70])))
    result = cases.image(rng, *shape)
    data = result
    make = GraphMaker(f"method{seed}")
    x = make.input(result.shape)
    for _ in range(int(rng.integers(1, 4))):
        function = str(rng.choice(list(FUNCTIONS)))
        if rng.random() < 0.2:
            other, y = result, x
        else:
            sizes = [n if rng.random() < 0.6 else 1 for n in shape]
            other = cases.image(rng, *sizes[int(rng.integers(0, len(sizes) + 1)) :])
            y = constant(other)
        operands = [x, y] if rng.random() < 0.5 else [y, x]
        x = make.emit(ops.Elementwise, operands, make.value(result.shape), function=function)
        result = FUNCTIONS[function](result, other)
    make.output(x)
    return Case(make.graph, data, result)


@pytest.mark.parametrize(
    ("target", "variant"), [("qemu-m55", "mve"), ("qemu-m4", "dsp"), ("qemu-m33", "dsp")]
)
def test_extremes(target: str, variant: str, tmp_path: Path) -> None:
    schedules = run_all([extremes(s) for s in range(1100, 1160)], target, tmp_path)
    calls = [call for s in schedules for call in s.calls]
    assert {c.symbol for c in calls} == {f"petite_binary_{f}_s8_{variant}" for f in FUNCTIONS}
    innermost = {(c.fields["stride1"][-1], c.fields["stride2"][-1]) for c in calls}  # type: ignore[index]
    assert innermost == {(0, 0), (0, 1), (1, 0), (1, 1)}
