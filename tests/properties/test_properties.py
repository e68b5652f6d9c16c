# SPDX-License-Identifier: Apache-2.0
"""Random graphs compute what the reference says: on the host, and on emulated cores.

Each family of examples (families.py) is one program, so that compilers and emulators start seldom.
A failure shows the example, and the command that runs it alone or makes it smaller.
"""

from __future__ import annotations

import pytest

from petite.ir import ops
from petite.targets import find_target
from properties.batch import compile_case, faults
from properties.families import FAMILIES, examples
from properties.reference import REFERENCE

#: Families that a default run emulates, those of kernels with variants among them; a run with
#: ``-m exhaustive`` emulates all.
EMULATED = (
    *("conv2d", "depthwise", "transpose_conv2d", "avg_pool", "max_pool", "padded_window"),
    *("linear", "batch_matmul", "add", "mul", "elementwise", "lut", "softmax", "dequantize"),
    *("permute", "network", "chain", "striped"),
)
OTHER_CORES = ("qemu-m33", "qemu-m4", "qemu-m3", "qemu-m0")
_SHOWN = 3

#: Operators that no random graph has, and what covers them.
COVERED_ELSEWHERE = {
    ops.Relayout: "inserted by the layout pass, where random orders in memory meet",
    ops.Application: "tests/host/test_application_operators.py",
    ops.Merge: "tests/host/test_control_flow.py, tests/conformance/catalogue_control.py",
    ops.Offsets: "tests/host/test_indexing.py",
    ops.Take: "tests/host/test_indexing.py",
    ops.Put: "tests/host/test_indexing.py",
    ops.MaskedScatter: "tests/host/test_indexing.py",
    ops.TopK: "tests/host/test_indexing.py",
    ops.FloatTransposeConv2d: "tests/host/test_float.py",
    ops.FloatClamp: "tests/host/test_float.py",
    ops.Reduce: "tests/host/test_reduce.py",
    ops.CumSum: "tests/host/test_reduce.py",
    ops.Matmul: "tests/host/test_matmul.py",
    ops.Normalize: "tests/host/test_normalize.py",
    ops.BatchNorm: "tests/host/test_normalize.py",
    ops.Resize: "tests/host/test_resample.py",
    ops.Distance: "tests/host/test_resample.py",
    ops.ResizeAntialias: "tests/host/test_resample.py",
    ops.GridSample: "tests/host/test_resample.py",
    ops.ChooseQuantization: "tests/host/test_choose_qparams.py",
    ops.Offsets: "tests/host/test_indexing.py",
    ops.TopK: "tests/host/test_indexing.py",
    ops.WindowMax: "tests/host/test_float_pooling.py",
    ops.FloatLinear: "tests/host/test_float.py",
    ops.FloatConv2d: "tests/host/test_float.py",
    ops.FloatAdaptiveAvgPool2d: "tests/host/test_float_pooling.py",
    ops.FloatSoftmax: "tests/host/test_float.py",
    ops.FloatAvgPool2d: "tests/host/test_float_pooling.py",
}


def assert_right(family: str, target: str, *, sanitize: bool = False, times: int = 1) -> None:
    """No example of the family gives other bits than the reference, or trips a sanitizer."""
    cases = examples(family, times=times)
    found = faults(cases, find_target(target), sanitize=sanitize)
    failed = [number for number, fault in enumerate(found) if fault is not None]
    shown = [
        f"{family} {number}: {found[number]}\n{cases[number]!r}\n"
        f"alone: python tests/properties/replay.py {family} {number} --target {target}\n"
        for number in failed[:_SHOWN]
    ]
    assert not failed, f"{len(failed)} of {len(cases)} examples fail on {target}\n" + "\n".join(
        shown
    )


@pytest.mark.parametrize("family", list(FAMILIES))
def test_on_the_host_with_sanitizers(family: str) -> None:
    assert_right(family, "host", sanitize=True)


@pytest.mark.parametrize("family", EMULATED)
def test_on_an_emulated_core(family: str) -> None:
    assert_right(family, "qemu-m55")


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", list(FAMILIES))
def test_many_more_on_the_host_with_sanitizers(family: str) -> None:
    assert_right(family, "host", sanitize=True, times=8)


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", ["qemu-m55", *OTHER_CORES])
@pytest.mark.parametrize("family", list(FAMILIES))
def test_all_on_emulated_cores(family: str, target: str) -> None:
    assert_right(family, target, times=2)


def test_every_operator_is_covered() -> None:
    """Who adds an operator adds it to the graphs, or says where it is tested."""
    leaves = {
        kind
        for kind in vars(ops).values()
        if isinstance(kind, type) and issubclass(kind, ops.Op) and not kind.__subclasses__()
    }
    assert leaves == set(REFERENCE) | set(COVERED_ELSEWHERE)
    used = {type(op) for family in FAMILIES for c in examples(family) for op in c.graph.ops}
    assert used == set(REFERENCE)


@pytest.mark.parametrize("target", ["host", "qemu-m55"])
def test_values_of_chains_move(target: str) -> None:
    """So that these examples test what moves them."""
    compiled = [compile_case(case, 0, find_target(target)) for case in examples("chain")]
    moving = [
        entry
        for entry in compiled
        if entry.model and any(c.kernel == "move" for c in entry.model.schedules[0].calls)
    ]
    assert len(moving) >= 10
