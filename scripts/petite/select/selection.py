# SPDX-License-Identifier: Apache-2.0
"""Which entries of the catalogue programs need, or a user asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.pte.program import KernelCall, Method, Program, TensorValue
from petite.select.catalogue import ENTRIES
from petite.select.entry import Entry

Key = tuple[str, str, str]


def entries_of(program: Program, *, of_application: bool = False) -> list[Entry]:
    """What all methods of a program call. PetiteError for an operator that cannot be loaded.

    `of_application` leaves operators that are not known to the application.
    """
    known = {_key_of(entry): entry for entry in ENTRIES}
    found: dict[Key, Entry] = {}
    for method in program.methods:
        for number, instruction in enumerate(method.instructions):
            if not isinstance(instruction, KernelCall):
                continue
            key = (instruction.operator, *_types(method, instruction))
            if key not in known and of_application:
                continue
            if key not in known:
                raise PetiteError(
                    f"{program.name}: method {method.name}: instruction {number}: "
                    f"{_described(key)} cannot be loaded on the device; compile the model into "
                    "the firmware (`petite compile`), or keep to what docs/operators.md has loaded"
                )
            found[key] = known[key]
    return list(found.values())


def entries_named(patterns: Iterable[str]) -> list[Entry]:
    """All entries whose operators match a shell pattern. PetiteError for one that fits none."""
    found: dict[Key, Entry] = {}
    for pattern in patterns:
        matching = [entry for entry in ENTRIES if fnmatchcase(entry.operator, pattern)]
        if not matching:
            raise PetiteError(
                f"--operators: {pattern!r} fits no operator that can be loaded; "
                "docs/operators.md lists them, such as 'cortex_m::*'"
            )
        found.update((_key_of(entry), entry) for entry in matching)
    return list(found.values())


def only_dtypes(entries: Iterable[Entry], dtypes: Collection[DType]) -> list[Entry]:
    """Those that compute with element types of a set only."""
    wanted = {*dtypes, None}
    return [entry for entry in entries if {entry.dtype, entry.result} <= wanted]


def _key_of(entry: Entry) -> Key:
    first, last = (
        "" if dtype is None else dtype.torch_name for dtype in (entry.dtype, entry.result)
    )
    return entry.operator, first, last


def _types(method: Method, call: KernelCall) -> tuple[str, str]:
    """Names of the element types of the first tensor and of the last argument; "" for none."""
    values = [method.values[index] for index in call.args]
    first = next((v for v in values if isinstance(v, TensorValue)), None)
    last = values[-1] if values else None
    return _name(first), _name(last if isinstance(last, TensorValue) else None)


def _name(tensor: TensorValue | None) -> str:
    return "" if tensor is None else tensor.dtype.numpy.name


def _described(key: Key) -> str:
    operator, first, last = key
    return f"{operator} from {first or 'no tensor'} to {last or 'no tensor'}"
