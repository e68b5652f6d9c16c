# SPDX-License-Identifier: Apache-2.0
"""Every operator is called with every element type that it takes, by a program or directly."""

from __future__ import annotations

import pytest

from conformance.all_direct_calls import CASES
from conformance.direct_calls import method_of
from conformance.programs import build, default_cache, listed
from petite.pte import load_program, read_program
from petite.pte.lift import OPERATORS
from petite.pte.operator import first_dtype
from petite.pte.program import KernelCall

#: Operators that are tested elsewhere, and where.
ELSEWHERE: dict[str, str] = {
    "aten::_native_batch_norm_legit.out": "tests/python/test_lift_layers.py",
    "aten::sym_size.int": "gives a number, of any type alike; catalogue_control.py has float32",
    "aten::sym_numel": "gives a number, of any type alike; test_numbers.py has int64",
    "aten::_local_scalar_dense": "reads a constant; test_numbers.py",
    **dict.fromkeys(
        (
            "quantized_decomposed::choose_qparams.Tensor_out",
            "quantized_decomposed::choose_qparams_per_token_asymmetric.out",
        ),
        "test_dynamic_quantization.py",
    ),
    "executorch_prim::et_copy_index.tensor": "becomes a Concat, whose types are covered; "
    "catalogue_control.py has float32",
}
#: Element types that are tested elsewhere, likewise.
TYPES_ELSEWHERE = {
    ("cortex_m::quantized_div.out", "int16"): "test_div_int16 of tests/cortex_m_suite"
}


@pytest.mark.long
def test_every_operator_and_element_type() -> None:
    seen: set[tuple[str, str]] = set()
    programs = [load_program(build(name, default_cache()).pte) for name in listed()]
    programs += [read_program(method_of(case).file(), "direct.pte") for case in CASES]
    for program in programs:
        for method in program.methods:
            for call in method.instructions:
                if isinstance(call, KernelCall):
                    dtype = first_dtype(method, call.args)
                    seen.add((call.operator, "" if dtype is None else dtype.torch_name))
    wanted = {
        (name, dtype.torch_name)
        for name, operator in OPERATORS.items()
        if name not in ELSEWHERE
        for dtype in operator.dtypes
    }
    assert sorted(wanted - seen - set(TYPES_ELSEWHERE)) == []
