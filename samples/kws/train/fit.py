# SPDX-License-Identifier: Apache-2.0
"""Trains the network."""

from __future__ import annotations

import sys

import numpy as np
import torch
from dataset import Windows
from executorch.examples.models.mlperf_tiny.ds_cnn import DSCNNKWS
from frontend import COEFFICIENTS, FRAMES
from quantise import float_model, to_input
from vocabulary import LABELS

BATCH = 128
PEAK_RATE = 4e-3


def _mask(inputs: torch.Tensor) -> torch.Tensor:
    """Hide a short random stretch of time in each window: no single sound may decide."""
    start = torch.randint(0, FRAMES, (len(inputs), 1))
    length = torch.randint(0, 6, (len(inputs), 1))
    frame = torch.arange(FRAMES)
    hidden = (frame >= start) & (frame < start + length)
    shift = torch.randn(len(inputs), 1, 1, 1) * 0.15
    return (inputs + shift * torch.tensor([1.0] + [0.0] * (COEFFICIENTS - 1))).masked_fill(
        hidden[:, None, :, None], 0.0
    )


def fit(windows: Windows, check: Windows, epochs: int, seed: int) -> torch.nn.Module:
    """Train DS-CNN from scratch on a fixed schedule; the last state counts, none is picked.

    `check` (development voices) is only printed, every few epochs.
    """
    torch.manual_seed(seed)
    # On a processor this small network runs fastest in this layout and on one thread.
    torch.set_num_threads(1)
    network: torch.nn.Module = DSCNNKWS(len(LABELS)).to(memory_format=torch.channels_last)
    # No dropout: the windows differ so much, in voice, room and noise, that this small network
    # does not learn them by heart.
    for part in network.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = 0.0
    inputs, labels = to_input(windows.features), torch.from_numpy(windows.labels)
    optimiser = torch.optim.AdamW(network.parameters(), lr=PEAK_RATE, weight_decay=2e-3, fused=True)
    steps = epochs * (len(labels) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, PEAK_RATE, total_steps=steps)
    criterion = torch.nn.CrossEntropyLoss(label_smoothing=0.05)
    for epoch in range(1, epochs + 1):
        network.train()
        order, total = torch.randperm(len(labels)), 0.0
        for start in range(0, len(labels) - BATCH + 1, BATCH):
            rows = order[start : start + BATCH]
            batch = _mask(inputs[rows]).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", torch.bfloat16):
                loss = criterion(network(batch), labels[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        network.eval()
        scores = float_model(network)(check.features)
        right = float(np.mean(scores.argmax(axis=1) == check.labels))
        print(
            f"epoch {epoch}/{epochs}: loss {total / (len(labels) // BATCH):.3f}, "
            f"development voices {100 * right:.1f} %",
            file=sys.stderr,
            flush=True,
        )
    network.eval()
    return network
