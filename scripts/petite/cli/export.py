# SPDX-License-Identifier: Apache-2.0
"""``petite export``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from petite.cli.options import add_command
from petite.errors import PetiteError


def add(commands: Any) -> None:
    """Declare the command."""
    parser = add_command(
        commands,
        "export",
        summary="quantise a PyTorch model and export it with ExecuTorch",
        example="petite export my_model.py:make --calibration data.npz --output model.pte",
        function=run,
    )
    parser.add_argument(
        "spec",
        metavar="FILE.py:FUNCTION",
        help="function without arguments that returns (model, example_inputs)",
    )
    parser.add_argument("--output", metavar="MODEL.pte", type=Path, required=True)
    parser.add_argument(
        "--calibration",
        metavar="DATA.npz",
        type=Path,
        help="arrays input0, input1, ... with samples along the first axis",
    )
    parser.add_argument(
        "--float32", action="store_true", help="do not quantise: every layer stays in float32"
    )
    parser.add_argument(
        "--core",
        default="cortex-m55",
        help="core that ExecuTorch lowers for (cortex-m55); Petite runs the result on any",
    )


def run(arguments: argparse.Namespace) -> int:
    """Export and print the report."""
    try:
        from petite.export import export_from_spec
    except ImportError as error:
        raise PetiteError(
            f"export needs torch and executorch ({error}); install them with "
            "pip install 'petite[export]'"
        ) from None
    report = export_from_spec(
        arguments.spec,
        arguments.output,
        arguments.calibration,
        quantize=not arguments.float32,
        target=arguments.core,
    )
    print(report.summary())
    return 0
