# SPDX-License-Identifier: Apache-2.0
"""What the options of the runtime cost in objects: nothing, where they are off."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
EXECUTOR = RUNTIME / "executor"
FILES = sorted(path.name for path in EXECUTOR.glob("*.c"))
CORES = ["cortex-m55", "cortex-m0"]

_SAY = re.compile(r"[ \t]*PETITE_SAY_(?:ERROR|DEBUG)\([^;]*\);\n")


def gcc(directory: Path, core: str, *arguments: str) -> None:
    """Run the compiler for a core."""
    command = ["arm-none-eabi-gcc", "-std=c11", f"-mcpu={core}", "-mthumb", "-Wall", "-Wextra"]
    command += ["-Werror", "-ffunction-sections", "-fdata-sections", f"-I{RUNTIME / 'include'}"]
    done = subprocess.run(
        [*command, *arguments], cwd=directory, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def contents(path: Path) -> dict[str, bytes]:
    """Every section that takes memory on the device, and is not empty."""
    with path.open("rb") as file:
        sections = list(ELFFile(file).iter_sections())
        return {s.name: s.data() for s in sections if s["sh_flags"] & 2 and s["sh_size"]}


def symbols(path: Path, *, undefined: bool) -> set[str]:
    """Global symbols that a file needs, or has."""
    with path.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return {
            s.name
            for s in table.iter_symbols()
            if s["st_info"]["bind"] == "STB_GLOBAL" and (s["st_shndx"] == "SHN_UNDEF") == undefined
        }


@pytest.mark.parametrize("optimization", ["-O0", "-Os", "-O2"])
@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("name", FILES)
def test_no_log_costs_not_one_byte(name: str, core: str, optimization: str, tmp_path: Path) -> None:
    """The objects are those of an executor whose source has no message at all."""
    bare = tmp_path / "bare"
    shutil.copytree(EXECUTOR, bare)
    removed = 0
    for path in bare.iterdir():
        text, count = _SAY.subn("", path.read_text(encoding="utf-8"))
        # An `if` that only spoke is gone with its message.
        text = re.sub(r"\t+if \([^{}]*\) \{\n\t+\}\n", "", text)
        path.write_text(text, encoding="utf-8")
        removed += count
    assert removed >= 8
    gcc(tmp_path, core, optimization, "-DPETITE_LOG=0", "-c", str(EXECUTOR / name), "-o", "a.o")
    gcc(tmp_path, core, optimization, "-c", str(EXECUTOR / name), "-o", "default.o")
    gcc(tmp_path, core, optimization, "-c", str(bare / name), "-o", "bare.o")
    assert contents(tmp_path / "a.o") == contents(tmp_path / "bare.o")
    assert contents(tmp_path / "a.o") == contents(tmp_path / "default.o")


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("name", FILES)
def test_only_the_log_needs_a_port(name: str, core: str, tmp_path: Path) -> None:
    source = str(EXECUTOR / name)
    gcc(tmp_path, core, "-Os", "-c", source, "-o", "off.o")
    gcc(tmp_path, core, "-Os", "-DPETITE_LOG=1", "-c", source, "-o", "on.o")
    off = symbols(tmp_path / "off.o", undefined=True)
    assert {s for s in off if s.startswith("petite_")} == set()
    assert symbols(tmp_path / "on.o", undefined=True) - off == {"petite_platform_log"}
    assert not any(".str" in section for section in contents(tmp_path / "off.o"))
    assert any(".str" in section for section in contents(tmp_path / "on.o"))


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("entry", ["petite_run", "petite_run_profiled", "petite_verify"])
def test_what_is_not_called_is_not_linked(entry: str, core: str, tmp_path: Path) -> None:
    """Profile and verification are dropped by the linker, as all that nobody names."""
    sources = [*EXECUTOR.glob("*.c"), *RUNTIME.glob("verify/*.c")]
    link = ["-Os", "-nostartfiles", "-Wl,--gc-sections", f"-Wl,--entry={entry}"]
    gcc(tmp_path, core, *link, *map(str, sources), "-o", "firmware.elf")
    linked = symbols(tmp_path / "firmware.elf", undefined=False)
    assert {name for name in linked if name.startswith("petite_")} == {entry}


@pytest.mark.parametrize("port", ["host/platform_host.c", "template/platform_template.c"])
def test_every_port_takes_the_log(port: str, tmp_path: Path) -> None:
    source = str(RUNTIME / "platform" / port)
    command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{RUNTIME / 'include'}"]
    subprocess.run([*command, "-c", source, "-o", tmp_path / "port.o"], check=True)
    assert "petite_platform_log" in symbols(tmp_path / "port.o", undefined=False)


def test_the_semihosting_port_takes_the_log(tmp_path: Path) -> None:
    source = str(RUNTIME / "platform" / "cortex_m" / "platform_semihosting.c")
    gcc(tmp_path, "cortex-m0", "-Os", "-c", source, "-o", "port.o")
    assert "petite_platform_log" in symbols(tmp_path / "port.o", undefined=False)
