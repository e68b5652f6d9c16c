# SPDX-License-Identifier: Apache-2.0
"""The element type in which an operator computes, as PyTorch promotes them."""

from __future__ import annotations

from petite.ir.dtype import DType

#: Each holds the values of those before it; int8 and uint8 meet in int16.
_ORDER = (DType.BOOL, DType.U8, DType.S8, DType.S16, DType.S32, DType.S64, DType.F32)


def promote(first: DType, second: DType) -> DType:
    """Smallest type for values of both: torch.promote_types()."""
    if {first, second} == {DType.U8, DType.S8}:
        return DType.S16
    return max(first, second, key=_ORDER.index)


def promote_number(dtype: DType, number: bool | int | float) -> DType:
    """A Python number changes a tensor's type only where its kind (bool, int, float) is larger."""
    if isinstance(number, bool) or dtype is DType.F32:
        return dtype
    if isinstance(number, float):
        return DType.F32
    return DType.S64 if dtype is DType.BOOL else dtype
