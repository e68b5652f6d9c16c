# SPDX-License-Identifier: Apache-2.0
"""Kernels for the DSP extension give the bits of the oracle, on both architectures that have it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from graph_maker import NHWC, GraphMaker
from kernel_testing import cases, oracle
from petite.ir import ops
from test_depthwise_variants import depthwise
from test_kernel_variants import convolutions, linears
from test_pointwise_variants import binaries, pools
from variant_testing import Case, of_all_pairs, run_all

#: Armv7E-M, and Armv8-M.
SEEDS = [("qemu-m4", range(0, 40)), ("qemu-m33", range(20, 40))]


@pytest.mark.parametrize(("target", "seeds"), SEEDS, ids=[name for name, _ in SEEDS])
def test_convolutions(target: str, seeds: range, tmp_path: Path) -> None:
    schedules = run_all([convolutions(s, "dsp") for s in seeds], target, tmp_path)
    calls = [call for s in schedules for call in s.calls]
    assert {call.symbol for call in calls} == {"petite_conv2d_s8_dsp"}
    assert {1, 2, 4} <= {call.fields["groups"] for call in calls}


def test_what_helium_does_not_take(tmp_path: Path) -> None:
    """Groups: a core with Helium has the DSP extension too."""
    made = [convolutions(s, "dsp") for s in range(80, 100)]
    schedules = run_all(made, "qemu-m55", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {
        "petite_conv2d_s8_dsp",
        "petite_conv2d_s8_mve",
        "petite_pointwise_conv2d_s8_mve",
    }


def long_windows(taps: int, depth: int) -> Case:
    """A convolution of two rows of pixels, at the border everywhere."""
    rng = np.random.default_rng(depth)
    image = cases.image(rng, 1, 2, 3, depth)
    weights = cases.image(rng, 6, taps, taps, depth)
    multipliers, shifts = np.full(6, 2**30 + 5, np.int32), np.full(6, -13, np.int32)
    border = taps // 2
    make = GraphMaker(f"method_{taps}_{depth}")
    x = make.input((1, depth, 2, 3), layout=NHWC)
    y = make.emit(
        ops.Conv2d,
        [x],
        make.value((1, 6, 2, 3)),
        kernel=(taps, taps),
        stride=(1, 1),
        dilation=(1, 1),
        padding=ops.Padding(border, border, border, border),
        weights=weights,
        bias=None,
        input_offset=128,
        output_offset=7,
        multipliers=multipliers,
        shifts=shifts,
        clamp=ops.Clamp(-128, 127),
    )
    make.output(y, NHWC)
    sums = oracle.conv2d_sums(
        image, weights, None, (2, 3), (1, 1), (1, 1), (border, border), 1, 128
    )
    expected = oracle.requantize_s8(sums, multipliers, shifts, 7, -128, 127)
    return Case(make.graph, image, expected)


def test_windows_in_segments(tmp_path: Path) -> None:
    """One, two and more segments of 248 pairs, full and not."""
    sizes = ((1, 495), (1, 496), (1, 497), (3, 55), (3, 56), (3, 110), (5, 60))
    schedules = run_all([long_windows(*size) for size in sizes], "qemu-m4", tmp_path)
    pairs = [call.fields["pairs"] for s in schedules for call in s.calls]
    assert pairs == [248, 248, 249, 249, 252, 495, 750]


@pytest.mark.parametrize(("target", "seeds"), SEEDS, ids=[name for name, _ in SEEDS])
def test_depthwise_convolutions(target: str, seeds: range, tmp_path: Path) -> None:
    schedules = run_all([depthwise(s, "dsp") for s in seeds], target, tmp_path)
    calls = [call for s in schedules for call in s.calls]
    assert {call.symbol for call in calls} == {"petite_depthwise_conv2d_s8_dsp"}
    # The loop does five pairs at a turn, and is entered where as many are left as there are.
    assert {int(str(call.fields["pairs"])) % 5 for call in calls} == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("target", "seeds"), SEEDS, ids=[name for name, _ in SEEDS])
def test_linears(target: str, seeds: range, tmp_path: Path) -> None:
    schedules = run_all([linears(s, "dsp") for s in seeds], target, tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_linear_s8_dsp"}


def test_sums(tmp_path: Path) -> None:
    schedules = run_all([binaries(s, odd=False) for s in range(400, 440)], "qemu-m4", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {
        "petite_add_s8_dsp",
        "petite_add_s8_scalar",
        "petite_mul_s8_dsp",
        "petite_mul_s8_scalar",
        "petite_weighted_sum_s8_dsp",
    }


def sums_of_all_pairs(
    scales: tuple[ops.Pair, ops.Pair], last: ops.Pair, offsets: ops.Pair, output: int
) -> Case:
    """Each int8 number plus each other one."""
    graph, first, second = of_all_pairs(
        f"method_{scales[0][0] % 2**32}_{-scales[0][1]}_{-last[1]}",
        ops.Add,
        offsets=offsets,
        scales=(ops.Requantize(*scales[0]), ops.Requantize(*scales[1])),
        output_offset=output,
        requantize=ops.Requantize(*last),
        clamp=ops.Clamp(-100, 127),
    )
    terms = [
        oracle.add_term(operand, offset, *scale)
        for operand, offset, scale in zip((first, second), offsets, scales, strict=True)
    ]
    expected = oracle.requantize_s8(terms[0] + terms[1], *last, output, -100, 127)
    return Case(graph, first, expected)


def test_sums_of_all_pairs(tmp_path: Path) -> None:
    """Scales so coarse that no weighted sum has these roundings; also the largest sums."""
    half, most = 2**30, 2**31 - 1
    made = [
        sums_of_all_pairs(*numbers)
        for numbers in (
            (((half, -20), (half, -20)), (half, -1), (0, 0), 0),
            (((half + 5, -20), (most, -20)), (half + 7, -1), (128, -127), -1),
            (((-most, -18), (1718987327, -20)), (most, -1), (5, -77), 3),
            (((most, 0), (0, -31)), (half + 12345, -21), (5, 100), 3),
            (((0, -3), (most, 0)), (most, -22), (0, 383), 7),
            (((0, 0), (-most, 0)), (half, -13), (3, -383), 2 - 2**14),
        )
    ]
    schedules = run_all(made, "qemu-m4", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_add_s8_dsp"}


def products_of_all_pairs(multiplier: int, shift: int, offsets: ops.Pair, output: int) -> Case:
    """Each int8 number times each other one."""
    graph, first, second = of_all_pairs(
        f"method_{multiplier % 2**32}_{-shift}_{offsets[0] + 2**13}",
        ops.Mul,
        offsets=offsets,
        output_offset=output,
        requantize=ops.Requantize(multiplier, shift),
    )
    sums = (first.astype(np.int64) + offsets[0]) * (second.astype(np.int64) + offsets[1])
    expected = oracle.requantize_s8(sums, multiplier, shift, output, -128, 127)
    return Case(graph, first, expected)


def test_products_of_all_pairs(tmp_path: Path) -> None:
    """Also at the ends of what the kernel takes: scales, and offsets."""
    made = [
        products_of_all_pairs(*numbers)
        for numbers in (
            (2**30, -1, (0, 0), 0),
            (2**30, -6, (0, 0), 3),
            (2**30, -7, (128, -127), -128),
            (1718987327, -8, (5, 100), 127),
            (-(2**31 - 1), -8, (-3, 128), 1),
            (2**31 - 1, -19, (2**13, -(2**13)), 2**14 - 1),
            (2**31 - 1, -31, (2**13, 2**13), 1 - 2**14),
        )
    ]
    schedules = run_all(made, "qemu-m4", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_mul_s8_dsp"}


def test_poolings(tmp_path: Path) -> None:
    schedules = run_all([pools(s) for s in range(600, 650)], "qemu-m4", tmp_path)
    symbols = {call.symbol for s in schedules for call in s.calls}
    assert symbols == {"petite_avg_pool_s8_dsp", "petite_max_pool_s8_dsp", "petite_lut_s8_dsp"}


def mean_of(height: int, width: int, value: int) -> Case:
    """The mean of an image whose values are the same in each half of its channels."""
    image = np.full((1, height, width, 8), value, np.int8)
    image[..., 4:] = -1 - value
    make = GraphMaker(f"method_{height}_{width}_{value + 128}")
    x = make.input((1, 8, height, width), layout=NHWC)
    y = make.emit(
        ops.AvgPool2d,
        [x],
        make.value((1, 8, 1, 1)),
        kernel=(height, width),
        stride=(1, 1),
        padding=ops.Padding(0, 0, 0, 0),
        count_padding=False,
        padding_value=0,
    )
    make.output(y, NHWC)
    return Case(make.graph, image, image[:, :1, :1])


def test_the_largest_means(tmp_path: Path) -> None:
    """Sums of 256 bytes fit 16 bits, those of more need not."""
    sizes = ((16, 16), (1, 256), (16, 17), (257, 1))
    made = [mean_of(*size, value) for size in sizes for value in (-128, 127)]
    schedules = run_all(made, "qemu-m4", tmp_path)
    symbols = [call.symbol for s in schedules for call in s.calls]
    assert symbols == ["petite_avg_pool_s8_dsp"] * 4 + ["petite_avg_pool_s8_scalar"] * 4


def test_what_no_fast_kernel_takes(tmp_path: Path) -> None:
    makers = (convolutions, depthwise, linears)
    made = [makers[seed % 3](seed, "any") for seed in range(100, 160)]
    schedules = run_all(made, "qemu-m4", tmp_path)
    symbols = Counter(call.symbol for s in schedules for call in s.calls)
    kernels = ("conv2d_s8", "depthwise_conv2d_s8", "linear_s8")
    assert symbols.keys() == {f"petite_{k}_{v}" for k in kernels for v in ("dsp", "scalar")}


def extremes(inputs: int, value: int, weight: int) -> Case:
    """As large a sum as there is for so many inputs, beside outputs of other signs."""
    data = np.full((1, inputs), value, np.int8)
    weights = np.full((5, inputs), weight, np.int8)
    weights[2] = -1 - weights[2]
    weights[3] = 127
    bias = np.zeros(5, np.int32)
    multiplier, shift = 2**30, -14
    make = GraphMaker(f"method_{inputs}_{value + 128}_{weight + 128}")
    x = make.input(data.shape)
    y = make.emit(
        ops.Linear,
        [x],
        make.value((1, 5)),
        weights=weights,
        bias=bias,
        output_offset=3,
        requantize=ops.Requantize(multiplier, shift),
        clamp=ops.Clamp(-128, 127),
    )
    make.output(y)
    sums = data.astype(np.int64) @ weights.T.astype(np.int64)
    return Case(make.graph, data, oracle.requantize_s8(sums, multiplier, shift, 3, -128, 127))


def test_the_largest_sums(tmp_path: Path) -> None:
    """Two outputs share words of weights: whatever the sums are, they do not disturb each other."""
    made = [
        extremes(inputs, value, weight)
        for inputs in (1, 495, 496, 497, 991, 992, 993, 3000)
        for value in (-128, 127)
        for weight in (-128, 127)
    ]
    schedules = run_all(made, "qemu-m4", tmp_path)
    assert {call.symbol for s in schedules for call in s.calls} == {"petite_linear_s8_dsp"}
