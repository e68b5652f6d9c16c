# SPDX-License-Identifier: Apache-2.0
"""Checks of what the user hands in, made before anything slow starts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

from petite.errors import PetiteError

SUPPORTED_DTYPES = (
    torch.float32,
    torch.int8,
    torch.uint8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.bool,
)

Tensors = tuple[torch.Tensor, ...]


def check_output_path(path: Path) -> None:
    """Refuse an output path that cannot be written, before minutes of work are lost."""
    if not path.parent.is_dir():
        raise PetiteError(f"{path}: output directory {path.parent} does not exist: create it first")
    if path.is_dir():
        raise PetiteError(f"{path}: is a directory: give the name of the .pte file to write")


def check_model(model: torch.nn.Module, method: str) -> None:
    """Refuse a model in training mode and parameters or buffers of an unsupported dtype."""
    if not isinstance(model, torch.nn.Module):
        raise PetiteError(
            f"{method}: the model must be a torch.nn.Module, not {type(model).__name__}"
        )
    # A graph module (a QAT result) carries its mode in its operators and may not have eval().
    if not isinstance(model, torch.fx.GraphModule):
        for name, module in model.named_modules():
            if module.training:
                where = f"module {name!r}" if name else type(module).__name__
                raise PetiteError(
                    f"{method}: {where} is in training mode: call model.eval() before the export, "
                    "or dropout and batch normalization keep their training behaviour"
                )
    for kind, tensors in (
        ("parameter", model.named_parameters()),
        ("buffer", model.named_buffers()),
    ):
        for name, tensor in tensors:
            _check_dtype(tensor.dtype, f"{method}: {kind} {name!r}")


def check_inputs(inputs: Sequence[object], method: str, what: str) -> Tensors:
    """Check that `inputs` are tensors of supported dtypes and fixed, non-empty shapes.

    `what` names the argument in errors. Returns the inputs as a tuple.
    """
    if isinstance(inputs, torch.Tensor) or not isinstance(inputs, (tuple, list)):
        raise PetiteError(
            f"{method}: {what} must be a tuple of tensors, one for each argument of forward(), "
            f"not {type(inputs).__name__}"
        )
    checked: list[torch.Tensor] = []
    for index, value in enumerate(inputs):
        if not isinstance(value, torch.Tensor):
            raise PetiteError(
                f"{method}: {what}[{index}] must be a torch.Tensor, not {type(value).__name__}: "
                "make other arguments constants of the module"
            )
        _check_dtype(value.dtype, f"{method}: {what}[{index}]")
        if value.numel() == 0:
            raise PetiteError(f"{method}: {what}[{index}] has shape {_shape(value)}: it is empty")
        checked.append(value)
    return tuple(checked)


def check_calibration(
    calibration: Iterable[Sequence[object]] | None, examples: Tensors, method: str
) -> list[Tensors]:
    """Check calibration data against the example inputs, and return it as a list.

    Raises PetiteError where there is none, or a sample differs in count, shape or dtype.
    """
    if calibration is None:
        raise PetiteError(
            f"{method}: no calibration data: int8 ranges are measured on real inputs; give "
            "calibration (some hundred samples), or quantize=False for float32"
        )
    samples: list[Tensors] = []
    for index, sample in enumerate(calibration):
        tensors = check_inputs(sample, method, f"calibration sample {index}")
        if len(tensors) != len(examples):
            raise PetiteError(
                f"{method}: calibration sample {index} has {len(tensors)} input(s), "
                f"the model has {len(examples)}"
            )
        for number, (given, example) in enumerate(zip(tensors, examples, strict=False)):
            if given.shape != example.shape or given.dtype != example.dtype:
                raise PetiteError(
                    f"{method}: calibration sample {index}, input {number} is {_kind(given)}, "
                    f"the example input is {_kind(example)}"
                )
        samples.append(tensors)
    if not samples:
        raise PetiteError(f"{method}: the calibration data is empty: give at least one sample")
    return samples


def _check_dtype(dtype: torch.dtype, where: str) -> None:
    if dtype not in SUPPORTED_DTYPES:
        names = ", ".join(_dtype_name(supported) for supported in SUPPORTED_DTYPES)
        raise PetiteError(
            f"{where} has dtype {_dtype_name(dtype)}, which no kernel supports: use one of {names}"
        )


def _dtype_name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _shape(tensor: torch.Tensor) -> str:
    return "x".join(str(size) for size in tensor.shape) or "scalar"


def _kind(tensor: torch.Tensor) -> str:
    return f"{_dtype_name(tensor.dtype)} {_shape(tensor)}"
