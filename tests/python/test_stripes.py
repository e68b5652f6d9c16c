# SPDX-License-Identifier: Apache-2.0
"""Layers in stripes: which rows, which calls, how much memory, and when."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_maker import NHWC, GraphMaker
from petite.cli.stripes_text import stripes
from petite.codegen.build_view import Source
from petite.compile import Options, compile_graphs, lower_graphs
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Graph, Value
from petite.ir.ops import Padding
from petite.ir.schedule import Role
from petite.passes.lower import LoweredMethod
from petite.placement.check import check
from petite.placement.lifetimes import lifetimes, overlaps
from petite.placement.model import place_model
from petite.placement.planner import Plan, plan
from petite.placement.problem import ALIGNMENT
from petite.placement.spans import span_read, span_written
from petite.stripes import use_stripes
from petite.stripes.choose import WORTH
from petite.stripes.cut import Cut, cut
from petite.stripes.emit import calls_of, runs_same_kernels, spliced
from petite.stripes.regions import regions_of
from petite.stripes.rows import Rows, cut_inputs, rows_read
from petite.targets import InstructionSet
from test_arena_budgets import image_net

ROUND = Padding(1, 1, 1, 1)
SOURCE = Source("test.pte", "0" * 64, "0.0.0")


def residual() -> Graph:
    """A block whose input is read at both ends."""
    make = GraphMaker()
    x = make.input((1, 16, 32, 32), layout=NHWC)
    y = make.conv2d(make.conv2d(x, 16, padding=ROUND), 16, padding=ROUND)
    make.output(make.add(y, x), NHWC)
    return make.graph


def lowered(graph: Graph, options: Options | None = None) -> LoweredMethod:
    """Before any stripes."""
    (method,) = lower_graphs([graph], options or Options())
    return method


def apply(method: LoweredMethod, *cuts: Cut) -> None:
    """Let it run in stripes."""
    emitted = {made.region.last: calls_of(method, made) for made in cuts}
    method.schedule.calls = [entry.call for entry in spliced(method, emitted, cuts)]


def whole_region(method: LoweredMethod, kinds: tuple[type[ops.Op], ...]) -> list[Cut]:
    """The region of operators of these kinds, in every number of rows."""
    (region,) = (r for r in regions_of(method) if tuple(map(type, r.ops)) == kinds)
    rows = range(1, region.last.output.shape[region.axis])
    return [made for n in rows if (made := cut(region, n)) is not None]


# --- which rows ----------------------------------------------------------------------------------


@given(st.data())
def test_rows_that_windows_read(data: st.DataObject) -> None:
    """Of the image exactly those between the first and the last that some window covers."""
    size, kernel, stride, dilation = (
        data.draw(st.integers(low, high)) for low, high in ((1, 12), (1, 4), (1, 4), (1, 3))
    )
    before, output = data.draw(st.integers(0, 3)), data.draw(st.integers(1, 8))
    axis = data.draw(st.sampled_from([2, 3]))
    start = data.draw(st.integers(0, output - 1))
    stop = data.draw(st.integers(start + 1, output))
    shape = [1, 1, 5, 5]
    shape[axis] = size
    make = GraphMaker()
    made = make.conv2d(make.input((1, 1, 9, 9)), 1)
    (op,) = make.graph.ops
    assert isinstance(op, ops.Conv2d)
    sizes = [[1, 1], [1, 1], [1, 1], [0, 0]]
    for entry, value in zip(sizes, (kernel, stride, dilation, before), strict=True):
        entry[axis - 2] = value
    op = replace(
        op,
        inputs=[replace(op.input, shape=tuple(shape))],
        outputs=[replace(made, shape=(1, 1, output, output))],
        kernel=tuple(sizes[0]), stride=tuple(sizes[1]), dilation=tuple(sizes[2]),
        padding=Padding(*sizes[3]),
    )  # fmt: skip
    windows = [
        {row * stride - before + k * dilation for k in range(kernel)} for row in range(start, stop)
    ]
    spans = [range(min(w), max(w) + 1) for w in windows]
    if all(any(0 <= row < size for row in span) for span in spans):
        seen = [row for span in spans for row in span if 0 <= row < size]
        assert rows_read(op, axis, Rows(start, stop)) == Rows(min(seen), max(seen) + 1)
    else:
        assert rows_read(op, axis, Rows(start, stop)) is None


@st.composite
def networks(draw: st.DrawFn) -> Graph:
    """Layers with windows of all kinds, and additions of what fits."""
    make = GraphMaker(seed=draw(st.integers(0, 3)))
    size = (draw(st.integers(6, 14)), draw(st.integers(1, 5)))
    values = [make.input((1, 4, *(size if draw(st.booleans()) else size[::-1])), layout=NHWC)]
    for _ in range(draw(st.integers(2, 7))):
        values.append(_layer(draw, make, values))
    make.output(values[-1], NHWC)
    return make.graph


def _layer(draw: st.DrawFn, make: GraphMaker, values: list[Value]) -> Value:
    x = draw(st.sampled_from([values[-1], values[-1], *values]))
    alike = [v for v in values if v.shape == x.shape]
    kernel = draw(st.sampled_from([(1, 1), (3, 3), (2, 1), (1, 3), (5, 1)]))
    stride = draw(st.sampled_from([(1, 1), (1, 1), (2, 1), (2, 2), (3, 1)]))
    fits = all(n + k // 2 >= k for n, k in zip(x.shape[2:], kernel, strict=True))
    padding = Padding(kernel[0] // 2, kernel[1] // 2, kernel[0] // 2, kernel[1] // 2)
    match draw(st.sampled_from(["lut", "add", "conv", "conv", "depthwise", "pool", "concat"])):
        case "add":
            return make.add(x, draw(st.sampled_from(alike)))
        case "concat" if x.shape[1] < 30:
            return make.concat([x, draw(st.sampled_from(alike)), x], 1)
        case "conv" if fits:
            return make.conv2d(x, draw(st.sampled_from([1, 3, 8])), kernel, stride, padding)
        case "depthwise" if fits:
            return make.depthwise(x, kernel, stride, padding)
        case "pool" if min(x.shape[2:]) >= 2:
            return make.max_pool(x, (2, 2), stride)
    return make.lut(x)


@settings(max_examples=60, deadline=None)
@given(networks(), st.data())
def test_every_row_is_computed_once_and_held_while_it_is_read(
    graph: Graph, data: st.DataObject
) -> None:
    regions = list(regions_of(lowered(graph)))
    if not regions:
        return
    region = data.draw(st.sampled_from(regions))
    length = region.last.output.shape[region.axis]
    made = cut(region, data.draw(st.integers(1, length)))
    if made is None:
        return
    computed: dict[Value, set[int]] = {op.output: set() for op in region.ops}
    held: dict[Value, set[int]] = {v: set(range(v.shape[region.axis])) for v in region.inputs}
    for part in made.parts:
        for value in cut_inputs(part.op):
            assert set(range(part.read.start, part.read.stop)) <= held[value]
        new = set(range(part.rows.start, part.rows.stop))
        kept = set(range(part.kept.start, part.kept.stop))
        assert not new & computed[part.op.output], "computed twice"
        assert kept <= held.get(part.op.output, set())
        computed[part.op.output] |= new
        held[part.op.output] = new | kept
    assert computed[region.last.output] == set(range(length))


# --- placement -----------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(networks(), st.data())
def test_plans_of_stripes_are_accepted_and_what_they_say_is_read_is_read(
    graph: Graph, data: st.DataObject
) -> None:
    sets: list[InstructionSet] = ["scalar", "dsp", "mve"]
    method = lowered(graph, Options(instruction_set=data.draw(st.sampled_from(sets))))
    cuts = [made for r in regions_of(method) for n in (1, 2, 5) if (made := cut(r, n)) is not None]
    if not cuts:
        return
    apply(method, data.draw(st.sampled_from(cuts)))
    schedule = method.schedule
    keep_inputs = data.draw(st.booleans())
    check(schedule, plan(schedule, keep_inputs=keep_inputs), keep_inputs=keep_inputs)
    for call in schedule.calls:
        for read in call.reads:
            stop = read.buffer.size if read.stop is None else read.stop
            span = span_read(call, read.buffer)
            assert (span.start, span.stop) == (read.start, stop)
        span = span_written(call, call.write)
        start, stop = call.part or (0, call.write.size)
        # A part of a Concat lies in blocks between the others.
        assert (
            (start <= span.start and span.stop <= stop)
            if call.kernel == "copy_blocks"
            else ((span.start, span.stop) == (start, stop))
        )


@settings(max_examples=25, deadline=None)
@given(networks(), st.data())
def test_an_output_that_follows_more_closely_is_refused(graph: Graph, data: st.DataObject) -> None:
    """Where an overlap over several calls is allowed, a step more would lose a byte."""
    method = lowered(graph)
    cuts = [made for r in regions_of(method) for n in (1, 2) if (made := cut(r, n)) is not None]
    if not cuts:
        return
    apply(method, data.draw(st.sampled_from(cuts)))
    schedule = method.schedule
    lives = lifetimes(schedule, keep_inputs=False)
    for pair in overlaps(schedule, lives):
        # Everything else lies far away from both.
        distance = max(0, -(-pair.distance // ALIGNMENT) * ALIGNMENT)
        far = distance + pair.input.size + pair.output.size + ALIGNMENT
        far = -(-far // ALIGNMENT) * ALIGNMENT
        offsets = {}
        for life in lives:
            offsets[life.buffer] = far
            far += -(-max(life.buffer.size, 1) // ALIGNMENT) * ALIGNMENT
        offsets[pair.output], offsets[pair.input] = 0, distance
        check(schedule, Plan(offsets, far))
        if pair.distance > ALIGNMENT:
            offsets[pair.input] = distance - 2 * ALIGNMENT
            with pytest.raises(AssertionError, match=r"overwritten|overwrites|must not overlap"):
                check(schedule, Plan(offsets, far))


def test_a_residual_block_runs_in_the_memory_of_its_input() -> None:
    """The output follows the input at a distance of nothing: 16 KiB are there once."""
    method = lowered(residual())
    apply(method, whole_region(method, (ops.Conv2d, ops.Conv2d, ops.Add))[1])
    schedule = method.schedule
    lives = lifetimes(schedule, keep_inputs=False)
    source, output = schedule.inputs[0].ref.buffer, schedule.outputs[0].ref.buffer
    found = [p for p in overlaps(schedule, lives) if (p.input, p.output) == (source, output)]
    assert [p.distance for p in found] == [0]
    placement = place_model([schedule])
    # Four rows of the first convolution's output, which the second one's follows: two pixels of 16
    # bytes more.
    assert placement.arena_size == 32 * 512 + 4 * 512 + 2 * 16
    kept = place_model([schedule], keep_inputs=True)
    assert kept.arena_size == placement.arena_size + 32 * 512


def test_the_check_refuses_a_stripe_on_rows_that_are_read_later() -> None:
    method = lowered(residual())
    made = whole_region(method, (ops.Conv2d, ops.Conv2d, ops.Add))[3]
    apply(method, made)
    good = place_model([method.schedule]).plans["forward"]
    source = method.schedule.inputs[0].ref.buffer
    stripe = method.schedule.calls[0].write
    bad = Plan({**good.offsets, stripe: good.offsets[source] + 2048}, good.size)
    with pytest.raises(AssertionError, match=r"overwritten|overwrites"):
        check(method.schedule, bad)


# --- when ----------------------------------------------------------------------------------------


def arena(graph: Graph, **options: object) -> int:
    """Of a compiled graph."""
    model = compile_graphs([graph], SOURCE, Options(**options))  # type: ignore[arg-type]
    return model.placement.arena_size


def test_stripes_are_taken_where_they_save_enough_for_their_flash() -> None:
    method = lowered(image_net())
    (striped,) = use_stripes([method], keep_inputs=False)
    saved = striped.before - striped.after
    assert saved >= WORTH * striped.flash > 0
    placement = place_model([method.schedule])
    assert placement.arena_size <= striped.after
    constants = {b.name: b.size for b in method.schedule.constants()}
    whole = {b.name: b.size for b in lowered(image_net()).schedule.constants()}
    assert sum(constants.values()) == sum(whole.values()), "weights are shared by all stripes"


def test_parts_that_other_kernels_would_compute_are_refused() -> None:
    """On Helium, a depthwise convolution of one row takes another loop than one of several."""
    make = GraphMaker()
    x = make.depthwise(make.input((1, 16, 8, 8), layout=NHWC), padding=ROUND)
    (op,) = make.graph.ops
    assert isinstance(op, ops.Convolution)
    op.output_offset = -128
    make.output(make.max_pool(x, (1, 1), (1, 1)), NHWC)
    method = lowered(make.graph, Options(instruction_set="mve"))
    cuts = whole_region(method, (ops.DepthwiseConv2d, ops.MaxPool2d))
    same = [runs_same_kernels(method, calls_of(method, made)) for made in cuts]
    # Heights of 1 to 7: where a row is left over, it is alone as well.
    assert same == [False, True, True, True, True, True, False]


def test_what_is_cut_is_said() -> None:
    model = compile_graphs([image_net()], SOURCE, Options())
    (striped,) = model.striped
    lines = stripes(model).splitlines()
    first, last = ["test.pte:", "Conv2d", "0"], ["test.pte:", "MaxPool2d", "1"]
    assert lines[2].split() == [*first, *last, "2", "8", "2", "32,768"]
    assert lines[4].endswith(f"arena of at most {striped.after:,} bytes instead of 32,912,")
    rows = [c.source.split(", ")[-1] for c in model.schedules[0].calls[:2]]
    assert rows == ["rows 0 to 3", "rows 0 to 1"]
    whole = compile_graphs([image_net()], SOURCE, Options(stripes=False))
    assert stripes(whole) == "No layers run in stripes."


def test_what_has_to_stay_is_not_cut() -> None:
    """A value that others read, an output, and a branch's side stay whole."""
    make = GraphMaker()
    x = make.input((1, 4, 8, 8), layout=NHWC)
    y = make.conv2d(x, 4, padding=ROUND)
    z = make.lut(make.conv2d(y, 4, padding=ROUND))
    make.output(y, NHWC)
    make.output(z, NHWC)
    regions = list(regions_of(lowered(make.graph)))
    assert [tuple(map(type, r.ops)) for r in regions] == [(ops.Conv2d, ops.Lut)]
    assert all(y not in r.inner for r in regions)


@pytest.mark.parametrize("graph", [image_net, residual])
def test_options_leave_layers_whole(graph: object) -> None:
    assert callable(graph)
    whole = arena(graph(), stripes=False)
    assert arena(graph()) < whole
    assert arena(graph(), optimize=False) > whole
    model = compile_graphs([graph()], SOURCE, Options(optimize=False))
    assert not model.striped


def test_the_smaller_of_two_methods_stays_whole() -> None:
    small = GraphMaker("small")
    x = small.input((1, 3, 16, 16), layout=NHWC)
    small.output(small.max_pool(small.conv2d(x, 16, padding=ROUND)), NHWC)
    model = compile_graphs([image_net(), small.graph], SOURCE, Options())
    assert [s.method for s in model.striped] == ["forward"]
    assert model.placement.arena_size == max(p.size for p in model.placement.plans.values())


def test_states_and_constants_are_read_row_by_row() -> None:
    make = GraphMaker()
    state = make.state((1, 1, 16, 16))
    table = np.arange(256, dtype=np.uint8).view(np.int8).reshape(1, 1, 16, 16)
    constant = Value("c", DType.S8, (1, 1, 16, 16), data=table)
    y = make.add(make.conv2d(state.before, 1, padding=ROUND), constant)
    make.output(make.max_pool(y), NHWC)
    method = lowered(make.graph)
    apply(method, whole_region(method, (ops.Conv2d, ops.Add, ops.MaxPool2d))[2])
    check(method.schedule, place_model([method.schedule]).plans["forward"])
    added = [call for call in method.schedule.calls if call.kernel == "weighted_sum_s8"]
    offsets = [ref.offset for call in added for ref in call.refs() if ref.buffer.data is not None]
    assert offsets == [0, 6 * 16, 12 * 16]
    reads = [read for call in method.schedule.calls for read in call.reads]
    assert {r.start for r in reads if r.buffer.role is Role.STATE} == {0, 5 * 16, 11 * 16}
