# SPDX-License-Identifier: Apache-2.0
"""Cuts a region of a graph: which rows of which operator are computed in which stripe.

Nothing is computed twice. Of a value between two operators of the region a stripe holds the rows
that it reads: those computed before that are still needed are copied in front of the new ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from petite.ir.graph import Value
from petite.ir.ops import Op
from petite.stripes.rows import Rows, cut_inputs, rows_read


@dataclass(frozen=True)
class Region:
    """Operators in order; the last one computes the only value that others read."""

    ops: tuple[Op, ...]
    axis: int

    @property
    def last(self) -> Op:
        """The one whose rows are the stripes."""
        return self.ops[-1]

    @property
    def inner(self) -> list[Value]:
        """Values that are never whole."""
        return [op.output for op in self.ops[:-1]]

    @property
    def inputs(self) -> list[Value]:
        """What is read row by row from outside, each once."""
        inner = self.inner
        found = [v for op in self.ops for v in cut_inputs(op) if v not in inner]
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Part:
    """What one operator computes in one stripe."""

    op: Op
    stripe: int
    rows: Rows
    #: Rows of its output that were computed before and are still read: those before ``rows``.
    kept: Rows
    #: Rows of each input that is cut.
    read: Rows


@dataclass(frozen=True)
class Cut:
    """A region in stripes of so many rows of its output."""

    region: Region
    height: int
    parts: tuple[Part, ...]

    @property
    def stripes(self) -> int:
        """How many."""
        return self.parts[-1].stripe + 1


@dataclass(frozen=True)
class _Progress:
    """Of one operator, for each stripe: the rows that are computed, and those that are kept."""

    rows: list[Rows]
    kept: list[Rows]


def cut(region: Region, height: int) -> Cut | None:
    """Stripes of so many rows; None where some window sees only what lies outside the image."""
    length = region.last.output.shape[region.axis]
    starts = range(0, length, height)
    own = [Rows(start, min(start + height, length)) for start in starts]
    progress = {region.last: _Progress(own, [Rows(0, 0)] * len(own))}
    reads: dict[Op, list[Rows | None]] = {}
    for op in reversed(region.ops):
        if op is not region.last:
            readers = [o for o in region.ops if any(v is op.output for v in cut_inputs(o))]
            progress[op] = _progress([reads[o] for o in readers])
        found = []
        for rows in progress[op].rows:
            read = rows_read(op, region.axis, rows) if rows.count else None
            if rows.count and read is None:
                return None
            found.append(read)
        reads[op] = found
    parts = [
        Part(op, stripe, progress[op].rows[stripe], progress[op].kept[stripe], read)
        for stripe in range(len(own))
        for op in region.ops
        if (read := reads[op][stripe]) is not None
    ]
    return Cut(region, height, tuple(parts))


def _progress(readers: list[list[Rows | None]]) -> _Progress:
    """Of an operator whose output these read, each in its stripes."""
    read = [[rows for rows in stripe if rows is not None] for stripe in zip(*readers, strict=True)]
    ends = list(accumulate((max((r.stop for r in rows), default=0) for rows in read), max))
    lows = [min((r.start for r in rows), default=ends[-1]) for rows in read]
    # Nothing below is read in a stripe or in a later one.
    lows = list(accumulate(reversed(lows), min))[::-1]
    rows, kept = [], []
    before = 0
    for low, end in zip(lows, ends, strict=True):
        new = Rows(max(before, low), end) if end > before else Rows(end, end)
        rows.append(new)
        kept.append(Rows(low, before) if new.count and low < before else Rows(0, 0))
        before = end
    return _Progress(rows, kept)
