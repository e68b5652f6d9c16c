# SPDX-License-Identifier: Apache-2.0
"""The whole application on the shipped clips, on the host, with the shipped model."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

#: With test_play.py: one worker builds the application, once.
pytestmark = pytest.mark.xdist_group("kws")

SAMPLE = Path(__file__).resolve().parent.parent
CLIPS = SAMPLE / "clips"


def run(app: Path, folder: Path, *clips: str) -> tuple[int, str, list[dict[str, Any]]]:
    """(exit status, all output, its JSON lines) of the application."""
    done = subprocess.run([str(app), *clips], cwd=folder, capture_output=True, text=True)
    output = done.stdout + done.stderr
    events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return done.returncode, output, events


def heard(events: list[dict[str, Any]], clip: str) -> list[str]:
    return [e["keyword"] for e in events if e["event"] == "keyword" and e["clip"] == clip]


def test_shipped_clips(app: Path) -> None:
    status, _, events = run(app, CLIPS)
    assert status == 0
    names = (CLIPS / "clips.txt").read_text().split()
    assert sorted(names) == sorted(path.name for path in CLIPS.glob("*.wav"))
    listed = {event["clip"] for event in events if event["event"] == "clip"}
    assert listed == set(names)
    expected = json.loads((CLIPS / "expected.json").read_text())
    assert {name: heard(events, name) for name in names} == expected
    summary = events[-1]
    assert summary["event"] == "summary"
    assert summary["keywords"] == sum(map(len, expected.values()))
    assert summary["failures"] == 0


def test_every_json_line_has_its_line_to_read(app: Path) -> None:
    _, output, events = run(app, CLIPS, "stream.wav")
    found = [event for event in events if event["event"] == "keyword"]
    assert found
    for event in found:
        seconds = f"{event['time_ms'] // 1000}.{event['time_ms'] // 10 % 100:02} s"
        line = rf"^stream\.wav +{re.escape(seconds)} +{event['keyword']} +{event['score']} %$"
        assert re.search(line, output, re.MULTILINE), line


def test_the_model_and_its_times_are_reported(app: Path) -> None:
    _, output, events = run(app, CLIPS, "stream.wav")
    header = (app.parent / "petite" / "kws" / "kws.h").read_text()
    model, summary = events[0], events[-1]
    assert (model["event"], model["name"], model["core"]) == ("model", "kws", "host")
    for field, macro in (("arena_bytes", "ARENA"), ("constant_bytes", "CONSTANT")):
        assert f"#define KWS_{macro}_BYTES {model[field]}\n" in header
    for event in events:
        if event["event"] in ("clip", "summary"):
            assert 0 < event["us_min"] <= event["us_mean"] <= event["us_max"]
        if event["event"] == "keyword":
            assert summary["us_min"] <= event["us"] <= summary["us_max"]
            assert event["arena_bytes"] == model["arena_bytes"]
    inferences = f"{summary['inferences']} inferences of {summary['us_mean']} us"
    assert f"{inferences} ({summary['us_min']} to {summary['us_max']})\n" in output


def test_bad_files_are_named_and_the_others_still_heard(app: Path, tmp_path: Path) -> None:
    clip = "stream.wav"
    shutil.copy(CLIPS / clip, tmp_path / clip)
    (tmp_path / "bad.wav").write_bytes(b"no sound")
    (tmp_path / "cut.wav").write_bytes((CLIPS / clip).read_bytes()[:-1000])
    (tmp_path / "clips.txt").write_text(f"bad.wav\n\nmissing.wav\ncut.wav\n{clip}")
    status, output, events = run(app, tmp_path)
    assert status == 1
    reasons = {e["clip"]: e["reason"] for e in events if e["event"] == "error"}
    assert reasons == {
        "bad.wav": "not a WAV file",
        "missing.wav": "cannot be opened",
        "cut.wav": "ends before the length that its header says",
    }
    for name, reason in reasons.items():
        assert f"{name}: {reason}\n" in output
    assert heard(events, clip)
    assert events[-1]["failures"] == 3


def test_no_list(app: Path, tmp_path: Path) -> None:
    status, output, _ = run(app, tmp_path)
    assert status == 1
    assert "\nclips.txt: cannot be opened\n" in output


def test_no_floating_point(app: Path, tmp_path: Path) -> None:
    """Compiled for a core without FPU, the sample asks for no floating-point support routine."""
    generated = app.parent / "petite" / "kws"
    sources = [*(SAMPLE / "src").glob("*.c"), *(SAMPLE / "frontend").glob("*.c")]
    root = SAMPLE.parent.parent / "runtime"
    include = [f"-I{path}" for path in (SAMPLE / "src", SAMPLE / "frontend", generated, root)]
    core = ["-mcpu=cortex-m0", "-mthumb", "-O0", "-std=c11", f"-I{root / 'include'}", *include]
    compiler = os.environ.get("PETITE_ARM_CC", "arm-none-eabi-gcc")
    for source in sources:
        if source.stem.endswith(("_host", "_zephyr")):
            continue
        made = tmp_path / f"{source.stem}.o"
        subprocess.run([compiler, *core, "-c", str(source), "-o", str(made)], check=True)
        names = subprocess.run(
            ["arm-none-eabi-nm", str(made)], check=True, capture_output=True, text=True
        ).stdout
        assert not re.search(r"__aeabi_([fd](add|sub|mul|div|2|cmp)|u?[il]2[fd])", names), source
