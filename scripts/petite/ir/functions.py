# SPDX-License-Identifier: Apache-2.0
"""The functions that work element by element, and the element types that each is there for.

This table and the kernels' headers (runtime/kernels/unary/unary.h, runtime/kernels/binary/binary.h,
which say what each function is) are two statements of the same fact; a test compares them.
"""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir.dtype import DType

INTEGERS = (DType.S8, DType.U8, DType.S16, DType.S32, DType.S64)
FLOAT = (DType.F32,)
BOOL = (DType.BOOL,)
NUMBERS = (*INTEGERS, *FLOAT)
ALL = (*NUMBERS, *BOOL)


@dataclass(frozen=True)
class Function:
    """A function of one tensor or of two, all of one element type."""

    name: str
    operands: int
    #: Element types of the operands.
    dtypes: tuple[DType, ...]
    #: Whether the result is a bool; elsewhere it has the operands' type.
    gives_bool: bool = False

    @property
    def family(self) -> str:
        """Folder of the kernels, and their parameter structure without its prefix."""
        return "unary" if self.operands == 1 else "binary"

    def result(self, dtype: DType) -> DType:
        """Element type of the result."""
        return DType.BOOL if self.gives_bool else dtype

    def kernel(self, dtype: DType) -> str:
        """Name of the kernel for operands of a type, without instruction set."""
        types = dict.fromkeys((dtype, self.result(dtype)))
        return "_".join((self.family, self.name, *(t.suffix for t in types)))


def _functions() -> tuple[Function, ...]:
    unary = {
        INTEGERS + FLOAT: "abs neg sign",
        INTEGERS + BOOL: "not",
        FLOAT: "ceil floor trunc round sqrt rsqrt reciprocal exp expm1 log log1p log2 log10 "
        "sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf sigmoid gelu gelu_tanh",
    }
    binary = {
        NUMBERS: "add sub mul min max pow div_trunc div_floor fmod remainder",
        INTEGERS + BOOL: "and or xor shift_left shift_right",
        FLOAT: "div atan2",
    }
    return (
        *(Function(n, 1, dtypes) for dtypes, names in unary.items() for n in names.split()),
        *(Function(n, 1, FLOAT, gives_bool=True) for n in ("isnan", "isinf")),
        *(Function(n, 2, dtypes) for dtypes, names in binary.items() for n in names.split()),
        *(Function(n, 2, ALL, gives_bool=True) for n in ("eq", "ne", "lt", "le", "gt", "ge")),
    )


FUNCTIONS: dict[str, Function] = {function.name: function for function in _functions()}


def cast_kernel(source: DType, result: DType) -> str:
    """Name of the kernel that converts one element type to another."""
    return f"unary_cast_{source.suffix}_{result.suffix}"
