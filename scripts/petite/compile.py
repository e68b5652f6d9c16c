# SPDX-License-Identifier: Apache-2.0
"""The compiler: from a program file to C, through passes and placement."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from petite import __version__
from petite.codegen.build_view import Source, build_view, check_arena, check_identifier
from petite.codegen.emit import render, write_files
from petite.codegen.view import ModelView
from petite.errors import PetiteError
from petite.ir.consistency import check_consistency
from petite.ir.dtype import DType
from petite.ir.graph import Graph
from petite.ir.schedule import Schedule
from petite.passes.lower import LoweredMethod, lower_method
from petite.passes.pipeline import optimize
from petite.passes.require_dtypes import require_dtypes
from petite.placement.budget import Budget, parse_budgets
from petite.placement.by_cost import ARENA, Use, place_by_cost
from petite.placement.memories import MemoryChoice, choose_memories
from petite.placement.model import Placement, place_model
from petite.placement.slides import DEFAULT_RULE, SlideRule
from petite.placement.traffic import Traffic, traffic_of
from petite.pte import Program, load_program
from petite.pte.lift import lift_program
from petite.stripes import Striped, use_stripes
from petite.targets import InstructionSet, Memory
from petite.targets.memory_cost import memory_costs
from petite.targets.memory_map import MemoryMap


@dataclass(frozen=True)
class Options:
    """What a user may choose."""

    #: Start of every symbol, and the files' name.
    name: str = "model"
    #: int8 in and out, at the model's own scales.
    int8_io: bool = False
    #: Inputs still hold what the application wrote after a call.
    keep_inputs: bool = False
    #: Kernels may use these instructions.
    instruction_set: InstructionSet = "scalar"
    #: Kernels call CMSIS-NN for what it covers.
    cmsis_nn: bool = False
    #: Off: no graph passes beyond the needed, no overlap of buffers. For tests and for doubt.
    optimize: bool = True
    #: What moving values must be worth, to make the arena smaller.
    slides: SlideRule = DEFAULT_RULE
    #: Layers may run in stripes where that saves memory. Only with `optimize`.
    stripes: bool = True
    #: Shell patterns of operators that are not supported, but that the application brings.
    application_operators: tuple[str, ...] = ()
    #: The board's memories; needed for the two below, and for checking that the model fits.
    memory_map: MemoryMap | None = None
    #: Where constants go: MEMORY for all, PATTERN=MEMORY for some; later ones before earlier ones.
    weights: tuple[str, ...] = ()
    #: The same for all models of a build: `weights` comes after it, and it may fit no constant.
    default_weights: tuple[str, ...] = ()
    #: The memory of arena and states.
    activations: str | None = None
    #: Fast memory that may be filled with what gains most: MEMORY for all of it, or MEMORY=BYTES.
    budgets: tuple[str, ...] = ()
    #: What reading a byte of a memory costs, MEMORY=COST; others are assumed by their kind.
    memory_costs: tuple[str, ...] = ()
    #: Element types that kernels may compute with; None for all.
    dtypes: frozenset[DType] | None = None
    #: Name of an arena that the model shares with others; empty for one of its own.
    arena: str = ""
    #: Emit a name for each step, for profiles.
    step_names: bool = False
    #: Emit checksums of the constants, for petite_verify().
    checksums: bool = False


@dataclass(frozen=True)
class CompiledModel:
    """Everything known about a compiled model."""

    schedules: list[Schedule]
    placement: Placement
    memories: MemoryChoice
    #: What an inference moves, by what is placed, and by kernel function.
    uses: list[Use]
    functions: dict[str, int]
    #: What runs in stripes.
    striped: list[Striped]
    view: ModelView
    files: dict[str, str]

    def write(self, directory: Path) -> None:
        """Write NAME.c and NAME.h."""
        write_files(directory, self.files)


def compile_program(program: Program, options: Options) -> CompiledModel:
    """Compile a program that the reader has verified."""
    source = Source(Path(program.name).name, program.digest, __version__)
    return compile_graphs(lift_program(program, options.application_operators), source, options)


def compile_graphs(graphs: Iterable[Graph], source: Source, options: Options) -> CompiledModel:
    """Compile the graphs of a program's methods, which are changed in place."""
    check_identifier(options.name)
    if options.arena:
        check_arena(options.name, options.arena)
    methods = lower_graphs(graphs, options)
    striped = []
    if options.optimize and options.stripes:
        striped = use_stripes(methods, keep_inputs=options.keep_inputs)
    return compile_methods(methods, striped, source, options)


def lower_graphs(graphs: Iterable[Graph], options: Options) -> list[LoweredMethod]:
    """Through the passes, and to kernel calls."""
    methods = []
    for graph in graphs:
        check_consistency(graph)
        optimize(graph, quantized_io=options.int8_io, optimize=options.optimize)
        methods.append(lower_method(graph, options.instruction_set, cmsis_nn=options.cmsis_nn))
        require_dtypes(methods[-1].schedule, options.dtypes)
    return methods


def compile_methods(
    methods: list[LoweredMethod], striped: list[Striped], source: Source, options: Options
) -> CompiledModel:
    """Place what was lowered, and write the code."""
    memories = choose_memories(
        options.memory_map, options.weights, options.default_weights, options.activations
    )
    schedules = [method.schedule for method in methods]
    placement = place_model(
        schedules,
        keep_inputs=options.keep_inputs,
        optimize=options.optimize,
        slides=options.slides,
    )
    build = partial(
        build_view,
        options.name,
        source,
        schedules,
        placement,
        arena=options.arena,
        step_names=options.step_names,
        checksums=options.checksums,
    )
    view = build(memories)
    constants = {c.symbol.removeprefix(f"{view.name}_"): c.size for c in view.constants}
    memories.require_use(list(constants))
    traffic = traffic_of(schedules)
    uses = _uses(view, constants, placement, traffic)
    if options.budgets or options.memory_costs:
        # A shared arena lies where its owner puts it.
        own = [use for use in uses if not (options.arena and use.name == ARENA)]
        memories = place_by_cost(memories, own, *budgets_of(options))
        view = build(memories)
    memories.require_fit(constants, placement.arena_size + placement.state_size)
    return CompiledModel(
        schedules, placement, memories, uses, traffic.functions, striped, view, render(view)
    )


def budgets_of(options: Options) -> tuple[list[Budget], dict[Memory, float]]:
    """The budgets of a known board, and the costs of its memories."""
    if options.memory_map is None:
        raise PetiteError(
            "a budget is of a memory of a known board: name the board with --memories or --target"
        )
    costs = memory_costs(options.memory_map, options.memory_costs)
    return parse_budgets(options.memory_map, options.budgets), costs


def _uses(
    view: ModelView, constants: dict[str, int], placement: Placement, traffic: Traffic
) -> list[Use]:
    moved = dict.fromkeys(constants, 0)
    for buffer, count in traffic.constants.items():
        moved[view.symbols[buffer].removeprefix(f"{view.name}_")] += count
    ram = placement.arena_size + placement.state_size
    uses = [Use(name, size, moved[name]) for name, size in constants.items()]
    return [*uses, Use(ARENA, ram, traffic.ram)]


def compile_file(path: Path, options: Options) -> CompiledModel:
    """Read, verify and compile a .pte file."""
    return compile_program(load_program(path), options)
