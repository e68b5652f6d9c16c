# SPDX-License-Identifier: Apache-2.0
"""From a graph whose layouts are decided to a schedule of kernel calls."""

from petite.passes.lower.build import lower

__all__ = ["lower"]
