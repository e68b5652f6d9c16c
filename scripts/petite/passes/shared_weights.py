# SPDX-License-Identifier: Apache-2.0
"""Weights that several operators compute with, as in an unrolled loop: they are stored once."""

from __future__ import annotations

from collections import Counter

from petite.ir.graph import Graph
from petite.ir.ops import Convolution, Linear, Op


def with_shared_weights(graph: Graph) -> list[Op]:
    """The operators whose weights another one has too. Two versions of them would cost more."""
    weighted = [op for op in graph.ops if isinstance(op, Convolution | Linear)]
    contents = {id(op): (op.weights.shape, op.weights.tobytes()) for op in weighted}
    users = Counter(contents.values())
    return [op for op in weighted if users[contents[id(op)]] > 1]
