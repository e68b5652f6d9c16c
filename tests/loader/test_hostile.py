# SPDX-License-Identifier: Apache-2.0
"""Damaged programs are refused, or run without touching what is not theirs.

Every variant is loaded on the host with sanitizers, in memories of exactly the size it asks for.
"""

from __future__ import annotations

import re
import subprocess
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conformance.programs import build, default_cache
from loader.builds import host_program

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
FUZZ = ROOT / "tests" / "fuzz"
CACHE = default_cache()
#: Convolutions, a linear layer, a softmax, a state, a branch, a loop around one, and a sample.
SEVEN = (
    *("conv_batch_2", "linear", "softmax_rows", "state_counter"),
    *("cond_one", "loop_scan_cond", "kws"),
)
#: Those whose every byte is changed: a layer; jumps and moves.
SMALL = ("linear", "cond_one")
#: Bytes that one process of the whole sweep changes.
_STEP = 8
#: One worker builds what tries them, once.
pytestmark = pytest.mark.xdist_group("hostile programs")


def _program(name: str) -> Path:
    if name == "kws":
        return ROOT / "samples" / "kws" / "model" / "kws.pte"
    return build(name, CACHE).pte


@cache
def _hostile() -> Path:
    return host_program(HERE / "hostile_program.c", HERE / "try_program.c")


def _try(*arguments: str | Path) -> tuple[int, int]:
    """How many variants were accepted and refused."""
    done = subprocess.run(
        [str(word) for word in (_hostile(), *arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found = re.fullmatch(r"accepted (\d+) refused (\d+)\n", done.stdout)
    assert found
    return int(found[1]), int(found[2])


@pytest.mark.parametrize("name", SEVEN)
def test_a_program_cut_at_any_byte_is_refused(name: str) -> None:
    path = _program(name)
    assert _try("files", path) == (1, 0)
    assert _try("truncations", "0", "1", path) == (0, path.stat().st_size)


def _sweeps() -> list[Any]:
    """A part of each program's bytes sooner than the rest."""
    layer, branch = SMALL
    marks = {(layer, 0): (), (branch, 0): (pytest.mark.long,)}
    rest = {layer: (pytest.mark.long,), branch: (pytest.mark.exhaustive,)}
    return [
        pytest.param(name, first, marks=marks.get((name, first), rest[name]))
        for name in SMALL
        for first in range(_STEP)
    ]


@pytest.mark.parametrize(("name", "first"), _sweeps())
def test_any_byte_may_have_any_value(name: str, first: int) -> None:
    path = _program(name)
    accepted, refused = _try("changes", str(first), str(_STEP), path)
    changed = len(range(first, path.stat().st_size, _STEP))
    assert accepted + refused == 255 * changed
    # Names, and weights, say nothing about memory.
    assert accepted > 0 and refused > 0


def test_what_fuzzing_found_stays_harmless() -> None:
    findings = sorted((FUZZ / "findings").iterdir())
    accepted, refused = _try("files", *findings)
    assert accepted + refused == len(findings) > 0


def test_the_corpus_is_harmless(tmp_path: Path) -> None:
    with zipfile.ZipFile(FUZZ / "corpus.zip") as archive:
        archive.extractall(tmp_path)
    files = sorted(tmp_path.iterdir())
    accepted, refused = _try("files", *files)
    assert accepted + refused == len(files)
    # It reaches what programs do, and not only the ways to refuse them.
    assert accepted > 100
