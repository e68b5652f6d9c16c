# SPDX-License-Identifier: Apache-2.0
"""Python and numpy numbers as C literals with exactly the same value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from petite.ir.dtype import DType

Array = np.ndarray[Any, np.dtype[Any]]

_COLUMNS = 92


def integer(value: int) -> str:
    """An int literal; the most negative 32-bit number has no literal of its own type."""
    return "INT32_MIN" if value == -(2**31) else str(value)


def real(value: float) -> str:
    """A float literal: the shortest decimal that reads back as the same float32."""
    single = np.float32(value)
    if math.isnan(single):
        return "NAN"
    if math.isinf(single):
        return "INFINITY" if single > 0 else "-INFINITY"
    text = str(single)
    return f"{text}f" if any(c in text for c in ".e") else f"{text}.0f"


def element(value: Any, dtype: DType) -> str:
    """One array element."""
    if dtype is DType.F32:
        return real(float(value))
    if dtype is DType.S64:
        return "INT64_MIN" if value == -(2**63) else f"{int(value)}LL"
    return integer(int(value))


def stored_bytes(data: Array, dtype: DType) -> bytes:
    """The bytes that the array of these literals has in a little-endian memory.

    NAN is one bit pattern in C, whatever the constant's own was.
    """
    if dtype is DType.F32:
        data = np.where(np.isnan(data), np.float32(np.nan), data)
    return data.astype(dtype.numpy.newbyteorder("<")).tobytes()


def lines(data: Array, dtype: DType) -> list[str]:
    """The elements of an array in lines of a readable width, a comma after each element."""
    result: list[str] = []
    current = ""
    for value in data.tolist() if dtype is not DType.F32 else data:
        text = element(value, dtype) + ","
        if current and len(current) + 1 + len(text) > _COLUMNS:
            result.append(current)
            current = text
        else:
            current = f"{current} {text}" if current else text
    if current:
        result.append(current)
    return result
