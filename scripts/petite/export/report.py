# SPDX-License-Identifier: Apache-2.0
"""What an export did, in a form that the command line can print and a test can compare."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class FloatOperator:
    """An operator that still computes in float32 after quantization."""

    method: str
    """Method that holds it, for example "forward"."""
    operator: str
    """Name as the `.pte` spells it, without overload: "aten::convolution"."""
    node: str
    """Name of the graph node, unique in its method."""
    reason: str
    """Why it was not turned into an int8 operator, and what would help."""


@dataclass(frozen=True)
class ExportReport:
    """Result of one export."""

    path: Path
    """The `.pte` that was written."""
    size: int
    """Its size in bytes."""
    target: str
    """Core that the `.pte` was lowered for, "cortex-m55" for example."""
    operators: dict[str, dict[str, int]] = field(default_factory=dict)
    """Method name to operator name to number of uses."""
    float_operators: tuple[FloatOperator, ...] = ()
    """Operators left in float32; empty for a fully quantized model."""
    state: tuple[str, ...] = ()
    """Names of the buffers that keep their value between calls."""

    def summary(self) -> str:
        """Text for a terminal: what was written, and every operator that stayed in float."""
        lines = [f"wrote {self.path}: {self.size} bytes for {self.target}"]
        for method, counts in self.operators.items():
            listed = ", ".join(f"{name} x{count}" for name, count in sorted(counts.items()))
            lines.append(f"  {method}: {listed or 'no operators'}")
        if self.state:
            lines.append(f"  state kept between calls: {', '.join(self.state)}")
        if self.float_operators:
            lines.append(f"  {len(self.float_operators)} operator(s) stay in float32:")
        for left in self.float_operators:
            lines.append(f"    {left.method}: {left.operator} ({left.node}): {left.reason}")
        return "\n".join(lines)
