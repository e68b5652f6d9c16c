# SPDX-License-Identifier: Apache-2.0
"""Builds the runner around a compiled model, with CMake and Ninja, in a cache that is kept.

Each target has a few build directories ("slots"). A process locks one while it builds, so several
can build at once, and a model that follows another costs only its own compilation and the link.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from petite.errors import PetiteError
from petite.run.build_errors import describe_build_failure
from petite.run.toolchain import (
    Finished,
    cache_directory,
    find_tool,
    run_tool,
    tool_stamp,
    written_whole,
)
from petite.targets import Target

#: The program around a model, and what it needs.
RUNNER = Path(__file__).resolve().parent / "runner"
_SLOTS = 8
_BUILD_TIMEOUT_S = 600.0


def repository_root() -> Path:
    """The directory that holds runtime/. Raises PetiteError where the package lies elsewhere."""
    root = Path(__file__).resolve().parents[3]
    if not (root / "runtime" / "include" / "petite" / "petite.h").is_file():
        raise PetiteError(
            f"the C runtime is not beside this package ({root}/runtime is missing): "
            "run petite from its repository, or install it with 'pip install -e'"
        )
    return root


def build(
    model_dir: Path,
    target: Target,
    *,
    sanitize: bool = False,
    loaded: bool = False,
    main: Path = RUNNER / "main.c",
) -> Path:
    """Build model_dir/model.c for the target; returns the program, which is put beside model.c.

    `main` is the program around the model; it gets at its files through runner/port.h.
    `sanitize` adds the address and undefined-behaviour sanitizers (host only); `loaded` says that
    model.c has a program to load (petite/run/loaded.py). Raises PetiteError where a tool is
    missing, the code does not compile, or the model does not fit the memories.
    """
    for name in ("model.c", "model.h"):
        if not (model_dir / name).is_file():
            raise PetiteError(
                f"{model_dir / name} is missing: write it with 'petite compile' first"
            )
    if sanitize and not target.is_host:
        raise PetiteError(f"sanitizers exist only for the target 'host', not for '{target.name}'")
    with _locked_slot(_slot_base(target, sanitize, loaded, main)) as slot:
        _copy_if_changed(model_dir, slot / "model")
        _configure(slot, target, sanitize, loaded, main)
        _compile(slot, target)
        program = model_dir / f"{target.name}{'-sanitize' if sanitize else ''}.elf"
        with written_whole(program) as partial:
            shutil.copy2(slot / "build" / "runner", partial)
    return program


def _slot_base(target: Target, sanitize: bool, loaded: bool, main: Path) -> Path:
    """What a build depends on beside files decides the directory, so nothing stale is reused."""
    compiler = "cc" if target.is_host else "arm-none-eabi-gcc"
    identity = repr((str(repository_root()), str(RUNNER), str(main), target, tool_stamp(compiler)))
    if library := _cmsis_nn(target):
        identity += str(library)
    digest = hashlib.sha256(identity.encode()).hexdigest()[:12]
    kind = f"{'-sanitize' if sanitize else ''}{'-loaded' if loaded else ''}"
    name = f"{target.name}{kind}-{digest}"
    return cache_directory() / "build" / name


@contextmanager
def _locked_slot(base: Path) -> Iterator[Path]:
    """The first free slot, locked. The system drops the lock when the process ends."""
    base.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + _BUILD_TIMEOUT_S
    while True:
        for index in range(_SLOTS):
            slot = base / f"slot{index}"
            slot.mkdir(exist_ok=True)
            with (slot / "lock").open("w") as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                yield slot
                return
        if time.monotonic() > deadline:
            raise PetiteError(f"all build directories in {base} are in use: try again later")
        time.sleep(0.05)


def _copy_if_changed(model_dir: Path, destination: Path) -> None:
    """Only a file whose bytes differ is written: Ninja looks at the time of its last change."""
    destination.mkdir(exist_ok=True)
    for name in ("model.c", "model.h"):
        data = (model_dir / name).read_bytes()
        copy = destination / name
        if not copy.is_file() or copy.read_bytes() != data:
            copy.write_bytes(data)


def _configure(slot: Path, target: Target, sanitize: bool, loaded: bool, main: Path) -> None:
    build_dir = slot / "build"
    find_tool("ninja")
    command: list[str | Path] = [find_tool("cmake"), "-G", "Ninja", "-S", RUNNER, "-B", build_dir]
    command += [f"-DPETITE_SOURCE={repository_root()}", f"-DPETITE_MODEL_DIR={slot / 'model'}"]
    command += [f"-DPETITE_SANITIZE={'ON' if sanitize else 'OFF'}", f"-DPETITE_MAIN={main}"]
    command += [f"-DPETITE_LOADED={'ON' if loaded else 'OFF'}"]
    if target.is_host:
        command += [f"-DCMAKE_C_COMPILER={find_tool('cc')}"]
    else:
        command += [
            f"-DCMAKE_TOOLCHAIN_FILE={repository_root() / 'cmake' / 'arm-none-eabi.cmake'}",
            f"-DCMAKE_C_COMPILER={find_tool('arm-none-eabi-gcc')}",
            f"-DPETITE_CPU_FLAGS={' '.join(target.cpu_flags)}",
            f"-DPETITE_LINKER_SCRIPT={target.linker_script}",
        ]
    if library := _cmsis_nn(target):
        command += [f"-DPETITE_CMSIS_NN_DIR={library}"]
    stamp = slot / "configured"
    text = repr([str(word) for word in command])
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == text:
        return
    # Another configuration's leavings would be trusted by CMake.
    shutil.rmtree(build_dir, ignore_errors=True)
    stamp.unlink(missing_ok=True)
    done = _run_build_tool(command)
    if done.status == 0:
        stamp.write_text(text, encoding="utf-8")
    else:
        raise PetiteError(describe_build_failure(done.output, target))


def _cmsis_nn(target: Target) -> Path | None:
    """The folder of CMSIS-NN, for models that were compiled with its kernels."""
    named = os.environ.get("PETITE_CMSIS_NN_DIR")
    return None if target.is_host or not named else Path(named).resolve()


def _compile(slot: Path, target: Target) -> None:
    command: list[str | Path] = [find_tool("ninja"), "-C", slot / "build", "runner"]
    done = _run_build_tool(command)
    if done.status != 0:
        log = slot / "build.log"
        log.write_text(done.output, encoding="utf-8")
        raise PetiteError(describe_build_failure(done.output, target, log))


def _run_build_tool(command: Sequence[str | Path]) -> Finished:
    try:
        return run_tool(command, timeout=_BUILD_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise PetiteError(f"'{command[0]}' did not finish in {_BUILD_TIMEOUT_S:g} s") from None
