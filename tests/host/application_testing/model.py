# SPDX-License-Identifier: Apache-2.0
"""A PyTorch module with custom operators, exported by stock ExecuTorch."""

from __future__ import annotations

from pathlib import Path

import torch
from executorch.exir import EdgeCompileConfig, to_edge
from torch.library import Library

_FRAME_ENERGY = (
    "(Tensor x, Tensor? window, int size, int hop, float scale, bool absolute, int[] trim"
)
_LIBRARY = Library("testing", "DEF")
_LIBRARY.define(f"frame_energy{_FRAME_ENERGY}) -> Tensor")
_LIBRARY.define(f"frame_energy.out{_FRAME_ENERGY}, *, Tensor(a!) out) -> Tensor(a!)")
_LIBRARY.define("extremes(Tensor x) -> (Tensor, Tensor)")
_LIBRARY.define(
    "extremes.out(Tensor x, *, Tensor(a!) low, Tensor(b!) at) -> (Tensor(a!), Tensor(b!))"
)

#: What frame_energy multiplies its result with: which of two implementations is meant.
gain = 1.0


def _frame_energy(
    x: torch.Tensor,
    window: torch.Tensor | None,
    size: int,
    hop: int,
    scale: float,
    absolute: bool,
    trim: list[int],
) -> torch.Tensor:
    """x [channels, samples] to [channels, frames]: energy of overlapping windows."""
    frames = x.unfold(1, size, hop) * (1.0 if window is None else window)
    energy = (frames.abs() if absolute else frames * frames).sum(2) * scale * gain
    return energy[:, trim[0] : energy.shape[1] - trim[1]].contiguous()


def _extremes(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """x [channels, n]: the smallest value of each channel, and where its largest is."""
    return x.amin(1), x.argmax(1)


def _frame_energy_out(*arguments: object, out: torch.Tensor) -> torch.Tensor:
    return out.copy_(_frame_energy(*arguments))  # type: ignore[arg-type]


def _extremes_out(
    x: torch.Tensor, *, low: torch.Tensor, at: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    first, second = _extremes(x)
    return low.copy_(first), at.copy_(second)


for _name, _function in {
    "frame_energy": _frame_energy,
    "frame_energy.out": _frame_energy_out,
    "extremes": _extremes,
    "extremes.out": _extremes_out,
}.items():
    _LIBRARY.impl(_name, _function, "CompositeExplicitAutograd")


class Energy(torch.nn.Module):
    """Every kind of argument, two outputs, and an operand that is not dense as it lies."""

    def __init__(self) -> None:
        super().__init__()
        self.window = torch.nn.Buffer(torch.tensor([0.5, 1.0, 1.0, 0.5]))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """x [samples, channels]"""
        signal = x.transpose(0, 1)
        testing = torch.ops.testing
        energy = testing.frame_energy(signal, self.window, 4, 2, 0.25, False, [1, 0])
        level = testing.frame_energy(signal, None, 4, 3, 1.0, True, [0, 1])
        return energy + 1.0, level, *testing.extremes(energy)


SAMPLES, CHANNELS = 14, 3


def export(path: Path) -> None:
    """Write the program file."""
    example = (torch.zeros(SAMPLES, CHANNELS),)
    exported = torch.export.export(Energy(), example, strict=True)
    # ExecuTorch's check knows only its own operators.
    edge = to_edge(exported, compile_config=EdgeCompileConfig(_check_ir_validity=False))
    path.write_bytes(edge.to_executorch().buffer)
