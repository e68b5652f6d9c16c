# SPDX-License-Identifier: Apache-2.0
"""`petite export module.py:factory`: an export that is described by a file and a function."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from petite.errors import PetiteError
from petite.export.checks import Tensors
from petite.export.exporter import export_model
from petite.export.report import ExportReport


def export_from_spec(
    spec: str,
    output: Path,
    calibration: Path | None,
    *,
    quantize: bool = True,
    target: str = "cortex-m55",
    channels_last: bool = True,
    explicit_layout: bool = False,
) -> ExportReport:
    """Export what `spec` ("path/to/module.py:factory") makes.

    `factory` takes no arguments and returns (model, example_inputs). `calibration` is a `.npz`
    with one array for each input: input0 [N, ...], input1 [N, ...], where N counts the samples
    and the rest is either the shape of the example input, or that shape without a leading 1.
    Other arguments as for export_model(). Raises PetiteError.
    """
    factory = _load_factory(spec)
    made = factory()
    if not (isinstance(made, tuple) and len(made) == 2):
        raise PetiteError(f"{spec}: must return (model, example_inputs), not {type(made).__name__}")
    model, examples = made
    samples = None
    if calibration is not None:
        samples = load_calibration(calibration, examples)
    elif quantize:
        raise PetiteError(
            f"{spec}: no calibration data: give --calibration data.npz (arrays input0, input1, "
            "..., one row for each sample), or ask for a float32 export"
        )
    return export_model(
        model,
        examples,
        samples,
        output,
        quantize=quantize,
        target=target,
        channels_last=channels_last,
        explicit_layout=explicit_layout,
    )


def load_calibration(path: Path, examples: Tensors) -> list[Tensors]:
    """Samples from a `.npz`, as one tuple of tensors for each row; see export_from_spec()."""
    arrays = _load_arrays(path)
    expected = [f"input{index}" for index in range(len(examples))]
    if sorted(arrays) != sorted(expected):
        raise PetiteError(
            f"{path}: holds arrays {', '.join(sorted(arrays)) or '(none)'}; the model needs "
            f"{', '.join(expected)}"
        )
    columns = [
        _rows(path, name, arrays[name], example)
        for name, example in zip(expected, examples, strict=False)
    ]
    counts = {len(column) for column in columns}
    if len(counts) != 1 or counts == {0}:
        listed = ", ".join(
            f"{name} {len(column)}" for name, column in zip(expected, columns, strict=False)
        )
        raise PetiteError(f"{path}: the arrays need equally many samples, at least one: {listed}")
    return list(zip(*columns, strict=False))


def _load_arrays(path: Path) -> dict[str, np.ndarray[Any, np.dtype[Any]]]:
    try:
        stored = np.load(path, allow_pickle=False)
        if not isinstance(stored, np.lib.npyio.NpzFile):
            raise ValueError("it is a single array; write it with numpy.savez(path, input0=...)")
        with stored:
            return {name: stored[name] for name in stored.files}
    except FileNotFoundError as error:
        raise PetiteError(f"{path}: no such file") from error
    except Exception as error:  # numpy raises many kinds for bytes that are no archive
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise PetiteError(f"{path}: not a readable .npz of plain arrays: {reason}") from error


def _rows(
    path: Path, name: str, array: np.ndarray[Any, np.dtype[Any]], example: torch.Tensor
) -> list[torch.Tensor]:
    shape = tuple(example.shape)
    row = array.shape[1:]
    if array.ndim == 0 or not (row == shape or (shape[:1] == (1,) and row == shape[1:])):
        raise PetiteError(
            f"{path}: {name} has shape {array.shape}; the model needs (samples, "
            f"{', '.join(str(size) for size in shape)})"
        )
    try:
        tensor = torch.from_numpy(np.ascontiguousarray(array))
    except TypeError as error:
        raise PetiteError(f"{path}: {name} has dtype {array.dtype}, which torch lacks") from error
    if tensor.dtype != example.dtype:
        wanted = str(example.dtype).removeprefix("torch.")
        raise PetiteError(f"{path}: {name} has dtype {array.dtype}; the model needs {wanted}")
    return [sample.reshape(shape) for sample in tensor]


def _load_factory(spec: str) -> Callable[[], object]:
    file, separator, name = spec.rpartition(":")
    if not separator or not file or not name:
        raise PetiteError(f"{spec}: expected path/to/module.py:factory")
    path = Path(file)
    if not path.is_file():
        raise PetiteError(f"{path}: no such file")
    loader = importlib.util.spec_from_file_location(f"petite_export_{path.stem}", path)
    if loader is None or loader.loader is None:
        raise PetiteError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(loader)
    # Its own directory first, so that the file can import its neighbours.
    sys.path.insert(0, str(path.resolve().parent))
    try:
        loader.loader.exec_module(module)
    except Exception as error:
        raise PetiteError(f"{path}: cannot import: {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    factory = getattr(module, name, None)
    if not callable(factory):
        raise PetiteError(f"{path}: has no function {name!r}")
    return _named(spec, factory)


def _named(spec: str, factory: Callable[[], object]) -> Callable[[], object]:
    """Run the factory; its own failure becomes one line."""

    def run() -> object:
        try:
            return factory()
        except Exception as error:
            raise PetiteError(f"{spec}: failed: {type(error).__name__}: {error}") from error

    return run
