# SPDX-License-Identifier: Apache-2.0
"""Normalisation of float32: the operations of the header, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing import cases
from kernel_testing.runner import At, KernelRunner

Array = cases.Array
SEEDS = range(20)


def floats(rng: cases.Rng, *shape: int) -> Array:
    return rng.normal(0.5, 2, shape).astype(np.float32)


def ordered_sum(terms: Array) -> Array:
    """Along the last axis from left to right, each addition in float32."""
    total = np.zeros(terms.shape[:-1], np.float32)
    for index in range(terms.shape[-1]):
        total = total + terms[..., index]
    return total


@pytest.mark.parametrize("seed", SEEDS)
def test_normalize(kernels: KernelRunner, seed: int) -> None:
    """With and without weights and bias; groups of channels; in place."""
    rng = np.random.default_rng(seed)
    batches, groups, channels, inner = (int(n) for n in rng.integers(1, [4, 4, 6, 6]))
    rows = floats(rng, batches * groups, channels * inner)
    weights = floats(rng, groups, channels) if seed % 2 else None
    bias = floats(rng, groups, channels) if seed % 3 else None
    epsilon, count = np.float32(1e-5), np.float32(channels * inner)
    mean = ordered_sum(rows) / count
    deviation = np.sqrt(ordered_sum(rows * rows) / count - mean * mean + epsilon)
    result = ((rows - mean[:, None]) / deviation[:, None]).reshape(batches, groups, channels, inner)
    if weights is not None:
        result = result * weights[..., None]
    if bias is not None:
        result = result + bias[..., None]
    sizes = {
        "rows": len(rows),
        "columns": channels * inner,
        "groups": groups,
        "inner": inner,
        "epsilon": epsilon,
        "weights": weights,
        "bias": bias,
    }
    actual = kernels.run("normalize_f32", input=rows, output=np.zeros_like(rows), **sizes)
    np.testing.assert_array_equal(actual, result.reshape(rows.shape))
    in_place = kernels.run_in_memory("normalize_f32", rows, input=At(0), output=At(0), **sizes)
    np.testing.assert_array_equal(in_place, actual)


@pytest.mark.parametrize("seed", SEEDS)
def test_batch_norm(kernels: KernelRunner, seed: int) -> None:
    rng = np.random.default_rng(seed)
    outer, channels, inner = (int(n) for n in rng.integers(1, 6, 3))
    values = floats(rng, outer, channels, inner)
    parts = {name: floats(rng, channels) for name in ("mean", "scale", "weights", "bias")}
    mean, scale, weights, bias = (part[:, None] for part in parts.values())
    expected = (values - mean) * scale * weights + bias
    sizes = {"outer": outer, "channels": channels, "inner": inner}
    output = np.zeros_like(values)
    actual = kernels.run("batch_norm_f32", input=values, output=output, **parts, **sizes)
    np.testing.assert_array_equal(actual, expected)
    in_place = kernels.run_in_memory(
        "batch_norm_f32", values, input=At(0), output=At(0), **parts, **sizes
    )
    np.testing.assert_array_equal(in_place, actual)


@pytest.mark.parametrize("seed", SEEDS)
def test_log_softmax(kernels: KernelRunner, seed: int) -> None:
    """A few units in the last place of the largest difference, exponentials and sum included."""
    rng = np.random.default_rng(seed)
    rows, columns = (int(n) for n in rng.integers(1, [5, 30]))
    values = floats(rng, rows, columns) * np.float32(4)
    moved = values.astype(np.float64) - values.max(axis=1, keepdims=True)
    expected = moved - np.log(np.exp(moved).sum(axis=1, keepdims=True))
    sizes = {"rows": rows, "columns": columns}
    actual = kernels.run("log_softmax_f32", input=values, output=np.zeros_like(values), **sizes)
    limit = 2.0**-24 * (columns + 4) + np.abs(expected) * 2.0**-22
    assert (np.abs(actual - expected) <= limit).all()
    in_place = kernels.run_in_memory("log_softmax_f32", values, input=At(0), output=At(0), **sizes)
    np.testing.assert_array_equal(in_place, actual)
