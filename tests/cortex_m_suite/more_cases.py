# SPDX-License-Identifier: Apache-2.0
"""Programs that ExecuTorch's tests lower, but never run on a core: run them too.

`test_cortex_m_suite.py` runs this file with ExecuTorch's own fixtures and petite_serialize.py.
"""

from __future__ import annotations

from executorch.backends.arm.test.common import parametrize, xfail_type
from executorch.backends.cortex_m.test.misc.test_portable_int8 import (
    FVP_OP_CASES,
    OP_CASES,
    OpCase,
    xfails,
)
from executorch.backends.cortex_m.test.models import test_silero_vad as silero_vad
from executorch.backends.cortex_m.test.ops import test_lstm as lstm
from executorch.backends.cortex_m.test.tester import CortexMTester

#: Export has been seen to hang.
_SKIPS = {"while_loop": "upstream: has been observed to hang randomly"}
#: ExecuTorch's lowering raises: float gates become int8 tables.
_NOT_LOWERED: dict[str, xfail_type] = {"lstm_quantizable": "ExecuTorch does not lower it"}


@parametrize(
    "op_case",
    {name: case for name, case in OP_CASES.items() if name not in FVP_OP_CASES},
    xfails=xfails,
    skips=_SKIPS,
)
def test_portable_int8(op_case: OpCase) -> None:
    CortexMTester(op_case.module, op_case.example_inputs).test_implementation()


@parametrize("test_case", silero_vad.test_cases)
def test_silero_vad(test_case: silero_vad.McuTestCase) -> None:
    tester = CortexMTester(test_case.model, test_case.get_example_inputs())
    tester.test_implementation(qtol=10)


@parametrize("test_case", lstm.test_cases, xfails=_NOT_LOWERED)
def test_lstm(test_case: lstm.McuTestCase) -> None:
    CortexMTester(test_case.model, test_case.get_example_inputs()).test_implementation()
