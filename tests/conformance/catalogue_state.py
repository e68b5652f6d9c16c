# SPDX-License-Identifier: Apache-2.0
"""Programs with state, several methods, and programs left in float32."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

from conformance.program import Entry, Function, Program, program


def stateful() -> list[Program]:
    """Mutable buffers with and without initial values: float32, int32, beside int8 layers."""

    def state(name: str, make: object, *shapes: tuple[int, ...], **options: object) -> Program:
        return program(f"state_{name}", make, *shapes, stateful=True, calls=5, **options)  # type: ignore[arg-type]

    return [
        state("counter", Counter, (1, 3), quantize=False),
        state("counter_from_zero", Counter, (1, 3), quantize=False, initial_state=False),
        state("counter_quantized", CounterLinear, (1, 3)),
        state("average", MovingAverage, (1, 4), quantize=False),
        state("average_in_place", MovingAverageInPlace, (1, 4), quantize=False),
        state("average_without_start", MovingAverage, (1, 4), quantize=False, initial_state=False),
        state("average_quantized", MovingAverageLinear, (1, 4)),
        state("shift", ShiftRegister, (1, 3), quantize=False),
        state("stream_conv_float", StreamingConv, (1, 2, 1, 4), quantize=False, float_terms=18),
        state("stream_conv", StreamingConv, (1, 2, 1, 4)),
        state("stream_conv_start", lambda: StreamingConv(0.5), (1, 2, 1, 4)),
        state("recurrent", Recurrent, (1, 4)),
        state("ring", RingBuffer, (3,), quantize=False),
    ]


def several_methods() -> list[Program]:
    """Programs with more than one entry point."""
    return [
        Program(
            "methods_two",
            {
                "encode": Entry(lambda: nn.Linear(6, 3), ((1, 6),)),
                "decode": Entry(lambda: nn.Linear(3, 6), ((1, 3),)),
            },
        ),
        Program(
            "methods_conv_and_float",
            {
                "forward": Entry(lambda: nn.Conv2d(2, 3, 3), ((1, 2, 5, 4),)),
                "scale": Entry(lambda: Function(lambda x: torch.relu(x) * 1.0), ((2, 3),)),
            },
        ),
    ]


def floats() -> list[Program]:
    """Programs that are not quantized."""

    def plain(name: str, make: object, *shapes: tuple[int, ...], **options: object) -> Program:
        return program(f"float_{name}", make, *shapes, quantize=False, **options)  # type: ignore[arg-type]

    image = (1, 3, 5, 4)
    return [
        plain("add", Function(torch.add), (2, 5), (2, 5)),
        plain("add_broadcast", Function(torch.add), (2, 5), (5,)),
        plain("add_scalar", Function(lambda x: x + 1.5), (2, 5)),
        plain("add_image", Function(torch.add), image, image),
        plain("sub", Function(torch.sub), (2, 5), (2, 5)),
        plain("mul", Function(torch.mul), (2, 5), (2, 5)),
        plain("mul_scalar", Function(lambda x: x * 0.3), (2, 5)),
        plain("div", Function(torch.div), (2, 5), (2, 5)),
        plain("relu", Function(torch.relu), image),
        plain("clamp", Function(lambda x: torch.clamp(x, -0.5, 0.5)), (2, 5)),
        plain("hardtanh", Function(functional.hardtanh), (2, 5)),
        plain("minimum", Function(torch.minimum), (2, 5), (2, 5)),
        plain("maximum", Function(torch.maximum), (2, 5), (2, 5)),
        plain("linear", lambda: nn.Linear(6, 5), (2, 6), float_terms=7),
        plain("linear_no_bias", lambda: nn.Linear(6, 5, bias=False), (2, 6), float_terms=6),
        plain("conv", lambda: nn.Conv2d(3, 4, 3, padding=1), image, float_terms=28),
        plain(
            "conv_contiguous",
            lambda: nn.Conv2d(3, 4, 3, 2),
            image,
            float_terms=28,
            channels_last=False,
        ),
        plain("depthwise", lambda: nn.Conv2d(3, 3, 3, groups=3), image, float_terms=10),
        *transposed_floats(),
        plain("cat", Function(lambda x, y: torch.cat((x, y), 1)), image, (1, 2, 5, 4)),
        plain(
            "cat_contiguous",
            Function(lambda x, y: torch.cat((x, y), 1)),
            image,
            (1, 2, 5, 4),
            channels_last=False,
        ),
        plain("slice", Function(lambda x: x[:, 1:3]), (2, 5)),
        plain("select", Function(lambda x: x[:, 1]), (2, 5)),
        plain("mean", Function(lambda x: x.mean((2, 3))), image, float_terms=20),
        plain("mean_last", Function(lambda x: x.mean(-1, keepdim=True)), (2, 7), float_terms=8),
        plain("permute", Function(lambda x: x.permute(1, 0)), (2, 5)),
        plain("view", Function(lambda x: x.view(5, 2)), (2, 5)),
        plain("clone", Function(lambda x: x.clone()), (2, 5)),
        plain("hardswish", Function(functional.hardswish), (2, 9), spread=3.0, float_terms=3),
        plain("hardsigmoid", Function(functional.hardsigmoid), (2, 9), spread=3.0, float_terms=3),
        plain("sigmoid", Function(torch.sigmoid), (2, 9), spread=3.0, float_terms=8),
        plain("tanh", Function(torch.tanh), (2, 9), spread=2.0, float_terms=8),
        plain("softmax", Function(lambda x: torch.softmax(x, -1)), (2, 7), float_terms=16),
        plain("max_pool_dilated", lambda: nn.MaxPool2d(2, 1, 1, dilation=2), image),
        plain("max_pool_ceil", lambda: nn.MaxPool2d(2, 2, ceil_mode=True), image),
        plain("avg_pool_padded", lambda: nn.AvgPool2d(3, 2, 1), image, float_terms=9),
        plain(
            "avg_pool_inside",
            lambda: nn.AvgPool2d(3, 2, 1, ceil_mode=True, count_include_pad=False),
            image,
            float_terms=9,
        ),
        plain(
            "avg_pool_divisor", lambda: nn.AvgPool2d(2, divisor_override=3), image, float_terms=4
        ),
        plain("max_pool", lambda: nn.MaxPool2d(2), image),
        plain("avg_pool", lambda: nn.AvgPool2d(2), image, float_terms=4),
        plain("int32_add", Function(torch.add), (2, 5), (2, 5), input_dtype=torch.int32),
    ]


def transposed_floats() -> list[Program]:
    """Transposed convolutions, in float32 where CMSIS-NN has no kernel for them."""
    image = (1, 4, 5, 4)

    def transposed(name: str, terms: int, make: object, **options: object) -> Program:
        return program(
            f"float_transposed_{name}",
            make,  # type: ignore[arg-type]
            options.pop("shape", image),  # type: ignore[arg-type]
            quantize=False,
            float_terms=terms,
            **options,  # type: ignore[arg-type]
        )

    return [
        transposed("plain", 37, lambda: nn.ConvTranspose2d(4, 3, 3), channels_last=False),
        transposed("stride", 17, lambda: nn.ConvTranspose2d(4, 2, 4, 2, 1)),
        transposed(
            "output_padding", 17, lambda: nn.ConvTranspose2d(4, 3, 3, 2, 1, output_padding=1)
        ),
        transposed("dilation", 36, lambda: nn.ConvTranspose2d(4, 3, 3, dilation=2, bias=False)),
        transposed("groups", 19, lambda: nn.ConvTranspose2d(4, 6, 3, groups=2)),
        transposed("depthwise", 10, lambda: nn.ConvTranspose2d(4, 4, 3, groups=4)),
        transposed(
            "1d", 13, lambda: nn.ConvTranspose1d(4, 3, 3), shape=(2, 4, 6), channels_last=False
        ),
    ]


def left_in_float() -> list[Program]:
    """Quantized programs with operators that the quantizer does not know."""
    return [
        program("mixed_abs", lambda: nn.Sequential(nn.Linear(4, 5), Function(torch.abs)), (1, 4)),
        program(
            "mixed_neg_linear", lambda: nn.Sequential(Function(torch.neg), nn.Linear(4, 5)), (1, 4)
        ),
        program("hardsigmoid", Function(functional.hardsigmoid), (2, 9), spread=3.0),
        program("add_constant", Function(lambda x: x + 0.5), (2, 5)),
        program("mul_constant", Function(lambda x: x * 0.25), (2, 5)),
        program("mul_row_broadcast", Function(torch.mul), (3, 5), (1, 5)),
        program(
            "transpose_conv_output_padding",
            lambda: nn.ConvTranspose2d(3, 4, 3, 2, 1, output_padding=1),
            (1, 3, 4, 5),
            float_terms=13,
        ),
        program(
            "transpose_conv_groups",
            lambda: nn.ConvTranspose2d(4, 4, 3, groups=2),
            (1, 4, 4, 5),
            float_terms=19,
        ),
        program("leaky_relu", Function(functional.leaky_relu), (2, 9)),
        program("layer_norm", lambda: nn.LayerNorm(8), (2, 8), float_terms=64),
        program("erfinv", Function(torch.erfinv), (2, 8), quantize=False, refused="aten::erfinv"),
        program("mean_channels", Function(lambda x: x.mean(1)), (1, 4, 5, 6)),
        program("conv3d", lambda: nn.Conv3d(1, 2, 2), (1, 1, 3, 3, 3), refused="aten::convolution"),
        program("sum", Function(lambda x: x.sum(-1)), (2, 9)),
    ]


def meaningless() -> list[Program]:
    """Programs in which stock lowering leaves float arithmetic to work on raw int8 values."""
    image = (1, 3, 6, 5)
    return [
        program(
            "refused_hardswish",
            Function(functional.hardswish),
            (2, 9),
            refused="aten::hardswish",
        ),
        program(
            "refused_conv_clamp_min",
            lambda: nn.Sequential(nn.Conv2d(3, 4, 3), Function(lambda x: torch.clamp(x, min=0.1))),
            image,
            refused="aten::convolution",
        ),
        program(
            "refused_conv_hardswish_used_twice",
            lambda: UsedTwice(nn.Conv2d(3, 4, 3), functional.hardswish),
            image,
            refused="aten::hardswish",
        ),
        program(
            "refused_linear_relu_used_twice",
            lambda: UsedTwice(nn.Linear(4, 3), torch.relu),
            (2, 4),
            refused="aten::relu",
        ),
    ]


class UsedTwice(nn.Module):
    """A layer whose output goes to an activation and past it."""

    def __init__(
        self, layer: nn.Module, activation: Callable[[torch.Tensor], torch.Tensor]
    ) -> None:
        super().__init__()
        self.layer = layer
        self.activation = activation

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the activated output, and twice the plain one."""
        plain = self.layer(x)
        return self.activation(plain), plain + plain


class Counter(nn.Module):
    """Counts its calls in int32, from five."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.tensor([5], dtype=torch.int32))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return max(x, 0) and the number of this call."""
        self.count.add_(1)
        return torch.relu(x), self.count.clone()


class CounterLinear(nn.Module):
    """A counter beside an int8 layer."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.tensor([7], dtype=torch.int32))
        self.linear = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the layer's output and the number of this call."""
        self.count.add_(1)
        return self.linear(x), self.count.clone()


class MovingAverage(nn.Module):
    """Exponential moving average of its input."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("average", torch.tensor([[1.0, -2.0, 3.0, 0.5]]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the new average."""
        self.average.copy_(self.average * 0.75 + x * 0.25)
        return self.average.clone()


class MovingAverageInPlace(MovingAverage):
    """The same, written with operators that work in place."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the difference from the new average."""
        self.average.mul_(0.75).add_(x * 0.25)
        return x - self.average


class MovingAverageLinear(MovingAverage):
    """A running sum of the outputs of an int8 layer, which saturates."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the square of the new sum."""
        average = torch.add(self.average, self.linear(x))
        self.average.copy_(average)
        return average * average


class ShiftRegister(nn.Module):
    """Keeps the last four inputs, newest last."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("past", torch.zeros(3, 3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the last four inputs [4, 3]."""
        window = torch.cat((self.past, x))
        self.past.copy_(window[1:])
        return window


class StreamingConv(nn.Module):
    """A convolution over time that gets one row at a time and keeps the two before."""

    def __init__(self, start: float = 0.0) -> None:
        super().__init__()
        self.register_buffer("past", torch.full((1, 2, 2, 4), start))
        self.conv = nn.Conv2d(2, 3, 3, padding=(0, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the convolution's row [1, 3, 1, 4] that ends with `x`."""
        window = torch.cat((self.past, x), 2)
        self.past.copy_(window[:, :, 1:])
        result: torch.Tensor = self.conv(window)
        return result


class Recurrent(nn.Module):
    """h = tanh(Wx + Uh): an Elman cell out of int8 layers."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("hidden", torch.zeros(1, 3))
        self.input = nn.Linear(4, 3)
        self.back = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the new hidden state."""
        hidden = torch.tanh(self.input(x) + self.back(self.hidden))
        self.hidden.copy_(hidden)
        return hidden


class RingBuffer(nn.Module):
    """Writes rows round and round into a buffer at a position that is state too."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("rows", torch.zeros(4, 3))
        self.register_buffer("position", torch.zeros(1, dtype=torch.int64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the buffer after writing `x`."""
        self.rows.index_copy_(0, self.position, x.unsqueeze(0))
        self.position.copy_((self.position + 1) % 4)
        return self.rows.clone()
