# SPDX-License-Identifier: Apache-2.0
"""Builds the sample out of just those of the runtime's files that it needs, which takes seconds.

CMake's library has every kernel; test_cmake.py builds that.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from petite.pte import load_program
from petite.run.toolchain import find_tool
from petite.select.selection import entries_of
from petite.select.table import table_files
from petite.targets import InstructionSet, find_target
from sample_programs import KWS, SINE

SAMPLE = Path(__file__).resolve().parents[1]
RUNTIME = SAMPLE.parents[1] / "runtime"
#: A short patience of the board, so that tests of what goes wrong need not wait.
TIMEOUT_MS = 300
_SOURCES = ("crc32", "main", "model", "protocol", "report", "store", "text", "transfer")
_FLAGS = ("-std=gnu11", "-Wall", "-Wextra", "-Werror", "-ffunction-sections", "-fdata-sections")
#: A function of the runtime, where it is defined, and where it is named.
_DEFINED = re.compile(r"^(?!static)[a-z][\w \*]*?\b(petite_\w+)\(", re.MULTILINE)
#: The same by a macro: the part of the name that is the same for all.
_PASTED = re.compile(r"\b(petite_\w+_)##\w+\(")
_NAME = re.compile(r"\bpetite_\w+")


def build_for_host(folder: Path, *, arena: int) -> Path:
    """A program of the host, with sanitizers."""
    flags = ["-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    flags += [f"-DUPDATE_ARENA_BYTES={arena}"]
    ports = [SAMPLE / "src" / f"{name}_host.c" for name in ("console", "flash")]
    ports.append(RUNTIME / "platform" / "host" / "platform_host.c")
    return _build(folder, ["cc", *flags], "scalar", ports, ["-lm"])


def build_for_m55(folder: Path) -> Path:
    """Firmware for the emulated Cortex-M55."""
    target = find_target("qemu-m55")
    flags = [*target.cpu_flags, "-Os", "-DUPDATE_UART_BASE=0x59303000"]
    flags += ["-DUPDATE_UART_INTERRUPT=33", "-DUPDATE_CLOCK_HZ=32000000"]
    ports = [SAMPLE / "src" / "console_cmsdk.c", SAMPLE / "src" / "flash_memory.c"]
    ports += sorted((RUNTIME / "platform" / "cortex_m").glob("*.c"))
    link = ["-nostdlib", f"-L{RUNTIME / 'platform' / 'cortex_m' / 'link'}"]
    link += [f"-T{target.linker_script}", str(SAMPLE / "link" / f"{target.linker_script}")]
    return _build(
        folder, ["arm-none-eabi-gcc", *flags], "mve", ports, [*link, "-lm", "-lc", "-lgcc"]
    )


def _build(
    folder: Path,
    compiler: Sequence[str],
    instruction_set: InstructionSet,
    ports: Sequence[Path],
    link: Sequence[str],
) -> Path:
    """The sample with a table of the operators that the tests' models call."""
    entries = [entry for path in (SINE, KWS) for entry in entries_of(load_program(path))]
    files = table_files("petite_operators", list(dict.fromkeys(entries)), instruction_set)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    sources = [SAMPLE / "src" / f"{name}.c" for name in _SOURCES]
    sources += [*ports, folder / "petite_operators.c"]
    includes = [f"-I{path}" for path in (SAMPLE / "src", folder, RUNTIME, RUNTIME / "include")]
    command = [*compiler, *_FLAGS, f"-DUPDATE_TIMEOUT_MS={TIMEOUT_MS}", *includes]
    return compile_all(folder, command, sources, link)


class Runtime:
    """The runtime's files, by the functions that they define."""

    def __init__(self) -> None:
        files = [path for path in RUNTIME.rglob("*.c") if "platform" not in path.parts]
        self._texts = {path: path.read_text(encoding="utf-8") for path in files}
        self._homes = self._by(_DEFINED)
        self._pasted = self._by(_PASTED)

    def _by(self, pattern: re.Pattern[str]) -> dict[str, Path]:
        return {n: path for path, text in self._texts.items() for n in pattern.findall(text)}

    def _home(self, name: str) -> Path | None:
        starts = [start for start in self._pasted if name.startswith(start)]
        return self._homes.get(name) or self._pasted.get(max(starts, key=len, default=""))

    def needed(self, text: str) -> list[Path]:
        """Files that define what a text names, and what these name, and so on."""
        found: list[Path] = []
        left = [text]
        while left:
            for name in _NAME.findall(left.pop()):
                path = self._home(name)
                if path is not None and path not in found:
                    found.append(path)
                    left.append(self._texts[path])
        return found


def compile_all(
    folder: Path, compiler: Sequence[str], sources: Sequence[Path], link: Sequence[str]
) -> Path:
    """Compile and link, with what is needed of the runtime; the program."""
    runtime = Runtime()
    texts = [path.read_text(encoding="utf-8") for path in sources]
    left = [*sources, *runtime.needed("".join(texts))]
    program = folder / "model_update"
    compiled: dict[Path, str] = {}
    while left:
        new = {path: f"{folder / path.stem}.o" for path in left}
        assert len({*new.values(), *compiled.values()}) == len(new) + len(compiled)
        commands = [[*compiler, "-c", str(path), "-o", new[path]] for path in left]
        with ThreadPoolExecutor(2) as pool:
            for done in pool.map(_run, commands):
                assert done.returncode == 0, done.stderr
        compiled |= new
        command = [*compiler, *compiled.values(), "-Wl,--gc-sections", *link, "-o", str(program)]
        done = _run(command)
        # Names that macros put together are only seen now.
        missing = " ".join(re.findall(r"undefined reference to [`'](\w+)'", done.stderr))
        left = [path for path in runtime.needed(missing) if path not in compiled]
    assert done.returncode == 0, done.stderr
    return program


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(find_tool(command[0])), *command[1:]], capture_output=True, text=True, check=False
    )
