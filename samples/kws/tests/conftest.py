# SPDX-License-Identifier: Apache-2.0
"""Puts the sample's Python files on the path, and builds its C files for the host."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from ctypes import CDLL
from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(SAMPLE), str(SAMPLE / "train")]


@pytest.fixture(scope="session")
def build_library(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., CDLL]:
    """Returns a function that compiles files of src/ into one library and loads it."""
    from compile_c import CHECKED, compile_shared

    def build(*names: str) -> CDLL:
        sources = [SAMPLE / "src" / name for name in names]
        target = tmp_path_factory.mktemp("library") / "lib.so"
        return CDLL(str(compile_shared(sources, target, CHECKED)))

    return build


@pytest.fixture(scope="session")
def front_end_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The C front end, checked for undefined behaviour."""
    import frontend_c
    from compile_c import CHECKED

    return frontend_c.build(tmp_path_factory.mktemp("frontend"), CHECKED)


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The application for the host with sanitizers; kws_stream lies beside it."""
    folder = tmp_path_factory.mktemp("app")
    flags = "-fsanitize=address,undefined -fno-sanitize-recover=all"
    configure = ["cmake", "-S", str(SAMPLE), "-B", str(folder)]
    configure += [f"-DCMAKE_C_FLAGS={flags}", f"-DPython3_EXECUTABLE={sys.executable}"]
    for command in (configure, ["cmake", "--build", str(folder), "--parallel", "2"]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder / "kws"
