# SPDX-License-Identifier: Apache-2.0
"""Runs a `.pte` with ExecuTorch's Python operators: a reference where only the file is at hand.

Only what a convolutional network needs: kernel calls on planned tensors, views that share memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from executorch.backends.cortex_m.passes import cortex_m_pass_manager  # noqa: F401 - operators

from conformance.reference import _REPLACEMENTS
from petite.pte import load_program
from petite.pte.program import IntList, KernelCall, Method, NullValue, TensorValue
from petite.pte.tensors import logical_array

_DTYPES = {1: torch.int8, 2: torch.int16, 6: torch.float32}


class PteReference:
    """The first method of a program file."""

    def __init__(self, path: Path) -> None:
        self._method: Method = load_program(path).methods[0]
        self._memory: dict[tuple[int, int], torch.Tensor] = {}

    def call(self, *inputs: np.ndarray[Any, np.dtype[Any]]) -> list[torch.Tensor]:
        """Outputs of one call."""
        for index, array in zip(self._method.inputs, inputs, strict=True):
            self._write(index, torch.from_numpy(array))
        for instruction in self._method.instructions:
            assert isinstance(instruction, KernelCall)
            self._run(instruction)
        return [self._read(index).clone() for index in self._method.outputs]

    def _run(self, call: KernelCall) -> None:
        name = call.operator.rsplit(".", 1)[0]
        # The last two arguments are the output, once as an argument and once as the result.
        arguments = [self._argument(index) for index in call.args[:-2]]
        if name.startswith("dim_order_ops::_clone"):
            result = arguments[0].clone()
        else:
            namespace, short = name.split("::")
            function = _REPLACEMENTS.get(name) or getattr(getattr(torch.ops, namespace), short)
            if name.endswith("quantize_per_tensor"):
                arguments[5] = _DTYPES[arguments[5]]
            result = function(*arguments)
        self._write(call.args[-1], result)

    def _argument(self, index: int) -> Any:
        value = self._method.values[index]
        if isinstance(value, TensorValue):
            return self._read(index)
        if isinstance(value, IntList):
            return list(value.items)
        return None if isinstance(value, NullValue) else value.value  # type: ignore[union-attr]

    def _write(self, index: int, tensor: torch.Tensor) -> None:
        allocation = self._tensor(index).allocation
        assert allocation is not None
        self._memory[allocation] = tensor

    def _read(self, index: int) -> torch.Tensor:
        value = self._tensor(index)
        if value.data is not None:
            return torch.from_numpy(logical_array(value, value.data).copy())
        assert value.allocation is not None
        stored = self._memory.get(value.allocation)
        if value.dtype.name == "BYTE":
            # Scratch memory: the Python operators do not use it.
            return torch.empty(value.sizes, dtype=torch.uint8)
        assert stored is not None
        stored = stored.reshape(value.sizes)
        if len(value.sizes) == 4 and value.dim_order == (0, 2, 3, 1):
            stored = stored.to(memory_format=torch.channels_last)
        return stored

    def _tensor(self, index: int) -> TensorValue:
        value = self._method.values[index]
        assert isinstance(value, TensorValue)
        return value
