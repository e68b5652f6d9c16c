# SPDX-License-Identifier: Apache-2.0
"""The one kernel of control flow."""

from __future__ import annotations

import numpy as np
import pytest

from kernel_testing.runner import KernelRunner


@pytest.mark.parametrize("skip", [1, 255, 65535])
@pytest.mark.parametrize("sense", [0, 1, 255])
@pytest.mark.parametrize("condition", [0, 1, 2, 255])
def test_branch(kernels: KernelRunner, condition: int, sense: int, skip: int) -> None:
    array = np.array([condition], np.uint8)
    status, after = kernels.call("branch", condition=array, sense=sense, skip=skip)
    assert status == (0 if bool(condition) == bool(sense) else skip)
    assert after["condition"][0] == condition
