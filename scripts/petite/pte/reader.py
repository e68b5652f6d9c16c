# SPDX-License-Identifier: Apache-2.0
"""Read and verify a program file."""

from __future__ import annotations

import hashlib
from pathlib import Path

from petite.errors import PetiteError
from petite.pte.blobs import Blobs
from petite.pte.container import open_container
from petite.pte.decode import decode
from petite.pte.faults import REEXPORT, one_line
from petite.pte.methods import read_method
from petite.pte.program import Method, Program
from petite.pte.record import Record
from petite.pte.schema import PROGRAM

_VERSION = 0


def load_program(path: Path) -> Program:
    """Read a .pte file. PetiteError, one line, where it cannot be read or is not valid."""
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise PetiteError(
            f"{one_line(str(path))}: cannot be read: {reason}; check the path"
        ) from None
    return read_program(data, str(path))


def read_program(data: bytes, name: str) -> Program:
    """The program in a file's bytes.

    ``name`` stands for the file in messages. Whatever the bytes are, the result is a verified
    program or a PetiteError of one line that names the field and the byte.
    """
    container = open_container(data, name)
    root = decode(container, PROGRAM)
    version = root.integer("version")
    if version != _VERSION:
        raise root.fault(
            "version", f"is {version}, newer than the {_VERSION} that this reader knows", REEXPORT
        )
    blobs = Blobs(container, root)
    return Program(
        name=name,
        digest=hashlib.sha256(data).hexdigest(),
        version=version,
        methods=_read_methods(root, blobs),
        named_data=blobs.named_data(),
    )


def _read_methods(root: Record, blobs: Blobs) -> tuple[Method, ...]:
    plans = root.records("execution_plan")
    if not plans:
        raise root.fault("execution_plan", "the program has no methods", "export the model again")
    methods: dict[str, Method] = {}
    for plan in plans:
        method = read_method(plan, blobs)
        if method.name in methods:
            raise plan.fault("name", "is the name of an earlier method too")
        methods[method.name] = method
    return tuple(methods.values())
