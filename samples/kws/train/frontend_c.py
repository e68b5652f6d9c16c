# SPDX-License-Identifier: Apache-2.0
"""The C front end in Python's process: what runs on the device makes the training data too."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from compile_c import FAST, compile_shared
from frontend import COEFFICIENTS, FRAMES, HOP, Grid

SOURCES = Path(__file__).resolve().parent.parent / "frontend"


class _Grid(ctypes.Structure):
    _fields_ = [("multiplier", ctypes.c_int32), ("zero_point", ctypes.c_int32)]


def build(folder: Path, flags: tuple[str, ...] = FAST) -> Path:
    """Compile the front end to a shared object in `folder`."""
    sources = [SOURCES / name for name in ("frontend.c", "fft.c", "mel.c", "tables.c")]
    return compile_shared(sources, folder / "libkws_frontend.so", flags)


class FrontEnd:
    """One audio stream through the C code."""

    def __init__(self, library: Path, grid: Grid) -> None:
        self._code = ctypes.CDLL(str(library))
        self._grid = _Grid(grid.multiplier, grid.zero_point)
        # Larger than struct kws_frontend, and aligned for it.
        self._state = (ctypes.c_uint64 * 1024)()
        self.reset()

    def reset(self) -> None:
        """Start a new stream."""
        self._code.kws_frontend_init(ctypes.byref(self._state), ctypes.byref(self._grid))

    def push(self, hop: NDArray[np.int16]) -> None:
        """Take HOP samples."""
        if hop.shape != (HOP,) or hop.dtype != np.int16:
            raise ValueError(f"a hop is {HOP} int16 samples, not {hop.shape} {hop.dtype}")
        samples = np.ascontiguousarray(hop)
        self._code.kws_frontend_push(
            ctypes.byref(self._state), samples.ctypes.data_as(ctypes.c_void_p)
        )

    def read(self) -> NDArray[np.int8]:
        """The model's input for the last second: [FRAMES, COEFFICIENTS]."""
        features = np.empty((FRAMES, COEFFICIENTS), dtype=np.int8)
        self._code.kws_frontend_read(
            ctypes.byref(self._state), features.ctypes.data_as(ctypes.c_void_p)
        )
        return features

    def window(self, second: NDArray[np.int16]) -> NDArray[np.int8]:
        """Features of exactly one second of samples, whatever came before."""
        if len(second) != (FRAMES + 1) * HOP:
            raise ValueError(f"one second is {(FRAMES + 1) * HOP} samples, not {len(second)}")
        for start in range(0, len(second), HOP):
            self.push(second[start : start + HOP])
        return self.read()
