# SPDX-License-Identifier: Apache-2.0
"""`petite export`: from a function and a file of samples to a program that runs."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from petite.cli.main import main
from petite.errors import PetiteError
from petite.export.spec import load_calibration

MODULE = """
import torch


def make():
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU())
    return model.eval(), (torch.zeros(1, 1, 5, 5),)
"""


def test_from_a_function_to_outputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("maker.py").write_text(MODULE, encoding="utf-8")
    samples = np.random.default_rng(0).standard_normal((20, 1, 1, 5, 5)).astype(np.float32)
    np.savez("samples.npz", input0=samples)
    arguments = ["maker.py:make", "--calibration", "samples.npz", "--output", "m.pte"]
    assert main(["export", *arguments]) == 0
    np.save("x.npy", samples[0])
    assert main(["run", "m.pte", "--input", "x.npy", "--output", "y.npy"]) == 0
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU())
    wanted = model(torch.from_numpy(samples[0])).detach().numpy()
    # Inputs, weights and outputs each have 8 bits.
    assert np.abs(np.load("y.npy") - wanted).max() < 4 * np.abs(wanted).max() / 255


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "single": (lambda p: p.write_bytes(_npy()), "it is a single array; write it with numpy.savez"),
    "empty": (lambda p: p.write_bytes(b""), "not a readable .npz of plain arrays"),
    "text": (lambda p: p.write_text("1 2 3"), "not a readable .npz of plain arrays"),
    "names": (
        lambda p: np.savez(p, x=np.zeros((2, 1, 3))),
        "holds arrays x; the model needs input0",
    ),
    "shape": (lambda p: np.savez(p, input0=np.zeros((2, 4))), "has shape (2, 4)"),
    "none": (
        lambda p: np.savez(p, input0=np.zeros((0, 1, 3), np.float32)),
        "at least one: input0 0",
    ),
}


def _float(*shape: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.zeros(shape, np.float32)


def _npy() -> bytes:
    file = io.BytesIO()
    np.save(file, np.zeros((2, 1, 3)))
    return file.getvalue()


@pytest.mark.parametrize("name", FILES)
def test_samples_that_do_not_fit(name: str, tmp_path: Path) -> None:
    write, message = FILES[name]
    path = tmp_path / "samples.npz"
    write(path)
    with pytest.raises(PetiteError) as caught:
        load_calibration(path, (torch.zeros(1, 3),))
    assert str(caught.value).startswith(f"{path}: ") and message in str(caught.value)
    assert "\n" not in str(caught.value)
