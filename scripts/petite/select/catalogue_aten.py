# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's portable operators that a loaded program may call."""

from __future__ import annotations

from collections.abc import Iterable

from petite.ir.dtype import DType
from petite.ir.functions import ALL
from petite.select.catalogue_elementwise import ELEMENTWISE
from petite.select.catalogue_indexing import INDEXING
from petite.select.catalogue_layers import LAYERS
from petite.select.entry import Entry

Pair = tuple[DType, DType | None]


def _same(dtypes: Iterable[DType]) -> list[Pair]:
    """Pairs of which both are one type."""
    return [(dtype, dtype) for dtype in dtypes]


def _listed(dtypes: Iterable[DType]) -> list[Pair]:
    """Pairs of operators that give a list."""
    return [(dtype, None) for dtype in dtypes]


def _entries(operator: str, pairs: Iterable[Pair], prepare: str) -> list[Entry]:
    return [
        Entry(operator, dtype, result, prepare, "operators/aten/aten.h") for dtype, result in pairs
    ]


#: Operators that move elements of any type, and their prepare functions.
_MOVERS = {
    "dim_order_ops::_clone_dim_order.out": "same",
    "dim_order_ops::_to_dim_order_copy.out": "same",
    "aten::_to_copy.out": "same",
    "aten::clone.out": "same",
    "aten::alias_copy.out": "same",
    "aten::detach_copy.out": "same",
    "aten::lift_fresh_copy.out": "same",
    "aten::view_copy.out": "reshape",
    "aten::_unsafe_view.out": "reshape",
    "aten::squeeze_copy.dim_out": "reshape",
    "aten::squeeze_copy.dims_out": "reshape",
    "aten::squeeze_copy.out": "reshape",
    "aten::unsqueeze_copy.out": "reshape",
    "executorch_prim::et_view.default": "et_view",
    "aten::permute_copy.out": "permute",
    "cortex_m::transpose.out": "permute",
    "aten::transpose_copy.int_out": "transpose",
    "aten::t_copy.out": "t",
    "aten::copy_": "copy_in_place",
    "aten::copy.out": "copy",
    "aten::cat.out": "cat",
    "aten::slice_copy.Tensor_out": "slice",
    "aten::select_copy.int_out": "select",
    "aten::narrow_copy.out": "narrow",
    "aten::expand_copy.out": "expand",
    "aten::repeat.out": "repeat",
    "aten::flip.out": "flip",
    "aten::constant_pad_nd.out": "constant_pad",
    "aten::stack.out": "stack",
    "aten::roll.out": "roll",
    "aten::pixel_shuffle.out": "pixel_shuffle",
    "aten::pixel_unshuffle.out": "pixel_unshuffle",
    "aten::diagonal_copy.out": "diagonal",
    "aten::as_strided_copy.out": "as_strided",
    "aten::unfold_copy.out": "unfold",
}
_SPLITTERS = {
    "aten::split_with_sizes_copy.out": "split",
    "aten::split_copy.Tensor_out": "split",
    "aten::native_dropout.out": "dropout",
    "aten::unbind_copy.int_out": "unbind",
}


def _movement() -> list[Entry]:
    return [
        entry
        for movers, pairs in ((_MOVERS, _same(ALL)), (_SPLITTERS, _listed(ALL)))
        for name, prepare in movers.items()
        for entry in _entries(name, pairs, prepare)
    ]


ATEN: tuple[Entry, ...] = (*_movement(), *ELEMENTWISE, *INDEXING, *LAYERS)
