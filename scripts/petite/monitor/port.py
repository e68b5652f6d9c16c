# SPDX-License-Identifier: Apache-2.0
"""The serial port, under any name that pyserial knows."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from typing import Any

import serial
from serial.tools import list_ports

from petite.errors import PetiteError

_AT_ONCE = 4096  # bytes
#: What the system's own words would not explain.
_MEANING = {
    errno.EACCES: "permission denied: your user must be in the group that owns it",
    errno.EAGAIN: "another program uses it",
    errno.EBUSY: "another program uses it",
}
_BEFORE_REASON = re.compile(r"^(could not configure port: |.*\[Errno -?\d+\] )", re.IGNORECASE)


class PortGone(Exception):
    """The port cannot be used now, and may come back. The message is the reason."""


def choose_port(found: Sequence[tuple[str, str]] | None = None) -> str:
    """The only serial port of the machine, or PetiteError. ``found``: (name, description) each."""
    if found is None:
        found = [(port.device, port.description) for port in list_ports.comports()]
    if len(found) == 1:
        return found[0][0]
    if not found:
        raise PetiteError("no serial port is there; connect the board, or say which with --port")
    names = ", ".join(f"{name} ({description})" for name, description in sorted(found))
    raise PetiteError(f"several serial ports are there; choose one with --port: {names}")


class Port:
    """An open port. Reading does not wait."""

    def __init__(self, name: str, baud: int) -> None:
        """Open it; PortGone where that may succeed later, PetiteError where it cannot."""
        if re.fullmatch(r"(socket|rfc2217)://[^:/]*", name):
            raise PetiteError(f"{name}: has no port number; write {name}:NUMBER")
        try:
            self._serial: Any = serial.serial_for_url(
                name, baud, timeout=0, exclusive=True, do_not_open=True
            )
            # pyserial throws away what a socket's server said at once, such as a boot message.
            self._serial.reset_input_buffer = lambda: None
            self._serial.open()
        except OSError as error:
            raise PortGone(_reason(error)) from None
        except Exception as error:  # pyserial raises many kinds, termios.error among them
            raise PetiteError(f"{name}: cannot open it ({error})") from None

    def read(self) -> bytes:
        """What has come, perhaps nothing. PortGone if the port has disappeared."""
        try:
            data: bytes = self._serial.read(_AT_ONCE)
        except Exception as error:  # pyserial's backends fail with many kinds when cut off
            raise PortGone(_reason(error)) from None
        return data

    def close(self) -> None:
        """Give the port back. A port that has gone has nothing to say about it."""
        try:
            self._serial.close()
        except Exception:  # as in read()
            return


def _reason(error: Exception) -> str:
    """Without the port's name, which pyserial repeats up to three times."""
    number = getattr(error, "errno", None)
    if isinstance(number, int):
        return _MEANING.get(number) or os.strerror(number)
    return _BEFORE_REASON.sub("", str(error))
