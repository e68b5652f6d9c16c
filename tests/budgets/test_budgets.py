# SPDX-License-Identifier: Apache-2.0
"""Sizes, RAM and instructions of the benchmark models stay within their budgets."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from measure import MODELS, measure, program_file

BUDGETS = json.loads((Path(__file__).parent / "budgets.json").read_text(encoding="utf-8"))


#: Helium, and the DSP extension.
TARGETS = ("qemu-m55", "qemu-m4")


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MODELS)
def test_model_stays_within_its_budget(name: str, target: str) -> None:
    figures = asdict(measure(program_file(name), target))
    budget = BUDGETS[target][name]
    over = {what: (figures[what], most) for what, most in budget.items() if figures[what] > most}
    assert not over, f"{name} costs more on {target} than its budget (measured, budget): {over}"
