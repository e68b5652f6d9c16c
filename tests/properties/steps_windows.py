# SPDX-License-Identifier: Apache-2.0
"""Operators that slide a window over an image."""

from __future__ import annotations

from dataclasses import dataclass

from petite.ir import ops
from petite.ir.ops import Padding
from properties.growth import MOST_ELEMENTS, MOST_WEIGHTS, Growing


@dataclass(frozen=True)
class _Axis:
    kernel: int
    stride: int
    dilation: int
    before: int
    output: int
    #: Padding after the image: what the output's size asks for.
    after: int


def _axis(grow: Growing, size: int, *, dilated: bool, inside: bool) -> _Axis:
    """One axis of a window; with ``inside`` every window covers some of the image."""
    kernel = grow.choose(3, 1, 2, 5, 4, 7)
    stride = grow.choose(1, 1, 2, 3, 4)
    dilation = grow.choose(1, 1, 2, 3) if dilated else 1
    reach = (kernel - 1) * dilation + 1
    most = reach - 1 if inside else reach
    before, after = grow.number(0, most), grow.number(0, most)
    output = max(1, (size + before + after - reach) // stride + 1)
    if inside:
        output = min(output, (size - 1 + before) // stride + 1)
    below = (output - 1) * stride + reach - size - before
    return _Axis(kernel, stride, dilation, before, output, max(0, below))


def _fields(rows: _Axis, columns: _Axis) -> dict[str, object]:
    return {
        "kernel": (rows.kernel, columns.kernel),
        "stride": (rows.stride, columns.stride),
        "padding": Padding(rows.before, columns.before, rows.after, columns.after),
    }


def conv2d(grow: Growing) -> None:
    """Groups, asymmetric padding, dilation."""
    x = grow.image()
    batch, channels, height, width = x.shape
    rows = _axis(grow, height, dilated=True, inside=False)
    columns = _axis(grow, width, dilated=True, inside=False)
    groups = grow.choose(*(n for n in (1, 2, 3, 5) if channels % n == 0))
    depth = channels // groups
    pixels, taps = batch * rows.output * columns.output, rows.kernel * columns.kernel * depth
    most = min(MOST_ELEMENTS // pixels, MOST_WEIGHTS // taps)
    outputs = groups * max(1, min(grow.channels(), most) // groups)
    grow.emit(
        ops.Conv2d,
        [x],
        (batch, outputs, rows.output, columns.output),
        **_fields(rows, columns),
        dilation=(rows.dilation, columns.dilation),
        weights=grow.weights(outputs, rows.kernel, columns.kernel, depth),
        **grow.scales(outputs, 5000.0 * taps**0.5),
    )


def depthwise(grow: Growing) -> None:
    """Channel multipliers from 1 to 5."""
    x = grow.image()
    batch, channels, height, width = x.shape
    rows = _axis(grow, height, dilated=True, inside=False)
    columns = _axis(grow, width, dilated=True, inside=False)
    taps = rows.kernel * columns.kernel
    pixels = batch * rows.output * columns.output
    most = max(1, min(MOST_ELEMENTS // pixels, MOST_WEIGHTS // taps) // channels)
    outputs = channels * min(grow.choose(1, 1, 2, 3, 5), most)
    grow.emit(
        ops.DepthwiseConv2d,
        [x],
        (batch, outputs, rows.output, columns.output),
        **_fields(rows, columns),
        dilation=(rows.dilation, columns.dilation),
        weights=grow.weights(1, rows.kernel, columns.kernel, outputs),
        **grow.scales(outputs, 5000.0 * taps**0.5),
    )


def same_size(grow: Growing) -> None:
    """A convolution whose output has its input's shape, as chains of layers have."""
    x = grow.values[-1]
    _, channels, _, _ = x.shape
    taps = (grow.choose(3, 1, 2), grow.choose(3, 1, 2))
    padding = Padding(*(n // 2 for n in taps), *((n - 1) // 2 for n in taps))
    own = {"kernel": taps, "stride": (1, 1), "padding": padding, "dilation": (1, 1)}
    if grow.chance():
        weights, size = grow.weights(1, *taps, channels), 5000.0
        grow.emit(
            ops.DepthwiseConv2d, [x], x.shape, weights=weights, **own, **grow.scales(channels, size)
        )
    else:
        weights, size = grow.weights(channels, *taps, channels), 5000.0 * channels**0.5
        grow.emit(ops.Conv2d, [x], x.shape, weights=weights, **own, **grow.scales(channels, size))


def transpose_conv2d(grow: Growing) -> None:
    """Padding takes away from the output, output padding adds to its end."""
    x = grow.image()
    batch, channels, *sizes = x.shape
    kernel, stride, dilation, cut, output = [], [], [], [], []
    for size in sizes:
        kernel.append(grow.choose(3, 1, 2, 4))
        stride.append(grow.choose(1, 2, 3))
        dilation.append(grow.choose(1, 1, 2))
        reach = (kernel[-1] - 1) * dilation[-1]
        full = (size - 1) * stride[-1] + reach + 1
        cut.append(grow.number(0, min(reach, (full - 1) // 2)))
        extra = grow.number(0, max(stride[-1], dilation[-1]) - 1)
        output.append(full - 2 * cut[-1] + extra)
    taps = kernel[0] * kernel[1] * channels
    most = min(MOST_ELEMENTS // (batch * output[0] * output[1]), MOST_WEIGHTS // taps)
    outputs = max(1, min(grow.channels(), most))
    grow.emit(
        ops.TransposeConv2d,
        [x],
        (batch, outputs, *output),
        kernel=(kernel[0], kernel[1]),
        stride=(stride[0], stride[1]),
        padding=Padding(cut[0], cut[1], cut[0], cut[1]),
        dilation=(dilation[0], dilation[1]),
        weights=grow.weights(outputs, *kernel, channels),
        **grow.scales(outputs, 5000.0 * taps**0.5),
    )


def avg_pool(grow: Growing) -> None:
    """The padding counts, or does not; windows end beyond the image as with ceil_mode."""
    x = grow.image()
    rows = _axis(grow, x.shape[2], dilated=False, inside=True)
    columns = _axis(grow, x.shape[3], dilated=False, inside=True)
    grow.emit(
        ops.AvgPool2d,
        [x],
        (*x.shape[:2], rows.output, columns.output),
        **_fields(rows, columns),
        count_padding=grow.chance(),
        padding_value=grow.number(-128, 127),
    )


def max_pool(grow: Growing) -> None:
    """The padding never wins."""
    x = grow.image()
    rows = _axis(grow, x.shape[2], dilated=True, inside=True)
    columns = _axis(grow, x.shape[3], dilated=True, inside=True)
    grow.emit(
        ops.MaxPool2d,
        [x],
        (*x.shape[:2], rows.output, columns.output),
        **_fields(rows, columns),
        clamp=grow.clamp(),
        dilation=(rows.dilation, columns.dilation),
    )


def padded_window(grow: Growing) -> None:
    """A pad that the window's operator may take in."""
    x = grow.image()
    before = (0, 0, grow.number(0, 2), grow.number(0, 2))
    after = (0, 0, grow.number(0, 2), grow.number(0, 2))
    shape = tuple(n + b + a for n, b, a in zip(x.shape, before, after, strict=True))
    # The value that convolutions and pools below are likely to pad with.
    value = grow.choose(0, -128, 5)
    grow.emit(ops.Pad, [x], shape, before=before, after=after, value=value)
    padded = grow.values.pop()
    reader = grow.choose(conv2d, depthwise, avg_pool, max_pool)
    kept, grow.values = grow.values, [padded]
    reader(grow)
    op = grow.make.graph.ops[-1]
    if isinstance(op, ops.Convolution):
        op.input_offset = grow.choose(-value, op.input_offset)
    elif isinstance(op, ops.AvgPool2d):
        op.padding_value = grow.choose(value, op.padding_value)
    grow.values = [*kept, padded, grow.values[-1]]
