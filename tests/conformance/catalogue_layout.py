# SPDX-License-Identifier: Apache-2.0
"""Operators that move values: pads, permutes, joins, views; and the two layouts meeting."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from conformance.catalogue_convolution import Separable
from conformance.program import Function, Program, program

IMAGE = (1, 3, 5, 4)


def moves() -> list[Program]:
    """Pads, permutes, joins, slices and views of int8 values."""
    return [
        program(
            "pad_zero_between", lambda: nn.Sequential(nn.ZeroPad2d(1), nn.Conv2d(3, 4, 3)), IMAGE
        ),
        program(
            "pad_asymmetric",
            lambda: nn.Sequential(nn.ZeroPad2d((0, 1, 2, 0)), nn.Conv2d(3, 4, 3)),
            IMAGE,
        ),
        program("pad_value", PadBetween, (1, 3, 6, 6)),
        program("pad_contiguous", lambda: PadRows(), (2, 5)),
        program("pad_nothing", Function(lambda x: functional.pad(x + x, (0, 0, 0, 0))), IMAGE),
        program(
            "pad_channels", Function(lambda x: functional.pad(x + x, (0, 0, 0, 0, 1, 2))), IMAGE
        ),
        program("transpose_rank_2", Function(lambda x: (x + x).t()), (3, 5)),
        program("permute_rank_3", Function(lambda x: (x + x).permute(2, 0, 1)), (2, 3, 5)),
        program(
            "permute_rank_4",
            Function(lambda x: (x + x).permute(0, 3, 1, 2)),
            (2, 3, 4, 5),
            channels_last=False,
        ),
        program(
            "permute_rank_4_reverse",
            Function(lambda x: (x + x).permute(3, 2, 1, 0)),
            (2, 3, 4, 5),
            channels_last=False,
        ),
        program("permute_channels_last", Function(lambda x: (x + x).permute(0, 2, 3, 1)), IMAGE),
        program(
            "permute_rank_5", Function(lambda x: (x + x).permute(4, 0, 2, 1, 3)), (2, 3, 2, 2, 3)
        ),
        program(
            "permute_rank_6",
            Function(lambda x: (x + x).permute(0, 2, 4, 1, 3, 5)),
            (1, 2, 2, 3, 2, 2),
        ),
        program(
            "cat_channels", Function(lambda x, y: torch.cat((x + x, y + y), 1)), IMAGE, (1, 2, 5, 4)
        ),
        program(
            "cat_rows", Function(lambda x, y: torch.cat((x + x, y + y), 2)), IMAGE, (1, 3, 2, 4)
        ),
        program(
            "cat_contiguous",
            Function(lambda x, y: torch.cat((x + x, y + y), 1)),
            IMAGE,
            (1, 2, 5, 4),
            channels_last=False,
        ),
        program("cat_rank_2", Function(lambda x, y: torch.cat((x + x, y + y), -1)), (2, 3), (2, 4)),
        program("cat_convs", TwoBranches, IMAGE),
        program("slice_channels", Function(lambda x: (x + x)[:, 1:3]), IMAGE),
        program("slice_step", Function(lambda x: (x + x)[:, ::2]), (2, 7)),
        program("select", Function(lambda x: (x + x)[:, 1]), (2, 3, 4)),
        program("split", Function(lambda x: torch.split(x + x, 2, 1)), (2, 5)),
        program("stack", Function(lambda x, y: torch.stack((x + x, y + y), 1)), (2, 3), (2, 3)),
        program(
            "flatten_image",
            lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.Flatten(), nn.Linear(24, 5)),
            IMAGE,
        ),
        program(
            "flatten_contiguous", Function(lambda x: (x + x).flatten(1)), IMAGE, channels_last=False
        ),
        program("view", Function(lambda x: (x + x).view(3, 4)), (2, 6)),
        program("reshape_rank_4", Function(lambda x: (x + x).reshape(1, 2, 2, 3)), (2, 6)),
        program("squeeze", Function(lambda x: (x + x).squeeze(1)), (2, 1, 5)),
        program("unsqueeze", Function(lambda x: (x + x).unsqueeze(1)), (2, 5)),
        program(
            "dropout", lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.Dropout(0.5), nn.ReLU()), IMAGE
        ),
        program("clone", Function(lambda x: (x + x).clone()), (2, 5)),
        program(
            "identity_quantized", lambda: nn.Sequential(nn.Linear(4, 4), nn.Identity()), (1, 4)
        ),
        program("repeat", Function(lambda x: (x + x).repeat(1, 2)), (2, 3)),
        program("expand", Function(lambda x: (x + x).expand(4, 3)), (1, 3)),
        program("flip", Function(lambda x: torch.flip(x + x, (1,))), (2, 3)),
        program(
            "upsample_nearest",
            Function(lambda x: functional.interpolate(x + x, scale_factor=2)),
            IMAGE,
        ),
    ]


def networks() -> list[Program]:
    """Several inputs, several outputs, residuals, and memory formats that differ."""
    return [
        program("residual", Residual, (1, 4, 6, 5)),
        program("residual_downsample", lambda: Downsample(4, 6), (1, 4, 6, 6)),
        program("two_inputs", TwoInputs, (1, 3, 5, 4), (1, 6)),
        program("two_outputs", TwoOutputs, IMAGE),
        program("same_output_twice", Function(lambda x: (x + x, torch.relu(x + x))), (2, 5)),
        program(
            "mixed_formats", Function(lambda x, y: x + y), IMAGE, IMAGE, channels_last=(True, False)
        ),
        program(
            "mixed_formats_conv", MixedFormats, IMAGE, (1, 4, 3, 2), channels_last=(True, False)
        ),
        program("contiguous_conv", lambda: nn.Conv2d(3, 4, 3), IMAGE, channels_last=False),
        program(
            "contiguous_conv_of_one_channel",
            lambda: nn.Conv2d(1, 4, 3),
            (1, 1, 5, 4),
            channels_last=False,
        ),
        program("small_cnn", SmallCnn, (1, 1, 12, 10)),
        program("small_cnn_m4", SmallCnn, (1, 1, 12, 10), target="cortex-m4"),
        program("squeeze_excite", SqueezeExcite, (1, 4, 5, 6)),
        program("attention", Attention, (1, 5, 8)),
        program("conv_relu_used_twice", ReluAndMore, IMAGE),
        program("conv1d", lambda: nn.Conv1d(3, 4, 3, padding=1), (1, 3, 9)),
    ]


def explicit_layout() -> list[Program]:
    """The same kinds of program through the lowering with explicit NHWC operators."""
    image = (1, 3, 6, 5)

    def nhwc(name: str, make: object, *shapes: tuple[int, ...], **options: object) -> Program:
        return program(f"nhwc_{name}", make, *shapes, explicit_layout=True, **options)  # type: ignore[arg-type]

    return [
        nhwc("conv", lambda: nn.Conv2d(3, 4, 3, padding=1), image),
        nhwc("depthwise", lambda: nn.Conv2d(3, 6, 3, padding=1, groups=3), image),
        nhwc("conv1d", lambda: nn.Conv1d(2, 4, 3, padding=1), (1, 2, 8)),
        nhwc("avg_pool", lambda: nn.AvgPool2d(2), image),
        nhwc("avg_pool_padding", lambda: nn.AvgPool2d(3, 2, 1), image),
        nhwc("max_pool", lambda: nn.MaxPool2d(3, 2, 1), image),
        nhwc("transpose_conv", lambda: nn.ConvTranspose2d(3, 4, 3, 2), image),
        nhwc(
            "pad_conv",
            lambda: nn.Sequential(
                nn.Conv2d(3, 4, 3), nn.ZeroPad2d((1, 0, 0, 2)), nn.Conv2d(4, 2, 3)
            ),
            image,
        ),
        nhwc("residual", Residual, (1, 4, 6, 5)),
        nhwc("small_cnn", SmallCnn, (1, 1, 12, 10)),
        nhwc("separable", lambda: Separable(4, 6), (1, 4, 6, 5)),
    ]


class PadBetween(nn.Module):
    """A pad by a value that is not zero, after a channels-last operator."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Convolve and pad."""
        return functional.pad(self.conv(x), (1, 2, 0, 1), value=0.4)


class PadRows(nn.Module):
    """A pad of a rank-2 tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(5, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layer and pad its output."""
        return functional.pad(self.linear(x), (1, 2), value=-0.3)


class TwoBranches(nn.Module):
    """Two convolutions of one image, joined along the channels."""

    def __init__(self) -> None:
        super().__init__()
        self.left = nn.Conv2d(3, 2, 3, padding=1)
        self.right = nn.Conv2d(3, 5, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Convolve and join."""
        return torch.cat((self.left(x), self.right(x)), 1)


class Residual(nn.Module):
    """relu(conv(relu(conv(x))) + x)."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(4, 4, 3, padding=1)
        self.second = nn.Conv2d(4, 4, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the block."""
        return torch.relu(self.second(torch.relu(self.first(x))) + x)


class Downsample(nn.Module):
    """A residual block whose shortcut is a 1x1 convolution with stride 2."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.path = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, 2, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.shortcut = nn.Conv2d(inputs, outputs, 1, 2, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the block."""
        return torch.relu(self.path(x) + self.shortcut(x))


class TwoInputs(nn.Module):
    """An image and a vector."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.linear = nn.Linear(6, 24)

    def forward(self, image: torch.Tensor, vector: torch.Tensor) -> torch.Tensor:
        """Add what both give."""
        return self.conv(image).flatten(1) + self.linear(vector)


class TwoOutputs(nn.Module):
    """A trunk with two heads, and the trunk's own output."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Conv2d(3, 4, 3)
        self.head = nn.Linear(24, 3)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the scores and the features."""
        features = torch.relu(self.trunk(x))
        return self.head(features.flatten(1)), features


class MixedFormats(nn.Module):
    """A convolution's channels-last output plus a contiguous input."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, image: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        """Convolve and add."""
        return self.conv(image) + bias


class SmallCnn(nn.Module):
    """A keyword spotter in small: convolution, separable blocks, average pool, linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, (4, 3), 2, (2, 1), bias=False),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.Dropout(0.2),
            Separable(8, 8),
            Separable(8, 12, 2),
        )
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(12, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return scores [1, 5]."""
        result: torch.Tensor = self.classifier(self.pool(self.features(x)).flatten(1))
        return result


class ReluAndMore(nn.Module):
    """A convolution whose output is used with and without its activation."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the activated output, and twice the plain one."""
        plain = self.conv(x)
        return torch.relu(plain), plain + plain


class ConvNet(nn.Module):
    """Two convolutions and a linear layer, without batch normalization."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(2, 4, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(4, 3, 3, 2),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(18, 4),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return scores [1, 4]."""
        result: torch.Tensor = self.layers(x)
        return result


class SqueezeExcite(nn.Module):
    """Channel gates out of the image's own mean."""

    def __init__(self) -> None:
        super().__init__()
        self.reduce = nn.Conv2d(4, 2, 1)
        self.expand = nn.Conv2d(2, 4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scale the channels."""
        gate = functional.adaptive_avg_pool2d(x, 1)
        return x * torch.sigmoid(self.expand(torch.relu(self.reduce(gate))))


class Attention(nn.Module):
    """The weights of one head of attention: a product of layers, a transpose, a softmax."""

    def __init__(self) -> None:
        super().__init__()
        self.query = nn.Linear(8, 4)
        self.key = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the weights [1, 5, 5]."""
        scores = torch.bmm(self.query(x), self.key(x).transpose(1, 2))
        return torch.softmax(scores, -1)
