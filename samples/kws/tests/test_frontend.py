# SPDX-License-Identifier: Apache-2.0
"""The C front end and its Python twin give the same bits, and both do what they claim."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import frontend
from frontend import FRAMES, HOP, RATE, WINDOW, Grid
from frontend_c import FrontEnd

SHIPPED = Grid.of(1 / 32, 0)
OTHER = Grid.of(0.0473, -17)
CLIPS = Path(__file__).resolve().parent.parent / "clips"


def _time() -> NDArray[np.float64]:
    return np.arange(RATE) / RATE


def _pcm(values: NDArray[np.float64]) -> NDArray[np.int16]:
    return np.clip(np.rint(values), -32768, 32767).astype(np.int16)


def _signals() -> dict[str, NDArray[np.int16]]:
    rng, time = np.random.default_rng(5), _time()
    signals = {
        "silence": np.zeros(RATE, dtype=np.int16),
        "offset": np.full(RATE, 1234, dtype=np.int16),
        "lowest": np.full(RATE, -32768, dtype=np.int16),
        "square at full scale": _pcm(np.where(np.sin(2 * np.pi * 440 * time) > 0, 1e6, -1e6)),
        "fastest": _pcm(np.where(np.arange(RATE) % 2 == 0, 1e6, -1e6)),
        "clipped noise": _pcm(rng.standard_normal(RATE) * 60000),
        "impulse": _pcm(np.where(np.arange(RATE) == 8000, 32767.0, 0.0)),
        "chirp": _pcm(20000 * np.sin(2 * np.pi * 3900 * time**2)),
    }
    for frequency in (50, 81, 440, 1000, 3333, 7999):
        signals[f"{frequency} Hz"] = _pcm(32767 * np.sin(2 * np.pi * frequency * time))
    for deviation in (0.4, 1, 3, 10, 100, 1000, 10000):
        signals[f"noise {deviation}"] = _pcm(rng.standard_normal(RATE) * deviation)
    return signals


@pytest.mark.parametrize("grid", [SHIPPED, OTHER], ids=["shipped", "other"])
@pytest.mark.parametrize("name", _signals())
def test_c_equals_twin(name: str, grid: Grid, front_end_library: Path) -> None:
    samples = _signals()[name]
    compiled = FrontEnd(front_end_library, grid).window(samples)
    assert np.array_equal(compiled, frontend.features_of(samples, grid))


def test_c_equals_twin_on_speech(front_end_library: Path) -> None:
    paths = sorted(CLIPS.glob("*.wav"))
    assert paths
    for path in paths:
        with wave.open(str(path)) as file:
            samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
        front_end = FrontEnd(front_end_library, SHIPPED)
        expected = frontend.features_of(samples, SHIPPED)
        for hop in range(len(samples) // HOP):
            front_end.push(samples[hop * HOP : (hop + 1) * HOP])
            if hop >= 1:
                assert np.array_equal(front_end.read()[-1], expected[hop - 1]), f"{path} hop {hop}"


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 32768))
def test_c_equals_twin_on_random_samples(front_end_library: Path, seed: int, limit: int) -> None:
    rng = np.random.default_rng(seed)
    samples = rng.integers(-limit, limit, RATE).astype(np.int16)
    compiled = FrontEnd(front_end_library, SHIPPED).window(samples)
    assert np.array_equal(compiled, frontend.features_of(samples, SHIPPED))


def test_ring_keeps_the_last_second_in_order(front_end_library: Path) -> None:
    rng = np.random.default_rng(8)
    samples = rng.integers(-9000, 9000, 3 * RATE + 7 * HOP).astype(np.int16)
    front_end = FrontEnd(front_end_library, SHIPPED)
    for start in range(0, len(samples), HOP):
        front_end.push(samples[start : start + HOP])
    assert np.array_equal(front_end.read(), frontend.features_of(samples, SHIPPED)[-FRAMES:])


def test_starts_as_if_it_had_been_silent(front_end_library: Path) -> None:
    silent = frontend.features_of(np.zeros(RATE, dtype=np.int16), SHIPPED)
    assert np.array_equal(FrontEnd(front_end_library, SHIPPED).read(), silent)


def test_transform_is_a_fourier_transform() -> None:
    rng = np.random.default_rng(3)
    frames = rng.integers(-20000, 20000, (4, WINDOW)).astype(np.int64)
    re, im = frontend._transform(frames)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)
    # The integer spectrum is twice the real one, with 5 fractional bits.
    expected = 64 * np.fft.rfft(frames * hann, 1024)[:, 1:512]
    error = np.abs((re + 1j * im) - expected).max() / np.abs(expected).max()
    assert error < 2e-4


def test_logarithm() -> None:
    values = np.concatenate(
        [
            2 ** np.arange(60),
            2 ** np.arange(1, 60) - 1,
            np.random.default_rng(0).integers(1, 2**60, 999),
        ]
    ).astype(np.int64)
    error = frontend.log2_of(values) / 512 - np.log2(values.astype(np.float64))
    # Rounded down to 1/512; the chords of the table add a little.
    assert error.max() <= 1e-6
    assert error.min() > -1 / 512 - 1e-4


def test_level_moves_only_the_first_coefficient() -> None:
    rng = np.random.default_rng(4)
    quiet = _pcm(rng.standard_normal(WINDOW) * 1000)
    soft, loud = frontend.cepstrum(np.stack([quiet, quiet * 8]).astype(np.int16))
    # Eight times the amplitude is 6 in log2 of power, divided by the deviation of the table.
    step = 6 / frontend.CEPSTRUM_DEVIATION[0] / frontend.FEATURE_UNIT
    assert abs(int(loud[0] - soft[0]) - step) < 0.01 * step
    assert np.abs(loud[1:] - soft[1:]).max() < 0.05 / frontend.FEATURE_UNIT


@pytest.mark.parametrize("scale, zero", [(1 / 32, 0), (0.0473, -17), (0.011, 100)])
def test_grid_rounds_to_nearest(scale: float, zero: int) -> None:
    features = np.arange(-32768, 32768, dtype=np.int64)
    exact = features * frontend.FEATURE_UNIT / scale + zero
    error = Grid.of(scale, zero).quantise(features) - np.clip(exact, -128, 127)
    # The multiplier itself is rounded: at most 2^15 / 2^17 away, and none for a power of two.
    assert np.abs(error).max() <= 0.5 + (0 if scale == 1 / 32 else 0.26)
