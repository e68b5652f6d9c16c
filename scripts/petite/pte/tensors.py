# SPDX-License-Identifier: Apache-2.0
"""A file's tensors as numpy arrays and element types."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.pte.program import TensorValue

Array = np.ndarray[Any, np.dtype[Any]]

#: Names in ExecuTorch's scalar_type.fbs.
_BY_SCALAR_TYPE = {
    "BYTE": DType.U8,
    "CHAR": DType.S8,
    "SHORT": DType.S16,
    "INT": DType.S32,
    "LONG": DType.S64,
    "FLOAT": DType.F32,
    "BOOL": DType.BOOL,
}


def known_dtype(tensor: TensorValue) -> DType | None:
    """The element type; None where the runtime has no such type."""
    return _BY_SCALAR_TYPE.get(tensor.dtype.name)


def as_dtype(tensor: TensorValue, place: str) -> DType:
    """The element type; PetiteError where the runtime has no such type."""
    dtype = known_dtype(tensor)
    if dtype is None:
        supported = ", ".join(d.torch_name for d in DType)
        raise PetiteError(
            f"{place}: element type {tensor.dtype.name.lower()} is not supported; "
            f"use one of {supported}"
        )
    return dtype


def nbytes(tensor: TensorValue) -> int:
    """Bytes of a tensor's contents."""
    return prod(tensor.sizes) * tensor.dtype.itemsize


def logical_array(tensor: TensorValue, data: bytes) -> Array:
    """Contents stored in the tensor's dim_order, as an array of its logical shape."""
    stored = np.frombuffer(data, dtype=tensor.dtype.numpy, count=prod(tensor.sizes))
    physical = stored.reshape([tensor.sizes[d] for d in tensor.dim_order])
    logical = physical.transpose(np.argsort(tensor.dim_order))
    # numpy would make a scalar one-dimensional.
    return np.ascontiguousarray(logical).reshape(tensor.sizes)
