# SPDX-License-Identifier: Apache-2.0
"""Whether any plan fits an arena of a given size: a search that can prove that none does.

Of each two buffers that are in use at the same time, one must start before the other, by a known
distance. Each buffer has a lowest and a highest start; whoever must come first lowers and raises
those of the other. A pair of which only one order is left is decided by that. Where nothing more
follows, the tightest pair is tried in both orders.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from petite.placement.problem import Problem


class OutOfWork(Exception):
    """The search was given up, so nothing is known."""


@dataclass
class Work:
    """Steps that a search may still take: counted, not timed, to end the same everywhere."""

    left: int

    def take(self, steps: int) -> None:
        """OutOfWork when there are not so many left."""
        self.left -= steps
        if self.left < 0:
            raise OutOfWork


@dataclass
class _Node:
    """What is decided so far, and what follows."""

    lowest: list[int]
    highest: list[int]
    #: Pairs of buffers with both orders open.
    open: list[int]
    #: Of each buffer: those that start after it, or before it, and by how much at least.
    after: list[list[tuple[int, int]]] = field(repr=False)
    before: list[list[tuple[int, int]]] = field(repr=False)


def fit(problem: Problem, size: int, work: Work) -> list[int] | None:
    """Offsets in an arena of ``size`` units; None where there are none. May raise OutOfWork."""
    count = len(problem.sizes)
    if any(own > size for own in problem.sizes):
        return None
    search = _Search(problem, work)
    nodes = [
        _Node(
            [0] * count,
            [size - own for own in problem.sizes],
            list(range(len(problem.pairs))),
            [[] for _ in range(count)],
            [[] for _ in range(count)],
        )
    ]
    while nodes:
        node = nodes.pop()
        if not search.settle(node):
            continue
        if not node.open:
            return node.lowest
        nodes += search.branches(node)
    return None


class _Search:
    def __init__(self, problem: Problem, work: Work) -> None:
        self._pairs = problem.pairs
        self._work = work

    def settle(self, node: _Node) -> bool:
        """Decide the pairs that leave no choice, until nothing changes; False if one has none."""
        decided = True
        while decided:
            decided = False
            self._work.take(len(node.open) + 1)
            still = []
            for number in node.open:
                i, j, before, after = self._pairs[number]
                first = node.lowest[i] + before <= node.highest[j]
                second = node.lowest[j] + after <= node.highest[i]
                if first and second:
                    if not self._is_apart(node, number):
                        still.append(number)
                    continue
                if not (first or second):
                    return False
                decided = True
                low, high, distance = (i, j, before) if first else (j, i, after)
                if not self._order(node, low, high, distance):
                    return False
            node.open = still
        return True

    def _is_apart(self, node: _Node, number: int) -> bool:
        """Whether the pair keeps its distance wherever both may still start."""
        i, j, before, after = self._pairs[number]
        return (
            node.highest[i] + before <= node.lowest[j] or node.highest[j] + after <= node.lowest[i]
        )

    def _order(self, node: _Node, first: int, second: int, distance: int) -> bool:
        """Let one buffer start before another, and whatever follows; False if that cannot be."""
        node.after[first] = [*node.after[first], (second, distance)]
        node.before[second] = [*node.before[second], (first, distance)]
        raised, lowered = [first], [second]
        lowest, highest = node.lowest, node.highest
        while raised:
            i = raised.pop()
            self._work.take(len(node.after[i]))
            for j, gap in node.after[i]:
                if lowest[j] < lowest[i] + gap:
                    lowest[j] = lowest[i] + gap
                    if lowest[j] > highest[j]:
                        return False
                    raised.append(j)
        while lowered:
            j = lowered.pop()
            self._work.take(len(node.before[j]))
            for i, gap in node.before[j]:
                if highest[i] > highest[j] - gap:
                    highest[i] = highest[j] - gap
                    if lowest[i] > highest[i]:
                        return False
                    lowered.append(i)
        return True

    def branches(self, node: _Node) -> list[_Node]:
        """Both orders of the tightest open pair, the roomier one last: it is looked at first."""
        number = min(node.open, key=lambda n: (sum(self._room(node, n)), n))
        i, j, before, after = self._pairs[number]
        first, second = self._room(node, number)
        orders = [(i, j, before), (j, i, after)]
        if second < first:
            orders.reverse()
        made = []
        rest = [n for n in node.open if n != number]
        for low, high, distance in orders:
            child = _Node(
                list(node.lowest), list(node.highest), rest, list(node.after), list(node.before)
            )
            if self._order(child, low, high, distance):
                made.append(child)
        return made

    def _room(self, node: _Node, number: int) -> tuple[int, int]:
        """How far both can still move, in either order."""
        i, j, before, after = self._pairs[number]
        return (
            node.highest[j] - node.lowest[i] - before,
            node.highest[i] - node.lowest[j] - after,
        )
