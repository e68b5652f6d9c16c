# SPDX-License-Identifier: Apache-2.0
"""Where two arrays differ, in words."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def first_difference(actual: Array, expected: Array) -> str | None:
    """None where the arrays hold the same bits."""
    if actual.shape != expected.shape or actual.dtype != expected.dtype:
        return f"{actual.dtype}{actual.shape} instead of {expected.dtype}{expected.shape}"
    bits = f"u{actual.itemsize}"
    same = np.ascontiguousarray(actual).view(bits) == np.ascontiguousarray(expected).view(bits)
    if same.all():
        return None
    where = np.argwhere(~same.reshape(actual.shape))
    at = tuple(int(i) for i in where[0])
    return (
        f"{len(where)} of {actual.size} elements differ, first at {at}: "
        f"{actual[at]} instead of {expected[at]}"
    )
