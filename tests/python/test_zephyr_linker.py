# SPDX-License-Identifier: Apache-2.0
"""The module's linker snippets, with the memories of every board: each object lies where asked.

A model is compiled and linked by a script that includes the snippets in the places where Zephyr's
does. What the snippets use of Zephyr's macros is written out here.
"""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from petite.compile import CompiledModel, Options, compile_file
from petite.targets.catalog import Memory
from petite.targets.memory_map import MemoryMap, load_memory_map, parse_memory_map

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "runtime"
LINKER = ROOT / "zephyr" / "linker"
BOARDS = sorted((ROOT / "scripts" / "petite" / "targets" / "boards").glob("*.json"))
MODEL = ROOT / "tests" / "zephyr" / "models" / "separable_block.pte"
#: A core that GCC 12 knows too; where things lie does not depend on it.
CORES = {"cortex-m85": "cortex-m55"}
Runtimes = Callable[[str], list[Path]]

_MACROS = """\
#define _CAT(a, b) a##b
#define UTIL_CAT(a, b) _CAT(a, b)
#define _WITHOUT_PARENTHESES(...) __VA_ARGS__
#define _CHOOSE_1(yes, no) _WITHOUT_PARENTHESES yes
#define _CHOOSE_0(yes, no) _WITHOUT_PARENTHESES no
#define COND_CODE_1(flag, yes, no) UTIL_CAT(_CHOOSE_, flag)(yes, no)
#define LINKER_DT_NODE_REGION_NAME_TOKEN(node) UTIL_CAT(node, _NAME)
#define DT_REG_ADDR(node) UTIL_CAT(node, _ADDR)
#define DT_REG_SIZE(node) UTIL_CAT(node, _SIZE)
#define DT_NODE_HAS_COMPAT(node, compatible) UTIL_CAT(node, _HAS_##compatible)
#define SECTION_PROLOGUE(name, options, align) name options : align
#define SECTION_DATA_PROLOGUE(name, options, align) name options : align
#define ROMABLE_REGION FLASH
#define RAMABLE_REGION RAM
#define GROUP_LINK_IN(where) > where
#define GROUP_ROM_LINK_IN(runs, stored) > stored
#define GROUP_DATA_LINK_IN(runs, stored) > runs AT > stored
#define GROUP_NOLOAD_LINK_IN(runs, stored) > runs AT > runs
"""

_SECTIONS = """\
ENTRY(main)
SECTIONS
{{
	.text : {{ *(.text .text.*) }} > FLASH
#include "{linker}/constants.ld"
	.rodata : {{ *(.rodata .rodata.*) }} > FLASH
#include "{linker}/arena.ld"
	.data : {{ *(.data .data.*) }} > RAM AT > FLASH
#include "{linker}/constants_in_ram.ld"
#include "{linker}/regions.ld"
	.bss (NOLOAD) : {{ *(.bss .bss.*) }} > RAM AT > RAM
	/DISCARD/ : {{ *(.ARM.ex*) }}
}}
"""


@dataclass(frozen=True)
class Linked:
    """Addresses of a firmware."""

    objects: dict[str, int]
    """Where each object or function lies, by its symbol."""
    symbols: dict[str, int]
    """All symbols, those of the linker script among them."""
    stored: dict[str, int]
    """Where the bytes of each section are loaded to, by the section's name."""


def regions_of(board: MemoryMap) -> list[Memory]:
    """What the devicetree has as zephyr,memory-region beside flash and RAM."""
    return [m for m in board.memories if not m.default and m.name != "ROMSTART_REGION"]


@pytest.fixture(scope="session")
def runtimes(tmp_path_factory: pytest.TempPathFactory) -> Runtimes:
    """Returns a function: what the model calls, compiled once for each core."""
    headers = compile_file(MODEL, Options()).view.headers
    kernels = [RUNTIME / h.replace(".h", "_scalar.c") for h in headers if h.startswith("kernels")]

    @functools.cache
    def compile_runtime(core: str) -> list[Path]:
        directory = tmp_path_factory.mktemp(core)
        sources = [RUNTIME / "executor" / "executor.c", *kernels]
        _gcc(core, "-c", *sources, cwd=directory)
        return [directory / f"{source.stem}.o" for source in sources]

    return compile_runtime


def _core(board: MemoryMap) -> str:
    return CORES.get(board.core.lower(), board.core.lower())


def _gcc(core: str, *arguments: str | Path, cwd: Path) -> None:
    command = ["arm-none-eabi-gcc", f"-mcpu={core}", "-mthumb", "-Os", "-nostdlib"]
    command += ["-ffunction-sections", "-fdata-sections", f"-I{RUNTIME / 'include'}"]
    command += [f"-I{RUNTIME}", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def link(board: MemoryMap, model: CompiledModel, directory: Path, runtimes: Runtimes) -> Linked:
    """Compile a model, and link it with its kernels for a board."""
    model.write(directory)
    name = model.view.name
    main = directory / "main.c"
    main.write_text(f'#include "{name}.h"\nint main(void) {{ return petite_run(&{name}_plan); }}\n')
    core = _core(board)
    script = _script(board, directory)
    sources = [main, directory / f"{name}.c", *runtimes(core)]
    libraries = ["-lc", "-lgcc", "-o", "linked.elf"]
    _gcc(core, "-T", script, "-Wl,--gc-sections", *sources, *libraries, cwd=directory)
    return _read(directory / "linked.elf")


def _script(board: MemoryMap, directory: Path) -> Path:
    """A linker script: the board's memories, and the snippets preprocessed as Zephyr does it."""
    nodes = []
    lines = [_MACROS]
    for memory in regions_of(board):
        node = f"NODE_{memory.name}"
        nodes.append(node)
        lines.append(f"#define {node}_NAME {memory.name}\n")
        lines.append(f"#define {node}_ADDR {memory.base}\n#define {node}_SIZE {memory.size}\n")
        lines.append(f"#define {node}_HAS_soc_nv_flash {int(memory.kind == 'flash')}\n")
    calls = " ".join(f"what({node})" for node in nodes)
    lines.append(f"#define DT_FOREACH_STATUS_OKAY(compatible, what) {calls}\nMEMORY\n{{\n")
    used = [*regions_of(board), *(m for m in board.memories if m.default)]
    lines += [f"{m.name} : ORIGIN = {m.base:#x}, LENGTH = {m.size:#x}\n" for m in used]
    lines.append("}\n" + _SECTIONS.format(linker=LINKER))
    source, script = directory / "script.S", directory / "script.ld"
    source.write_text("".join(lines), encoding="ascii")
    command = ["gcc", "-E", "-P", "-x", "assembler-with-cpp", str(source), "-o", str(script)]
    subprocess.run(command, check=True)
    return script


def _read(elf: Path) -> Linked:
    with elf.open("rb") as file:
        image = ELFFile(file)
        table = image.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = {s.name: s["st_value"] for s in table.iter_symbols()}
        objects = {s.name: s["st_value"] for s in table.iter_symbols() if s["st_size"]}
        stored = {}
        for section in image.iter_sections():
            for segment in image.iter_segments():
                if segment["p_type"] == "PT_LOAD" and segment.section_in_segment(section):
                    offset = section["sh_offset"] - segment["p_offset"]
                    stored[section.name] = segment["p_paddr"] + offset
    return Linked(objects, symbols, stored)


def memory_at(board: MemoryMap, address: int) -> str:
    """The name of the usable memory at an address."""
    found = [m.name for m in board.usable if m.base <= address < m.base + m.size]
    assert len(found) == 1, hex(address)
    return found[0]


def compiled(board: MemoryMap, *weights: str, activations: str | None = None) -> CompiledModel:
    options = Options(
        name="model", memory_map=board, weights=tuple(weights), activations=activations
    )
    return compile_file(MODEL, options)


def constants_of(model: CompiledModel) -> dict[str, int]:
    """Bytes of an element of each constant, by the name that patterns match."""
    view = model.view
    return {c.symbol.removeprefix("model_"): c.size // c.count for c in view.constants}


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_constants_in_each_memory_of_a_board(
    path: Path, tmp_path: Path, runtimes: Runtimes
) -> None:
    """The constants are dealt out to all memories, one after the other."""
    board = load_memory_map(path)
    names = list(constants_of(compiled(board)))
    wanted = {n: board.usable[i % len(board.usable)].name for i, n in enumerate(names)}
    model = compiled(board, *(f"{name}={memory}" for name, memory in wanted.items()))
    linked = link(board, model, tmp_path, runtimes)
    for name, size in constants_of(model).items():
        address = linked.objects[f"model_{name}"]
        assert memory_at(board, address) == wanted[name], name
        assert address % size == 0 and address != 0, name
    for memory in set(wanted.values()) - {"FLASH"}:
        section = f".petite_constants_{memory}"
        assert memory_at(board, linked.stored[section]) == "FLASH"


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_activations_in_each_memory_of_a_board(
    path: Path, tmp_path: Path, runtimes: Runtimes
) -> None:
    board = load_memory_map(path)
    for memory in board.usable:
        if memory.kind == "ram":
            directory = tmp_path / memory.name
            directory.mkdir()
            # Small constants before the arena, so that it has to be aligned.
            model = compiled(board, f"*_shift={memory.name}", activations=memory.name)
            linked = link(board, model, directory, runtimes)
            arena = linked.objects["model_arena"]
            assert memory_at(board, arena) == memory.name
            assert arena % 16 == 0 and arena != 0


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_by_default_constants_stay_in_flash(path: Path, tmp_path: Path, runtimes: Runtimes) -> None:
    board = load_memory_map(path)
    model = compiled(board)
    linked = link(board, model, tmp_path, runtimes)
    for name in constants_of(model):
        assert memory_at(board, linked.objects[f"model_{name}"]) == "FLASH"
    assert memory_at(board, linked.objects["model_arena"]) == "RAM"


def test_copy_has_the_bounds_of_the_constants(tmp_path: Path, runtimes: Runtimes) -> None:
    """What copy_constants.c copies from and to."""
    board = load_memory_map(next(path for path in BOARDS if path.stem == "alif_e8"))
    model = compiled(board, "SRAM1")
    linked = link(board, model, tmp_path, runtimes)
    start = linked.symbols["__petite_constants_start_SRAM1"]
    end = linked.symbols["__petite_constants_end_SRAM1"]
    assert start == board.find("SRAM1").base
    for constant in model.view.constants:
        address = linked.objects[constant.symbol]
        assert start <= address and address + constant.size <= end
    load = linked.symbols["__petite_constants_load_SRAM1"]
    assert load == linked.stored[".petite_constants_SRAM1"]
    # Where nothing was put, nothing is copied.
    bounds = [linked.symbols[f"__petite_constants_{edge}_SRAM0"] for edge in ("start", "end")]
    assert bounds[0] == bounds[1]


def test_constants_in_a_second_flash_are_stored_there(tmp_path: Path, runtimes: Runtimes) -> None:
    board = parse_memory_map(
        {
            "board": "two_flashes",
            "core": "cortex-m4",
            "memories": [
                {"name": "FLASH", "base": 0, "size": 65536, "kind": "flash", "default": True},
                {"name": "RAM", "base": 0x20000000, "size": 65536, "kind": "ram", "default": True},
                {"name": "QSPI", "base": 0x90000000, "size": 65536, "kind": "flash"},
            ],
        }
    )
    linked = link(board, compiled(board, "QSPI"), tmp_path, runtimes)
    assert linked.stored[".petite_constants_QSPI"] == 0x90000000
    load = linked.symbols["__petite_constants_load_QSPI"]
    assert load == linked.symbols["__petite_constants_start_QSPI"]


def test_memory_that_overflows_is_an_error_of_the_linker(
    tmp_path: Path, runtimes: Runtimes
) -> None:
    board = parse_memory_map(
        {
            "board": "small",
            "core": "cortex-m4",
            "memories": [
                {"name": "FLASH", "base": 0, "size": 65536, "kind": "flash", "default": True},
                {"name": "RAM", "base": 0x20000000, "size": 65536, "kind": "ram", "default": True},
                {"name": "TINY", "base": 0x10000000, "size": 1024, "kind": "ram"},
            ],
        }
    )
    model = compile_file(MODEL, Options(name="model"))
    for file, text in list(model.files.items()):
        model.files[file] = text.replace(".bss.petite.", ".bss.petite_in.TINY.")
    with pytest.raises(AssertionError, match=r"region `TINY' overflowed by [0-9]+ bytes"):
        link(board, model, tmp_path, runtimes)
