# SPDX-License-Identifier: Apache-2.0
"""Convolutions and linear layers: every parameter of the int8 kernels, and the fused clamps."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from conformance.program import Function, Program, Tensors, program


class SamePadding(nn.Module):
    """Convolution with TensorFlow's SAME padding: the odd row or column goes after the image."""

    def __init__(
        self, inputs: int, outputs: int, kernel: tuple[int, int], stride: tuple[int, int]
    ) -> None:
        super().__init__()
        self._kernel = kernel
        self._stride = stride
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Pad so that the output has ceil(size / stride) rows and columns, then convolve."""
        pads: list[int] = []
        for size, kernel, stride in zip(
            reversed(x.shape[2:]), reversed(self._kernel), reversed(self._stride), strict=True
        ):
            total = max((-(-size // stride) - 1) * stride + kernel - size, 0)
            pads += [total // 2, total - total // 2]
        result: torch.Tensor = self.conv(functional.pad(x, pads))
        return result


class Separable(nn.Module):
    """Depthwise then 1x1 convolution with batch normalization, as in mobile networks."""

    def __init__(self, channels: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, 3, stride, 1, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU6(),
            nn.Conv2d(channels, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Convolve."""
        result: torch.Tensor = self.layers(x)
        return result


def convolutions() -> list[Program]:
    """Conv2d with groups of one channel excluded."""
    small = (1, 3, 7, 6)
    return [
        program("conv_bias", lambda: nn.Conv2d(3, 5, 3), small),
        program("conv_no_bias", lambda: nn.Conv2d(3, 5, 3, bias=False), small),
        program("conv_padding", lambda: nn.Conv2d(3, 5, 3, padding=1), small),
        program("conv_stride_2", lambda: nn.Conv2d(3, 5, 3, stride=2, padding=1), small),
        program("conv_stride_uneven", lambda: nn.Conv2d(3, 4, 3, stride=(2, 1)), small),
        program("conv_stride_3_of_2", lambda: nn.Conv2d(2, 3, 2, stride=3), (1, 2, 8, 8)),
        program("conv_dilation", lambda: nn.Conv2d(3, 4, 3, dilation=2, padding=2), small),
        program("conv_dilation_uneven", lambda: nn.Conv2d(2, 4, 3, dilation=(1, 2)), small_of(2)),
        program("conv_kernel_uneven", lambda: nn.Conv2d(3, 4, (5, 2), padding=(2, 1)), small),
        program("conv_padding_uneven", lambda: nn.Conv2d(3, 4, 3, padding=(0, 2)), small),
        program("conv_padding_wide", lambda: nn.Conv2d(2, 3, 3, padding=2), (1, 2, 3, 3)),
        program("conv_1x1", lambda: nn.Conv2d(8, 12, 1), (1, 8, 5, 3)),
        program("conv_1x1_stride_2", lambda: nn.Conv2d(4, 6, 1, stride=2), (1, 4, 7, 6)),
        program("conv_1x1_padding", lambda: nn.Conv2d(4, 6, 1, padding=1), (1, 4, 3, 3)),
        program("conv_1xn", lambda: nn.Conv2d(3, 4, (1, 5)), (1, 3, 1, 12)),
        program("conv_1xn_stride_2_even", lambda: nn.Conv2d(4, 8, (1, 4), (1, 2)), (1, 4, 1, 12)),
        program("conv_nx1", lambda: nn.Conv2d(3, 4, (5, 1)), (1, 3, 12, 1)),
        program("conv_1xn_same", lambda: SamePadding(3, 4, (1, 4), (1, 2)), (1, 3, 1, 11)),
        program("conv_nx1_same", lambda: SamePadding(3, 4, (4, 1), (2, 1)), (1, 3, 11, 1)),
        program("conv_same_asymmetric", lambda: SamePadding(3, 4, (3, 3), (2, 2)), (1, 3, 8, 6)),
        program("conv_groups", lambda: nn.Conv2d(4, 6, 3, groups=2, padding=1), (1, 4, 5, 6)),
        program(
            "conv_groups_no_bias", lambda: nn.Conv2d(6, 6, 3, groups=3, bias=False), small_of(6)
        ),
        program("conv_batch_2", lambda: nn.Conv2d(3, 4, 3, padding=1), (2, 3, 5, 6)),
        program(
            "conv_one_channel_in", lambda: nn.Conv2d(1, 8, (4, 3), (2, 2), (1, 1)), (1, 1, 9, 7)
        ),
        program("conv_one_channel_out", lambda: nn.Conv2d(4, 1, 3), small_of(4)),
        program("conv_to_1x1", lambda: nn.Conv2d(4, 6, (5, 4)), (1, 4, 5, 4)),
        program("conv_wide_channels", lambda: nn.Conv2d(33, 19, 3, padding=1), (1, 33, 4, 5)),
        program("conv_relu", lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.ReLU()), small),
        program(
            "conv_relu6", lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.ReLU6()), small, spread=4.0
        ),
        program(
            "conv_hardtanh",
            lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.Hardtanh(-0.4, 0.7)),
            small,
        ),
        program(
            "conv_clamp", lambda: nn.Sequential(nn.Conv2d(3, 5, 3), Function(_clamp_high)), small
        ),
        program(
            "conv_batch_norm", lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.BatchNorm2d(5)), small
        ),
        program(
            "conv_hardswish",
            lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.Hardswish()),
            small,
            spread=3.0,
        ),
        program(
            "conv_hardsigmoid",
            lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.Hardsigmoid()),
            small,
            spread=3.0,
        ),
        program("conv_bias_near_int32_max", _huge_bias, (1, 2, 3, 3), keep_weights=True),
        program(
            "conv_shift_above_zero",
            _cancelling_conv,
            (1, 2, 3, 3),
            calibrate=_nearly_equal_channels,
        ),
        program("conv_m4", lambda: nn.Conv2d(3, 5, 3, padding=1), small, target="cortex-m4"),
        program("conv_m0", lambda: nn.Conv2d(3, 5, 3, padding=1), small, target="cortex-m0"),
        program("conv_qat", lambda: nn.Sequential(nn.Conv2d(3, 5, 3), nn.ReLU()), small, qat=True),
        program("separable_block", lambda: Separable(8, 12), (1, 8, 6, 5)),
        program("separable_block_stride_2", lambda: Separable(6, 4, 2), (1, 6, 7, 8)),
    ]


def depthwise() -> list[Program]:
    """Conv2d with one input channel in a group."""
    shape = (1, 4, 7, 6)
    return [
        program("depthwise", lambda: nn.Conv2d(4, 4, 3, padding=1, groups=4), shape),
        program("depthwise_no_bias", lambda: nn.Conv2d(4, 4, 3, groups=4, bias=False), shape),
        program("depthwise_multiplier_2", lambda: nn.Conv2d(4, 8, 3, padding=1, groups=4), shape),
        program("depthwise_multiplier_3", lambda: nn.Conv2d(2, 6, 3, groups=2), small_of(2)),
        program("depthwise_of_one_channel", lambda: nn.Conv2d(1, 6, 3, padding=1), small_of(1)),
        program("depthwise_stride_2", lambda: nn.Conv2d(4, 4, 3, 2, 1, groups=4), shape),
        program(
            "depthwise_dilation", lambda: nn.Conv2d(4, 4, 3, padding=2, dilation=2, groups=4), shape
        ),
        program(
            "depthwise_kernel_uneven",
            lambda: nn.Conv2d(4, 4, (2, 5), padding=(0, 2), groups=4),
            shape,
        ),
        program(
            "depthwise_1xn", lambda: nn.Conv2d(4, 4, (1, 3), padding=(0, 1), groups=4), (1, 4, 1, 9)
        ),
        program(
            "depthwise_nx1", lambda: nn.Conv2d(4, 4, (3, 1), padding=(1, 0), groups=4), (1, 4, 9, 1)
        ),
        program("depthwise_batch_2", lambda: nn.Conv2d(4, 4, 3, padding=1, groups=4), (2, 4, 5, 4)),
        program(
            "depthwise_wide", lambda: nn.Conv2d(35, 35, 3, padding=1, groups=35), (1, 35, 4, 4)
        ),
        program(
            "depthwise_relu6",
            lambda: nn.Sequential(nn.Conv2d(4, 4, 3, groups=4), nn.ReLU6()),
            shape,
        ),
        program("depthwise_to_1x1", lambda: nn.Conv2d(4, 4, (7, 6), groups=4), shape),
    ]


def transposed() -> list[Program]:
    """ConvTranspose2d."""
    shape = (1, 3, 4, 5)
    return [
        program("transpose_conv", lambda: nn.ConvTranspose2d(3, 4, 3), shape),
        program("transpose_conv_stride_2", lambda: nn.ConvTranspose2d(3, 4, 3, stride=2), shape),
        program("transpose_conv_padding", lambda: nn.ConvTranspose2d(3, 4, 4, 2, 1), shape),
        program(
            "transpose_conv_no_bias", lambda: nn.ConvTranspose2d(3, 2, 2, 2, bias=False), shape
        ),
        program("transpose_conv_uneven", lambda: nn.ConvTranspose2d(3, 4, (2, 3), (1, 2)), shape),
        program(
            "transpose_conv_relu",
            lambda: nn.Sequential(nn.ConvTranspose2d(3, 4, 3), nn.ReLU()),
            shape,
        ),
        program("transpose_conv_wide", lambda: nn.ConvTranspose2d(20, 17, 3, 2, 1), (1, 20, 3, 4)),
        program("transpose_conv_batch_2", lambda: nn.ConvTranspose2d(2, 3, 3, 2), (2, 2, 3, 3)),
    ]


def linears() -> list[Program]:
    """Linear layers and matrix products."""
    return [
        program("linear", lambda: nn.Linear(10, 7), (1, 10)),
        program("linear_no_bias", lambda: nn.Linear(10, 7, bias=False), (1, 10)),
        program("linear_batch_3", lambda: nn.Linear(10, 7), (3, 10)),
        program("linear_rank_3", lambda: nn.Linear(6, 5), (2, 3, 6)),
        program("linear_rank_4", lambda: nn.Linear(6, 5), (1, 2, 3, 6), channels_last=False),
        program("linear_rank_1", lambda: nn.Linear(6, 5), (6,)),
        program("linear_relu", lambda: nn.Sequential(nn.Linear(10, 7), nn.ReLU()), (2, 10)),
        program(
            "linear_relu6", lambda: nn.Sequential(nn.Linear(10, 7), nn.ReLU6()), (2, 10), spread=5.0
        ),
        program("linear_hardtanh", lambda: nn.Sequential(nn.Linear(10, 7), nn.Hardtanh()), (2, 10)),
        program(
            "linear_hardsigmoid",
            lambda: nn.Sequential(nn.Linear(10, 7), nn.Hardsigmoid()),
            (2, 10),
            spread=3.0,
        ),
        program("linear_long", lambda: nn.Linear(300, 3), (1, 300)),
        program("linear_one_output", lambda: nn.Linear(9, 1), (2, 9)),
        program("linear_m4", lambda: nn.Linear(10, 7), (2, 10), target="cortex-m4"),
        program(
            "linear_m4_no_bias", lambda: nn.Linear(10, 7, bias=False), (2, 10), target="cortex-m4"
        ),
        program("linear_m33", lambda: nn.Linear(10, 7), (2, 10), target="cortex-m33"),
        program(
            "linear_qat", lambda: nn.Sequential(nn.Linear(10, 7), nn.ReLU()), (2, 10), qat=True
        ),
        program("bmm", Function(torch.bmm), (2, 3, 4), (2, 4, 5)),
        program("bmm_long", Function(torch.bmm), (1, 2, 300), (1, 300, 2)),
        program("matmul_rank_2", Function(torch.matmul), (3, 4), (4, 5)),
        program("matmul_rank_3", Function(torch.matmul), (2, 3, 4), (2, 4, 5)),
        program("matmul_constant", ConstantMatmul, (2, 3, 4)),
        program(
            "mlp", lambda: nn.Sequential(nn.Linear(12, 9), nn.ReLU(), nn.Linear(9, 4)), (1, 12)
        ),
    ]


class ConstantMatmul(nn.Module):
    """Batched product with a constant on the right."""

    def __init__(self) -> None:
        super().__init__()
        self.right = nn.Parameter(torch.randn(2, 4, 5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Multiply."""
        return torch.bmm(x, self.right)


def small_of(channels: int) -> tuple[int, int, int, int]:
    """A small image with this many channels."""
    return (1, channels, 7, 6)


def _clamp_high(x: torch.Tensor) -> torch.Tensor:
    return torch.clamp(x, max=0.5)


def _huge_bias() -> nn.Module:
    """A bias that is near the end of int32 once it is scaled by input and weight scale."""
    return FixedConv(weight=3e-5, bias=(500.0, -480.0))


def _cancelling_conv() -> nn.Module:
    """Weights that cancel on the calibration data: the output scale is below the product scale."""
    return FixedConv(weight=2.0, bias=(0.01, -0.02))


class FixedConv(nn.Module):
    """1x1 convolution of two channels with weights (w, -w) and given biases."""

    def __init__(self, weight: float, bias: tuple[float, float]) -> None:
        super().__init__()
        kernel = torch.tensor([[weight, -weight], [-weight, weight]])
        self.weight = nn.Parameter(kernel.reshape(2, 2, 1, 1))
        self.bias = nn.Parameter(torch.tensor(bias))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Convolve."""
        return functional.conv2d(x, self.weight, self.bias)


def _nearly_equal_channels(sample: Tensors) -> Tensors:
    """Channels that differ by a thousandth, so that their difference has a tiny range."""
    image = sample[0].clone()
    image[:, 1] = image[:, 0] + 0.002 * image[:, 1]
    return (image.to(memory_format=torch.channels_last),)
