# SPDX-License-Identifier: Apache-2.0
"""The four models of MLPerf Tiny, with weights and statistics as a trained network has them."""

from __future__ import annotations

from functools import partial

import torch
from executorch.examples.models.mlperf_tiny import (
    DSCNNKWS,
    DeepAutoEncoder,
    MobileNetV1025,
    ResNet8,
)
from torch import nn

from conformance.program import Program, lively, program, smooth_noise, white_noise

_BATCHES = 6
_BATCH_SIZE = 8


def with_statistics(model: nn.Module, shape: tuple[int, ...], seed: int, smooth: bool) -> nn.Module:
    """Weights of different scales, then batch norm statistics measured on data.

    Statistics that do not fit the activations would let values grow or vanish from layer to
    layer. Returns the model in eval mode.
    """
    lively(model, seed)
    generator = torch.Generator().manual_seed(seed + 1)
    for part in model.modules():
        if isinstance(part, (nn.BatchNorm1d, nn.BatchNorm2d)):
            part.reset_running_stats()
            # None is a plain average over all batches instead of a moving one.
            part.momentum = None
    model.train()
    with torch.no_grad():
        for _ in range(_BATCHES):
            noise = smooth_noise if smooth else white_noise
            model(noise((_BATCH_SIZE, *shape[1:]), generator) * 0.8 + 0.1)
    return model.eval()


def _make(kind: type[nn.Module], shape: tuple[int, ...], seed: int) -> nn.Module:
    return with_statistics(kind(), shape, seed, smooth=len(shape) == 4)


def mlperf_tiny() -> list[Program]:
    """Keyword spotting, visual wake words, image classification, anomaly detection."""
    models: tuple[tuple[str, type[nn.Module], tuple[int, ...]], ...] = (
        ("ds_cnn", DSCNNKWS, (1, 1, 49, 10)),
        ("mobilenet_v1_025", MobileNetV1025, (1, 3, 96, 96)),
        ("resnet8", ResNet8, (1, 3, 32, 32)),
        ("deep_autoencoder", DeepAutoEncoder, (1, 640)),
    )
    return [
        program(
            name,
            partial(_make, kind, shape, seed),
            shape,
            smooth=len(shape) == 4,
            keep_weights=True,
            spread=0.8,
            offset=0.1,
            calls=4,
        )
        for seed, (name, kind, shape) in enumerate(models)
    ]
