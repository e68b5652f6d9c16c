# SPDX-License-Identifier: Apache-2.0
"""Python twin of the audio front end in ../frontend: the same integers, bit for bit.

All arithmetic is on int64 arrays whose values fit the C types; right shifts round down, as in C.
The constants come from the same generator as the C tables.
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def _load_generator() -> ModuleType:
    path = Path(__file__).resolve().parent.parent / "frontend" / "make_tables.py"
    specification = importlib.util.spec_from_file_location("kws_make_tables", path)
    if specification is None or specification.loader is None:
        raise ImportError(f"cannot load {path}")
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


_generator = _load_generator()
_tables = _generator.make_tables()

RATE = 16000
WINDOW: int = _generator.WINDOW
HOP = WINDOW // 2
FRAMES = 49
BANDS: int = _generator.BANDS
COEFFICIENTS: int = _generator.COEFFICIENTS
CEPSTRUM_MEAN: tuple[float, ...] = _generator.CEPSTRUM_MEAN
CEPSTRUM_DEVIATION: tuple[float, ...] = _generator.CEPSTRUM_DEVIATION
FEATURE_UNIT = 1.0 / (1 << _generator.FEATURE_BITS)
"""Value of one unit of an int16 feature."""

_FFT: int = _generator.FFT
_POINTS = _FFT // 2
_WINDOW = np.array(_tables.window, dtype=np.int64)
_SINE = np.array(_tables.sine, dtype=np.int64)
_EDGE: list[int] = _tables.band_edge
_WEIGHT = np.array(_tables.band_weight, dtype=np.int64)
_LOG2 = np.array(_tables.log2, dtype=np.int64)
_COSINE = np.array(_tables.cosine, dtype=np.int64)
_OFFSET = np.array(_tables.offset, dtype=np.int64)


@dataclass(frozen=True)
class Grid:
    """How features become int8 (struct kws_grid)."""

    multiplier: int
    zero_point: int

    @classmethod
    def of(cls, scale: float, zero_point: int) -> Grid:
        """The grid of a model's input quantisation (KWS_GRID)."""
        return cls(int(65536.0 / 1024.0 / scale + 0.5), zero_point)

    def quantise(self, features: Integers) -> NDArray[np.int8]:
        """Map int16 features to int8, any shape."""
        q = ((features * self.multiplier + 32768) >> 16) + self.zero_point
        return np.clip(q, -128, 127).astype(np.int8)


def _scale(a: Integers, w: Integers) -> Integers:
    return (a * w + 8192) >> 14


def _rotate(re: Integers, im: Integers, k: Integers) -> tuple[Integers, Integers]:
    sine, cosine = _SINE[k], _SINE[k + _FFT // 4]
    return _scale(re, cosine) + _scale(im, sine), _scale(im, cosine) - _scale(re, sine)


def _bit_reversed() -> NDArray[np.int64]:
    bits = _POINTS.bit_length() - 1
    return np.array([int(f"{i:0{bits}b}"[::-1], 2) for i in range(_POINTS)], dtype=np.int64)


_ORDER = _bit_reversed()


def _transform(frames: Integers) -> tuple[Integers, Integers]:
    """Twice the bins 1 to FFT / 2 - 1 of windowed frames [n, WINDOW], as real and imaginary."""
    padded = np.zeros((len(frames), _FFT), dtype=np.int64)
    padded[:, :WINDOW] = (frames * _WINDOW + 512) >> 10
    re, im = padded[:, 0::2][:, _ORDER], padded[:, 1::2][:, _ORDER]
    half = 1
    while half < _POINTS:
        shape = (len(frames), _POINTS // (2 * half), 2, half)
        re, im = re.reshape(shape), im.reshape(shape)
        k = np.arange(half, dtype=np.int64) * (_POINTS // half)
        b_re, b_im = _rotate(re[:, :, 1], im[:, :, 1], k)
        a_re, a_im = re[:, :, 0], im[:, :, 0]
        re = np.stack([a_re + b_re, a_re - b_re], axis=2)
        im = np.stack([a_im + b_im, a_im - b_im], axis=2)
        half *= 2
    re, im = re.reshape(len(frames), _POINTS), im.reshape(len(frames), _POINTS)
    a_re, a_im = re[:, 1:], im[:, 1:]
    b_re, b_im = re[:, :0:-1], im[:, :0:-1]
    odd_re, odd_im = _rotate(a_im + b_im, b_re - a_re, np.arange(1, _POINTS, dtype=np.int64))
    return a_re + b_re + odd_re, a_im - b_im + odd_im


def _energies(re: Integers, im: Integers) -> Integers:
    """Band energies [n, BANDS] of a spectrum whose first column is bin 1."""
    power = (re * re + im * im) >> 10
    energy = np.zeros((len(re), BANDS), dtype=np.int64)
    for segment in range(BANDS + 1):
        bins = slice(_EDGE[segment] - 1, _EDGE[segment + 1] - 1)
        weight = _WEIGHT[_EDGE[segment] - _EDGE[0] : _EDGE[segment + 1] - _EDGE[0]]
        if segment < BANDS:
            energy[:, segment] += (power[:, bins] * weight).sum(axis=1)
        if segment > 0:
            energy[:, segment - 1] += (power[:, bins] * (1024 - weight)).sum(axis=1)
    return energy


def log2_of(value: Integers) -> Integers:
    """log2 with 9 fractional bits of positive values (kws_log2_of)."""
    # The exponent of a float64 is exact unless rounding carries to the next power of two.
    exponent = np.frexp(value.astype(np.float64))[1].astype(np.int64) - 1
    exponent -= (np.int64(1) << exponent) > value
    mantissa = np.where(
        exponent > 31,
        value >> np.maximum(exponent - 31, 0),
        value << np.maximum(31 - exponent, 0),
    )
    segment = (mantissa >> 25) & 63
    rest = (mantissa >> 10) & 0x7FFF
    low, high = _LOG2[segment], _LOG2[segment + 1]
    return np.asarray(exponent * 512 + ((low + (((high - low) * rest) >> 15)) >> 6))


def cepstrum(frames: NDArray[np.int16]) -> Integers:
    """Features [n, COEFFICIENTS] of frames of samples [n, WINDOW], in units of FEATURE_UNIT."""
    energy = _energies(*_transform(frames.astype(np.int64)))
    level = log2_of(energy + (1 << 24)) - 40 * 512
    features = (level @ _COSINE.T + _OFFSET) >> 14
    return np.clip(features, -32768, 32767)


def features_of(samples: NDArray[np.int16], grid: Grid) -> NDArray[np.int8]:
    """All complete frames of a waveform: [1 + (len - WINDOW) // HOP, COEFFICIENTS].

    A waveform of one second gives the 49 frames of one model input.
    """
    frames = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::HOP]
    return grid.quantise(cepstrum(frames))
