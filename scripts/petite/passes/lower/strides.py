# SPDX-License-Identifier: Apache-2.0
"""Element strides of values in memory, and walks over them that kernels can take."""

from __future__ import annotations

from petite.errors import PetiteError
from petite.ir.graph import Value
from petite.passes.layout import layout_of

#: PETITE_MAX_RANK in runtime/kernels/common/rank.h.
MAX_RANK = 6


def strides_of(value: Value) -> list[int]:
    """Elements between neighbours along each logical dimension."""
    strides = [0] * len(value.shape)
    step = 1
    for dim in reversed(layout_of(value)):
        strides[dim] = step
        step *= value.shape[dim]
    return strides


def walk(
    dims: list[int], strides: list[list[int]], source: str
) -> tuple[list[int], list[list[int]]]:
    """Merge neighbouring dimensions that every operand steps through alike.

    ``dims`` is the order of the walk, outermost first; ``strides`` has one list an operand.
    PetiteError where more than MAX_RANK dimensions are left.
    """
    if not dims:
        # One element, without dimensions.
        return [1], [[0] for _ in strides]
    kept = [i for i, n in enumerate(dims) if n != 1] or [0]
    out_dims = [dims[kept[0]]]
    out_strides = [[s[kept[0]]] for s in strides]
    for i in kept[1:]:
        if all(o[-1] == s[i] * dims[i] for o, s in zip(out_strides, strides, strict=True)):
            out_dims[-1] *= dims[i]
            for o, s in zip(out_strides, strides, strict=True):
                o[-1] = s[i]
        else:
            out_dims.append(dims[i])
            for o, s in zip(out_strides, strides, strict=True):
                o.append(s[i])
    if len(out_dims) > MAX_RANK:
        raise PetiteError(
            f"{source}: moves data along {len(out_dims)} dimensions, but at most {MAX_RANK} are "
            "supported; reshape the tensor to fewer dimensions"
        )
    return out_dims, out_strides


def broadcast_strides(
    output: Value, inputs: list[Value], source: str
) -> tuple[list[int], list[list[int]]]:
    """A walk over the output in its memory order, and the strides of each broadcast input."""
    order = layout_of(output)
    dims = [output.shape[d] for d in order]
    all_strides = []
    for value in inputs:
        missing = len(output.shape) - len(value.shape)
        own = [0] * missing + strides_of(value)
        shape = (1,) * missing + value.shape
        all_strides.append([0 if shape[d] == 1 else own[d] for d in order])
    return walk(dims, all_strides, source)


def padded(numbers: list[int], fill: int) -> tuple[int, ...]:
    """As many numbers as a kernel's arrays have, the missing ones in front."""
    return (*[fill] * (MAX_RANK - len(numbers)), *numbers)
