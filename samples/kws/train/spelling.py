# SPDX-License-Identifier: Apache-2.0
"""English words written so that voices of other languages come close to saying them.

These voices read by the rules of their own language. What they say has a strong accent, and their
vocal tracts are what they are wanted for.
"""

from __future__ import annotations

_DEFAULT = """
    yes:jes no:nou up:ap down:daun left:left right:rait on:on off:off stop:stop go:gou
    one:uan two:tu three:tri four:for five:faiv six:siks seven:seven eight:eit bed:bed bird:berd
    cat:ket dog:dog house:haus follow:folou learn:lern light:lait night:nait loft:loft top:top
    step:step goat:gout low:lou so:sou town:taun cup:kap open:oupen all:ol water:uoter lamp:lemp
    again:egen hello:helou today:tudei zero:ziro button:baton might:mait guess:ges
    """
_OTHERWISE = {
    "it": "yes:ies guess:ghes again:eghen",
    "fi": "",
    "cs": "right:rajt off:of five:fajv eight:ejt light:lajt night:najt today:tudej might:majt",
    "ca": "yes:ies off:of",
}


def _table(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


SPELLING: dict[str, dict[str, str]] = {
    language: _table(_DEFAULT) | _table(changes) for language, changes in _OTHERWISE.items()
}
"""Language to word to spelling."""
