# SPDX-License-Identifier: Apache-2.0
"""Trains the sample's model, a sine, and exports it to model/sine.pte. Takes some seconds.

    python samples/hello_model/train.py

It needs torch and executorch (pip install -e '.[export]'); building the sample does not.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import torch

from petite.export import export_model

HERE = Path(__file__).resolve().parent
HIDDEN = 16
STEPS = 4000


def network() -> torch.nn.Module:
    """From an angle between -pi and pi [n, 1] to its sine [n, 1]."""
    return torch.nn.Sequential(
        torch.nn.Linear(1, HIDDEN),
        torch.nn.ReLU(),
        torch.nn.Linear(HIDDEN, HIDDEN),
        torch.nn.ReLU(),
        torch.nn.Linear(HIDDEN, 1),
    )


def train(model: torch.nn.Module, angles: torch.Tensor) -> None:
    """Fit the sine of `angles` [n, 1], all of them in each step."""
    wanted = torch.sin(angles)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    for _ in range(STEPS):
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(angles), wanted).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()


def main() -> None:
    """Train, export, say what came of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--output", type=Path, default=HERE / "model" / "sine.pte")
    path = parser.parse_args().output
    torch.manual_seed(3)  # of the first four, the one that fits best
    torch.set_num_threads(1)
    angles = torch.linspace(-math.pi, math.pi, 256).unsqueeze(1)
    model = network()
    train(model, angles)
    model.eval()
    with torch.no_grad():
        error = (model(angles) - torch.sin(angles)).abs().max().item()
    report = export_model(model, (angles[:1],), [(row.unsqueeze(0),) for row in angles], path)
    print(f"{path}: {report.size} bytes, largest error before quantisation {error:.4f}")


if __name__ == "__main__":
    main()
