# SPDX-License-Identifier: Apache-2.0
"""The passes, in order, each with the reason where order matters."""

from __future__ import annotations

from petite.ir.graph import Graph
from petite.ir.verify import verify
from petite.passes.constant_channels import constant_channels
from petite.passes.dead_channels import dead_channels
from petite.passes.dead_code import dead_code
from petite.passes.fold_clamps import fold_clamps
from petite.passes.fold_constants import fold_constants
from petite.passes.fold_padding import fold_padding
from petite.passes.identities import identities
from petite.passes.int8_io import int8_io
from petite.passes.layout import assign_layouts


def optimize(graph: Graph, *, quantized_io: bool, optimize: bool = True) -> None:
    """Run the passes on a graph, in place, verifying the graph after each.

    With ``optimize`` off only what lowering needs is done: the result is the same, larger and
    slower. Tests compare the two.
    """
    verify(graph)
    passes = []
    if quantized_io:
        # First, so that what only fed the float conversions is dead afterwards.
        passes.append(int8_io)
    if optimize:
        # Constants first: what is known can turn out to change nothing.
        passes.append(fold_constants)
        # Zero pads and views go first: they hide a padding from the operator that it feeds, and
        # a clamp from the one that it limits.
        passes += [identities, fold_clamps, fold_padding]
        # After the paddings, which decide what a constant channel adds at the border. What a
        # constant channel added is in the biases first, so that nobody reads it.
        passes += [constant_channels, dead_channels]
    # Lowering wants no operator without a reader, and none can appear after this.
    passes.append(dead_code)
    # Last: everything else speaks of logical shapes only.
    passes.append(assign_layouts)
    for run in passes:
        run(graph)
        verify(graph)
