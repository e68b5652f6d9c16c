# SPDX-License-Identifier: Apache-2.0
"""Long recordings with known words in them, and how well they are spotted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import augment
from detector_c import Detection, Detector, setting
from engines import RATE, Waveform
from frontend import HOP
from frontend_c import FrontEnd
from quantise import Model
from recordings import SENTENCE, Recording, Samples
from vocabulary import KEYWORDS, LABELS

LATEST_MS = 900
"""A report counts for a word when it comes at most so long after the word's end."""


@dataclass(frozen=True)
class Spoken:
    """A keyword in a stream."""

    word: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True)
class Stream:
    """Sound, and the keywords that are in it."""

    samples: Samples
    spoken: tuple[Spoken, ...]


@dataclass(frozen=True)
class Score:
    """How a stream was heard."""

    spoken: int
    hits: int
    false_reports: int
    seconds: float


def compose(
    parts: Sequence[Recording],
    talkers: Sequence[Waveform],
    rng: augment.Rng,
    *,
    snr: tuple[float, float] = (8.0, 25.0),
    gap: tuple[float, float] = (0.5, 1.6),
    record: Callable[..., Samples] = augment.record,
) -> Stream:
    """Put recordings one after the other, with pauses, into one background.

    `record` is augment.record() or a function with the same arguments.
    """
    pieces, spoken, at = [np.zeros(RATE // 2)], [], RATE // 2
    for part in parts:
        dry = part.samples / 32768
        pause = np.zeros(int(rng.uniform(*gap) * RATE))
        if part.word in KEYWORDS:
            end = at + len(dry)
            spoken.append(Spoken(part.word, at * 1000 // RATE, end * 1000 // RATE))
        pieces += [dry, pause]
        at += len(dry) + len(pause)
    dry = np.concatenate(pieces)
    background = augment.noise(len(dry), talkers, rng)
    return Stream(record(dry, background, rng, snr=snr), tuple(spoken))


def listen(
    samples: Samples, model: Model, scale: float, front_end: FrontEnd, detector: Path
) -> list[Detection]:
    """Run the C front end, the model and the C detector over samples, as the application does.

    `scale` is what the scores of `model` are rounded to before the detector sees them.
    """
    every = setting("KWS_HOPS_PER_INFERENCE")
    front_end.reset()
    windows, times = [], []
    for number in range(len(samples) // HOP):
        front_end.push(samples[number * HOP : (number + 1) * HOP])
        if (number + 1) % every == 0:
            windows.append(front_end.read())
            times.append((number + 1) * HOP * 1000 // RATE)
    scores = np.rint(model(np.stack(windows)) / scale)
    # The detector looks at differences alone: put the best at the top of the int8 range.
    rows = np.clip(scores - scores.max(axis=1, keepdims=True) + 127, -128, 127).astype(np.int8)
    decide = Detector(detector, scale)
    reports = [decide.update(row, time) for row, time in zip(rows, times, strict=True)]
    return [report for report in reports if report is not None]


def score(stream: Stream, reports: Sequence[Detection]) -> Score:
    """Match reports with the words that were spoken; each word counts once."""
    missing = list(stream.spoken)
    hits = 0
    for report in reports:
        for word in missing:
            in_time = word.start_ms < report.time_ms <= word.end_ms + LATEST_MS
            if in_time and word.word == LABELS[report.label]:
                missing.remove(word)
                hits += 1
                break
    seconds = len(stream.samples) / RATE
    return Score(len(stream.spoken), hits, len(reports) - hits, seconds)


def test_streams(recordings: Sequence[Recording], count: int, seed: int) -> list[Stream]:
    """Streams of 24 utterances of one speaker each: half keywords, half other words, a sentence."""
    rng = np.random.default_rng(seed)
    talkers = [part.samples / 32768 for part in recordings if part.word == SENTENCE]
    speakers = sorted({part.voice.speaker for part in recordings})
    streams = []
    for number in range(count):
        own = [p for p in recordings if p.voice.speaker == speakers[number % len(speakers)]]
        kinds = (
            [part for part in own if part.word in KEYWORDS],
            [part for part in own if part.word not in (*KEYWORDS, SENTENCE)],
            [part for part in own if part.word == SENTENCE],
        )
        parts = [
            kind[rng.integers(len(kind))]
            for kind, share in zip(kinds, (12, 11, 1), strict=True)
            for _ in range(share)
        ]
        order = rng.permutation(len(parts))
        streams.append(compose([parts[i] for i in order], talkers, rng))
    return streams
