# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of runtime/kernels/common/requantize.h, on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def wrap32(values: Array) -> Array:
    """The values as 32-bit integers hold them."""
    return (np.asarray(values, np.int64) + 2**31) % 2**32 - 2**31


def requantize(values: Array, multipliers: Array, shifts: Array) -> Array:
    """petite_requantize() of 32-bit values, as int64."""
    shifts = np.asarray(shifts, np.int64)
    shifted = wrap32(np.asarray(values, np.int64) << np.maximum(shifts, 0))
    high = (shifted * np.asarray(multipliers, np.int64) + 2**30) >> 31
    exponent = np.maximum(-shifts, 0)
    mask = (np.int64(1) << exponent) - 1
    up = (high & mask) > (mask >> 1) + (high < 0)
    return np.asarray((high >> exponent) + up)
