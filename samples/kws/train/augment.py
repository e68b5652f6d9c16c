# SPDX-License-Identifier: Apache-2.0
"""What happens to a dry recording on its way to a microphone: vocal tract, room, noise, level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engines import RATE, Waveform, resample

Rng = np.random.Generator


def convolve(samples: Waveform, response: Waveform) -> Waveform:
    """Full convolution by way of the spectrum."""
    count = len(samples) + len(response) - 1
    size = 1 << (count - 1).bit_length()
    product = np.fft.rfft(samples, size) * np.fft.rfft(response, size)
    return np.asarray(np.fft.irfft(product, size)[:count], dtype=np.float64)


def room(rng: Rng) -> Waveform:
    """A random room's impulse response: a direct sound, then noise that dies away."""
    seconds = rng.uniform(0.08, 0.4)
    time = np.arange(int(RATE * seconds)) / RATE
    tail = rng.standard_normal(len(time)) * np.exp(-6.9 * time / seconds)
    delay = int(rng.uniform(0.002, 0.015) * RATE)
    tail[:delay] = 0.0
    # Direct to reverberant energy from 18 dB (close) to 3 dB (across the room).
    tail *= 10 ** (-rng.uniform(3, 18) / 20) / max(1e-9, float(np.sqrt(np.square(tail).sum())))
    tail[0] += 1.0
    return np.asarray(tail, dtype=np.float64)


def colour(samples: Waveform, rng: Rng) -> Waveform:
    """A random microphone: smooth gains over frequency, within 9 dB or so."""
    spectrum = np.fft.rfft(samples)
    frequency = np.linspace(0.0, 1.0, len(spectrum))
    corners = np.array([0.0, 0.03, 0.08, 0.2, 0.45, 1.0])
    decibels = np.interp(frequency, corners, rng.uniform(-9, 9, len(corners)))
    return np.asarray(np.fft.irfft(spectrum * 10 ** (decibels / 20), len(samples)))


def coloured_noise(count: int, slope: float, rng: Rng) -> Waveform:
    """Noise whose power falls by frequency^slope (0 white, 1 pink, 2 brown); unit deviation."""
    spectrum = np.fft.rfft(rng.standard_normal(count))
    frequency = np.maximum(np.arange(len(spectrum)), 20 * count / RATE)
    noise = np.fft.irfft(spectrum * frequency ** (-slope / 2), count)
    return np.asarray(noise / max(1e-9, float(noise.std())))


def _hum(count: int, rng: Rng) -> Waveform:
    base, time = rng.uniform(45, 400), np.arange(count) / RATE
    partials = [
        rng.uniform(0, 1) / k * np.sin(2 * np.pi * (base * k * time + rng.uniform()))
        for k in range(1, 9)
    ]
    return np.asarray(np.sum(partials, axis=0) + 0.05 * rng.standard_normal(count))


def _clicks(count: int, rng: Rng) -> Waveform:
    noise = 0.02 * rng.standard_normal(count)
    for _ in range(rng.integers(1, 7)):
        start, length = int(rng.integers(count)), int(rng.uniform(0.002, 0.08) * RATE)
        burst = rng.standard_normal(length) * np.exp(-5 * np.arange(length) / length)
        noise[start : start + length] += burst[: count - start]
    return np.asarray(noise)


def _tones(count: int, rng: Rng) -> Waveform:
    time = np.arange(count) / RATE
    rate = rng.uniform(-800, 800)
    phase = rng.uniform(100, 3000) * time + rate * time**2 / 2
    gate = np.sin(2 * np.pi * rng.uniform(0.2, 4) * time + rng.uniform(0, 6)) > -0.3
    return np.asarray(np.sin(2 * np.pi * phase) * gate + 0.02 * rng.standard_normal(count))


def noise(count: int, talkers: Sequence[Waveform], rng: Rng) -> Waveform:
    """Background of a random kind, unit deviation; `talkers` are dry sentences for a babble."""
    kind = rng.integers(7)
    if kind <= 2:
        result = coloured_noise(count, rng.uniform(0, 2.2), rng)
    elif kind == 3:
        result = _hum(count, rng)
    elif kind == 4:
        result = _clicks(count, rng)
    elif kind == 5:
        result = _tones(count, rng)
    else:
        result = np.zeros(count)
        for _ in range(rng.integers(4, 9)):
            talker = talkers[rng.integers(len(talkers))]
            # From a random place on, round and round.
            result += np.resize(np.roll(talker, -int(rng.integers(len(talker)))), count)
        result = convolve(result, room(rng))[:count]
    if rng.uniform() < 0.3:
        result = result * np.interp(np.arange(count), [0, count - 1], rng.uniform(0.1, 1, 2))
    return np.asarray(result / max(1e-9, float(result.std())))


def vary_tract(samples: Waveform, rng: Rng) -> Waveform:
    """Play a little faster or slower: moves pitch and formants, as another tract would."""
    return resample(samples, rng.uniform(0.82, 1.22))


def to_pcm(samples: Waveform) -> NDArray[np.int16]:
    """Round to 16 bits; what is beyond full scale is clipped, as a converter does."""
    limited = np.clip(np.rint(samples * 32768), -32768, 32767)
    return np.asarray(limited, dtype=np.int16)


def record(
    dry: Waveform, background: Waveform, rng: Rng, *, snr: tuple[float, float]
) -> NDArray[np.int16]:
    """Mix `dry` (any placement in its second) into `background`, as one microphone would.

    `snr` bounds the ratio in dB between the loudest 100 ms of speech and the noise. The peak is
    anywhere from 36 dB below full scale to a little clipping.
    """
    wet = dry
    if rng.uniform() < 0.6:
        wet = convolve(wet, room(rng))[: len(dry)]
    if rng.uniform() < 0.6:
        wet = colour(wet, rng)
    blocks = wet[: len(wet) // 1600 * 1600].reshape(-1, 1600)
    loudest = float(np.sqrt(np.square(blocks).mean(axis=1).max(initial=0.0)))
    gain = loudest * 10 ** (-rng.uniform(*snr) / 20)
    if rng.uniform() < 0.15:  # the background starts or stops, as at the ends of a recording
        background = background * (np.arange(len(wet)) < rng.integers(len(wet)))
        background = background[:: rng.choice([-1, 1])]
    mixed = wet + gain * background
    peak = max(1e-9, float(np.abs(mixed).max()))
    return to_pcm(mixed * (10 ** (rng.uniform(-36, 2) / 20) / peak))


def place(word: Waveform, count: int, rng: Rng) -> Waveform:
    """Put a word somewhere into `count` samples; at most a tenth of it may be cut off."""
    if len(word) > count:
        start = (len(word) - count) // 2
        word = word[start : start + count]
    margin = len(word) // 12
    start = int(rng.integers(-margin, count - len(word) + margin + 1))
    result = np.zeros(count)
    first, last = max(start, 0), min(start + len(word), count)
    result[first:last] = word[first - start : last - start]
    return result
