# SPDX-License-Identifier: Apache-2.0
"""Every operator is called with every element type that it takes, by a program or directly."""

from __future__ import annotations

import pytest

from conformance.direct_calls import CASES, method_of
from conformance.programs import build, default_cache, listed
from petite.pte import load_program, read_program
from petite.pte.lift import OPERATORS
from petite.pte.operator import first_dtype
from petite.pte.program import KernelCall

#: Operators that stock export writes in another way, so that no program can hold them.
NOT_EXPORTED: dict[str, str] = {
    "aten::logit.out": "decomposed; tests/python/test_lift_layers.py has it",
    "aten::_native_batch_norm_legit.out": "tests/python/test_lift_layers.py has it",
}


# It needs every program to be built, and it does not pass yet: it lists what no program calls,
# mostly movement operators with element types other than float32.
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
        if name not in NOT_EXPORTED
        for dtype in operator.dtypes
    }
    assert sorted(wanted - seen) == []
