# SPDX-License-Identifier: Apache-2.0
"""Which element types a kernel computes with: its name says it.

A kernel is called after its operator and the element types of its inputs and outputs:
``conv2d_s8``, ``quantize_f32_s8``. So are its files, ``<kernel>_<instruction set>.c``, which makes
``_f32_`` in a file's name the mark of what a build without float32 may leave out.
"""

from __future__ import annotations

from petite.ir.dtype import DType

#: Kernels that move bytes of any element type, and carry none in their names.
MOVERS = frozenset(
    {
        *("copy", "copy_blocks", "masked_scatter", "move", "pad", "put", "resize_nearest", "take"),
        *("transpose", "where"),
    }
)

#: Steps that only decide which steps come next.
CONTROL = frozenset({"branch"})

#: Steps that lead to the application's operators, and compute nothing themselves.
OF_APPLICATION = frozenset({"require_bound", "call_operator"})

#: Element types by the part of a kernel's name that stands for them, "s8" for int8.
BY_SUFFIX = {dtype.suffix: dtype for dtype in DType}


def kernel_dtypes(kernel: str) -> frozenset[DType]:
    """Element types that the kernel computes with; none for one that moves bytes, or jumps."""
    found = frozenset(BY_SUFFIX[part] for part in kernel.split("_") if part in BY_SUFFIX)
    has_none = kernel in MOVERS | CONTROL | OF_APPLICATION
    assert bool(found) != has_none, f"kernel {kernel} does not say its element type"
    return found
