# SPDX-License-Identifier: Apache-2.0
"""Gives every buffer an offset in the arena, so that the arena is small.

Buffers go one after the other to the lowest offset that no rule forbids. What remains to choose is
their order; several are tried, the natural ones and seeded shuffles of the best so far. Letting an
output overlap the input that it consumes ("diagonal memory optimisation") makes a chain of layers
need little more than its largest activation.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from petite.ir.schedule import Buffer, Schedule
from petite.placement.lifetimes import Lifetime, Overlap, lifetimes, meetings, overlaps

#: Every buffer starts at a multiple of this: what Helium loads and DMA like best.
ALIGNMENT = 16
#: Shuffles tried; more found nothing smaller on the networks measured.
ROUNDS = 300
_SEED = 1


@dataclass(frozen=True)
class Plan:
    """Offsets in bytes, by identity of buffer, and the arena's size."""

    offsets: dict[Buffer, int]
    size: int


def plan(schedule: Schedule, *, keep_inputs: bool = False, overlap: bool = True) -> Plan:
    """Plan the buffers of one method. Deterministic."""
    lives = lifetimes(schedule, keep_inputs=keep_inputs)
    pairs = overlaps(schedule, lives) if overlap else []
    problem = _Problem(lives, pairs)
    best = min((problem.place(order) for order in problem.natural_orders()), key=_size)
    chance = random.Random(_SEED)
    order = sorted(range(len(lives)), key=lambda i: best.offsets[lives[i].buffer])
    for _ in range(ROUNDS if len(lives) > 2 else 0):
        candidate = list(order)
        a, b = chance.sample(range(len(lives)), 2)
        candidate.insert(a, candidate.pop(b))
        result = problem.place(candidate)
        if result.size <= best.size:
            best, order = result, candidate
    return best


def _size(result: Plan) -> int:
    return result.size


def aligned(size: int) -> int:
    """The next multiple of ALIGNMENT."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class _Problem:
    def __init__(self, lives: list[Lifetime], pairs: list[Overlap]) -> None:
        self.lives = lives
        self.sizes = [max(life.buffer.size, 1) for life in lives]
        self._distance = {(id(p.input), id(p.output)): p.distance for p in pairs}
        #: Of each buffer: every other that is in use at the same time, the bytes by which the
        #: buffer must start before it, and those by which it must start before the buffer. Of
        #: hundreds of buffers (an unrolled LSTM) few are in use at the same time.
        self.neighbours: list[list[tuple[int, int, int]]] = [[] for _ in lives]
        for i, j in meetings(lives):
            first, second = self._gap(i, j), self._gap(j, i)
            self.neighbours[i].append((j, first, second))
            self.neighbours[j].append((i, second, first))

    def _gap(self, i: int, j: int) -> int:
        """Bytes by which i must start before j, if it does."""
        key = (id(self.lives[j].buffer), id(self.lives[i].buffer))
        # No contract lets an output start above its input.
        return min(max(0, self._distance.get(key, self.sizes[i])), self.sizes[i])

    def natural_orders(self) -> list[list[int]]:
        """By size, by birth and by death, either way round."""
        indexes = range(len(self.lives))
        by_size = sorted(indexes, key=lambda i: (-self.sizes[i], self.lives[i].first))
        by_birth = sorted(indexes, key=lambda i: (self.lives[i].first, self.lives[i].last))
        # Outputs lie below their inputs: the last one goes lowest. What only one call uses must
        # not come between the two.
        latest = sorted(by_birth[::-1], key=lambda i: self.lives[i].first == self.lives[i].last)
        return [by_size, by_birth, by_birth[::-1], latest, list(indexes)]

    def place(self, order: list[int]) -> Plan:
        """Lowest free offset for each buffer in turn."""
        offsets: list[int | None] = [None] * len(self.lives)
        by_buffer: dict[Buffer, int] = {}
        size = 0
        for i in order:
            offset = self._lowest(i, offsets)
            offsets[i] = by_buffer[self.lives[i].buffer] = offset
            size = max(size, offset + self.sizes[i])
        return Plan(by_buffer, aligned(size))

    def _lowest(self, i: int, offsets: list[int | None]) -> int:
        """Skip the forbidden interval of each buffer already placed, lowest first."""
        forbidden = []
        for j, below, above in self.neighbours[i]:
            offset = offsets[j]
            if offset is not None:
                forbidden.append((offset - below, offset + above))
        return self._settle(0, sorted(forbidden))

    @staticmethod
    def _settle(candidate: int, forbidden: list[tuple[int, int]]) -> int:
        """Raise the candidate until it lies strictly inside no forbidden interval."""
        moved = True
        while moved:
            moved = False
            for low, high in forbidden:
                if low < candidate < high:
                    candidate = aligned(high)
                    moved = True
        return candidate
