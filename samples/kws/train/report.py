# SPDX-License-Identifier: Apache-2.0
"""What the trained model is worth: tables in Markdown, from the voices kept for testing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dataset import TEST_SNR, Windows
from quantise import Scores
from streams import LATEST_MS, Score
from vocabulary import KEYWORDS, LABELS, UNKNOWN, UNKNOWN_TEST
from voices import DEV, ESPEAK, ESPEAK_ACCENTS, FOREIGN, HUMAN, TEST, TRAIN, of_split

Table = list[list[str]]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Results:
    """All that is reported."""

    test: Windows
    float_scores: Scores
    """Of all test windows."""
    int8_scores: Scores
    """Of the same windows."""
    train_windows: int
    train_accuracy: float
    dev_accuracy: float
    streams: Score
    """Of the int8 model, detector included."""
    pte_bytes: int
    epochs: int
    agreement: tuple[int, int]
    """Scores equal to, and one step from, those of ExecuTorch's Python reference."""


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def _render(table: Table) -> str:
    head, *rows = table
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


class _Comparison:
    """Accuracy of both models over parts of the test windows."""

    def __init__(self, results: Results) -> None:
        self.labels = results.test.labels
        self.groups = results.test.groups
        self._float = results.float_scores.argmax(axis=1)
        self._int8 = results.int8_scores.argmax(axis=1)
        self.agreement = float(np.mean(self._float == self._int8))

    def row(self, name: str, mask: Mask) -> list[str]:
        if not mask.any():
            return [name, "0", "", ""]
        right = [np.mean(said[mask] == self.labels[mask]) for said in (self._float, self._int8)]
        return [name, str(int(mask.sum())), *(_percent(float(value)) for value in right)]

    def speakers(self, kind: str) -> Mask:
        names = {voice.speaker for voice in of_split(TEST) if voice.kind == kind}
        return np.array([group.split("+")[0] in names for group in self.groups])

    def speaker(self, name: str) -> Mask:
        return np.array([group.split("+")[0] == name for group in self.groups])


def _overall(comparison: _Comparison) -> Table:
    head = ["test windows", "number", "float", "int8"]
    everything = np.ones(len(comparison.labels), dtype=np.bool_)
    keywords = comparison.labels >= LABELS.index(KEYWORDS[0])
    people, synthetic = comparison.speakers(HUMAN), comparison.speakers(ESPEAK)
    unheard = np.array([group.endswith("+new") for group in comparison.groups])
    table = [
        head,
        comparison.row("all", everything),
        comparison.row("keywords", keywords),
        comparison.row("keywords, voices built from people", keywords & people),
        comparison.row("keywords, formant synthesis (espeak-ng variants)", keywords & synthetic),
        comparison.row("words never heard in training (as unknown)", unheard),
    ]
    for voice in of_split(TEST):
        if voice.kind == HUMAN:
            name = f"all windows of {voice.speaker} ({voice.engine})"
            table.append(comparison.row(name, comparison.speaker(voice.speaker)))
    return table


def _classes(results: Results, comparison: _Comparison) -> Table:
    table = [["class", "number", "float", "int8", "int8 precision"]]
    said = results.int8_scores.argmax(axis=1)
    for index, label in enumerate(LABELS):
        claimed = said == index
        right = np.mean(comparison.labels[claimed] == index) if claimed.any() else 0.0
        row = comparison.row(label, comparison.labels == index)
        table.append([*row, _percent(float(right))])
    return table


def _voices(kind: str, split: str) -> str:
    names = {
        voice.speaker.removeprefix("espeak-") for voice in of_split(split) if voice.kind == kind
    }
    return ", ".join(sorted(names))


def summary(results: Results) -> str:
    """The table that the README repeats."""
    return _render(_overall(_Comparison(results)))


def render(results: Results) -> str:
    """The whole of REPORT.md."""
    comparison, streams = _Comparison(results), results.streams
    espeak = sum(voice.kind == ESPEAK for voice in of_split(TRAIN))
    same, near = results.agreement
    minutes = streams.seconds / 60
    return f"""# How well the shipped model does

Written by `samples/kws/train/train.py`; do not edit. Everything here is synthetic speech: it says
how the model carries over to voices that it never heard, not how it does with people in a room.

* Model: DS-CNN of MLPerf Tiny, {len(LABELS)} classes, `kws.pte` of {results.pte_bytes} bytes.
* Training: {results.train_windows} one-second windows, {results.epochs} epochs, fixed schedule.
  Accuracy of the float model on them {_percent(results.train_accuracy)}, on the development voices
  {_percent(results.dev_accuracy)}.
* int8: the C program that `petite compile` makes of `kws.pte`, on the host. Of the
  scores of the first windows, {same} are those of ExecuTorch's Python reference, {near} are one
  step away (it rounds ties of average pooling otherwise, see DESIGN.md), none is further. It and
  the float model name the same class for {_percent(comparison.agreement)} of the windows below.

## Voices that were kept for testing

{summary(results)}

A window is one second: one word of a test voice at a random place, in a room (60 %), with noise
{TEST_SNR[0]:.0f} to {TEST_SNR[1]:.0f} dB below the loudest part of the word, at a level 36 dB
below full scale to slightly clipped. {UNKNOWN.capitalize()} windows are other words, pieces of
sentences, and pieces of keywords cut off at an edge.

## By class

{_render(_classes(results, comparison))}

The columns float and int8 say how many of a class are recognised; precision says how often the
int8 model is right when it names the class.

## In a stream

{minutes:.1f} minutes of test voices: {streams.spoken} keywords, as many other words, sentences,
and noise. Front end, model, detector and their settings are those of the application. A word
counts when it is reported at most {LATEST_MS} ms after its end.

| spoken | recognised | false reports | false reports per minute |
|---|---|---|---|
| {streams.spoken} | {streams.hits} ({_percent(streams.hits / streams.spoken)}) | \
{streams.false_reports} | {streams.false_reports / minutes:.2f} |

## Who speaks

* Training, voices built from people: {_voices(HUMAN, TRAIN)}; from people who speak another
  language: {_voices(FOREIGN, TRAIN)}; espeak-ng: {espeak} variants in
  {len(set(ESPEAK_ACCENTS))} accents.
* Development: {_voices(HUMAN, DEV)}; {_voices(ESPEAK, DEV)}.
* Test: {_voices(HUMAN, TEST)}; {_voices(ESPEAK, TEST)}.
* Words never heard in training: {", ".join(UNKNOWN_TEST)}.
"""


def rows_of(results: Sequence[Score]) -> Score:
    """Sum of several streams' scores."""
    return Score(
        sum(one.spoken for one in results),
        sum(one.hits for one in results),
        sum(one.false_reports for one in results),
        sum(one.seconds for one in results),
    )
