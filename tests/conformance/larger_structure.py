# SPDX-License-Identifier: Apache-2.0
"""Networks of unusual outer structure: methods, inputs, outputs, states."""

from __future__ import annotations

from functools import cache

import torch
from torch import nn

from conformance.program import Entry, Program, lively, program

_IMAGE = (1, 3, 16, 16)


def structures() -> list[Program]:
    """Several methods with the same weights, several inputs and outputs, a stream, a branch."""
    return [
        Program(
            "methods_shared_weights",
            {
                "embed": Entry(lambda: Embedder(_backbone()), (_IMAGE,)),
                "classify": Entry(lambda: Classifier(_backbone()), (_IMAGE,)),
                "compare": Entry(lambda: Comparer(_backbone()), (_IMAGE, _IMAGE)),
            },
            keep_weights=True,
        ),
        program("several_inputs_and_outputs", Fusion, _IMAGE, (1, 12), (1, 3, 8, 8)),
        program("stream", StreamingNet, (1, 4, 1, 8), stateful=True, calls=8),
        program(
            "early_exit",
            EarlyExit,
            _IMAGE,
            quantize=False,
            calls=8,
            float_terms=145,
        ),
    ]


@cache
def _backbone() -> nn.Module:
    """One backbone for all methods."""
    layers = nn.Sequential(
        nn.Conv2d(3, 8, 3, 2, 1),
        nn.ReLU(),
        nn.Conv2d(8, 16, 3, 2, 1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
    )
    return lively(layers, 40)


class Embedder(nn.Module):
    """An image's embedding."""

    def __init__(self, backbone: nn.Module) -> None:
        super().__init__()
        self.backbone = backbone

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the embedding [n, 16]."""
        embedding: torch.Tensor = self.backbone(x)
        return embedding


class Classifier(nn.Module):
    """Classes from the embedding."""

    def __init__(self, backbone: nn.Module) -> None:
        super().__init__()
        self.backbone = backbone
        self.head = lively(nn.Linear(16, 4), 41)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return probabilities [n, 4]."""
        return torch.softmax(self.head(self.backbone(x)), -1)


class Comparer(nn.Module):
    """How alike two images are: the backbone is used twice in one method."""

    def __init__(self, backbone: nn.Module) -> None:
        super().__init__()
        self.backbone = backbone
        self.head = lively(nn.Linear(16, 1), 42)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        """Return a value between 0 and 1 [n, 1]."""
        return torch.sigmoid(self.head(self.backbone(x) * self.backbone(y)))


class Fusion(nn.Module):
    """An image, a vector and a smaller image; outputs that share layers, and one that is a pass."""

    def __init__(self) -> None:
        super().__init__()
        self.large = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU())
        self.small = nn.Sequential(nn.Conv2d(3, 8, 3, 1, 1), nn.ReLU())
        self.vector = nn.Sequential(nn.Linear(12, 8), nn.ReLU())
        self.merge = nn.Sequential(nn.Conv2d(16, 8, 1), nn.ReLU())
        self.head = nn.Linear(16, 6)

    def forward(
        self, image: torch.Tensor, vector: torch.Tensor, small: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return features [n, 8, 8, 8], scores [n, 6], their halves' larger, the small image's."""
        narrow = self.small(small)
        merged = self.merge(torch.cat((self.large(image), narrow), 1))
        pooled = torch.flatten(nn.functional.adaptive_avg_pool2d(merged, 1), 1)
        scores = self.head(torch.cat((pooled, self.vector(vector)), 1))
        first, second = scores.chunk(2, 1)
        return merged, scores, torch.maximum(first, second), narrow


class StreamingNet(nn.Module):
    """Two convolutions over time that get one row at a time, and an average over the last four.

    Each keeps the rows that it has to see again: a buffer that moves up by one row a call.
    """

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("first_past", torch.zeros(1, 4, 2, 8))
        self.register_buffer("second_past", torch.zeros(1, 8, 4, 8))
        self.register_buffer("scores_past", torch.zeros(3, 4))
        self.first = nn.Conv2d(4, 8, 3, padding=(0, 1))
        self.second = nn.Conv2d(8, 8, (3, 1), dilation=(2, 1))
        self.head = nn.Linear(64, 4)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return this row's scores [1, 4], and the largest of the last four rows' [1, 4]."""
        window = torch.cat((self.first_past, x), 2)
        self.first_past.copy_(window[:, :, 1:])
        row = torch.relu(self.first(window))
        wide = torch.cat((self.second_past, row), 2)
        self.second_past.copy_(wide[:, :, 1:])
        scores = self.head(torch.flatten(torch.relu(self.second(wide)), 1))
        recent = torch.cat((self.scores_past, scores))
        self.scores_past.copy_(recent[1:])
        best = torch.maximum(
            torch.maximum(recent[0:1], recent[1:2]), torch.maximum(recent[2:3], recent[3:4])
        )
        return scores, best


class EarlyExit(nn.Module):
    """A small classifier, and a deeper one that runs only on images that are bright.

    In float32: stock lowering quantizes nothing inside a branch, and fails where a branch returns
    what it made int8 outside.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU())
        self.small = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 2))
        self.deep = nn.Sequential(
            nn.Conv2d(16, 16, 3, 2, 1),
            nn.ReLU(),
            nn.AvgPool2d(4),
            nn.Flatten(),
            nn.Linear(16, 2),
        )

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores [1, 2], and whether they are the deeper one's."""
        bright = x.mean() > 0.3
        result: torch.Tensor = torch.cond(bright, self.deep, self.small, (self.stem(x),))
        return result, bright
