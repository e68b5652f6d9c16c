# SPDX-License-Identifier: Apache-2.0
"""Writes docs/operators.md from the table of operators.

python scripts/operators_doc.py            write it
python scripts/operators_doc.py --check    say whether it is up to date
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

_SCRIPTS = Path(__file__).resolve().parent
if str(_SCRIPTS) not in sys.path:
    sys.path.insert(0, str(_SCRIPTS))

from petite.ir.dtype import DType  # noqa: E402
from petite.ir.functions import ALL, INTEGERS, NUMBERS  # noqa: E402
from petite.pte.lift import OPERATOR_GROUPS  # noqa: E402
from petite.pte.operator import Operator  # noqa: E402
from petite.pte.refused import REFUSED  # noqa: E402
from petite.select.catalogue import ENTRIES  # noqa: E402
from petite.select.groups import groups_of  # noqa: E402

DOCUMENT = _SCRIPTS.parent / "docs" / "operators.md"

_HEAD = """\
# Operators

Written by `python scripts/operators_doc.py` from the table that `petite compile` reads
(`OPERATOR_GROUPS` in `scripts/petite/pte/lift.py`); a test compares the two.

Names are those in the `.pte`, as `petite inspect` lists them. *Element types* are those that the
operator's first tensor may have: "all" is int8, uint8, int16, int32, int64, float32 and bool,
"numbers" all of these but bool, "integers" the first five. Shapes are static, of any rank and any
size up to 2 GiB, with at most six dimensions that cannot be merged.

`petite inspect MODEL --target TARGET` says for a model which kernel runs each of its operators, and
which of them have none for the core's Helium or DSP instructions. A model with an operator that is
not here is refused when it is compiled, by name; the application may bring it
(`--application-operators`).

*Loaded* is what a program may call that the device loads ([loading.md](loading.md)); its types are
those of the operator's first tensor. *Group* is the name by which `petite select --groups` and
Kconfig choose it.
"""


def document() -> str:
    """The whole text."""
    parts = [_HEAD]
    for title, group in OPERATOR_GROUPS:
        rows = [_row(name, operator) for name, operator in sorted(group.items())]
        head = ["| operator | element types | limits | loaded | group |", "|---|---|---|---|---|"]
        parts.append("\n".join([f"## {title}\n", *head, *rows, ""]))
    reasons = [f"- `{name}`: {REFUSED[name]}." for name in sorted(REFUSED)]
    parts.append("\n".join(["## Refused\n", *map(_wrapped, reasons), ""]))
    return "\n".join(parts)


def _wrapped(item: str) -> str:
    return textwrap.fill(item, 100, subsequent_indent="  ", break_on_hyphens=False)


def _row(name: str, operator: Operator) -> str:
    loaded = {entry.dtype for entry in ENTRIES if entry.operator == name}
    types = _types(tuple(dtype for dtype in loaded if dtype is not None)) if loaded else ""
    if loaded == {None}:
        types = "numbers that are known when it is loaded"
    group = ", ".join(groups_of(name)) if loaded else ""
    return f"| `{name}` | {_types(operator.dtypes)} | {operator.limits} | {types} | {group} |"


def _types(dtypes: tuple[DType, ...]) -> str:
    for words, whole in (("all", ALL), ("numbers", NUMBERS), ("integers", INTEGERS)):
        if set(dtypes) == set(whole):
            return words
    if not dtypes:
        return "numbers that are known at build time"
    if set(dtypes) == {*INTEGERS, DType.BOOL}:
        return "integers, bool"
    return ", ".join(dtype.torch_name for dtype in DType if dtype in dtypes)


def main() -> int:
    """Write the document, or compare it."""
    if "--check" in sys.argv[1:]:
        same = DOCUMENT.is_file() and DOCUMENT.read_text(encoding="utf-8") == document()
        print("up to date" if same else "differs: run python scripts/operators_doc.py")
        return 0 if same else 1
    DOCUMENT.write_text(document(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
