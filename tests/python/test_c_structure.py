# SPDX-License-Identifier: Apache-2.0
"""Who may include whom in the C runtime, and what its objects must not contain."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from petite.targets import TARGETS, find_target

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
KERNELS = RUNTIME / "kernels"
SOURCES = sorted(path for path in RUNTIME.rglob("*") if path.suffix in {".c", ".h"})
#: What every firmware may link: executor, verification, registry, and the kernels.
EXECUTOR = sorted((RUNTIME / "executor").glob("*.c"))
REGISTRY = sorted((RUNTIME / "registry").glob("*.c"))
#: What firmware links that loads programs: the loader, and what prepares calls of operators.
LOADER = sorted((RUNTIME / "loader").glob("*.c"))
OPERATORS = sorted((RUNTIME / "operators").rglob("*.c"))
CORE = sorted(
    [
        *EXECUTOR,
        *REGISTRY,
        *(RUNTIME / "verify").glob("*.c"),
        *LOADER,
        *OPERATORS,
        *KERNELS.rglob("*.c"),
    ]
)

FREESTANDING = {"stddef.h", "stdint.h", "stdbool.h", "string.h", "limits.h", "float.h"}
INSTRUCTION_SETS = {"arm_acle.h", "arm_mve.h"}
#: The one file that includes the library, and only kernels that call it include that file.
CMSIS_NN = KERNELS / "common" / "cmsis_nn.h"
#: What the loader makes steps of by itself: operators of the application, branches, and moves.
OF_LOADER = {
    RUNTIME / "registry" / "operator_steps.h",
    KERNELS / "branch" / "branch.h",
    KERNELS / "copy" / "copy.h",
}
#: Kernels of float32 that call libm, by their files' names.
LIBM = re.compile(r"_libm_|^(distance|grid_sample|normalize|log_softmax)_f32")
FORBIDDEN_CALLS = re.compile(
    r"\b(malloc|calloc|realloc|free|alloca|printf|snprintf|puts|abort|exit|memmove|assert)\s*\("
)

_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def code_of(path: Path) -> str:
    """A file without its comments."""
    return _COMMENT.sub(" ", path.read_text(encoding="utf-8"))


def wrong_includes(path: Path, text: str) -> list[str]:
    """What a file includes and must not."""
    part = path.relative_to(RUNTIME).parts
    return [name for kind, name in _INCLUDE.findall(text) if not _may(path, part, kind, name)]


def _may(path: Path, part: tuple[str, ...], kind: str, name: str) -> bool:
    if "loader" in name:
        return part[0] == "loader"
    if kind == "<":
        if name.startswith("petite/"):
            return (RUNTIME / "include" / name).is_file()
        if "/" in name:
            return False
        if part[0] == "platform":
            return True
        instruction_set = path.stem.endswith(("_mve", "_dsp")) or part[:2] == ("kernels", "common")
        if name == "arm_nnfunctions.h":
            return path == CMSIS_NN
        # Every C library has sqrt(); some have little else.
        has_sqrt = part == ("operators", "aten", "normalize.c")
        libm = name == "math.h" and (has_sqrt or LIBM.search(path.stem) is not None)
        return name in FREESTANDING or libm or (instruction_set and name in INSTRUCTION_SETS)
    target = (path.parent / name).resolve()
    if not target.is_file():
        return False
    if target == CMSIS_NN:
        return path.name.endswith("_cmsis_nn.c")
    if part[0] == "kernels":
        return target.parent in (path.parent, KERNELS / "common")
    if part[0] == "operators":
        # The kernels' interfaces, and not what these are made of.
        own = target.parent in (path.parent, RUNTIME / "operators" / "common")
        return own or (target.parent.parent == KERNELS and target.parent.name != "common")
    if part[0] == "loader" and target in OF_LOADER:
        return True
    return target.parent == path.parent


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(RUNTIME)))
def test_includes_follow_the_rules(path: Path) -> None:
    assert wrong_includes(path, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("kernels/add/add_s8_scalar.c", '#include "../mul/mul_s8.h"'),
        ("kernels/add/add_s8_scalar.c", "#include <kernels/mul/mul_s8.h>"),
        ("kernels/add/add_s8_scalar.c", "#include <math.h>"),
        ("kernels/add/add_s8_scalar.c", "#include <arm_mve.h>"),
        ("kernels/add/add_s8_scalar.c", '#include "../common/cmsis_nn.h"'),
        ("kernels/add/add_s8_cmsis_nn.c", "#include <arm_nnfunctions.h>"),
        ("kernels/add/add_s8_scalar.c", '#include "../../platform/host/x.h"'),
        ("executor/executor.c", '#include "../kernels/add/add_s8.h"'),
        ("executor/executor.c", "#include <zephyr/kernel.h>"),
        ("registry/operator_steps.c", '#include "../executor/run.h"'),
        ("verify/verify.c", '#include "../executor/run.h"'),
        ("loader/load.c", '#include "../kernels/add/add_s8.h"'),
        ("loader/load.c", '#include "../executor/run.h"'),
        ("operators/cortex_m/linear.c", '#include "../../loader/loading.h"'),
        ("operators/cortex_m/linear.c", '#include "../../kernels/common/requantize.h"'),
        ("include/petite/plan.h", "#include <loader/pte_load.h>"),
        ("platform/host/platform_host.c", '#include "../cortex_m/fault.h"'),
    ],
)
def test_a_wrong_include_is_found(path: str, line: str) -> None:
    assert len(wrong_includes(RUNTIME / path, line)) == 1


@pytest.mark.parametrize("path", CORE, ids=lambda p: p.stem)
def test_no_forbidden_words(path: Path) -> None:
    code = code_of(path)
    assert not FORBIDDEN_CALLS.search(code)
    assert "__ARM_FEATURE" not in without_guard(path, code), "one file an instruction set"
    assert "__ARM_ARCH" not in code
    assert "weak" not in code


#: The condition around a whole file that only some builds can compile.
GUARDS = {
    "_mve": "#ifdef __ARM_FEATURE_MVE",
    "_dsp": "#ifdef __ARM_FEATURE_DSP",
    "_cmsis_nn": "#ifdef PETITE_KERNELS_CMSIS_NN",
}


def without_guard(path: Path, code: str) -> str:
    """The code inside a file's guard; all of it where it needs none, or lacks it."""
    guard = next((g for suffix, g in GUARDS.items() if path.stem.endswith(suffix)), "")
    stripped = code.strip()
    whole = guard and stripped.startswith(guard) and stripped.endswith("#endif")
    return stripped.removeprefix(guard) if whole else stripped


@pytest.mark.parametrize("path", [p for p in CORE if p.stem.endswith(tuple(GUARDS))], ids=str)
def test_files_that_not_every_build_can_compile_are_guarded(path: Path) -> None:
    """So that a build can hand every file to the compiler, whatever the core."""
    code = code_of(path)
    assert without_guard(path, code) != code.strip()


# --- objects -----------------------------------------------------------------------------------

CORES = [target.name for target in TARGETS if not target.is_host]
#: Cores with an FPU: nothing of their compiler's library is needed there.
WITH_FPU = {"qemu-m55", "qemu-m33", "qemu-m4"}


@pytest.fixture(
    scope="module",
    # By default the one with most instructions, and the one with least.
    params=[
        pytest.param(
            core,
            marks=[
                # One worker compiles them, once.
                pytest.mark.xdist_group(f"objects of {core}"),
                *([] if core in ("qemu-m55", "qemu-m0") else [pytest.mark.long]),
            ],
        )
        for core in CORES
    ],
)
def objects(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, list[Path]]]:
    """The core's name, and all objects of executor and kernels for it."""
    directory = tmp_path_factory.mktemp("objects")
    compile_all(directory, find_target(request.param).cpu_flags, "-Os")
    made = sorted(directory.glob("*.o"))
    assert len(made) == len(_sources_for(find_target(request.param).instruction_set))
    yield request.param, made


def compile_all(directory: Path, cpu_flags: tuple[str, ...], *options: str) -> None:
    """Compile every file that a core of these flags can run."""
    target = next(t for t in TARGETS if t.cpu_flags == cpu_flags)
    command = ["arm-none-eabi-gcc", "-std=c11", *cpu_flags, "-Wall", "-Wextra", "-Werror"]
    command += [*options, f"-I{RUNTIME / 'include'}", f"-I{RUNTIME}", "-c"]
    command += [str(path) for path in _sources_for(target.instruction_set)]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _sources_for(instruction_set: str) -> list[Path]:
    other = {"scalar": ("_dsp", "_mve"), "dsp": ("_mve",), "mve": ("_none",)}[instruction_set]
    return [path for path in CORE if not path.stem.endswith(other)]


def test_no_mutable_static_data(objects: tuple[str, list[Path]]) -> None:
    for path in objects[1]:
        with path.open("rb") as file:
            for section in ELFFile(file).iter_sections():
                if section["sh_flags"] & 1:  # writable
                    assert section["sh_size"] == 0, f"{path.name}: {section.name}"


#: What of the compiler's library and of libm some kernels need on a core with an FPU, by their
#: object's name: exponentials are computed in double, which most FPUs leave to that library; no
#: core divides 64-bit integers, nor converts them.
HELPERS = {
    r"softmax_f32|unary_f32|unary_libm": r"__aeabi_(c?d\w+|\w+2d)",
    LIBM.pattern: r"[a-z]\w*[a-z0-9]f|erf|__aeabi_f2d",
    r"^distance_f32": r"pow|__aeabi_(d\w+|\w+2d)",
    r"^choose_": r"__aeabi_(c?d\w+|\w+2d)",
    r"binary_s64": r"__aeabi_ldivmod",
    r"cast_s64|cast_f32": r"__aeabi_(l2f|f2lz)",
}


#: When a program is loaded: numbers of a file have 64 bits.
LOADS = {path.stem for path in (*LOADER, *OPERATORS)}


def _is_helper(symbol: str, object_file: str) -> bool:
    if Path(object_file).stem in LOADS and re.fullmatch(r"__aeabi_\w+|sqrt", symbol):
        return True
    return any(
        re.search(files, object_file) and re.fullmatch(symbols, symbol)
        for files, symbols in HELPERS.items()
    )


def test_symbols(objects: tuple[str, list[Path]]) -> None:
    core, made = objects
    allowed = re.compile(
        "memcpy|memset" if core in WITH_FPU else "memcpy|memset|__aeabi_.*|__gnu_thumb1_case_.*"
    )
    defined: list[str] = []
    undefined: set[str] = set()
    for path in made:
        with path.open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".symtab")
            assert isinstance(symbols, SymbolTableSection)
            for symbol in symbols.iter_symbols():
                binding = symbol["st_info"]["bind"]
                assert binding != "STB_WEAK", f"{path.name}: {symbol.name} is weak"
                if binding == "STB_GLOBAL":
                    assert symbol["st_shndx"] != "SHN_COMMON", f"{path.name}: {symbol.name}"
                    if symbol["st_shndx"] == "SHN_UNDEF":
                        if not _is_helper(symbol.name, path.name):
                            undefined.add(symbol.name)
                    else:
                        defined.append(symbol.name)
    assert {name for name in undefined - set(defined) if not allowed.fullmatch(name)} == set()
    assert all(name.startswith("petite_") for name in defined)
    assert len(defined) == len(set(defined))


def test_kernels_call_no_other_kernel(objects: tuple[str, list[Path]]) -> None:
    common = {path.stem for path in (KERNELS / "common").glob("*.c")}
    needed: dict[str, set[str]] = {}
    shared: set[str] = set()
    for path in objects[1]:
        with path.open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".symtab")
            assert isinstance(symbols, SymbolTableSection)
            own = [s for s in symbols.iter_symbols() if s.name.startswith("petite_")]
        needed[path.name] = {s.name for s in own if s["st_shndx"] == "SHN_UNDEF"}
        if path.stem in common:
            shared |= {s.name for s in own if s["st_shndx"] != "SHN_UNDEF"}
    kernels = {path.stem for path in KERNELS.rglob("*.c")}
    for name, symbols_needed in needed.items():
        if name.removesuffix(".o") in kernels:
            assert symbols_needed <= shared, name


def test_no_recursion(tmp_path: Path) -> None:
    """GCC's call graph has no cycle; only few files call through pointers.

    The loader's calls a prepare function, which calls no other; one of these is told how to pad.
    """
    compile_all(tmp_path, find_target("qemu-m0").cpu_flags, "-O0", "-fcallgraph-info")
    graphs = sorted(tmp_path.glob("*.ci"))
    assert len(graphs) == len(_sources_for("scalar"))
    callers = {*(source.stem for source in EXECUTOR), "operator_steps", "call", "pad_with_own"}
    for path in graphs:
        edges = re.findall(
            r'sourcename: "([^"]+)" targetname: "([^"]+)"', path.read_text(encoding="utf-8")
        )
        indirect = any(target == "__indirect_call" for _, target in edges)
        assert not indirect or path.stem in callers, path.name
        assert not _has_cycle(edges), path.name


def _has_cycle(edges: list[tuple[str, str]]) -> bool:
    """Take away functions that call nothing (any more) until none is left, or none goes."""
    left = set(edges)
    while True:
        callers = {source for source, _ in left}
        kept = {(source, target) for source, target in left if target in callers}
        if kept == left:
            return bool(left)
        left = kept


def test_a_cycle_is_found() -> None:
    assert _has_cycle([("a", "b"), ("b", "c"), ("c", "b")])
    assert _has_cycle([("a", "a")])
    assert not _has_cycle([("a", "b"), ("a", "c"), ("b", "c")])
