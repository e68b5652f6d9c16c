# SPDX-License-Identifier: Apache-2.0
"""Inputs and outputs of a run as numpy files, in the shapes that PyTorch sees."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from petite.errors import PetiteError
from petite.ir.schedule import Port

Array = np.ndarray[Any, np.dtype[Any]]


def load_npy(path: Path) -> Array:
    """One array from a .npy file."""
    try:
        loaded = np.load(path, allow_pickle=False)
    except OSError as error:
        raise PetiteError(f"{path}: cannot read it ({error.strerror or error})") from None
    except Exception:  # numpy raises many kinds for bytes that are no array, MemoryError among them
        raise PetiteError(f"{path}: is no .npy file of numbers; write it with numpy.save") from None
    if isinstance(loaded, np.ndarray):
        return loaded
    loaded.close()
    raise PetiteError(f"{path}: holds several arrays; give one .npy file an input")


def load_calls(path: Path, ports: list[Port]) -> list[list[Array]]:
    """Inputs of successive calls from an .npz file.

    Array ``input0`` (``input1``, ...) holds the first (second, ...) input of all calls, along a
    new first dimension. ``call0_input0``, ``call1_input0``, ... with one array a call and input do
    as well. For a method without inputs an integer ``calls`` says how many.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
    except OSError as error:
        raise PetiteError(f"{path}: cannot read it ({error.strerror or error})") from None
    except Exception:  # numpy and zipfile raise many kinds for bytes that are no archive
        raise PetiteError(f"{path}: is no .npz file; write it with numpy.savez") from None
    if not ports:
        count = arrays.get("calls")
        if count is None or count.size != 1:
            raise PetiteError(f"{path}: the method has no inputs; store an integer 'calls'")
        return [[] for _ in range(int(count.reshape(-1)[0]))]
    numbers = {key: [int(n) for n in re.findall(r"\d+", key)] for key in arrays}
    if arrays and all(len(n) == 2 for n in numbers.values()):
        return _one_array_each(path, arrays, numbers, len(ports))
    return _stacked(path, arrays, ports)


def _one_array_each(
    path: Path, arrays: dict[str, Array], numbers: dict[str, list[int]], inputs: int
) -> list[list[Array]]:
    by_place = {(n[0], n[1]): arrays[key] for key, n in numbers.items()}
    calls = len({call for call, _ in by_place})
    try:
        return [[by_place[call, i] for i in range(inputs)] for call in range(calls)]
    except KeyError as error:
        raise PetiteError(
            f"{path}: call and input {error} is missing; calls and inputs count from 0"
        ) from None


def _stacked(path: Path, arrays: dict[str, Array], ports: list[Port]) -> list[list[Array]]:
    if len(arrays) != len(ports):
        raise PetiteError(
            f"{path}: has {len(arrays)} arrays ({', '.join(arrays)}), but the method takes "
            f"{len(ports)} input(s); store input0, input1, ... with the calls along the first axis"
        )
    names = [f"input{i}" for i in range(len(ports))]
    ordered = [arrays[n] for n in names] if set(names) == set(arrays) else list(arrays.values())
    for array, port, name in zip(ordered, ports, names, strict=True):
        if array.shape[1:] != port.shape:
            raise PetiteError(
                f"{path}: {name} has shape {list(array.shape)}, but needs [calls, "
                f"{', '.join(map(str, port.shape))}]"
            )
    counts = {len(array) for array in ordered}
    if len(counts) != 1 or counts == {0}:
        raise PetiteError(f"{path}: the inputs hold different numbers of calls, or none")
    return [[array[call] for array in ordered] for call in range(counts.pop())]


def to_bytes(array: Array, port: Port, where: str) -> bytes:
    """An array of the port's shape, in the order of memory."""
    if array.shape != port.shape:
        raise PetiteError(
            f"{where}: has shape {list(array.shape)}, but the model takes {list(port.shape)}"
        )
    if array.dtype != port.dtype.numpy:
        advice = "convert it with numpy's astype"
        if port.quantization is not None and np.issubdtype(array.dtype, np.floating):
            scale, zero_point = port.quantization.scale, port.quantization.zero_point
            advice = f"quantise it: round(x / {scale:.9g}) + {zero_point}, limited to its range"
        raise PetiteError(
            f"{where}: has type {array.dtype}, but the model takes {port.dtype.torch_name}; "
            f"{advice}"
        )
    return np.ascontiguousarray(array.transpose(port.layout)).tobytes()


def from_bytes(data: bytes, port: Port) -> Array:
    """The array of the port's shape that lies in memory."""
    physical = np.frombuffer(data, port.dtype.numpy).reshape([port.shape[d] for d in port.layout])
    logical = physical.transpose(np.argsort(port.layout))
    # numpy would make a scalar one-dimensional.
    return np.ascontiguousarray(logical).reshape(port.shape)


def require_writable(path: Path) -> None:
    """PetiteError where a file can surely not be written: better before a long run than after."""
    if path.is_dir():
        raise PetiteError(f"{path}: cannot write it (it is a directory)")
    if not path.parent.is_dir():
        raise PetiteError(f"{path}: cannot write it ({path.parent} is no directory)")


def save_npy(path: Path, array: Array) -> None:
    """Write a .npy file, whole or not at all."""
    temporary = path.with_name(f".{path.name}.partial")
    try:
        with temporary.open("wb") as file:
            np.save(file, array)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise PetiteError(f"{path}: cannot write it ({error.strerror})") from None
