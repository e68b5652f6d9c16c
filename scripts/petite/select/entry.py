# SPDX-License-Identifier: Apache-2.0
"""One line of a table of operators."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

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
        return f"petite_{'_'.join(self._implementation(self.kernel, instruction_set))}"

    def symbol_header(self, instruction_set: InstructionSet) -> str | None:
        """The header that declares the kernel's function."""
        if self.kernel is None or self.kernel_header is None:
            return None
        kernel, variant = self._implementation(self.kernel, instruction_set)
        if kernel == self.kernel:
            return self.kernel_header
        return str(PurePosixPath(self.kernel_header).with_name(f"{kernel}_{variant}.h"))

    @staticmethod
    def _implementation(kernel: str, instruction_set: InstructionSet) -> tuple[str, InstructionSet]:
        """The kernel that runs, and which implementation of it."""
        plain = PLAIN.get(kernel)
        if plain is not None and implementation(plain, instruction_set) != "scalar":
            return plain, implementation(plain, instruction_set)
        return kernel, best_of(FAST.get(kernel, frozenset()), instruction_set)

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
