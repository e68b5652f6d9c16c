# SPDX-License-Identifier: Apache-2.0
"""What planning has to respect, as numbers: sizes, and how far apart two buffers must start.

Everything is counted in units of ``ALIGNMENT`` bytes. All buffers start at whole units, so a buffer
that ends within a unit keeps the rest of it from everybody whom it may not overlap, and rounding
sizes and distances up loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from petite.placement.lifetimes import Lifetime, Overlap, meetings

Array = np.ndarray[Any, np.dtype[Any]]

#: Every buffer starts at a multiple of this: what Helium loads and DMA like best.
ALIGNMENT = 16


def units(size: int) -> int:
    """Whole units that so many bytes touch."""
    return -(-size // ALIGNMENT)


def most_shared(size: int, inputs: list[tuple[int, int]]) -> int:
    """Most that an output can share with the inputs that it consumes: (size, distance) each.

    They lie apart from each other and at least their distance above the output's start, so it
    shares at most what is left of it with them all, and with each. A distance below zero leaves
    all of it.
    """
    if not inputs:
        return 0
    left = [(own, size - max(0, distance)) for own, distance in inputs]
    return min(sum(min(own, rest) for own, rest in left), max(rest for _, rest in left))


class Problem:
    """Which buffers meet, and what each pair must keep to.

    Buffers are known by their positions in ``lives``.
    """

    def __init__(self, lives: list[Lifetime], pairs: list[Overlap]) -> None:
        self.lives = lives
        self.sizes = [units(max(life.buffer.size, 1)) for life in lives]
        position = {id(life.buffer): i for i, life in enumerate(lives)}
        #: Of an output: the inputs that it may overlap, and by how much it must start before each;
        #: below zero, by how much it may start above.
        self.overlapped: dict[int, list[tuple[int, int]]] = {}
        distances: dict[tuple[int, int], int] = {}
        for pair in pairs:
            source, output = position[id(pair.input)], position[id(pair.output)]
            distance = min(units(pair.distance), self.sizes[output])
            self.overlapped.setdefault(output, []).append((source, distance))
            distances[output, source] = distance
        needed = [
            (i, j, distances.get((i, j), self.sizes[i]), distances.get((j, i), self.sizes[j]))
            for i, j in meetings(lives)
        ]
        #: Each two buffers that are in use at the same time (i, j), by how much i must start
        #: before j if it does, and by how much j before i; but for those that may lie anywhere.
        self.pairs = [pair for pair in needed if pair[2] + pair[3] > 0]
        #: The same by buffer: (other, before the other, after the other). Of hundreds of buffers
        #: (an unrolled LSTM) few are in use at the same time.
        self.neighbours: list[list[tuple[int, int, int]]] = [[] for _ in lives]
        for i, j, before, after in self.pairs:
            self.neighbours[i].append((j, before, after))
            self.neighbours[j].append((i, after, before))

    def height(self, offsets: Sequence[int]) -> int:
        """Size of the arena that has the buffers at these offsets."""
        return max(map(sum, zip(offsets, self.sizes, strict=True)), default=0)

    def bound(self) -> int:
        """No plan is smaller: the most that one call needs at once."""
        return int(self.loads().max(initial=0))

    def loads(self) -> Array:
        """What each call needs at least, in the order of ``needs()``.

        Everything that is in use has bytes of its own, but for outputs and the inputs that they
        follow. A buffer has at least those bytes of its own that it shares with none of the others;
        summed up over inputs, and over outputs, and the larger sum counts.
        """
        loads = self.needs()
        for position, outputs in self._following().items():
            by_output = sum(self._most_shared(o, inputs) for o, inputs in outputs.items())
            by_input: dict[int, int] = {}
            for output, inputs in outputs.items():
                for source, distance in inputs:
                    shared = min(self.sizes[source], self.sizes[output] - max(0, distance))
                    by_input[source] = by_input.get(source, 0) + shared
            capped = sum(min(self.sizes[i], shared) for i, shared in by_input.items())
            loads[position] -= min(by_output, capped)
        return loads

    def _following(self) -> dict[int, dict[int, list[tuple[int, int]]]]:
        """By position in ``needs()``: outputs in use, with the inputs in use that they follow."""
        found: dict[int, dict[int, list[tuple[int, int]]]] = {}
        for output, inputs in self.overlapped.items():
            for source, distance in inputs:
                end = min(self.lives[source].last, self.lives[output].last)
                for number in range(self.lives[output].first, end + 1):
                    outputs = found.setdefault(number + 1, {})
                    outputs.setdefault(output, []).append((source, distance))
        return found

    def _most_shared(self, output: int, inputs: list[tuple[int, int]]) -> int:
        sized = [(self.sizes[i], distance) for i, distance in inputs]
        if any(a in dict(self.overlapped.get(b, [])) for a, _ in inputs for b, _ in inputs):
            # One of the inputs follows another, so that both may lie in the same place.
            each = sum(min(own, self.sizes[output] - max(0, d)) for own, d in sized)
            return min(each, self.sizes[output])
        return most_shared(self.sizes[output], sized)

    def needs(self) -> Array:
        """Sizes of all that is in use: before the first call, at each call, and after the last."""
        changes = np.zeros(max((life.last for life in self.lives), default=-1) + 3, dtype=np.int64)
        for life, size in zip(self.lives, self.sizes, strict=True):
            changes[life.first + 1] += size
            changes[life.last + 2] -= size
        return np.cumsum(changes)[:-1]
