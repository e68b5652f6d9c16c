# SPDX-License-Identifier: Apache-2.0
"""Times of inferences: from ticks to microseconds, and what is said of many."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import CDLL, byref, c_uint32, c_uint64

import pytest

MOST = 2**32 - 1


class Times(ctypes.Structure):
    _fields_ = (("count", c_uint32), ("least", c_uint32), ("most", c_uint32), ("sum", c_uint64))


@pytest.fixture(scope="module")
def library(build_library: Callable[..., CDLL]) -> CDLL:
    built = build_library("times.c")
    built.kws_microseconds.restype = c_uint32
    built.kws_times_mean.restype = c_uint32
    built.kws_clock_is_fine.restype = ctypes.c_bool
    return built


@pytest.mark.parametrize("rate", [100, 1000, 32768, 25_000_000, 480_000_000, MOST])
@pytest.mark.parametrize("ticks", [0, 1, 999, 12_345_678, MOST])
def test_microseconds(library: CDLL, ticks: int, rate: int) -> None:
    exact = ticks * 1_000_000 // rate
    assert library.kws_microseconds(c_uint32(ticks), c_uint32(rate)) == min(exact, MOST)


@pytest.mark.parametrize(("rate", "fine"), [(100, False), (999, False), (1000, True), (MOST, True)])
def test_which_clock_is_fine(library: CDLL, rate: int, fine: bool) -> None:
    assert library.kws_clock_is_fine(c_uint32(rate)) == fine


def add(library: CDLL, values: list[int]) -> Times:
    times = Times()
    for value in values:
        library.kws_times_add(byref(times), c_uint32(value))
    return times


def test_least_most_and_mean(library: CDLL) -> None:
    values = [MOST, 7, MOST, 8, 3]
    times = add(library, values)
    assert (times.count, times.least, times.most) == (len(values), min(values), max(values))
    assert library.kws_times_mean(byref(times)) == sum(values) // len(values)
    assert library.kws_times_mean(byref(Times())) == 0


@pytest.mark.parametrize("first", [[], [5, 9]])
@pytest.mark.parametrize("second", [[], [4], [6], [10]])
def test_merging_is_like_adding(library: CDLL, first: list[int], second: list[int]) -> None:
    merged = add(library, first)
    library.kws_times_merge(byref(merged), byref(add(library, second)))
    assert bytes(merged) == bytes(add(library, first + second))
