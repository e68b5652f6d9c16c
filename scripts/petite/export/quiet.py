# SPDX-License-Identifier: Apache-2.0
"""Silence for the tools underneath, whose warnings a user can do nothing about."""

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from collections.abc import Iterator


@contextlib.contextmanager
def quiet_tools() -> Iterator[None]:
    """Hide warnings, log records below ERROR and prints while the block runs.

    torch, torchao and executorch report their own deprecations and internal decisions on every
    export. Errors are exceptions, so nothing that matters is hidden. All is restored at the end,
    whatever happens.
    """
    previous = logging.root.manager.disable
    logging.disable(max(previous, logging.WARNING))
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(previous)
