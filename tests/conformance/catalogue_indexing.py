# SPDX-License-Identifier: Apache-2.0
"""Operators that move elements, make constants, and read or write where indices say.

Most programs do many things to a tensor of each element type, and have an output for each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import nn
from torch.nn import functional

from conformance.program import Function, Program, Shape, program

Move = Callable[[torch.Tensor], object]

#: One input of each element type, as Program.integers has them; the first is float32.
_TYPES = {
    1: (torch.int8, -128, 128),
    2: (torch.uint8, 0, 256),
    3: (torch.int16, -(2**15), 2**15),
    4: (torch.int32, -(2**31), 2**31),
    5: (torch.int64, -(2**40), 2**40),
    6: (torch.bool, 0, 2),
}


def _flat(results: object) -> list[torch.Tensor]:
    """Tensors out of nested tuples and lists."""
    if isinstance(results, torch.Tensor):
        return [results]
    assert isinstance(results, (tuple, list))
    return [tensor for result in results for tensor in _flat(result)]


def _of_every_type(name: str, shape: Shape, moves: Sequence[Move]) -> Program:
    """All moves of a tensor of each element type."""
    return program(
        name,
        Function(lambda *inputs: tuple(_flat([[move(x) for move in moves] for x in inputs]))),
        *[shape] * (len(_TYPES) + 1),
        quantize=False,
        channels_last=False,
        integers=_TYPES,
    )


def moves() -> list[Program]:
    """To places that the program says."""
    return [
        _of_every_type(
            "moves_stack",
            (2, 3, 4),
            [
                lambda x: torch.stack((x, x), 1),
                lambda x: torch.stack((x[0], x[1], x[0]), -1),
                lambda x: x.unbind(1),
                lambda x: x.chunk(3, 2),
                lambda x: x.split(2, 1),
                lambda x: x.split((1, 3), -1),
            ],
        ),
        _of_every_type(
            "moves_roll",
            (2, 3, 4),
            [
                lambda x: torch.roll(x, 1, 2),
                lambda x: torch.roll(x, (1, -2), (0, -1)),
                lambda x: torch.roll(x, 29),
                lambda x: torch.roll(x, (2, 2), (1, 1)),
                lambda x: torch.narrow_copy(x, 1, 1, 2),
                lambda x: torch.narrow_copy(x, -1, -3, 2),
            ],
        ),
        _of_every_type(
            "moves_strided",
            (3, 4, 5),
            [
                lambda x: x.diagonal(1, 0, 2),
                lambda x: x.diagonal(-1, 2, 1),
                lambda x: torch.as_strided(x, (2, 3, 2), (7, 1, 9), 4),
                lambda x: x.unfold(2, 3, 2),
                lambda x: x.unfold(0, 2, 1),
                lambda x: torch.tril(x),
                lambda x: torch.tril(x, 1),
                lambda x: torch.tril(x, -2),
                lambda x: x.expand(2, 3, 4, 5),
                lambda x: x.repeat_interleave(2, 1),
            ],
        ),
        _of_every_type(
            "moves_into",
            (3, 4, 5),
            [
                lambda x: torch.select_scatter(x, x[:, 0], 1, 2),
                lambda x: torch.select_scatter(x, x[1], 0, -1),
                lambda x: torch.slice_scatter(x, x[:, :2], 1, 1, 3),
                lambda x: torch.slice_scatter(x, x[:, :, :2], 2, 1, 5, 2),
                lambda x: torch.slice_scatter(x, x[:1], 0, -2, -1),
                lambda x: torch.slice_scatter(x, x.flip(0), 0),
            ],
        ),
        _of_every_type(
            "moves_pixels",
            (2, 8, 4, 6),
            [lambda x: functional.pixel_shuffle(x, 2), lambda x: functional.pixel_unshuffle(x, 2)],
        ),
        program(
            "pads_with_own_elements",
            Function(_padded),
            (2, 5),
            (2, 3, 4, 5),
            (2, 3, 2, 4, 3),
            quantize=False,
            channels_last=(False, True, False),
        ),
        program("pad_reflection", lambda: nn.ReflectionPad2d((1, 2, 0, 1)), (1, 4, 5, 6)),
        program(
            "pad_replication_conv",
            lambda: nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReplicationPad2d(1), nn.Conv2d(4, 2, 3)),
            (1, 3, 6, 6),
        ),
        program("quantized_moves", lambda: QuantizedMoves(), (4, 6), channels_last=False),
        program("quantized_pixels", lambda: QuantizedPixels(), (1, 3, 5, 6)),
        program(
            "glu", Function(lambda x: functional.glu(x, -1)), (3, 8), quantize=False, float_terms=8
        ),
    ]


def _padded(x: torch.Tensor, image: torch.Tensor, volume: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return (
        functional.pad(x, (1, 4), "reflect"),
        functional.pad(x, (3, 7), "replicate"),
        functional.pad(x, (-1, 2), "reflect"),
        functional.pad(image, (2, 1, 3, 0), "reflect"),
        functional.pad(image, (0, 1, 6, 2), "replicate"),
        functional.pad(volume, (1, 2, 0, 3, 1, 1), "reflect"),
        functional.pad(volume, (4, 0, 1, 1, 0, 2), "replicate"),
    )


def constants() -> list[Program]:
    """Results that are known when the program is compiled."""
    return [
        program(
            "constants_made",
            Function(_constants),
            (2, 3),
            quantize=False,
        )
    ]


def _constants(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return (
        x + torch.full((2, 3), 1.5),
        torch.full((3,), -7, dtype=torch.int8),
        torch.full((2, 2), True),
        torch.full_like(x, 2.25),
        torch.full_like(x, 3, dtype=torch.int64),
        torch.zeros(2, 3, dtype=torch.int16),
        x * torch.ones(3),
        torch.arange(5),
        torch.arange(2, 11, 3, dtype=torch.int32),
        torch.arange(0.5, -2.0, -0.75),
        torch.arange(1, 7, 2, dtype=torch.int16),
        torch.fill(x, -4.5),
        torch.fill(x, x[0, 0]),
        torch.scalar_tensor(2.5) + x,
        torch.empty(2, 3).fill_(1.0) - x,
    )


def indexing() -> list[Program]:
    """Reading where indices say."""
    return [
        program(
            "embedding",
            lambda: Embeddings(),
            (2, 3),
            (4,),
            quantize=False,
            channels_last=False,
            integers={0: (torch.int64, 0, 7), 1: (torch.int32, 0, 7)},
        ),
        program(
            "embedding_linear",
            lambda: nn.Sequential(nn.Embedding(9, 4), nn.Linear(4, 3)),
            (2, 3),
            channels_last=False,
            integers={0: (torch.int64, 0, 9)},
        ),
        _indexed(
            "index_select",
            lambda x, i, j: (x.index_select(0, i[0]), x.index_select(-1, j.reshape(-1))),
        ),
        _indexed(
            "index",
            lambda x, i, j: (
                x[i],
                x[:, j],
                x[:, :, i[0]],
                x[i, j],
                x[i, :, j],
                x[:, i[:, :1], j],
                x[i - 3, j - 3],
                x[torch.tensor([2, 0, -1]), 1:],
            ),
        ),
        _indexed(
            "gather",
            lambda x, i, j: (
                x.gather(0, i.reshape(2, 3, 1)),
                x.gather(2, i.reshape(3, 2, 1).expand(3, 2, 4)),
                x.gather(-2, i.reshape(1, 6, 1)),
            ),
        ),
        program("index_quantized", lambda: QuantizedIndex(), (4, 6), channels_last=False),
        program(
            "topk",
            Function(lambda x, y: (*x.topk(3), *x.topk(2, 0, largest=False), *y.topk(6, 1))),
            (5, 6),
            (2, 6, 3),
            quantize=False,
            channels_last=False,
        ),
        program(
            "topk_values",
            Function(lambda *inputs: tuple(x.topk(4)[0] for x in inputs)),
            *[(3, 9)] * 6,
            quantize=False,
            channels_last=False,
            integers={n: kind for n, kind in _TYPES.items() if kind[0] is not torch.bool},
        ),
        program("topk_quantized", lambda: Best(), (2, 6), channels_last=False),
    ]


def _indexed(
    name: str, function: Callable[[torch.Tensor, torch.Tensor, torch.Tensor], object]
) -> Program:
    """A tensor of each element type, and indices of int64 and of int32."""
    shape = (4, 5, 4)

    def forward(*inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        *tensors, i, j = inputs
        return tuple(_flat([function(x, i, j) for x in tensors]))

    return program(
        name,
        Function(forward),
        *[shape] * 7,
        (2, 3),
        (2, 3),
        quantize=False,
        channels_last=False,
        integers={**_TYPES, 7: (torch.int64, 0, 4), 8: (torch.int32, 0, 4)},
    )


def scattering() -> list[Program]:
    """Writing where indices say."""
    return [
        _indexed(
            "index_put",
            lambda x, i, j: (
                x.index_put((i,), x[:2, :3, None]),
                x.index_put((i, j.long()), x[0, 0, :1]),
                x.index_put((i - 4,), x[0, 0]),
                x.index_put((i[0], torch.tensor([1]), torch.tensor([0])), x[:3, 0, 0]),
            ),
        ),
        _indexed(
            "index_put_accumulate",
            lambda x, i, j: (
                x.index_put((i,), x[:2, :3, None], accumulate=True),
                x.index_put((i, i), x[0, 0, 1:2], accumulate=True),
            ),
        ),
        _indexed(
            "scatter",
            lambda x, i, j: (
                x.scatter(0, i.reshape(2, 3, 1), x[:2]),
                x.scatter(1, i.reshape(1, 6, 1), x.reshape(1, 20, 4)),
                x.scatter(2, i.reshape(3, 2, 1), 1),
            ),
        ),
        _indexed(
            "scatter_add",
            lambda x, i, j: (
                x.scatter_add(0, i.reshape(2, 3, 1), x[:2]),
                x.scatter_add(-1, i.reshape(1, 1, 6), x.reshape(1, 4, 20)),
            ),
        ),
        _indexed(
            "masked_scatter",
            lambda x, i, j: (
                x.masked_scatter(x[0] > x[1], x[1:]),
                x[0].masked_scatter(x > x[2], x),
                x.masked_fill(x[:1] > x[1:2], 1),
            ),
        ),
        _indexed("index_put_mask", lambda x, i, j: _with_masked(x)),
        program(
            "ring_of_rows",
            lambda: RowsAtAnIndex(),
            (1, 3),
            (1,),
            quantize=False,
            channels_last=False,
            stateful=True,
            calls=5,
            integers={1: (torch.int64, 0, 4)},
        ),
    ]


def _with_masked(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    whole, rows = x.clone(), x.clone()
    whole[x > x[0]] = 1
    rows[x[:, :, 0] > x[:, :, 1]] = x[0, 0]
    return whole, rows


class Embeddings(nn.Module):
    """A table of vectors, and one with a padding index."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(7, 5)
        self.padded = nn.Embedding(7, 3, padding_idx=2)

    def forward(self, i: torch.Tensor, j: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Vectors for indices of int64 and of int32."""
        return self.table(i), self.padded(i), self.table(j), self.padded(j)


class QuantizedMoves(nn.Module):
    """Layers with moves between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(6, 6)
        self.second = nn.Linear(6, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Roll, stack and take apart what the first layer gives."""
        y = torch.roll(self.first(x), 2, 1)
        y = torch.stack((y, y.flip(0)), 1)
        return self.second(torch.cat(y.unbind(1)))


class QuantizedPixels(nn.Module):
    """Upsampling by rearranging channels."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2d(3, 8, 3)
        self.second = nn.Conv2d(2, 3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Rearrange between two layers."""
        return self.second(functional.pixel_shuffle(self.first(x), 2))


class QuantizedIndex(nn.Module):
    """Layers with a choice of rows between them."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(6, 6)
        self.second = nn.Linear(6, 3)
        self.register_buffer("rows", torch.tensor([2, 0, 3, 3, 1]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Choose rows, and repeat some."""
        y = self.first(x)
        return self.second(y.index_select(0, self.rows) + y[self.rows.flip(0)])


class Best(nn.Module):
    """The best of what a layer gives."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(6, 20)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the three largest values of each row."""
        values: torch.Tensor = self.layer(x).topk(3)[0]
        return values


class RowsAtAnIndex(nn.Module):
    """Rows are written to where an index says, as a cache of keys is."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("rows", torch.zeros(4, 3))

    def forward(self, x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        """Return the rows after writing `x`."""
        self.rows.index_put_((i,), x)
        return self.rows.clone()
