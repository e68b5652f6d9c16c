# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's program files (.pte): reading, verifying, lifting into the IR."""

from petite.pte.program import Program
from petite.pte.reader import load_program, read_program

__all__ = ["Program", "load_program", "read_program"]
