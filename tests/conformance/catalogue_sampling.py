# SPDX-License-Identifier: Apache-2.0
"""Images sampled at places that the model computes, and resized without aliases."""

from __future__ import annotations

import torch
from torch.nn import functional

from conformance.program import Function, Program, program

Tensor = torch.Tensor
IMAGE = (2, 3, 11, 7)
PADDINGS = ("zeros", "border", "reflection")


def sampled() -> list[Program]:
    """Every mode and padding of a grid, and resizes in both orders of memory."""
    found = [
        program(
            f"resize_antialias{suffix}",
            Function(antialiased),
            IMAGE,
            quantize=False,
            float_terms=32,
            channels_last=last,
        )
        for suffix, last in (("", True), ("_contiguous", False))
    ]
    grids = [
        program(
            f"grid_sample_{mode}",
            Function(lambda x, grid, mode=mode: grid_samples(x, grid, mode)),
            (2, 3, 5, 4),
            (2, 3, 4, 2),
            quantize=False,
            channels_last=False,
            spread=2.0,
            float_terms=terms,
        )
        for mode, terms in (("bilinear", 16), ("nearest", 1), ("bicubic", 64))
    ]
    return [*found, *grids]


def antialiased(x: Tensor) -> tuple[Tensor, ...]:
    """Smaller, larger, and both at once."""
    return tuple(
        functional.interpolate(x, size=size, mode="bilinear", antialias=True, align_corners=align)
        for size in ((5, 3), (11, 2), (23, 9), (4, 20), (1, 1))
        for align in (False, True)
    )


def grid_samples(x: Tensor, grid: Tensor, mode: str) -> tuple[Tensor, ...]:
    """Places inside and outside."""
    return tuple(
        functional.grid_sample(x, grid, mode, padding, align)
        for padding in PADDINGS
        for align in (False, True)
    )
