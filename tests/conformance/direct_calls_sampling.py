# SPDX-License-Identifier: Apache-2.0
"""Direct calls of operators that sample images.

PyTorch adds in another order than ExecuTorch, so expected values are those of ExecuTorch's own
runtime, and equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from executorch.extension.pybindings.portable_lib import _load_for_executorch_from_buffer

from conformance.direct_calls import Case, floats, method_of

_FAR = torch.tensor([[1e6, 0.0], [-3.0, 7.5], [0.0, -1e6]]).reshape(1, 1, 3, 2)


def sampling() -> list[Case]:
    """Every such call."""
    return [Case(case.operator, case.args, _of_runtime(case)) for case in _grids() + _antialiased()]


def _of_runtime(case: Case) -> Callable[[], Any]:
    """What ExecuTorch's runtime gives, where it is near what PyTorch gives."""

    def expected() -> torch.Tensor:
        program = _load_for_executorch_from_buffer(method_of(case).file())
        inputs = [value for value in case.args if isinstance(value, torch.Tensor)]
        (result,) = program.run_method("forward", inputs)
        torch.testing.assert_close(result, *case.results(), rtol=1e-5, atol=1e-5)
        return result.clone()

    return expected


def _grids() -> list[Case]:
    """Inside, at the edges, outside and far away; images of one pixel too."""
    image, grid = floats(2, 3, 5, 4), floats(2, 3, 4, 2) * 1.5
    edges = torch.tensor([-1.0, -0.5, 0.0, 0.25, 1.0])
    corners = torch.cartesian_prod(edges, edges).reshape(1, 5, 5, 2)
    pixel = floats(1, 2, 1, 1)
    return [
        Case("aten::grid_sampler_2d.out", (x, places, mode, padding, align))
        for mode in (0, 1, 2)
        for padding in (0, 1, 2)
        for align in (False, True)
        for x, places in ((image, grid), (image[:1], corners), (image[:1], _FAR), (pixel, corners))
    ]


def _antialiased() -> list[Case]:
    image = floats(2, 3, 11, 7)
    sizes = ([5, 3], [11, 2], [1, 1], [23, 9], [4, 20])
    return [
        *(
            Case("aten::_upsample_bilinear2d_aa.out", (image, size, align, None, None))
            for size in sizes
            for align in (False, True)
        ),
        Case("aten::_upsample_bilinear2d_aa.out", (image, [5, 3], False, 0.5, 0.4)),
    ]
