# SPDX-License-Identifier: Apache-2.0
"""From a PyTorch model to a `.pte` that Cortex-M kernels can run.

The only part of the package that imports torch and executorch: building firmware from a `.pte`
never needs them.
"""

from __future__ import annotations

from petite.errors import PetiteError
from petite.export.quiet import quiet_tools

try:
    with quiet_tools():
        import executorch.backends.cortex_m.passes.cortex_m_pass_manager  # noqa: F401
        import torch  # noqa: F401
except ImportError as missing:
    raise PetiteError(
        f"export needs torch and executorch, and cannot import {missing.name}: "
        "run pip install torch==2.13.0 'executorch[ethos-u]==1.5.1'"
    ) from missing

from petite.export.exporter import Method, export_methods, export_model
from petite.export.report import ExportReport, FloatOperator
from petite.export.spec import export_from_spec

__all__ = [
    "ExportReport",
    "FloatOperator",
    "Method",
    "export_from_spec",
    "export_methods",
    "export_model",
]
