# SPDX-License-Identifier: Apache-2.0
"""Checks that a graph is well formed: a fault here is ours, not the user's."""

from __future__ import annotations

from petite.ir.graph import Graph


def verify(graph: Graph) -> None:
    """Raise AssertionError where a value is read before it exists, or written twice."""
    ready = {id(v) for v in graph.inputs} | {id(s.before) for s in graph.states}
    for op in graph.ops:
        for value in op.inputs:
            assert value.is_constant or id(value) in ready, f"{op.source}: {value} is not ready"
        for value in op.outputs:
            assert id(value) not in ready, f"{op.source}: {value} is written twice"
            assert not value.is_constant, f"{op.source}: writes the constant {value}"
            ready.add(id(value))
    results = [*graph.outputs, *(s.after for s in graph.states)]
    for value in results:
        assert value.is_constant or id(value) in ready, f"{graph.name}: {value} never computed"
    assert len(graph.outputs) == len(graph.output_layouts), f"{graph.name}: output layouts"
