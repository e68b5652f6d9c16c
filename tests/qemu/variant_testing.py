# SPDX-License-Identifier: Apache-2.0
"""Runs small networks on an emulated core whose kernels have an instruction set of their own.

Whole small networks go through lowering, placement with overlap and code generation, so that what
lowering packs for a kernel, and how far its output reaches into its input, are tested with it.
Many share one program: each is a method of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from graph_maker import GraphMaker
from kernel_testing import cases
from petite.codegen.build_view import Source, build_view
from petite.codegen.emit import render, write_files
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Graph, Value
from petite.ir.schedule import Schedule
from petite.passes.lower import lower
from petite.passes.pipeline import optimize
from petite.placement.model import place_model
from petite.run import execute
from petite.targets import InstructionSet, find_target

Array = np.ndarray[Any, np.dtype[Any]]

#: Which numbers an operator gets: those that the kernels of an instruction set take, or any.
Takes = Literal["any", "mve", "dsp"]


@dataclass
class Numbers:
    """What an operator adds to its sums, and what it makes of them."""

    bias: Array | None
    multipliers: Array
    shifts: Array
    input_offset: int
    output_offset: int
    limits: cases.Pair


def random_numbers(rng: cases.Rng, channels: int, typical: float, takes: Takes) -> Numbers:
    """Random ones for sums of about that size."""
    multipliers, shifts = cases.scales(rng, channels, typical)
    bias = cases.bias(rng, channels)
    input_offset = cases.offset(rng) if takes == "any" else int(rng.integers(-127, 129))
    output_offset, limits = cases.offset(rng), cases.limits(rng)
    if takes == "mve":
        shifts = np.minimum(shifts, 0)
    if takes == "dsp":
        shifts = np.minimum(shifts, -1)
        bias = None if bias is None else np.clip(bias, -(2**29), 2**29).astype(np.int32)
        output_offset = int(np.clip(output_offset, -(2**14) + 1, 2**14 - 1))
    return Numbers(bias, multipliers, shifts, input_offset, output_offset, limits)


@dataclass
class Case:
    """A network, what goes in, and what has to come out."""

    graph: Graph
    inputs: Array
    expected: Array


def of_all_pairs(
    name: str, kind: type[ops.Op], *, left_out: int = 0, **fields: Any
) -> tuple[Graph, Array, Array]:
    """An operator on each int8 number and each other one, but for some at the end.

    Its graph, and both operands: the first is the input, the second a constant.
    """
    values = np.arange(-128, 128).astype(np.int8)
    first, second = (
        operand[: operand.size - left_out]
        for operand in (np.tile(values, 256), np.repeat(values, 256))
    )
    make = GraphMaker(name)
    constant = Value("constant", DType.S8, second.shape, data=second)
    operands = [make.input(first.shape), constant]
    make.output(make.emit(kind, operands, make.value(first.shape), **fields))
    return make.graph, first, second


def compile_all(
    made: list[Case], instruction_set: InstructionSet, directory: Path, *, cmsis_nn: bool = False
) -> list[Schedule]:
    """Write a model that has every case as a method."""
    schedules = []
    for case in made:
        optimize(case.graph, quantized_io=False)
        schedules.append(lower(case.graph, instruction_set, cmsis_nn=cmsis_nn))
    source = Source("test.pte", "0" * 64, "0.0.0")
    write_files(directory, render(build_view("model", source, schedules, place_model(schedules))))
    return schedules


def run_all(
    made: list[Case], target_name: str, directory: Path, *, cmsis_nn: bool = False
) -> list[Schedule]:
    """Run every case on the target, and compare; returns what ran."""
    target = find_target(target_name)
    schedules = compile_all(made, target.instruction_set, directory, cmsis_nn=cmsis_nn)
    for number, case in enumerate(made):
        result = execute(directory, target, number, [[case.inputs.tobytes()]])
        actual = np.frombuffer(result.outputs[0][0], case.expected.dtype).reshape(
            case.expected.shape
        )
        np.testing.assert_array_equal(actual, case.expected, case.graph.name)
    return schedules
