# SPDX-License-Identifier: Apache-2.0
"""The two models of the tests, inputs for them, and what the compiled models say to those."""

from __future__ import annotations

import struct
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from petite.compile import Options, compile_file
from petite.run import execute
from petite.targets import find_target

SAMPLES = Path(__file__).resolve().parents[2]
SINE = SAMPLES / "hello_model" / "model" / "sine.pte"
KWS = SAMPLES / "kws" / "model" / "kws.pte"
ANGLE = struct.pack("<f", 1.0)


def features() -> bytes:
    """An input of the keyword spotter."""
    rng = np.random.default_rng(3)
    return rng.normal(0, 1.5, (1, 1, 49, 10)).astype("<f4").tobytes()


@cache
def compiled_output(program: Path, inputs: bytes) -> bytes:
    """The output of a model that was compiled into the program, on the host."""
    with tempfile.TemporaryDirectory(prefix="petite-") as folder:
        compile_file(program, Options()).write(Path(folder))
        result = execute(Path(folder), find_target("host"), 0, [[inputs]], sanitize=True)
    return result.outputs[0][0]
