# SPDX-License-Identifier: Apache-2.0
"""Runs firmware on boards that QEMU emulates, and that Zephyr knows only an FVP for."""

from __future__ import annotations

import re
import selectors
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

MACHINES = {"mps2/an386": "mps2-an386"}
#: The same for boards that Zephyr itself runs in QEMU.
OTHERS = {"mps3/corstone300/an547": "mps3-an547"}


def run_until(elf: Path, platform: str, patterns: Sequence[str], seconds: float) -> str:
    """The console's text, up to the line where all patterns have appeared in this order.

    TimeoutError, with the text, where they have not within the time.
    """
    machine = (MACHINES | OTHERS)[platform]
    command = ["qemu-system-arm", "-M", machine, "-nographic", "-kernel", str(elf)]
    end = time.monotonic() + seconds
    text = ""
    with (
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as qemu,
        selectors.DefaultSelector() as selector,
    ):
        assert qemu.stdout is not None
        selector.register(qemu.stdout, selectors.EVENT_READ)
        try:
            while not _in_order(text, patterns):
                if not selector.select(max(0.0, end - time.monotonic())):
                    raise TimeoutError(f"nothing like '{patterns}' within {seconds} s:\n{text}")
                chunk = qemu.stdout.read1()
                if not chunk:
                    raise TimeoutError(f"QEMU ended early:\n{text}")
                text += chunk.decode("utf-8", "replace")
        finally:
            qemu.kill()
    return text


def _in_order(text: str, patterns: Sequence[str]) -> bool:
    place = 0
    for pattern in patterns:
        match = re.compile(pattern, re.MULTILINE).search(text, place)
        if match is None:
            return False
        place = match.end()
    return True
