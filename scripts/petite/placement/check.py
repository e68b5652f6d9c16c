# SPDX-License-Identifier: Apache-2.0
"""Verifies a plan without trusting the planner.

The arena is played through call by call: each byte remembers which buffer wrote it last. A call
must find every byte that it reads as its writer left it. Where a call's output overlaps its input,
the kernel's own parameters (not the planner's distances) say in which step each input element is
read for the last time, and no byte may be overwritten before that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petite.ir.schedule import Buffer, KernelCall, Ref, Role, Schedule
from petite.placement.planner import Plan
from petite.placement.problem import ALIGNMENT

Array = np.ndarray[Any, np.dtype[Any]]

_NOBODY = -1

#: Kernels whose contract allows overlap, by how they walk. All others must not overlap.
_WINDOWS = ("conv2d_s8", "depthwise_conv2d_s8", "avg_pool_s8", "max_pool_s8")
#: Functions that compute several output pixels in a step.
_PIXELS_AT_ONCE = {"petite_conv2d_s8_dsp": 2, "petite_conv2d_s8_mve": 2}
#: The function that reads the windows of all these pixels first, where it has one group.
_WINDOWS_FIRST = "petite_conv2d_s8_dsp"
#: Kernels whose output pixels are computed in pairs, each from the input pixel at its place.
_PAIRS = ("pointwise_conv2d_s8",)
#: The function that computes `rows` rows of `tile_w` pixels in a step.
_TILES = "petite_depthwise_conv2d_s8_mve"
#: The operand that is read row by row; others are read again for every row.
_ROWS = {
    "linear_s8": "input",
    "linear_f32": "input",
    "softmax_s8": "input",
    "softmax_f32": "input",
    "log_softmax_f32": "input",
    "normalize_f32": "input",
    **{f"matmul_{suffix}": "input" for suffix in ("s8", "u8", "s16", "s32", "s64", "f32")},
    "batch_matmul_s8": "lhs",
}
#: The function that reads a row before it writes it.
_ROWS_FIRST = "petite_linear_s8_dsp"
#: The kernel that works as if it read all of its input before it writes anything.
_MOVE = "move"
_ELEMENTWISE = (
    *("lut_s8", "add_s8", "weighted_sum_s8", "mul_s8", "div_s8", "div_s16", "clamp_f32"),
    *("quantize_f32_s8", "quantize_f32_s16", "dequantize_s8_f32", "dequantize_s16_f32"),
    *("where", "batch_norm_f32"),
)
#: Families that are elementwise as a whole, by what their kernels' names start with.
_ELEMENTWISE_FAMILIES = ("unary_", "binary_")


def check(schedule: Schedule, plan: Plan, *, keep_inputs: bool = False) -> None:
    """Raise AssertionError where the plan would lose a byte."""
    arena = _Arena(plan)
    for port in schedule.inputs:
        arena.write(port.ref.buffer)
    for call in schedule.calls:
        if call.scratch is not None:
            arena.write(call.scratch)
        for read in call.reads:
            arena.require(read.buffer, call.name)
        for read in call.reads:
            if any(arena.share(read.buffer, buffer) for buffer in call.writes):
                _check_overlap(call, read.buffer, plan)
        for buffer in call.writes:
            arena.write(buffer)
        for buffer in call.writes:
            arena.require(buffer, call.name)
        if call.scratch is not None:
            arena.require(call.scratch, call.name)
    for port in schedule.outputs:
        arena.require(port.ref.buffer, "the application")
    if keep_inputs:
        for port in schedule.inputs:
            arena.require(port.ref.buffer, "the application")


class _Arena:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.owner = np.full(plan.size, _NOBODY, dtype=np.int64)
        self.numbers = {buffer: n for n, buffer in enumerate(plan.offsets)}

    def _span(self, buffer: Buffer) -> slice:
        start = self.plan.offsets[buffer]
        assert start % ALIGNMENT == 0, f"{buffer.name} is not aligned"
        assert start >= 0 and start + buffer.size <= self.plan.size, f"{buffer.name} sticks out"
        return slice(start, start + buffer.size)

    def _planned(self, buffer: Buffer) -> bool:
        return buffer.role in (Role.INPUT, Role.ACTIVATION)

    def write(self, buffer: Buffer) -> None:
        if self._planned(buffer):
            self.owner[self._span(buffer)] = self.numbers[buffer]

    def require(self, buffer: Buffer, reader: str) -> None:
        if self._planned(buffer):
            intact = self.owner[self._span(buffer)] == self.numbers[buffer]
            assert intact.all(), f"{reader} finds {buffer.name} overwritten"

    def share(self, first: Buffer, second: Buffer) -> bool:
        if first is second or not (self._planned(first) and self._planned(second)):
            return False
        a, b = self._span(first), self._span(second)
        return bool(a.start < b.stop and b.start < a.stop)


def _check_overlap(call: KernelCall, source: Buffer, plan: Plan) -> None:
    is_idle = call.kernel == _MOVE and plan.offsets[source] == plan.offsets[call.write]
    assert not is_idle, f"{call.name} moves nothing"
    last_read, first_write, reads_first = _schedule_of_bytes(call, source)
    start = max(plan.offsets[source], plan.offsets[call.write])
    end = min(plan.offsets[source] + len(last_read), plan.offsets[call.write] + len(first_write))
    read = last_read[start - plan.offsets[source] : end - plan.offsets[source]]
    written = first_write[start - plan.offsets[call.write] : end - plan.offsets[call.write]]
    safe = read <= written if reads_first else read < written
    assert safe.all(), f"{call.name} overwrites {source.name} before it has read it"


def _schedule_of_bytes(call: KernelCall, source: Buffer) -> tuple[Array, Array, bool]:
    """Step of the last read of each input byte, of the write of each output byte, and whether a
    step reads before it writes. AssertionError for what no kernel's contract lets overlap."""
    addresses = {
        name: value
        for name, value in call.fields.items()
        if isinstance(value, Ref) and value.buffer is source
    }
    operands = set(addresses)
    whole = all(address.offset == 0 for address in addresses.values())
    if call.variant == "cmsis_nn" and not _is_elementwise(call):
        raise AssertionError(f"{call.name}: CMSIS-NN promises nothing about {source.name}")
    if whole and call.kernel == _MOVE and _is_whole_move(call, source):
        return np.zeros(source.size), np.zeros(source.size), True
    if whole and call.kernel in _WINDOWS and operands == {"input"}:
        return _window_bytes(call)
    if whole and call.kernel in _PAIRS and operands == {"input"}:
        pair = np.arange(_int(call, "pixels")) // 2
        return (
            np.repeat(pair, _int(call, "input_c")),
            np.repeat(pair, _int(call, "output_c")),
            False,
        )
    if whole and operands == {_ROWS.get(call.kernel)}:
        return _row_bytes(call, source)
    if whole and _is_elementwise(call) and all(_is_dense(call, n) for n in operands):
        element = np.arange(_elements(call))
        return (
            np.repeat(element, source.size // len(element)),
            np.repeat(element, call.write.size // len(element)),
            True,
        )
    raise AssertionError(f"{call.name} must not overlap {source.name}")


def _is_whole_move(call: KernelCall, source: Buffer) -> bool:
    size = _int(call, "size")
    return call.fields["output"] == Ref(call.write) and size == source.size == call.write.size


def _is_elementwise(call: KernelCall) -> bool:
    return call.kernel in _ELEMENTWISE or call.kernel.startswith(_ELEMENTWISE_FAMILIES)


def _is_dense(call: KernelCall, operand: str) -> bool:
    """Whether an elementwise call walks over an operand once, in the order of memory."""
    field = "stride0" if operand == "condition" else operand.replace("input", "stride")
    strides = call.fields.get(field)
    if not isinstance(strides, tuple):
        return operand != "input2" or call.fields.get("period") in (None, call.fields["count"])
    dims = call.fields["dims"]
    assert isinstance(dims, tuple)
    step = 1
    for size, stride in zip(reversed(dims), reversed(strides), strict=True):
        if size != 1 and stride != step:
            return False
        step *= size
    return True


def _elements(call: KernelCall) -> int:
    """Elements that an elementwise call walks over."""
    for name in ("count", "size"):
        if name in call.fields:
            return _int(call, name)
    if "channels" in call.fields:
        return _int(call, "outer") * _int(call, "channels") * _int(call, "inner")
    dims = call.fields["dims"]
    assert isinstance(dims, tuple)
    return int(np.prod(dims, dtype=np.int64))


def _int(call: KernelCall, name: str) -> int:
    value = call.fields[name]
    assert isinstance(value, int), f"{call.name}.{name} is no number"
    return value


def _row_bytes(call: KernelCall, source: Buffer) -> tuple[Array, Array, bool]:
    count = _int(call, "rows") * int(call.fields.get("batches") or 1)  # type: ignore[arg-type]
    row = np.arange(count)
    return (
        np.repeat(row, source.size // count),
        np.repeat(row, call.write.size // count),
        call.symbol == _ROWS_FIRST,
    )


def _window_bytes(call: KernelCall) -> tuple[Array, Array, bool]:
    """Every window position in turn marks the input pixels that it reads."""
    get = {name: value for name, value in call.fields.items() if isinstance(value, int)}
    channels = get.get("input_c", get.get("channels", 0))
    out_channels = get.get("output_c", channels)
    height, width = get["input_h"], get["input_w"]
    batches = get["batches"]
    per_image = get["output_h"] * get["output_w"]
    oy, ox = np.divmod(np.arange(per_image), get["output_w"])
    pixel = np.arange(batches * per_image)
    step = (pixel + get.get("starts_alone", 0)) // _PIXELS_AT_ONCE.get(call.symbol, 1)
    reads_first = call.symbol == _WINDOWS_FIRST and get["groups"] == 1
    if call.symbol == _TILES:
        rows, columns = -(-get["output_h"] // get["rows"]), -(-get["output_w"] // get["tile_w"])
        tile = oy // get["rows"] * columns + ox // get["tile_w"]
        step = pixel // per_image * rows * columns + np.tile(tile, batches)
        reads_first = get["run"] == channels
    last = np.full((batches, height * width), -1, dtype=np.int64)
    for ky in range(get["kernel_h"]):
        iy = oy * get["stride_h"] - get["pad_top"] + ky * get.get("dilation_h", 1)
        for kx in range(get["kernel_w"]):
            ix = ox * get["stride_w"] - get["pad_left"] + kx * get.get("dilation_w", 1)
            inside = (iy >= 0) & (iy < height) & (ix >= 0) & (ix < width)
            pixels = (iy * width + ix)[inside]
            for batch in range(batches):
                steps = step[np.flatnonzero(inside) + batch * per_image]
                np.maximum.at(last[batch], pixels, steps)
    return np.repeat(last.reshape(-1), channels), np.repeat(step, out_channels), reads_first
