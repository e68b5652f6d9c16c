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
    make.emit(ops.Binary, [x, constant], y, function="sub", alpha=1 / 3)
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


GOLDEN_MODELS: dict[str, Callable[[], dict[str, str]]] = {
    "images": _images,
    "states": _states,
    "numbers": _numbers,
}
