# SPDX-License-Identifier: Apache-2.0
"""Builds the conformance programs of catalogue.py, and keeps them in a cache.

    python tests/conformance/programs.py --list
    python tests/conformance/programs.py --build DIRECTORY [NAME ...]

A built program is a directory with:

* program.pte: what stock ExecuTorch writes;
* inputs.npz: call<i>_input<j>, logical arrays as PyTorch sees them;
* expected.npz: call<i>_output<j>, what the reference graph gives (see reference.py);
* meta.json: the method of each call, whether the calls are one sequence, the tolerance, the
  operators in the `.pte`, or the operator for which the program has to be refused.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_TESTS = Path(__file__).resolve().parent.parent
_SCRIPTS = _TESTS.parent / "scripts"
for _directory in (_TESTS, _SCRIPTS):
    if str(_directory) not in sys.path:
        sys.path.insert(0, str(_directory))

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Meta:
    """What meta.json holds."""

    name: str
    methods: list[str]
    """Method of each call, in order."""
    stateful: bool
    """True where the calls are one sequence on one instance."""
    tolerance: float
    """Largest difference relative to the largest expected magnitude; 0 is equality."""
    refused: str | None
    """Operator that the compiler names when it refuses the program; there is no expected.npz."""
    operators: dict[str, int]
    """Operator name with overload to number of uses, over all methods."""


@dataclass(frozen=True)
class Built:
    """A program read back from the cache."""

    meta: Meta
    pte: Path
    inputs: list[list[Array]]
    """Inputs of each call."""
    expected: list[list[Array]]
    """Outputs of each call; empty for a refused program."""


def listed() -> dict[str, str]:
    """Every program's name, and the module that it is defined in, without importing torch."""
    text = Path(__file__).with_name("names.txt").read_text(encoding="ascii")
    return dict(tuple(line.split()) for line in text.splitlines())


def default_cache() -> Path:
    """Where built programs are kept; PETITE_CONFORMANCE_CACHE chooses another place."""
    chosen = os.environ.get("PETITE_CONFORMANCE_CACHE")
    return Path(chosen) if chosen else _TESTS.parent / "build" / "conformance"


def build(name: str, directory_of_all: Path) -> Built:
    """One program out of the cache directory, built first if it is not there."""
    directory = directory_of_all / cache_key(listed()[name]) / name
    if not (directory / "meta.json").is_file():
        _build_into(name, directory)
    return load(directory)


def load(directory: Path) -> Built:
    """Read a built program."""
    meta = Meta(**json.loads((directory / "meta.json").read_text()))
    inputs = _read(directory / "inputs.npz", "input", len(meta.methods))
    expected: list[list[Array]] = []
    if meta.refused is None:
        expected = _read(directory / "expected.npz", "output", len(meta.methods))
    return Built(meta, directory / "program.pte", inputs, expected)


#: What every built program follows from, beside the module that it is defined in.
_COMMON = ("program", "programs", "models", "lowering", "reference")


@cache
def cache_key(module: str) -> str:
    """Digest of everything that a built program of a module follows from."""
    digest = hashlib.sha256()
    folder = Path(__file__).resolve().parent
    sources = [folder / f"{stem}.py" for stem in dict.fromkeys((*_COMMON, module))]
    for source in (*sources, _SCRIPTS / "petite" / "export" / "state.py"):
        digest.update(source.read_bytes())
    for package in ("torch", "executorch", "torchao", "numpy"):
        digest.update(version(package).encode())
    return digest.hexdigest()[:16]


def _build_into(name: str, directory: Path) -> None:
    """Build one program; the directory appears only when it is complete."""
    from conformance.catalogue import all_programs
    from conformance.lowering import lower, quiet
    from conformance.program import make_inputs
    from conformance.reference import MeaninglessGraphError, Reference

    spec = all_programs()[name]
    lowered = lower(spec)
    methods: list[str] = []
    inputs: dict[str, Array] = {}
    outputs: dict[str, Array] = {}
    refused = spec.refused
    for method, program in lowered.methods.items():
        reference = Reference(program, spec.initial_state, spec.quantize)
        for index in range(spec.calls):
            # The last call leaves the calibrated range, so that clamps are reached.
            scale = 3.0 if index == spec.calls - 1 else 1.0
            shapes = spec.methods[method].shapes
            tensors = make_inputs(spec, shapes, spec.seed + 200 + index, scale)
            call = len(methods)
            methods.append(method)
            for number, tensor in enumerate(tensors):
                inputs[f"call{call}_input{number}"] = _array(tensor)
            if not spec.stateful:
                reference.reset()
            try:
                with quiet():
                    results = reference.call(tensors)
            except MeaninglessGraphError as error:
                refused = error.operator
                continue
            for number, tensor in enumerate(results):
                outputs[f"call{call}_output{number}"] = _array(tensor)
    if refused != spec.refused:
        raise RuntimeError(
            f"stock lowering left {refused} on raw int8; the catalogue says {spec.refused}"
        )
    meta = Meta(
        name, methods, spec.stateful, spec.tolerance, refused, operators_in_pte(lowered.pte)
    )
    directory.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=directory.parent, prefix=f".{name}-"))
    (temporary / "program.pte").write_bytes(lowered.pte)
    np.savez(temporary / "inputs.npz", **inputs)  # type: ignore[arg-type]
    if refused is None:
        np.savez(temporary / "expected.npz", **outputs)  # type: ignore[arg-type]
    (temporary / "meta.json").write_text(json.dumps(asdict(meta), indent=1) + "\n")
    _publish(temporary, directory)


def _publish(temporary: Path, directory: Path) -> None:
    """Another process may have built the same program meanwhile, and may be reading it."""
    if not (directory / "meta.json").is_file():
        shutil.rmtree(directory, ignore_errors=True)
        with contextlib.suppress(OSError):
            os.replace(temporary, directory)
    if not (directory / "meta.json").is_file():
        raise RuntimeError(f"cannot write {directory}")
    shutil.rmtree(temporary, ignore_errors=True)


def _array(tensor: Any) -> Array:
    """A tensor's elements in logical order; numpy alone would give rank 0 a dimension."""
    return np.ascontiguousarray(tensor.numpy()).reshape(tensor.shape)


def operators_in_pte(data: bytes) -> dict[str, int]:
    """Operators by name and overload with the number of their uses, by ExecuTorch's own reader."""
    from executorch.exir._serialize._program import deserialize_pte_binary
    from executorch.exir.schema import KernelCall

    counts: dict[str, int] = {}
    for plan in deserialize_pte_binary(data).program.execution_plan:
        names = [
            f"{entry.name}.{entry.overload}" if entry.overload else entry.name
            for entry in plan.operators
        ]
        for chain in plan.chains:
            for instruction in chain.instructions:
                call = instruction.instr_args
                known = isinstance(call, KernelCall)
                name = names[call.op_index] if known else type(call).__name__
                counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items()))


def _read(path: Path, kind: str, calls: int) -> list[list[Array]]:
    with np.load(path, allow_pickle=False) as stored:
        result: list[list[Array]] = []
        for call in range(calls):
            prefix = f"call{call}_{kind}"
            count = sum(1 for key in stored.files if key.startswith(prefix))
            result.append([stored[f"{prefix}{index}"] for index in range(count)])
        return result


def _worker(name: str, directory: Path) -> tuple[str, str | None]:
    import torch

    # Two processes with as many threads each as there are cores would fight for them.
    torch.set_num_threads(1)
    try:
        _build_into(name, directory / name)
    except Exception as caught:
        error: BaseException = caught
        while error.__cause__ is not None:
            error = error.__cause__
        lines = str(error).strip().splitlines() or [""]
        return name, f"{type(error).__name__}: {lines[0]}"
    return name, None


def _build_many(names: list[str], directory: Path, workers: int) -> list[tuple[str, str | None]]:
    if not names:
        return []
    # Torch starts threads on import, which does not survive a fork.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(_worker, name, directory) for name in names]
        return [future.result() for future in as_completed(futures)]


def main() -> int:
    """Command line of this file."""
    parser = argparse.ArgumentParser(description="Build the conformance programs.")
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--build", metavar="DIRECTORY", type=Path, help="build into DIRECTORY")
    parser.add_argument("--workers", type=int, default=2, help="processes (default 2)")
    parser.add_argument("names", nargs="*", help="programs to build (default all)")
    arguments = parser.parse_args()
    from conformance.catalogue import modules

    programs = modules()
    if arguments.list or arguments.build is None:
        print("\n".join(f"{name} {module}" for name, module in programs.items()))
        return 0
    names = arguments.names or list(programs)
    start = time.monotonic()
    results = _build_many(names, arguments.build, arguments.workers)
    failed = [(name, error) for name, error in results if error is not None]
    for name, error in sorted(failed):
        print(f"{name}: {error}", file=sys.stderr)
    seconds = time.monotonic() - start
    print(f"{len(results) - len(failed)} of {len(results)} programs built in {seconds:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
