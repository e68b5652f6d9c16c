# SPDX-License-Identifier: Apache-2.0
"""Stripes that are made whether or not they save anything."""

from __future__ import annotations

import random

from petite.codegen.build_view import Source
from petite.compile import CompiledModel, Options, compile_methods, lower_graphs
from petite.ir.graph import Graph
from petite.ir.ops import Op
from petite.passes.lower import LoweredMethod
from petite.stripes.cut import Cut, cut
from petite.stripes.emit import calls_of, spliced
from petite.stripes.regions import regions_of


def compile_cut(graph: Graph, source: Source, options: Options, seed: int) -> CompiledModel:
    """As compile_graphs(), with as much as can be in stripes."""
    methods = lower_graphs([graph], options)
    for method in methods:
        apply(method, some_cuts(method, seed))
    return compile_methods(methods, [], source, options)


def some_cuts(method: LoweredMethod, seed: int) -> list[Cut]:
    """Of regions that share no operator, chosen at random as their heights are."""
    chance = random.Random(seed)
    regions = list(regions_of(method))
    chance.shuffle(regions)
    found: list[Cut] = []
    taken: set[Op] = set()
    for region in regions:
        length = region.last.output.shape[region.axis]
        made = cut(region, chance.randint(1, max(1, length - 1)))
        if made is not None and taken.isdisjoint(region.ops):
            taken.update(region.ops)
            found.append(made)
    return found


def apply(method: LoweredMethod, cuts: list[Cut]) -> None:
    """Let a method run in stripes."""
    emitted = {made.region.last: calls_of(method, made) for made in cuts}
    method.schedule.calls = [entry.call for entry in spliced(method, emitted, cuts)]
