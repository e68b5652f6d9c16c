# SPDX-License-Identifier: Apache-2.0
"""Larger networks for sequences: wav2letter, voice activity, recurrent layers, a transformer.

What stock lowering does not quantize of them (convolutions over time without an explicit layout,
the cells of recurrent layers, layer normalization, softmax in float32 programs) is float32.
"""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional

from conformance.program import Program, program


def sequences() -> list[Program]:
    """Speech, voice activity, recurrent layers, attention."""
    return [
        program("wav2letter", Wav2Letter, (1, 13, 96), explicit_layout=True),
        program("wav2letter_float", Wav2Letter, (1, 13, 32), quantize=False, float_terms=769),
        program("vad", VoiceActivity, (1, 256), stateful=True, calls=6, float_terms=100),
        program(
            "vad_state_outside", VoiceActivityStep, (1, 256), (1, 16), (1, 16), float_terms=100
        ),
        program("lstm", Lstm, (1, 6, 10), float_terms=26),
        program("lstm_float", Lstm, (1, 6, 10), quantize=False, float_terms=26),
        program("gru", Gru, (1, 6, 10), float_terms=26),
        program("gru_float", Gru, (1, 6, 10), quantize=False, float_terms=26),
        program("transformer", TransformerBlock, (1, 12, 16), float_terms=65),
        program("transformer_float", TransformerBlock, (1, 12, 16), quantize=False, float_terms=65),
    ]


class Wav2Letter(nn.Module):
    """Convolutions over time, one of stride 2, one very wide, then two of one tap."""

    def __init__(self, classes: int = 29) -> None:
        super().__init__()
        #: Input and output channels, taps, stride.
        layers = (
            (13, 24, 48, 2),
            *((24, 24, 7, 1),) * 7,
            (24, 64, 32, 1),
            (64, 64, 1, 1),
        )
        self.layers = nn.Sequential()
        for inputs, outputs, taps, stride in layers:
            # An even kernel pads one less than half on either side.
            self.layers.append(nn.Conv1d(inputs, outputs, taps, stride, (taps - 1) // 2))
            self.layers.append(nn.ReLU())
        self.layers.append(nn.Conv1d(64, classes, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of letters [n, classes, time / 2] of features [n, 13, time]."""
        scores: torch.Tensor = self.layers(x)
        return scores


class Spectrum(nn.Module):
    """Magnitudes of a short-time Fourier transform, as a convolution with sines and cosines."""

    def __init__(self, window: int, hop: int) -> None:
        super().__init__()
        self.hop = hop
        bins = window // 2 + 1
        time = torch.arange(window, dtype=torch.float64)
        angle = 2.0 * math.pi / window * torch.arange(bins)[:, None] * time[None, :]
        shape = torch.hann_window(window, dtype=torch.float64)
        basis = torch.cat((torch.cos(angle) * shape, -torch.sin(angle) * shape))
        self.register_buffer("basis", basis[:, None, :].float())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the magnitudes [n, window / 2 + 1, frames] of samples [n, time]."""
        both = functional.conv1d(x[:, None, :], self.basis, stride=self.hop)
        real, imaginary = both.chunk(2, 1)
        return torch.sqrt(real * real + imaginary * imaginary)


class VoiceActivityStep(nn.Module):
    """Probability of speech in a chunk of samples; the state of its LSTM cell comes and goes."""

    HIDDEN = 16

    def __init__(self) -> None:
        super().__init__()
        self.spectrum = Spectrum(64, 32)
        self.encoder = nn.Sequential(
            nn.Conv1d(33, 16, 3, padding=1),
            nn.ReLU(),
            nn.Conv1d(16, 16, 3, 2, padding=1),
            nn.ReLU(),
        )
        self.cell = nn.LSTMCell(64, self.HIDDEN)
        self.decoder = nn.Linear(self.HIDDEN, 1)

    def forward(
        self, x: torch.Tensor, hidden: torch.Tensor, memory: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the probability [1, 1], and both states [1, 16]."""
        features = self.encoder(self.spectrum(x))
        hidden, memory = self.cell(features.flatten(1), (hidden, memory))
        return torch.sigmoid(self.decoder(torch.relu(hidden))), hidden, memory


class VoiceActivity(nn.Module):
    """The same with its state, and the last samples of the chunk before, in buffers."""

    OVERLAP = 32

    def __init__(self) -> None:
        super().__init__()
        self.step = VoiceActivityStep()
        self.register_buffer("past", torch.zeros(1, self.OVERLAP))
        self.register_buffer("hidden", torch.zeros(1, VoiceActivityStep.HIDDEN))
        self.register_buffer("memory", torch.zeros(1, VoiceActivityStep.HIDDEN))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the probability [1, 1] of speech in `x` [1, samples]."""
        samples = torch.cat((self.past, x), 1)
        probability, hidden, memory = self.step(samples, self.hidden, self.memory)
        self.past.copy_(samples[:, -self.OVERLAP :])
        self.hidden.copy_(hidden)
        self.memory.copy_(memory)
        return probability


class Lstm(nn.Module):
    """Two LSTM layers and a linear one on the last step."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.LSTM(10, 12, num_layers=2, batch_first=True)
        self.head = nn.Linear(12, 5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores [n, 5] of a sequence [n, time, 10], and all hidden values."""
        steps, _ = self.layers(x)
        return self.head(steps[:, -1]), steps


class Gru(nn.Module):
    """A GRU layer that reads its input both ways, and a linear layer on each step."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.GRU(10, 12, batch_first=True, bidirectional=True)
        self.head = nn.Linear(24, 5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores [n, time, 5] of a sequence [n, time, 10], and the last hidden values."""
        steps, last = self.layer(x)
        return self.head(steps), last


class Attention(nn.Module):
    """Self-attention with several heads."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        # With a bias, stock lowering fails: it takes the result for int32, and that of softmax
        # for int8, which no product can have.
        self.project = nn.Linear(width, 3 * width, bias=False)
        self.join = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what each step of [n, time, width] gathers from all."""
        batch, time, width = x.shape
        size = width // self.heads
        split = self.project(x).reshape(batch, time, 3, self.heads, size).permute(2, 0, 3, 1, 4)
        query, key, value = split[0], split[1], split[2]
        weights = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(size), -1)
        gathered = (weights @ value).transpose(1, 2).reshape(batch, time, width)
        joined: torch.Tensor = self.join(gathered)
        return joined


class TransformerBlock(nn.Module):
    """One encoder block: attention and two dense layers, each normalized before and added."""

    def __init__(self, width: int = 16, heads: int = 4) -> None:
        super().__init__()
        self.first_norm = nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.second_norm = nn.LayerNorm(width)
        self.dense = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the block's output [n, time, width]."""
        x = x + self.attention(self.first_norm(x))
        result: torch.Tensor = x + self.dense(self.second_norm(x))
        return result
