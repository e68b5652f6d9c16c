# SPDX-License-Identifier: Apache-2.0
"""One line out of the long tracebacks of torch.export and ExecuTorch."""

from __future__ import annotations

import re
import traceback

_STAGES = {
    "trace": "torch.export cannot trace the model",
    "quantize": "the model cannot be quantized",
    "calibrate": "the model fails on a calibration sample",
    "lower": "ExecuTorch cannot lower the model for Cortex-M",
    "serialize": "ExecuTorch cannot write the program",
}

_OPERATOR = re.compile(
    r"\b(aten|cortex_m|quantized_decomposed|dim_order_ops|torchvision)(?:::|\.)(\w+)"
)
_LIBRARIES = ("/torch/", "/torchao/", "/executorch/", "/petite/export/", "<eval_with_key>")


def describe_failure(error: BaseException, stage: str) -> str:
    """One line: the stage, the operator if one is known, the first cause, the user's own line.

    `stage` is a key of the table above. Causes are followed to the innermost one, because the
    tools wrap an error once for every pass.
    """
    chain = _chain(error)
    cause = chain[-1]
    message = _first_line(str(cause)) or type(cause).__name__
    parts = [_STAGES[stage]]
    operator = _operator(chain)
    if operator is not None and operator not in message.replace(".", "::"):
        parts.append(f"operator {operator}")
    parts.append(message)
    line = ": ".join(parts)
    where = _user_frame(chain)
    return f"{line} ({where})" if where is not None else line


def _chain(error: BaseException) -> list[BaseException]:
    chain = [error]
    while chain[-1].__cause__ is not None and chain[-1].__cause__ not in chain:
        chain.append(chain[-1].__cause__)
    return chain


def _first_line(text: str) -> str:
    for line in text.splitlines():
        if line.strip():
            return line.strip().rstrip(".:")
    return ""


def _operator(chain: list[BaseException]) -> str | None:
    for error in reversed(chain):
        match = _OPERATOR.search(str(error))
        if match is not None:
            return f"{match.group(1)}::{match.group(2)}"
    return None


def _user_frame(chain: list[BaseException]) -> str | None:
    """The innermost line of the user's own code that was running, if any."""
    for error in reversed(chain):
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if not any(part in frame.filename for part in _LIBRARIES) and frame.line:
                if frame.name not in ("<module>", "main"):
                    return f"at {frame.filename}:{frame.lineno}, {frame.line.strip()}"
                return None
    return None
