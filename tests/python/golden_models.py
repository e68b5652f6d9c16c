# SPDX-License-Identifier: Apache-2.0
"""The small models whose generated code is kept in tests/golden."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np

from graph_maker import NHWC, GraphMaker, generated
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.ir.ops import Requantize


def _images() -> dict[str, str]:
    """An image classifier: padding folded, float at the edges."""
    make = GraphMaker(seed=1)
    x = make.quantize(make.input((1, 2, 6, 6), DType.F32, NHWC), 0.1, 5)
    x = make.conv2d(make.pad(x, (0, 0, 1, 1), (0, 0, 1, 1), 5), 4, bias=False)
    x = make.max_pool(make.depthwise(x, multiplier=2))
    x = make.softmax(make.linear(make.view(x, (1, 32)), 3), 1)
    make.output(make.dequantize(x, 1 / 256, -128))
    return generated("images", make.graph)


def _states() -> dict[str, str]:
    """Two methods, one with a state that starts at given values, one with zeros."""
    forward, count = GraphMaker(seed=2), GraphMaker("Count-up")
    state = forward.state((2, 4), initial=np.arange(8, dtype=np.int8).reshape(2, 4))
    both = forward.concat([state.before, forward.input((1, 4))], 0)
    forward.output(both)
    state.after = forward.slice(both, 0, 1, 3)
    total = count.state((4,))
    total.after = count.add(total.before, count.input((4,)))
    count.output(total.after)
    return generated("states", forward.graph, count.graph)


def _numbers() -> dict[str, str]:
    """Numbers that C cannot write plainly, and kernels with many strides."""
    make = GraphMaker(seed=3)
    x = make.input((2, 3, 4), DType.F32)
    values = np.array([0.1, -0.0, 1e-45, 3.4028235e38, inf, -inf], np.float32).reshape(2, 3, 1)
    constant = Value("c", DType.F32, (2, 3, 1), data=values)
    y = make.value((2, 3, 4), DType.F32)
    make.emit(ops.Elementwise, [x, constant], y, function="sub")
    z = make.value((2, 3, 4), DType.F32)
    make.emit(ops.FloatClamp, [y], z, low=-inf, high=6.0)
    make.output(make.permute(z, (2, 0, 1)))
    wide = Value(
        "w",
        DType.S64,
        (2, 2),
        data=np.array([[-(2**63), 2**63 - 1], [0, -1]], np.int64),
    )
    make.output(make.concat([make.input((2, 2), DType.S64), wide], 1))
    q = make.input((1, 5))
    make.output(
        make.emit(
            ops.Linear,
            [q],
            make.value((1, 2)),
            weights=np.array([[-128, 127, 0, 1, -1]] * 2, np.int8),
            bias=np.array([-(2**31), 2**31 - 1], np.int32),
            output_offset=-128,
            requantize=Requantize(2**31 - 1, -31),
            clamp=ops.Clamp(-128, -1),
        )
    )
    return generated("numbers", make.graph)


def _tables() -> dict[str, str]:
    """Two methods that share a constant, with all optional tables; one method has no step."""
    forward, second, nothing = GraphMaker(seed=4), GraphMaker("second", seed=4), GraphMaker("none")
    for make in (forward, second):
        make.output(make.linear(make.input((1, 4)), 2))
    second.output(second.add(second.input((2,)), second.input((2,))))
    nothing.output(nothing.input((3,)))
    graphs = (forward.graph, second.graph, nothing.graph)
    return generated("tables", *graphs, step_names=True, checksums=True)


def _operators() -> dict[str, str]:
    """Two methods that call the application, with every kind of argument."""
    forward, second = GraphMaker(seed=5), GraphMaker("second")
    table = Value("table", DType.S8, (2, 3), data=np.arange(6, dtype=np.int8).reshape(2, 3))
    x = forward.input((1, 2, 2, 2), DType.S8, NHWC)
    outputs = [forward.value((2, 2), DType.F32), forward.value((), DType.S64)]
    arguments: tuple[ops.Argument, ...] = (
        *(None, ops.Operand(0), 256, -(2**63), True, 0.1, -inf, float("nan")),
        *((4, -(2**63)), (), ops.Operand(1)),
    )
    forward.call("mylib::spectrum.out", [x, table], outputs, arguments)
    for output in outputs:
        forward.output(output)
    y = second.input((3,), DType.S64)
    for name in ("mylib::noise.out", "mylib::spectrum.out"):
        z = second.value((3,), DType.S64)
        second.call(name, [] if name == "mylib::noise.out" else [y], [z])
        y = z
    second.output(y)
    return generated("operators", forward.graph, second.graph)


def _helium() -> dict[str, str]:
    """Weights and scales packed for Helium, a window that needs scratch, and the guard."""
    make = GraphMaker(seed=6)
    x = make.conv2d(make.input((1, 3, 4, 4), layout=NHWC), 5)
    make.output(make.linear(make.view(x, (1, x.count)), 2))
    return generated("helium", make.graph, instruction_set="mve")


GOLDEN_MODELS: dict[str, Callable[[], dict[str, str]]] = {
    "images": _images,
    "states": _states,
    "numbers": _numbers,
    "tables": _tables,
    "operators": _operators,
    "helium": _helium,
}
