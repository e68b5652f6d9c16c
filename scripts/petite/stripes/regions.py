# SPDX-License-Identifier: Apache-2.0
"""Finds what may run in stripes: operators whose values nobody else reads, up to one last one."""

from __future__ import annotations

from collections.abc import Iterator

from petite.ir.graph import Value
from petite.ir.ops import Op
from petite.passes.lower import LoweredMethod
from petite.stripes.cut import Region
from petite.stripes.rows import cut_inputs, row_axis

#: Most operators of a region.
_MOST = 10


def regions_of(method: LoweredMethod) -> Iterator[Region]:
    """Every operator as the last one, with more and more of those before it."""
    finder = _Finder(method)
    for op in finder.axes:
        yield from finder.ending_at(op)


class _Finder:
    def __init__(self, method: LoweredMethod) -> None:
        graph = method.graph
        self._graph = graph
        self._order = {op: number for number, op in enumerate(graph.ops)}
        self._producers = {v: op for op in graph.ops for v in op.outputs}
        self._readers: dict[Value, list[Op]] = {}
        for op in graph.ops:
            for value in dict.fromkeys(op.inputs):
                self._readers.setdefault(value, []).append(op)
        #: Along which dimension operators can be cut.
        self.axes = {
            op: axis
            for op, calls in method.calls.items()
            if calls and (axis := row_axis(op)) is not None
        }

    def ending_at(self, last: Op) -> Iterator[Region]:
        """With the latest operator before them, and the latest before these, and so on."""
        axis = self.axes[last]
        found = [last]
        while len(found) < _MOST:
            before = self._before(found, axis)
            if before is None:
                return
            found.append(before)
            yield Region(tuple(sorted(found, key=self._order.__getitem__)), axis)

    def _before(self, region: list[Op], axis: int) -> Op | None:
        """The latest operator whose output nobody but the region reads, row by row."""
        candidates = [
            producer
            for op in region
            for value in cut_inputs(op)
            if (producer := self._producers.get(value)) is not None
            and producer not in region
            and self.axes.get(producer) == axis
            and self._is_inner(region, value)
        ]
        return max(candidates, key=self._order.__getitem__, default=None)

    def _is_inner(self, region: list[Op], value: Value) -> bool:
        if self._graph.is_result(value):
            return False
        return all(
            op in region and op.inputs.count(value) == cut_inputs(op).count(value)
            for op in self._readers[value]
        )
