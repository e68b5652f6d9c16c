# SPDX-License-Identifier: Apache-2.0
"""Programs that exist for one fault of test_known_faults.py each."""

from __future__ import annotations

import torch
from torch import nn

from conformance.program import Program, program

#: Cores that the exporter can be told, without "cortex-".
CORES = ("m0", "m0plus", "m3", "m4", "m7", "m23", "m33", "m35p", "m55", "m85")


class EveryFold(nn.Module):
    """Layers whose bias, zero point or scratch the exporter prepares for one core."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1),
            nn.Conv2d(8, 8, 3, padding=1, groups=8),
            nn.Conv2d(8, 4, 1),
            nn.AvgPool2d(2),
            nn.Flatten(),
            nn.Linear(24, 6),
            nn.Linear(6, 5, bias=False),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return scores [1, 5]."""
        result: torch.Tensor = self.layers(x)
        return result


def known_faults() -> list[Program]:
    """Faults that no other program is about."""
    return [
        *(
            program(f"core_{core}", EveryFold, (1, 3, 6, 4), target=f"cortex-{core}")
            for core in CORES
        ),
        program("rounded_twice", PlainScale, (1, 1, 16, 16), keep_weights=True, offset=0.0),
        program(
            "hardswish_beyond_int8",
            lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.Hardswish()),
            (1, 3, 7, 6),
            spread=0.4,
        ),
    ]


class PlainScale(nn.Module):
    """One channel times a weight: no sum hides how its product is rounded."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 1, bias=False)
        self.conv.weight.data = torch.tensor([0.9, 1.0, -1.1, 0.8]).reshape(4, 1, 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scale."""
        result: torch.Tensor = self.conv(x)
        return result
