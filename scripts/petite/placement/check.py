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
from petite.placement.spans import (
    PAIRS,
    WINDOWS,
    Span,
    elements,
    is_dense,
    is_elementwise,
    number,
    operands_in,
    span_read,
    span_written,
    whole,
)

Array = np.ndarray[Any, np.dtype[Any]]

_NOBODY = -1

#: Functions that compute several output pixels in a step.
_PIXELS_AT_ONCE = {"petite_conv2d_s8_dsp": 2, "petite_conv2d_s8_mve": 2}
#: The function that reads the windows of all these pixels first, where it has one group.
_WINDOWS_FIRST = "petite_conv2d_s8_dsp"
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


def check(schedule: Schedule, plan: Plan, *, keep_inputs: bool = False) -> None:
    """Raise AssertionError where the plan would lose a byte."""
    arena = _Arena(plan)
    for port in schedule.inputs:
        arena.write(whole(port.ref.buffer))
    for call in schedule.calls:
        if call.scratch is not None:
            arena.write(whole(call.scratch))
        reads = [span_read(call, source) for source in _sources(call)]
        writes = [span_written(call, buffer) for buffer in call.writes]
        for read in reads:
            arena.require(read, call.name)
        for read in reads:
            if any(arena.share(read, written) for written in writes):
                _check_overlap(call, read.buffer, plan)
        for written in writes:
            arena.write(written)
        for written in writes:
            arena.require(written, call.name)
        if call.scratch is not None:
            arena.require(whole(call.scratch), call.name)
    for port in schedule.outputs:
        arena.require(whole(port.ref.buffer), "the application")
    if keep_inputs:
        for port in schedule.inputs:
            arena.require(whole(port.ref.buffer), "the application")


def _sources(call: KernelCall) -> list[Buffer]:
    """What it reads, each once."""
    return list({id(read.buffer): read.buffer for read in call.reads}.values())


class _Arena:
    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.owner = np.full(plan.size, _NOBODY, dtype=np.int64)
        self.numbers = {buffer: n for n, buffer in enumerate(plan.offsets)}

    def _addresses(self, span: Span) -> slice:
        start = self.plan.offsets[span.buffer]
        end = start + span.buffer.size
        assert start % ALIGNMENT == 0, f"{span.buffer.name} is not aligned"
        assert start >= 0 and end <= self.plan.size, f"{span.buffer.name} sticks out"
        assert 0 <= span.start <= span.stop <= span.buffer.size, f"not in {span.buffer.name}"
        return slice(start + span.start, start + span.stop)

    def _planned(self, span: Span) -> bool:
        return span.buffer.role in (Role.INPUT, Role.ACTIVATION)

    def write(self, span: Span) -> None:
        if self._planned(span):
            self.owner[self._addresses(span)] = self.numbers[span.buffer]

    def require(self, span: Span, reader: str) -> None:
        if self._planned(span):
            intact = self.owner[self._addresses(span)] == self.numbers[span.buffer]
            assert intact.all(), f"{reader} finds {span.buffer.name} overwritten"

    def share(self, first: Span, second: Span) -> bool:
        if first.buffer is second.buffer or not (self._planned(first) and self._planned(second)):
            return False
        a, b = self._addresses(first), self._addresses(second)
        return bool(a.start < b.stop and b.start < a.stop)


def _check_overlap(call: KernelCall, source: Buffer, plan: Plan) -> None:
    is_idle = call.kernel == _MOVE and plan.offsets[source] == plan.offsets[call.write]
    assert not is_idle, f"{call.name} moves nothing"
    last_read, first_write, reads_first = _schedule_of_bytes(call, source)
    read_at = plan.offsets[source] + span_read(call, source).start
    write_at = plan.offsets[call.write] + span_written(call, call.write).start
    start = max(read_at, write_at)
    end = min(read_at + len(last_read), write_at + len(first_write))
    read = last_read[start - read_at : end - read_at]
    written = first_write[start - write_at : end - write_at]
    safe = read <= written if reads_first else read < written
    assert safe.all(), f"{call.name} overwrites {source.name} before it has read it"


def _schedule_of_bytes(call: KernelCall, source: Buffer) -> tuple[Array, Array, bool]:
    """Step of the last read of each input byte that it reads, of the write of each output byte that
    it writes, and whether a step reads before it writes. AssertionError for what no kernel's
    contract lets overlap."""
    operands = operands_in(call, source)
    # All at one place: an addition of a value to itself.
    alike = len(set(operands.values())) == 1
    if call.variant == "cmsis_nn" and not is_elementwise(call):
        raise AssertionError(f"{call.name}: CMSIS-NN promises nothing about {source.name}")
    if call.kernel == _MOVE and _is_whole_move(call, source):
        return np.zeros(source.size), np.zeros(source.size), True
    if alike and call.kernel in WINDOWS and set(operands) == {"input"}:
        return _window_bytes(call)
    if alike and call.kernel in PAIRS and set(operands) == {"input"}:
        pair = np.arange(number(call, "pixels")) // 2
        return (
            np.repeat(pair, number(call, "input_c")),
            np.repeat(pair, number(call, "output_c")),
            False,
        )
    whole_input = all(offset == 0 for offset in operands.values())
    if whole_input and set(operands) == {_ROWS.get(call.kernel)}:
        return _row_bytes(call, source)
    if alike and is_elementwise(call) and all(is_dense(call, n) for n in operands):
        element = np.arange(elements(call))
        return (
            np.repeat(element, span_read(call, source).size // len(element)),
            np.repeat(element, span_written(call, call.write).size // len(element)),
            True,
        )
    raise AssertionError(f"{call.name} must not overlap {source.name}")


def _is_whole_move(call: KernelCall, source: Buffer) -> bool:
    is_whole = call.fields["input"] == Ref(source) and call.fields["output"] == Ref(call.write)
    return is_whole and number(call, "size") == source.size == call.write.size


def _row_bytes(call: KernelCall, source: Buffer) -> tuple[Array, Array, bool]:
    count = number(call, "rows") * int(call.fields.get("batches") or 1)  # type: ignore[arg-type]
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
