# SPDX-License-Identifier: Apache-2.0
"""Scratch memory that CMSIS-NN wants, in bytes, as its own ``*_get_buffer_size()`` count it.

It depends on the instruction set that the library was compiled for. The kernels ask the library
again when they run, so that another version of it fails instead of overwriting memory.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from petite.ir.schedule import Field
from petite.targets import InstructionSet

#: Channels that the library's depthwise convolution with Helium gathers at once.
_DEPTHWISE_CHANNELS = 124


@dataclass(frozen=True)
class ConvolutionShape:
    """The sizes of a convolution, by the names of the kernels' fields."""

    batches: int
    input_h: int
    input_w: int
    input_c: int
    output_h: int
    output_w: int
    output_c: int
    kernel_h: int
    kernel_w: int
    filter_c: int
    stride_h: int
    stride_w: int
    dilation_h: int
    dilation_w: int
    pad_top: int
    pad_left: int

    def fields(self) -> dict[str, Field]:
        """Fields of a parameter structure."""
        return dict(asdict(self))

    def on_its_side(self) -> ConvolutionShape:
        """Rows and columns exchanged, which moves no byte where one of them is one."""
        values = asdict(self)
        for name in ("input", "output", "kernel", "stride", "dilation"):
            values[f"{name}_h"], values[f"{name}_w"] = values[f"{name}_w"], values[f"{name}_h"]
        values["pad_top"], values["pad_left"] = values["pad_left"], values["pad_top"]
        return ConvolutionShape(**values)

    @property
    def is_pointwise(self) -> bool:
        """Whether the library takes it for a 1x1 convolution."""
        return (
            (self.kernel_h, self.kernel_w) == (1, 1)
            and (self.pad_top, self.pad_left) == (0, 0)
            and (self.dilation_h, self.dilation_w) == (1, 1)
            and self.input_c == self.filter_c
        )

    @property
    def is_row(self) -> bool:
        """Whether the library takes it for a convolution of one row with one row."""
        return (
            not self.is_pointwise
            and self.input_h == self.kernel_h == self.dilation_w == 1
            and self.stride_w * self.input_c % 4 == 0
            and self.input_c == self.filter_c
        )


def convolution(shape: ConvolutionShape, instruction_set: InstructionSet) -> int:
    """arm_convolve_wrapper_s8()"""
    if shape.is_pointwise:
        return 0
    if shape.is_row and instruction_set == "mve":
        return _row_with_helium(shape)
    return general_convolution(shape.kernel_h * shape.kernel_w * shape.input_c, instruction_set)


def general_convolution(window: int, instruction_set: InstructionSet) -> int:
    """arm_convolve_s8(), for windows of so many bytes."""
    if instruction_set == "mve":
        return 4 * _rounded_up(window, 16)
    return 2 * 2 * _rounded_up(window, 4)


def depthwise(shape: ConvolutionShape, instruction_set: InstructionSet) -> int:
    """arm_depthwise_conv_wrapper_s8(), of more than one input channel."""
    window = shape.kernel_h * shape.kernel_w
    is_plain = (shape.dilation_h, shape.dilation_w, shape.batches) == (1, 1, 1)
    if not is_plain or shape.input_c != shape.output_c or instruction_set == "scalar":
        return 0
    if instruction_set == "mve":
        return 4 * _DEPTHWISE_CHANNELS * window
    return 0 if is_small_window(shape) else 2 * shape.input_c * window


def is_small_window(shape: ConvolutionShape) -> bool:
    """Whether a depthwise convolution goes to a function of its own where there is no Helium."""
    return (shape.kernel_h, shape.kernel_w) == (3, 3) and max(shape.pad_top, shape.pad_left) <= 1


def average_pool(channels: int, instruction_set: InstructionSet) -> int:
    """arm_avgpool_s8()"""
    return 4 * channels if instruction_set == "dsp" else 0


def batch_matmul(columns: int, instruction_set: InstructionSet) -> int:
    """arm_batch_matmul_s8()"""
    return 4 * columns if instruction_set == "mve" else 0


def _row_with_helium(shape: ConvolutionShape) -> int:
    """Of stride 1, with as many columns to the right as pad_left, or one more."""
    more = shape.output_w - 1 + shape.kernel_w - shape.input_w - 2 * shape.pad_left
    if shape.output_w < 2 * shape.pad_left + more:
        window = shape.kernel_h * shape.kernel_w * shape.input_c
        return general_convolution(window, "mve")
    right = shape.kernel_w - 1 + shape.pad_left + more
    return max(shape.kernel_w + shape.pad_left, right) * shape.input_c


def _rounded_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit
