# SPDX-License-Identifier: Apache-2.0
"""Trains the network."""

from __future__ import annotations

import sys

import numpy as np
import torch
from executorch.examples.models.mlperf_tiny.ds_cnn import DSCNNKWS

from dataset import Windows
from frontend import COEFFICIENTS, FRAMES
from quantise import float_model, to_input
from vocabulary import LABELS

BATCH = 128
PEAK_RATE = 4e-3


def _disturb(inputs: torch.Tensor) -> torch.Tensor:
    """Vary features [n, 1, FRAMES, COEFFICIENTS] as other voices and microphones would.

    Speed by up to 15 %, a constant added to each coefficient, the spread of each coefficient, and
    a short stretch of time hidden: no single sound may decide.
    """
    count, frame = len(inputs), torch.arange(FRAMES)
    speed = 0.85 + 0.3 * torch.rand(count, 1)
    centre = FRAMES * torch.rand(count, 1)
    source = (centre + (frame - centre) * speed).round().clamp(0, FRAMES - 1).long()
    warped = inputs.gather(2, source[:, None, :, None].expand_as(inputs))
    spread = 1 + 0.1 * torch.randn(count, 1, 1, COEFFICIENTS)
    offset = 0.25 * torch.randn(count, 1, 1, COEFFICIENTS)
    start = torch.randint(0, FRAMES, (count, 1))
    hidden = (frame >= start) & (frame < start + torch.randint(0, 6, (count, 1)))
    return (warped * spread + offset).masked_fill(hidden[:, None, :, None], 0.0)


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
            batch = _disturb(inputs[rows]).contiguous(memory_format=torch.channels_last)
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
