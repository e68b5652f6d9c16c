# SPDX-License-Identifier: Apache-2.0
"""Recordings to labelled model inputs: one-second windows with augmentation."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import augment
import voices
from engines import RATE, Waveform
from frontend import COEFFICIENTS, FRAMES, Grid
from frontend_c import SOURCES, FrontEnd
from progress import progress
from recordings import SENTENCE, Recording, Samples
from vocabulary import KEYWORDS, LABELS, SILENCE, UNKNOWN, UNKNOWN_TEST

SCALE = 1.0 / 32
"""Grid of the model's input: features from -4 to just below 4, zero point 0."""
ZERO_POINT = 0
GRID = Grid.of(SCALE, ZERO_POINT)

# Shares of the windows that are not keywords, in units of one keyword's share.
_SILENCE_SHARE = 1.0
_UNKNOWN_SHARE = 3.0
# How often each kind of voice speaks: few voices are built from people, but those count most.
_KIND_SHARE = {voices.ESPEAK: 0.35, voices.HUMAN: 0.4, voices.FOREIGN: 0.25}
_CHUNK = 500

TRAIN_SNR = (3.0, 35.0)
TEST_SNR = (5.0, 30.0)


@dataclass(frozen=True)
class Windows:
    """Model inputs with what is known about each."""

    features: NDArray[np.int8]
    """[n, FRAMES, COEFFICIENTS] on GRID."""
    labels: NDArray[np.int64]
    """[n], index into LABELS."""
    groups: NDArray[np.str_]
    """[n], the speaker's name (`noise` for silence), with `+new` for words unknown to training."""


class Sampler:
    """Draws random labelled windows of sound from recordings."""

    def __init__(self, recordings: Sequence[Recording], snr: tuple[float, float]) -> None:
        self._snr = snr
        self._words: dict[str, dict[str, dict[str, list[Recording]]]] = defaultdict(dict)
        self._talkers: list[Waveform] = []
        for recording in recordings:
            word = recording.word
            if word == SENTENCE:
                self._talkers.append(recording.samples / 32768)
            elif word not in KEYWORDS:
                word = UNKNOWN
            by_speaker = self._words[word].setdefault(recording.voice.kind, {})
            by_speaker.setdefault(recording.voice.speaker, []).append(recording)

    def _pick(self, word: str, rng: augment.Rng) -> Recording:
        """A random take of a word: first the kind of voice, then the speaker, then the take."""
        by_kind = self._words[word]
        kinds = sorted(by_kind)
        shares = np.array([_KIND_SHARE[kind] for kind in kinds])
        by_speaker = by_kind[kinds[rng.choice(len(kinds), p=shares / shares.sum())]]
        speakers = sorted(by_speaker)
        takes = by_speaker[speakers[rng.integers(len(speakers))]]
        return takes[rng.integers(len(takes))]

    def _unknown(self, rng: augment.Rng) -> tuple[Waveform, str]:
        """Speech that is none of the keywords: a word, part of a sentence, or part of a keyword."""
        way = rng.uniform()
        if way < 0.2:
            recording = self._pick(SENTENCE, rng)
            start = int(rng.integers(0, max(1, len(recording.samples) - RATE)))
            dry = np.resize(recording.samples[start : start + RATE], RATE) / 32768
            return dry, recording.voice.speaker
        if way < 0.3:
            recording = self._pick(KEYWORDS[rng.integers(len(KEYWORDS))], rng)
            dry = recording.samples / 32768
            kept = int(len(dry) * rng.uniform(0.15, 0.4))
            window = np.zeros(RATE)
            if rng.uniform() < 0.5:
                window[RATE - kept :] = dry[:kept]
            else:
                window[:kept] = dry[len(dry) - kept :]
            return window, recording.voice.speaker
        recording = self._pick(UNKNOWN, rng)
        group = recording.voice.speaker + ("+new" if recording.word in UNKNOWN_TEST else "")
        return self._spoken(recording, rng), group

    def _spoken(self, recording: Recording, rng: augment.Rng) -> Waveform:
        dry = recording.samples / 32768
        if recording.voice.split == voices.TRAIN:
            dry = augment.vary_tract(dry, rng)
        return augment.place(dry, RATE, rng)

    def _silence(self, rng: augment.Rng) -> Samples:
        level = 10 ** (rng.uniform(-80, -12) / 20)
        return augment.to_pcm(augment.noise(RATE, self._talkers, rng) * level)

    def draw(self, rng: augment.Rng) -> tuple[Samples, str, str]:
        """One second of sound, its label and its group."""
        share = rng.uniform(0, len(KEYWORDS) + _SILENCE_SHARE + _UNKNOWN_SHARE)
        if share >= len(KEYWORDS) + _UNKNOWN_SHARE:
            return self._silence(rng), SILENCE, "noise"
        if share >= len(KEYWORDS):
            label = UNKNOWN
            dry, group = self._unknown(rng)
        else:
            label = KEYWORDS[int(share)]
            recording = self._pick(label, rng)
            dry, group = self._spoken(recording, rng), recording.voice.speaker
        background = augment.noise(RATE, self._talkers, rng)
        return augment.record(dry, background, rng, snr=self._snr), label, group


_worker: tuple[Sampler, FrontEnd] | None = None


def _start(sampler: Sampler, library: Path) -> None:
    global _worker
    _worker = (sampler, FrontEnd(library, GRID))


def _chunk(number: int, seed: int) -> tuple[NDArray[np.int8], list[int], list[str]]:
    if _worker is None:
        raise RuntimeError("worker not started")
    sampler, front_end = _worker
    rng = np.random.default_rng((seed, number))
    features = np.empty((_CHUNK, FRAMES, COEFFICIENTS), dtype=np.int8)
    labels, groups = [], []
    for row in range(_CHUNK):
        samples, label, group = sampler.draw(rng)
        features[row] = front_end.window(samples)
        labels.append(LABELS.index(label))
        groups.append(group)
    return features, labels, groups


def make_windows(
    recordings: Sequence[Recording],
    count: int,
    seed: int,
    *,
    snr: tuple[float, float],
    library: Path,
    cache: Path,
) -> Windows:
    """Draw `count` windows (rounded up to whole chunks); the same seed gives the same windows."""
    recipe = hashlib.sha256(repr((count, seed, snr)).encode())
    here = Path(__file__).resolve().parent
    # Whatever decides what a window holds; another version of it must not find the old windows.
    for source in (here / "augment.py", here / "dataset.py", *sorted(SOURCES.glob("*.[ch]"))):
        recipe.update(source.read_bytes())
    for recording in recordings:
        recipe.update(recording.samples.tobytes())
    path = cache / f"windows-{recipe.hexdigest()[:16]}.npz"
    if path.exists():
        with np.load(path) as stored:
            return Windows(stored["features"], stored["labels"], stored["groups"])
    windows = _draw_all(Sampler(recordings, snr), count, seed, library)
    np.savez(path, features=windows.features, labels=windows.labels, groups=windows.groups)
    return windows


def _draw_all(sampler: Sampler, count: int, seed: int, library: Path) -> Windows:
    chunks = -(-count // _CHUNK)
    features, labels, groups = [], [], []
    with ProcessPoolExecutor(2, initializer=_start, initargs=(sampler, library)) as pool:
        work = pool.map(partial(_chunk, seed=seed), range(chunks))
        for number, (rows, some_labels, some_groups) in enumerate(work, 1):
            progress("windows: chunk", number, chunks)
            features.append(rows)
            labels += some_labels
            groups += some_groups
    return Windows(np.concatenate(features), np.array(labels), np.array(groups))
