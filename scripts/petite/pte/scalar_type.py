# SPDX-License-Identifier: Apache-2.0
"""The element types that a program file can name."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np


class DType(Enum):
    """ScalarType of the file format: (code in the file, numpy type of the same bits).

    numpy has no arithmetic for some of them (bfloat16, float8, packed 4 and 2 bit numbers): there
    the numpy type is the unsigned integer that holds the bits.
    """

    BYTE = (0, "uint8")
    CHAR = (1, "int8")
    SHORT = (2, "int16")
    INT = (3, "int32")
    LONG = (4, "int64")
    HALF = (5, "float16")
    FLOAT = (6, "float32")
    DOUBLE = (7, "float64")
    BOOL = (11, "bool")
    QINT8 = (12, "int8")
    QUINT8 = (13, "uint8")
    QINT32 = (14, "int32")
    BFLOAT16 = (15, "uint16")
    QUINT4X2 = (16, "uint8")
    QUINT2X4 = (17, "uint8")
    BITS16 = (22, "uint16")
    FLOAT8E5M2 = (23, "uint8")
    FLOAT8E4M3FN = (24, "uint8")
    FLOAT8E5M2FNUZ = (25, "uint8")
    FLOAT8E4M3FNUZ = (26, "uint8")
    UINT16 = (27, "uint16")
    UINT32 = (28, "uint32")
    UINT64 = (29, "uint64")

    @property
    def code(self) -> int:
        """The number that stands for the type in a file."""
        return int(self.value[0])

    @property
    def numpy(self) -> np.dtype[Any]:
        """The little-endian numpy type of the same bits."""
        return np.dtype(self.value[1]).newbyteorder("<")

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return int(self.numpy.itemsize)


DTYPE_OF_CODE = {dtype.code: dtype for dtype in DType}
