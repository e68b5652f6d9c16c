# SPDX-License-Identifier: Apache-2.0
"""The files through which the runner gets inputs and gives outputs (see runner/main.c)."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from petite.errors import PetiteError

_REQUEST_MAGIC = 0x51525450
_RESPONSE_MAGIC = 0x53525450
_STACK_UNKNOWN = 0xFFFFFFFF
#: Bytes in front of the sizes of a response's outputs.
_HEAD = 8


@dataclass(frozen=True)
class Response:
    """Outputs of each call, and bytes of stack of each call (None where nobody measured).

    `load_stack` is that of loading, for a program that was loaded.
    """

    outputs: list[list[bytes]]
    stacks: list[int | None]
    load_stack: int | None


def pack_request(method: int, calls: Sequence[Sequence[bytes]]) -> bytes:
    """The bytes of request.bin. Every call has the same number of inputs, of the same sizes."""
    if not calls:
        raise PetiteError("there is nothing to run: give the inputs of at least one call")
    sizes = [len(data) for data in calls[0]]
    for index, inputs in enumerate(calls):
        found = [len(data) for data in inputs]
        if found != sizes:
            raise PetiteError(
                f"call {index} has inputs of {found} bytes where call 0 has {sizes}: "
                "all calls take inputs of the same sizes"
            )
    head = struct.pack(f"<4I{len(sizes)}I", _REQUEST_MAGIC, method, len(calls), len(sizes), *sizes)
    return head + b"".join(data for inputs in calls for data in inputs)


def unpack_response(data: bytes, call_count: int, *, loaded: bool = False) -> Response:
    """Take response.bin apart. Raises PetiteError where it is not complete.

    `loaded` says that the program was loaded.
    """
    try:
        magic, output_count = struct.unpack_from("<2I", data)
        sizes = struct.unpack_from(f"<{output_count}I", data, _HEAD)
    except struct.error:
        raise PetiteError("the runner's response is incomplete") from None
    expected = _HEAD + 4 * output_count + call_count * (4 + sum(sizes)) + 4 * loaded
    if magic != _RESPONSE_MAGIC or len(data) != expected:
        raise PetiteError(f"the runner's response has {len(data)} bytes where {expected} belong")
    position = _HEAD + 4 * output_count
    outputs: list[list[bytes]] = []
    stacks: list[int | None] = []
    for _ in range(call_count):
        (stack,) = struct.unpack_from("<I", data, position)
        stacks.append(known_stack(stack))
        position += 4
        call = []
        for size in sizes:
            call.append(data[position : position + size])
            position += size
        outputs.append(call)
    load_stack = known_stack(*struct.unpack_from("<I", data, position)) if loaded else None
    return Response(outputs, stacks, load_stack)


def known_stack(word: int) -> int | None:
    """Bytes of stack; None where nobody measured."""
    return None if word == _STACK_UNKNOWN else word
