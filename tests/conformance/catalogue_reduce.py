# SPDX-License-Identifier: Apache-2.0
"""Programs whose operators reduce dimensions, of every element type."""

from __future__ import annotations

import torch

from conformance.program import Function, Program, program

Tensor = torch.Tensor

SHAPE = (2, 3, 4)
TYPES = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64, torch.bool)


def reductions() -> list[Program]:
    """Sums and products, extremes and their places, tests; over one, some and all dimensions."""

    def plain(name: str, make: object, *shapes: tuple[int, ...], **options: object) -> Program:
        return program(f"reduce_{name}", make, *shapes, quantize=False, **options)  # type: ignore[arg-type]

    return [
        plain("integer_totals", Function(integer_totals), SHAPE, input_dtype=torch.int32),
        plain("integer_extremes", Function(integer_extremes), SHAPE, input_dtype=torch.int32),
        plain("integer_sums_of_type", Function(sums_of_type), SHAPE, input_dtype=torch.int32),
        plain("integer_means", Function(means), SHAPE, input_dtype=torch.int16, float_terms=12),
        plain("float_extremes", Function(float_extremes), SHAPE),
        plain("float_any", Function(lambda x: tests(torch.relu(x))), SHAPE),
        plain("float_totals", Function(float_totals), SHAPE, float_terms=25),
        plain("float_product", Function(lambda x: torch.prod(x)), (9,), float_terms=9),
        plain("float_variances", Function(variances), SHAPE, float_terms=30),
        plain("scalar", Function(scalars), ()),
        plain("image", Function(image), (1, 3, 4, 5), float_terms=25),
        plain(
            "image_contiguous", Function(image), (1, 3, 4, 5), channels_last=False, float_terms=25
        ),
        program("reduce_quantized_extremes", Function(quantized_extremes), (2, 3, 4, 4)),
    ]


def integer_totals(x: Tensor) -> tuple[Tensor, ...]:
    """Sums, products and running sums, which are int64 (products wrap)."""
    results: list[Tensor] = []
    for dtype in TYPES:
        y = x.to(dtype)
        results += [y.sum((0, 2)), y.sum(-1, keepdim=True), y.sum(), y.prod(1), y.prod()]
        results += [y.cumsum(1)]
    return tuple(results)


def integer_extremes(x: Tensor) -> tuple[Tensor, ...]:
    """Values and places, and whether any or all hold."""
    results: list[Tensor] = []
    for dtype in TYPES:
        y = (x % 5).to(dtype)
        results += [y.amax((0, 1)), y.amin(-1, keepdim=True), y.max(), y.min()]
        results += [*y.max(1), *y.min(-1, keepdim=True), *tests(y)]
        if dtype is not torch.bool:
            results += [y.argmax(), y.argmin(2), y.argmax(0, keepdim=True)]
    return tuple(results)


def tests(x: Tensor) -> tuple[Tensor, ...]:
    """Whether any element is not zero, or all are not."""
    return (x.any(), x.any(1), torch.any(x, (0, 2), keepdim=True), x.all(), x.all(2))


def sums_of_type(x: Tensor) -> tuple[Tensor, ...]:
    """Sums in a type that is asked for."""
    y = x * 1000003
    small = (torch.int32, torch.int16, torch.uint8)
    return (
        *(y.sum(1, dtype=dtype) for dtype in small),
        *(y.cumsum(2, dtype=dtype) for dtype in small),
        y.prod(2, dtype=torch.int32),
        x.sum(0, dtype=torch.float32),
    )


def means(x: Tensor) -> tuple[Tensor, ...]:
    """Means of integers, in float32."""
    results: list[Tensor] = []
    for dtype in TYPES:
        y = x.to(dtype)
        results += [y.mean((1, 2), dtype=torch.float32), y.mean(dtype=torch.float32)]
    return tuple(results)


def float_extremes(x: Tensor) -> tuple[Tensor, ...]:
    """NaNs among the values: the first counts."""
    small = (x < 1.2).to(torch.float32)
    y = x * (small / small)
    z = torch.round(x)
    return (
        torch.isnan(y.amax(2)),
        z.amax((0, 2)),
        z.amin(1),
        *z.max(2),
        *z.min(0, keepdim=True),
        z.max(),
        z.min(),
        y.argmax(),
        y.argmin(1),
        *(v.isnan() if v.is_floating_point() else v for v in y.max(2)),
        *(v.isnan() if v.is_floating_point() else v for v in y.min(2, keepdim=True)),
    )


def float_totals(x: Tensor) -> tuple[Tensor, ...]:
    """Sums, means, products and running sums."""
    return (
        x.sum((0, 1)),
        x.sum(),
        x.mean(1, keepdim=True),
        x.mean(),
        x.mean((0, 2)),
        x.prod(2),
        x.cumsum(0),
        x.cumsum(-1),
    )


def variances(x: Tensor) -> tuple[Tensor, ...]:
    """With and without correction."""
    return (
        x.var((0, 2)),
        x.var(1, keepdim=True, correction=0),
        x.var(unbiased=False),
        *torch.var_mean(x, (1, 2), correction=2),
        x.std(-1),
        torch.ops.aten.var.dim(x, [0], True, True),
    )


def scalars(x: Tensor) -> tuple[Tensor, ...]:
    """Of a tensor without dimensions."""
    return x.sum(), x.mean(), x.amax(), *x.max(0), x.argmin(), x.any(), x.cumsum(0), x.prod(0)


def image(x: Tensor) -> tuple[Tensor, ...]:
    """Of an image in any order in memory; places count in the logical order."""
    return (
        x.sum((1, 3)),
        x.mean(1, keepdim=True),
        x.amax((2, 3)),
        x.max(1).values,
        x.cumsum(1),
        x.cumsum(3),
    )


def quantized_extremes(x: Tensor) -> tuple[Tensor, ...]:
    """The quantizer keeps int8 around these."""
    return x.amax(1), x.amin((2, 3), keepdim=True), x.max(2)[0], x.min(-1)[0]
