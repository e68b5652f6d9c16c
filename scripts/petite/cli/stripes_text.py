# SPDX-License-Identifier: Apache-2.0
"""What runs in stripes, as text."""

from __future__ import annotations

from petite.cli.table import table
from petite.compile import CompiledModel
from petite.stripes import Striped


def stripes(model: CompiledModel) -> str:
    """Which layers, in how many stripes, and what that saves."""
    if not model.striped:
        return "No layers run in stripes."
    return "\n\n".join(map(_method, model.striped))


def _method(striped: Striped) -> str:
    rows = []
    for cut in striped.cuts:
        first, last = cut.region.ops[0], cut.region.last
        between = sum(value.size for value in cut.region.inner)
        rows.append(
            (
                _place(first.source, striped.method),
                _place(last.source, striped.method),
                len(cut.region.ops),
                cut.stripes,
                cut.height,
                f"{between:,}",
            )
        )
    text = table(["from", "to", "layers", "stripes", "rows each", "bytes never whole"], rows)
    return (
        f"{text}\n\n"
        f"In stripes, method {striped.method} needs an arena of at most {striped.after:,} bytes "
        f"instead of {striped.before:,},\n"
        f"for about {striped.flash:,} bytes of flash."
    )


def _place(source: str, method: str) -> str:
    return source.rsplit(f"method {method}: ", 1)[-1].removeprefix("instruction ")
