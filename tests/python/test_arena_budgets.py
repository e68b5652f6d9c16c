# SPDX-License-Identifier: Apache-2.0
"""The arena of two well-known networks, which depends on their shapes alone, does not grow."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from graph_maker import NHWC, GraphMaker, schedules_of
from petite.codegen.build_view import Source
from petite.compile import Options, compile_graphs
from petite.ir.graph import Graph, Value
from petite.ir.ops import Padding
from petite.placement.model import Placement, place_model

_FILE = Path(__file__).resolve().parents[1] / "budgets" / "arena.json"
BUDGETS = json.loads(_FILE.read_text(encoding="utf-8"))["bytes"]

ROUND = Padding(1, 1, 1, 1)


def _classified(make: GraphMaker, x: Value, classes: int) -> Graph:
    """The mean of the whole image, then one matrix product."""
    channels = x.shape[1]
    x = make.avg_pool(x, x.shape[2:], x.shape[2:])  # type: ignore[arg-type]
    make.output(make.linear(make.view(x, (1, channels)), classes))
    return make.graph


def ds_cnn() -> Graph:
    """MLPerf Tiny's keyword spotter: four blocks of a depthwise and a 1x1 convolution."""
    make = GraphMaker()
    x = make.input((1, 1, 49, 10))
    x = make.depthwise(x, (10, 4), (2, 2), Padding(4, 1, 5, 1), multiplier=64)
    for _ in range(4):
        x = make.conv2d(make.depthwise(x, padding=ROUND), 64, (1, 1))
    return _classified(make, x, 12)


def resnet8() -> Graph:
    """MLPerf Tiny's image classifier: three residual blocks."""
    make = GraphMaker()
    x = make.conv2d(make.input((1, 3, 32, 32), layout=NHWC), 16, padding=ROUND)
    x = make.add(make.conv2d(make.conv2d(x, 16, padding=ROUND), 16, padding=ROUND), x)
    for channels in (32, 64):
        y = make.conv2d(x, channels, stride=(2, 2), padding=ROUND)
        y = make.conv2d(y, channels, padding=ROUND)
        x = make.add(y, make.conv2d(x, channels, (1, 1), (2, 2)))
    return _classified(make, x, 10)


def image_net() -> Graph:
    """Two convolutions with pooling, as for CIFAR-10: the first output is ten times the image."""
    make = GraphMaker()
    x = make.input((1, 3, 32, 32), layout=NHWC)
    x = make.max_pool(make.conv2d(x, 32, padding=ROUND))
    x = make.max_pool(make.conv2d(x, 32, padding=ROUND))
    make.output(make.linear(make.view(x, (1, x.count)), 10))
    return make.graph


NETWORKS: dict[str, Callable[[], Graph]] = {
    "ds_cnn": ds_cnn,
    "resnet8": resnet8,
    "image_net": image_net,
}


def _placed(name: str, how: str) -> Placement:
    if how == "stripes":
        source = Source(f"{name}.pte", "0" * 64, "0.0.0")
        return compile_graphs([NETWORKS[name]()], source, Options()).placement
    return place_model(schedules_of(NETWORKS[name]()), optimize=how == "overlap")


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("how", ["stripes", "overlap", "apart"])
def test_arena_stays_within_its_budget(name: str, how: str) -> None:
    size, budget = _placed(name, how).arena_size, BUDGETS[name][how]
    assert size <= budget
    assert size > budget * 0.98, "smaller now: lower the budget"


def test_every_budget_is_used() -> None:
    assert set(BUDGETS) == set(NETWORKS)
