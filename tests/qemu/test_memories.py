# SPDX-License-Identifier: Apache-2.0
"""Constants and arena in the memories that were asked for, on emulated hardware without an RTOS."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from petite.compile import CompiledModel, Options, compile_file
from petite.errors import PetiteError
from petite.run import execute, sizes
from petite.targets import Target, find_target
from petite.targets.memory_map import memory_map_of

KWS = Path(__file__).parents[2] / "samples" / "kws" / "model" / "kws.pte"
TARGET = find_target("qemu-m55")
BOARD = memory_map_of(TARGET)


def compiled(target: Target = TARGET, **choice: object) -> CompiledModel:
    board = memory_map_of(target)
    options = Options(name="model", int8_io=True, memory_map=board, **choice)  # type: ignore[arg-type]
    return compile_file(KWS, options)


def run(
    model: CompiledModel, directory: Path, target: Target = TARGET
) -> tuple[bytes, dict[str, int]]:
    """The output for a seeded input, and the address of every object in the firmware."""
    port = model.schedules[0].inputs[0]
    values = np.random.default_rng(7).integers(-128, 128, port.shape).astype(np.int8)
    model.write(directory)
    result = execute(directory, target, 0, [[values.tobytes()]])
    with result.elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        addresses = {s.name: s["st_value"] for s in table.iter_symbols() if s["st_size"]}
    return result.outputs[0][0], addresses


def memory_at(address: int) -> str:
    return next(m.name for m in BOARD.memories if m.base <= address < m.base + m.size)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return run(compiled(), tmp_path_factory.mktemp("reference"))[0]


@pytest.mark.parametrize("memory", ["DTCM", "SRAM", "ITCM", "EXTERNAL"])
def test_all_constants_in_one_memory(memory: str, reference: bytes, tmp_path: Path) -> None:
    model = compiled(weights=(memory,))
    output, addresses = run(model, tmp_path)
    assert output == reference
    symbols = [constant.symbol for constant in model.view.constants]
    assert len(symbols) > 20
    assert {memory_at(addresses[symbol]) for symbol in symbols} == {memory}


@pytest.mark.parametrize("name", ["qemu-m33", "qemu-m4", "qemu-m3", "qemu-m0"])
def test_constants_in_the_only_ram(name: str, reference: bytes, tmp_path: Path) -> None:
    target = find_target(name)
    model = compiled(target, weights=("RAM",))
    output, addresses = run(model, tmp_path, target)
    assert output == reference
    ram = next(memory for memory in target.memories if memory.name == "RAM")
    for constant in model.view.constants:
        assert ram.base <= addresses[constant.symbol] < ram.base + ram.size
    assert sizes(tmp_path / f"{name}.elf").constants >= model.view.constant_size


def test_a_script_without_the_memory_is_found_out(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    section = ".petite_in.DTCM.kws_bias"
    source.write_text(
        f'__attribute__((section("{section}"))) const int bias = 1;\n'
        "int petite_run(void) { return bias; }\nint main(void) { return petite_run(); }\n",
        encoding="ascii",
    )
    subprocess.run(["gcc", "-O0", source, "-o", tmp_path / "a.elf"], check=True)
    with pytest.raises(PetiteError, match=rf"section {section} .* has no place for it"):
        sizes(tmp_path / "a.elf")


def test_patterns_decide_and_the_last_one_wins(reference: bytes, tmp_path: Path) -> None:
    rules = ("SRAM", "*_weights=DTCM", "linear_*=FLASH")
    model = compiled(weights=rules, activations="dtcm")
    output, addresses = run(model, tmp_path)
    assert output == reference
    for constant in model.view.constants:
        name = constant.symbol.removeprefix("model_")
        wanted = "DTCM" if name.endswith("_weights") else "SRAM"
        wanted = "FLASH" if name.startswith("linear_") else wanted
        assert memory_at(addresses[constant.symbol]) == wanted, name
        assert addresses[constant.symbol] % min(constant.size, 4 if "_bias" in name else 1) == 0
    assert memory_at(addresses["model_arena"]) == "DTCM"
    assert addresses["model_arena"] % 16 == 0


def test_a_budget_moves_weights_and_the_arena(reference: bytes, tmp_path: Path) -> None:
    model = compiled(instruction_set="mve", budgets=("DTCM=30K", "ITCM=2K"))
    output, addresses = run(model, tmp_path)
    assert output == reference
    where = [memory_at(addresses[constant.symbol]) for constant in model.view.constants]
    assert {"DTCM", "ITCM", "FLASH"} == set(where)
    taken = {name: 0 for name in where}
    for name, constant in zip(where, model.view.constants, strict=True):
        taken[name] += constant.size
    assert memory_at(addresses["model_arena"]) == "DTCM"
    assert taken["DTCM"] + model.view.arena_size <= 30 * 1024 and taken["ITCM"] <= 2048


def test_the_default_is_left_to_the_linker(tmp_path: Path) -> None:
    model = compiled(activations="SRAM", weights=("FLASH",))
    assert model.files == compiled().files
    _, addresses = run(model, tmp_path)
    assert memory_at(addresses["model_arena"]) == "SRAM"
    assert {memory_at(addresses[c.symbol]) for c in model.view.constants} == {"FLASH"}


def test_activations_in_flash_are_refused() -> None:
    with pytest.raises(PetiteError, match="activations cannot lie in FLASH of qemu-m55"):
        compiled(activations="flash")
