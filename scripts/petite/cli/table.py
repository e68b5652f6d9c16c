# SPDX-License-Identifier: Apache-2.0
"""Plain-text tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns as wide as their widest cell; columns of numbers are set right."""
    cells = [[str(c) for c in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(header), *cells]) for i in range(len(header))]
    numeric = [all(_is_number(row[i]) for row in cells) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        parts = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        return "  ".join(parts).rstrip()

    rule = "  ".join("-" * w for w in widths)
    return "\n".join([line(list(header)), rule, *(line(row) for row in cells)])


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").replace("-", "").isdigit() or text == "-"
