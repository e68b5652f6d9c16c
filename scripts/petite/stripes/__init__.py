# SPDX-License-Identifier: Apache-2.0
"""Layers in stripes: some rows of one, then of the next, so that no value between them is whole."""

from petite.stripes.choose import Striped, use_stripes

__all__ = ["Striped", "use_stripes"]
