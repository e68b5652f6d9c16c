# SPDX-License-Identifier: Apache-2.0
"""Stock ExecuTorch lowering of the conformance programs, kept as a graph and as `.pte` bytes."""

from __future__ import annotations

import contextlib
import copy
import io
import logging
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from executorch.backends.cortex_m.edge_compile_config import cortex_m_edge_compile_config
from executorch.backends.cortex_m.passes.cortex_m_pass_manager import CortexMPassManager
from executorch.backends.cortex_m.quantizer.quantizer import CortexMQuantizer
from executorch.backends.cortex_m.target_config import CortexMTargetConfig
from executorch.exir import EdgeProgramManager, ExecutorchBackendConfig, to_edge
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from torch.export import ExportedProgram
from torchao.quantization.pt2e.quantize_pt2e import (
    convert_pt2e,
    prepare_pt2e,
    prepare_qat_pt2e,
)

from conformance.program import Entry, Program, Tensors, lively, make_inputs
from cortex_m_suite.faster_export import remember_operators
from petite.export.state import make_state_explicit, make_state_implicit

_CALIBRATION_SAMPLES = 8

remember_operators()


@dataclass(frozen=True)
class Lowered:
    """A program after stock lowering."""

    methods: dict[str, ExportedProgram]
    pte: bytes


def lower(spec: Program) -> Lowered:
    """Run the stock flow: quantize, export, to_edge, Cortex-M passes, to_executorch."""
    with quiet():
        methods = {name: _lower_method(spec, entry) for name, entry in spec.methods.items()}
        state = sorted(
            placeholder
            for program in methods.values()
            for placeholder, buffer in program.graph_signature.inputs_to_buffers.items()
            if buffer in program.graph_signature.buffers_to_mutate.values()
        )
        # to_executorch() works in place; the reference runs the graph as it was.
        manager = EdgeProgramManager(
            copy.deepcopy(methods), compile_config=cortex_m_edge_compile_config()
        )
        passes = [InitializedMutableBufferPass(state)] if spec.initial_state else []
        buffer = manager.to_executorch(ExecutorchBackendConfig(passes=passes)).buffer
    return Lowered(methods, bytes(buffer))


def _lower_method(spec: Program, entry: Entry) -> ExportedProgram:
    torch.manual_seed(spec.seed)
    made = entry.make()
    model = made if spec.keep_weights else lively(made, spec.seed)
    model = model.requires_grad_(False)
    if any(spec.channels_last) and not spec.explicit_layout:
        for tensor in (*model.parameters(), *model.buffers()):
            if tensor.dim() == 4:
                tensor.data = tensor.data.to(memory_format=torch.channels_last)
    examples = make_inputs(spec, entry.shapes, spec.seed)
    traced = torch.export.export(model, examples)
    if spec.quantize:
        traced = torch.export.export(_quantize(spec, entry, traced), examples)
    edge = to_edge(traced, compile_config=cortex_m_edge_compile_config())
    return CortexMPassManager(
        edge.exported_program(),
        target_config=CortexMTargetConfig.from_target_string(spec.target),
        use_explicit_layout=spec.explicit_layout,
    ).transform()


def _quantize(spec: Program, entry: Entry, traced: ExportedProgram) -> torch.fx.GraphModule:
    state = make_state_explicit(traced) if spec.stateful else None
    graph = traced.module(check_guards=False) if state is None else state.graph
    quantizer = CortexMQuantizer(use_explicit_layout=spec.explicit_layout)
    prepare = prepare_qat_pt2e if spec.qat else prepare_pt2e
    prepared = prepare(graph, quantizer)
    values: Tensors = () if state is None else state.initial
    for index in range(_CALIBRATION_SAMPLES):
        # The last sample is wider, so that ordinary inputs of small programs stay in range.
        wider = index == _CALIBRATION_SAMPLES - 1 and not spec.keep_weights
        scale = 2.0 if wider else 1.0
        sample = make_inputs(spec, entry.shapes, spec.seed + 100 + index, scale)
        if spec.calibrate is not None:
            sample = spec.calibrate(sample)
        results = prepared(*values, *sample)
        if state is not None:
            values = tuple(results[: len(values)])
    converted = convert_pt2e(prepared)
    if state is not None:
        make_state_implicit(converted, state)
    assert isinstance(converted, torch.fx.GraphModule)
    return converted


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Hide what the tools print and log about themselves."""
    previous = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(previous)
