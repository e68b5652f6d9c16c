# SPDX-License-Identifier: Apache-2.0
"""Lower bounds are bounds, and what is called the smallest arena is the smallest."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph_maker import NHWC, GraphMaker, schedules_of
from petite.ir.dtype import DType
from petite.ir.ops import Padding
from petite.ir.schedule import Buffer, Role
from petite.placement.exact import OutOfWork, Work, fit
from petite.placement.lifetimes import Lifetime, Overlap, lifetimes, overlaps
from petite.placement.planner import plan, solve
from petite.placement.problem import ALIGNMENT, Problem


def _distances() -> st.SearchStrategy[int]:
    """Of sliding windows, of what shrinks, and of what may lie anywhere."""
    return st.integers(-5 * ALIGNMENT, 5 * ALIGNMENT) | st.just(-(2**31))


@st.composite
def problems(draw: st.DrawFn, most: int = 4) -> Problem:
    """A few buffers, and some of the overlaps that a kernel could allow."""
    spans = draw(
        st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 3)), min_size=1, max_size=most)
    )
    lives = []
    for first, calls in spans:
        size = draw(st.integers(0, 4 * ALIGNMENT))
        lives.append(Lifetime(Buffer("b", size, Role.ACTIVATION, DType.S8), first, first + calls))
    born_as_other_dies = [
        (a, b)
        for a in lives
        for b in lives
        if a is not b and a.last == b.first and a.first < b.first
    ]
    pairs = [
        Overlap(a.buffer, b.buffer, draw(_distances()))
        for a, b in born_as_other_dies
        if draw(st.booleans())
    ]
    return Problem(lives, pairs)


def _is_allowed(problem: Problem, offsets: tuple[int, ...]) -> bool:
    """The rule itself: whoever starts lower keeps its distance."""
    return all(
        offsets[i] + before <= offsets[j] or offsets[j] + after <= offsets[i]
        for i, j, before, after in problem.pairs
    )


def _smallest(problem: Problem) -> int:
    """By trying every place of every buffer."""
    heights = [
        problem.height(offsets)
        for offsets in product(*(range(sum(problem.sizes)) for _ in problem.sizes))
        if _is_allowed(problem, offsets)
    ]
    return min(heights)


@settings(max_examples=60, deadline=None)
@given(problems())
def test_small_problems_are_solved_exactly(problem: Problem) -> None:
    found = solve(problem)
    assert _is_allowed(problem, tuple(found.offsets))
    assert problem.bound() <= found.bound
    assert found.bound == found.size == _smallest(problem)


@settings(max_examples=60, deadline=None)
@given(problems(most=4), st.integers(1, 17))
def test_the_search_finds_a_plan_where_there_is_one(problem: Problem, size: int) -> None:
    offsets = fit(problem, size, Work(100_000))
    assert (offsets is None) == (size < _smallest(problem))
    if offsets is not None:
        assert _is_allowed(problem, tuple(offsets))
        assert problem.height(offsets) <= size and min(offsets) >= 0


@settings(max_examples=60, deadline=None)
@given(problems(most=30))
def test_larger_problems_keep_to_the_rules_and_the_bound(problem: Problem) -> None:
    found = solve(problem)
    assert _is_allowed(problem, tuple(found.offsets))
    assert problem.bound() <= found.bound <= found.size == problem.height(found.offsets)


def test_a_search_without_work_says_that_it_knows_nothing() -> None:
    lives = [
        Lifetime(Buffer("b", size * ALIGNMENT, Role.ACTIVATION, DType.S8), 0, 0)
        for size in (3, 4, 5)
    ]
    problem = Problem(lives, [])
    assert fit(problem, 12, Work(1000)) is not None
    assert fit(problem, 11, Work(1000)) is None
    with pytest.raises(OutOfWork):
        fit(problem, 12, Work(2))


def _chain(count: int) -> Problem:
    """Buffers of ten units, each of which must start one unit below the one it is made from."""
    lives = [
        Lifetime(Buffer("b", 10 * ALIGNMENT, Role.ACTIVATION, DType.S8), i - 1, i)
        for i in range(count)
    ]
    pairs = [Overlap(a.buffer, b.buffer, ALIGNMENT) for a, b in pairwise(lives)]
    return Problem(lives, pairs)


@pytest.mark.parametrize(("count", "size"), [(1, 10), (2, 11), (5, 14), (11, 20), (12, 20)])
def test_a_chain_drifts_until_a_fresh_start_costs_less(count: int, size: int) -> None:
    """No single call needs more than eleven units, and yet no plan does with so few."""
    problem = _chain(count)
    assert problem.bound() == (10 if count == 1 else 11)
    found = solve(problem)
    assert (found.bound, found.size) == (size, size)


def test_two_inputs_share_the_output_with_it_once() -> None:
    """A sum in place of one input: the other keeps its bytes."""
    make = GraphMaker()
    make.output(make.add(make.input((160,)), make.input((160,))))
    (schedule,) = schedules_of(make.graph)
    lives = lifetimes(schedule, keep_inputs=False)
    assert Problem(lives, overlaps(schedule, lives)).bound() == 20
    assert Problem(lives, []).bound() == 30


def test_the_bound_of_a_network_is_in_bytes_and_reached() -> None:
    make = GraphMaker()
    x = make.input((1, 16, 16, 16), layout=NHWC)
    for _ in range(4):
        x = make.conv2d(make.depthwise(x, padding=Padding(1, 1, 1, 1)), 16, (1, 1))
    make.output(x, NHWC)
    (schedule,) = schedules_of(make.graph)
    made = plan(schedule)
    assert made.bound == made.size == 16 * 16 * 16 + 4 * (18 + 1) * 16
