# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable operators that resize images, and distances between rows."""

from __future__ import annotations

import numpy as np

from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import FLOAT
from petite.ir.graph import Value
from petite.pte.call import Call
from petite.pte.operator import Lift, Operator


def _factors(call: Call, position: int) -> tuple[float, float]:
    """How much larger the output is: what the model says, or what the sizes do."""
    source, output = call.tensor(0).shape, call.result().shape
    if len(source) != 4 or len(output) != 4 or min(*source, *output) < 1:
        raise call.fail(f"cannot resize {list(source)} to {list(output)}")
    if not call.is_none(position):
        given = call.reals(position)
        if len(given) != 2 or min(given) <= 0:
            raise call.fail(f"needs two positive factors, not {list(given)}")
        return given[0], given[1]
    return output[2] / source[2], output[3] / source[3]


def _scale(size: int, output: int, factor: float, align_corners: bool) -> float:
    """Input pixels for one output pixel, in float32."""
    between_centres = (size - 1) / (output - 1) if output > 1 else 0.0
    return float(np.float32(between_centres if align_corners else 1.0 / factor))


def _upsample(bilinear: bool) -> Lift:
    """(x, output size?, align corners (bilinear only), factors?)"""

    def lift(call: Call) -> None:
        source, output = call.tensor(0), call.result()
        align_corners = bilinear and call.flag(2)
        factors = _factors(call, 3 if bilinear else 2)
        scale = tuple(
            _scale(source.shape[d], output.shape[d], factor, align_corners)
            for d, factor in zip((2, 3), factors, strict=True)
        )
        call.emit(
            ops.Resize(
                [source],
                [output],
                scale=(scale[0], scale[1]),
                bilinear=bilinear,
                align_corners=align_corners,
                source=call.place,
            )
        )

    return lift


def _upsample_antialias(call: Call) -> None:
    """(x, output size, align corners, vertical factor?, horizontal factor?): bilinear"""
    source, output = call.tensor(0), call.result()
    if len(source.shape) != 4 or len(output.shape) != 4 or min(*source.shape, *output.shape) < 1:
        raise call.fail(f"cannot resize {source} to {output}")
    ratios = [output.shape[d] / source.shape[d] for d in (2, 3)]
    if not call.is_none(3) and not call.is_none(4):
        given = [call.number(p) for p in (3, 4)]
        # What is not positive counts as absent.
        ratios = [g if g > 0 else r for g, r in zip(given, ratios, strict=True)]
    scale = [
        _scale(source.shape[d], output.shape[d], ratio, call.flag(2))
        for d, ratio in zip((2, 3), ratios, strict=True)
    ]
    op = ops.ResizeAntialias([source], [output], scale=(scale[0], scale[1]), source=call.place)
    call.emit(op)


_MODES = ("bilinear", "nearest", "bicubic")
_PADDINGS = ("zeros", "border", "reflection")


def _grid_sampler(call: Call) -> None:
    """(x, grid, mode, padding, align corners)"""
    mode, padding = call.integer(2), call.integer(3)
    if not 0 <= mode < len(_MODES) or not 0 <= padding < len(_PADDINGS):
        raise call.fail(f"there is no mode {mode} with padding {padding}")
    call.emit(
        ops.GridSample(
            [call.tensor(0), call.tensor(1)],
            [call.result()],
            mode=_MODES[mode],
            padding=_PADDINGS[padding],
            align_corners=call.flag(4),
            source=call.place,
        )
    )


def _broadcast_rows(call: Call, source: Value, batch: tuple[int, ...]) -> Value:
    shape = (*batch, *source.shape[-2:])
    if source.shape == shape:
        return source
    spread = Value(f"{source.name}_e", source.dtype, shape)
    call.append(ops.Expand([source], [spread], source=call.place))
    return spread


def _cdist(call: Call) -> None:
    """(x, y, exponent, compute mode?): between every row of x and every row of y"""
    left, right = call.tensor(0), call.tensor(1)
    if min(len(left.shape), len(right.shape)) < 2 or left.shape[-1] != right.shape[-1]:
        raise call.fail(f"{left} and {right} have no rows of one length")
    try:
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except ValueError:
        raise call.fail(f"{left} and {right} do not broadcast") from None
    spread = [_broadcast_rows(call, value, batch) for value in (left, right)]
    _emit_distance(call, spread, pairs=False)


def _pdist(call: Call) -> None:
    """(x, exponent): between every two rows of x"""
    source = call.tensor(0)
    if len(source.shape) != 2:
        raise call.fail(f"{source} is no matrix")
    _emit_distance(call, [source, source], pairs=True)


def _emit_distance(call: Call, rows: list[Value], *, pairs: bool) -> None:
    exponent = float(call.number(1 if pairs else 2))
    if not exponent >= 0:
        raise call.fail(f"there is no norm of exponent {exponent}")
    call.emit(
        ops.Distance(rows, [call.result()], exponent=exponent, pairs=pairs, source=call.place)
    )


RESAMPLE_OPERATORS: dict[str, Operator] = {
    "aten::upsample_nearest2d.vec_out": Operator(_upsample(False), (*FLOAT, DType.U8)),
    "aten::upsample_bilinear2d.vec_out": Operator(_upsample(True), FLOAT),
    "aten::_upsample_bilinear2d_aa.out": Operator(_upsample_antialias, FLOAT),
    "aten::grid_sampler_2d.out": Operator(_grid_sampler, FLOAT),
    "aten::_cdist_forward.out": Operator(_cdist, FLOAT),
    "aten::_pdist_forward.out": Operator(_pdist, FLOAT),
}
