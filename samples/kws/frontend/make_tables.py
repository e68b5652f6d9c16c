# SPDX-License-Identifier: Apache-2.0
"""Makes tables.c, the constants of the audio front end.

    python samples/kws/frontend/make_tables.py samples/kws/frontend/tables.c

The file is kept in the repository; tests/test_tables.py makes it again and compares.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

RATE = 16000
WINDOW = 640
FFT = 1024
BANDS = 40
COEFFICIENTS = 10
LOWEST_HZ = 80.0
HIGHEST_HZ = 7600.0

LOG2_SEGMENTS = 64
LOG2_LIMIT = 20 << 9
"""No centred log2 value of a band, in units of 2^-9, is further from zero (see mel.c)."""

DCT_BITS = 15
"""Fractional bits of the cosine table."""
FEATURE_BITS = 10
"""Fractional bits of a feature."""

# Mean and standard deviation of each cepstral coefficient, in log2 units averaged over bands,
# on augmented training speech (train.py --statistics prints them). They only centre and scale:
# after this every coefficient has about zero mean and unit variance, so that one quantisation
# grid suits all ten. Changing them means training again.
CEPSTRUM_MEAN: tuple[float, ...] = (-4.35, 0.86, 0.21, 0.2, -0.03, -0.08, 0.0, -0.03, -0.01, 0.0)
CEPSTRUM_DEVIATION: tuple[float, ...] = (5.24, 1.19, 0.57, 0.56, 0.46, 0.37, 0.35, 0.3, 0.28, 0.27)


@dataclass(frozen=True)
class Tables:
    """All constants, as integers."""

    window: list[int]
    """Periodic Hann window, 15 fractional bits; [WINDOW]."""
    sine: list[int]
    """sin(2 pi i / FFT), 14 fractional bits; three quarters of a period, so that the cosine is
    the same table a quarter further on; [FFT * 3 / 4]."""
    band_edge: list[int]
    """First FFT bin at or above each corner frequency of the triangles; [BANDS + 2]."""
    band_weight: list[int]
    """How far a bin is from the corner below it to the one above, in 1/1024; indexed by bin from
    band_edge[0]; [band_edge[-1] - band_edge[0]]."""
    log2: list[int]
    """log2(1 + i / 64), 15 fractional bits; [LOG2_SEGMENTS + 1]."""
    cosine: list[list[int]]
    """Scaled DCT-II rows, DCT_BITS fractional bits; [COEFFICIENTS][BANDS]."""
    offset: list[int]
    """What to add to each row's sum before the final shift, rounding included."""


def _mel(hertz: float) -> float:
    return 1127.0 * math.log1p(hertz / 700.0)


def _hertz(mel: float) -> float:
    return 700.0 * math.expm1(mel / 1127.0)


def _bands() -> tuple[list[int], list[int]]:
    low, high = _mel(LOWEST_HZ), _mel(HIGHEST_HZ)
    corners = [_hertz(low + (high - low) * i / (BANDS + 1)) * FFT / RATE for i in range(BANDS + 2)]
    edges = [math.ceil(corner) for corner in corners]
    weights: list[int] = []
    for segment in range(BANDS + 1):
        span = corners[segment + 1] - corners[segment]
        for k in range(edges[segment], edges[segment + 1]):
            weights.append(round((k - corners[segment]) / span * 1024))
    return edges, weights


def _dct() -> tuple[list[list[int]], list[int]]:
    rows, offsets = [], []
    shift = DCT_BITS + 9 - FEATURE_BITS
    for k in range(COEFFICIENTS):
        gain = 1.0 / (BANDS * CEPSTRUM_DEVIATION[k])
        row = [
            round(gain * math.cos(math.pi * k * (m + 0.5) / BANDS) * (1 << DCT_BITS))
            for m in range(BANDS)
        ]
        centre = CEPSTRUM_MEAN[k] / CEPSTRUM_DEVIATION[k]
        offset = (1 << (shift - 1)) - round(centre * (1 << (DCT_BITS + 9)))
        if sum(abs(w) for w in row) * LOG2_LIMIT + abs(offset) >= 1 << 31:
            raise ValueError(f"row {k} of the cosine table can overflow 32 bits; lower DCT_BITS")
        rows.append(row)
        offsets.append(offset)
    return rows, offsets


def make_tables() -> Tables:
    """Compute all constants."""
    edges, weights = _bands()
    rows, offsets = _dct()
    turn = 2.0 * math.pi
    return Tables(
        window=[
            min(32767, round((0.5 - 0.5 * math.cos(turn * i / WINDOW)) * 32768))
            for i in range(WINDOW)
        ],
        sine=[round(math.sin(turn * i / FFT) * 16384) for i in range(FFT * 3 // 4)],
        band_edge=edges,
        band_weight=weights,
        log2=[round(math.log2(1 + i / LOG2_SEGMENTS) * 32768) for i in range(LOG2_SEGMENTS + 1)],
        cosine=rows,
        offset=offsets,
    )


def _array(declaration: str, values: Sequence[int]) -> str:
    lines = [
        "\t" + " ".join(f"{value}," for value in values[i : i + 12])
        for i in range(0, len(values), 12)
    ]
    return f"const {declaration} = {{\n" + "\n".join(lines) + "\n};\n"


def _matrix(declaration: str, rows: Sequence[Sequence[int]]) -> str:
    lines = []
    for row in rows:
        lines.append("\t{")
        lines += [
            "\t\t" + " ".join(f"{value}," for value in row[i : i + 12])
            for i in range(0, len(row), 12)
        ]
        lines.append("\t},")
    return f"const {declaration} = {{\n" + "\n".join(lines) + "\n};\n"


def render(tables: Tables) -> str:
    """The text of tables.c."""
    parts = [
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Made by make_tables.py, which explains each table. Do not edit. */\n"
        "/* clang-format off */\n"
        '#include "tables.h"\n',
        _array("int16_t kws_window[KWS_WINDOW]", tables.window),
        _array("int16_t kws_sine[KWS_FFT * 3 / 4]", tables.sine),
        _array("uint16_t kws_band_edge[KWS_BANDS + 2]", tables.band_edge),
        _array("uint16_t kws_band_weight[]", tables.band_weight),
        _array("uint16_t kws_log2[KWS_LOG2_SEGMENTS + 1]", tables.log2),
        _matrix("int16_t kws_cosine[KWS_COEFFICIENTS][KWS_BANDS]", tables.cosine),
        _array("int32_t kws_offset[KWS_COEFFICIENTS]", tables.offset),
    ]
    return "\n".join(parts)


def main(arguments: Sequence[str]) -> int:
    """Write the file that the command line names."""
    if len(arguments) != 1:
        print("usage: make_tables.py OUTPUT.c", file=sys.stderr)
        return 2
    Path(arguments[0]).write_text(render(make_tables()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
