# SPDX-License-Identifier: Apache-2.0
"""Where the real library is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def library() -> Path:
    """The folder of CMSIS-NN; tests that need it are skipped where no variable names it.

    `petite run` looks for it in the same variable. A wrong name is an error, not a skip.
    """
    named = os.environ.get("PETITE_CMSIS_NN_DIR")
    if not named:
        pytest.skip("PETITE_CMSIS_NN_DIR names no folder of CMSIS-NN 7.0.0 or newer")
    assert (Path(named) / "Include" / "arm_nnfunctions.h").is_file(), f"{named} is not CMSIS-NN"
    return Path(named)
