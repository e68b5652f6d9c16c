# SPDX-License-Identifier: Apache-2.0
"""Bytes that each group of operators adds to a firmware that loads programs.

    python tests/budgets/operator_groups.py

writes the table of docs/loading.md: a Cortex-M55, everything in the group linked, for all element
types and for int8 and float32 alone. A group alone is measured, so what several groups share is
in each.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent.parent
if str(_ROOT / "scripts") not in sys.path:
    sys.path.insert(0, str(_ROOT / "scripts"))

from petite.ir.dtype import DType  # noqa: E402
from petite.report.elf_sizes import sizes  # noqa: E402
from petite.run.build import build  # noqa: E402
from petite.select.catalogue import ENTRIES  # noqa: E402
from petite.select.entry import Entry  # noqa: E402
from petite.select.groups import GROUPS, entries_in  # noqa: E402
from petite.select.selection import only_dtypes  # noqa: E402
from petite.select.table import table_files  # noqa: E402
from petite.targets import find_target  # noqa: E402

MAIN = _ROOT / "tests" / "loader" / "load_program.c"
TARGET = find_target("qemu-m55")
#: What quantised models compute with, and their inputs and outputs.
FEW = (DType.S8, DType.F32)
_NONE = "#include <petite/prepare.h>\n\nconst struct petite_operator_table operators = {0};\n"


def linked_bytes(entries: Sequence[Entry]) -> int:
    """Flash of a firmware with a table of these entries, in bytes."""
    files = table_files("operators", entries, TARGET.instruction_set)
    with tempfile.TemporaryDirectory(prefix="petite-groups-") as directory:
        folder = Path(directory)
        text = files["operators.c"] if entries else _NONE
        (folder / "model.c").write_text(text, encoding="utf-8")
        (folder / "model.h").write_text(files["operators.h"], encoding="utf-8")
        return sizes(build(folder, TARGET, main=MAIN)).flash


def main() -> None:
    """Print the table."""
    without = linked_bytes([])
    print("| group | what is in it | operators | bytes | int8, float32 |\n|---|---|---:|---:|---:|")
    for name, description, entries in [
        *((f"`{g.name}`", g.description, entries_in([g.name])) for g in GROUPS),
        ("all", "", list(ENTRIES)),
    ]:
        count = len({entry.operator for entry in entries})
        whole, few = (
            linked_bytes(chosen) - without for chosen in (entries, only_dtypes(entries, FEW))
        )
        print(f"| {name} | {description} | {count} | {whole:,} | {few:,} |", flush=True)


if __name__ == "__main__":
    main()
