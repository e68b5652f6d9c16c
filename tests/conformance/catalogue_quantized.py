# SPDX-License-Identifier: Apache-2.0
"""Conversions of quantised numbers that a model brings itself, in exports that are not lowered."""

from __future__ import annotations

import executorch.kernels.quantized  # noqa: F401 - what writes the results
import torch
import torch.ao.quantization.fx._decomposed
from executorch.exir.passes import _quant_patterns_and_replacements  # noqa: F401 - the operators
from torch import nn

from conformance.program import Program, program

Tensor = torch.Tensor
_OPERATORS = torch.ops.quantized_decomposed


def _random(low: int, high: int, *shape: int, dtype: torch.dtype = torch.int8) -> Tensor:
    generator = torch.Generator().manual_seed(len(shape) + high)
    return torch.randint(low, high, shape, generator=generator).to(dtype)


class StoredWeights(nn.Module):
    """Tables of 8, 4 and 2 bits, and a layer whose weights are stored for each channel."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", _random(-128, 128, 6, 8))
        self.register_buffer("four", _random(0, 256, 6, 4, dtype=torch.uint8))
        self.register_buffer("two", _random(0, 256, 6, 2, dtype=torch.uint8))
        self.register_buffer("scales", torch.arange(1, 7) / 64)
        self.register_buffer("groups", torch.arange(1, 13).reshape(6, 2) / 32)
        self.register_buffer("zeros", torch.arange(-3, 3))

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        index = (x.abs() * 2).to(torch.int64).clamp(0, 5)[0, :3]
        weights = _OPERATORS.dequantize_per_channel(
            self.table, self.scales, self.zeros, 0, -128, 127, torch.int8
        )
        return (
            _OPERATORS.embedding_byte(self.table, self.scales, None, -128, 127, index),
            _OPERATORS.embedding_4bit(self.four, self.groups, None, -8, 7, index),
            _OPERATORS.embedding_2bit(self.two, self.groups, self.groups, -2, 1, index),
            nn.functional.linear(x, weights),
        )


class Channels(nn.Module):
    """Every channel with a scale of its own, there and back."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("scales", (torch.arange(1, 4) / 32).double())
        self.register_buffer("zeros", torch.arange(-1, 2))

    def forward(self, x: Tensor) -> Tensor:
        limits = (1, -128, 127, torch.int8)
        stored = _OPERATORS.quantize_per_channel(x, self.scales, self.zeros, *limits)
        result: Tensor = _OPERATORS.dequantize_per_channel(stored, self.scales, self.zeros, *limits)
        return result


def of_models() -> list[Program]:
    """Stored weights, and conversions of images."""
    options = {"quantize": False, "keep_weights": True}
    return [
        program("stored_weights", StoredWeights, (3, 8), float_terms=16, **options),
        program("quantized_channels", Channels, (2, 3, 4, 5), **options),
    ]
