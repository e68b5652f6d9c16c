# SPDX-License-Identifier: Apache-2.0
"""A method's values from their tables, each checked against what it refers to."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from petite.pte.blobs import Blobs
from petite.pte.faults import REEXPORT, quoted
from petite.pte.program import (
    Allocation,
    BoolList,
    BoolValue,
    DoubleList,
    DoubleValue,
    Dynamism,
    IntList,
    IntValue,
    NullValue,
    OptionalTensorList,
    StringValue,
    TensorList,
    TensorValue,
    Value,
)
from petite.pte.record import Record
from petite.pte.scalar_type import DTYPE_OF_CODE

_MOST_DIMENSIONS = 16  # of ExecuTorch's own runtime
_MOST_BYTES = 2**31 - 1
_EXTERNAL = 1


def read_values(plan: Record, blobs: Blobs) -> tuple[Value, ...]:
    """All values of an ExecutionPlan."""
    return _ValueReader(plan, blobs).read_all()


class _ValueReader:
    """Reads the values of one method."""

    def __init__(self, plan: Record, blobs: Blobs) -> None:
        self._blobs = blobs
        self._buffer_sizes = plan.integers("non_const_buffer_sizes")
        self._records = tuple(value.record("val") for value in plan.records("values"))
        self._readers: dict[str, Callable[[Record], Value]] = {
            "Null": lambda record: NullValue(),
            "Int": lambda record: IntValue(record.integer("int_val")),
            "Bool": lambda record: BoolValue(record.flag("bool_val")),
            "Double": lambda record: DoubleValue(record.real("double_val")),
            "String": lambda record: StringValue(record.text("string_val")),
            "Tensor": self._tensor,
            "IntList": self._int_list,
            "DoubleList": lambda record: DoubleList(record.reals("items")),
            "BoolList": lambda record: BoolList(tuple(bool(i) for i in record.integers("items"))),
            "TensorList": self._tensor_list,
            "OptionalTensorList": self._optional_tensor_list,
        }

    def read_all(self) -> tuple[Value, ...]:
        return tuple(self._readers[record.table.name](record) for record in self._records)

    def _items(self, record: Record, kinds: tuple[str, ...], first: int = 0) -> tuple[int, ...]:
        """A list's value indexes, each at least ``first`` and of a value of one of the kinds."""
        items = record.integers("items")
        for position, index in enumerate(items):
            if not first <= index < len(self._records):
                raise record.fault(
                    "items",
                    f"is {index}, but the method has {len(self._records)} values",
                    index=position,
                )
            if index >= 0 and self._records[index].table.name not in kinds:
                raise record.fault(
                    "items",
                    f"value {index} is a {self._records[index].table.name}, "
                    f"not a {' or '.join(kinds)}",
                    index=position,
                )
        return items

    def _int_list(self, record: Record) -> IntList:
        indexes = self._items(record, ("Int",))
        return IntList(tuple(self._records[i].integer("int_val") for i in indexes), indexes)

    def _tensor_list(self, record: Record) -> TensorList:
        return TensorList(self._items(record, ("Tensor",)))

    def _optional_tensor_list(self, record: Record) -> OptionalTensorList:
        return OptionalTensorList(self._items(record, ("Tensor", "Null"), first=-1))

    def _tensor(self, record: Record) -> TensorValue:
        _check_plain(record)
        dtype = DTYPE_OF_CODE[record.integer("scalar_type")]
        dynamism = Dynamism(record.integer("shape_dynamism"))
        sizes = _sizes(record, dtype.itemsize, dynamism)
        nbytes = 0 if dynamism is Dynamism.DYNAMIC_UNBOUND else prod(sizes) * dtype.itemsize
        allocation = self._allocation(record, nbytes)
        has_data = record.integer("data_buffer_idx") > 0
        is_constant = has_data and allocation is None
        has_initial = has_data and allocation is not None
        extra = record.optional("extra_tensor_info")
        return TensorValue(
            dtype=dtype,
            sizes=sizes,
            dim_order=_dim_order(record, len(sizes)),
            data=self._blobs.constant(record, nbytes) if is_constant else None,
            allocation=allocation,
            initial=self._blobs.initial_state(record, nbytes) if has_initial else None,
            name=(extra.text("fully_qualified_name") if extra else "") or None,
            dynamism=dynamism,
        )

    def _allocation(self, record: Record, nbytes: int) -> Allocation | None:
        details = record.optional("allocation_info")
        if details is None:
            return None
        memory = details.integer("memory_id")
        if not 1 <= memory < len(self._buffer_sizes):
            raise details.fault(
                "memory_id",
                f"is {memory}, but non_const_buffer_sizes has {len(self._buffer_sizes)} entries, "
                "and entry 0 is reserved",
            )
        offset = details.integer("memory_offset_low") | details.integer("memory_offset_high") << 32
        if offset + nbytes > self._buffer_sizes[memory]:
            raise details.fault(
                "memory_offset_low",
                f"the tensor would be bytes {offset} to {offset + nbytes} of memory {memory}, "
                f"which has {self._buffer_sizes[memory]} bytes",
            )
        return Allocation(memory, offset)


def _check_plain(record: Record) -> None:
    """Refuse what no tensor of a program for a microcontroller has."""
    if record.integer("storage_offset") != 0:
        raise record.fault(
            "storage_offset", f"is {record.integer('storage_offset')}, but only 0 has a meaning"
        )
    if record.integer("layout") != 0:
        raise record.fault(
            "layout",
            f"is {record.integer('layout')}, but only strided tensors (0) are supported",
            "make the tensor dense in the model",
        )
    extra = record.optional("extra_tensor_info")
    if extra is None:
        return
    if extra.integer("location") == _EXTERNAL:
        raise extra.fault(
            "location",
            f"the data of tensor {quoted(extra.text('fully_qualified_name'))} is in another file, "
            "and external data is not supported",
            "export the model with its weights inside the .pte",
        )
    check_device(extra)


def check_device(record: Record) -> None:
    """Refuse memory of another device than the processor itself."""
    if record.integer("device_type") != 0 or record.integer("device_index") != 0:
        field = "device_type" if record.integer("device_type") else "device_index"
        raise record.fault(field, "is not the CPU (device 0)", "export the model for the CPU")


def _sizes(record: Record, itemsize: int, dynamism: Dynamism) -> tuple[int, ...]:
    """The shape, once it is known to be one whose bytes can be counted."""
    sizes = record.integers("sizes")
    if len(sizes) > _MOST_DIMENSIONS:
        raise record.fault(
            "sizes",
            f"the tensor has {len(sizes)} dimensions, more than {_MOST_DIMENSIONS}",
            REEXPORT,
        )
    if dynamism is Dynamism.DYNAMIC_UNBOUND:
        return sizes
    nbytes = itemsize
    for position, size in enumerate(sizes):
        if size < 0:
            raise record.fault("sizes", f"is {size}, below 0", index=position)
        nbytes *= max(size, 1)  # strides must fit even where another dimension is 0
    if nbytes > _MOST_BYTES:
        raise record.fault("sizes", f"the tensor would have {nbytes} bytes, above {_MOST_BYTES}")
    return sizes


def _dim_order(record: Record, rank: int) -> tuple[int, ...]:
    order = tuple(record.blob("dim_order"))
    if sorted(order) != list(range(rank)):
        raise record.fault(
            "dim_order",
            f"is {list(order[:_MOST_DIMENSIONS])}, which is no order of {rank} dimensions",
        )
    return order
