# SPDX-License-Identifier: Apache-2.0
"""Products of matrices of every number type: sums in the order of the header, which wrap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernel_testing.runner import KernelRunner
from petite.ir.dtype import DType
from petite.ir.functions import NUMBERS


def ids(value: Any) -> str:
    return value.name if hasattr(value, "name") else str(value)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("dtype", NUMBERS, ids=ids)
def test_matmul(kernels: KernelRunner, dtype: DType, seed: int) -> None:
    """A matrix for each batch, or one for all; stored either way; perhaps nothing to sum."""
    rng = np.random.default_rng(seed)
    batches, rows, columns = (int(n) for n in rng.integers(1, [4, 5, 6]))
    inner = int(rng.integers(0, 8))
    shared, transposed = seed % 3 == 0, seed % 2 == 0
    if dtype is DType.F32:
        draw = rng.normal(0, 3, (batches * (rows + columns) * inner)).astype(np.float32)
    else:
        limits = np.iinfo(dtype.numpy)
        draw = rng.integers(
            limits.min, limits.max, batches * (rows + columns) * inner, dtype.numpy, endpoint=True
        )
    left = draw[: batches * rows * inner].reshape(batches, rows, inner)
    right = draw[batches * rows * inner :].reshape(batches, inner, columns)
    right = np.broadcast_to(right[:1], right.shape) if shared else right
    stored = right[:1] if shared else right
    stored = np.ascontiguousarray(stored.swapaxes(1, 2) if transposed else stored)
    total = np.zeros((batches, rows, columns), dtype.numpy)
    with np.errstate(over="ignore"):
        for k in range(inner):
            total = total + left[:, :, k, None] * right[:, None, k, :]
    actual = kernels.run(
        f"matmul_{dtype.suffix}",
        input=left,
        weights=stored,
        output=np.zeros_like(total),
        batches=batches,
        rows=rows,
        inner=inner,
        columns=columns,
        weights_batch_stride=0 if shared else inner * columns,
        inner_stride=1 if transposed else columns,
        column_stride=inner if transposed else 1,
    )
    np.testing.assert_array_equal(actual, total)
