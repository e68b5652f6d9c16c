# SPDX-License-Identifier: Apache-2.0
"""Measures the benchmark models: exact, repeatable figures from emulated cores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
for directory in (ROOT / "tests", ROOT / "scripts"):
    if str(directory) not in sys.path:
        sys.path.insert(0, str(directory))

from petite.compile import Options, compile_file  # noqa: E402

#: Models of MLPerf Tiny, built from the conformance catalogue, and the sample's own.
MODELS = ("ds_cnn", "mobilenet_v1_025", "resnet8", "deep_autoencoder", "kws")


@dataclass(frozen=True)
class Figures:
    """Counts and bytes of one model on one target; int8 in and out.

    `classes` are the instructions by class; `estimated_cycles` come from a model of a Cortex-M55
    and are None for another core.
    """

    code: int
    constants: int
    flash: int
    arena: int
    stack: int
    ram: int
    instructions: int
    classes: dict[str, int]
    estimated_cycles: int | None = None


def program_file(name: str) -> Path:
    """The .pte of a benchmark model."""
    if name == "kws":
        return ROOT / "samples" / "kws" / "model" / "kws.pte"
    from conformance.programs import build, default_cache

    return build(name, default_cache()).pte


def measure(program: Path, target: str) -> Figures:
    """Run `petite run --json` on a seeded input."""
    model = compile_file(program, Options(int8_io=True))
    port = model.schedules[0].inputs[0]
    values = np.random.default_rng(1).integers(-128, 128, port.shape).astype(np.int8)
    with tempfile.TemporaryDirectory(prefix="petite-bench-") as directory:
        source = Path(directory) / "input.npy"
        np.save(source, values)
        command = [sys.executable, "-m", "petite", "run", str(program), "--input", str(source)]
        command += ["--int8-io", "--target", target, "--json"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "scripts")}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return Figures(**json.loads(done.stdout))
