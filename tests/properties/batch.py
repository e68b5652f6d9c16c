# SPDX-License-Identifier: Apache-2.0
"""Many compiled graphs in one program: built once, run once, each compared with the reference."""

from __future__ import annotations

import re
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from petite.cli.arrays import from_bytes, to_bytes
from petite.codegen.build_view import Source
from petite.compile import CompiledModel, compile_graphs
from petite.errors import PetiteError
from petite.run.build import build
from petite.run.qemu import emulate
from petite.run.toolchain import run_tool
from petite.targets import Target
from properties.case import Case
from properties.cuts import compile_cut
from properties.differences import first_difference

Array = np.ndarray[Any, np.dtype[Any]]

MAIN = Path(__file__).resolve().parent / "batch_main.c"
_TIMEOUT_S = 600.0
_DECLARATIONS = """\
#include <stdint.h>

#include <petite/plan.h>

struct batch_case {
	const struct petite_plan *plan;
	uint8_t *arena;
	uint32_t arena_size;
};

extern const struct batch_case batch_cases[];
extern const uint32_t batch_case_count;
"""


@dataclass(frozen=True)
class Compiled:
    """A case and what the compiler made of it: a model, or the error with which it gave up."""

    case: Case
    model: CompiledModel | None
    error: str | None


def compile_case(case: Case, number: int, target: Target) -> Compiled:
    """By the same way as a program file, from the graph on."""
    source = Source(f"case{number}.pte", "0" * 64, "0.0.0")
    try:
        options = case.options(f"c{number}", target)
        if case.cuts is None:
            model = compile_graphs([case.build()], source, options)
        else:
            model = compile_cut(case.build(), source, options, case.cuts)
    except (PetiteError, AssertionError) as error:
        return Compiled(case, None, f"{type(error).__name__}: {error}")
    return Compiled(case, model, None)


def faults(cases: Sequence[Case], target: Target, *, sanitize: bool = False) -> list[str | None]:
    """What is wrong with each case on a target; None where nothing is."""
    compiled = [compile_case(case, number, target) for number, case in enumerate(cases)]
    runnable = [entry for entry in compiled if entry.model is not None]
    found = iter(_run(runnable, target, sanitize) if runnable else [])
    return [entry.error if entry.model is None else next(found) for entry in compiled]


def write_program(compiled: Sequence[Compiled], directory: Path) -> None:
    """model.c and model.h with all models, and a table of them."""
    parts, rows = ['#include "model.h"\n'], []
    for entry in compiled:
        model = entry.model
        assert model is not None
        name = model.view.name
        parts += [
            model.files[f"{name}.h"],
            model.files[f"{name}.c"].replace(f'#include "{name}.h"', ""),
        ]
        size = model.view.arena_size
        plan = model.view.methods[0].symbol
        rows.append(f"\t{{ &{plan}_plan, {f'{name}_arena' if size else 'NULL'}, {size} }},\n")
    parts.append(f"const struct batch_case batch_cases[] = {{\n{''.join(rows)}}};\n")
    parts.append(f"const uint32_t batch_case_count = {len(compiled)};\n")
    (directory / "model.c").write_text("\n".join(parts), encoding="utf-8")
    (directory / "model.h").write_text(_DECLARATIONS, encoding="utf-8")


def _run(compiled: Sequence[Compiled], target: Target, sanitize: bool) -> list[str | None]:
    with tempfile.TemporaryDirectory(prefix="petite-properties-") as folder:
        directory = Path(folder)
        write_program(compiled, directory)
        elf = build(directory, target, sanitize=sanitize, main=MAIN)
        try:
            return _compare(compiled, _execute(elf, compiled, 0, len(compiled), target))
        except PetiteError:
            # A sanitizer or a fault ended the program: one case at a time shows whose it is.
            return [_alone(elf, compiled, i, target) for i in range(len(compiled))]


def _alone(elf: Path, compiled: Sequence[Compiled], number: int, target: Target) -> str | None:
    try:
        data = _execute(elf, compiled, number, number + 1, target)
    except PetiteError as error:
        return str(error)
    return _compare(compiled[number : number + 1], data)[0]


def _execute(
    elf: Path, compiled: Sequence[Compiled], first: int, end: int, target: Target
) -> bytes:
    """response.bin for some of the cases. PetiteError where the program does not end well."""
    request = struct.pack("<2I", first, end)
    for entry in compiled[first:end]:
        assert entry.model is not None
        ports = entry.model.schedules[0].inputs
        request += struct.pack("<I", len(entry.case.calls))
        for call in entry.case.calls:
            request += b"".join(to_bytes(a, p, "input") for a, p in zip(call, ports, strict=True))
    with tempfile.TemporaryDirectory(prefix="petite-properties-") as folder:
        work = Path(folder)
        (work / "request.bin").write_bytes(request)
        if target.is_host:
            _run_on_host(elf, work)
        else:
            emulate(elf, target, work, timeout=_TIMEOUT_S)
        return (work / "response.bin").read_bytes()


def _run_on_host(elf: Path, work: Path) -> None:
    try:
        done = run_tool([elf.resolve()], cwd=work, timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise PetiteError("does not end") from None
    if done.status != 0:
        said = re.findall(
            r"^.*(?:runtime error|ERROR: AddressSanitizer|petite:|    #[0-3] ).*$",
            done.output,
            re.MULTILINE,
        )
        raise PetiteError("\n".join(said[:6]) or f"ended with status {done.status}")


def _compare(compiled: Sequence[Compiled], data: bytes) -> list[str | None]:
    """The first fault of each case in a response."""
    position = 0
    found: list[str | None] = []
    for entry in compiled:
        fault, position = _compare_case(entry, data, position)
        found.append(fault)
    assert position == len(data), "the response has another size than its cases"
    return found


def _compare_case(entry: Compiled, data: bytes, position: int) -> tuple[str | None, int]:
    assert entry.model is not None
    schedule, method = entry.model.schedules[0], entry.model.view.methods[0]
    fault: str | None = None
    expected = entry.case.expected()
    for number, (given, wanted) in enumerate(zip(entry.case.calls, expected, strict=True)):
        (status,) = struct.unpack_from("<I", data, position)
        position += 4
        if status != 0:
            fault = fault or f"call {number}: petite_run() returned {status - 2**32}"
        for array, port, view in zip(given, schedule.inputs, method.inputs, strict=True):
            left = from_bytes(data[position : position + port.size], port)
            position += port.size
            if view.survives and left.tobytes() != array.tobytes():
                fault = fault or f"call {number}: changes {view.name}, which should survive"
        for index, (array, port) in enumerate(zip(wanted, schedule.outputs, strict=True)):
            actual = from_bytes(data[position : position + port.size], port)
            position += port.size
            difference = first_difference(actual, array)
            if difference is not None:
                fault = fault or f"call {number}, output {index}: {difference}"
    return fault, position
