# SPDX-License-Identifier: Apache-2.0
"""One line of a table of operators."""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir.dtype import DType
from petite.passes.lower.variants import implementation
from petite.targets import InstructionSet

#: Numbers of enum petite_dtype in plan.h: what a table is ordered by. A test compares them.
_ORDER = {d: i for i, d in enumerate(("S8", "S16", "S32", "S64", "U8", "F32", "BOOL"), start=1)}

#: Implementations that read weights which only `petite compile` packs: loaded programs run the
#: scalar one. A test compares this with the headers in runtime/kernels.
OWN_PARAMETERS: dict[str, frozenset[InstructionSet]] = {
    "conv2d_s8": frozenset({"dsp", "mve"}),
    "depthwise_conv2d_s8": frozenset({"dsp", "mve"}),
    "linear_s8": frozenset({"dsp", "mve"}),
}


@dataclass(frozen=True)
class Entry:
    """An operator for one pair of element types."""

    operator: str
    #: Of the first tensor.
    dtype: DType
    #: Of the last argument; None where that is a list of tensors.
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
        variant = implementation(self.kernel, instruction_set)
        if variant in OWN_PARAMETERS.get(self.kernel, frozenset()):
            variant = "scalar"
        return f"petite_{self.kernel}_{variant}"

    @property
    def result_name(self) -> str:
        """The second element type in C."""
        return "0" if self.result is None else self.result.plan_name

    @property
    def key(self) -> tuple[bytes, int, int]:
        """Its place in a table."""
        result = 0 if self.result is None else _ORDER[self.result.name]
        return self.operator.encode(), _ORDER[self.dtype.name], result
