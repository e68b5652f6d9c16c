# SPDX-License-Identifier: Apache-2.0
"""Dry recordings: every voice says every word several times; kept on disk between runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import engines
import vocabulary
import voices
from progress import progress
from spelling import SPELLING
from voices import Voice

Samples = NDArray[np.int16]

SENTENCE = "<sentence>"
"""The `word` of a recorded sentence."""


@dataclass(frozen=True)
class Recording:
    """One utterance: trimmed 16 kHz mono samples at a peak of 0.9 full scale."""

    voice: Voice
    word: str
    """A word of the vocabulary, or SENTENCE."""
    samples: Samples


def _repeats(voice: Voice) -> tuple[int, int]:
    """How often a voice says each keyword, and each other word."""
    if voice.kind == voices.ESPEAK:
        return (6, 1)
    if voice.kind == voices.FOREIGN:
        return (24, 5)
    return (40, 4) if voice.split == voices.TRAIN else (24, 2)


def script_of(voice: Voice) -> list[tuple[str, str]]:
    """What a voice has to say: (word, text) pairs, repeated as often as wanted."""
    keyword_count, other_count = _repeats(voice)
    if voice.language != "en":
        return [
            (word, spelled)
            for word, spelled in SPELLING[voice.language].items()
            for _ in range(keyword_count if word in vocabulary.KEYWORDS else other_count)
        ]
    script = [(word, word) for word in vocabulary.KEYWORDS for _ in range(keyword_count)]
    others: tuple[str, ...] = vocabulary.UNKNOWN_TRAIN
    if voice.kind == voices.ESPEAK:  # there are many of these voices; each says half of the words
        others = others[sum(voice.name.encode()) % 2 :: 2]
    sentences = vocabulary.SENTENCES_TRAIN
    if voice.split != voices.TRAIN:
        others = others[::2] + vocabulary.UNKNOWN_TEST
        sentences = vocabulary.SENTENCES_TEST
    script += [(word, word) for word in others for _ in range(other_count)]
    script += [(SENTENCE, text) for text in sentences for _ in range(other_count)]
    return script


def _record(voice: Voice, folder: Path) -> Path:
    """Make (or find) the file with all recordings of one voice."""
    script = script_of(voice)
    digest = hashlib.sha256(repr((voice.engine, voice.name, script)).encode()).hexdigest()
    target = folder / f"{voice.engine}-{voice.name.replace(' ', '_')}-{digest[:12]}.npz"
    if target.exists():
        return target
    rng = np.random.default_rng(int(digest[:8], 16))
    spoken = [
        np.rint(samples * 32767).astype(np.int16)
        for samples in engines.say(voice, [text for _, text in script], rng)
    ]
    partial_file = target.with_suffix(".tmp.npz")
    np.savez_compressed(
        partial_file,
        samples=np.concatenate(spoken),
        ends=np.cumsum([len(samples) for samples in spoken]),
    )
    partial_file.replace(target)
    return target


def _load(voice: Voice, path: Path) -> Iterator[Recording]:
    with np.load(path) as stored:
        samples, ends = stored["samples"], stored["ends"]
    starts = np.concatenate([[0], ends[:-1]])
    for (word, _), start, end in zip(script_of(voice), starts, ends, strict=True):
        yield Recording(voice, word, samples[start:end])


def record_all(wanted: Iterable[Voice], folder: Path, workers: int = 2) -> list[Recording]:
    """Recordings of all wanted voices, from `folder` where they were made before."""
    folder.mkdir(parents=True, exist_ok=True)
    chosen = list(wanted)
    recordings: list[Recording] = []
    with ProcessPoolExecutor(workers) as pool:
        paths = pool.map(partial(_record, folder=folder), chosen)
        for number, (voice, path) in enumerate(zip(chosen, paths, strict=True), 1):
            progress("recordings: voice", number, len(chosen))
            recordings.extend(_load(voice, path))
    return recordings
