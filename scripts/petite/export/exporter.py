# SPDX-License-Identifier: Apache-2.0
"""The lines that turn a PyTorch model into a `.pte` for Cortex-M, in the order that works."""

from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import torch
from executorch.backends.cortex_m.edge_compile_config import cortex_m_edge_compile_config
from executorch.backends.cortex_m.passes.cortex_m_pass_manager import CortexMPassManager
from executorch.backends.cortex_m.quantizer.quantizer import CortexMQuantizer
from executorch.backends.cortex_m.target_config import CortexMTargetConfig
from executorch.exir import EdgeProgramManager, ExecutorchBackendConfig, to_edge
from executorch.exir.passes.init_mutable_pass import InitializedMutableBufferPass
from torch.export import ExportedProgram
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e, prepare_pt2e

from petite.errors import PetiteError
from petite.export.checks import (
    Tensors,
    check_calibration,
    check_inputs,
    check_model,
    check_output_path,
)
from petite.export.failures import describe_failure
from petite.export.leftovers import count_operators, find_float_operators, refuse_meaningless
from petite.export.quiet import quiet_tools
from petite.export.report import ExportReport, FloatOperator
from petite.export.state import ExplicitState, make_state_explicit, make_state_implicit

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Method:
    """One entry point of a program: a module, one set of inputs, and calibration data."""

    model: torch.nn.Module
    example_inputs: Tensors
    calibration: Iterable[Sequence[torch.Tensor]] | None = None


def export_model(
    model: torch.nn.Module,
    example_inputs: Tensors,
    calibration: Iterable[Sequence[torch.Tensor]] | None,
    path: Path,
    *,
    quantize: bool = True,
    target: str = "cortex-m55",
    channels_last: bool = True,
    explicit_layout: bool = False,
) -> ExportReport:
    """Export one model as method "forward" of a `.pte`.

    Args:
        model: module in eval mode; it is copied, never changed. A module that torchao has already
            converted (quantization-aware training) is exported with quantize=False.
        example_inputs: one tensor for each argument of forward(), of the shapes and dtypes that
            the device will see. Shapes are static.
        calibration: real inputs shaped like the examples, on which int8 ranges are measured.
        path: `.pte` to write. Nothing is left there when the export fails.
        quantize: int8 (True) or float32 (False).
        target: core that ExecuTorch lowers for, "cortex-m0" to "cortex-m85". Petite runs the
            result on every core; stock ExecuTorch needs the right one.
        channels_last: give rank-4 inputs and weights the channels-last memory format, without
            which stock ExecuTorch quantizes no convolution. Shapes stay NCHW.
        explicit_layout: use ExecuTorch's NHWC operators instead (quantizes Conv1d too).

    Raises:
        PetiteError: one line that says what is wrong and what to do.
    """
    return export_methods(
        {"forward": Method(model, example_inputs, calibration)},
        path,
        quantize=quantize,
        target=target,
        channels_last=channels_last,
        explicit_layout=explicit_layout,
    )


def export_methods(
    methods: Mapping[str, Method],
    path: Path,
    *,
    quantize: bool = True,
    target: str = "cortex-m55",
    channels_last: bool = True,
    explicit_layout: bool = False,
) -> ExportReport:
    """Export several methods into one `.pte`; arguments as for export_model()."""
    path = Path(path)
    check_output_path(path)
    if not methods:
        raise PetiteError(f"{path}: no methods to export")
    config = _target_config(target)
    traced = {
        name: _trace(name, method, quantize, channels_last, explicit_layout)
        for name, method in methods.items()
    }
    lowered = _lower(traced, config, explicit_layout)
    left: list[FloatOperator] = []
    for name, program in lowered.items():
        refuse_meaningless(program, name)
        left.extend(find_float_operators(program, name, quantize))
    operators = {name: count_operators(program) for name, program in lowered.items()}
    state = _mutable_buffers(lowered)
    data = _serialize(lowered, list(state))
    _write(path, data)
    return ExportReport(
        path=path,
        size=len(data),
        target=target,
        operators=operators,
        float_operators=tuple(left),
        state=tuple(sorted(set(state.values()))),
    )


def _target_config(target: str) -> CortexMTargetConfig:
    try:
        return CortexMTargetConfig.from_target_string(target)
    except ValueError as error:
        raise PetiteError(f"unknown target {target!r}: use cortex-m0 to cortex-m85") from error


def _trace(
    name: str, method: Method, quantize: bool, channels_last: bool, explicit_layout: bool
) -> ExportedProgram:
    """Check one method, quantize it if asked, and return its graph of aten operators."""
    check_model(method.model, name)
    examples = check_inputs(method.example_inputs, name, "example_inputs")
    # An explicit-layout program stays contiguous outside: it transposes to NHWC itself.
    images = channels_last and not explicit_layout
    model = _copy(method.model, name)
    if images:
        model = _model_channels_last(model)
        examples = _inputs_channels_last(examples)
    if not quantize:
        return _attempt(name, "trace", lambda: torch.export.export(model, examples))
    samples = check_calibration(method.calibration, examples, name)
    if images:
        samples = [_inputs_channels_last(sample) for sample in samples]
    return _quantize(name, model, examples, samples, explicit_layout)


def _quantize(
    name: str,
    model: torch.nn.Module,
    examples: Tensors,
    samples: list[Tensors],
    explicit_layout: bool,
) -> ExportedProgram:
    """Post-training quantization: trace, observe the samples, replace observers, trace again."""
    traced = _attempt(name, "trace", lambda: torch.export.export(model, examples))
    state = _attempt(name, "trace", lambda: make_state_explicit(traced))
    # The guards check shapes once more, and the preparation cannot work on them.
    graph = traced.module(check_guards=False) if state is None else state.graph
    quantizer = CortexMQuantizer(use_explicit_layout=explicit_layout)
    prepared = _attempt(name, "quantize", lambda: prepare_pt2e(graph, quantizer))
    _attempt(name, "calibrate", lambda: _observe(prepared, samples, state))
    converted = _attempt(name, "quantize", lambda: convert_pt2e(prepared))
    if state is not None:
        make_state_implicit(converted, state)
    return _attempt(name, "trace", lambda: torch.export.export(converted, examples))


def _observe(
    prepared: torch.nn.Module, samples: list[Tensors], state: ExplicitState | None
) -> None:
    """Run the samples, one after the other: state that a model keeps goes from one to the next."""
    values: Tensors = () if state is None else state.initial
    with torch.no_grad():
        for sample in samples:
            results = prepared(*values, *sample)
            if state is not None:
                values = tuple(results[: len(values)])


def _lower(
    traced: dict[str, ExportedProgram], config: CortexMTargetConfig, explicit_layout: bool
) -> dict[str, ExportedProgram]:
    """Lower aten operators to ExecuTorch's Cortex-M operators where it has them."""
    lowered: dict[str, ExportedProgram] = {}
    for name, program in traced.items():

        def lower(program: ExportedProgram = program) -> ExportedProgram:
            edge = to_edge(program, compile_config=cortex_m_edge_compile_config())
            manager = CortexMPassManager(
                edge.exported_program(), target_config=config, use_explicit_layout=explicit_layout
            )
            transformed: ExportedProgram = manager.transform()
            return transformed

        lowered[name] = _attempt(name, "lower", lower)
    return lowered


def _mutable_buffers(lowered: dict[str, ExportedProgram]) -> dict[str, str]:
    """Placeholder name to buffer name, for the buffers that the methods change."""
    found: dict[str, str] = {}
    for program in lowered.values():
        signature = program.graph_signature
        changed = set(signature.buffers_to_mutate.values())
        for placeholder, buffer in signature.inputs_to_buffers.items():
            if buffer in changed:
                found[placeholder] = buffer
    return found


def _serialize(lowered: dict[str, ExportedProgram], state: list[str]) -> bytes:
    """The bytes of the `.pte`."""

    def serialize() -> bytes:
        manager = EdgeProgramManager(dict(lowered), compile_config=cortex_m_edge_compile_config())
        # Without this pass ExecuTorch drops the initial values of mutable buffers.
        config = ExecutorchBackendConfig(passes=[InitializedMutableBufferPass(state)])
        return bytes(manager.to_executorch(config).buffer)

    return _attempt("/".join(lowered), "serialize", serialize)


def _write(path: Path, data: bytes) -> None:
    """Write through a temporary file in the same directory, so that `path` is whole or absent."""
    temporary: str | None = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            temporary = file.name
            file.write(data)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise PetiteError(f"{path}: cannot write: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _copy(model: torch.nn.Module, name: str) -> torch.nn.Module:
    try:
        copied = copy.deepcopy(model)
    except Exception as error:
        raise PetiteError(f"{name}: the model cannot be copied: {error}") from error
    # Nothing is trained from here on, and tracing a state that depends on a parameter with a
    # gradient fails.
    return copied.requires_grad_(False)


def _model_channels_last(model: torch.nn.Module) -> torch.nn.Module:
    """Give rank-4 tensors the channels-last memory format, in place, and leave others alone."""
    # nn.Module.to(memory_format=...) would refuse a model with rank-5 weights.
    for tensor in (*model.parameters(), *model.buffers()):
        if tensor.dim() == 4:
            tensor.data = tensor.data.to(memory_format=torch.channels_last)
    return model


def _inputs_channels_last(inputs: Tensors) -> Tensors:
    return tuple(
        value.to(memory_format=torch.channels_last) if value.dim() == 4 else value
        for value in inputs
    )


def _attempt(method: str, stage: str, action: Callable[[], _Result]) -> _Result:
    """Run one stage; turn whatever the tools raise into one line that names the operator."""
    try:
        with quiet_tools():
            return action()
    except PetiteError:
        raise
    except Exception as error:
        raise PetiteError(f"{method}: {describe_failure(error, stage)}") from error
