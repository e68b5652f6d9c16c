# SPDX-License-Identifier: Apache-2.0
"""Recordings as C: the compiled bytes are those of the files."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).resolve().parent.parent
ALL = bytes(range(256))


class Clip(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("bytes", ctypes.c_void_p), ("size", ctypes.c_uint32))


def make(output: Path, *files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SAMPLE / "make_clips.py"), "--output", str(output)]
    return subprocess.run([*command, *map(str, files)], capture_output=True, text=True)


@pytest.mark.parametrize(
    "clips",
    [
        {"a.wav": ALL},
        {"one.wav": b"\xff", 'q"\\ä.wav': ALL * 3 + b"\x00", "two.wav": b"RIFF"},
    ],
)
def test_bytes_and_names(tmp_path: Path, clips: dict[str, bytes]) -> None:
    from compile_c import FAST, compile_shared

    files = [tmp_path / name for name in clips]
    for file, data in zip(files, clips.values(), strict=True):
        file.write_bytes(data)
    done = make(tmp_path / "clips.c", *files)
    assert done.returncode == 0, done.stderr
    flags = (*FAST, f"-I{SAMPLE / 'src'}")
    library = ctypes.CDLL(str(compile_shared([tmp_path / "clips.c"], tmp_path / "clips.so", flags)))
    assert ctypes.c_uint32.in_dll(library, "kws_clip_count").value == len(clips)
    compiled = (Clip * len(clips)).in_dll(library, "kws_clips")
    found = [(clip.name.decode(), ctypes.string_at(clip.bytes, clip.size)) for clip in compiled]
    plain = str.maketrans('"\\ä', "???")
    assert found == [(name.translate(plain), data) for name, data in clips.items()]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    empty = tmp_path / "empty.wav"
    empty.write_bytes(b"")
    for file in (tmp_path / "missing.wav", empty):
        done = make(tmp_path / "clips.c", file)
        assert done.returncode == 1
        assert done.stderr.startswith(f"{file}: ") and done.stderr.count("\n") == 1
        assert not (tmp_path / "clips.c").exists()
