# SPDX-License-Identifier: Apache-2.0
"""Elementwise operators, pooling, means and softmax."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from conformance.program import Function, Program, Tensors, program

IMAGE = (1, 4, 5, 6)


def arithmetic() -> list[Program]:
    """Sums, products, quotients, minima and maxima of two tensors."""
    channel = (1, 4, 1, 1)
    return [
        program("add", Function(torch.add), IMAGE, IMAGE),
        program("add_contiguous", Function(torch.add), IMAGE, IMAGE, channels_last=False),
        program("add_rank_2", Function(torch.add), (2, 5), (2, 5)),
        program("add_self", Function(lambda x: x + x), (2, 5)),
        program("add_relu", Function(lambda x, y: torch.relu(x + y)), IMAGE, IMAGE),
        program("add_hardtanh", Function(lambda x, y: functional.hardtanh(x + y)), IMAGE, IMAGE),
        program("add_channel", Function(torch.add), IMAGE, channel),
        program("add_channel_first", Function(torch.add), channel, IMAGE),
        program("add_alpha", Function(lambda x, y: torch.add(x, y, alpha=2)), (2, 5), (2, 5)),
        program("add_scales_apart", Function(lambda x, y: x + 0.01 * y), (2, 40), (2, 40)),
        program("sub", Function(torch.sub), IMAGE, IMAGE),
        program("sub_relu", Function(lambda x, y: torch.relu(x - y)), IMAGE, IMAGE),
        program("sub_channel", Function(torch.sub), IMAGE, channel),
        program("mul", Function(torch.mul), IMAGE, IMAGE),
        program("mul_rank_3", Function(torch.mul), (2, 3, 5), (2, 3, 5)),
        program("mul_channel", Function(torch.mul), IMAGE, channel),
        program("mul_square", Function(lambda x: x * x), (3, 7)),
        program("div", Function(torch.div), (3, 7), (3, 7), calibrate=_away_from_zero),
        # Enough for tables: of reciprocals, and of the floats that int8 numbers stand for.
        program("div_many", Function(torch.div), (33, 37), (33, 37), calibrate=_away_from_zero),
        program("minimum", Function(torch.minimum), IMAGE, IMAGE),
        program("maximum", Function(torch.maximum), IMAGE, IMAGE),
        program("maximum_rank_2", Function(torch.maximum), (2, 5), (2, 5)),
        program("minimum_broadcast", Function(torch.minimum), (2, 5), (1, 5)),
        program("maximum_broadcast", Function(torch.maximum), (3, 2, 5), (2, 1)),
    ]


def activations() -> list[Program]:
    """Functions of one tensor."""
    shape = (2, 30)
    return [
        program("relu", Function(torch.relu), shape),
        program(
            "relu_after_pool", Function(lambda x: torch.relu(functional.avg_pool2d(x, 2))), IMAGE
        ),
        program("clamp", Function(lambda x: torch.clamp(x + x, -0.5, 0.75)), shape),
        program("sigmoid", Function(torch.sigmoid), shape, spread=3.0),
        program("sigmoid_image", Function(torch.sigmoid), IMAGE, spread=3.0),
        program("tanh", Function(torch.tanh), shape, spread=2.0),
        program("silu", Function(functional.silu), shape, spread=3.0),
        program("gelu", Function(functional.gelu), shape, spread=2.0),
        program("sqrt", Function(lambda x: torch.sqrt(x)), shape, calibrate=_absolute),
        program("log", Function(lambda x: torch.log(x)), shape, calibrate=_absolute),
        program("softmax", Function(lambda x: torch.softmax(x, -1)), (1, 12), spread=2.0),
        program("softmax_rows", Function(lambda x: torch.softmax(x, -1)), (3, 7), spread=4.0),
        program("softmax_rank_3", Function(lambda x: torch.softmax(x, -1)), (2, 3, 9), spread=2.0),
        program("softmax_one", Function(lambda x: torch.softmax(x, -1)), (2, 1)),
        program("softmax_wide", Function(lambda x: torch.softmax(x, -1)), (2, 200), spread=6.0),
        program("softmax_flat", Function(lambda x: torch.softmax(x, -1)), (2, 33), spread=0.05),
        program(
            "softmax_channels_last", Function(lambda x: torch.softmax(x, 1)), IMAGE, spread=3.0
        ),
        program(
            "softmax_contiguous_image",
            Function(lambda x: torch.softmax(x, 3)),
            IMAGE,
            spread=3.0,
            channels_last=False,
        ),
        program(
            "classifier_softmax", lambda: nn.Sequential(nn.Linear(8, 10), nn.Softmax(1)), (1, 8)
        ),
    ]


def pooling() -> list[Program]:
    """Average and maximum pooling, adaptive pooling, means."""
    odd = (1, 4, 7, 6)
    return [
        program("avg_pool", lambda: nn.AvgPool2d(2), IMAGE),
        program("avg_pool_negative", lambda: nn.AvgPool2d(2), IMAGE, offset=-2.0),
        program("avg_pool_stride_1", lambda: nn.AvgPool2d(3, 1), odd),
        program("avg_pool_uneven", lambda: nn.AvgPool2d((3, 2), (1, 2)), odd),
        program("avg_pool_padding_counted", lambda: nn.AvgPool2d(3, 2, 1), odd),
        program(
            "avg_pool_padding_not_counted",
            lambda: nn.AvgPool2d(3, 2, 1, count_include_pad=False),
            odd,
        ),
        program(
            "avg_pool_ceil",
            lambda: nn.AvgPool2d(3, 2, ceil_mode=True, count_include_pad=False),
            (1, 3, 8, 6),
        ),
        program(
            "avg_pool_ceil_counted", lambda: nn.AvgPool2d(3, 2, 1, ceil_mode=True), (1, 3, 8, 6)
        ),
        program("avg_pool_global", lambda: nn.AvgPool2d((7, 6)), odd),
        program("avg_pool_batch_2", lambda: nn.AvgPool2d(2), (2, 3, 4, 4)),
        program("avg_pool_wide", lambda: nn.AvgPool2d(2), (1, 37, 4, 4)),
        program("avg_pool_contiguous", lambda: nn.AvgPool2d(2), IMAGE, channels_last=False),
        program("adaptive_pool_1", lambda: nn.AdaptiveAvgPool2d(1), odd),
        program("adaptive_pool_7_to_3", lambda: nn.AdaptiveAvgPool2d(3), (1, 2, 7, 7)),
        program("adaptive_pool_even", lambda: nn.AdaptiveAvgPool2d(2), (1, 3, 6, 4)),
        program("max_pool", lambda: nn.MaxPool2d(2), IMAGE),
        program("max_pool_stride_1", lambda: nn.MaxPool2d(3, 1), odd),
        program("max_pool_padding", lambda: nn.MaxPool2d(3, 2, 1), odd),
        program("max_pool_uneven", lambda: nn.MaxPool2d((2, 3), (2, 1), (1, 0)), odd),
        program("max_pool_relu", lambda: nn.Sequential(nn.MaxPool2d(2), nn.ReLU()), IMAGE),
        program("max_pool_batch_2", lambda: nn.MaxPool2d(2), (2, 3, 4, 4)),
        program("max_pool_dilation", lambda: nn.MaxPool2d(2, 1, dilation=2), odd),
        program("max_pool_dilation_uneven", lambda: nn.MaxPool2d(3, 2, 1, (1, 3)), (2, 3, 6, 9)),
        program("max_pool_ceil", lambda: nn.MaxPool2d(3, 2, ceil_mode=True), (1, 3, 8, 6)),
        program("mean_hw", Function(lambda x: x.mean((2, 3))), odd),
        program("mean_wh_keepdim", Function(lambda x: x.mean((3, 2), keepdim=True)), odd),
        program("mean_negative_dims", Function(lambda x: x.mean((-1, -2))), odd),
        program(
            "conv_mean", lambda: nn.Sequential(nn.Conv2d(3, 5, 3), Function(_mean)), (1, 3, 6, 7)
        ),
    ]


def _mean(x: torch.Tensor) -> torch.Tensor:
    return x.mean((3, 2))


def _away_from_zero(sample: Tensors) -> Tensors:
    return (
        sample[0],
        torch.where(sample[1].abs() < 0.5, torch.full_like(sample[1], 0.5), sample[1]),
    )


def _absolute(sample: Tensors) -> Tensors:
    return tuple(value.abs() + 0.05 for value in sample)
