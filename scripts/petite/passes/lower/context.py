# SPDX-License-Identifier: Apache-2.0
"""What the lowering of every operator needs: addresses of values, constants, and calls."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.ir.ops import Op
from petite.ir.schedule import Buffer, Field, KernelCall, Read, Ref, Role, Steps
from petite.passes.layout import layout_of
from petite.passes.lower.variants import BY_CMSIS_NN, Implementation, implementation
from petite.targets import InstructionSet

Array = np.ndarray[Any, np.dtype[Any]]

#: Arrays for the fields of a parameter structure, None where the field is NULL.
Constants = dict[str, tuple[Array | None, DType]]

_INT32 = 2**31


class LoweringContext:
    """Collects the calls of one method, for cores of one instruction set.

    ``cmsis_nn`` asks for the kernels that call CMSIS-NN.
    """

    def __init__(
        self, instruction_set: InstructionSet = "scalar", *, cmsis_nn: bool = False
    ) -> None:
        self.instruction_set = instruction_set
        self.cmsis_nn = cmsis_nn
        self.calls: list[KernelCall] = []
        #: What tells the names of calls apart; None for their numbers.
        self.suffix: str | None = None
        self._refs: dict[Value, Ref] = {}
        self._constants: dict[tuple[str, bytes], Buffer] = {}

    def fork(self) -> LoweringContext:
        """A list of calls of its own, on the same values and constants."""
        other = LoweringContext(self.instruction_set, cmsis_nn=self.cmsis_nn)
        other._refs = dict(self._refs)
        other._constants = self._constants
        return other

    def bind(self, value: Value, ref: Ref) -> None:
        """A value lives at an address."""
        self._refs[value] = ref

    def ref(self, value: Value) -> Ref:
        """Where a value lives; a new buffer for what has none yet."""
        if value not in self._refs:
            if value.data is not None:
                physical = value.data.transpose(layout_of(value))
                self.bind(value, self.constant(value.name, physical, value.dtype))
            else:
                buffer = Buffer(value.name, value.size, Role.ACTIVATION, value.dtype)
                self.bind(value, Ref(buffer))
        return self._refs[value]

    def constant(self, name: str, data: Array, dtype: DType) -> Ref:
        """The address of constant data; equal data is stored once."""
        flat = np.ascontiguousarray(data, dtype=dtype.numpy).reshape(-1)
        key = (dtype.c_type, flat.tobytes())
        if key not in self._constants:
            self._constants[key] = Buffer(name, flat.nbytes, Role.CONSTANT, dtype, flat)
        return Ref(self._constants[key])

    def call(
        self,
        op: Op,
        kernel: str,
        fields: dict[str, Field],
        steps: list[Steps | None],
        constants: Constants | None = None,
        *,
        folder: str | None = None,
        family: str | None = None,
        inputs: tuple[str, ...] = ("input",),
        variant: Implementation | None = None,
        own_parameters: bool = False,
        scratch: int = 0,
    ) -> None:
        """Append a call of ``kernel`` for ``op``.

        ``inputs`` names the fields for the operator's inputs, one each; ``steps`` says how the
        output may overlap each. A kernel of a ``family`` has that one's header and structure.
        Constants become arrays of their own. Every number must fit the
        kernel's 32-bit fields.

        ``variant`` is the implementation, where the operator has a say in it. With
        ``own_parameters`` its structure and header are its own. ``scratch`` bytes of memory that
        are free during the call go to its field of that name.
        """
        variant = variant or implementation(kernel, self.instruction_set)
        assert variant != "cmsis_nn" or kernel in BY_CMSIS_NN
        name = self.name(kernel)
        addresses = [self.ref(v) for v in op.inputs]
        all_fields: dict[str, Field] = dict(zip(inputs, addresses, strict=True))
        for key, (data, dtype) in (constants or {}).items():
            all_fields[key] = None if data is None else self.constant(f"{name}_{key}", data, dtype)
        output = self.ref(op.output)
        all_fields["output"] = output
        memory = Buffer(f"{name}_scratch", scratch, Role.ACTIVATION, DType.S8) if scratch else None
        if memory is not None:
            all_fields["scratch"] = Ref(memory)
        all_fields.update(fields)
        self._check_range(op, fields)
        reads = [
            read_of(value, address, steps_of_input, output)
            for value, address, steps_of_input in zip(op.inputs, addresses, steps, strict=True)
            if address.buffer.role is not Role.CONSTANT
        ]
        folder = family or folder or kernel.rsplit("_s8", 1)[0]
        self.calls.append(
            KernelCall(
                name,
                kernel,
                f"kernels/{folder}/{family or kernel}{'_' + variant if own_parameters else ''}.h",
                all_fields,
                reads,
                [output.buffer],
                op.source,
                variant=variant,
                family=family or "",
                scratch=memory,
                own_parameters=own_parameters,
                part=part_of(op.output, output),
            )
        )

    def name(self, kernel: str) -> str:
        """A name for the next call, of this kernel."""
        if self.suffix is None:
            return f"{kernel}_{len(self.calls)}"
        taken = {call.name for call in self.calls}
        names = (f"{kernel}_{self.suffix}{'' if n == 0 else f'_{n}'}" for n in count())
        return next(name for name in names if name not in taken)

    @staticmethod
    def _check_range(op: Op, fields: dict[str, Field]) -> None:
        for key, value in fields.items():
            numbers = value if isinstance(value, tuple) else (value,)
            for number in numbers:
                if isinstance(number, int) and not -_INT32 <= number < _INT32:
                    raise PetiteError(
                        f"{op.source}: {key} is {number}, which does not fit 32 bits; "
                        "export the model again with ExecuTorch 1.5.1"
                    )
                if key.endswith("shift") and isinstance(number, int) and not -31 <= number <= 30:
                    raise PetiteError(
                        f"{op.source}: {key} is {number}, beyond -31..30; "
                        "calibrate the model again with representative data"
                    )


def read_of(value: Value, address: Ref, steps: Steps | None, output: Ref) -> Read:
    """What is read of a buffer: all of it, unless the value is a part."""
    if steps is not None:
        steps = steps.moved(address.offset, output.offset)
    if value.size == address.buffer.size:
        return Read(address.buffer, steps)
    return Read(address.buffer, steps, address.offset, address.offset + value.size)


def part_of(value: Value, address: Ref) -> tuple[int, int] | None:
    """What is written of a buffer, where the value is a part of it."""
    if value.size == address.buffer.size:
        return None
    return address.offset, address.offset + value.size
