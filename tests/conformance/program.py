# SPDX-License-Identifier: Apache-2.0
"""What a conformance program is: a module, its inputs, and how it is lowered."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import nn

Shape = tuple[int, ...]
Tensors = tuple[torch.Tensor, ...]
MakeModule = Callable[[], nn.Module]


@dataclass(frozen=True)
class Entry:
    """One method of a program."""

    make: MakeModule
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Program:
    """One program of the catalogue; everything about it follows from these fields and its name."""

    name: str
    methods: Mapping[str, Entry]
    quantize: bool = True
    qat: bool = False
    """Quantization-aware: fake quantizers while it is calibrated."""
    channels_last: tuple[bool, ...] = (True,)
    """Memory format of each rank-4 input; the last value counts for all further inputs."""
    explicit_layout: bool = False
    """ExecuTorch's NHWC operators with explicit transposes."""
    target: str = "cortex-m55"
    stateful: bool = False
    """The calls are one sequence: each starts from the state that the one before left."""
    initial_state: bool = True
    """Keep the initial values of mutable buffers: stock export drops them, and they are zero."""
    calls: int = 3
    spread: float = 1.0
    """Standard deviation of the inputs."""
    offset: float = 0.3
    """Mean of the inputs: not zero, so that zero points are not."""
    smooth: bool = False
    """Images with large structures: white noise would average out in every pooling layer."""
    input_dtype: torch.dtype = torch.float32
    bools: int = 0
    """How many inputs, the first ones, are bools. Their values in turn are all combinations."""
    integers: Mapping[int, tuple[torch.dtype, int, int]] = field(default_factory=dict)
    """Inputs of another type, by position: the type, the lowest value, and the end of the range."""
    float_terms: int = 0
    """Longest float32 sum whose order is free; 0 where the result must be equal bit for bit."""
    refused: str | None = None
    """Operator that the compiler has to name when it refuses the program."""
    keep_weights: bool = False
    """The module comes with its weights; all others get lively() ones."""
    calibrate: Callable[[Tensors], Tensors] | None = field(default=None, compare=False)
    """Changes the calibration samples, to make ranges that random inputs would not give."""

    @property
    def seed(self) -> int:
        """Seed of everything random in this program; the same in every process."""
        return zlib.crc32(self.name.encode())

    @property
    def tolerance(self) -> float:
        """Largest difference allowed, relative to the largest expected magnitude; 0 is equality.

        Only programs that sum float32 values have one: every order of the sum is right, and each
        addition rounds by at most half a unit in the last place.
        """
        return self.float_terms * 2.0**-23


def program(
    name: str,
    make: MakeModule | nn.Module,
    *shapes: Shape,
    channels_last: bool | Sequence[bool] = True,
    **options: object,
) -> Program:
    """A program with one method, "forward". `make` is a module or something that makes one."""
    formats = (channels_last,) if isinstance(channels_last, bool) else tuple(channels_last)
    entry = Entry(_maker(make), shapes)
    return Program(name, {"forward": entry}, channels_last=formats, **options)  # type: ignore[arg-type]


def _maker(make: MakeModule | nn.Module) -> MakeModule:
    if isinstance(make, nn.Module):
        module = make
        return lambda: module
    return make


class Function(nn.Module):
    """A plain function of tensors as a module."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self._function = function

    def forward(self, *inputs: torch.Tensor) -> object:
        """Apply the function."""
        return self._function(*inputs)


def lively(module: nn.Module, seed: int) -> nn.Module:
    """Give a module weights as after training: channels of different scales, nonzero biases.

    Batch normalization gets running statistics and an affine part that are not the identity.
    """
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for part in module.modules():
            if isinstance(part, (nn.Conv1d, nn.Conv2d, nn.ConvTranspose2d, nn.Linear)):
                _scatter_weights(part, generator)
            elif isinstance(part, (nn.BatchNorm1d, nn.BatchNorm2d)):
                assert part.running_mean is not None and part.running_var is not None
                part.running_mean.normal_(0.0, 0.3, generator=generator)
                part.running_var.uniform_(0.5, 2.0, generator=generator)
                part.weight.uniform_(0.5, 1.5, generator=generator)
                part.bias.normal_(0.0, 0.3, generator=generator)
    return module.eval()


def _scatter_weights(
    part: nn.Conv1d | nn.Conv2d | nn.ConvTranspose2d | nn.Linear, generator: torch.Generator
) -> None:
    weight = part.weight
    axis = 1 if isinstance(part, nn.ConvTranspose2d) else 0
    fan_in = weight.numel() / weight.shape[axis]
    weight.normal_(0.0, 1.0 / math.sqrt(fan_in), generator=generator)
    scale = torch.empty(weight.shape[axis]).uniform_(-2.0, 1.0, generator=generator).exp2()
    weight.mul_(scale.reshape([-1 if i == axis else 1 for i in range(weight.dim())]))
    if part.bias is not None:
        part.bias.normal_(0.0, 0.3, generator=generator)


def make_inputs(spec: Program, shapes: Sequence[Shape], seed: int, scale: float = 1.0) -> Tensors:
    """Random inputs of one call, in the memory formats of the program."""
    bools = tuple(
        torch.full(shape, bool((seed - spec.seed) >> index & 1))
        for index, shape in enumerate(shapes[: spec.bools])
    )
    return bools + _make_numbers(spec, shapes[spec.bools :], seed, scale)


def _make_numbers(spec: Program, shapes: Sequence[Shape], seed: int, scale: float) -> Tensors:
    generator = torch.Generator().manual_seed(seed)
    inputs: list[torch.Tensor] = []
    for index, shape in enumerate(shapes):
        if index in spec.integers:
            dtype, low, end = spec.integers[index]
            value = torch.randint(low, end, shape, generator=generator).to(dtype)
        elif spec.input_dtype.is_floating_point:
            value = smooth_noise(shape, generator) if spec.smooth else white_noise(shape, generator)
            value = (value * spec.spread + spec.offset) * scale
        else:
            value = torch.randint(-50, 50, shape, generator=generator).to(spec.input_dtype)
        inputs.append(with_format(spec, index, value))
    return tuple(inputs)


def white_noise(shape: Shape, generator: torch.Generator) -> torch.Tensor:
    """Independent normal values."""
    return torch.randn(shape, generator=generator)


def smooth_noise(shape: Shape, generator: torch.Generator) -> torch.Tensor:
    """Normal values of an image [n, c, h, w] that change slowly from place to place."""
    coarse = torch.randn((*shape[:2], 3, 3), generator=generator)
    size = (shape[2], shape[3])
    large = nn.functional.interpolate(coarse, size=size, mode="bilinear", align_corners=True)
    return large + 0.2 * white_noise(shape, generator)


def with_format(spec: Program, index: int, value: torch.Tensor) -> torch.Tensor:
    """A rank-4 input in the memory format that the program has for it."""
    last = spec.channels_last[min(index, len(spec.channels_last) - 1)]
    if value.dim() == 4 and last and not spec.explicit_layout:
        return value.to(memory_format=torch.channels_last)
    return value
