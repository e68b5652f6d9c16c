# SPDX-License-Identifier: Apache-2.0
"""Shows one example of a family, runs it alone, and on request makes it smaller.

python tests/properties/replay.py FAMILY NUMBER [--target TARGET] [--shrink]
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

from petite.targets import Target, find_target  # noqa: E402
from properties.batch import faults  # noqa: E402
from properties.case import Case  # noqa: E402
from properties.families import FAMILIES, example  # noqa: E402

#: Smaller examples tried, each of which is compiled and run.
_TRIES = 300


def fault_of(case: Case, target: Target) -> str | None:
    """What is wrong with one example."""
    return faults([case], target, sanitize=target.is_host)[0]


def smallest(family: str, number: int, target: Target) -> Case:
    """An example that fails, as small as can be found in so many tries, from one that does."""
    tries = itertools.count()

    def fails(case: Case) -> bool:
        return next(tries) < _TRIES and fault_of(case, target) is not None

    return example(family, number, fails)


def main() -> int:
    """Returns 1 where the example fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("family", choices=list(FAMILIES))
    parser.add_argument("number", type=int)
    parser.add_argument("--target", default="host")
    parser.add_argument("--shrink", action="store_true", help="takes minutes")
    options = parser.parse_args()
    target = find_target(options.target)
    case = example(options.family, options.number)
    print(case)
    fault = fault_of(case, target)
    print("right" if fault is None else fault)
    if fault is not None and options.shrink:
        case = smallest(options.family, options.number, target)
        print(f"\nsmallest:\n{case}\n{fault_of(case, target)}")
    return 0 if fault is None else 1


if __name__ == "__main__":
    sys.exit(main())
