# SPDX-License-Identifier: Apache-2.0
"""Programs with control flow: torch.cond, torch.map and torch.scan."""

from __future__ import annotations

from collections.abc import Callable

import torch
from executorch.backends.cortex_m.quantizer.quantizer import CortexMQuantizer
from torch import nn
from torch._higher_order_ops.map import map as map_rows
from torch._higher_order_ops.scan import scan
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

from conformance.program import Function, Program, lively, program

Tensor = torch.Tensor


def branches() -> list[Program]:
    """Conditions are inputs: each combination of them has its calls."""

    def cond(name: str, make: object, *shapes: tuple[int, ...], **options: object) -> Program:
        settings: dict[str, object] = {"bools": 1, "calls": 6, "quantize": False} | options
        first = ((),) if settings["bools"] else ()
        return program(f"cond_{name}", make, *first, *shapes, **settings)  # type: ignore[arg-type]

    image = (1, 3, 5, 4)
    row = (2, 5)
    return [
        cond("one", Function(_one), row),
        cond("nested", Function(_nested), (), row, row, bools=2, calls=8),
        cond("outputs", Function(_outputs), row, row, float_terms=6),
        cond("unchanged", Function(_unchanged), row, row),
        cond("constants", _Constants, row),
        cond("twice", Function(_twice), row),
        cond("views", Function(_views), (2, 6)),
        cond("layouts", Function(_layouts), image),
        cond("conv", lambda: _Layers(nn.Conv2d(3, 3, 3, padding=1)), image, float_terms=28),
        cond("linear", lambda: _Layers(nn.Linear(5, 5)), row, float_terms=6),
        cond("around_int8", _AroundInt8, (1, 4), float_terms=8, keep_weights=True),
        cond("state_read", _StateRead, row, stateful=True),
        cond("state_written", _StateWritten, row, stateful=True),
        cond("compared", Function(_compared), row, bools=0),
        cond("numbers", Function(_numbers), row, input_dtype=torch.int32),
    ]


def loops() -> list[Program]:
    """Loops over the first dimension, which are unrolled."""

    def loop(name: str, make: object, *shapes: tuple[int, ...], **options: object) -> Program:
        return program(f"loop_{name}", make, *shapes, quantize=False, **options)  # type: ignore[arg-type]

    rows = (4, 3)
    return [
        loop("map", Function(lambda x, y: map_rows(lambda a, b: a * 2 + b, x, y)), rows, (3,)),
        loop("map_once", Function(lambda x: map_rows(torch.relu, x)), (1, 3)),
        loop("scan", Function(_scan), (3,), rows),
        loop("scan_cond", Function(_scan_of_cond), (), (3,), rows, bools=1, calls=4),
        loop("cond_scan", Function(_cond_of_scan), (), (3,), rows, bools=1, calls=4),
        loop("scan_state", _ScanState, rows, stateful=True),
    ]


def _one(c: Tensor, x: Tensor) -> Tensor:
    return torch.cond(c, lambda x: torch.relu(x) + x, lambda x: x * 2, (x,)) - x


def _nested(c: Tensor, d: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    def taken(d: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        a, b = torch.cond(d, lambda x, y: (x + y, x * y), lambda x, y: (y - x, y.clone()), (x, y))
        return a * x, b

    def other(d: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        a = torch.cond(d, lambda x: torch.relu(x), lambda x: -x, (x,))
        return a + y, a - y

    a, b = torch.cond(c, taken, other, (d, x, y))
    return a + b, b


def _outputs(c: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
    return torch.cond(
        c,
        lambda x, y: (x + y, x[:, 1:3] * 2, x.sum(-1)),
        lambda x, y: (x - y, y[:, 2:4] * 3, y.sum(-1)),
        (x, y),
    )


def _unchanged(c: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Both sides give what is there already, swapped."""
    a, b = torch.cond(
        c, lambda x, y: (x.clone(), y.clone()), lambda x, y: (y.clone(), x.clone()), (x, y)
    )
    return a, b, x + y


def _twice(c: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """One condition for two branches, the second of what the first gives; a result used twice."""
    a = torch.cond(c, lambda x: x + 1, lambda x: x - 1, (x,))
    b, d = torch.cond(c, lambda a, x: (a * x, a * x + 1), lambda a, x: (a.clone(), a + x), (a, x))
    return b + a, d


def _views(c: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    y = torch.cond(c, lambda x: (x + 1).reshape(12), lambda x: x.t().reshape(12) * 2, (x,))
    return y.reshape(3, 4), y.view(12) + 1


def _layouts(c: Tensor, x: Tensor) -> Tensor:
    """Channels last for PyTorch on both sides; for us a broadcast is not."""
    return torch.cond(c, lambda x: torch.relu(x), lambda x: x * x[:, :, :1, :1], (x,))


def _compared(x: Tensor) -> Tensor:
    """The condition is computed."""
    return torch.cond(x[0, 0] > 0.3, lambda x: x * 3, lambda x: x - 1, (x,))


def _numbers(c: Tensor, x: Tensor) -> Tensor:
    return torch.cond(c, lambda x: x + 7, lambda x: x * x, (x,))


class _Constants(nn.Module):
    """A side that gives a constant."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.arange(10.0).reshape(2, 5))

    def forward(self, c: Tensor, x: Tensor) -> Tensor:
        """The table, or twice the input."""
        return torch.cond(c, lambda x: self.table.clone(), lambda x: x * 2, (x,))


class _Layers(nn.Module):
    """The same layer on one side, before and after."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, c: Tensor, x: Tensor) -> Tensor:
        """The layer where the condition is true."""
        return torch.cond(c, lambda x: torch.relu(self.layer(x)), lambda x: x * 0.5, (x,)) + x


class _AroundInt8(nn.Module):
    """Quantised layers on both sides; stock lowering leaves them in float between int8."""

    def __init__(self) -> None:
        super().__init__()
        self.first = _quantised(nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 3)), 1)
        self.second = _quantised(nn.Linear(4, 3), 2)

    def forward(self, c: Tensor, x: Tensor) -> Tensor:
        """One network or the other."""
        return torch.cond(c, lambda x: self.first(x), lambda x: self.second(x), (x,))


def _quantised(model: nn.Module, seed: int) -> nn.Module:
    lively(model, seed).requires_grad_(False)
    generator = torch.Generator().manual_seed(seed)
    samples = [torch.randn(1, 4, generator=generator) for _ in range(8)]
    traced = torch.export.export(model, (samples[0],)).module(check_guards=False)
    prepared = prepare_pt2e(traced, CortexMQuantizer())
    for sample in samples:
        prepared(sample)
    converted = convert_pt2e(prepared)
    assert isinstance(converted, nn.Module)
    return converted


class _StateRead(nn.Module):
    """A sum that one side reads."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.ones(2, 5))

    def forward(self, c: Tensor, x: Tensor) -> Tensor:
        """The sum so far, times x, or minus x."""
        total = self.total
        result = torch.cond(c, lambda x: x * total, lambda x: -x, (x,))
        self.total.add_(x)
        return result


class _StateWritten(_StateRead):
    """A sum that grows where the condition is true: torch.cond must give it back."""

    def forward(self, c: Tensor, x: Tensor) -> Tensor:
        """The new sum."""
        total = self.total
        self.total.copy_(torch.cond(c, lambda x: total + x, lambda x: total.clone(), (x,)))
        return self.total * 2


class _ScanState(_StateRead):
    """A sum over rows, carried from call to call."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.ones(3))

    def forward(self, x: Tensor) -> Tensor:
        """All sums on the way."""
        last, sums = _scan(self.total, x)
        self.total.copy_(last)
        return sums


def _scan(start: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
    def step(total: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
        total = total + row
        return total, total * 2

    return _pair(scan, step, start, rows)


def _scan_of_cond(c: Tensor, start: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
    def step(total: Tensor, row: Tensor) -> tuple[Tensor, Tensor]:
        total = torch.cond(c, lambda t, r: t + r, lambda t, r: t - r, (total, row))
        return total, total * 2

    return _pair(scan, step, start, rows)


def _cond_of_scan(c: Tensor, start: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
    return torch.cond(c, _scan, lambda start, rows: (start - 1, rows * 3), (start, rows))


def _pair(function: Callable[..., object], *arguments: object) -> tuple[Tensor, Tensor]:
    last, all_of_them = function(*arguments)  # type: ignore[misc, attr-defined]
    return last, all_of_them
