# SPDX-License-Identifier: Apache-2.0
"""Builds a compiled model into a program and runs it, on the host or in QEMU."""

from petite.report.elf_sizes import Sizes, sizes
from petite.run.build import build
from petite.run.counter import Count
from petite.run.execute import RunResult, execute

__all__ = ["Count", "RunResult", "Sizes", "build", "execute", "sizes"]
