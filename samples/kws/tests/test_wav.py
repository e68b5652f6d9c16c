# SPDX-License-Identifier: Apache-2.0
"""The WAV reader: good files give their samples, bad ones one clear line."""

from __future__ import annotations

import ctypes
import io
import struct
import wave
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

_Read = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32)


class _Source(ctypes.Structure):
    _fields_ = [("read", _Read), ("context", ctypes.c_void_p)]


class _Wav(ctypes.Structure):
    _fields_ = [("bytes", _Source), ("left", ctypes.c_uint32)]


def make_wav(
    samples: NDArray[np.int16], rate: int = 16000, channels: int = 1, width: int = 2
) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    return buffer.getvalue()


def parse(code: ctypes.CDLL, data: bytes) -> tuple[str | None, NDArray[np.int16], int]:
    """(error, samples, bytes missing at the end) of the C reader."""
    stream = io.BytesIO(data)

    def read(_context: int | None, target: int, size: int) -> int:
        part = stream.read(size)
        ctypes.memmove(target, part, len(part))
        return len(part)

    callback = _Read(read)
    state = _Wav()
    code.kws_wav_open.restype = ctypes.c_char_p
    error = code.kws_wav_open(ctypes.byref(state), ctypes.byref(_Source(callback, None)))
    parts = []
    while error is None:
        buffer = np.empty(320, dtype=np.int16)
        count = code.kws_wav_read(
            ctypes.byref(state), buffer.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint32(320)
        )
        parts.append(buffer[:count])
        if count < 320:
            break
    samples = np.concatenate(parts) if parts else np.empty(0, dtype=np.int16)
    return (None if error is None else error.decode()), samples, state.left


@pytest.fixture(scope="session")
def code(build_library: Callable[..., ctypes.CDLL]) -> ctypes.CDLL:
    return build_library("wav.c")


SAMPLES = np.random.default_rng(0).integers(-32768, 32767, 1000).astype(np.int16)
GOOD = make_wav(SAMPLES)


def test_good_file(code: ctypes.CDLL) -> None:
    error, samples, left = parse(code, GOOD)
    assert error is None
    assert left == 0
    assert np.array_equal(samples, SAMPLES)


def test_other_chunks_are_skipped(code: ctypes.CDLL) -> None:
    extra = b"LIST" + struct.pack("<I", 5) + b"hello\0"
    error, samples, _ = parse(code, GOOD[:12] + extra + GOOD[12:36] + extra + GOOD[36:])
    assert error is None
    assert np.array_equal(samples, SAMPLES)


@pytest.mark.parametrize(
    "data, message",
    [
        (b"", "not a WAV file"),
        (b"RIFF", "not a WAV file"),
        (b"OggS" + bytes(40), "not a WAV file"),
        (GOOD[:12], "no data chunk"),
        (GOOD[:20], "the format chunk is cut short"),
        (GOOD[:40], "no data chunk"),
        (GOOD[:12] + GOOD[36:], "the data comes before its format"),
        (make_wav(SAMPLES, rate=8000), "not at 16000 samples per second"),
        (make_wav(SAMPLES, channels=2), "not mono"),
        (make_wav(SAMPLES, width=1), "not 16-bit PCM"),
        (GOOD[:20] + struct.pack("<H", 3) + GOOD[22:], "not 16-bit PCM"),
    ],
)
def test_bad_file_gives_one_clear_line(code: ctypes.CDLL, data: bytes, message: str) -> None:
    error, samples, _ = parse(code, data)
    assert error is not None
    assert error.startswith(message)
    assert "\n" not in error
    assert len(samples) == 0


def test_cut_sound_is_noticed(code: ctypes.CDLL) -> None:
    error, samples, left = parse(code, GOOD[:-100])
    assert error is None
    assert left == 100
    assert np.array_equal(samples, SAMPLES[:-50])


@given(st.binary(max_size=200), st.integers(0, 60))
def test_damaged_files_never_break_the_reader(code: ctypes.CDLL, noise: bytes, place: int) -> None:
    parse(code, noise)
    parse(code, GOOD[:place] + noise + GOOD[place + len(noise) :])
