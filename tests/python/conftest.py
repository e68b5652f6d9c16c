# SPDX-License-Identifier: Apache-2.0
"""Random inputs are the same in every run, so that a failure can be repeated."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("reproducible", derandomize=True, deadline=None, database=None)
settings.load_profile("reproducible")
