# SPDX-License-Identifier: Apache-2.0
"""How many bytes of each constant, and of the arena, an inference reads and writes.

A kernel that walks its operands once reads them once. Layers read their weights again for each
pixel or row, and their input again for each block of output channels: how often follows from the
sizes in the call's fields. That is what a kernel loads, nearly; what a cache keeps is not known
here, nor is which side of a branch runs: all calls count once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from petite.ir.schedule import Buffer, Function, KernelCall, Ref, Role, Schedule

#: Output pixels for which an implementation of a convolution reads its weights once, and output
#: channels for which it, or a linear layer, reads its input once.
_BLOCKS = {"mve": (2, 4), "dsp": (2, 4), "cmsis_nn": (4, 1)}


@dataclass
class Traffic:
    """Bytes of one run of every method."""

    #: By buffer; what a call reads several fields of counts for each.
    constants: dict[Buffer, int] = field(default_factory=dict)
    #: Reads and writes of inputs, activations, states and scratch memory.
    ram: int = 0
    #: Reads and writes of all kinds by the function that makes them.
    functions: dict[str, int] = field(default_factory=dict)


def traffic_of(schedules: list[Schedule]) -> Traffic:
    """Of all calls of all methods."""
    found = Traffic()
    for schedule in schedules:
        for call in schedule.calls:
            _add(found, call)
    return found


def _add(found: Traffic, call: KernelCall) -> None:
    before = sum(found.constants.values()) + found.ram
    constants = {ref.buffer: None for ref in call.refs() if ref.buffer.role is Role.CONSTANT}
    for buffer in constants:
        found.constants[buffer] = found.constants.get(buffer, 0) + constant_reads(call, buffer)
    found.ram += sum(
        activation_reads(call, read.buffer, read.size)
        for read in call.reads
        if read.buffer.role is not Role.CONSTANT
    )
    found.ram += call.written
    if call.scratch is not None:
        found.ram += 2 * call.scratch.size
    moved = sum(found.constants.values()) + found.ram - before
    found.functions[call.symbol] = found.functions.get(call.symbol, 0) + moved


def constant_reads(call: KernelCall, buffer: Buffer) -> int:
    """Bytes of a constant that a call reads."""
    if call.kernel == "lut_s8":
        return _number(call, "count")
    if _is_operand(call, "input", buffer):
        return activation_reads(call, buffer)
    return buffer.size * _passes(call)


def _passes(call: KernelCall) -> int:
    """How often a call reads all of its weights and scales."""
    match call.kernel.rpartition("_")[0]:
        case "conv2d" | "pointwise_conv2d":
            pixels, _ = _BLOCKS.get(call.variant, (1, 1))
            return -(-_pixels(call) // pixels)
        case "depthwise_conv2d":
            return _tiles(call) if _keeps_weights_in_registers(call) else _pixels(call)
        case "transpose_conv2d":
            return _number(call, "batches", "input_h", "input_w")
        case "linear" | "matmul" | "batch_matmul":
            return _number(call, "rows")
    return 1


def activation_reads(call: KernelCall, buffer: Buffer, part: int | None = None) -> int:
    """Bytes of an operand that is no weight which a call reads; ``part`` where it is not all."""
    operand = buffer.size if part is None else part
    size = buffer.dtype.size
    _, block = _BLOCKS.get(call.variant, (1, 1))
    match call.kernel.rpartition("_")[0]:
        case "conv2d" | "pointwise_conv2d":
            depth = call.fields.get("filter_c", _number(call, "input_c") // _number(call, "groups"))
            assert isinstance(depth, int)
            blocks = -(-_number(call, "output_c") // block)
            return _pixels(call) * _number(call, "kernel_h", "kernel_w") * depth * blocks * size
        case "depthwise_conv2d" | "avg_pool" | "max_pool":
            channels = "output_c" if "output_c" in call.fields else "channels"
            return _pixels(call) * _number(call, "kernel_h", "kernel_w", channels) * size
        case "linear":
            return operand * -(-_number(call, "out_features") // block)
        case "matmul" | "batch_matmul":
            return operand * _number(call, "columns")
    return operand


def _is_operand(call: KernelCall, name: str, buffer: Buffer) -> bool:
    value = call.fields.get(name)
    return isinstance(value, Ref) and value.buffer is buffer


def _pixels(call: KernelCall) -> int:
    return _number(call, "pixels", "batches", "output_h", "output_w")


def _keeps_weights_in_registers(call: KernelCall) -> bool:
    """The Helium kernel for small windows goes through a tile with the weights of four channels."""
    return call.fields.get("multiply") == Function("petite_multiply_cells_s8_mve")


def _tiles(call: KernelCall) -> int:
    rows = -(-_number(call, "output_h") // _number(call, "rows"))
    columns = -(-_number(call, "output_w") // _number(call, "tile_w"))
    return _number(call, "batches") * rows * columns


def _number(call: KernelCall, *names: str) -> int:
    """The product of fields; one that a kernel lacks counts as 1."""
    product = 1
    for name in names:
        value = call.fields.get(name, 1)
        assert isinstance(value, int)
        product *= value
    return product
