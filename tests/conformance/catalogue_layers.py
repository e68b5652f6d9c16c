# SPDX-License-Identifier: Apache-2.0
"""Layers of float32 that the quantizer does not know, and products of integer matrices."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from conformance.program import Function, Program, Shape, program

Tensor = torch.Tensor
IMAGE = (2, 6, 4, 5)
INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)


def _plain(name: str, make: object, *shapes: Shape, **options: object) -> Program:
    return program(name, make, *shapes, quantize=False, **options)  # type: ignore[arg-type]


def normalizations() -> list[Program]:
    """Statistics of rows, groups, channels; softmax."""
    return [
        _plain("norm_layer", Norms(layer_norms), IMAGE, channels_last=False, float_terms=64),
        _plain("norm_layer_image", Norms(layer_norms), IMAGE, float_terms=64),
        _plain("norm_layer_moments", Norms(moments), (3, 8), float_terms=64),
        _plain("norm_group", lambda: nn.GroupNorm(2, 6), IMAGE, float_terms=64),
        _plain("norm_groups", Norms(group_norms), IMAGE, channels_last=False, float_terms=64),
        _plain("norm_batch", lambda: nn.BatchNorm2d(6), IMAGE, float_terms=8),
        _plain("norm_batch_contiguous", BatchNorms, (2, 6, 5), channels_last=False, float_terms=8),
        _plain("norm_of_batch", Function(norm_of_batch), IMAGE, float_terms=64),
        _plain("norm_instance", lambda: nn.InstanceNorm2d(6), IMAGE, float_terms=64),
        _plain("norm_softmax", Function(softmaxes), (2, 3, 5), spread=3.0, float_terms=16),
        _plain("norm_softmax_scalar", Function(scalar_softmaxes), ()),
    ]


class Norms(nn.Module):
    """A function of an input and of weights for its channels."""

    def __init__(self, function: object) -> None:
        super().__init__()
        self.function = function
        generator = torch.Generator().manual_seed(5)
        self.weights = nn.Parameter(torch.rand(4, 5, generator=generator) + 0.5)
        self.bias = nn.Parameter(torch.randn(4, 5, generator=generator))

    def forward(self, x: Tensor) -> object:
        """Apply the function."""
        return self.function(x, self.weights, self.bias)  # type: ignore[operator]


class BatchNorms(nn.Module):
    """With and without an affine part."""

    def __init__(self) -> None:
        super().__init__()
        self.affine = nn.BatchNorm1d(6)
        self.register_buffer("mean", torch.linspace(-1, 1, 6))
        self.register_buffer("variance", torch.linspace(0.5, 2, 6))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Both results."""
        plain = functional.batch_norm(x, self.mean, self.variance)
        return self.affine(x), plain


def layer_norms(x: Tensor, weights: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
    """Over one, two and all dimensions."""
    return (
        functional.layer_norm(x, (5,)),
        functional.layer_norm(x, (4, 5), weights, bias),
        functional.layer_norm(x, (4, 5), weights),
        functional.layer_norm(x, (5,), weights[0], bias[0], eps=0.1),
        functional.layer_norm(x, tuple(x.shape)),
    )


def moments(x: Tensor, weights: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
    """The result, and what training needs."""
    return torch.native_layer_norm(x, [8], None, None, 1e-5)


def group_norms(x: Tensor, weights: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
    """With weights or a bias only, with neither; and what training needs."""
    channels = (*weights[0], weights[1, 0])
    w = torch.stack(channels)
    return (
        functional.group_norm(x, 3, w),
        functional.group_norm(x, 6),
        functional.group_norm(x, 1, w, w + 1, eps=0.01),
        *torch.native_group_norm(x, None, None, 2, 6, 20, 3, 1e-5)[1:],
    )


def norm_of_batch(x: Tensor) -> tuple[Tensor, ...]:
    """The batch's own statistics."""
    return torch.ops.aten._native_batch_norm_legit.no_stats(x, None, None, True, 0.1, 1e-5)  # type: ignore[no-any-return]


def softmaxes(x: Tensor) -> tuple[Tensor, ...]:
    """Along every dimension."""
    return (
        *(torch.log_softmax(x, dim) for dim in (0, 1, -1)),
        *(torch.softmax(x, dim) for dim in (0, 1, -1)),
    )


def scalar_softmaxes(x: Tensor) -> tuple[Tensor, ...]:
    """Of a single element."""
    return torch.softmax(x, 0), torch.log_softmax(x, 0)


def products() -> list[Program]:
    """Matrices of every number type."""
    return [
        _plain("matmul_integers", Function(integer_products), (2, 3, 4), input_dtype=torch.int32),
        _plain("matmul_batches", Function(torch.bmm), (2, 3, 4), (2, 4, 5), float_terms=5),
        _plain("matmul_broadcast", Function(torch.matmul), (2, 2, 3, 4), (2, 4, 5), float_terms=5),
        _plain("matmul_mm", Function(torch.mm), (3, 4), (4, 5), float_terms=5),
        _plain(
            "matmul_addmm",
            Function(lambda b, x, y: torch.addmm(b, x, y, beta=0.5, alpha=2)),
            (5,),
            (3, 4),
            (4, 5),
            float_terms=8,
        ),
    ]


def integer_products(x: Tensor) -> tuple[Tensor, ...]:
    """Sums that wrap."""
    results: list[Tensor] = []
    for dtype in INTEGERS:
        y = (x * 5).to(dtype)
        results += [torch.bmm(y, y.transpose(1, 2)), torch.mm(y[0], y[1].t())]
        results += [torch.addmm(y[0, :, 0], y[0], y[1].t(), beta=3, alpha=2)]
        results += [functional.linear(y, y[0]), functional.linear(y, y[1], y[0, :, 0])]
    return tuple(results)


def activations() -> list[Program]:
    """Put together from other operators."""
    return [
        _plain("activation_elu", Function(elus), (3, 7), spread=2.0, float_terms=6),
        _plain("activation_leaky", Function(leaky_relus), (3, 7)),
        _plain("activation_dropout", Function(dropout), (3, 7)),
        _plain(
            "activation_integers", Function(integer_activations), (3, 7), input_dtype=torch.int32
        ),
    ]


def elus(x: Tensor) -> tuple[Tensor, ...]:
    """With all factors."""
    return (
        functional.elu(x),
        functional.elu(x, 0.3),
        functional.selu(x),
        torch.ops.aten.elu(x, 1.5, 2.0, 0.7),
    )


def leaky_relus(x: Tensor) -> tuple[Tensor, ...]:
    """Slopes of every kind."""
    return tuple(functional.leaky_relu(x, slope) for slope in (0.01, 1.0, 0.0, 2.5, -0.5))


def dropout(x: Tensor) -> tuple[Tensor, ...]:
    """Nothing is dropped, and the mask says so."""
    return torch.ops.aten.native_dropout(x, 0.5, False)  # type: ignore[no-any-return]


def integer_activations(x: Tensor) -> tuple[Tensor, ...]:
    """Limits of integers."""
    return tuple(functional.hardtanh(x.to(dtype), 2, 9) for dtype in INTEGERS)


def windows() -> list[Program]:
    """Pooling without a batch, and of integers. (Lowering refuses the places of the largest.)"""
    return [
        _plain("window_integers", Function(integer_windows), (2, 3, 7, 6), input_dtype=torch.int32),
        _plain("window_no_batch", Function(largest), (3, 7, 6)),
        _plain("window_average", Function(averages), (3, 7, 6), float_terms=9),
        _plain("window_average_image", Function(averages), (2, 3, 7, 6), float_terms=9),
    ]


POOLINGS: tuple[tuple[object, ...], ...] = (
    (2,),
    ((3, 2), (2, 1), (1, 0)),
    (2, 1, 1, 2),
    (3, 2, 1, 1, True),
)


def largest(x: Tensor) -> tuple[Tensor, ...]:
    """The largest pixels."""
    return tuple(functional.max_pool2d(x, *how) for how in POOLINGS)  # type: ignore[arg-type]


def integer_windows(x: Tensor) -> tuple[Tensor, ...]:
    """The largest integers."""
    pool = functional.max_pool2d
    return tuple(pool(x.to(dtype), *how) for dtype in INTEGERS for how in POOLINGS)  # type: ignore[arg-type]


def averages(x: Tensor) -> tuple[Tensor, ...]:
    """What the sum is divided by."""
    pool = functional.avg_pool2d
    return (
        pool(x, 3, 2, 1),
        pool(x, 3, 2, 1, ceil_mode=True),
        pool(x, (2, 3), 2, (1, 0), ceil_mode=True, count_include_pad=False),
        pool(x, 2, divisor_override=3),
    )


def resizes() -> list[Program]:
    """Images in another size; distances."""
    return [
        _plain("resize_nearest", Function(nearest), IMAGE),
        _plain("resize_nearest_contiguous", Function(nearest), IMAGE, channels_last=False),
        _plain("resize_bilinear", Function(bilinear), IMAGE, float_terms=16),
        _plain(
            "resize_bilinear_contiguous",
            Function(bilinear),
            IMAGE,
            channels_last=False,
            float_terms=16,
        ),
        _plain("distance", Function(distances), (3, 4, 5), (4, 5), float_terms=24),
    ]


def nearest(x: Tensor) -> tuple[Tensor, ...]:
    """By factors and by sizes, larger and smaller."""
    return (
        functional.interpolate(x, scale_factor=2),
        functional.interpolate(x, scale_factor=(1.7, 0.6)),
        functional.interpolate(x, size=(7, 3)),
        functional.interpolate((x * 20).to(torch.int32).to(torch.uint8), size=(3, 8)),
    )


def bilinear(x: Tensor) -> tuple[Tensor, ...]:
    """By factors and by sizes; the corners' centres or their edges meet."""
    return tuple(
        functional.interpolate(x, mode="bilinear", align_corners=corners, **how)
        for corners in (False, True)
        for how in ({"scale_factor": 2.0}, {"size": (7, 3)}, {"size": (4, 1)})
    )


def distances(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
    """Every norm; of the rows of one matrix too."""
    norms = (0.0, 1.0, 2.0, float("inf"), 3.0)
    return (
        *(torch.cdist(x, y, p, compute_mode="donot_use_mm_for_euclid_dist") for p in norms),
        *(torch.pdist(y, p) for p in norms),
    )
