# SPDX-License-Identifier: Apache-2.0
"""Element types, as PyTorch, numpy and C name them."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np


class DType(Enum):
    """An element type that a program may use: (torch name, numpy name, C type, plan.h name)."""

    S8 = ("int8", "int8", "int8_t", "PETITE_S8")
    S16 = ("int16", "int16", "int16_t", "PETITE_S16")
    S32 = ("int32", "int32", "int32_t", "PETITE_S32")
    S64 = ("int64", "int64", "int64_t", "PETITE_S64")
    U8 = ("uint8", "uint8", "uint8_t", "PETITE_U8")
    F32 = ("float32", "float32", "float", "PETITE_F32")
    BOOL = ("bool", "bool", "uint8_t", "PETITE_BOOL")

    @property
    def torch_name(self) -> str:
        """Name without the ``torch.`` prefix, for messages."""
        return str(self.value[0])

    @property
    def numpy(self) -> np.dtype[Any]:
        """The numpy type of the same bits."""
        return np.dtype(self.value[1])

    @property
    def c_type(self) -> str:
        """The C type of the same bits."""
        return str(self.value[2])

    @property
    def plan_name(self) -> str:
        """The enumerator in ``petite/plan.h``."""
        return str(self.value[3])

    @property
    def size(self) -> int:
        """Bytes of one element."""
        return int(self.numpy.itemsize)

    @property
    def suffix(self) -> str:
        """What stands for it in the names of kernels: "s8"."""
        return self.plan_name.removeprefix("PETITE_").lower()
