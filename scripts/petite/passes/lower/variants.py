# SPDX-License-Identifier: Apache-2.0
"""Which implementation of a kernel runs on a core: the one place that decides.

A scalar implementation exists of every kernel. Beside it a kernel may have one for the DSP
extension (``_dsp.c``) and one for Helium (``_mve.c``); both give the same bits. Where a core lacks
its own, the next one that it can run is taken. An implementation may refuse a call (an odd shape,
an odd scale); lowering then asks for another.
"""

from __future__ import annotations

from typing import Literal

from petite.targets import RUNS, InstructionSet

#: Implementations beside the scalar one. A test compares this with the files in runtime/kernels.
IMPLEMENTATIONS: dict[str, frozenset[InstructionSet]] = {
    "add_s8": frozenset({"dsp", "mve"}),
    "avg_pool_s8": frozenset({"dsp", "mve"}),
    "batch_matmul_s8": frozenset({"dsp", "mve"}),
    "binary_max_s8": frozenset({"dsp", "mve"}),
    "binary_min_s8": frozenset({"dsp", "mve"}),
    "conv2d_s8": frozenset({"dsp", "mve"}),
    "depthwise_conv2d_s8": frozenset({"dsp", "mve"}),
    "dequantize_s16_f32": frozenset({"mve"}),
    "dequantize_s8_f32": frozenset({"mve"}),
    "div_by_table_s8": frozenset({"dsp", "mve"}),
    "linear_s8": frozenset({"dsp", "mve"}),
    "lut_s8": frozenset({"dsp", "mve"}),
    "lut_s8_f32": frozenset({"dsp"}),
    "max_pool_s8": frozenset({"dsp", "mve"}),
    "move": frozenset({"mve"}),
    "mul_s8": frozenset({"dsp", "mve"}),
    "plain_conv2d_s8": frozenset({"mve"}),
    "plain_depthwise_conv2d_s8": frozenset({"mve"}),
    "plain_linear_s8": frozenset({"mve"}),
    "pointwise_conv2d_s8": frozenset({"mve"}),
    "quantize_f32_s16": frozenset({"dsp", "mve"}),
    "quantize_f32_s8": frozenset({"dsp", "mve"}),
    "softmax_s8": frozenset({"dsp", "mve"}),
    "transpose": frozenset({"dsp", "mve"}),
    "weighted_sum_s8": frozenset({"dsp", "mve"}),
}

#: Kernels that read weights as they stand in a program: loaded programs run them in the place of
#: others, on cores that have an implementation.
PLAIN = {
    "conv2d_s8": "plain_conv2d_s8",
    "depthwise_conv2d_s8": "plain_depthwise_conv2d_s8",
    "linear_s8": "plain_linear_s8",
}
#: Kernels that some calls of another one become, on cores that have an implementation.
SPECIAL = {"pointwise_conv2d_s8": "conv2d_s8", **{plain: name for name, plain in PLAIN.items()}}
#: Members of a family, by the name of the file that has the scalar ones.
FAMILY_FILES = {"binary_max_s8": "binary_s8", "binary_min_s8": "binary_s8"}

#: An implementation's name: the end of its function's and its file's.
Implementation = InstructionSet | Literal["cmsis_nn"]
#: Kernels that have one that calls CMSIS-NN, for every instruction set. It runs instead of all
#: others where the user asks for that library, and lowering finds that it computes the same bits.
BY_CMSIS_NN = frozenset(
    {
        "add_s8",
        "avg_pool_s8",
        "batch_matmul_s8",
        "conv2d_s8",
        "depthwise_conv2d_s8",
        "linear_s8",
        "max_pool_s8",
        "mul_s8",
        "softmax_s8",
        "transpose_conv2d_s8",
    }
)


def implementation(kernel: str, instruction_set: InstructionSet) -> InstructionSet:
    """The best implementation of a kernel that cores of the instruction set can run."""
    return best_of(IMPLEMENTATIONS.get(kernel, frozenset()), instruction_set)


def best_of(own: frozenset[InstructionSet], instruction_set: InstructionSet) -> InstructionSet:
    """The best of some implementations and the scalar one."""
    return next(name for name in RUNS[instruction_set] if name in own or name == "scalar")


def with_shifts(kernel: str, instruction_set: InstructionSet, shifts: list[int]) -> InstructionSet:
    """The same for a kernel that scales: Helium's scale with shifts up to zero only."""
    best = implementation(kernel, instruction_set)
    return "scalar" if best == "mve" and max(shifts) > 0 else best
