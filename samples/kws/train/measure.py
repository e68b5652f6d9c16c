# SPDX-License-Identifier: Apache-2.0
"""Measures the constants that ../frontend/make_tables.py centres and scales the cepstrum with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import frontend
from dataset import TRAIN_SNR, Sampler
from recordings import Recording
from vocabulary import SILENCE


def cepstrum_statistics(
    recordings: Sequence[Recording], count: int = 1500, seed: int = 1
) -> tuple[list[float], list[float]]:
    """Mean and deviation of each coefficient over augmented speech, in log2 units.

    What the present tables subtract and divide by is undone first.
    """
    sampler, rng = Sampler(recordings, TRAIN_SNR), np.random.default_rng(seed)
    frames: list[frontend.Integers] = []
    while len(frames) < count:
        samples, label, _ = sampler.draw(rng)
        if label != SILENCE:
            view = np.lib.stride_tricks.sliding_window_view(samples, frontend.WINDOW)
            frames.append(frontend.cepstrum(view[:: frontend.HOP]))
    features = np.concatenate(frames) * frontend.FEATURE_UNIT
    deviation = np.array(frontend.CEPSTRUM_DEVIATION)
    raw = features * deviation + np.array(frontend.CEPSTRUM_MEAN)
    return (
        [round(float(value), 3) for value in raw.mean(axis=0)],
        [round(float(value), 3) for value in raw.std(axis=0)],
    )
