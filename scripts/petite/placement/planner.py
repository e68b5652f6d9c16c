# SPDX-License-Identifier: Apache-2.0
"""Gives every buffer an offset in the arena, so that the arena is as small as it can be.

Buffers go one after the other to the lowest offset that no rule forbids, in a few natural orders.
Mostly one of them reaches the lower bound. Where it does not, the exact search halves the
gap between what is proven and what is found until nothing is left of it or its work is used up, and
then seeded moves of the best order so far are tried. Letting an output overlap the input that it
consumes ("diagonal memory optimisation") makes a chain of layers need little more than its largest
activation.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from petite.ir.schedule import Buffer, Schedule
from petite.placement.exact import OutOfWork, Work, fit
from petite.placement.lifetimes import lifetimes, overlaps
from petite.placement.problem import ALIGNMENT, Problem, units

#: Orders tried at random, and the most steps that they may take in all.
ROUNDS = 300
_STEPS_OF_ROUNDS = 400_000
_SEED = 1
#: Most steps of the exact search: for one size of the arena, and for all that are tried.
_STEPS_OF_A_SIZE = 150_000
_STEPS_OF_ALL_SIZES = 400_000
_STEPS_OF_QUICK_SIZE = 60_000


@dataclass(frozen=True)
class Plan:
    """Offsets in bytes, by identity of buffer, and the arena's size.

    No plan for these calls in this order is smaller than ``bound``.
    """

    offsets: dict[Buffer, int]
    size: int
    bound: int = 0


def plan(
    schedule: Schedule,
    *,
    keep_inputs: bool = False,
    overlap: bool = True,
    known: Found | None = None,
) -> Plan:
    """Plan the buffers of one method, no larger than in a plan that is ``known``. Deterministic."""
    problem = problem_of(schedule, keep_inputs=keep_inputs, overlap=overlap)
    found = solve(problem, known)
    return Plan(
        {
            life.buffer: offset * ALIGNMENT
            for life, offset in zip(problem.lives, found.offsets, strict=True)
        },
        found.size * ALIGNMENT,
        found.bound * ALIGNMENT,
    )


def problem_of(schedule: Schedule, *, keep_inputs: bool, overlap: bool = True) -> Problem:
    """What the buffers of a method have to respect."""
    lives = lifetimes(schedule, keep_inputs=keep_inputs)
    return Problem(lives, overlaps(schedule, lives) if overlap else [])


def quick_size(schedule: Schedule, *, keep_inputs: bool = False) -> int:
    """An arena that is large enough, found with less work than a plan; ``plan()`` may find less."""
    problem = problem_of(schedule, keep_inputs=keep_inputs)
    found = quick(problem)
    _close_the_gap(problem, found, _STEPS_OF_QUICK_SIZE)
    return found.size * ALIGNMENT


def aligned(size: int) -> int:
    """The next multiple of ALIGNMENT."""
    return units(size) * ALIGNMENT


class Found:
    """The best offsets so far, and a size that no plan is below; in units."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.bound = problem.bound()
        self.offsets: list[int] = []
        self.size = -1

    @property
    def is_best(self) -> bool:
        """Whether nothing smaller exists."""
        return self.size == self.bound

    def offer(self, offsets: list[int]) -> bool:
        """Take what is no larger than the best so far, and say so."""
        size = self._problem.height(offsets)
        better = self.size < 0 or size <= self.size
        if better:
            self.offsets, self.size = offsets, size
        return better


def solve(problem: Problem, known: Found | None = None) -> Found:
    """The smallest arena that can be found, and what is proven about it."""
    found = quick(problem)
    if known is not None:
        found.offer(known.offsets)
    if not found.is_best:
        _close_the_gap(problem, found)
        _shuffle(problem, found)
    return found


def quick(problem: Problem) -> Found:
    """The smallest arena of the natural orders."""
    found = Found(problem)
    for order in _natural_orders(problem):
        found.offer(_place(problem, order))
        if found.is_best:
            break
    return found


def _close_the_gap(problem: Problem, found: Found, work: int = _STEPS_OF_ALL_SIZES) -> None:
    """Prove sizes impossible from below, find plans from above, as long as there is work left.

    A size about which nothing was found in its share of the work ends the search on its side:
    proofs are easier for smaller sizes, plans for larger ones.
    """
    for upwards in (False, True):
        low, high = found.bound, found.size
        while low < high:
            size = (low + high) // 2
            share = Work(min(_STEPS_OF_A_SIZE, max(work, 0)))
            before = share.left
            try:
                offsets = fit(problem, size, share)
            except OutOfWork:
                low, high = (size + 1, high) if upwards else (low, size)
            else:
                if offsets is None:
                    low = found.bound = size + 1
                else:
                    found.offer(offsets)
                    high = found.size
            work -= before - max(share.left, 0)


def _shuffle(problem: Problem, found: Found) -> None:
    """Move one buffer to another place in the order, and keep what is no worse."""
    chance = random.Random(_SEED)
    buffers = range(len(problem.sizes))
    order = sorted(buffers, key=lambda i: found.offsets[i])
    rounds = min(ROUNDS, _STEPS_OF_ROUNDS // (2 * len(problem.pairs) + 1))
    for _ in range(rounds):
        if found.is_best:
            break
        candidate = list(order)
        a, b = chance.sample(buffers, 2)
        candidate.insert(a, candidate.pop(b))
        if found.offer(_place(problem, candidate)):
            order = candidate


def _natural_orders(problem: Problem) -> Iterator[list[int]]:
    """By size, birth or death, and by the calls that need most."""
    lives = problem.lives
    buffers = range(len(lives))
    yield sorted(buffers, key=lambda i: (-problem.sizes[i], lives[i].first))
    by_birth = sorted(buffers, key=lambda i: (lives[i].first, lives[i].last))
    yield by_birth
    # Outputs lie below their inputs: the last one goes lowest. What only one call uses must not
    # come between the two.
    yield sorted(by_birth[::-1], key=lambda i: lives[i].first == lives[i].last)
    yield sorted(buffers, key=lambda i: (-lives[i].last, lives[i].first))
    yield _busiest_first(problem)


def _busiest_first(problem: Problem) -> list[int]:
    """What the call that needs most uses, then what the next one does; long lives first in each."""
    lives = problem.lives
    needs = problem.needs()
    rank = np.empty(len(needs), dtype=np.int64)
    rank[np.argsort(-needs, kind="stable")] = np.arange(len(needs))
    # A buffer comes with the most demanding of the calls that use it.
    ranks = [int(rank[life.first + 1 : life.last + 2].min()) for life in lives]
    return sorted(
        range(len(lives)),
        key=lambda i: (ranks[i], lives[i].first - lives[i].last, -problem.sizes[i]),
    )


def _place(problem: Problem, order: list[int]) -> list[int]:
    """Lowest free offset for each buffer in turn."""
    offsets = [-1] * len(problem.sizes)
    for i in order:
        # Where it would lie too near to one that has its place.
        forbidden = sorted(
            (offsets[j] - before, offsets[j] + after)
            for j, before, after in problem.neighbours[i]
            if offsets[j] >= 0
        )
        offsets[i] = _settle(forbidden)
    return offsets


def _settle(forbidden: list[tuple[int, int]]) -> int:
    """The lowest offset that lies strictly inside no forbidden interval."""
    offset = 0
    moved = True
    while moved:
        moved = False
        for low, high in forbidden:
            if low < offset < high:
                offset = high
                moved = True
    return offset
