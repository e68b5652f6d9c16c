# SPDX-License-Identifier: Apache-2.0
"""Whether a graph's shapes, types and numbers fit each other: a fault here is the file's.

A file can be well formed and still say that an operator's output is larger than what it computes.
The kernels trust their parameters, so nothing of the kind may reach them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, prod

from petite.errors import PetiteError
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.functions import FUNCTIONS
from petite.ir.graph import Graph, Value
from petite.ir.ops import Op
from petite.ir.reductions import REDUCTIONS

Shape = tuple[int, ...]

#: Sums and differences stay exact in the float32 of a division (runtime/kernels/div/div_s8.h).
_MOST_DIV_OFFSET = 1 << 22


def check_consistency(graph: Graph) -> None:
    """PetiteError where an operator cannot mean what it says."""
    for op in graph.ops:
        for kind, check in _CHECKS.items():
            if isinstance(op, kind):
                check(op)
    for value, layout in zip(graph.outputs, graph.output_layouts, strict=True):
        if sorted(layout) != list(range(len(value.shape))):
            raise PetiteError(f"{graph.name}: output {value} has no order in memory")


def _require(op: Op, holds: bool, what: str) -> None:
    if not holds:
        raise PetiteError(
            f"{op.source}: {what}; the file is damaged, or made by another version: "
            "export the model again with ExecuTorch 1.5.1"
        )


def _shapes(op: Op, expected: Shape) -> None:
    shown = " and ".join(str(v) for v in op.inputs)
    _require(op, op.output.shape == expected, f"makes {list(expected)} of {shown}, not {op.output}")


def _types(op: Op, *allowed: DType) -> None:
    for value in (*op.inputs, *op.outputs):
        names = " and ".join(d.torch_name for d in allowed)
        _require(op, value.dtype in allowed, f"{value} should be {names}")


def _same_type(op: Op) -> None:
    _types(op, op.output.dtype)


def _broadcast(op: Op) -> Shape:
    """The shape of the inputs' broadcast."""
    rank = max(len(v.shape) for v in op.inputs)
    result = [1] * rank
    for value in op.inputs:
        for at, size in enumerate(value.shape, rank - len(value.shape)):
            _require(op, 1 in (size, result[at]) or size == result[at], "shapes do not broadcast")
            result[at] = size if result[at] == 1 else result[at]
    return tuple(result)


def _like_input(op: Op) -> None:
    _shapes(op, op.input.shape)


def _quantize(op: Op) -> None:
    assert isinstance(op, ops.Quantize | ops.Dequantize)
    _like_input(op)
    _require(op, isfinite(op.scale) and op.scale > 1e-38, f"the scale {op.scale} is not positive")
    real, stored = op.input.dtype, op.output.dtype
    if isinstance(op, ops.Dequantize):
        real, stored = stored, real
    _require(op, real is DType.F32, f"takes {real.torch_name} for float32")
    _require(op, stored in (DType.S8, DType.S16), f"stores {stored.torch_name}")


def _int8(op: Op) -> None:
    _types(op, DType.S8)


def _window(op: Op) -> None:
    assert isinstance(op, ops.Window)
    float_line = isinstance(op, ops.FloatConvolution) and len(op.input.shape) == 3
    for value in (op.input, op.output):
        _require(op, len(value.shape) == (3 if float_line else 4), f"{value} is no image")
    _require(op, op.input.shape[0] == op.output.shape[0], "batches differ")
    padding = op.padding
    sizes = (*op.kernel, *op.stride, *getattr(op, "dilation", (1, 1)))
    _require(op, min(sizes) >= 1, "kernel, stride and dilation must be positive")
    pads = (padding.top, padding.left, padding.bottom, padding.right)
    _require(op, min(pads) >= 0, "negative padding")


def _pool(op: Op) -> None:
    _require(op, op.input.shape[1] == op.output.shape[1], "a pooling keeps the channels")


def _window_max(op: Op) -> None:
    assert isinstance(op, ops.WindowMax)
    _require(op, op.input.dtype is not DType.BOOL, "there is no maximum of truths")
    made = DType.S64 if op.places else op.input.dtype
    _require(op, op.output.dtype is made, f"makes no {op.output}")


def _resize(op: Op) -> None:
    assert isinstance(op, ops.Resize)
    _types(op, DType.F32 if op.bilinear else op.output.dtype)
    _require(op, len(op.input.shape) == 4 and op.input.count > 0, f"{op.input} is no image")
    inside = len(op.output.shape) == 4 and op.output.count > 0
    _require(op, inside, f"{op.output} is no image")
    _shapes(op, (*op.input.shape[:2], *op.output.shape[2:]))
    for size, scale in zip(op.output.shape[2:], op.scale, strict=True):
        _require(op, isfinite(scale) and 0 <= scale * (size + 1) < 2**31, f"scale {scale}")


def _resize_antialias(op: Op) -> None:
    assert isinstance(op, ops.ResizeAntialias)
    _shapes(op, (*op.input.shape[:2], *op.output.shape[2:]))
    for value in (op.input, op.output):
        _require(op, len(value.shape) == 4 and value.count > 0, f"{value} is no image")
    for size, scale in zip(op.output.shape[2:], op.scale, strict=True):
        _require(op, isfinite(scale) and 0 <= scale * (size + 1) < 2**31, f"scale {scale}")


def _grid_sample(op: Op) -> None:
    assert isinstance(op, ops.GridSample)
    image, grid = (v.shape for v in op.inputs)
    _require(op, len(image) == 4 and min(image[2:]) > 0, f"{op.input} is no image")
    _require(op, max(image[2:]) < 2**24, f"{op.input} is too large")
    _require(op, len(grid) == 4 and grid[0] == image[0] and grid[3] == 2, f"{grid} is no grid")
    _shapes(op, (*image[:2], *grid[1:3]))
    _require(op, op.mode in ("bilinear", "nearest", "bicubic"), f"mode {op.mode}")
    _require(op, op.padding in ("zeros", "border", "reflection"), f"padding {op.padding}")


def _choose_quantization(op: Op) -> None:
    assert isinstance(op, ops.ChooseQuantization)
    _require(op, op.input.dtype is DType.F32, f"{op.input} is not float32")
    made = DType.S64 if op.zero_points else DType.F32
    _require(op, op.output.dtype is made, f"makes no {op.output}")
    rank = len(op.input.shape)
    rows = (*op.input.shape[:-1], 1) if op.output.shape else ()
    _require(op, rank > 0 or not rows, f"{op.input} has no rows")
    _shapes(op, rows)
    _require(op, op.input.count > 0, f"{op.input} has no elements")
    _require(op, -(2**31) <= op.low < op.high < 2**31, f"limits {op.low} and {op.high}")
    _require(op, op.high - op.low < 2**31, "too many steps")


def _distance(op: Op) -> None:
    assert isinstance(op, ops.Distance)
    left, right = (v.shape for v in op.inputs)
    alike = len(left) >= 2 and left[:-2] == right[:-2] and left[-1] == right[-1]
    _require(op, alike, f"{op.inputs} have no rows of one length")
    _require(op, op.exponent >= 0, f"exponent {op.exponent}")
    if op.pairs:
        _require(op, left == right and len(left) == 2, "pairs are of one matrix")
        _shapes(op, (left[0] * (left[0] - 1) // 2,))
    else:
        _shapes(op, (*left[:-1], right[-2]))


def _linear(op: Op) -> None:
    assert isinstance(op, ops.Linear)
    _require(op, len(op.input.shape) >= 1, "needs rows")
    _shapes(op, (*op.input.shape[:-1], int(op.weights.shape[0])))


def _channelwise(op: Op) -> None:
    """Equal shapes, or one value a channel."""
    first, second = op.inputs
    _shapes(op, first.shape)
    alike = second.shape == first.shape
    channels = len(first.shape) == 4 and second.shape == (1, first.shape[1], 1, 1)
    _require(op, alike or channels, f"{first} and {second} do not match")


def _div(op: Op) -> None:
    assert isinstance(op, ops.Div)
    _same_type(op)
    _require(op, op.output.dtype in (DType.S8, DType.S16), f"divides {op.output.dtype.torch_name}")
    _shapes(op, op.inputs[0].shape)
    _shapes(op, op.inputs[1].shape)
    largest = max(abs(offset) for offset in (*op.offsets, op.output_offset))
    _require(op, largest <= _MOST_DIV_OFFSET, f"the zero point {largest} is too large")


def _elementwise(op: Op) -> None:
    assert isinstance(op, ops.Elementwise)
    function = FUNCTIONS[op.function]
    dtype = op.input.dtype
    _require(op, len(op.inputs) == function.operands, f"{op.function} has other operands")
    alike = all(v.dtype is dtype for v in op.inputs)
    _require(op, alike and dtype in function.dtypes, f"no {op.function} of {op.inputs}")
    _require(op, op.output.dtype is function.result(dtype), f"makes no {op.output}")
    _shapes(op, _broadcast(op))


def _where(op: Op) -> None:
    condition, *choices = op.inputs
    _require(op, condition.dtype is DType.BOOL, f"{condition} is no condition")
    alike = len(choices) == 2 and all(v.dtype is op.output.dtype for v in choices)
    _require(op, alike, f"does not choose {op.output} from {choices}")
    _shapes(op, _broadcast(op))


def _batch_matmul(op: Op) -> None:
    left, right = (v.shape for v in op.inputs)
    _require(op, left[0] == right[0], "batches differ")
    _shapes(op, (left[0], left[1], right[1]))


def _softmax(op: Op) -> None:
    assert isinstance(op, ops.Softmax)
    _like_input(op)
    _require(op, op.input.count > 0, "nothing to sum")
    shift, multiplier = op.requantize.shift, op.requantize.multiplier
    # So that differences to the maximum fit 32 bits when they are shifted.
    fits = 0 <= shift <= 31 and -(2**31 >> shift) <= op.diff_min <= 0 and multiplier > 0
    _require(op, fits, f"scales by {multiplier} * 2^{shift} down to {op.diff_min}")


def _pad(op: Op) -> None:
    assert isinstance(op, ops.Pad)
    rank = len(op.input.shape)
    _require(op, len(op.before) == len(op.after) == rank, "pads other dimensions than it has")
    sums = zip(op.before, op.input.shape, op.after, strict=True)
    _shapes(op, tuple(sum(parts) for parts in sums))


def _permute(op: Op) -> None:
    assert isinstance(op, ops.Permute)
    rank = len(op.input.shape)
    _require(op, sorted(op.permutation) == list(range(rank)), f"{op.permutation} is no permutation")
    _shapes(op, tuple(op.input.shape[d] for d in op.permutation))


def _view(op: Op) -> None:
    _require(op, op.input.count == op.output.count, f"cannot see {op.input} as {op.output}")


def _concat(op: Op) -> None:
    assert isinstance(op, ops.Concat)
    _require(op, len(op.inputs) > 0, "joins nothing")
    expected = list(op.output.shape)
    for value in op.inputs:
        _require(op, len(value.shape) == len(expected), "ranks differ")
        others = (d for d in range(len(expected)) if d != op.dim)
        _require(op, all(value.shape[d] == expected[d] for d in others), "shapes differ")
    expected[op.dim] = sum(v.shape[op.dim] for v in op.inputs)
    _shapes(op, tuple(expected))


def _slice(op: Op) -> None:
    assert isinstance(op, ops.Slice)
    expected = list(op.input.shape)
    _require(op, len(op.output.shape) == len(expected), "ranks differ")
    count = op.output.shape[op.dim]
    last = op.start + (count - 1) * op.step
    size = expected[op.dim]
    inside = op.step != 0 and (count == 0 or (0 <= op.start < size and 0 <= last < size))
    _require(op, inside, f"elements {op.start} to {last} of {op.input}")
    expected[op.dim] = count
    _shapes(op, tuple(expected))


def _expand(op: Op) -> None:
    _broadcasts(op, op.input, op.output.shape)


def _broadcasts(op: Op, value: Value, shape: Shape) -> None:
    missing = len(shape) - len(value.shape)
    pairs = zip((1,) * missing + value.shape, shape, strict=False)
    fits = missing >= 0 and all(size in (1, wanted) for size, wanted in pairs)
    _require(op, fits, f"{value} does not broadcast to {list(shape)}")


def _offsets(op: Op) -> None:
    assert isinstance(op, ops.Offsets)
    index, *base = op.inputs
    _require(op, index.dtype in (DType.S32, DType.S64), f"{index} is no index")
    alike = all(v.dtype is DType.S32 for v in (*base, op.output)) and len(base) <= 1
    _require(op, alike, f"makes no {op.output}")
    _require(op, op.size >= 1 and op.scale >= 0, f"{op.size} elements of {op.scale}")
    _shapes(op, _broadcast(op))


def _inside(op: Op, shape: Shape, strides: Shape, furthest: int, count: int) -> None:
    """Walking a shape by strides, plus an offset, stays within a number of elements."""
    _require(op, len(strides) == len(shape), f"{len(strides)} strides for {list(shape)}")
    _require(op, min(strides, default=0) >= 0 and furthest >= 0, "walks backwards")
    if prod(shape) > 0:
        furthest += sum((n - 1) * step for n, step in zip(shape, strides, strict=True))
        _require(op, furthest < count, f"reads element {furthest} of {count}")


def _reach(op: Op, offsets: Value, shape: Shape, reach: int) -> None:
    _require(op, offsets.dtype is DType.S32, f"{offsets} are no offsets")
    _broadcasts(op, offsets, shape)
    if offsets.data is not None and offsets.count > 0:
        inside = offsets.data.min() >= 0 and offsets.data.max() <= reach
        _require(op, bool(inside), f"{offsets} reach beyond {reach}")


def _take(op: Op) -> None:
    assert isinstance(op, ops.Take)
    source, *offsets = op.inputs
    _require(op, source.dtype is op.output.dtype, f"makes no {op.output} of {source}")
    _require(op, op.start >= 0 and len(offsets) <= 1, "starts before its input")
    for value in offsets:
        _reach(op, value, op.output.shape, op.reach)
    _inside(op, op.output.shape, op.strides, op.start + op.reach, source.count)


def _put(op: Op) -> None:
    assert isinstance(op, ops.Put)
    target, source, offsets = op.inputs
    alike = target.dtype is source.dtype is op.output.dtype
    _require(op, alike, f"does not put {source} into {target}")
    _like_input(op)
    _broadcasts(op, source, op.shape)
    _reach(op, offsets, op.shape, op.reach)
    _inside(op, op.shape, op.strides, op.reach, target.count)


def _masked_scatter(op: Op) -> None:
    target, mask, source = op.inputs
    _require(op, mask.dtype is DType.BOOL, f"{mask} is no mask")
    alike = target.dtype is source.dtype is op.output.dtype
    _require(op, alike, f"does not put {source} into {target}")
    for value in (target, mask):
        _broadcasts(op, value, op.output.shape)
    rank = max(len(target.shape), len(mask.shape))
    shapes = [(1,) * (rank - len(v.shape)) + v.shape for v in (target, mask)]
    _shapes(op, tuple(b if a == 1 else a for a, b in zip(*shapes, strict=True)))


def _topk(op: Op) -> None:
    assert isinstance(op, ops.TopK)
    shape = op.input.shape
    _require(op, len(shape) >= 1 and 0 <= op.k <= shape[-1], f"no {op.k} elements in {op.input}")
    _require(op, op.input.dtype is not DType.BOOL, f"{op.input} has no order")
    _require(op, op.output.dtype is DType.S64, f"{op.output} are no indices")
    _shapes(op, (*shape[:-1], op.k))


def _reduce(op: Op) -> None:
    assert isinstance(op, ops.Reduce)
    function, source = REDUCTIONS[op.function], op.input
    _require(op, source.dtype in function.dtypes, f"no {op.function} of {source}")
    _require(op, op.output.dtype is function.result(source.dtype), f"makes no {op.output}")
    inside = all(0 <= d < len(source.shape) for d in op.dims)
    ascending = list(op.dims) == sorted(set(op.dims))
    _require(op, inside and ascending and len(op.dims) > 0, f"reduces dimensions {op.dims}")
    some = function.of_nothing or prod(source.shape[d] for d in op.dims) > 0
    _require(op, some, f"{op.function} of nothing")
    if len(op.output.shape) == len(source.shape):
        _shapes(op, tuple(1 if d in op.dims else n for d, n in enumerate(source.shape)))
    else:
        _shapes(op, tuple(n for d, n in enumerate(source.shape) if d not in op.dims))


def _cumsum(op: Op) -> None:
    assert isinstance(op, ops.CumSum)
    _like_input(op)
    _types(op, DType.F32, DType.S64)
    _require(op, 0 <= op.dim < max(1, len(op.input.shape)), f"sums along dimension {op.dim}")


def _float_linear(op: Op) -> None:
    assert isinstance(op, ops.FloatLinear)
    rows, matrix = op.inputs[:2]
    _require(op, len(matrix.shape) == 2 and len(rows.shape) >= 1, "needs rows and a matrix")
    inner, columns = reversed(matrix.shape) if op.transposed else matrix.shape
    _require(op, rows.shape[-1] == inner, f"{rows} and {matrix} do not match")
    _shapes(op, (*rows.shape[:-1], columns))
    if len(op.inputs) == 3:
        _bias(op, op.inputs[2], prod(rows.shape[:-1]), columns)


def _matmul(op: Op) -> None:
    assert isinstance(op, ops.Matmul)
    _require(op, op.output.dtype is not DType.BOOL, "multiplies truths")
    left, right = (v.shape for v in op.inputs)
    batched = len(right) == 3 and len(left) == 3 and left[0] == right[0]
    _require(op, len(left) >= 1 and (len(right) == 2 or batched), "needs rows and matrices")
    inner, columns = reversed(right[-2:]) if op.transposed else right[-2:]
    _require(op, left[-1] == inner, f"{op.inputs} do not match")
    _shapes(op, (*left[:-1], columns))


def _normalize(op: Op) -> None:
    assert isinstance(op, ops.Normalize)
    _like_input(op)
    sizes = (op.columns, op.groups, op.inner)
    _require(op, min(sizes) >= 1 and op.columns % op.inner == 0, "sizes do not fit")
    fits = op.input.count > 0 and op.input.count % (op.columns * op.groups) == 0
    _require(op, fits, f"{op.input} has no rows of {op.columns} elements")
    parts = op.inputs[1:]
    _require(op, len(parts) == op.weighted + op.biased, "has other operands")
    number = op.groups * (op.columns // op.inner)
    _require(op, all(v.count == number for v in parts), f"needs {number} weights")


def _batch_norm(op: Op) -> None:
    _like_input(op)
    _require(op, len(op.inputs) == 5 and len(op.input.shape) >= 2, "has no channels")
    wanted = op.input.shape[1:2]
    _require(op, all(v.shape == wanted for v in op.inputs[1:]), f"needs {wanted} numbers")


def _bias(op: Op, bias: Value, count: int, columns: int) -> None:
    padded = (1, 1, *bias.shape)[-2:]
    fits = len(bias.shape) <= 2 and padded[0] in (1, count) and padded[1] in (1, columns)
    _require(op, fits, f"{bias} does not broadcast to [{count}, {columns}]")


def _float_convolution(op: Op) -> None:
    assert isinstance(op, ops.FloatConvolution)
    image, weights = op.inputs[:2]
    _require(op, len(weights.shape) == len(image.shape), f"{weights} do not fit {image}")
    _require(op, op.groups >= 1, "needs groups")
    channels, outputs = image.shape[1], op.output.shape[1]
    if isinstance(op, ops.FloatTransposeConv2d):
        channels, outputs = outputs, channels
    fits = (
        channels == weights.shape[1] * op.groups
        and outputs == weights.shape[0]
        and weights.shape[0] % op.groups == 0
    )
    _require(op, fits, f"{weights} do not fit {image} and {op.output}")
    if len(op.inputs) == 3:
        _require(op, op.inputs[2].shape == op.output.shape[1:2], f"{op.inputs[2]} is no bias")


def _adaptive_pool(op: Op) -> None:
    """Any size of the last two dimensions comes out, from at least one pixel."""
    rank = len(op.input.shape)
    _require(op, rank in (3, 4) and op.input.count > 0, f"{op.input} is no image")
    _shapes(op, (*op.input.shape[:-2], *op.output.shape[-2:]))


def _merge(op: Op) -> None:
    first, second, condition = op.inputs
    _require(op, condition.dtype is DType.BOOL and condition.count == 1, f"{condition} is no bool")
    for value in (first, second):
        _shapes(op, value.shape)
        _require(op, value.dtype is op.output.dtype, f"{value} cannot become {op.output}")


def _float(op: Op) -> None:
    _types(op, DType.F32)


#: Every check of an operator's classes applies, in this order.
_CHECKS: dict[type[Op] | tuple[type[Op], ...], Callable[[Op], None]] = {
    (ops.Quantize, ops.Dequantize): _quantize,
    (
        *(ops.Convolution, ops.AvgPool2d, ops.MaxPool2d, ops.Linear, ops.Add, ops.Mul),
        *(ops.Lut, ops.BatchMatmul, ops.Softmax),
    ): _int8,
    (
        *(ops.FloatClamp, ops.Normalize, ops.BatchNorm, ops.FloatLinear, ops.FloatConvolution),
        *(ops.FloatAdaptiveAvgPool2d, ops.FloatSoftmax, ops.FloatAvgPool2d, ops.Distance),
        *(ops.ResizeAntialias, ops.GridSample),
    ): _float,
    (
        *(ops.Pad, ops.Permute, ops.View, ops.Copy, ops.Relayout, ops.Concat, ops.Slice),
        *(ops.Expand, ops.CumSum, ops.Matmul),
    ): _same_type,
    ops.Window: _window,
    (ops.AvgPool2d, ops.MaxPool2d, ops.FloatAvgPool2d, ops.WindowMax): _pool,
    ops.WindowMax: _window_max,
    ops.Resize: _resize,
    ops.ResizeAntialias: _resize_antialias,
    ops.GridSample: _grid_sample,
    ops.ChooseQuantization: _choose_quantization,
    ops.Distance: _distance,
    ops.Linear: _linear,
    (ops.Add, ops.Mul): _channelwise,
    ops.Div: _div,
    ops.Elementwise: _elementwise,
    ops.Cast: _like_input,
    ops.Where: _where,
    (
        ops.Lut,
        ops.FloatSoftmax,
        ops.FloatClamp,
        ops.Copy,
        ops.Relayout,
    ): _like_input,
    ops.Merge: _merge,
    ops.BatchMatmul: _batch_matmul,
    ops.Softmax: _softmax,
    ops.Pad: _pad,
    ops.Permute: _permute,
    ops.View: _view,
    ops.Concat: _concat,
    ops.Slice: _slice,
    ops.Expand: _expand,
    ops.Offsets: _offsets,
    ops.Take: _take,
    ops.Put: _put,
    ops.MaskedScatter: _masked_scatter,
    ops.TopK: _topk,
    ops.Reduce: _reduce,
    ops.CumSum: _cumsum,
    ops.Matmul: _matmul,
    ops.Normalize: _normalize,
    ops.BatchNorm: _batch_norm,
    ops.FloatLinear: _float_linear,
    ops.FloatConvolution: _float_convolution,
    ops.FloatAdaptiveAvgPool2d: _adaptive_pool,
}
