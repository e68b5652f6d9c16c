# SPDX-License-Identifier: Apache-2.0
"""One line of a table of operators."""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir.dtype import DType
from petite.passes.lower.variants import PLAIN, best_of, implementation
from petite.targets import InstructionSet

#: Numbers of enum petite_dtype in plan.h: what a table is ordered by. A test compares them.
_ORDER = {d: i for i, d in enumerate(("S8", "S16", "S32", "S64", "U8", "F32", "BOOL"), start=1)}

#: Implementations beside the scalar ones that loaded programs run: those that take the parameters
#: of the scalar kernel, and whose limits the prepare function knows. Others read what only `petite
#: compile` packs, or take only calls that it has looked at.
FAST: dict[str, frozenset[InstructionSet]] = {
    "add_s8": frozenset({"mve"}),
    "avg_pool_s8": frozenset({"dsp", "mve"}),
    "batch_matmul_s8": frozenset({"mve"}),
    "lut_s8": frozenset({"mve"}),
    "max_pool_s8": frozenset({"dsp", "mve"}),
    "mul_s8": frozenset({"mve"}),
    "quantize_f32_s16": frozenset({"mve"}),
    "quantize_f32_s8": frozenset({"mve"}),
    "softmax_s8": frozenset({"mve"}),
}


@dataclass(frozen=True)
class Entry:
    """An operator for one pair of element types."""

    operator: str
    #: Of the first tensor; None where there is none.
    dtype: DType | None
    #: Of the last argument; None where that is no tensor.
    result: DType | None
    #: Without `petite_prepare_`.
    prepare: str
    #: Header of the prepare function, in runtime/.
    header: str
    #: The kernel, without instruction set, and its header in runtime/. None, where the prepare
    #: function knows its kernels.
    kernel: str | None = None
    kernel_header: str | None = None

    def symbol(self, instruction_set: InstructionSet) -> str:
        """The kernel's function."""
        if self.kernel is None:
            return "NULL"
        if self._has_plain(instruction_set):
            plain = PLAIN[self.kernel]
            return f"petite_{plain}_{implementation(plain, instruction_set)}"
        variant = best_of(FAST.get(self.kernel, frozenset()), instruction_set)
        return f"petite_{self.kernel}_{variant}"

    def symbol_header(self, instruction_set: InstructionSet) -> str | None:
        """The header that declares the kernel's function."""
        if self.kernel is not None and self._has_plain(instruction_set):
            plain = PLAIN[self.kernel]
            name = f"{plain}_{implementation(plain, instruction_set)}.h"
            return f"{(self.kernel_header or '').rpartition('/')[0]}/{name}"
        return self.kernel_header

    def _has_plain(self, instruction_set: InstructionSet) -> bool:
        plain = PLAIN.get(self.kernel or "")
        return plain is not None and implementation(plain, instruction_set) != "scalar"

    @property
    def types(self) -> str:
        """Both element types in C."""
        both = (self.dtype, self.result)
        return ", ".join("0" if dtype is None else dtype.plan_name for dtype in both)

    @property
    def key(self) -> tuple[bytes, int, int]:
        """Its place in a table."""
        return self.operator.encode(), _place(self.dtype), _place(self.result)


def _place(dtype: DType | None) -> int:
    return 0 if dtype is None else _ORDER[dtype.name]
