# SPDX-License-Identifier: Apache-2.0
"""The operators of the graph.

All speak of logical shapes: images are NCHW, a convolution's weights OHWI. What an operator
computes is what ExecuTorch's operator of the same name computes on the core; the kernels' headers
give the formulas. Quantised operators carry *offsets* (added to the stored integer) as the kernels
do, not zero points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from petite.ir.graph import Value

Array = np.ndarray[Any, np.dtype[Any]]
Pair = tuple[int, int]


@dataclass(frozen=True)
class Padding:
    """Rows and columns added around an image."""

    top: int = 0
    left: int = 0
    bottom: int = 0
    right: int = 0

    @property
    def is_zero(self) -> bool:
        """Whether nothing is added."""
        return self == Padding()

    def plus(self, other: Padding) -> Padding:
        """Both, one around the other."""
        return Padding(
            self.top + other.top,
            self.left + other.left,
            self.bottom + other.bottom,
            self.right + other.right,
        )


@dataclass(frozen=True)
class Requantize:
    """Fixed-point scale: value * multiplier * 2^(shift - 31), rounded as CMSIS-NN does."""

    multiplier: int
    shift: int


@dataclass(frozen=True)
class Clamp:
    """Smallest and largest value of an output, as stored."""

    low: int = -128
    high: int = 127


@dataclass(eq=False)
class Guard:
    """One side of a branch: what is in it matters only where a condition holds.

    There is one object for each side of each branch in the program.
    """

    condition: Value
    #: Whether the condition holds where the value is true, or where it is false.
    sense: bool
    #: The side of the branch around it.
    outer: Guard | None
    source: str

    def chain(self) -> list[Guard]:
        """All sides that it is in, itself the last."""
        return [*guards(self.outer), self]


def guards(guard: Guard | None) -> list[Guard]:
    """The sides that something is in, the outermost first."""
    return [] if guard is None else guard.chain()


@dataclass(eq=False)
class Op:
    """What every operator has. ``source`` says where it comes from, for messages.

    Operators are pure, so the graph means the same if those with a ``guard`` run always. Lowering
    lets both sides of a branch share memory, and from then on they must not.
    """

    inputs: list[Value]
    outputs: list[Value]
    source: str = field(kw_only=True)
    guard: Guard | None = field(default=None, kw_only=True, repr=False)

    @property
    def kind(self) -> str:
        """Name, for messages and reports."""
        return type(self).__name__

    @property
    def input(self) -> Value:
        """The first input."""
        return self.inputs[0]

    @property
    def output(self) -> Value:
        """The only output."""
        return self.outputs[0]


@dataclass(eq=False)
class Quantize(Op):
    """float32 to int8 or int16: clamp(zero_point + round_half_even(x * (1 / scale)))."""

    scale: float
    zero_point: int
    low: int
    high: int


@dataclass(eq=False)
class Dequantize(Op):
    """int8 or int16 to float32: (x - zero_point) * scale."""

    scale: float
    zero_point: int


@dataclass(eq=False)
class Window(Op):
    """An operator that slides a window over an NCHW image."""

    kernel: Pair
    stride: Pair
    padding: Padding


@dataclass(eq=False)
class Convolution(Window):
    """What the convolutions share: per-channel requantisation, and one bias a channel or none.

    ``weights`` is OHWI for Conv2d and TransposeConv2d, [1, H, W, O] for DepthwiseConv2d.
    """

    dilation: Pair
    weights: Array
    bias: Array | None
    input_offset: int
    output_offset: int
    multipliers: Array
    shifts: Array
    clamp: Clamp


@dataclass(eq=False)
class Conv2d(Convolution):
    """Convolution; groups = input channels / weights' last dimension."""


@dataclass(eq=False)
class DepthwiseConv2d(Convolution):
    """Convolution of each channel by itself; several outputs a channel are adjacent."""


@dataclass(eq=False)
class TransposeConv2d(Convolution):
    """Transposed convolution; ``padding`` takes rows and columns away from the output."""


@dataclass(eq=False)
class AvgPool2d(Window):
    """Mean over the window, ties away from zero.

    Positions of the padding count (as ``padding_value``) where ``count_padding`` is set.
    """

    count_padding: bool
    padding_value: int


@dataclass(eq=False)
class MaxPool2d(Window):
    """Maximum over the window; the padding never wins."""

    clamp: Clamp
    dilation: Pair = (1, 1)


@dataclass(eq=False)
class Linear(Op):
    """Rows times weights [out, in]; ``bias`` has the input offset folded in (int32)."""

    weights: Array
    bias: Array
    output_offset: int
    requantize: Requantize
    clamp: Clamp


@dataclass(eq=False)
class Add(Op):
    """Sum of two quantised tensors (the second may have one value a channel)."""

    offsets: Pair
    scales: tuple[Requantize, Requantize]
    output_offset: int
    requantize: Requantize
    clamp: Clamp


@dataclass(eq=False)
class Mul(Op):
    """Product of two quantised tensors (the second may have one value a channel)."""

    offsets: Pair
    output_offset: int
    requantize: Requantize


@dataclass(eq=False)
class Div(Op):
    """Quotient of two int8 or two int16 tensors, computed in float32."""

    offsets: Pair
    output_offset: int
    scale: float


@dataclass(eq=False)
class Lut(Op):
    """out = table[x + 128]."""

    table: Array


@dataclass(eq=False)
class BatchMatmul(Op):
    """[B, M, K] times [B, N, K] transposed."""

    offsets: Pair
    output_offset: int
    requantize: Requantize


@dataclass(eq=False)
class Softmax(Op):
    """Fixed-point softmax over dimension ``dim``; the output has scale 1/256, zero point -128."""

    dim: int
    requantize: Requantize
    diff_min: int


@dataclass(eq=False)
class Pad(Op):
    """Constant padding: elements before and after, a logical dimension each."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    value: float


@dataclass(eq=False)
class Permute(Op):
    """Output dimension i is input dimension permutation[i]."""

    permutation: tuple[int, ...]


@dataclass(eq=False)
class View(Op):
    """The same elements in the same logical order, in another shape."""


@dataclass(eq=False)
class Copy(Op):
    """The same elements in the same shape, in memory of their own."""


@dataclass(eq=False)
class Merge(Op):
    """Where the sides of a branch meet: inputs are what each computes, and the condition.

    The output is the first input where the condition is true, and else the second. ``sides`` are
    the guards of what computes the two. This is the only operator that reads, from outside, what
    was computed inside of a branch.
    """

    sides: tuple[Guard, Guard]


@dataclass(eq=False)
class Relayout(Op):
    """The same elements in the same shape, in another order in memory."""


@dataclass(eq=False)
class Concat(Op):
    """Inputs one after the other along a dimension."""

    dim: int


@dataclass(eq=False)
class Slice(Op):
    """Elements start, start + step, ... along a dimension, as many as the output has.

    The step may be negative.
    """

    dim: int
    start: int
    step: int


@dataclass(eq=False)
class Expand(Op):
    """Dimensions of size one repeated, as PyTorch's broadcast does."""


@dataclass(eq=False)
class Elementwise(Op):
    """A function of ``petite.ir.functions`` on each element; operands broadcast as in PyTorch."""

    function: str


@dataclass(eq=False)
class Cast(Op):
    """Elements converted to the output's element type; see runtime/kernels/unary/unary.h."""


@dataclass(eq=False)
class Where(Op):
    """Inputs are condition (bool), the values where it holds, and those where not; broadcast."""


@dataclass(eq=False)
class Offsets(Op):
    """Where the elements lie that an index tensor means: base + index * scale, in int32.

    Inputs are the index (int32 or int64) and perhaps the base (int32), broadcast. With ``from_end``
    an index from -size to -1 counts from the end; any other outside of 0 .. size - 1 is an error
    when the model runs.
    """

    size: int
    scale: int
    from_end: bool


@dataclass(eq=False)
class Take(Op):
    """output[o] = element number (start + o . strides + offsets[o]) of the input, flattened.

    Inputs are the tensor and perhaps the offsets (int32), which broadcast to the output and are
    from 0 to ``reach``. Strides are not negative.
    """

    strides: tuple[int, ...]
    start: int = 0
    reach: int = 0


@dataclass(eq=False)
class Put(Op):
    """A copy of the first input, in which elements are replaced, one after the other.

    Inputs are the tensor, the source, and the offsets (int32, from 0 to ``reach``). For each o of
    ``shape``, in ascending order: element number (o . strides + offsets[o]) of the flattened output
    becomes source[o], or with ``accumulate`` grows by it. Source and offsets broadcast to the
    shape; strides are not negative.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    reach: int
    accumulate: bool = False


@dataclass(eq=False)
class MaskedScatter(Op):
    """Inputs are tensor, mask (bool; the two broadcast), and source.

    Where the mask holds, the source's elements in order; it is an error when the model runs if
    there are not enough. Elsewhere the tensor's.
    """


@dataclass(eq=False)
class TopK(Op):
    """Where (int64) the k largest, or smallest, elements of the last dimension are, best first."""

    k: int
    largest: bool


@dataclass(eq=False)
class FloatClamp(Op):
    """float32 limited to [low, high]; a bound that is not wanted is infinite."""

    low: float
    high: float


@dataclass(eq=False)
class Reduce(Op):
    """A function of ``petite.ir.reductions`` along dimensions, which are in ascending order.

    The output lacks them or keeps them with size one. ``correction`` is what is taken from the
    number of elements to get the divisor of a variance.
    """

    function: str
    dims: tuple[int, ...]
    correction: float = 0.0


@dataclass(eq=False)
class CumSum(Op):
    """Sums of everything so far along dimension ``dim``, of float32 or int64."""

    dim: int


@dataclass(eq=False)
class Matmul(Op):
    """Rows times a matrix [in, out], or [out, in] where ``transposed`` is set, of any number type.

    Either one matrix for all rows, or one for each of the first dimension.
    """

    transposed: bool


@dataclass(eq=False)
class FloatLinear(Op):
    """Rows of float32 times a matrix: inputs are rows, matrix, and perhaps the bias.

    The matrix is [out, in] where ``transposed`` is set, else [in, out]. A bias makes the result
    alpha * product + beta * bias.
    """

    transposed: bool
    alpha: float = 1.0
    beta: float = 1.0


@dataclass(eq=False)
class FloatConvolution(Window):
    """What convolutions of float32 share; inputs are the image, weights, and perhaps the bias."""

    dilation: Pair
    groups: int


@dataclass(eq=False)
class FloatConv2d(FloatConvolution):
    """Convolution of float32; weights are OIHW."""


@dataclass(eq=False)
class FloatTransposeConv2d(FloatConvolution):
    """Transposed convolution of float32; weights are IOHW, ``padding`` is cut from the output."""


@dataclass(eq=False)
class FloatAdaptiveAvgPool2d(Op):
    """Mean of float32 over windows that divide the last two dimensions into the output's size."""


@dataclass(eq=False)
class FloatSoftmax(Op):
    """Softmax of float32 over dimension ``dim``, or its logarithm."""

    dim: int
    log: bool = False


@dataclass(eq=False)
class Normalize(Op):
    """Runs of ``columns`` float32 brought to mean 0 and variance 1.

    Inputs are the values, and the weights and the bias where ``weighted`` and ``biased`` say so:
    one number for each ``inner`` neighbours, for ``groups`` runs, which repeat.
    """

    columns: int
    groups: int
    inner: int
    epsilon: float
    weighted: bool
    biased: bool


@dataclass(eq=False)
class BatchNorm(Op):
    """(x - mean) * scale * weights + bias of float32; the last four have one number a channel."""


@dataclass(eq=False)
class FloatAvgPool2d(Window):
    """Mean of float32 over the window: its sum over a divisor.

    The divisor is ``divisor``, or where that is None the number of the window's positions in the
    image, or with ``count_padding`` in the padded image.
    """

    count_padding: bool = False
    divisor: int | None = None


@dataclass(eq=False)
class WindowMax(Window):
    """Largest number of any type in the window, or its place in the plane (int64)."""

    dilation: Pair
    places: bool


@dataclass(eq=False)
class Resize(Op):
    """An NCHW image in another size: the nearest pixel, or float32 between four of them.

    ``scale`` is input pixels for one output pixel; without ``align_corners`` it is measured from
    the pixels' edges. See runtime/kernels/resize.
    """

    scale: tuple[float, float]
    bilinear: bool
    align_corners: bool


@dataclass(eq=False)
class ResizeAntialias(Op):
    """A float32 NCHW image in another size, each pixel a weighted sum of a rectangle.

    ``scale`` is input pixels for one output pixel, as a float32 holds it. See
    runtime/kernels/resize.
    """

    scale: tuple[float, float]


@dataclass(eq=False)
class GridSample(Op):
    """Pixels of a float32 NCHW image at the places that a grid [N, H, W, 2] gives, x before y.

    ``mode`` is bilinear, nearest or bicubic; ``padding`` zeros, border or reflection. See
    runtime/kernels/grid_sample.
    """

    mode: str
    padding: str
    align_corners: bool


@dataclass(eq=False)
class ChooseQuantization(Op):
    """Scales (float32) with which rows are quantised, or zero points (int64).

    There is one row for each element of the output. See runtime/kernels/choose_qparams.
    """

    low: int
    high: int
    zero_points: bool


@dataclass(eq=False)
class Distance(Op):
    """Norms of the differences between rows of float32: each with each, or every two of one input.

    See runtime/kernels/distance/distance_f32.h.
    """

    exponent: float
    pairs: bool


@dataclass(frozen=True)
class Operand:
    """An argument that is a tensor: the operator's input at this position."""

    position: int


#: What an operator of the application may be given.
Argument = Operand | bool | int | float | tuple[int, ...] | None


@dataclass(eq=False)
class Application(Op):
    """An operator that the application brings: its shapes and types are the file's word.

    ``arguments`` are in the order of the operator's schema, without its outputs.
    """

    operator: str
    arguments: tuple[Argument, ...]
