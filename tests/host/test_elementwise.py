# SPDX-License-Identifier: Apache-2.0
"""Elementwise operators of int8, in place and with broadcasts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import At, KernelRunner

SEEDS = range(60)


def pair(rng: cases.Rng) -> tuple[cases.Array, cases.Array, dict[str, int]]:
    """Two inputs, the second of them possibly shorter, and the parameters that say so."""
    period, repeats = int(rng.integers(1, 9)), int(rng.integers(1, 9))
    if rng.random() < 0.5:
        period, repeats = period * repeats, 1
    count = period * repeats
    return (
        cases.image(rng, count),
        cases.image(rng, period),
        {"count": count, "period": period},
    )


def add_parameters(rng: cases.Rng) -> dict[str, int]:
    """Scales as stock exports have them, some far off, some above one."""
    result = {"input1_offset": cases.offset(rng), "input2_offset": cases.offset(rng)}
    for name, size in (("input1_", 2.0**10), ("input2_", 2.0**10), ("", 2.0**24)):
        result[f"{name}multiplier"], result[f"{name}shift"] = cases.scale(rng, size)
    low, high = cases.limits(rng)
    return result | {
        "output_offset": cases.offset(rng),
        "activation_min": low,
        "activation_max": high,
    }


def add_expected(input1: cases.Array, input2: cases.Array, end: dict[str, int]) -> cases.Array:
    """The sum, from the formula."""
    terms = [
        oracle.add_term(
            values,
            end[f"{name}_offset"],
            end[f"{name}_multiplier"],
            end[f"{name}_shift"],
        )
        for name, values in (("input1", input1), ("input2", np.resize(input2, input1.shape)))
    ]
    return oracle.requantize_s8(
        terms[0] + terms[1],
        end["multiplier"],
        end["shift"],
        end["output_offset"],
        end["activation_min"],
        end["activation_max"],
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_add(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    input1, input2, sizes = pair(rng)
    end = add_parameters(rng)
    actual = kernels.run(
        "add_s8", input1=input1, input2=input2, output=np.zeros_like(input1), **sizes, **end
    )
    np.testing.assert_array_equal(actual, add_expected(input1, input2, end))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("target", ["first", "second", "both"])
def test_add_in_place(kernels: KernelRunner, seed: int, target: str) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 40))
    input1 = cases.image(rng, count)
    input2 = input1 if target == "both" else cases.image(rng, count)
    first, second = (0, 0) if target == "both" else (0, count)
    memory = np.concatenate([input1, input2])
    end = add_parameters(rng)
    at = second if target == "second" else first
    result = kernels.run_in_memory(
        "add_s8",
        memory,
        input1=At(first),
        input2=At(second),
        output=At(at),
        count=count,
        period=count,
        **end,
    )
    expected = memory.copy()
    expected[at : at + count] = add_expected(input1, input2, end)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_sum(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    input1, input2, sizes = pair(rng)
    shift = int(rng.choice([0, 1, 10, 22, 22, 22, 31]))
    weight1, weight2 = (int(w) for w in rng.integers(-(2**22), 2**22, 2))
    bias = int(rng.choice([0, 2**20, -(2**30), 2**29]))
    low, high = cases.limits(rng)
    actual = kernels.run(
        "weighted_sum_s8",
        input1=input1,
        input2=input2,
        output=np.zeros_like(input1),
        **sizes,
        weight1=weight1,
        weight2=weight2,
        bias=bias,
        shift=shift,
        activation_min=low,
        activation_max=high,
    )
    second = np.resize(input2, input1.shape).astype(np.int64)
    sums = input1.astype(np.int64) * weight1 + second * weight2 + bias
    expected = np.clip(np.floor_divide(sums, 2**shift), low, high)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_sum_in_place(kernels: KernelRunner, seed: int) -> None:
    """The output is the first input."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 40))
    memory = cases.image(rng, 2 * count)
    result = kernels.run_in_memory(
        "weighted_sum_s8",
        memory,
        input1=At(0),
        input2=At(count),
        output=At(0),
        count=count,
        period=count,
        weight1=3 << 20,
        weight2=-(1 << 20),
        bias=1 << 19,
        shift=21,
        activation_min=-128,
        activation_max=127,
    )
    values = memory.astype(np.int64)
    sums = (3 * values[:count] - values[count:]) * 2**20 + 2**19
    expected = np.clip(np.floor_divide(sums, 2**21), -128, 127)
    np.testing.assert_array_equal(result[:count], expected)
    np.testing.assert_array_equal(result[count:], memory[count:])


@pytest.mark.parametrize("seed", SEEDS)
def test_mul(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    input1, input2, sizes = pair(rng)
    offsets = cases.offset(rng), cases.offset(rng)
    multiplier, shift = cases.scale(rng, 5000.0)
    output_offset, (low, high) = cases.offset(rng), cases.limits(rng)
    actual = kernels.run(
        "mul_s8",
        input1=input1,
        input2=input2,
        output=np.zeros_like(input1),
        **sizes,
        input1_offset=offsets[0],
        input2_offset=offsets[1],
        output_offset=output_offset,
        multiplier=multiplier,
        shift=shift,
        activation_min=low,
        activation_max=high,
    )
    second = np.resize(input2, input1.shape).astype(np.int64) + offsets[1]
    products = (input1.astype(np.int64) + offsets[0]) * second
    expected = oracle.requantize_s8(products, multiplier, shift, output_offset, low, high)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(
    ("scale", "offset1", "offset2", "output_offset"),
    [
        (0.5, 0, 0, 0),
        (1.0, 3, -7, 11),
        (37.25, 128, 0, -128),
        (1e30, 0, 1, 5),
        (0.0625, -300, 9, 0),
    ],
)
def test_div_of_all_pairs(
    kernels: KernelRunner, scale: float, offset1: int, offset2: int, output_offset: int
) -> None:
    """Every pair of int8 values: ties away from zero, zero divisors, saturation."""
    values = np.arange(-128, 128, dtype=np.int8)
    input1, input2 = np.repeat(values, 256), np.tile(values, 256)
    actual = kernels.run(
        "div_s8",
        input1=input1,
        input2=input2,
        output=np.zeros_like(input1),
        count=input1.size,
        input1_offset=offset1,
        input2_offset=offset2,
        output_offset=output_offset,
        scale=scale,
        activation_min=-128,
        activation_max=127,
    )
    expected = oracle.divide(input1, input2, (offset1, offset2), scale, output_offset)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(
    ("scale", "offset1", "offset2", "output_offset"),
    [
        (0.5, 0, 0, 0),
        (30000.0, 3, -7, 11),
        (1.0, 32768, 0, -32768),
        (1e30, 0, 1, 5),
        (0.0625, -40000, 9, 32767),
    ],
)
def test_div_of_int16(
    kernels: KernelRunner, scale: float, offset1: int, offset2: int, output_offset: int
) -> None:
    """Ends of the range, small numbers that tie, divisors that are zero, and anything."""
    rng = np.random.default_rng(7)
    ends = np.array([-32768, -32767, -1, 0, 1, 32766, 32767, -offset2, -offset1], np.int32)
    ends = np.clip(ends, -32768, 32767).astype(np.int16)
    small = np.arange(-20, 20, dtype=np.int16)
    values = np.concatenate([ends, small, rng.integers(-32768, 32768, 100).astype(np.int16)])
    input1, input2 = np.repeat(values, values.size), np.tile(values, values.size)
    actual = kernels.run(
        "div_s16",
        input1=input1,
        input2=input2,
        output=np.zeros_like(input1),
        count=input1.size,
        input1_offset=offset1,
        input2_offset=offset2,
        output_offset=output_offset,
        scale=scale,
        activation_min=-32768,
        activation_max=32767,
    )
    expected = oracle.divide(input1, input2, (offset1, offset2), scale, output_offset)
    np.testing.assert_array_equal(actual, expected)


def broadcast_pair(rng: cases.Rng) -> tuple[tuple[int, ...], cases.Array, cases.Array]:
    """An output shape of rank 1 to 6, and two inputs that broadcast to it."""
    shape = tuple(int(n) for n in rng.integers(1, 4, int(rng.integers(1, 7))))
    inputs = []
    for _ in range(2):
        kept = [size if rng.random() < 0.7 else 1 for size in shape]
        inputs.append(cases.image(rng, *kept))
    return np.broadcast_shapes(*(array.shape for array in inputs)), inputs[0], inputs[1]


def broadcast_parameters(
    shape: tuple[int, ...], input1: cases.Array, input2: cases.Array
) -> dict[str, Any]:
    """Sizes and strides for a kernel that broadcasts."""
    strides = [
        oracle.leading_ones(oracle.element_strides(np.broadcast_to(array, shape)), fill=0)
        for array in (input1, input2)
    ]
    return {"dims": oracle.leading_ones(shape), "stride1": strides[0], "stride2": strides[1]}


def test_lut(kernels: KernelRunner) -> None:
    """Every value, and in place."""
    rng = np.random.default_rng(3)
    table = cases.image(rng, 256)
    values = rng.permutation(np.arange(-128, 128)).astype(np.int8)
    expected = table[values.astype(np.int64) + 128]
    actual = kernels.run(
        "lut_s8", input=values, table=table, output=np.zeros_like(values), count=256
    )
    np.testing.assert_array_equal(actual, expected)
    in_place = kernels.run_in_memory(
        "lut_s8", values, input=At(0), table=table, output=At(0), count=256
    )
    np.testing.assert_array_equal(in_place, expected)
