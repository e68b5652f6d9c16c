# SPDX-License-Identifier: Apache-2.0
"""Kernels that call the real library give the bits of the oracle, and of the catalogue.

Random networks are those of tests/qemu, odd numbers and all: what the library does not compute, or
not rightly, lowering has to leave to Petite's own kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from conformance.programs import build, default_cache, listed
from conformance.test_conformance import assert_equal, run_calls
from graph_maker import NHWC, GraphMaker
from kernel_testing import cases, oracle
from petite.compile import Options, compile_file
from petite.errors import PetiteError
from petite.ir import ops
from petite.run import execute
from petite.targets import find_target
from test_depthwise_variants import depthwise
from test_kernel_variants import convolutions, linears
from test_pointwise_variants import binaries, pools
from variant_testing import Case, compile_all, run_all

pytestmark = pytest.mark.usefixtures("library")

#: A core of each instruction set.
CORES = ("qemu-m55", "qemu-m4", "qemu-m3")
CACHE = default_cache()


def transposed(seed: int) -> Case:
    """A transposed convolution, mostly one that is lowered to the library."""
    rng = np.random.default_rng(seed)
    batches, height, width = (int(n) for n in rng.integers(1, 5, 3))
    depth, channels = int(rng.choice([1, 3, 8, 20])), int(rng.choice([1, 3, 4, 9]))
    image = cases.image(rng, batches, height, width, depth)
    kernel = tuple(int(n) for n in rng.integers(1, 5, 2))
    stride = tuple(int(n) for n in rng.choice([1, 2, 2, 3], 2))
    pad = tuple(int(rng.integers(0, k + 1)) for k in kernel)
    output = tuple(
        max(1, (n - 1) * s - 2 * p + k + int(rng.integers(0, s)))
        for n, s, p, k in zip((height, width), stride, pad, kernel, strict=True)
    )
    weights = cases.image(rng, channels, *kernel, depth)
    multipliers, shifts = cases.scales(rng, channels, 73.0 * 73.0 * np.sqrt(depth))
    bias = cases.bias(rng, channels)
    input_offset, output_offset = int(rng.integers(-127, 129)), cases.offset(rng)
    limits = cases.limits(rng)
    make = GraphMaker(f"method{seed}")
    x = make.input((batches, depth, height, width), layout=NHWC)
    x = make.emit(
        ops.TransposeConv2d,
        [x],
        make.value((batches, channels, *output)),
        kernel=kernel,
        stride=stride,
        dilation=(1, 1),
        padding=ops.Padding(*pad, *pad),
        weights=weights,
        bias=bias,
        input_offset=input_offset,
        output_offset=output_offset,
        multipliers=multipliers,
        shifts=shifts.astype(np.int32),
        clamp=ops.Clamp(*limits),
    )
    make.output(x, NHWC)
    sums = oracle.transpose_conv2d_sums(
        image, weights, bias, output, stride, (1, 1), pad, input_offset
    )
    expected = oracle.requantize_s8(sums, multipliers, shifts, output_offset, *limits)
    return Case(make.graph, image, expected)


RANDOM: dict[str, tuple[Callable[[int], Case], range, set[str]]] = {
    "convolutions": (partial(convolutions, takes="any"), range(100, 160), {"conv2d_s8"}),
    "depthwise": (partial(depthwise, takes="any"), range(300, 340), {"depthwise_conv2d_s8"}),
    "transposed": (transposed, range(60), {"transpose_conv2d_s8"}),
    "linears": (partial(linears, takes="any"), range(200, 230), {"linear_s8"}),
    "binaries": (partial(binaries, odd=True), range(500, 550), {"add_s8", "mul_s8"}),
    "pools": (pools, range(600, 640), {"avg_pool_s8", "max_pool_s8"}),
}


@pytest.mark.parametrize("target", CORES)
@pytest.mark.parametrize("kind", RANDOM)
def test_random_networks(kind: str, target: str, tmp_path: Path) -> None:
    make, seeds, kernels = RANDOM[kind]
    schedules = run_all([make(seed) for seed in seeds], target, tmp_path, cmsis_nn=True)
    symbols = [call.symbol for schedule in schedules for call in schedule.calls]
    for kernel in kernels:
        assert symbols.count(f"petite_{kernel}_cmsis_nn") > 5


#: Programs of the catalogue with an operator that the library covers, and whole models.
PROGRAMS = [
    name
    for name, module in listed().items()
    if module in ("catalogue_convolution", "catalogue_layers", "models")
    or name.startswith(("add_", "mul_", "larger_"))
]


@pytest.mark.parametrize("target", ["qemu-m55", "qemu-m4"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_catalogue(name: str, target: str, tmp_path: Path) -> None:
    built = build(name, CACHE)
    if built.meta.refused is None:
        options = Options(instruction_set=find_target(target).instruction_set, cmsis_nn=True)
        model = compile_file(built.pte, options)
        model.write(tmp_path)
        assert_equal(built, run_calls(model, built, target, tmp_path))


def test_another_instruction_set_than_the_librarys_is_found(tmp_path: Path) -> None:
    """The library wants more scratch memory with Helium than without: the kernel refuses."""
    case = convolutions(101, "mve")
    schedules = compile_all([case], "scalar", tmp_path, cmsis_nn=True)
    assert any(call.scratch is not None for call in schedules[0].calls)
    with pytest.raises(PetiteError, match="PETITE_ERR_KERNEL"):
        execute(tmp_path, find_target("qemu-m55"), 0, [[case.inputs.tobytes()]])


def test_a_build_without_the_library_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = linears(0, "mve")
    compile_all([case], "scalar", tmp_path, cmsis_nn=True)
    monkeypatch.delenv("PETITE_CMSIS_NN_DIR")
    with pytest.raises(PetiteError, match=r"CMSIS-NN \(--kernels cmsis-nn\)") as caught:
        execute(tmp_path, find_target("qemu-m55"), 0, [[case.inputs.tobytes()]])
    assert "\n" not in str(caught.value)
