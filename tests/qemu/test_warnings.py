# SPDX-License-Identifier: Apache-2.0
"""Ports and runner compile without a warning, by each compiler that is supported."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from petite.targets import TARGETS

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
