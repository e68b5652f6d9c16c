# SPDX-License-Identifier: Apache-2.0
"""Kernel calls of a region in stripes, and a method's calls with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from petite.ir.graph import Value
from petite.ir.ops import Copy, Op
from petite.ir.schedule import Buffer, Function, KernelCall, Ref, Role
from petite.passes.lower import LoweredMethod, copy_value, lower_operator
from petite.passes.lower.context import LoweringContext
from petite.stripes.cut import Cut, Part
from petite.stripes.rows import Rows, cut_inputs, on_rows, row_size


@dataclass(frozen=True)
class _Held:
    """The memory that holds some rows of a value, from row ``first`` on."""

    ref: Ref
    first: int


@dataclass(frozen=True)
class Owned:
    """A call, and the operator that it is for; None for what the method does beside them."""

    op: Op | None
    call: KernelCall


def calls_of(method: LoweredMethod, cut: Cut) -> list[Owned]:
    """The calls of all stripes."""
    emitter = _Emitter(method, cut)
    found = []
    for part in cut.parts:
        before = len(emitter.context.calls)
        emitter.emit(part)
        found += [Owned(part.op, call) for call in emitter.context.calls[before:]]
    return found


def runs_same_kernels(method: LoweredMethod, emitted: list[Owned]) -> bool:
    """Whether parts are computed by the functions that compute the whole, and no others.

    An implementation may refuse a small image. Another one would be slower, or more code.
    """
    return all(
        _functions(entry.call) in map(_functions, method.calls[entry.op])
        for entry in emitted
        if entry.op is not None and entry.call.kernel != "copy"
    )


def _functions(call: KernelCall) -> list[str]:
    return [call.symbol, *(v.name for v in call.fields.values() if isinstance(v, Function))]


def spliced(
    method: LoweredMethod, emitted: dict[Op, list[Owned]], cuts: Iterable[Cut]
) -> list[Owned]:
    """A method's calls in order; those of a region come together, where its last operator was."""
    owners = {id(call): op for op, calls in method.calls.items() for call in calls}
    replaced = {op for made in cuts for op in made.region.ops}
    found = []
    for call in method.schedule.calls:
        op = owners.get(id(call))
        if op in emitted and call is method.calls[op][-1]:
            found += emitted[op]
        elif op not in replaced:
            found.append(Owned(op, call))
    return found


class _Emitter:
    def __init__(self, method: LoweredMethod, cut: Cut) -> None:
        self.context: LoweringContext = method.context.fork()
        self._method = method
        self._axis = cut.region.axis
        self._inner = set(cut.region.inner)
        self._held: dict[Value, _Held] = {}

    def emit(self, part: Part) -> None:
        """The operator on its rows; before it, a copy of the rows that are kept."""
        op = part.op
        call = self._method.calls[op][0]
        number = call.name.removeprefix(f"{call.kernel}_")
        self.context.suffix = f"{number}_{part.stripe}"
        inputs = [
            self._rows(v, part.read) if any(v is c for c in cut_inputs(op)) else v
            for v in op.inputs
        ]
        if op.output in self._inner:
            self._begin(part)
        output = self._rows(op.output, part.rows)
        lower_operator(self.context, on_rows(op, self._axis, part.rows, inputs, output))

    def _begin(self, part: Part) -> None:
        """Memory for the rows that a value has in this stripe."""
        value = part.op.output
        first = part.kept.start if part.kept.count else part.rows.start
        size = (part.rows.stop - first) * row_size(value, self._axis)
        name = f"{value.name}_{part.stripe}"
        buffer = Buffer(name, size, Role.ACTIVATION, value.dtype)
        kept = self._rows(value, part.kept) if part.kept.count else None
        self._held[value] = _Held(Ref(buffer), first)
        if kept is not None:
            where = f"{part.op.source}, rows {part.kept.start} to {part.kept.stop - 1} again"
            again = self._rows(value, part.kept)
            copy_value(self.context, Copy([kept], [again], source=where))

    def _rows(self, value: Value, rows: Rows) -> Value:
        """Some rows of a value, where they lie now."""
        held = self._held.get(value) or _Held(self.context.ref(value), 0)
        offset = held.ref.offset + (rows.start - held.first) * row_size(value, self._axis)
        shape = list(value.shape)
        shape[self._axis] = rows.count
        part = Value(value.name, value.dtype, tuple(shape), layout=value.layout)
        part.quantization = value.quantization
        self.context.bind(part, Ref(held.ref.buffer, offset))
        return part
