# SPDX-License-Identifier: Apache-2.0
"""Every direct call."""

from __future__ import annotations

from conformance import (
    direct_calls,
    direct_calls_of_types,
    direct_calls_quantized,
    direct_calls_sampling,
)
from conformance.direct_calls import SCALAR_TYPES, Case

CASES: list[Case] = [
    *direct_calls.CASES,
    *(case for dtype in SCALAR_TYPES for case in direct_calls_of_types.of_type(dtype)),
    *direct_calls_of_types.others(),
    *direct_calls_quantized.quantized(),
    *direct_calls_sampling.sampling(),
]
