# SPDX-License-Identifier: Apache-2.0
"""The WAV files that come with the sample: test voices, near the microphone, little noise.

They are to show the program at work, close to the microphone: a first choice in noisy rooms was
mostly missed. REPORT.md says how well the model does in harder conditions.
"""

from __future__ import annotations

import json
import wave
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import augment
from detector_c import Detection, setting
from engines import RATE, Waveform
from frontend import HOP
from recordings import SENTENCE, Recording, Samples
from streams import compose
from vocabulary import KEYWORDS, LABELS

_WORDS: tuple[tuple[str, str], ...] = (
    ("heart", "yes"),
    ("rms", "right"),
    ("rms", "left"),
    ("espeak-linda", "go"),
    ("espeak-adam", "stop"),
    ("espeak-edward", "down"),
    ("heart", "monday"),
)
"""Speaker and word of each short clip; the last is no keyword."""

_STREAM = ("down", "garden", "no", "up", "summer", "on")
_STREAM_SPEAKER = "rms"
_SEED = 20
_SNR = (20.0, 26.0)


def close_up(
    dry: Waveform, background: Waveform, rng: augment.Rng, *, snr: tuple[float, float]
) -> Samples:
    """Mix as augment.record() does, but near the microphone: no room, at half of full scale."""
    blocks = dry[: len(dry) // 1600 * 1600].reshape(-1, 1600)
    loudest = float(np.sqrt(np.square(blocks).mean(axis=1).max()))
    mixed = dry + background * loudest * 10 ** (-rng.uniform(*snr) / 20)
    return augment.to_pcm(mixed * (0.5 / float(np.abs(mixed).max())))


def write_wave(path: Path, samples: Samples) -> None:
    """Write a 16 kHz mono 16-bit WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.astype("<i2").tobytes())


def read_wave_file(path: Path) -> Samples:
    """Read what write_wave() wrote."""
    with wave.open(str(path), "rb") as file:
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(np.int16)


def _find(recordings: Sequence[Recording], speaker: str, word: str) -> Recording:
    """The first take."""
    for recording in recordings:
        if recording.voice.speaker == speaker and recording.word == word:
            return recording
    raise LookupError(f"no recording of {word!r} by {speaker}")


def write_clips(recordings: Sequence[Recording], folder: Path) -> None:
    """Write all clips and their list clips.txt."""
    rng = np.random.default_rng(_SEED)
    talkers = [part.samples / 32768 for part in recordings if part.word == SENTENCE]
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.wav"):
        stale.unlink()
    names = []
    for speaker, word in _WORDS:
        dry = augment.place(_find(recordings, speaker, word).samples / 32768, RATE, rng)
        background = augment.coloured_noise(RATE, rng.uniform(0.5, 1.5), rng)
        kind = word if word in KEYWORDS else "other"
        names.append(f"{kind}-{speaker.removeprefix('espeak-')}.wav")
        write_wave(folder / names[-1], close_up(dry, background, rng, snr=_SNR))
    parts = [_find(recordings, _STREAM_SPEAKER, word) for word in _STREAM]
    stream = compose(parts, talkers, rng, snr=_SNR, gap=(0.9, 1.3), record=close_up)
    names.append("stream.wav")
    write_wave(folder / names[-1], stream.samples)
    (folder / "clips.txt").write_text("".join(f"{name}\n" for name in names))


def write_expected(folder: Path, hear: Callable[[Samples], list[Detection]]) -> None:
    """Write expected.json: the keywords that `hear` reports in each clip.

    The application's own end of a clip, with its silence, is put at the end of the samples.
    """
    tail = setting("KWS_TAIL_HOPS", "app.h")
    expected = {}
    for name in (folder / "clips.txt").read_text().split():
        samples = read_wave_file(folder / name)
        padded = np.zeros((len(samples) // HOP + tail) * HOP, dtype=np.int16)
        padded[: len(samples)] = samples
        expected[name] = [LABELS[found.label] for found in hear(padded)]
    (folder / "expected.json").write_text(json.dumps(expected, indent=2) + "\n")
