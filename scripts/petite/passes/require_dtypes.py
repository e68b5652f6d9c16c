# SPDX-License-Identifier: Apache-2.0
"""Refuses a model that needs kernels of element types which the firmware leaves out."""

from __future__ import annotations

from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.ir.kernel_dtypes import kernel_dtypes
from petite.ir.schedule import KernelCall, Schedule


def require_dtypes(schedule: Schedule, selected: frozenset[DType] | None) -> None:
    """PetiteError at the first call whose kernel computes with another element type.

    None selects all. Kernels that only move bytes pass, whatever the bytes are.
    """
    if selected is None:
        return
    for call in schedule.calls:
        missing = kernel_dtypes(call.kernel) - selected
        if missing:
            raise _refusal(call, [dtype for dtype in DType if dtype in missing], selected)


def _refusal(call: KernelCall, missing: list[DType], selected: frozenset[DType]) -> PetiteError:
    names = " and ".join(dtype.torch_name for dtype in missing)
    chosen = ",".join(dtype.torch_name for dtype in DType if dtype in selected)
    remedy = "export the model without this operator"
    if missing == [DType.F32]:
        remedy = "quantize the whole model and use --int8-io"
    return PetiteError(
        f"{call.source}: kernel {call.kernel} computes with {names}, but --dtypes is {chosen}; "
        f"add {names.replace(' and ', ',')} to it, or {remedy}"
    )
