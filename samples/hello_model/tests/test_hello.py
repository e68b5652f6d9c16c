# SPDX-License-Identifier: Apache-2.0
"""The sample on the host: what it prints is the sine, as well as the model knows it."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SAMPLE = Path(__file__).resolve().parent.parent
#: How far the model may be from the sine. It is off by 0.032 at worst at these angles; README.md.
TOLERANCE = 0.05
#: One worker builds it, once.
pytestmark = pytest.mark.xdist_group("hello_model")


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("hello")
    flags = "-Werror -Wall -Wextra -fsanitize=address,undefined -fno-sanitize-recover=all"
    configure = ["cmake", "-S", str(SAMPLE), "-B", str(folder)]
    configure += [f"-DCMAKE_C_FLAGS={flags}", f"-DPython3_EXECUTABLE={sys.executable}"]
    for command in (configure, ["cmake", "--build", str(folder), "--parallel", "2"]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    done = subprocess.run([str(folder / "hello_model")], capture_output=True, text=True)
    assert done.returncode == 0
    return done.stdout + done.stderr


def events(output: str, name: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [event for event in found if event["event"] == name]


def test_sines(output: str) -> None:
    results = events(output, "inference")
    assert [result["degrees"] for result in results] == list(range(-180, 181, 30))
    for result in results:
        exact = math.sin(math.radians(result["degrees"]))
        assert result["sine"] == pytest.approx(exact, abs=TOLERANCE), result


def test_every_result_has_its_line_to_read(output: str) -> None:
    lines = re.findall(r"^the sine of (-?\d+) degrees is about (-?\d\.\d{3})$", output, re.M)
    read = [(int(degrees), float(sine)) for degrees, sine in lines]
    assert read == [(r["degrees"], r["sine"]) for r in events(output, "inference")]


def test_the_model_is_reported(output: str) -> None:
    (model,) = events(output, "model")
    assert model["name"] == "sine"
    assert f"sine: {model['constant_bytes']} bytes of constants" in output
    assert output.endswith("done\n")
