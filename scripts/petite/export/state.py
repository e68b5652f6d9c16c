# SPDX-License-Identifier: Apache-2.0
"""Quantization of models that keep state between calls.

The quantization flow of torch takes every buffer for a constant: it folds what is computed from
the initial value, or lets one copy of the buffer be written and another be read, without a word.
So the state is made explicit while the model is quantized, as more inputs and outputs, and turned
back into buffers afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind


@dataclass(frozen=True)
class ExplicitState:
    """A model as a function: takes (states..., inputs...), returns (new states..., outputs...)."""

    graph: torch.fx.GraphModule
    names: tuple[str, ...]
    """Names of the state buffers, in the order of the first inputs and of the first outputs."""
    initial: tuple[torch.Tensor, ...]
    """Values at the first call."""


def make_state_explicit(program: ExportedProgram) -> ExplicitState | None:
    """Rewrite a traced model so that its mutable buffers are inputs and outputs.

    Returns None where no buffer changes. The given program is left as it is.
    """
    functional = program.run_decompositions({})
    signature = functional.graph_signature
    changed = [
        spec.target for spec in signature.output_specs if spec.kind is OutputKind.BUFFER_MUTATION
    ]
    if not changed:
        return None
    graph = functional.graph_module.graph
    module = torch.fx.GraphModule({}, torch.fx.Graph())
    inputs = {spec.arg.name: spec for spec in signature.input_specs}
    taken: list[str] = []
    for node in list(graph.nodes):
        if node.op != "placeholder":
            continue
        spec = inputs[node.name]
        if spec.kind is InputKind.USER_INPUT:
            continue
        assert spec.target is not None
        if spec.target in changed:
            taken.append(spec.target)
            continue
        # All other tensors are constants: attributes of the new module.
        setattr(module, node.name, torch.nn.Buffer(_value(functional, spec.target).detach()))
        with graph.inserting_before(node):
            constant = graph.get_attr(node.name)
        constant.meta = dict(node.meta)
        node.replace_all_uses_with(constant)
        graph.erase_node(node)
    _order_outputs(graph, changed, taken)
    explicit = torch.fx.GraphModule(module, graph)
    initial = tuple(_value(functional, name).detach().clone() for name in taken)
    return ExplicitState(explicit, tuple(taken), initial)


def make_state_implicit(function: torch.fx.GraphModule, state: ExplicitState) -> None:
    """Turn the first inputs and outputs of `function` into mutable buffers, in place.

    Works on the graph instead of calling the function from a new module, because tracing keeps
    the annotations of the quantizer only on the nodes of the outermost graph.
    """
    graph = function.graph
    inputs = [node for node in graph.nodes if node.op == "placeholder"]
    output = next(node for node in graph.nodes if node.op == "output")
    results = tuple(output.args[0])
    for node, name, value, new in zip(inputs, state.names, state.initial, results, strict=False):
        attribute = name.replace(".", "_")
        function.register_buffer(attribute, value.clone())
        with graph.inserting_before(node):
            buffer = graph.get_attr(attribute)
        buffer.meta = dict(node.meta)
        node.replace_all_uses_with(buffer)
        graph.erase_node(node)
        with graph.inserting_before(output):
            graph.call_function(torch.ops.aten.copy_.default, (buffer, new))
    output.args = (results[len(state.names) :],)
    graph.lint()
    function.recompile()


def _order_outputs(graph: torch.fx.Graph, written: list[str], read: list[str]) -> None:
    """Let the new states come first, in the order of the inputs."""
    output = next(node for node in graph.nodes if node.op == "output")
    values = tuple(output.args[0])
    new = dict(zip(written, values, strict=False))
    output.args = (tuple(new[name] for name in read) + values[len(written) :],)


def _value(program: ExportedProgram, name: str) -> torch.Tensor:
    state = program.state_dict
    value = state[name] if name in state else program.constants[name]
    assert isinstance(value, torch.Tensor)
    return value
