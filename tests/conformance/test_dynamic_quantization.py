# SPDX-License-Identifier: Apache-2.0
"""Scales that are chosen when the model runs: the bits of ExecuTorch's C++ kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import executorch.kernels.quantized  # noqa: F401 - the kernels
import numpy as np
import pytest
import torch
import torch.ao.quantization.fx._decomposed
from executorch.exir import schema
from executorch.exir.scalar_type import ScalarType

from conformance.direct_calls import SCALAR_TYPES, Case, Method, floats
from petite.compile import Options, compile_program
from petite.errors import PetiteError
from petite.pte import read_program
from petite.run import execute
from petite.targets import find_target

Tensor = torch.Tensor
_OPERATORS = torch.ops.quantized_decomposed
_INT8 = int(SCALAR_TYPES[torch.int8])


def _call(method: Method, name: str, args: Sequence[int], outs: Sequence[int]) -> None:
    whole = outs[0] if len(outs) == 1 else method.add(schema.TensorList(list(outs)))
    method._append(Case(f"quantized_decomposed::{name}", ()), [*args, *outs, whole])


def _program(x: Tensor, *, tokens: bool, give_scales: bool = False) -> Method:
    """Chooses, quantises, and dequantises again; gives the integers and the numbers."""
    method = Method()
    source = method.argument(x)
    shape = (*x.shape[:-1], 1) if tokens else (1,)
    chosen = [
        method.tensor(torch.zeros(shape, dtype=dtype)) for dtype in (torch.float64, torch.int64)
    ]
    stored, real = method.tensor(x.to(torch.int8)), method.tensor(x)
    kind, low, high = (method.argument(n) for n in (_INT8, -128, 127))
    to_float = method.argument(int(SCALAR_TYPES[torch.float32]) if tokens else None)
    what = "per_token.out" if tokens else "per_tensor.Tensor_out"
    if tokens:
        _call(method, "choose_qparams_per_token_asymmetric.out", [source, kind], chosen)
    else:
        smallest = method.argument(1e-9)
        args = [source, low, high, smallest, kind]
        _call(method, "choose_qparams.Tensor_out", args, chosen)
    _call(method, f"quantize_{what}", [source, *chosen, low, high, kind], [stored])
    _call(method, f"dequantize_{what}", [stored, *chosen, low, high, kind, to_float], [real])
    method.outputs += [stored, real, chosen[0 if give_scales else 1]]
    return method


def _expected(x: Tensor, *, tokens: bool) -> list[Tensor]:
    shape = (*x.shape[:-1], 1) if tokens else (1,)
    scale, zero = torch.zeros(shape, dtype=torch.float64), torch.zeros(shape, dtype=torch.int64)
    stored, real = torch.zeros(x.shape, dtype=torch.int8), torch.zeros(x.shape)
    limits: tuple[Any, ...] = (-128, 127, torch.int8)
    outs = {"scale_out": scale, "zero_point_out": zero}
    if tokens:
        _OPERATORS.choose_qparams_per_token_asymmetric.out(x, torch.int8, **outs)
        _OPERATORS.quantize_per_token.out(x, scale, zero, *limits, out=stored)
        _OPERATORS.dequantize_per_token.out(stored, scale, zero, *limits, torch.float32, out=real)
    else:
        _OPERATORS.choose_qparams.Tensor_out(x, -128, 127, 1e-9, torch.int8, **outs)
        _OPERATORS.quantize_per_tensor.Tensor_out(x, scale, zero, *limits, out=stored)
        _OPERATORS.dequantize_per_tensor.Tensor_out(
            stored, scale, zero, *limits, out_dtype=None, out=real
        )
    return [stored, real, zero]


@pytest.mark.parametrize("tokens", [False, True])
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-5, 0.0])
def test_a_chain_gives_the_bits_of_the_kernels(tokens: bool, scale: float, tmp_path: Path) -> None:
    x = floats(3, 4, 5) * scale + 0.3 * scale
    method = _program(x, tokens=tokens)
    compile_program(read_program(method.file(), "m.pte"), Options()).write(tmp_path)
    done = execute(tmp_path, find_target("host"), 0, [method.data], sanitize=True)
    for data, wanted in zip(done.outputs[0], _expected(x, tokens=tokens), strict=True):
        expected = wanted.numpy()
        actual = np.frombuffer(data, expected.dtype).reshape(expected.shape)
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("moved", [0, 8])
def test_scales_that_nobody_chose(moved: int) -> None:
    """Memory that nothing was written to, or that holds a part of other scales."""
    method = _program(floats(3, 4), tokens=True)
    scales = next(
        value.val
        for value in method.values
        if isinstance(value.val, schema.Tensor) and value.val.scalar_type is ScalarType.DOUBLE
    )
    assert scales.allocation_info is not None
    place = scales.allocation_info.memory_offset_low + moved if moved else method.memory
    other = replace(scales, allocation_info=schema.AllocationDetails(1, place, 0))
    method.memory += 64
    index = method.add(other)
    quantize = method.instructions[1].instr_args
    quantize.args[1] = index
    with pytest.raises(PetiteError, match=f"tensor {index}"):
        compile_program(read_program(method.file(), "m.pte"), Options())


def test_scales_stay_inside_of_the_model() -> None:
    """They are float64 in the file, which no other operator and no application reads here."""
    method = _program(floats(3, 4), tokens=False, give_scales=True)
    with pytest.raises(PetiteError, match="element type double is not supported"):
        compile_program(read_program(method.file(), "m.pte"), Options())
