# SPDX-License-Identifier: Apache-2.0
"""From schedules and their placement to what the templates print."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass, replace

from petite.codegen.literals import integer, lines, real, stored_bytes
from petite.codegen.operators import operator_call
from petite.codegen.view import (
    CallView,
    ConstantView,
    ExtensionView,
    MethodView,
    ModelView,
    PortView,
    StateView,
)
from petite.errors import PetiteError
from petite.ir.schedule import (
    Buffer,
    Field,
    Function,
    KernelCall,
    ModelOperators,
    OperatorCall,
    OperatorSlot,
    Port,
    Ref,
    Role,
    Schedule,
)
from petite.placement.memories import MemoryChoice
from petite.placement.model import Placement

#: PETITE_ABI in runtime/include/petite/plan.h.
ABI = 5

#: Methods of this name need no name of their own in symbols.
DEFAULT_METHOD = "forward"


@dataclass(frozen=True)
class Source:
    """Where a model comes from, for the generated files' first lines."""

    name: str
    digest: str
    version: str


def build_view(
    name: str,
    source: Source,
    schedules: list[Schedule],
    placement: Placement,
    memories: MemoryChoice | None = None,
    *,
    arena: str = "",
    step_names: bool = False,
    checksums: bool = False,
) -> ModelView:
    """Everything that the generated files say. ``name`` starts every symbol.

    ``arena`` names an arena that the model shares with others; without it it has its own.
    """
    check_identifier(name)
    if arena:
        check_arena(name, arena)
    builder = _Builder(name, source, schedules, placement, memories or MemoryChoice())
    builder.arena = arena or name
    view = builder.view()
    return replace(view, step_names=step_names, checksums=checksums)


def check_identifier(name: str) -> None:
    """PetiteError where a name cannot start C symbols."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise PetiteError(
            f"name {name!r} cannot start C symbols; use lower-case letters, digits and underscores"
        )


def check_arena(name: str, arena: str) -> None:
    """PetiteError where a shared arena cannot be called so."""
    check_identifier(arena)
    if arena == name:
        raise PetiteError(
            f"arena {arena!r} has the model's own name; give an arena that models share another one"
        )


def _check_symbols(methods: list[MethodView]) -> None:
    """PetiteError where two methods would have the same name in C."""
    by_symbol: dict[str, str] = {}
    for method in methods:
        other = by_symbol.setdefault(method.symbol, method.name)
        if other != method.name:
            raise PetiteError(
                f"methods {other!r} and {method.name!r} would both be called {method.symbol} in C; "
                "export one under another name"
            )


def _operators(schedules: list[Schedule]) -> list[str]:
    """What the model calls of the application, each name once, in order of first use."""
    fields = [v for s in schedules for call in s.calls for v in call.fields.values()]
    return list(dict.fromkeys(v.name for v in fields if isinstance(v, OperatorSlot)))


_OTHER_CORE = (
    "which the C compiler's flags do not allow: compile the model for another instruction set, or "
    "correct -mcpu and -mfloat-abi"
)
#: What not every build has, by the implementations of kernels that need it.
_EXTENSIONS = {
    "dsp": ExtensionView(
        "--instruction-set dsp", "the DSP extension", "defined(__ARM_FEATURE_DSP)", _OTHER_CORE
    ),
    "mve": ExtensionView(
        "--instruction-set mve", "Helium", "defined(__ARM_FEATURE_MVE)", _OTHER_CORE
    ),
    "cmsis_nn": ExtensionView(
        "--kernels cmsis-nn",
        "CMSIS-NN",
        "defined(PETITE_KERNELS_CMSIS_NN)",
        "which this build lacks: set PETITE_KERNELS_CMSIS_NN and PETITE_CMSIS_NN_DIR, or compile "
        "the model with --kernels petite",
    ),
}


def _extensions(schedules: list[Schedule]) -> list[ExtensionView]:
    """What the kernels that run need of the build."""
    used = {call.variant for s in schedules for call in s.calls}
    return [extension for variant, extension in _EXTENSIONS.items() if variant in used]


class _Builder:
    def __init__(
        self,
        name: str,
        source: Source,
        schedules: list[Schedule],
        placement: Placement,
        memories: MemoryChoice,
    ) -> None:
        self.name = name
        self.arena = name
        self.memories = memories
        self.source = source
        self.schedules = schedules
        self.placement = placement
        self.constants: dict[tuple[str, bytes], ConstantView] = {}
        self.symbols: dict[Buffer, str] = {}
        self.operators = _operators(schedules)
        self.offsets: dict[Buffer, int] = {}

    def view(self) -> ModelView:
        methods = [self._method(schedule) for schedule in self.schedules]
        _check_symbols(methods)
        states = self._states()
        constants = list(self.constants.values())
        kernels = {c.header for s in self.schedules for c in s.calls}
        return ModelView(
            name=self.name,
            version=self.source.version,
            source=as_comment(self.source.name),
            digest=self.source.digest,
            abi=ABI,
            headers=sorted(kernels),
            extensions=_extensions(self.schedules),
            arena_size=self.placement.arena_size,
            arena=self.arena,
            arena_section=self._ram_section(self.arena, "arena"),
            state_section=self._ram_section(self.name, "state"),
            state_size=self.placement.state_size,
            constant_size=sum(len(data) for _, data in self.constants),
            constants=constants,
            operators=self.operators,
            methods=methods,
            states=states,
            symbols=self.symbols,
        )

    def _method(self, schedule: Schedule) -> MethodView:
        self.offsets = self.placement.plans[schedule.name].offsets
        symbol = self.name if schedule.name == DEFAULT_METHOD else f"{self.name}_{schedule.name}"
        symbol = re.sub(r"[^a-z0-9_]", "_", symbol.lower())
        return MethodView(
            name=as_comment(schedule.name),
            symbol=symbol,
            calls=[self._call(symbol, call) for call in schedule.calls],
            inputs=[self._port(f"input{i}", p) for i, p in enumerate(schedule.inputs)],
            outputs=[self._port(f"output{i}", p) for i, p in enumerate(schedule.outputs)],
        )

    def _call(self, symbol: str, call: KernelCall) -> CallView:
        return CallView(
            name=call.name,
            symbol=f"{symbol}_{call.name}",
            struct=call.structure,
            kernel=call.symbol,
            comment=as_comment(call.source.split(": ", 1)[-1]),
            fields=[(key, self._field(symbol, value)) for key, value in call.fields.items()],
        )

    def _field(self, symbol: str, value: Field) -> str:
        if value is None:
            return "NULL"
        if isinstance(value, Ref):
            return self._address(value, symbol)
        if isinstance(value, ModelOperators):
            return f"&{self.name}_operators"
        if isinstance(value, OperatorSlot):
            return f"&{self.name}_operator_functions[{self.operators.index(value.name)}]"
        if isinstance(value, Function):
            return value.name
        if isinstance(value, OperatorCall):
            return operator_call(value, lambda ref: self._field(symbol, ref))
        if isinstance(value, tuple):
            return "{ " + ", ".join(integer(n) for n in value) + " }"
        return real(value) if isinstance(value, float) else integer(value)

    def _address(self, ref: Ref, symbol: str = "") -> str:
        """A C expression of pointer type."""
        buffer = ref.buffer
        if buffer.role is Role.CONSTANT:
            constant = self._constant(buffer, symbol)
            if ref.offset == 0:
                return constant.symbol
            return f"(const void *)((const uint8_t *){constant.symbol} + {ref.offset})"
        if buffer.role is Role.STATE:
            offset = self.placement.state_offsets[buffer] + ref.offset
            return f"(void *)({self.name}_state + {offset})"
        return f"(void *)({self.arena}_arena + {self.offsets[buffer] + ref.offset})"

    def _constant(self, buffer: Buffer, symbol: str) -> ConstantView:
        """Equal constants are one array, whichever method uses them."""
        assert buffer.data is not None
        key = (buffer.dtype.c_type, buffer.data.tobytes())
        if key not in self.constants:
            own = self._unused(re.sub(r"\W", "_", f"{symbol}_{buffer.name}"))
            self.constants[key] = ConstantView(
                symbol=own,
                section=self._constant_section(own),
                c_type=buffer.dtype.c_type,
                count=buffer.data.size,
                size=buffer.data.nbytes,
                crc=f"0x{zlib.crc32(stored_bytes(buffer.data, buffer.dtype)):08X}U",
                lines=lines(buffer.data, buffer.dtype),
            )
        self.symbols[buffer] = self.constants[key].symbol
        return self.constants[key]

    def _constant_section(self, symbol: str) -> str:
        memory = self.memories.for_constant(symbol.removeprefix(f"{self.name}_"))
        place = ".rodata.petite" if memory is None else f".petite_in.{memory.name}"
        return f"{place}.{symbol}"

    def _ram_section(self, owner: str, what: str) -> str:
        memory = self.memories.for_activations()
        place = "petite" if memory is None else f"petite_in.{memory.name}"
        return f".bss.{place}.{owner}.{what}"

    def _unused(self, symbol: str) -> str:
        """The symbol, numbered where one constant is stored in several orders."""
        taken = {constant.symbol for constant in self.constants.values()}
        numbered = (f"{symbol}_{i}" if i else symbol for i in range(len(taken) + 1))
        return next(name for name in numbered if name not in taken)

    def _states(self) -> list[StateView]:
        return [
            StateView(
                address=self._address(Ref(state.buffer)),
                initial="NULL"
                if state.initial is None
                else self._address(Ref(state.initial), f"{self.name}_{schedule.name}"),
                size=state.buffer.size,
                comment=as_comment(f"{schedule.name}: {state.buffer.name}"),
            )
            for schedule in self.schedules
            for state in schedule.states
            if state.buffer.size
        ]

    def _port(self, name: str, port: Port) -> PortView:
        quantization = port.quantization
        return PortView(
            name=name,
            c_type=port.dtype.c_type,
            plan_type=port.dtype.plan_name,
            address=self._address(port.ref),
            count=port.size // port.dtype.size,
            size=port.size,
            shape=port.shape,
            stored=f"{port.dtype.c_type} "
            + ("".join(f"[{port.shape[d]}]" for d in port.layout) or "[1]"),
            scale=None if quantization is None else real(quantization.scale),
            zero_point=None if quantization is None else quantization.zero_point,
            survives=self._survives(port),
        )

    def _survives(self, port: Port) -> bool:
        """Whether no other buffer of the method shares a byte with this one."""
        if port.ref.buffer.role is not Role.INPUT:
            return False
        start = self.offsets[port.ref.buffer]
        end = start + port.ref.buffer.size
        return all(
            offset >= end or offset + other.size <= start
            for other, offset in self.offsets.items()
            if other is not port.ref.buffer
        )


def as_comment(text: str) -> str:
    """Text of the file's author that may stand in a C comment and does not end it."""
    printable = "".join(c if c.isprintable() else "?" for c in text)
    return printable.replace("*/", "* /").replace("/*", "/ *")
