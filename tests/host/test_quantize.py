# SPDX-License-Identifier: Apache-2.0
"""Conversions between float32 and integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernel_testing import cases, oracle
from kernel_testing.runner import At, KernelRunner

TYPES: dict[str, Any] = {"s8": np.int8, "s16": np.int16}


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize(
    "scale", [1.0, 0.5, 0.003921568859368563, 0.0235, 7.3, 1e-6, 1e-30, 1e30, 0.1]
)
def test_quantize(kernels: KernelRunner, name: str, scale: float) -> None:
    rng = np.random.default_rng(5)
    limits = np.iinfo(TYPES[name])
    inverse_scale = np.float32(1) / np.float32(scale)
    values = cases.floats(rng, float(inverse_scale))
    for zero_point, low, high in (
        (0, limits.min, limits.max),
        (limits.min, limits.min, limits.max),
        (17, -100, 90),
        (1000, limits.min, limits.max),
    ):
        parameters = {
            "count": values.size,
            "inverse_scale": inverse_scale,
            "zero_point": zero_point,
            "quant_min": int(low),
            "quant_max": int(high),
        }
        expected = oracle.quantize(values, float(inverse_scale), zero_point, int(low), int(high))
        actual = kernels.run(
            f"quantize_f32_{name}",
            input=values,
            output=np.zeros(values.shape, TYPES[name]),
            **parameters,
        )
        np.testing.assert_array_equal(actual, expected)
        in_place = kernels.run_in_memory(
            f"quantize_f32_{name}", values, input=At(0), output=At(0), **parameters
        )
        start = in_place.tobytes()[: actual.nbytes]
        np.testing.assert_array_equal(np.frombuffer(start, actual.dtype), expected)


def test_the_product_is_not_rounded_first(kernels: KernelRunner) -> None:
    """A product just above a tie that float32 would round onto the tie, and then to even."""
    inverse_scale = np.float32(1) / np.float32(0.0235)
    ties = ((np.arange(-100, 100) + 0.5) / float(inverse_scale)).astype(np.float32)
    values = np.concatenate([ties, np.nextafter(ties, np.float32(9)), np.nextafter(ties, -ties)])
    twice = np.rint(values * inverse_scale)
    once = oracle.quantize(values, float(inverse_scale), 0, -128, 127)
    values = values[twice != once]
    assert values.size > 0
    actual = kernels.run(
        "quantize_f32_s8",
        input=values,
        output=np.zeros(values.shape, np.int8),
        count=values.size,
        inverse_scale=inverse_scale,
        zero_point=0,
        quant_min=-128,
        quant_max=127,
    )
    np.testing.assert_array_equal(actual, once[twice != once])


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("zero_point", [0, -128, 127, 1000])
def test_dequantize(kernels: KernelRunner, name: str, zero_point: int) -> None:
    """Every value; also with the output ending where the input ends."""
    limits = np.iinfo(TYPES[name])
    values = np.arange(limits.min, limits.max + 1).astype(TYPES[name])
    scale = np.float32(0.0235)
    expected = (values.astype(np.int32) - zero_point).astype(np.float32) * scale
    parameters = {"count": values.size, "zero_point": zero_point, "scale": scale}
    actual = kernels.run(
        f"dequantize_{name}_f32",
        input=values,
        output=np.zeros(values.size, np.float32),
        **parameters,
    )
    np.testing.assert_array_equal(actual, expected)
    at = expected.nbytes - values.nbytes
    memory = np.frombuffer(bytes(at) + values.tobytes(), np.uint8)
    overlapped = kernels.run_in_memory(
        f"dequantize_{name}_f32", memory, input=At(at), output=At(0), **parameters
    )
    np.testing.assert_array_equal(overlapped.view(np.float32), expected)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 255, 1023])
def test_floats_from_a_table(kernels: KernelRunner, count: int) -> None:
    """Floats of every kind, bit for bit; also with the output ending where the input ends."""
    rng = np.random.default_rng(count)
    values = cases.image(rng, count)
    # No signalling NaN: the host may make it a quiet one.
    table = np.nan_to_num(rng.integers(0, 2**32, 256, np.uint32).view(np.float32), nan=-0.0)
    expected = table[values.astype(np.int64) + 128]
    actual = kernels.run(
        "lut_s8_f32", input=values, table=table, output=np.zeros(count, np.float32), count=count
    )
    assert actual.tobytes() == expected.tobytes()
    at = expected.nbytes - values.nbytes
    memory = np.frombuffer(bytes(at) + values.tobytes(), np.uint8)
    overlapped = kernels.run_in_memory(
        "lut_s8_f32", memory, input=At(at), table=table, output=At(0), count=count
    )
    assert overlapped.tobytes() == expected.tobytes()
