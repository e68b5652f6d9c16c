# SPDX-License-Identifier: Apache-2.0
"""A table of operators as C text."""

from __future__ import annotations

from collections.abc import Iterable

from petite.select.catalogue import Entry
from petite.targets import InstructionSet

_TEXT = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Written by `petite select`: {count} operators with their element types, {instruction_set}. */
#include <petite/prepare.h>

{includes}

static const struct petite_operator_entry entries[] = {{
{entries}
}};

const struct petite_operator_table {name} = {{
	.entries = entries,
	.count = sizeof(entries) / sizeof(entries[0]),
}};
"""


def table_text(name: str, entries: Iterable[Entry], instruction_set: InstructionSet) -> str:
    """The C file that defines the table `name`. There is at least one entry."""
    ordered = sorted(entries, key=lambda entry: entry.key)
    headers = sorted({h for e in ordered for h in (e.header, e.kernel_header)})
    lines = [
        f'\t{{"{e.operator}", petite_prepare_{e.prepare}, {e.symbol(instruction_set)}, '
        f"{e.dtype.plan_name}, {e.result.plan_name}}},"
        for e in ordered
    ]
    return _TEXT.format(
        count=len(ordered),
        instruction_set=instruction_set,
        includes="\n".join(f"#include <{header}>" for header in headers),
        entries="\n".join(lines),
        name=name,
    )
