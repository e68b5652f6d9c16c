# SPDX-License-Identifier: Apache-2.0
"""Tables for C libraries without mathematical functions leave out what calls them, and no more."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection

import cli_files
from petite.cli.main import main
from petite.select.catalogue import ENTRIES
from petite.select.libm import LIBM_KERNELS, LIBM_PREPARES, needs_libm

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "runtime"


def sources_with_libm() -> list[Path]:
    """Kernels that a Zephyr build without libm leaves out."""
    text = (ROOT / "zephyr" / "library.cmake").read_text(encoding="utf-8")
    [pattern] = set(re.findall(r'_all_kernels EXCLUDE REGEX "([^"]+)"', text))
    return [path for path in RUNTIME.glob("kernels/*/*.c") if re.search(pattern, str(path))]


def kernels_of(sources: list[Path]) -> set[str]:
    """Kernels that files define, by the preprocessor, without prefix and instruction set."""
    found = set()
    for source in sources:
        command = ["gcc", "-std=c11", f"-I{RUNTIME / 'include'}", "-E", str(source)]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found |= set(re.findall(r"\bpetite_(\w+)_scalar\(const void \*params\)\s*\{", text))
    return found


def test_kernels_that_call_libm_are_known() -> None:
    assert kernels_of(sources_with_libm()) == LIBM_KERNELS


def references(directory: Path, sources: list[Path]) -> dict[str, set[str]]:
    """What each function, and each other section, refers to."""
    command = ["gcc", "-std=c11", "-O0", "-ffunction-sections", f"-I{RUNTIME / 'include'}"]
    command += [f"-I{RUNTIME}", "-c", *map(str, sources)]
    subprocess.run(command, cwd=directory, check=True)
    found: dict[str, set[str]] = {}
    for path in directory.glob("*.o"):
        with path.open("rb") as file:
            image = ELFFile(file)
            for section in image.iter_sections():
                if not isinstance(section, RelocationSection):
                    continue
                symbols = image.get_section(section["sh_link"])
                source = image.get_section(section["sh_info"]).name
                targets = found.setdefault(_function(path, source), set())
                for relocation in section.iter_relocations():
                    symbol = symbols.get_symbol(relocation["r_info_sym"])
                    is_section = symbol["st_info"]["type"] == "STT_SECTION"
                    name = image.get_section(symbol["st_shndx"]).name if is_section else symbol.name
                    targets.add(_function(path, name))
    return found


def _function(path: Path, section: str) -> str:
    """A function by its section; of those that only its file sees, several have one name."""
    name = section.removeprefix(".text.")
    return name if name.startswith((".", "petite_")) else f"{path.stem}:{name}"


def test_prepare_functions_that_name_such_kernels_are_known(tmp_path: Path) -> None:
    named = re.compile(rf"petite_({'|'.join(LIBM_KERNELS)})_scalar")
    sources = [p for p in RUNTIME.glob("operators/*/*.c") if named.search(p.read_text("utf-8"))]
    graph = references(tmp_path, sources)
    needing = {f"petite_{kernel}_scalar" for kernel in LIBM_KERNELS}
    while more := {f for f, used in graph.items() if used & needing} - needing:
        needing |= more
    functions = {name for name in needing if name in graph and not name.startswith(".")}
    reached = {name.removeprefix("petite_prepare_") for name in functions if "_prepare_" in name}
    assert reached == LIBM_PREPARES
    # Nothing that another file could call.
    assert {name for name in functions if name.startswith("petite_")} == {
        f"petite_prepare_{name}" for name in LIBM_PREPARES
    }


def test_a_table_without_libm(tmp_path: Path) -> None:
    command = ["select", "--without-libm", "--groups", "math,activations", "--output"]
    assert main([*command, str(tmp_path)]) == 0
    text = (tmp_path / "petite_operators.c").read_text(encoding="utf-8")
    found = set(re.findall(r'\{"(aten::\w+)\.', text))
    assert {"aten::relu", "aten::exp", "aten::sigmoid"} <= found
    assert found & {"aten::log", "aten::gelu", "aten::elu", "aten::cos"} == set()
    # Powers of integers need no library.
    assert '"aten::pow.Tensor_Tensor_out"' in text and "pow_f32" not in text


def test_a_program_that_needs_libm_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "log.pte"
    program.write_bytes(cli_files.program(cli_files.method(operator=("aten::log", "out"))))
    command = ["select", str(program), "--output", str(tmp_path / "out")]
    assert main([*command, "--without-libm"]) == 1
    error = capsys.readouterr().err
    assert "log.pte: aten::log.out needs mathematical functions" in error
    assert error.count("\n") == 1 and not (tmp_path / "out").exists()
    assert main(command) == 0


def test_some_operators_need_it() -> None:
    assert 0 < sum(map(needs_libm, ENTRIES)) < len(ENTRIES) / 4
