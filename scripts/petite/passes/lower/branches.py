# SPDX-License-Identifier: Apache-2.0
"""Branches: steps that skip others, and memory that both sides of a branch write to."""

from __future__ import annotations

from petite.ir.graph import Graph, Value
from petite.ir.ops import Copy, Guard, Merge, Op, Permute, View, guards
from petite.ir.schedule import Buffer, KernelCall, Read, Ref, Role
from petite.passes.lower.context import LoweringContext


class OpenBranches:
    """The sides of branches that the next call is in, each with the step in front of it."""

    def __init__(self, context: LoweringContext) -> None:
        self._context = context
        self._open: list[tuple[Guard, int]] = []

    def enter(self, guard: Guard | None) -> None:
        """What is lowered next has this guard: end the branches that it is not in, begin others."""
        wanted = guards(guard)
        shared = 0
        for (opened, _), other in zip(self._open, wanted, strict=False):
            if opened is not other:
                break
            shared += 1
        while len(self._open) > shared:
            self._end(self._open.pop()[1])
        for new in wanted[shared:]:
            self._open.append((new, len(self._context.calls)))
            self._begin(new)

    def _begin(self, guard: Guard) -> None:
        condition = self._context.ref(guard.condition)
        self._context.calls.append(
            KernelCall(
                f"branch_{len(self._context.calls)}",
                "branch",
                "kernels/branch/branch.h",
                {"condition": condition, "sense": int(guard.sense), "skip": 0},
                [] if condition.buffer.role is Role.CONSTANT else [Read(condition.buffer)],
                [],
                f"{guard.source} is {str(guard.sense).lower()}",
            )
        )

    def _end(self, position: int) -> None:
        """Now it is known how many steps the branch has; one without any is taken back."""
        calls = self._context.calls
        skip = len(calls) - position - 1
        if skip:
            calls[position].fields["skip"] = skip
        else:
            del calls[position]


def share_memory(context: LoweringContext, graph: Graph) -> None:
    """Let both sides of each branch write what they meet in to the same memory.

    A Merge then needs no step. Where a side cannot, because what it gives also lives elsewhere
    (an input, a state, a constant, or what was computed before the branch), it copies.
    """
    storage = _Storage(graph)
    for op in list(graph.ops):
        if isinstance(op, Merge):
            storage.merge(op)
    for values in storage.shared():
        first = values[-1]
        ref = Ref(Buffer(first.name, first.size, Role.ACTIVATION, first.dtype))
        for value in values:
            context.bind(value, ref)


class _Group:
    """Values that share their memory, all computed on one side of a branch."""

    def __init__(self, value: Value, guard: Guard | None) -> None:
        self.values = [value]
        self.guard = guard

    def is_within(self, side: Guard) -> bool:
        """Whether the memory means something only where a branch takes that side."""
        return any(
            guard.condition is side.condition and guard.sense == side.sense
            for guard in guards(self.guard)
        )


class _Storage:
    """Finds what may share memory, and inserts the copies that make the rest do so."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._producers: dict[Value, Op] = {v: op for op in graph.ops for v in op.outputs}
        self._groups: dict[Value, _Group] = {}

    def merge(self, op: Merge) -> None:
        """Put the output and what both sides give into one group."""
        whole = _Group(op.output, op.guard)
        self._groups[op.output] = whole
        for position, side in enumerate(op.sides):
            group = self._group(op.inputs[position])
            if group is None or not group.is_within(side):
                op.inputs[position] = self._copied(op, position, side)
                group = _Group(op.inputs[position], side)
            whole.values = group.values + whole.values
            self._groups.update((value, whole) for value in group.values)

    def shared(self) -> list[list[Value]]:
        """The groups of more than one value, each once."""
        unique = {id(group): group.values for group in self._groups.values()}
        return [values for values in unique.values() if len(values) > 1]

    def _group(self, value: Value) -> _Group | None:
        """The group of what a value lies in; None where no operator computes it."""
        producer = self._producers.get(value)
        while isinstance(producer, View | Permute):
            value = producer.input
            producer = self._producers.get(value)
        if producer is None:
            return None
        if value not in self._groups:
            self._groups[value] = _Group(value, producer.guard)
        return self._groups[value]

    def _copied(self, op: Merge, position: int, side: Guard) -> Value:
        """A copy of an input of a Merge, made at the end of its side of the branch."""
        value = op.inputs[position]
        copy = Value(f"{value.name}_c", value.dtype, value.shape, layout=value.layout)
        if copy.layout is None:
            copy.layout = op.output.layout
        made = Copy([value], [copy], source=op.source, guard=side)
        ops = self._graph.ops
        ready = ops.index(op)
        inside = [i for i, other in enumerate(ops[:ready]) if side in guards(other.guard)]
        ops.insert(inside[-1] + 1 if inside else ready, made)
        self._producers[copy] = made
        return copy
