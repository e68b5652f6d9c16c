# SPDX-License-Identifier: Apache-2.0
"""The detector: softmax, smoothing, threshold, rest."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import detector_c
from compile_c import CHECKED
from detector_c import Detection

LABELS = 12
SCALE = 0.12
PERIOD_MS = 160
UNKNOWN, YES, NO = 1, 2, 3


class Listener:
    """The C detector with the application's settings, fed with one sure class per window."""

    def __init__(self, library: Path) -> None:
        self._detector = detector_c.Detector(library, SCALE)
        self._time = 0

    def hear(self, *labels: int, top: int = 60) -> list[Detection]:
        """One window per label, `top` steps above the rest."""
        reports = []
        for label in labels:
            logits = np.full(LABELS, -40, dtype=np.int8)
            logits[label] += top
            self._time += PERIOD_MS
            reports.append(self._detector.update(logits, self._time))
        return [report for report in reports if report is not None]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return detector_c.build(tmp_path_factory.mktemp("detector"), CHECKED)


@pytest.fixture
def detector(library: Path) -> Listener:
    return Listener(library)


@given(st.lists(st.integers(-128, 127), min_size=LABELS, max_size=LABELS), st.floats(0.01, 0.6))
def test_softmax_is_close_to_the_real_one(library: Path, logits: list[int], scale: float) -> None:
    got = (ctypes.c_uint16 * LABELS)()
    step = ctypes.c_int32(detector_c.log2_step(scale))
    ctypes.CDLL(str(library)).kws_softmax((ctypes.c_int8 * LABELS)(*logits), step, got)
    real = np.exp((np.array(logits) - max(logits)) * scale)
    real /= real.sum()
    assert np.abs(np.array(got) / 32768 - real).max() < 1e-3
    assert sum(got) <= 32768


def test_reports_after_enough_windows(detector: Listener) -> None:
    assert detector.hear(UNKNOWN, UNKNOWN, UNKNOWN) == []
    assert detector.hear(YES, YES) == []
    (report,) = detector.hear(YES)
    assert report.label == YES
    assert report.percent > 95
    assert report.time_ms == 6 * PERIOD_MS


def test_never_reports_what_is_no_keyword(detector: Listener) -> None:
    assert detector.hear(*([0] * 20), *([UNKNOWN] * 20)) == []


def test_one_short_flash_is_not_enough(detector: Listener) -> None:
    assert detector.hear(UNKNOWN, UNKNOWN, YES, UNKNOWN, UNKNOWN, NO, UNKNOWN, UNKNOWN) == []


def test_unsure_is_not_enough(detector: Listener) -> None:
    # 2 steps of 0.12 above eleven others is a probability of about 10 percent.
    assert detector.hear(*([YES] * 10), top=2) == []


def test_rests_after_a_report(detector: Listener) -> None:
    reports = detector.hear(*([YES] * 12))
    assert [report.time_ms // PERIOD_MS for report in reports] == [3, 9]


def test_two_words_in_a_row(detector: Listener) -> None:
    reports = detector.hear(YES, YES, YES, UNKNOWN, UNKNOWN, UNKNOWN, NO, NO, NO)
    assert [report.label for report in reports] == [YES, NO]
