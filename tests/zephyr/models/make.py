# SPDX-License-Identifier: Apache-2.0
"""Makes the models that the suites for Zephyr run, and what they have to give.

    python tests/zephyr/models/make.py

NAME.pte is a program of tests/conformance, as stock ExecuTorch writes it. NAME_golden.h has inputs
and outputs of some of its calls, in the order of memory; the outputs are those of ExecuTorch's
reference graph. They are kept, so that the suites need neither torch nor a run on the host.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

_MODELS = Path(__file__).resolve().parent
sys.path[:0] = [str(_MODELS.parents[1]), str(_MODELS.parents[2] / "scripts")]

from conformance.programs import Built, build, default_cache  # noqa: E402
from petite.cli.arrays import to_bytes  # noqa: E402
from petite.codegen import literals  # noqa: E402
from petite.compile import Options, compile_file  # noqa: E402
from petite.ir.schedule import Port  # noqa: E402

Array = np.ndarray[Any, np.dtype[Any]]

#: Between them: most int8 kernels, two inputs, two methods, and a state.
GOLDEN = (
    "attention",
    "methods_conv_and_float",
    "residual_downsample",
    "separable_block",
    "squeeze_excite",
    "state_recurrent",
    "two_inputs",
)
#: Also with int8 inputs and outputs, for configurations without float32.
INT8_IO = ("separable_block",)
#: Calls an operator that Petite does not have, so the application brings it.
APPLICATION = ("erfinv",)


def main() -> None:
    """Write every file."""
    for name in GOLDEN + APPLICATION:
        built = build(name, default_cache())
        pte = _MODELS / f"{name}.pte"
        pte.write_bytes(built.pte.read_bytes())
        if name in GOLDEN:
            _write_golden(pte, built, f"{name}_golden", int8_io=False)
        if name in INT8_IO:
            _write_golden(pte, built, f"{name}_int8_golden", int8_io=True)


def _write_golden(pte: Path, built: Built, symbol: str, *, int8_io: bool) -> None:
    if built.meta.tolerance or built.meta.refused:
        raise ValueError(f"{pte.name}: has no outputs that are equal on every core")
    schedules = compile_file(pte, Options(int8_io=int8_io)).schedules
    names = [schedule.name for schedule in schedules]
    arrays: list[str] = []
    calls: list[str] = []
    for number in _calls(built):
        method = names.index(built.meta.methods[number])
        ports = (schedules[method].inputs, schedules[method].outputs)
        fields = [f".method = {method}"]
        for kind, values in zip(("input", "output"), (built.inputs, built.expected), strict=True):
            made = []
            for i, port in enumerate(ports[kind == "output"]):
                made.append(f"{symbol}_call{number}_{kind}{i}")
                arrays.append(_array(made[-1], values[number][i], port))
            fields.append(f".{kind}s = {{{', '.join(made)}}}")
        calls.append(f"\t{{{', '.join(fields)}}},\n")
    text = _HEADER.format(
        guard=symbol.upper(),
        symbol=symbol,
        source=pte.stem,
        arrays="\n".join(arrays),
        calls="".join(calls),
        sequence=str(built.meta.stateful).lower(),
    )
    (_MODELS / f"{symbol}.h").write_text(text, encoding="ascii")


def _calls(built: Built) -> list[int]:
    """Calls to keep: all of a sequence, else the first and the last, which clamps, of a method."""
    methods = built.meta.methods
    if built.meta.stateful:
        return list(range(len(methods)))
    ends = [(methods.index(m), len(methods) - 1 - methods[::-1].index(m)) for m in set(methods)]
    return sorted(number for pair in ends for number in pair)


def _array(symbol: str, value: Array, port: Port) -> str:
    data = np.frombuffer(to_bytes(_stored(value, port), port, symbol), port.dtype.numpy)
    lines = "".join(f"\t{line}\n" for line in literals.lines(data, port.dtype))
    return f"static const {port.dtype.c_type} {symbol}[{data.size}] = {{\n{lines}}};\n"


def _stored(value: Array, port: Port) -> Array:
    """The array as the port holds it: quantised where the model's conversions were taken away.

    Outputs are multiples of the scale; inputs are rounded as the core's quantisation rounds them,
    by the scale's float32 reciprocal, ties to even.
    """
    if port.quantization is None or value.dtype == port.dtype.numpy:
        return value
    reciprocal = np.float32(1.0) / np.float32(port.quantization.scale)
    steps = np.rint(value.astype(np.float64) * np.float64(reciprocal))
    low, high = np.iinfo(port.dtype.numpy).min, np.iinfo(port.dtype.numpy).max
    stored = np.clip(steps + port.quantization.zero_point, low, high)
    return stored.astype(port.dtype.numpy)


_HEADER = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Made by make.py from the conformance program {source}; do not edit. */
#ifndef {guard}_H
#define {guard}_H

#include "golden.h"

{arrays}
static const struct golden_call {symbol}_calls[] = {{
{calls}}};

static const struct golden {symbol} = {{
	.calls = {symbol}_calls,
	.count = sizeof({symbol}_calls) / sizeof({symbol}_calls[0]),
	.sequence = {sequence},
}};

#endif /* {guard}_H */
"""

if __name__ == "__main__":
    main()
