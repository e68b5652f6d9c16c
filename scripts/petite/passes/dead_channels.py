# SPDX-License-Identifier: Apache-2.0
"""Channels that nobody reads are not computed.

A channel runs through operators that keep channels apart (depthwise convolutions, poolings, tables,
additions): what they read and write has the same channels, one *group*. A group begins where
channels are made (convolutions, linear layers) and ends where weights read them: a channel that
only zero weights read is dead. What reads a group in any other way needs all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Any

import numpy as np

from petite.ir.dtype import DType
from petite.ir.graph import Graph, Value
from petite.ir.ops import (
    Add,
    AvgPool2d,
    Conv2d,
    Convolution,
    DepthwiseConv2d,
    Linear,
    Lut,
    MaxPool2d,
    Op,
)
from petite.passes.channel_ranges import flattened
from petite.passes.shared_weights import with_shared_weights

Array = np.ndarray[Any, np.dtype[Any]]

#: Kernels read rows of a window in blocks of so many bytes. Fewer channels that break a whole
#: number of blocks can cost more than they save.
_BLOCK = 16


class _Group:
    """Channels that live or die together in several values."""

    def __init__(self, count: int) -> None:
        self.needed = np.zeros(count, np.bool_)
        self.multiple = 1
        self._same: _Group | None = None

    def root(self) -> _Group:
        return self if self._same is None else self._same.root()

    def join(self, other: _Group) -> None:
        mine, theirs = self.root(), other.root()
        if mine is not theirs:
            theirs._same = mine
            mine.needed |= theirs.needed


@dataclass(frozen=True)
class _Channels:
    """A dimension of a value: each channel of the group is ``repeat`` neighbours."""

    group: _Group
    axis: int
    repeat: int = 1

    @property
    def needed(self) -> Array:
        """For each index of the dimension."""
        return self.group.root().needed.repeat(self.repeat)


def dead_channels(graph: Graph) -> None:
    """Take the channels that nobody reads out of values and weights."""
    channels = _find_channels(graph)
    _require_all_where_read_whole(graph, channels)
    _spread_need(graph, channels)
    for made in channels.values():
        _round_up(made.group.root())
    for op in graph.ops:
        _shrink(op, channels)
    for value in list(graph.values()):
        made_of = channels.get(id(value))
        if made_of is not None:
            shape = list(value.shape)
            shape[made_of.axis] = int(made_of.needed.sum())
            value.shape = tuple(shape)


def _find_channels(graph: Graph) -> dict[int, _Channels]:
    """Which values have channels that may be taken out."""
    channels: dict[int, _Channels] = {}
    for op in graph.ops:
        if len(op.outputs) != 1 or op.output.dtype is not DType.S8:
            continue
        made = _channels_of(op, channels)
        if made is not None:
            channels[id(op.output)] = made
    return channels


def _channels_of(op: Op, channels: dict[int, _Channels]) -> _Channels | None:
    given = channels.get(id(op.input)) if op.inputs else None
    match op:
        case Conv2d() if _has_one_group(op):
            return _Channels(_Group(op.output.shape[1]), 1)
        case Linear():
            return _Channels(_Group(op.output.shape[-1]), len(op.output.shape) - 1)
        case DepthwiseConv2d() if given is not None and given.axis == 1:
            return _Channels(
                given.group, 1, given.repeat * (op.output.shape[1] // op.input.shape[1])
            )
        case MaxPool2d() | AvgPool2d() if given is not None and given.axis == 1:
            return given
        case Lut():
            return given
        case Add() if given is not None:
            other = channels.get(id(op.inputs[1]))
            if other is None or (other.axis, other.repeat) != (given.axis, given.repeat):
                return None
            if op.inputs[1].shape != op.input.shape:
                return None
            given.group.join(other.group)
            return given
    repeat = flattened(op) if op.inputs else None
    if given is not None and given.axis == 1 and repeat is not None:
        return _Channels(given.group, 1, given.repeat * repeat)
    return None


def _has_one_group(op: Conv2d) -> bool:
    return op.input.shape[1] == int(op.weights.shape[3])


def _require_all_where_read_whole(graph: Graph, channels: dict[int, _Channels]) -> None:
    whole: list[Value] = [*graph.outputs, *(state.after for state in graph.states)]
    for op in graph.ops:
        is_read_apart = (
            _reads_by_weights(op, channels)
            if isinstance(op, Conv2d | Linear)
            # What keeps channels apart needs what its own readers need.
            else any(id(v) in channels for v in op.outputs)
        )
        if not is_read_apart:
            whole += op.inputs
    for op in with_shared_weights(graph):
        whole += [*op.inputs, *op.outputs]
    for value in whole:
        if id(value) in channels:
            channels[id(value)].group.root().needed[:] = True


def _reads_by_weights(op: Op, channels: dict[int, _Channels]) -> bool:
    given = channels.get(id(op.input)) if op.inputs else None
    if given is None:
        return False
    match op:
        case Conv2d():
            return _has_one_group(op) and given.axis == 1
        case Linear():
            return given.axis == len(op.input.shape) - 1
    return False


def _spread_need(graph: Graph, channels: dict[int, _Channels]) -> None:
    """From what is read by weights, backwards, until nothing changes.

    Need only grows, and starts with none: so channels that only feed each other stay dead.
    """
    is_changing = True
    while is_changing:
        is_changing = False
        for op in reversed(graph.ops):
            if not _reads_by_weights(op, channels):
                continue
            assert isinstance(op, Conv2d | Linear)
            given = channels[id(op.input)]
            group = given.group.root()
            rows = op.weights[_kept_rows(op, channels)]
            used = rows.reshape(-1, rows.shape[-1]).any(axis=0)
            needed = group.needed | used.reshape(-1, given.repeat).any(axis=1)
            is_changing |= bool(np.any(needed != group.needed))
            group.needed = needed
            if isinstance(op, Conv2d) and op.kernel[0] > 1:
                group.multiple = gcd(_BLOCK, len(needed))


def _kept_rows(op: Conv2d | Linear, channels: dict[int, _Channels]) -> Array:
    made = channels.get(id(op.output))
    return np.ones(len(op.weights), np.bool_) if made is None else made.needed


def _round_up(group: _Group) -> None:
    """At least one channel stays, and a whole number of blocks where there was one."""
    count = max(1, int(group.needed.sum()))
    missing = -(-count // group.multiple) * group.multiple - int(group.needed.sum())
    group.needed[np.flatnonzero(~group.needed)[:missing]] = True


def _shrink(op: Op, channels: dict[int, _Channels]) -> None:
    if not isinstance(op, _WEIGHTED):
        return
    made = channels.get(id(op.output))
    read = channels[id(op.input)].needed if _reads_by_weights(op, channels) else None
    if read is not None and not read.all():
        op.weights = op.weights[..., read]
    if made is None or made.needed.all():
        return
    kept = made.needed
    op.weights = op.weights[..., kept] if isinstance(op, DepthwiseConv2d) else op.weights[kept]
    if op.bias is not None:
        op.bias = op.bias[kept]
    if isinstance(op, Convolution):
        op.multipliers, op.shifts = op.multipliers[kept], op.shifts[kept]


_WEIGHTED = (Conv2d, DepthwiseConv2d, Linear)
