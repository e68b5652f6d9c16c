# SPDX-License-Identifier: Apache-2.0
"""Compiles all kernels for the host with sanitizers, and calls them.

The parameter structures are read from the kernels' own headers, so that a field that is renamed or
moved needs no change here. The kernels run in a process of their own (kernel_driver.c): what a
sanitizer finds ends that process, and the call raises with what it said.
"""

from __future__ import annotations

import ctypes
import re
import struct
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from petite.ir.dtype import DType
from petite.ir.functions import FUNCTIONS, NUMBERS, cast_kernel
from petite.ir.reductions import REDUCTIONS

Array = np.ndarray[Any, np.dtype[Any]]

ROOT = Path(__file__).resolve().parents[3]
#: Implementations that the host cannot run; a header of their own, where they have one, ends so.
_NOT_HERE = ("_dsp", "_mve", "_cmsis_nn")
KERNELS = ROOT / "runtime" / "kernels"
INCLUDE = ROOT / "runtime" / "include"
HERE = Path(__file__).resolve().parent
FLAGS = (
    "-std=c11",
    "-O1",
    "-g",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-ffp-contract=off",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
)
SCALARS: dict[str, Any] = {
    "int8_t": ctypes.c_int8,
    "uint8_t": ctypes.c_uint8,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "float": ctypes.c_float,
}


@dataclass(frozen=True)
class Kernel:
    """One kernel: where it is in the driver's table, and its parameter structure."""

    number: int
    params: type[ctypes.Structure]
    pointers: frozenset[str]


@dataclass(frozen=True)
class At:
    """A pointer into the memory of the call, ``offset`` bytes from its start."""

    offset: int


class KernelError(AssertionError):
    """A sanitizer, or the driver, ended the process."""


def family_kernels() -> dict[str, list[str]]:
    """The kernels of each family, by the name of its header."""
    kernels: dict[str, list[str]] = {"unary": [], "binary": []}
    kernels["reduce"] = [r.kernel(dtype) for r in REDUCTIONS.values() for dtype in r.dtypes]
    kernels["matmul"] = [f"matmul_{dtype.suffix}" for dtype in NUMBERS]
    kernels["window_max"] = [f"window_max_value_{dtype.suffix}" for dtype in NUMBERS]
    kernels["window_max"] += [
        f"window_max_place_{d.suffix}" + ("" if d is DType.S64 else "_s64") for d in NUMBERS
    ]
    kernels["cumsum"] = ["cumsum_s64", "cumsum_f32"]
    for function in FUNCTIONS.values():
        kernels[function.family] += [function.kernel(dtype) for dtype in function.dtypes]
    casts = [(a, b) for a in DType for b in DType if a is not b]
    kernels["unary"] += [cast_kernel(*pair) for pair in casts]
    kernels["choose_qparams"] = ["choose_scale_f32", "choose_zero_point_f32_s64"]
    kernels["offsets"] = ["offsets_s32", "offsets_s64_s32"]
    kernels["put"] = ["put", *(f"put_add_{dtype.suffix}" for dtype in DType)]
    ordered = [dtype.suffix for dtype in NUMBERS if dtype is not DType.S64]
    kernels["topk"] = ["topk_s64", *(f"topk_{suffix}_s64" for suffix in ordered)]
    return kernels


def kernel_headers() -> dict[str, Path]:
    """The header of every kernel, the probes of the tests included."""
    families = family_kernels()
    found: dict[str, Path] = {}
    for path in sorted([*KERNELS.glob("*/*.h"), *HERE.glob("probes/*.h")]):
        defines = f"struct petite_{path.stem} {{" in path.read_text()
        # An instruction set's, with parameters of its own, is not for the host.
        if defines and path.parent.name != "common" and not path.stem.endswith(_NOT_HERE):
            found.update((kernel, path) for kernel in families.get(path.stem, [path.stem]))
    return found


def kernel_sources() -> list[Path]:
    """The scalar files of all kernels and probes."""
    return sorted([*KERNELS.glob("*/*_scalar.c"), *HERE.glob("probes/*_scalar.c")])


def read_structure(header: Path) -> tuple[type[ctypes.Structure], frozenset[str]]:
    """The parameter structure that a header defines, and the names of its pointers."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
    body = re.search(rf"struct petite_{header.stem} \{{(.*?)\}};", text, flags=re.DOTALL)
    assert body is not None, f"{header} defines no struct petite_{header.stem}"
    rank = re.search(r"MAX_RANK (\d+)", (KERNELS / "common" / "rank.h").read_text())
    assert rank is not None
    fields: list[tuple[str, Any]] = []
    pointers = set()
    for line in filter(None, (part.strip() for part in body[1].split(";"))):
        match = re.fullmatch(r"(?:const )?(\w+) (\*?)(\w+)(?:\[(\w+)\])?", line)
        assert match is not None, f"{header}: cannot read '{line}'"
        type_name, star, name, count = match.groups()
        if star:
            fields.append((name, ctypes.c_void_p))
            pointers.add(name)
        elif count:
            length = int(count.replace("PETITE_MAX_RANK", rank[1]))
            fields.append((name, SCALARS[type_name] * length))
        else:
            fields.append((name, SCALARS[type_name]))
    structure = type(header.stem, (ctypes.Structure,), {"_fields_": fields})
    return structure, frozenset(pointers)


def write_table(headers: dict[str, Path], path: Path) -> None:
    """The driver's table of kernels, in the order of ``headers``."""
    lines = ['#include "kernel_driver.h"']
    lines += [f'#include "{h.parent.name}/{h.name}"' for h in dict.fromkeys(headers.values())]
    lines += ["const petite_kernel kernels[] = {"]
    lines += [f"\tpetite_{kernel}_scalar," for kernel in headers]
    lines += ["};", f"const uint32_t kernel_count = {len(headers)};"]
    path.write_text("\n".join(lines) + "\n")


class KernelRunner:
    """All kernels, compiled by one compiler."""

    def __init__(self, compiler: str, directory: Path) -> None:
        headers = kernel_headers()
        self.kernels = {
            kernel: Kernel(number, *read_structure(header))
            for number, (kernel, header) in enumerate(headers.items())
        }
        table = directory / "kernel_table.c"
        write_table(headers, table)
        self.program = directory / "kernel_driver"
        includes = [f"-I{path}" for path in (INCLUDE, KERNELS, HERE)]
        subprocess.run(
            [compiler, *FLAGS, *includes, str(HERE / "kernel_driver.c"), str(table)]
            + [str(source) for source in kernel_sources()]
            + ["-lm", "-o", str(self.program)],
            check=True,
        )
        self.process: subprocess.Popen[bytes] | None = None

    def call(
        self, name: str, *, memory: Array | None = None, **parameters: Any
    ) -> tuple[int, dict[str, Array]]:
        """Run a kernel.

        Each pointer parameter is a numpy array, None, or an :class:`At` into ``memory``, which lets
        arrays overlap; every other parameter a number or a sequence of numbers. All parameters of
        the structure have to be given.

        Returns the status, and the arrays (and "memory") by name as the kernel left them.
        """
        kernel = self.kernels[name]
        assert parameters.keys() == {field[0] for field in kernel.params._fields_}
        arrays = {
            key: np.ascontiguousarray(value)
            for key, value in parameters.items()
            if isinstance(value, np.ndarray) and key in kernel.pointers
        }
        if memory is not None:
            arrays["memory"] = memory
        self._send(kernel, parameters, arrays)
        status = int(struct.unpack("i", self._receive(4))[0])
        results = {
            key: np.frombuffer(self._receive(array.nbytes), array.dtype).reshape(array.shape)
            for key, array in arrays.items()
        }
        return status, results

    def run(self, name: str, **parameters: Any) -> Array:
        """Run a kernel, check that it succeeds and changes only its output; return that."""
        status, results = self.call(name, **parameters)
        assert status == 0
        for key, array in results.items():
            if key != "output":
                assert array.tobytes() == np.ascontiguousarray(parameters[key]).tobytes(), key
        return results["output"]

    def run_in_memory(self, name: str, memory: Array, **parameters: Any) -> Array:
        """Run a kernel whose arrays may overlap; return the memory as the kernel left it."""
        status, results = self.call(name, memory=memory, **parameters)
        assert status == 0
        return results["memory"]

    def close(self) -> None:
        """End the driver; raise if a sanitizer has something to say at the end."""
        if self.process is not None:
            _, errors = self.process.communicate()
            if self.process.returncode != 0:
                raise KernelError(errors.decode(errors="replace"))
            self.process = None

    def _send(
        self, kernel: Kernel, parameters: Mapping[str, Any], arrays: Mapping[str, Array]
    ) -> None:
        params = kernel.params()
        order = list(arrays)
        pointers: list[tuple[int, int, int]] = []
        for key, value in parameters.items():
            at = getattr(kernel.params, key).offset
            if key in arrays:
                pointers.append((at, order.index(key), 0))
            elif isinstance(value, At):
                pointers.append((at, order.index("memory"), value.offset))
            elif key in kernel.pointers:
                assert value is None
            elif np.ndim(value) > 0:
                field = getattr(params, key)
                assert len(field) == len(value)
                field[:] = [
                    number.item() if hasattr(number, "item") else number for number in value
                ]
            else:
                setattr(params, key, value.item() if hasattr(value, "item") else value)
        parts = [struct.pack("II", kernel.number, len(arrays))]
        for array in arrays.values():
            parts += [struct.pack("I", array.nbytes), array.tobytes()]
        parts += [struct.pack("I", ctypes.sizeof(params)), bytes(params)]
        parts += [struct.pack("I", len(pointers))]
        parts += [struct.pack("III", *pointer) for pointer in pointers]
        if self.process is None:
            self.process = subprocess.Popen(
                [str(self.program)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(parts))
        self.process.stdin.flush()

    def _receive(self, size: int) -> bytes:
        assert self.process is not None and self.process.stdout is not None
        data = self.process.stdout.read(size)
        if len(data) != size:
            _, errors = self.process.communicate()
            self.process = None
            raise KernelError(errors.decode(errors="replace"))
        return data
