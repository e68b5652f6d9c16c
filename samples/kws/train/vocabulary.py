# SPDX-License-Identifier: Apache-2.0
"""The words: what is recognised, what must be rejected, and which of the latter are test only."""

from __future__ import annotations

KEYWORDS: tuple[str, ...] = (
    "yes",
    "no",
    "up",
    "down",
    "left",
    "right",
    "on",
    "off",
    "stop",
    "go",
)
"""Recognised words, in the order of the model's outputs."""

SILENCE = "silence"
UNKNOWN = "unknown"

LABELS: tuple[str, ...] = (SILENCE, UNKNOWN, *KEYWORDS)
"""The model's output classes, in order. src/labels.c repeats them; a test compares the two."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Some of these sound like a keyword (night, town, goat, top): they are the hard ones. Homophones
# (know, write) are absent: nothing can tell them apart.
UNKNOWN_TRAIN: tuple[str, ...] = _words(
    """
    one two three four five six seven eight zero bed bird cat dog happy house marvin sheila tree
    forward follow learn visual light night might laugh loft often stock step shop top goat ghost
    low so snow yellow less guess noun town cup open upper all law mother water computer window
    green music lamp seventeen button again hello today
    """
)

# Never used in training: shows what happens with words that the model has not heard.
UNKNOWN_TEST: tuple[str, ...] = _words(
    """
    nine wow backward bright height press grow nose toffee cost boat supper orange kitchen table
    paper summer thunder monday garden
    """
)

SENTENCES_TRAIN: tuple[str, ...] = (
    "the weather will be fine tomorrow in the whole of the country",
    "she bought three apples and a loaf of bread at the market",
    "please tell me what time the train to the city leaves",
    "a quick brown fox jumps over the lazy dog",
    "my brother has been living near the sea for seven years",
    "we should paint the kitchen before the winter comes",
    "many people believe that coffee keeps them awake",
    "the old piano in the corner needs a careful tuning",
)

SENTENCES_TEST: tuple[str, ...] = (
    "the children were playing with a small wooden boat",
    "he never forgets to water his plants in summer",
    "her sister studies history and French literature",
    "two birds were singing in the garden this morning",
)
