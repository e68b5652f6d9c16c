# SPDX-License-Identifier: Apache-2.0
"""Ports and runner compile without a warning, by each compiler that is supported."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from petite.targets import TARGETS, find_target

_ROOT = Path(__file__).parents[2]
_RUNTIME = _ROOT / "runtime"
_RUNNER = _ROOT / "scripts" / "petite" / "run" / "runner"
_COUNTER = _ROOT / "scripts" / "petite" / "run" / "counter.c"

_HOST_SOURCES = [
    _RUNTIME / "platform" / "host" / "platform_host.c",
    _RUNTIME / "platform" / "template" / "platform_template.c",
    *(path for path in sorted(_RUNNER.glob("*.c")) if path.name != "port_cortex_m.c"),
    _COUNTER,
]
_CORE_SOURCES = [
    *sorted((_RUNTIME / "platform" / "cortex_m").glob("*.c")),
    _RUNTIME / "platform" / "template" / "platform_template.c",
    *(path for path in sorted(_RUNNER.glob("*.c")) if path.name != "port_host.c"),
]
_BUILDS = [
    *((name, [name], _HOST_SOURCES) for name in ("gcc", "clang")),
    ("counter-for-newer-qemu", ["gcc", "-DPLUGIN_API=3"], [_COUNTER]),
    *(
        (target.name, ["arm-none-eabi-gcc", *target.cpu_flags], _CORE_SOURCES)
        for target in TARGETS
        if not target.is_host
    ),
]


@pytest.mark.parametrize(
    ("compiler", "sources"), [build[1:] for build in _BUILDS], ids=[build[0] for build in _BUILDS]
)
def test_no_warnings(compiler: list[str], sources: list[Path]) -> None:
    assert sources
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Os", "-S", "-o", "/dev/null"]
    includes = [_RUNTIME / "include", _RUNTIME, Path(__file__).parent / "model"]
    for source in sources:
        command = [*compiler, *flags, *(f"-I{path}" for path in includes), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def _newlib() -> str:
    """Headers of the cross compiler's C library, which clang does not know."""
    done = subprocess.run(
        ["arm-none-eabi-gcc", "-E", "-v", "-x", "c", "/dev/null"],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line.strip() for line in done.stderr.splitlines()]
    return next(line for line in lines if line.endswith("arm-none-eabi/include"))


@pytest.mark.parametrize(
    # By default the core that takes most of the files.
    "name",
    ["qemu-m55", *(pytest.param(n, marks=pytest.mark.long) for n in ("qemu-m4", "qemu-m0"))],
)
def test_clang_takes_every_file_of_the_runtime(name: str, tmp_path: Path) -> None:
    """Assembled too: of inline assembly, only the assembler sees what registers were chosen."""
    flags = find_target(name).cpu_flags
    command = ["clang", "--target=arm-none-eabi", *flags, "-std=c11", "-O2", "-Wall", "-Wextra"]
    command += ["-Werror", f"-isystem{_newlib()}", f"-I{_RUNTIME / 'include'}", f"-I{_RUNTIME}"]
    sources = [
        path
        for folder in ("executor", "registry", "verify", "loader", "operators", "kernels")
        for path in sorted((_RUNTIME / folder).rglob("*.c"))
    ]
    done = subprocess.run(
        [*command, "-c", *map(str, sources)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert len(list(tmp_path.glob("*.o"))) == len(sources)
