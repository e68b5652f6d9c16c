# SPDX-License-Identifier: Apache-2.0
"""Every operator that a loaded program may call, by element types: the one table.

It drives the C tables that `petite select` writes, the documentation, and the tests.
"""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir.dtype import DType
from petite.passes.lower.variants import implementation
from petite.targets import InstructionSet

#: Numbers of enum petite_dtype in plan.h: what a table is ordered by. A test compares them.
_ORDER = {d: i for i, d in enumerate(("S8", "S16", "S32", "S64", "U8", "F32", "BOOL"), start=1)}


@dataclass(frozen=True)
class Entry:
    """An operator for one pair of element types."""

    operator: str
    #: Of the first tensor, and of the last argument.
    dtype: DType
    result: DType
    #: Without `petite_prepare_`.
    prepare: str
    #: Header of the prepare function, in runtime/.
    header: str
    #: The kernel, without instruction set, and its header in runtime/.
    kernel: str
    kernel_header: str

    def symbol(self, instruction_set: InstructionSet) -> str:
        """The kernel's function."""
        variant = implementation(self.kernel, instruction_set)
        if variant in OWN_PARAMETERS.get(self.kernel, frozenset()):
            variant = "scalar"
        return f"petite_{self.kernel}_{variant}"

    @property
    def key(self) -> tuple[bytes, int, int]:
        """Its place in a table."""
        return self.operator.encode(), _ORDER[self.dtype.name], _ORDER[self.result.name]


#: Implementations that read weights which only `petite compile` packs: loaded programs run the
#: scalar one. A test compares this with the headers in runtime/kernels.
OWN_PARAMETERS: dict[str, frozenset[InstructionSet]] = {
    "conv2d_s8": frozenset({"dsp", "mve"}),
    "depthwise_conv2d_s8": frozenset({"dsp", "mve"}),
    "linear_s8": frozenset({"dsp", "mve"}),
}


def _cortex_m(
    operator: str,
    kernel: str,
    folder: str,
    dtype: DType = DType.S8,
    result: DType | None = None,
    prepare: str = "",
) -> Entry:
    return Entry(
        f"cortex_m::{operator}.out",
        dtype,
        dtype if result is None else result,
        prepare or operator,
        "operators/cortex_m/cortex_m.h",
        kernel,
        f"kernels/{folder}/{kernel}.h",
    )


def _images(operator: str, kernel: str, folder: str) -> list[Entry]:
    """Both spellings: of NCHW shapes, and of NHWC ones."""
    return [_cortex_m(name, kernel, folder) for name in (operator, f"{operator}_nhwc")]


def _conversions() -> list[Entry]:
    entries = []
    for stored in (DType.S8, DType.S16):
        kernel = f"quantize_f32_{stored.suffix}"
        name = f"quantize_{stored.suffix}"
        entries.append(
            _cortex_m("quantize_per_tensor", kernel, "quantize", DType.F32, stored, name)
        )
        kernel = f"dequantize_{stored.suffix}_f32"
        entries.append(
            _cortex_m("dequantize_per_tensor", kernel, "dequantize", stored, DType.F32, f"de{name}")
        )
    return entries


def _quantized() -> list[Entry]:
    return [
        *_conversions(),
        *_images("quantized_conv2d", "conv2d_s8", "conv2d"),
        *_images("quantized_depthwise_conv2d", "depthwise_conv2d_s8", "depthwise_conv2d"),
        *_images("quantized_transpose_conv2d", "transpose_conv2d_s8", "transpose_conv2d"),
        *_images("quantized_avg_pool2d", "avg_pool_s8", "avg_pool"),
        *_images("quantized_max_pool2d", "max_pool_s8", "max_pool"),
        _cortex_m("quantized_linear", "linear_s8", "linear"),
        _cortex_m("quantized_add", "add_s8", "add"),
        _cortex_m("quantized_mul", "mul_s8", "mul"),
        _cortex_m("quantized_div", "div_s8", "div", prepare="quantized_div_s8"),
        _cortex_m("quantized_div", "div_s16", "div", DType.S16, prepare="quantized_div_s16"),
        _cortex_m("quantized_activation", "lut_s8", "lut"),
        _cortex_m("quantized_batch_matmul", "batch_matmul_s8", "batch_matmul"),
        _cortex_m("softmax", "softmax_s8", "softmax", prepare="softmax_s8"),
        _cortex_m("transpose", "transpose", "transpose", prepare="cortex_m_transpose"),
        _cortex_m("pad", "pad", "pad", prepare="cortex_m_pad"),
    ]


#: In the order of a table.
ENTRIES: tuple[Entry, ...] = tuple(sorted(_quantized(), key=lambda entry: entry.key))
