# SPDX-License-Identifier: Apache-2.0
"""What a method's calls cost beside the arena: flash, and bytes that they move."""

from __future__ import annotations

from petite.ir.ops import Op
from petite.ir.schedule import Field, KernelCall, Role, Schedule
from petite.placement.traffic import traffic_of
from petite.stripes.cut import Cut

#: A kernel's address and a pointer to its parameters.
STEP = 8
#: The same of a copy: three fields.
_COPY = 12 + STEP
#: Numbers of 32 bits in structures whose numbers have 16 otherwise.
_WIDE = ("output_offset", "output_row_gap", "output_image_gap", "pixels")


def parameter_bytes(call: KernelCall) -> int:
    """Of a call's parameter structure and step in flash."""
    is_narrow = call.own_parameters and call.variant == "mve"
    size = sum(_field_bytes(n, value, is_narrow) for n, value in call.fields.items())
    return -(-size // 4) * 4 + STEP


def _field_bytes(name: str, value: Field, is_narrow: bool) -> int:
    if isinstance(value, int) and is_narrow and name not in _WIDE:
        return 2
    return 4 * len(value) if isinstance(value, tuple) else 4


def flash_of_parts(made: Cut, calls: dict[Op, list[KernelCall]]) -> int:
    """What parameters and steps grow by where operators with these calls are cut."""
    each = {op: sum(map(parameter_bytes, calls[op])) for op in made.region.ops}
    copies = sum(_COPY for part in made.parts if part.kept.count)
    return sum(each[part.op] for part in made.parts) - sum(each.values()) + copies


def flash_of(calls: list[KernelCall]) -> int:
    """Parameters, steps, and constants, each once."""
    constants = {ref.buffer for c in calls for ref in c.refs() if ref.buffer.role is Role.CONSTANT}
    return sum(map(parameter_bytes, calls)) + sum(buffer.size for buffer in constants)


def traffic(calls: list[KernelCall]) -> int:
    """Bytes that they read and write, which instructions grow with."""
    return sum(traffic_of([Schedule("", calls)]).functions.values())
