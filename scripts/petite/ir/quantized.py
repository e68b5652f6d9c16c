# SPDX-License-Identifier: Apache-2.0
"""Which integers of a graph stand for real numbers."""

from __future__ import annotations

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.ops import Op

#: Their integer results are quantised, whatever their inputs are.
_MAKERS = (
    *(ops.Quantize, ops.Convolution, ops.AvgPool2d, ops.Linear, ops.Add, ops.Mul, ops.Div),
    *(ops.BatchMatmul, ops.Softmax),
)
_STORED = (DType.S8, DType.S16)


def mark_quantized(op: Op) -> None:
    """Mark the outputs of an operator whose inputs are marked already.

    What moves or selects quantised numbers, and keeps their type, gives quantised numbers.
    """
    for output in op.outputs:
        kept = any(v.is_quantized and v.dtype is output.dtype for v in op.inputs)
        output.is_quantized = output.dtype in _STORED and (isinstance(op, _MAKERS) or kept)
