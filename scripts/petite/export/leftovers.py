# SPDX-License-Identifier: Apache-2.0
"""What the stock lowering left behind: float operators (slow), raw int8 arithmetic (wrong)."""

from __future__ import annotations

from collections import Counter

import torch
from executorch.backends.cortex_m.quantizer.quantizer_support import (
    CONV1D_OP_PATTERNS,
    CORTEX_M_QUANTIZER_SUPPORT_DICT,
)
from torch.export import ExportedProgram

from petite.errors import PetiteError
from petite.export.checks import SUPPORTED_DTYPES
from petite.export.report import FloatOperator

# Operators of the aten namespace that only move or compare values. On int8 data they mean the
# same as on the float data it stands for, because input and output share scale and zero point.
_MOVES_VALUES = frozenset(
    {
        "alias_copy", "amax", "amin", "as_strided_copy", "cat", "clamp", "clone", "constant_pad_nd",
        "copy", "detach_copy", "embedding", "empty", "eq", "expand_copy", "flip", "full",
        "full_like", "ge", "gt", "index", "index_put", "index_select", "le", "lift_fresh_copy",
        "lt", "max", "max_pool2d_with_indices", "maximum", "min", "minimum", "ne", "permute_copy",
        "pixel_shuffle", "pixel_unshuffle", "repeat", "roll", "scatter", "select_copy",
        "select_scatter", "slice_copy", "slice_scatter", "split_copy", "split_with_sizes_copy",
        "squeeze_copy", "stack", "t_copy", "transpose_copy", "unbind_copy", "unfold_copy",
        "unsqueeze_copy", "upsample_nearest2d", "view_copy", "where", "argmax", "argmin",
    }
)  # fmt: skip

# Namespaces whose operators know the quantization of their int8 tensors, or only copy them.
_KNOWS_INT8 = frozenset({"cortex_m", "quantized_decomposed", "dim_order_ops", "executorch_prim"})

# The quantizer works on the operators before decomposition, which has other names for some.
_NAME_BEFORE_DECOMPOSITION = {
    "convolution": ("conv2d", "conv_transpose2d"),
    "_softmax": ("softmax", "_softmax"),
    "max_pool2d_with_indices": ("max_pool2d", "max_pool2d_with_indices"),
    "addmm": ("linear",),
    "mm": ("linear",),
}


def operator_name(target: object) -> str:
    """Name of a call target as the `.pte` spells it, without overload: "aten::cat"."""
    name = getattr(target, "_name", None) or getattr(target, "__name__", None) or str(target)
    return str(name).split(".")[0]


def count_operators(program: ExportedProgram) -> dict[str, int]:
    """Operator name to number of uses in a lowered program."""
    counts: Counter[str] = Counter()
    for node in program.graph.nodes:
        if node.op == "call_function" and "::" in operator_name(node.target):
            counts[operator_name(node.target)] += 1
    return dict(sorted(counts.items()))


def refuse_meaningless(program: ExportedProgram, method: str) -> None:
    """Raise PetiteError where no kernel could give a meaningful result.

    Stock lowering drops the dequantize in front of an operator that the quantizer annotated,
    even where it then has no int8 operator to put in its place, so that a float operator is left
    to work on raw int8 values. Values of dtypes that no kernel has are refused as well.
    """
    for node in program.graph.nodes:
        if node.op != "call_function":
            continue
        name = operator_name(node.target)
        dtype = _dtype(node)
        if dtype is not None and dtype not in SUPPORTED_DTYPES:
            raise PetiteError(
                f"{method}: {name} (node {node.name}) gives {str(dtype).removeprefix('torch.')} "
                "values, which no kernel supports: compute in float32"
            )
        namespace, _, short = name.partition("::")
        if not short or namespace in _KNOWS_INT8 or short in _MOVES_VALUES:
            continue
        if any(_dtype(source) == torch.int8 for source in node.all_input_nodes):
            raise PetiteError(
                f"{method}: ExecuTorch lowers {name} (node {node.name}) to arithmetic on raw int8 "
                "values, which ignores scale and zero point: replace this operator, or export "
                "with quantize=False"
            )


def find_float_operators(
    program: ExportedProgram, method: str, quantized: bool
) -> list[FloatOperator]:
    """The operators of a lowered program that compute in float32, with the reason for each."""
    found: list[FloatOperator] = []
    for node in program.graph.nodes:
        if node.op != "call_function" or _dtype(node) != torch.float32:
            continue
        name = operator_name(node.target)
        namespace, _, short = name.partition("::")
        if not short or namespace in _KNOWS_INT8:
            continue
        found.append(FloatOperator(method, name, node.name, _reason(node, short, quantized)))
    return found


def _reason(node: torch.fx.Node, name: str, quantized: bool) -> str:
    if not quantized:
        return "exported with quantize=False"
    if name in _MOVES_VALUES:
        return "only moves float values: no quantized operator before or after it"
    names = _NAME_BEFORE_DECOMPOSITION.get(name, (name,))
    if name == "convolution" and _rank(node) == 3 and _knows(CONV1D_OP_PATTERNS, ("conv1d",)):
        return (
            "1-D convolution is not quantized by the default lowering: use explicit_layout=True, "
            "or a Conv2d of height 1"
        )
    if not _knows(CORTEX_M_QUANTIZER_SUPPORT_DICT, names):
        return "the Cortex-M quantizer has no int8 form of this operator"
    if name == "convolution" and not _channels_last(node):
        return (
            "a convolution is quantized only where its output is channels-last: keep "
            "channels_last=True and avoid operators that change the memory format before it"
        )
    values = [_value(source) for source in node.all_input_nodes]
    shapes = [list(value.shape) for value in values if isinstance(value, torch.Tensor)]
    if len(shapes) == 2 and shapes[0] != shapes[1]:
        return (
            f"the operands have shapes {shapes[0]} and {shapes[1]}: int8 needs equal shapes, or "
            "one value for each channel of a channels-last image"
        )
    return (
        "the Cortex-M quantizer declined it: shapes that broadcast, a dimension or an option "
        "(groups, dilation, output_padding, divisor_override) that its int8 kernel lacks"
    )


def _knows(patterns: object, names: tuple[str, ...]) -> bool:
    assert isinstance(patterns, dict)
    starts = {operator_name(pattern[0]).partition("::")[2] for pattern in patterns}
    return any(name in starts for name in names)


def _value(node: torch.fx.Node) -> object:
    value = node.meta.get("val")
    return value[0] if isinstance(value, (tuple, list)) and value else value


def _dtype(node: torch.fx.Node) -> torch.dtype | None:
    value = _value(node)
    return value.dtype if isinstance(value, torch.Tensor) else None


def _rank(node: torch.fx.Node) -> int:
    value = _value(node)
    return value.dim() if isinstance(value, torch.Tensor) else 0


def _channels_last(node: torch.fx.Node) -> bool:
    value = _value(node)
    if not isinstance(value, torch.Tensor) or value.dim() != 4:
        return False
    return value.is_contiguous(memory_format=torch.channels_last)
