# SPDX-License-Identifier: Apache-2.0
"""The model as the device runs it, in Python's process: `petite compile`, then a C compiler."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import numpy as np

from compile_c import FAST, compile_shared
from petite.compile import Options, compile_file
from quantise import Features, Model, Scores
from vocabulary import LABELS

HERE = Path(__file__).resolve().parent
RUNTIME = HERE.parent.parent.parent / "runtime"


def _generate(pte: Path, folder: Path) -> tuple[float, int]:
    """Write kws.c and kws.h; returns scale and zero point of the output."""
    compile_file(pte, Options(name="kws", int8_io=True)).write(folder)
    header = (folder / "kws.h").read_text()
    scale = re.search(r"KWS_OUTPUT0_SCALE \(([-+.e\d]+)f\)", header)
    zero = re.search(r"KWS_OUTPUT0_ZERO_POINT \((-?\d+)\)", header)
    if scale is None or zero is None:
        raise ValueError(f"{folder / 'kws.h'} does not give the output's scale and zero point")
    return float(scale[1]), int(zero[1])


def compiled_model(pte: Path, folder: Path) -> tuple[Model, float]:
    """Build the program for the host; returns it, and the scale of its int8 scores."""
    folder.mkdir(parents=True, exist_ok=True)
    scale, zero = _generate(pte, folder)
    sources = [HERE / "one_inference.c", folder / "kws.c"]
    sources += [*RUNTIME.glob("executor/*.c"), *RUNTIME.glob("kernels/*/*.c")]
    include = tuple(f"-I{path}" for path in (folder, RUNTIME / "include", RUNTIME))
    # A name of its own for each build: a library that is loaded cannot be loaded anew.
    target = folder / f"libkws_{pte.stat().st_mtime_ns}.so"
    code = ctypes.CDLL(str(compile_shared(sources, target, (*FAST, *include))))

    def run(features: Features) -> Scores:
        scores = np.empty((len(features), len(LABELS)), dtype=np.int8)
        for row, out in zip(np.ascontiguousarray(features), scores, strict=True):
            status = code.kws_infer(
                row.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p)
            )
            if status != 0:
                raise RuntimeError(f"the compiled model returned {status}")
        return (scores.astype(np.float32) - zero) * np.float32(scale)

    return run, scale


def steps_apart(
    model: Model, reference: Model, features: Features, scale: float
) -> tuple[int, int]:
    """How many scores are equal, and how many are one step of `scale` apart.

    ExecuTorch's Python reference averages in float and rounds ties to even; on the core, ties go
    away from zero (DESIGN.md, "Numerics"). A tie in the pooling layer moves a score by at most one
    step. Raises RuntimeError where more is between the two.
    """
    steps = np.rint(np.abs(model(features) - reference(features)) / scale).astype(np.int64)
    if steps.max() > 1:
        raise RuntimeError(f"a score is {steps.max()} steps from that of ExecuTorch's reference")
    return int(np.sum(steps == 0)), int(np.sum(steps == 1))
