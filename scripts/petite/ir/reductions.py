# SPDX-License-Identifier: Apache-2.0
"""The functions that reduce dimensions, and the element types that each is there for.

This table and runtime/kernels/reduce/reduce.h, which says what each function is, are two statements
of the same fact; the compiled kernels of a test compare them.
"""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir.dtype import DType
from petite.ir.functions import ALL, FLOAT


@dataclass(frozen=True)
class Reduction:
    """A function of all elements along some dimensions."""

    name: str
    #: Element types of the operand.
    dtypes: tuple[DType, ...]
    #: Integers (and bool) give int64.
    widens: bool = False
    #: Gives the place of an element, in int64.
    gives_place: bool = False
    #: Has a value where there are no elements.
    of_nothing: bool = True

    def result(self, dtype: DType) -> DType:
        """Element type of the result."""
        wide = self.gives_place or (self.widens and dtype is not DType.F32)
        return DType.S64 if wide else dtype

    def kernel(self, dtype: DType) -> str:
        """Name of the kernel for an operand of a type, without instruction set."""
        types = dict.fromkeys((dtype, self.result(dtype)))
        return "_".join(("reduce", self.name, *(t.suffix for t in types)))


REDUCTIONS: dict[str, Reduction] = {
    reduction.name: reduction
    for reduction in (
        Reduction("sum", ALL, widens=True),
        Reduction("prod", ALL, widens=True),
        Reduction("mean", FLOAT),
        Reduction("var", FLOAT),
        Reduction("max", ALL, of_nothing=False),
        Reduction("min", ALL, of_nothing=False),
        Reduction("argmax", ALL, gives_place=True, of_nothing=False),
        Reduction("argmin", ALL, gives_place=True, of_nothing=False),
    )
}
