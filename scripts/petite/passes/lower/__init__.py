# SPDX-License-Identifier: Apache-2.0
"""From a graph whose layouts are decided to a schedule of kernel calls."""

from petite.passes.lower.build import (
    MAX_STEPS,
    LoweredMethod,
    lower,
    lower_method,
    lower_operator,
)
from petite.passes.lower.movement import copy as copy_value

__all__ = ["MAX_STEPS", "LoweredMethod", "copy_value", "lower", "lower_method", "lower_operator"]
