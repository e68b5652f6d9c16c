# SPDX-License-Identifier: Apache-2.0
"""The lists of words and voices agree with the C code and keep training and test apart."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import spelling
import vocabulary
import voices


def test_labels_of_c_are_those_of_training(build_library: Callable[..., ctypes.CDLL]) -> None:
    code = build_library("labels.c")
    names = (ctypes.c_char_p * len(vocabulary.LABELS)).in_dll(code, "kws_labels")
    assert tuple((name or b"").decode() for name in names) == vocabulary.LABELS
    assert vocabulary.LABELS[2:] == vocabulary.KEYWORDS  # KWS_FIRST_KEYWORD


def test_no_speaker_is_in_two_splits() -> None:
    voices.check_splits()
    for split in (voices.TRAIN, voices.DEV, voices.TEST):
        assert {voice.kind for voice in voices.of_split(split)} >= {voices.ESPEAK, voices.HUMAN}


def test_spelled_words_are_words_of_training() -> None:
    for table in spelling.SPELLING.values():
        assert set(vocabulary.KEYWORDS) <= set(table)
        assert set(table) <= {*vocabulary.KEYWORDS, *vocabulary.UNKNOWN_TRAIN}


def test_words_are_kept_apart() -> None:
    known = {*vocabulary.KEYWORDS, *vocabulary.UNKNOWN_TRAIN}
    assert len(known) == len(vocabulary.KEYWORDS) + len(set(vocabulary.UNKNOWN_TRAIN))
    assert not known & set(vocabulary.UNKNOWN_TEST)
    spoken = " ".join(vocabulary.SENTENCES_TRAIN + vocabulary.SENTENCES_TEST).lower().split()
    assert not set(vocabulary.KEYWORDS) & set(spoken) - {"in", "of"}
