# SPDX-License-Identifier: Apache-2.0
"""Trained float network to int8: the quantised graph, the `.pte`, and a reference to test with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from executorch.backends.cortex_m.edge_compile_config import cortex_m_edge_compile_config
from executorch.backends.cortex_m.passes.cortex_m_pass_manager import CortexMPassManager
from executorch.backends.cortex_m.quantizer.quantizer import CortexMQuantizer
from executorch.exir import to_edge
from numpy.typing import NDArray
from torchao.quantization.pt2e.observer import FixedQParamsObserver
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

from dataset import SCALE, ZERO_POINT
from frontend import COEFFICIENTS, FRAMES
from petite.export import export_model
from vocabulary import LABELS

Features = NDArray[np.int8]
Scores = NDArray[np.float32]
Model = Callable[[Features], Scores]
"""Features on the model's grid [n, FRAMES, COEFFICIENTS] to class scores [n, len(LABELS)]."""

_EXAMPLES = (torch.zeros(1, 1, FRAMES, COEFFICIENTS).to(memory_format=torch.channels_last),)


def to_input(features: Features) -> torch.Tensor:
    """The float input [n, 1, FRAMES, COEFFICIENTS] that stands for features on the grid."""
    values = torch.from_numpy(features.astype(np.float32) - ZERO_POINT) * SCALE
    return values.unsqueeze(1)


def float_model(network: torch.nn.Module, batch: int = 500) -> Model:
    """The network as it was trained."""

    def run(features: Features) -> Scores:
        with torch.no_grad():
            parts = [
                network(to_input(features[start : start + batch])).numpy()
                for start in range(0, len(features), batch)
            ]
        return np.concatenate(parts)

    return run


def quantise(network: torch.nn.Module, calibration: Features) -> torch.fx.GraphModule:
    """Post-training quantisation, with the input's scale and zero point forced to the grid.

    The front end computes on that grid, so that it writes the model's input as it is: nothing is
    rounded twice. Observers would choose a scale a little different from a power of two.
    """
    graph = torch.export.export(
        network,
        _EXAMPLES,
    ).module(check_guards=False)
    prepared = prepare_pt2e(graph, CortexMQuantizer())
    with torch.no_grad():
        for row in to_input(calibration):
            prepared(row.unsqueeze(0).to(memory_format=torch.channels_last))
    _force_input_grid(prepared)
    converted: torch.fx.GraphModule = convert_pt2e(prepared)
    return converted


def _force_input_grid(prepared: torch.fx.GraphModule) -> None:
    placeholder = next(node for node in prepared.graph.nodes if node.op == "placeholder")
    (observer,) = placeholder.users
    if observer.op != "call_module":
        raise RuntimeError(f"expected an observer after the input, found {observer.format_node()}")
    fixed = FixedQParamsObserver(SCALE, ZERO_POINT, dtype=torch.int8, quant_min=-128, quant_max=127)
    setattr(prepared, str(observer.target), fixed)


def write_pte(quantised: torch.nn.Module, path: Path) -> int:
    """Export the quantised network; returns the size in bytes."""
    return export_model(quantised, _EXAMPLES, None, path, quantize=False).size


def reference_model(quantised: torch.nn.Module) -> Model:
    """ExecuTorch's own int8 reference of the Cortex-M operators, in Python."""
    program = torch.export.export(quantised, _EXAMPLES)
    edge = to_edge(program, compile_config=cortex_m_edge_compile_config())
    lowered = CortexMPassManager(edge.exported_program()).transform().module()

    def run(features: Features) -> Scores:
        scores = np.empty((len(features), len(LABELS)), dtype=np.float32)
        with torch.no_grad():
            for number, row in enumerate(to_input(features)):
                image = row.unsqueeze(0).to(memory_format=torch.channels_last)
                scores[number] = lowered(image)[0].numpy()
        return scores

    return run
