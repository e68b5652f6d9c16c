# SPDX-License-Identifier: Apache-2.0
"""Random networks whose weights have rows and columns of zeros, as pruned models have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from graph_maker import GraphMaker
from petite.ir import ops
from petite.ir.graph import Graph, Value
from petite.ir.ops import Clamp, Padding

Array = np.ndarray[Any, np.dtype[Any]]

_PADDINGS = (Padding(), Padding(1, 1, 1, 1), Padding(1, 0, 1, 2))


class PrunedMaker:
    """Appends layers to a chain; some read an earlier value as well."""

    def __init__(self, seed: int, channels: tuple[int, ...] = (4, 7, 16)) -> None:
        self.rng = np.random.default_rng(seed)
        self.make = GraphMaker(seed=seed)
        self.channels = channels
        self.value = self.make.input((1, 3, 9, 9))
        self.made: list[Value] = []

    def network(self) -> Graph:
        """Up to nine layers, and perhaps a classifier at the end."""
        self.conv2d()
        steps = (self.conv2d, self.conv2d, self.depthwise, self.lut, self.pool, self.add)
        for _ in range(self.rng.integers(2, 9)):
            self.made.append(self.value)
            steps[self.rng.integers(len(steps))]()
        if self.rng.random() < 0.7:
            x = self.value
            self.value = self.make.view(x, (x.shape[0], x.count // x.shape[0]))
            for _ in range(2):
                self._prune(self.make.linear(self.value, self._count()))
        self.make.output(self.value)
        if self.rng.random() < 0.3 and self.made:
            self.make.output(self.made[self.rng.integers(len(self.made))])
        return self.make.graph

    def conv2d(self) -> None:
        """Of all channels; the window fits."""
        size = self._size()
        self._prune(
            self.make.conv2d(
                self.value, self._count(), size, padding=self._padding(), bias=self._chance()
            )
        )

    def depthwise(self) -> None:
        """With one or two outputs a channel."""
        multiplier = int(self.rng.integers(1, 3))
        size = self._size()
        made = self.make.depthwise(self.value, size, padding=self._padding(), multiplier=multiplier)
        self._prune(made)

    def lut(self) -> None:
        """A table."""
        self.value = self.make.lut(self.value)

    def pool(self) -> None:
        """Mean or maximum."""
        pool = self.make.avg_pool if self._chance() else self.make.max_pool
        self.value = pool(self.value, (1, 2), (1, 1)) if self.value.shape[3] > 1 else self.value

    def add(self) -> None:
        """An earlier value of the same shape, or itself."""
        same = [v for v in self.made if v.shape == self.value.shape]
        self.value = self.make.add(self.value, same[self.rng.integers(len(same))])

    def _chance(self) -> bool:
        return bool(self.rng.random() < 0.5)

    def _count(self) -> int:
        return int(self.rng.choice(self.channels))

    def _size(self) -> ops.Pair:
        most = min(self.value.shape[2:])
        size = int(self.rng.integers(1, min(3, most) + 1))
        return (size, size)

    def _padding(self) -> Padding:
        return _PADDINGS[self.rng.integers(len(_PADDINGS))]

    def _prune(self, made: Value) -> None:
        """Zero some rows and columns; let some constants be what the next layer pads with."""
        op = self.make.graph.ops[-1]
        assert isinstance(op, ops.Convolution | ops.Linear)
        last = self.rng.random(op.weights.shape[-1]) < self.rng.choice((0.1, 0.5))
        op.weights[..., last] = 0
        if not isinstance(op, ops.DepthwiseConv2d):
            op.weights[self.rng.random(len(op.weights)) < 0.3] = 0
        if isinstance(op, ops.Convolution) and self._chance():
            op.output_offset = -op.input_offset
            op.bias = None
        if self._chance():
            op.clamp = Clamp(op.output_offset, 127)
        if self._chance() and op.bias is not None:
            # Sums that end far beyond what int8 holds: the clamp makes one number of them.
            far = self.rng.random(len(op.bias)) < 0.3
            op.bias = np.where(far, np.int32(-(2**24)), op.bias)
        self.value = made


def pruned_network(seed: int) -> Graph:
    """The same network for the same seed."""
    return PrunedMaker(seed).network()
