# SPDX-License-Identifier: Apache-2.0
"""Models that share an arena give right results in turn, and keep their states."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from graph_maker import GraphMaker
from kernel_testing.runner import FLAGS, ROOT
from petite.codegen.build_view import Source
from petite.compile import CompiledModel, Options, compile_graphs
from petite.ir import ops
from petite.ir.dtype import DType

HERE = Path(__file__).resolve().parent / "arena_testing"
RUNTIME = ROOT / "runtime"
SOURCE = Source("test.pte", "0" * 64, "0.0.0")
COUNT = 100

HEADER = """
#include <petite/arena.h>
#include "sums.h"
#include "table.h"
PETITE_ARENA(together, sizeof(union { %s }));
"""
MEMORY = """
#include "together_arena.h"
PETITE_ARENA_MEMORY(together, TABLE_ARENA_SECTION);
"""


def _sums() -> CompiledModel:
    """State and output become the sum of all inputs."""
    make = GraphMaker()
    state = make.state((2,), DType.F32)
    x = make.input((2,), DType.F32)
    total = make.value((2,), DType.F32)
    state.after = make.emit(ops.Elementwise, [state.before, x], total, function="add")
    make.output(state.after)
    return compile_graphs([make.graph], SOURCE, Options(name="sums", arena="together"))


def _table() -> tuple[CompiledModel, list[int]]:
    """A look-up, and its table from -128 upwards."""
    make = GraphMaker()
    make.output(make.lut(make.input((COUNT,))))
    (lut,) = make.graph.ops
    assert isinstance(lut, ops.Lut)
    table = np.asarray(lut.table).tolist()
    model = compile_graphs([make.graph], SOURCE, Options(name="table", arena="together"))
    return model, table


def _compile(
    directory: Path, compiler: str, members: str
) -> tuple[subprocess.CompletedProcess[str], list[CompiledModel], list[int]]:
    """The application with both models; what the arena has room for is up to the caller."""
    sums, (table, entries) = _sums(), _table()
    sources = [HERE / "application.c", directory / "arena.c"]
    for model in (sums, table):
        model.write(directory)
        sources.append(directory / f"{model.view.name}.c")
        for header in model.view.headers:
            sources += (RUNTIME / header).parent.glob("*_scalar.c")
    sources += (RUNTIME / "executor").glob("*.c")
    (directory / "together_arena.h").write_text(HEADER % members, encoding="utf-8")
    (directory / "arena.c").write_text(MEMORY, encoding="utf-8")
    # Addresses in a compiled plan are constants of the linker, as they are on a core.
    flags = [*FLAGS, "-fno-pie", "-no-pie", f"-I{directory}", f"-I{RUNTIME}"]
    unique = [str(source) for source in dict.fromkeys(sources)]
    command = [compiler, *flags, f"-I{RUNTIME / 'include'}", *unique, "-lm"]
    done = subprocess.run(
        [*command, "-o", str(directory / "app")], capture_output=True, text=True, check=False
    )
    return done, [sums, table], entries


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_models_run_in_turn(compiler: str, tmp_path: Path) -> None:
    members = "PETITE_ARENA_FOR(SUMS) PETITE_ARENA_FOR(TABLE)"
    done, models, table = _compile(tmp_path, compiler, members)
    assert done.returncode == 0, done.stderr
    lines = subprocess.run(
        [tmp_path / "app"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    sizes = [model.placement.arena_size for model in models]
    assert min(sizes) > 0
    assert lines == [
        "sums 0 1.5 3",
        f"table 0 {table[0]}",
        "sums 0 3.5 7",
        f"table 0 {table[255]}",
        "sums 0 0.25 0.5",
        "refused -2 -2",
        "sums 0 1.25 2.5",
        f"bytes {max(sizes)}",
    ]


def test_an_arena_that_is_too_small_for_a_model_does_not_compile(tmp_path: Path) -> None:
    done, *_ = _compile(tmp_path, "gcc", "PETITE_ARENA_FOR(SUMS)")
    assert done.returncode != 0
    assert "table does not fit the arena together: name it in together_arena.h" in done.stderr
