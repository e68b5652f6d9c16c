# SPDX-License-Identifier: Apache-2.0
"""The families of examples. Example number n of a family is the same in every run.

Each comes from hypothesis.find() with a generator of its own seed. (The examples of one search
would be mutations of each other, and differ less.) Asked again, and told what fails, find() makes
an example smaller; see replay.py.
"""

from __future__ import annotations

import functools
import random
import zlib
from collections.abc import Callable

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st

from properties.case import Case
from properties.graphs import STEPS, chain, network, single, stateful, striped

#: Examples of each operator alone, and of graphs.
EXAMPLES_ALONE = 25
EXAMPLES_OF_GRAPHS = 150

FAMILIES: dict[str, tuple[st.SearchStrategy[Case], int]] = {
    **{name: (single(name), EXAMPLES_ALONE) for name in STEPS},
    "network": (network(), EXAMPLES_OF_GRAPHS),
    "chain": (chain(), EXAMPLES_OF_GRAPHS // 3),
    "striped": (striped(), EXAMPLES_OF_GRAPHS),
    "stateful": (stateful(), EXAMPLES_OF_GRAPHS // 2),
}


def examples(family: str, *, times: int = 1) -> list[Case]:
    """The first examples of a family: as many as usual, or a multiple."""
    return [_kept(family, number) for number in range(FAMILIES[family][1] * times)]


@functools.cache
def _kept(family: str, number: int) -> Case:
    """An example, made once in a process."""
    return example(family, number)


def example(family: str, number: int, fails: Callable[[Case], bool] | None = None) -> Case:
    """One example of a family; with ``fails``, a smaller one for which that holds."""
    verdicts: dict[str, bool] = {}

    def wanted(case: Case) -> bool:
        # The first that a search tries is the simplest of all, whatever the seed. What has been
        # said of a case is said again: find() asks twice.
        key = repr(case)
        if key not in verdicts:
            if any(verdicts.values()):
                verdicts[key] = fails is not None and fails(case)
            else:
                verdicts[key] = bool(verdicts)
        return verdicts[key]

    phases = (Phase.generate,) if fails is None else (Phase.generate, Phase.shrink)
    result: Case = find(
        FAMILIES[family][0],
        wanted,
        settings=settings(
            max_examples=9,
            phases=phases,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
        random=random.Random(zlib.crc32(f"{family} {number}".encode())),
    )
    return result
