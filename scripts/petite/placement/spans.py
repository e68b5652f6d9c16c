# SPDX-License-Identifier: Apache-2.0
"""Which bytes of a buffer a call reads and writes, from the kernel's own parameters.

For the check of plans, which does not ask the lowering. What is not known here counts as all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from petite.ir.schedule import Buffer, KernelCall, Ref

#: Kernels whose contract allows overlap, by how they walk. All others must not overlap.
WINDOWS = ("conv2d_s8", "depthwise_conv2d_s8", "avg_pool_s8", "max_pool_s8")
#: Kernels whose output pixels are computed in pairs, each from the input pixel at its place.
PAIRS = ("pointwise_conv2d_s8",)
ELEMENTWISE = (
    *("lut_s8", "lut_s8_f32", "add_s8", "weighted_sum_s8", "mul_s8", "div_s8", "div_by_table_s8"),
    *("div_s16", "clamp_f32"),
    *("quantize_f32_s8", "quantize_f32_s16", "dequantize_s8_f32", "dequantize_s16_f32"),
    *("where", "batch_norm_f32"),
)
#: Families that are elementwise as a whole, by what their kernels' names start with.
_ELEMENTWISE_FAMILIES = ("unary_", "binary_")
#: Operands of elementwise kernels that may have as many elements as the output.
_ELEMENT_OPERANDS = ("input", "input1", "input2", "condition")


@dataclass(frozen=True)
class Span:
    """Some bytes of a buffer, from ``start`` to before ``stop``."""

    buffer: Buffer
    start: int
    stop: int

    @property
    def size(self) -> int:
        """Bytes."""
        return self.stop - self.start


def whole(buffer: Buffer) -> Span:
    """All of it."""
    return Span(buffer, 0, buffer.size)


def span_read(call: KernelCall, source: Buffer) -> Span:
    """What a call reads of a buffer, at most."""
    parts = []
    for name, offset in operands_in(call, source).items():
        size = _operand_size(call, name, source)
        if size is None or offset + size > source.size:
            return whole(source)
        parts.append((offset, offset + size))
    if not parts:
        return whole(source)
    return Span(source, min(p[0] for p in parts), max(p[1] for p in parts))


def span_written(call: KernelCall, target: Buffer) -> Span:
    """What a call writes of a buffer."""
    output = call.fields.get("output")
    size = _output_size(call, target)
    if size is None or not isinstance(output, Ref) or output.buffer is not target:
        return whole(target)
    return Span(target, output.offset, output.offset + size)


def operands_in(call: KernelCall, source: Buffer) -> dict[str, int]:
    """Fields that point into a buffer, with their offsets."""
    return {
        name: value.offset
        for name, value in call.fields.items()
        if isinstance(value, Ref) and value.buffer is source
    }


def _operand_size(call: KernelCall, name: str, source: Buffer) -> int | None:
    if call.kernel in WINDOWS and name == "input":
        channels = "input_c" if "input_c" in call.fields else "channels"
        return _product(call, "batches", "input_h", "input_w", channels)
    if call.kernel in PAIRS and name == "input":
        return _product(call, "pixels", "input_c")
    if call.kernel == "copy" and name == "input":
        return number(call, "size")
    if call.kernel == "copy_blocks" and name == "input":
        return _reach(call, "input_stride")
    if is_elementwise(call) and name in _ELEMENT_OPERANDS and is_dense(call, name):
        return elements(call) * source.dtype.size
    return None


def _output_size(call: KernelCall, target: Buffer) -> int | None:
    if call.kernel in WINDOWS and _is_output_dense(call):
        channels = "output_c" if "output_c" in call.fields else "channels"
        return _product(call, "batches", "output_h", "output_w", channels)
    if call.kernel in PAIRS:
        return _product(call, "pixels", "output_c")
    if call.kernel == "copy":
        return number(call, "size")
    if call.kernel == "copy_blocks":
        return _reach(call, "output_stride")
    if is_elementwise(call):
        return elements(call) * target.dtype.size
    return None


def _reach(call: KernelCall, stride: str) -> int | None:
    """From the first block to the end of the last one; None where blocks come backwards."""
    if number(call, stride) < 0:
        return None
    return (number(call, "count") - 1) * number(call, stride) + number(call, "block_size")


def _is_output_dense(call: KernelCall) -> bool:
    """Whether output pixels follow one another; those of a part of a transposed one do not."""
    pitch = call.fields.get("output_pitch", call.fields.get("output_c"))
    gaps = (call.fields.get("output_row_gap", 0), call.fields.get("output_image_gap", 0))
    return pitch == call.fields.get("output_c") and gaps == (0, 0)


def is_elementwise(call: KernelCall) -> bool:
    """Whether it walks over elements in the order of memory, each by itself."""
    return call.kernel in ELEMENTWISE or call.kernel.startswith(_ELEMENTWISE_FAMILIES)


def is_dense(call: KernelCall, operand: str) -> bool:
    """Whether an elementwise call walks over an operand once, in the order of memory."""
    field = "stride0" if operand == "condition" else operand.replace("input", "stride")
    strides = call.fields.get(field)
    if not isinstance(strides, tuple):
        return operand != "input2" or call.fields.get("period") in (None, call.fields["count"])
    dims = call.fields["dims"]
    assert isinstance(dims, tuple)
    step = 1
    for size, stride in zip(reversed(dims), reversed(strides), strict=True):
        if size != 1 and stride != step:
            return False
        step *= size
    return True


def elements(call: KernelCall) -> int:
    """Elements that an elementwise call walks over."""
    for name in ("count", "size"):
        if name in call.fields:
            return number(call, name)
    if "channels" in call.fields:
        return _product(call, "outer", "channels", "inner")
    dims = call.fields["dims"]
    assert isinstance(dims, tuple)
    return int(np.prod(dims, dtype=np.int64))


def number(call: KernelCall, name: str) -> int:
    """A field that is an integer."""
    value = call.fields[name]
    assert isinstance(value, int), f"{call.name}.{name} is no number"
    return value


def _product(call: KernelCall, *names: str) -> int:
    product = 1
    for name in names:
        product *= number(call, name)
    return product
