# SPDX-License-Identifier: Apache-2.0
"""Groups of operators: what a firmware that does not know its programs yet chooses by.

Every operator that can be loaded is in exactly one group. zephyr/Kconfig.loading has an option
for each.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from petite.errors import PetiteError
from petite.select.catalogue import ENTRIES
from petite.select.entry import Entry


@dataclass(frozen=True)
class Group:
    """A name, what is in it, and shell patterns of its operators."""

    name: str
    description: str
    patterns: tuple[str, ...]

    def has(self, operator: str) -> bool:
        """Whether an operator belongs to it."""
        return any(fnmatchcase(operator, pattern) for pattern in self.patterns)


def _aten(*names: str) -> tuple[str, ...]:
    """Patterns for all forms of some of PyTorch's operators."""
    return tuple(f"aten::{name}.*" for name in names)


GROUPS: tuple[Group, ...] = (
    Group(
        "int8",
        "what a model calls that was quantised for Cortex-M, with both conversions",
        ("cortex_m::*", "quantized_decomposed::*"),
    ),
    Group(
        "shapes",
        "copies and casts; views, permutations, slices, joins, repetitions and padding",
        (
            "dim_order_ops::_clone_dim_order.*",
            "dim_order_ops::_to_dim_order_copy.*",
            "executorch_prim::et_view.*",
            "aten::copy_",
            *_aten("_to_copy", "clone", "copy", "*_copy", "_unsafe_view", "cat", "stack"),
            *_aten("repeat", "flip", "roll", "constant_pad_nd", "tril"),
            *_aten("reflection_pad*", "replication_pad*"),
        ),
    ),
    Group(
        "arithmetic",
        "the four operations, remainders, minimum and maximum, absolute value, rounding",
        (
            *_aten("add", "sub", "rsub", "mul", "div", "floor_divide", "fmod", "remainder"),
            *_aten("minimum", "maximum", "abs", "neg", "sign", "ceil", "floor", "round", "trunc"),
        ),
    ),
    Group(
        "math",
        "roots, powers, exponentials, logarithms, trigonometry, the error function",
        (
            *_aten("sqrt", "rsqrt", "reciprocal", "pow", "exp", "expm1", "erf"),
            *_aten("log", "log1p", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan"),
            *_aten("atan2", "sinh", "cosh", "asinh", "acosh", "atanh"),
        ),
    ),
    Group(
        "activations",
        "clamp, ReLU and what is like it, sigmoid, tanh, GELU, ELU, GLU, logit; dropout",
        (
            *_aten("clamp", "hardtanh", "relu", "leaky_relu", "hardsigmoid", "hardswish"),
            *_aten("sigmoid", "tanh", "gelu", "elu", "glu", "logit", "native_dropout"),
        ),
    ),
    Group(
        "logic",
        "comparisons, operations on bits and truth values, where, masked fill",
        (
            *_aten("eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf"),
            *_aten("logical_*", "bitwise_*", "where", "masked_fill"),
        ),
    ),
    Group(
        "reductions",
        "sums, products, means, variances, extremes and where they are, sums so far, top k",
        (
            *_aten("sum", "prod", "mean", "var", "var_mean", "amax", "amin", "argmax", "argmin"),
            *_aten("max", "min", "any", "cumsum", "topk"),
        ),
    ),
    Group(
        "normalization",
        "softmax, and normalisation of layers, groups and batches, in float32",
        _aten("_softmax", "_log_softmax", "native_*_norm", "_native_batch_norm_legit*"),
    ),
    Group(
        "convolution",
        "convolutions and pooling in float32; pooled maxima of any numbers",
        _aten("convolution", "avg_pool2d", "_adaptive_avg_pool2d", "max_pool2d_with_indices"),
    ),
    Group(
        "matmul",
        "linear layers and products of matrices that are not quantised; distances of rows",
        _aten("linear", "addmm", "mm", "bmm", "_cdist_forward", "_pdist_forward"),
    ),
    Group(
        "indexing",
        "embeddings; reading and writing where indices or masks say",
        (
            "aten::index_put_",
            *_aten("embedding", "gather", "index", "index_select", "index_put"),
            *_aten("scatter", "scatter_add", "slice_scatter", "select_scatter", "masked_scatter"),
        ),
    ),
    Group(
        "creation",
        "constants: full, zeros, ones, arange",
        (
            "dim_order_ops::_empty_dim_order.*",
            *_aten("full", "full_like", "fill", "zeros", "ones", "empty", "scalar_tensor"),
            *_aten("arange"),
        ),
    ),
    Group(
        "loops",
        "what loops are made of: numbers that count their turns, and rows that they collect",
        (
            *(f"executorch_prim::{name}.*" for name in ("add", "sub", "eq", "et_copy_index")),
            "aten::sym_size.*",
        ),
    ),
    Group(
        "images",
        "images resized or sampled at points; channels that become pixels, and back",
        _aten("upsample_*", "_upsample_*", "grid_sampler_2d", "pixel_shuffle", "pixel_unshuffle"),
    ),
)

BY_NAME: dict[str, Group] = {group.name: group for group in GROUPS}


def groups_of(operator: str) -> list[str]:
    """Names of the groups that an operator is in: one, if it can be loaded."""
    return [group.name for group in GROUPS if group.has(operator)]


def entries_in(names: Iterable[str]) -> list[Entry]:
    """All entries of some groups, by their names. PetiteError for a group that is not there."""
    wanted = list(names)
    for name in wanted:
        if name not in BY_NAME:
            raise PetiteError(
                f"--groups: there is no group {name!r} of operators; choose from "
                f"{', '.join(BY_NAME)}"
            )
    return [entry for entry in ENTRIES if any(BY_NAME[name].has(entry.operator) for name in wanted)]
