# SPDX-License-Identifier: Apache-2.0
"""``petite run``."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from petite.cli.arrays import (
    Array,
    from_bytes,
    load_calls,
    load_npy,
    require_writable,
    save_npy,
    to_bytes,
)
from petite.cli.loading import add_load, loaded_program, refuse_compiler_options
from petite.cli.memories import add_placement_options, with_memories
from petite.cli.options import (
    add_command,
    add_compile_options,
    add_instruction_set,
    add_kernels,
    add_model,
    chosen_instruction_set,
    compile_options,
)
from petite.cli.table import table
from petite.compile import CompiledModel, compile_file
from petite.errors import PetiteError
from petite.ir.schedule import Schedule
from petite.report.elf_sizes import sizes
from petite.run import Count, RunResult, execute
from petite.run.counter import has_cycle_model
from petite.run.loaded import Need, plan_loading
from petite.targets import InstructionSet
from petite.targets.catalog import Target, find_target, target_names
from petite.targets.memory_map import memory_map_of


def add(commands: Any) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "run",
        summary="build a program, run it on the host or on an emulated core, return its outputs",
        example="petite run kws.pte --input x.npy --output y.npy --target qemu-m55",
        function=run,
    )
    add_model(parser)
    parser.add_argument(
        "--input",
        metavar="X.npy",
        type=Path,
        action="append",
        default=[],
        help="an input, in the shape that PyTorch sees; repeat for several",
    )
    parser.add_argument(
        "--output",
        metavar="Y.npy",
        type=Path,
        action="append",
        default=[],
        help="where to write an output; repeat for several",
    )
    parser.add_argument(
        "--calls",
        metavar="CALLS.npz",
        type=Path,
        help="inputs of successive calls (input0, input1, ...: calls along the first axis) "
        "instead of --input; outputs then have the calls along their first axis",
    )
    parser.add_argument("--target", choices=target_names(), default="host", help="where to run")
    parser.add_argument("--method", metavar="NAME", help="method to run (forward, or the only one)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--profile", action="store_true", help="instructions by function (in QEMU)")
    parser.add_argument(
        "--sanitize",
        action="store_true",
        help="on the host, with address and undefined-behaviour sanitizers",
    )
    add_load(parser, "instead of compiling it")
    add_compile_options(parser)
    add_kernels(parser, "the folder of that library is in PETITE_CMSIS_NN_DIR")
    add_instruction_set(parser, "the best that the target's core has")
    add_placement_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compile, build, run, and write the outputs."""
    target = find_target(arguments.target)
    memory_map = None if target.is_host else memory_map_of(target)
    if arguments.load:
        refuse_compiler_options(arguments)
    options = compile_options(arguments, "model", _instruction_set(arguments, target))
    options = with_memories(options, arguments, memory_map)
    model = compile_file(arguments.model, options)
    index = _method_index(model.schedules, arguments.method, arguments.model)
    schedule = model.schedules[index]
    calls = _load(arguments, schedule)
    if arguments.output and len(arguments.output) != len(schedule.outputs):
        raise PetiteError(
            f"method {schedule.name} has {len(schedule.outputs)} output(s), but --output is given "
            f"{len(arguments.output)} times"
        )
    for path in arguments.output:
        require_writable(path)
    if sys.stderr.isatty():
        print(f"building and running on {target.name} ...", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="petite-") as directory:
        need = _write(arguments, model, target, index, Path(directory))
        result = execute(
            Path(directory),
            target,
            index,
            calls,
            sanitize=arguments.sanitize,
            profile=arguments.profile,
            loaded=arguments.load,
        )
        figures = _figures(result, model, target)
    if need is not None:
        figures.update(_load_figures(result, need))
    _store(arguments, schedule, result)
    _print(arguments, figures, result, target)
    return 0


def _write(
    arguments: argparse.Namespace, model: CompiledModel, target: Target, method: int, where: Path
) -> Need | None:
    """Write what is built: the compiled model, or the program with what it needs."""
    if not arguments.load:
        model.write(where)
        return None
    program = loaded_program(arguments.model, _instruction_set(arguments, target))
    need = plan_loading(program, target, method, sanitize=arguments.sanitize)
    program.write(where, need.structures, need.arena)
    return need


def _instruction_set(arguments: argparse.Namespace, target: Target) -> InstructionSet:
    """What kernels may use on the target."""
    return chosen_instruction_set(arguments, f"target {target.name}", target.instruction_set)


def _method_index(schedules: list[Schedule], name: str | None, path: Path) -> int:
    names = [s.name for s in schedules]
    if name is None:
        if "forward" in names:
            return names.index("forward")
        if len(names) == 1:
            return 0
        raise PetiteError(f"{path}: has methods {', '.join(names)}; choose one with --method")
    if name not in names:
        raise PetiteError(f"{path}: has no method {name!r}; it has {', '.join(names)}")
    return names.index(name)


def _load(arguments: argparse.Namespace, schedule: Schedule) -> list[list[bytes]]:
    ports = schedule.inputs
    if arguments.calls is not None:
        if arguments.input:
            raise PetiteError("--calls and --input exclude each other")
        arrays = load_calls(arguments.calls, ports)
        names = [f"{arguments.calls}: input{i}" for i in range(len(ports))]
    else:
        if len(arguments.input) != len(ports):
            shapes = ", ".join(f"{p.dtype.torch_name}{list(p.shape)}" for p in ports)
            raise PetiteError(
                f"method {schedule.name} takes {len(ports)} input(s) ({shapes}), but --input is "
                f"given {len(arguments.input)} times"
            )
        arrays = [[load_npy(path) for path in arguments.input]]
        names = [str(path) for path in arguments.input]
    return [
        [to_bytes(a, p, n) for a, p, n in zip(call, ports, names, strict=True)] for call in arrays
    ]


def _store(arguments: argparse.Namespace, schedule: Schedule, result: RunResult) -> None:
    for number, path in enumerate(arguments.output):
        port = schedule.outputs[number]
        arrays: list[Array] = [from_bytes(call[number], port) for call in result.outputs]
        save_npy(path, arrays[0] if arguments.calls is None else np.stack(arrays))


def _figures(result: RunResult, model: CompiledModel, target: Target) -> dict[str, int | None]:
    """Counts and bytes; None for what the host does not measure."""
    measured = sizes(result.elf)
    arena = model.placement.arena_size + model.placement.state_size
    static = measured.static_ram + measured.arena
    return {
        "instructions": result.instructions,
        "stack": result.stack,
        "arena": arena,
        "ram": None if result.stack is None else static + result.stack,
        "code": None if target.is_host else measured.code,
        "constants": measured.constants,
        "flash": None if target.is_host else measured.flash,
    }


def _load_figures(result: RunResult, need: Need) -> dict[str, int | None]:
    """What loading took, in place of what the compiler planned."""
    return {
        "arena": need.arena,
        "structures": need.structures,
        "load instructions": result.load_count.instructions if result.load_count else None,
        "load stack": result.load_stack,
    }


def _json_extras(
    arguments: argparse.Namespace, result: RunResult, target: Target
) -> dict[str, object]:
    extras: dict[str, object] = {}
    if result.count:
        extras["classes"] = result.count.classes
        if has_cycle_model(target):
            extras["estimated_cycles"] = result.count.modelled_cycles
    if arguments.profile:
        extras["profile"] = result.profile
    return extras


def _classes_text(count: Count, target: Target) -> str:
    """The instructions by class, and on a Cortex-M55 what the model of its cycles gives."""
    total = max(count.instructions, 1)
    rows = [
        (name, f"{number:,}", f"{100 * number / total:.1f} %")
        for name, number in count.classes.items()
        if number
    ]
    text = table(["class of instruction", "count", "share"], rows)
    if has_cycle_model(target):
        text += (
            f"\n\nestimate, not measured: {count.modelled_cycles:,} cycles of a {target.core}, by "
            "a simple model\n(DESIGN.md, 'Running and measuring') whose memory never makes it wait"
        )
    return text


def _print(
    arguments: argparse.Namespace,
    figures: dict[str, int | None],
    result: RunResult,
    target: Target,
) -> None:
    if arguments.json:
        print(json.dumps({**figures, **_json_extras(arguments, result, target)}))
        return
    rows = [(key, "-" if value is None else f"{value:,}") for key, value in figures.items()]
    print(table(["figure", "count or bytes"], rows))
    if result.count:
        print("\n" + _classes_text(result.count, target))
    if result.profile:
        top = sorted(result.profile.items(), key=lambda item: -item[1])
        print("\n" + table(["function", "instructions"], [(n, f"{c:,}") for n, c in top]))
