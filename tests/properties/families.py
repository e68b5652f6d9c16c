# SPDX-License-Identifier: Apache-2.0
"""The families of examples, and the examples of each: the same ones in every run.

hypothesis.find() is asked for an example that does not exist, with a generator of a fixed seed:
whatever it tries are the examples. Asked again, and told that example number n failed, it makes
that one smaller (see replay.py).
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from properties.case import Case
from properties.graphs import STEPS, network, single, stateful

#: Examples of each operator alone, and of graphs.
EXAMPLES_ALONE = 12
EXAMPLES_OF_GRAPHS = 60

FAMILIES: dict[str, tuple[st.SearchStrategy[Case], int]] = {
    **{name: (single(name), EXAMPLES_ALONE) for name in STEPS},
    "network": (network(), 2 * EXAMPLES_OF_GRAPHS),
    "stateful": (stateful(), EXAMPLES_OF_GRAPHS),
}


def examples(family: str, *, times: int = 1) -> list[Case]:
    """All examples of a family, or other ones, ``times`` as many."""
    found: list[Case] = []

    def collect(case: Case) -> bool:
        found.append(case)
        return False

    try:
        search(family, collect, Phase.generate, times=times)
    except NoSuchExample:
        return found
    raise AssertionError("nothing was to be found")


def search(family: str, condition: Callable[[Case], bool], *phases: Phase, times: int = 1) -> Case:
    """hypothesis.find() over a family, always in the same order for the same ``times``."""
    strategy, count = FAMILIES[family]
    result: Case = find(
        strategy,
        condition,
        settings=settings(
            max_examples=count * times,
            phases=phases,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
        random=random.Random(zlib.crc32(family.encode())),
    )
    return result
