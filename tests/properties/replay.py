# SPDX-License-Identifier: Apache-2.0
"""Shows one example of a family, runs it alone, and on request makes it smaller.

python tests/properties/replay.py FAMILY NUMBER [--times N] [--target TARGET] [--shrink]
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

_TESTS = Path(__file__).resolve().parent.parent
for _directory in (_TESTS, _TESTS / "host", _TESTS / "python", _TESTS.parent / "scripts"):
    if str(_directory) not in sys.path:
        sys.path.insert(0, str(_directory))

from hypothesis import Phase  # noqa: E402

from petite.targets import Target, find_target  # noqa: E402
from properties.batch import faults  # noqa: E402
from properties.case import Case  # noqa: E402
from properties.families import FAMILIES, examples, search  # noqa: E402

#: Smaller examples tried, each of which is compiled and run.
_TRIES = 300


def fault_of(case: Case, target: Target) -> str | None:
    """What is wrong with one example."""
    return faults([case], target, sanitize=target.is_host)[0]


def smallest(family: str, number: int, times: int, target: Target) -> Case:
    """An example as small as can be found that fails, from one that does."""
    counter = itertools.count()

    def fails(case: Case) -> bool:
        # The first examples are those of the family; those before the wanted one are not tried.
        tried = next(counter)
        if tried <= number:
            return tried == number
        return tried - number <= _TRIES and fault_of(case, target) is not None

    return search(family, fails, Phase.generate, Phase.shrink, times=times)


def main() -> int:
    """Returns 1 where the example fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", choices=list(FAMILIES))
    parser.add_argument("number", type=int)
    parser.add_argument("--times", type=int, default=1, help="as the test that failed says")
    parser.add_argument("--target", default="host")
    parser.add_argument("--shrink", action="store_true", help="takes minutes")
    options = parser.parse_args()
    target = find_target(options.target)
    case = examples(options.family, times=options.times)[options.number]
    print(case)
    fault = fault_of(case, target)
    print("right" if fault is None else fault)
    if fault is not None and options.shrink:
        case = smallest(options.family, options.number, options.times, target)
        print(f"\nsmallest:\n{case}\n{fault_of(case, target)}")
    return 0 if fault is None else 1


if __name__ == "__main__":
    sys.exit(main())
