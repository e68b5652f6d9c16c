# SPDX-License-Identifier: Apache-2.0
"""The C detector in Python's process, with the settings of the application."""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from compile_c import FAST, compile_shared
from vocabulary import LABELS

SOURCES = Path(__file__).resolve().parent.parent / "src"


def setting(name: str, header: str = "spotter.h") -> int:
    """A number that a header of ../src defines."""
    path = SOURCES / header
    match = re.search(rf"^#define {name} (\d+)$", path.read_text(), re.MULTILINE)
    if match is None:
        raise ValueError(f"{path} does not define {name}")
    return int(match.group(1))


class _Config(ctypes.Structure):
    _fields_ = [
        ("log2_step", ctypes.c_int32),
        ("threshold", ctypes.c_uint32),
        ("rest_ms", ctypes.c_uint32),
    ]


class _Detection(ctypes.Structure):
    _fields_ = [
        ("label", ctypes.c_uint32),
        ("percent", ctypes.c_uint32),
        ("time_ms", ctypes.c_uint32),
    ]


@dataclass(frozen=True)
class Detection:
    """A reported keyword."""

    label: int
    percent: int
    time_ms: int


def build(folder: Path, flags: tuple[str, ...] = FAST) -> Path:
    """Compile the detector to a shared object in `folder`."""
    return compile_shared([SOURCES / "detector.c"], folder / "libkws_detector.so", flags)


def log2_step(scale: float) -> int:
    """KWS_LOG2_STEP."""
    return int(math.log2(math.e) * 65536.0 * scale + 0.5)


class Detector:
    """One stream of model outputs through the C code."""

    def __init__(self, library: Path, scale: float) -> None:
        self._code = ctypes.CDLL(str(library))
        self._code.kws_detector_update.restype = ctypes.c_bool
        # Larger than struct kws_detector, and aligned for it.
        self._state = (ctypes.c_uint64 * 64)()
        threshold = 32768 * setting("KWS_THRESHOLD_PERCENT") // 100
        config = _Config(log2_step(scale), threshold, setting("KWS_REST_MS"))
        self._code.kws_detector_init(ctypes.byref(self._state), ctypes.byref(config))

    def update(self, logits: NDArray[np.int8], time_ms: int) -> Detection | None:
        """Take one model output [len(LABELS)]."""
        if logits.shape != (len(LABELS),) or logits.dtype != np.int8:
            raise ValueError(f"expected {len(LABELS)} int8, got {logits.shape} {logits.dtype}")
        row, found = np.ascontiguousarray(logits), _Detection()
        reported = self._code.kws_detector_update(
            ctypes.byref(self._state),
            row.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_uint32(time_ms),
            ctypes.byref(found),
        )
        return Detection(found.label, found.percent, found.time_ms) if reported else None
