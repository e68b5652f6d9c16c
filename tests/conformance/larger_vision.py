# SPDX-License-Identifier: Apache-2.0
"""Larger networks for images: MobileNet V2 and V3, a detector with two scales, a U-Net.

Written out here, small in width, with the structure of the networks that carry these names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import nn
from torch.nn import functional

from conformance.models import with_statistics
from conformance.program import Program, Shape, program

_Module = Callable[[], nn.Module]


def vision() -> list[Program]:
    """Image classification, detection, segmentation."""

    def model(name: str, make: _Module, shape: Shape, seed: int, **options: object) -> Program:
        return program(
            name,
            partial(_trained, make, shape, seed),
            shape,
            smooth=True,
            keep_weights=True,
            spread=0.8,
            offset=0.1,
            **options,
        )

    return [
        model("mobilenet_v2", MobileNetV2, (1, 3, 64, 64), 20),
        model("mobilenet_v3", MobileNetV3, (1, 3, 64, 64), 21),
        model("detector", Detector, (1, 3, 64, 64), 22),
        model("unet", UNet, (1, 1, 32, 32), 23),
    ]


def _trained(make: _Module, shape: Shape, seed: int) -> nn.Module:
    return with_statistics(make(), shape, seed, smooth=True)


def _conv(
    inputs: int,
    outputs: int,
    kernel: int,
    stride: int = 1,
    *,
    groups: int = 1,
    activation: _Module | None = nn.ReLU,
) -> list[nn.Module]:
    """Convolution without bias, batch normalization, activation."""
    layers: list[nn.Module] = [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]
    return layers if activation is None else [*layers, activation()]


class InvertedResidual(nn.Module):
    """Widen, filter each channel, narrow; add the input where shapes agree."""

    def __init__(self, inputs: int, outputs: int, stride: int, factor: int) -> None:
        super().__init__()
        wide = inputs * factor
        expand = [] if factor == 1 else _conv(inputs, wide, 1, activation=nn.ReLU6)
        self.adds = stride == 1 and inputs == outputs
        self.layers = nn.Sequential(
            *expand,
            *_conv(wide, wide, 3, stride, groups=wide, activation=nn.ReLU6),
            *_conv(wide, outputs, 1, activation=None),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the block's output."""
        result: torch.Tensor = self.layers(x)
        return x + result if self.adds else result


class MobileNetV2(nn.Module):
    """The 17 blocks of MobileNet V2 with a quarter of its channels."""

    #: Expansion factor, channels, number of blocks, stride of the first.
    STAGES = (
        (1, 4, 1, 1),
        (6, 6, 2, 2),
        (6, 8, 3, 2),
        (6, 16, 4, 2),
        (6, 24, 3, 1),
        (6, 40, 3, 2),
        (6, 80, 1, 1),
    )

    def __init__(self, classes: int = 10) -> None:
        super().__init__()
        layers: list[nn.Module] = _conv(3, 8, 3, 2, activation=nn.ReLU6)
        channels = 8
        for factor, outputs, count, stride in self.STAGES:
            for index in range(count):
                step = stride if index == 0 else 1
                layers.append(InvertedResidual(channels, outputs, step, factor))
                channels = outputs
        layers += _conv(channels, 160, 1, activation=nn.ReLU6)
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Linear(160, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores [n, classes]."""
        pooled = functional.adaptive_avg_pool2d(self.features(x), 1)
        scores: torch.Tensor = self.classifier(torch.flatten(pooled, 1))
        return scores


class SqueezeExcite(nn.Module):
    """Scale each channel by a value between 0 and 1 that follows from all channels' averages."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        narrow = max(channels // 4, 4)
        self.squeeze = nn.Conv2d(channels, narrow, 1)
        self.excite = nn.Conv2d(narrow, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scaled image."""
        average = functional.adaptive_avg_pool2d(x, 1)
        return x * functional.hardsigmoid(self.excite(torch.relu(self.squeeze(average))))


class Bneck(nn.Module):
    """A block of MobileNet V3."""

    def __init__(
        self,
        channels: tuple[int, int, int],
        kernel: int,
        stride: int,
        squeeze: bool,
        activation: _Module,
    ) -> None:
        super().__init__()
        inputs, wide, outputs = channels
        expand = [] if wide == inputs else _conv(inputs, wide, 1, activation=activation)
        self.adds = stride == 1 and inputs == outputs
        self.layers = nn.Sequential(
            *expand,
            *_conv(wide, wide, kernel, stride, groups=wide, activation=activation),
            *([SqueezeExcite(wide)] if squeeze else []),
            *_conv(wide, outputs, 1, activation=None),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the block's output."""
        result: torch.Tensor = self.layers(x)
        return x + result if self.adds else result


class MobileNetV3(nn.Module):
    """The 11 blocks of MobileNet V3 small with half of its channels."""

    #: Input, expanded and output channels, kernel, stride, squeeze-excite, hardswish.
    BLOCKS = (
        ((8, 8, 8), 3, 2, True, False),
        ((8, 36, 12), 3, 2, False, False),
        ((12, 44, 12), 3, 1, False, False),
        ((12, 48, 20), 5, 2, True, True),
        ((20, 120, 20), 5, 1, True, True),
        ((20, 120, 20), 5, 1, True, True),
        ((20, 60, 24), 5, 1, True, True),
        ((24, 72, 24), 5, 1, True, True),
        ((24, 144, 48), 5, 2, True, True),
        ((48, 144, 48), 5, 1, True, True),
        ((48, 144, 48), 5, 1, True, True),
    )

    def __init__(self, classes: int = 10) -> None:
        super().__init__()
        blocks = [
            Bneck(channels, kernel, stride, squeeze, nn.Hardswish if swish else nn.ReLU)
            for channels, kernel, stride, squeeze, swish in self.BLOCKS
        ]
        self.features = nn.Sequential(
            *_conv(3, 8, 3, 2, activation=nn.Hardswish),
            *blocks,
            *_conv(48, 144, 1, activation=nn.Hardswish),
        )
        self.classifier = nn.Sequential(nn.Linear(144, 96), nn.Hardswish(), nn.Linear(96, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores [n, classes]."""
        pooled = functional.adaptive_avg_pool2d(self.features(x), 1)
        scores: torch.Tensor = self.classifier(torch.flatten(pooled, 1))
        return scores


class Detector(nn.Module):
    """Boxes on two grids, one of 8x8 and one of 4x4 cells, as the YOLO family has them.

    The coarse features are widened to the fine grid and joined to the fine ones. Each of three
    anchors of a cell has four coordinates, a confidence and two classes.
    """

    ANCHORS = 3
    VALUES = 7

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(*_conv(3, 8, 3, 2), *_conv(8, 16, 3, 2), nn.MaxPool2d(2))
        self.fine = nn.Sequential(*_conv(16, 16, 3), *_conv(16, 24, 1))
        self.coarse = nn.Sequential(nn.MaxPool2d(2), *_conv(24, 32, 3))
        self.narrow = nn.Sequential(*_conv(32, 12, 1))
        self.joined = nn.Sequential(*_conv(36, 24, 3))
        self.fine_head = nn.Conv2d(24, self.ANCHORS * self.VALUES, 1)
        self.coarse_head = nn.Conv2d(32, self.ANCHORS * self.VALUES, 1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return boxes [n, anchors, rows, columns, values] of both grids, and all in one list."""
        fine = self.fine(self.stem(x))
        coarse = self.coarse(fine)
        wide = functional.interpolate(self.narrow(coarse), scale_factor=2.0, mode="nearest")
        joined = self.joined(torch.cat((wide, fine), 1))
        grids = [self._boxes(self.fine_head(joined)), self._boxes(self.coarse_head(coarse))]
        flat = torch.cat([grid.reshape(x.shape[0], -1, self.VALUES) for grid in grids], 1)
        return grids[0], grids[1], flat

    def _boxes(self, x: torch.Tensor) -> torch.Tensor:
        batch, _, rows, columns = x.shape
        split = x.reshape(batch, self.ANCHORS, self.VALUES, rows, columns)
        return torch.sigmoid(split.permute(0, 1, 3, 4, 2))


class UNet(nn.Module):
    """Two steps down, two steps up by transposed convolution, with joins between equal sizes."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(*_conv(1, 8, 3), *_conv(8, 8, 3))
        self.second = nn.Sequential(nn.MaxPool2d(2), *_conv(8, 16, 3), *_conv(16, 16, 3))
        self.bottom = nn.Sequential(nn.MaxPool2d(2), *_conv(16, 32, 3))
        # Joined values share a range: stock lowering fuses a ReLU only where that starts at zero.
        self.up_second = nn.Sequential(nn.ConvTranspose2d(32, 16, 2, 2), nn.ReLU())
        self.join_second = nn.Sequential(*_conv(32, 16, 3))
        self.up_first = nn.Sequential(nn.ConvTranspose2d(16, 8, 4, 2, 1), nn.ReLU())
        self.join_first = nn.Sequential(*_conv(16, 8, 3))
        self.head = nn.Conv2d(8, 2, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return a probability [n, 2, rows, columns] of each of two classes for each pixel."""
        first = self.first(x)
        second = self.second(first)
        up = self.up_second(self.bottom(second))
        second = self.join_second(torch.cat((up, second), 1))
        first = self.join_first(torch.cat((self.up_first(second), first), 1))
        return torch.sigmoid(self.head(first))
