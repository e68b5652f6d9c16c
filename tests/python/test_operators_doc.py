# SPDX-License-Identifier: Apache-2.0
"""docs/operators.md and the table of functions say what the code does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from petite.ir.dtype import DType
from petite.ir.functions import FUNCTIONS, cast_kernel
from petite.ir.reductions import REDUCTIONS
from petite.pte.lift import OPERATOR_GROUPS, OPERATORS

ROOT = Path(__file__).resolve().parents[2]


def test_the_document_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "operators_doc.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_no_operator_is_in_two_groups() -> None:
    assert len(OPERATORS) == sum(len(group) for _, group in OPERATOR_GROUPS)


def defined_kernels(family: str) -> set[str]:
    """Kernels that the files of a family define, without prefix and instruction set."""
    folder = ROOT / "runtime" / "kernels" / family
    found = set()
    for source in folder.glob("*_scalar.c"):
        command = ["gcc", "-std=c11", f"-I{ROOT / 'runtime' / 'include'}", "-E", str(source)]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found |= set(re.findall(r"\bpetite_(\w+)_scalar\(const void \*params\)\s*\{", text))
    return found


@pytest.mark.parametrize("family", ["unary", "binary"])
def test_the_table_of_functions_names_every_kernel(family: str) -> None:
    named = {
        function.kernel(dtype)
        for function in FUNCTIONS.values()
        if function.family == family
        for dtype in function.dtypes
    }
    if family == "unary":
        named |= {cast_kernel(a, b) for a in DType for b in DType if a is not b}
    assert defined_kernels(family) == named


def test_the_table_of_reductions_names_every_kernel() -> None:
    named = {r.kernel(dtype) for r in REDUCTIONS.values() for dtype in r.dtypes}
    assert defined_kernels("reduce") == named
