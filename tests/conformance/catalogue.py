# SPDX-License-Identifier: Apache-2.0
"""Every conformance program. Imports torch; names.txt has the names for those that do not."""

from __future__ import annotations

from collections.abc import Callable

from conformance import (
    catalogue_control,
    catalogue_convolution,
    catalogue_elementwise,
    catalogue_faults,
    catalogue_functions,
    catalogue_indexing,
    catalogue_layers,
    catalogue_layout,
    catalogue_quantized,
    catalogue_reduce,
    catalogue_sampling,
    catalogue_state,
    larger_sequence,
    larger_structure,
    larger_vision,
    models,
)
from conformance.program import Program

_GROUPS: tuple[Callable[[], list[Program]], ...] = (
    models.mlperf_tiny,
    catalogue_convolution.convolutions,
    catalogue_convolution.depthwise,
    catalogue_convolution.transposed,
    catalogue_convolution.linears,
    catalogue_elementwise.arithmetic,
    catalogue_elementwise.activations,
    catalogue_elementwise.pooling,
    catalogue_functions.integers,
    catalogue_functions.bools,
    catalogue_functions.floats,
    catalogue_functions.promotions,
    catalogue_indexing.moves,
    catalogue_indexing.constants,
    catalogue_indexing.indexing,
    catalogue_indexing.scattering,
    catalogue_layout.moves,
    catalogue_layout.networks,
    catalogue_layout.explicit_layout,
    catalogue_state.stateful,
    catalogue_state.several_methods,
    catalogue_state.floats,
    catalogue_state.left_in_float,
    catalogue_state.meaningless,
    catalogue_control.branches,
    catalogue_control.loops,
    catalogue_faults.known_faults,
    catalogue_reduce.reductions,
    catalogue_layers.normalizations,
    catalogue_layers.products,
    catalogue_layers.activations,
    catalogue_layers.windows,
    catalogue_layers.resizes,
    catalogue_sampling.sampled,
    catalogue_quantized.of_models,
    larger_vision.vision,
    larger_sequence.sequences,
    larger_structure.structures,
)


def all_programs() -> dict[str, Program]:
    """Every program by name."""
    programs: dict[str, Program] = {}
    for group in _GROUPS:
        for spec in group():
            if spec.name in programs:
                raise ValueError(f"two programs are named {spec.name}")
            programs[spec.name] = spec
    return programs


def modules() -> dict[str, str]:
    """The module that each program is defined in, by the program's name."""
    return {spec.name: group.__module__.rsplit(".", 1)[-1] for group in _GROUPS for spec in group()}
