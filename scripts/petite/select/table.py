# SPDX-License-Identifier: Apache-2.0
"""A table of operators as C text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from petite.errors import PetiteError
from petite.select.entry import Entry
from petite.targets import InstructionSet

#: What the count of struct petite_operator_table can say.
_MOST_ENTRIES = 2**16 - 1

#: In front of the definition, in a file of its own.
_HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Written by `petite select`: {count} operators with their element types, {instruction_set}. */

"""

_DEFINITION = """\
{includes}

static const struct petite_operator_entry entries[] = {{
{entries}
}};

const struct petite_operator_table {name} = {{
	.entries = entries,
	.fallback = {fallback},
	.count = sizeof(entries) / sizeof(entries[0]),
}};
"""

_DECLARATION = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Written by `petite select`. */
#ifndef {guard}
#define {guard}

#include <petite/prepare.h>

#ifdef __cplusplus
extern "C" {{
#endif

/** Operators that loaded programs may call. */
extern const struct petite_operator_table {name};

#ifdef __cplusplus
}}
#endif

#endif /* {guard} */
"""


def table_files(
    name: str,
    entries: Sequence[Entry],
    instruction_set: InstructionSet,
    *,
    of_application: bool = False,
) -> dict[str, str]:
    """NAME.c, which defines the table NAME, and NAME.h. There is at least one entry.

    `of_application` lets programs call what the application registers, too.
    """
    head = _HEAD.format(count=len(entries), instruction_set=instruction_set, name=name)
    declaration = _DECLARATION.format(name=name, guard=f"{name.upper()}_H")
    return {
        f"{name}.c": head
        + table_definition(name, entries, instruction_set, of_application=of_application),
        f"{name}.h": declaration,
    }


def table_definition(
    name: str,
    entries: Sequence[Entry],
    instruction_set: InstructionSet,
    *,
    of_application: bool = False,
) -> str:
    """C text that defines the table NAME. PetiteError where it cannot hold the entries."""
    ordered = sorted(entries, key=lambda entry: entry.key)
    _check(name, ordered)
    # Kernels' headers come first, and the text before all others in a file: some paste "bool" into
    # names, which <stdbool.h> defines.
    kernels = sorted({h for e in ordered if (h := e.symbol_header(instruction_set)) is not None})
    headers = [*kernels, *sorted({e.header for e in ordered}), "petite/prepare.h", "stddef.h"]
    lines = [
        f'\t{{"{e.operator}", petite_prepare_{e.prepare}, {e.symbol(instruction_set)}, {e.types}}},'
        for e in ordered
    ]
    return _DEFINITION.format(
        includes="\n".join(f"#include <{header}>" for header in headers),
        entries="\n".join(lines),
        fallback="petite_prepare_application" if of_application else "NULL",
        name=name,
    )


def _check(name: str, ordered: Sequence[Entry]) -> None:
    """No entry is there twice, so that what is found does not depend on how it is looked for."""
    for entry, after in pairwise(ordered):
        if entry.key == after.key:
            of = "" if entry.dtype is None else f" from {entry.dtype.torch_name}"
            raise PetiteError(
                f"table {name}: {entry.operator}{of} is there twice, by "
                f"petite_prepare_{entry.prepare} and petite_prepare_{after.prepare}; keep one"
            )
    if len(ordered) > _MOST_ENTRIES:
        raise PetiteError(
            f"table {name}: {len(ordered):,} entries, the last of them {ordered[-1].operator}; a "
            f"table holds {_MOST_ENTRIES:,}"
        )
