# SPDX-License-Identifier: Apache-2.0
"""Checks that a graph is well formed: a fault here is ours, not the user's."""

from __future__ import annotations

from petite.ir.graph import Graph, Value
from petite.ir.ops import Guard, Merge, Op, guards


def verify(graph: Graph) -> None:
    """Raise AssertionError where a value is read before it exists, or written twice.

    Also where a value that is computed on one side of a branch is read elsewhere.
    """
    #: In which side of a branch each value is computed.
    made: dict[int, Guard | None] = {id(v): None for v in graph.inputs}
    made.update((id(s.before), None) for s in graph.states)

    def read(value: Value, guard: Guard | None, reader: str) -> None:
        if value.is_constant:
            return
        assert id(value) in made, f"{reader}: {value} is not ready"
        inside = made[id(value)]
        known = inside is None or inside in guards(guard)
        assert known, f"{reader}: {value} is not computed on the other side of the branch"

    for op in graph.ops:
        for guard in guards(op.guard):
            read(guard.condition, guard.outer, op.source)
        for value, side in zip(op.inputs, _sides(op), strict=True):
            read(value, side, op.source)
        for value in op.outputs:
            assert id(value) not in made, f"{op.source}: {value} is written twice"
            assert not value.is_constant, f"{op.source}: writes the constant {value}"
            made[id(value)] = op.guard
    for value in [*graph.outputs, *(s.after for s in graph.states)]:
        assert value.is_constant or id(value) in made, f"{graph.name}: {value} never computed"
        read(value, None, graph.name)
    assert len(graph.outputs) == len(graph.output_layouts), f"{graph.name}: output layouts"


def _sides(op: Op) -> list[Guard | None]:
    """For each input, the side of a branch where it is read."""
    if isinstance(op, Merge):
        assert all(side.outer is op.guard for side in op.sides), f"{op.source}: sides of another"
        return [*op.sides, op.guard]
    return [op.guard] * len(op.inputs)
