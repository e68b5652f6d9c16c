# SPDX-License-Identifier: Apache-2.0
"""What the templates print: every decision is made, every text is final."""

from __future__ import annotations

from dataclasses import dataclass, field

from petite.ir.schedule import Buffer


@dataclass(frozen=True)
class ConstantView:
    """An array in read-only memory."""

    symbol: str
    section: str
    c_type: str
    count: int
    #: Bytes.
    size: int
    #: CRC-32 of the bytes in the target's memory, as a C literal.
    crc: str
    lines: list[str]


@dataclass(frozen=True)
class ExtensionView:
    """What the model's kernels use that not every build has."""

    #: Option of `petite compile` that chose it.
    option: str
    name: str
    #: C condition that holds where the build has it.
    condition: str
    #: What is wrong where it does not, and what to do.
    otherwise: str


@dataclass(frozen=True)
class CallView:
    """A parameter structure and the kernel that reads it."""

    #: Kernel, and its number in the order of the file.
    name: str
    symbol: str
    struct: str
    kernel: str
    comment: str
    #: (name, C expression)
    fields: list[tuple[str, str]]


@dataclass(frozen=True)
class PortView:
    """An input or an output."""

    #: "input0"; in upper case for macros.
    name: str
    c_type: str
    plan_type: str
    address: str
    count: int
    size: int
    #: Shape as PyTorch sees it.
    shape: tuple[int, ...]
    #: Shape in memory, outermost first.
    stored: str
    scale: str | None
    zero_point: int | None
    #: For inputs: whether a call leaves the contents alone.
    survives: bool

    @property
    def macro(self) -> str:
        """The name in macros."""
        return self.name.upper()

    @property
    def dims(self) -> str:
        """The shape as an initialiser."""
        return ", ".join(str(n) for n in self.shape)


@dataclass(frozen=True)
class StateView:
    """A buffer that survives calls."""

    address: str
    initial: str
    size: int
    comment: str


@dataclass(frozen=True)
class MethodView:
    """One plan."""

    name: str
    #: Start of its symbols.
    symbol: str
    calls: list[CallView]
    inputs: list[PortView]
    outputs: list[PortView]

    @property
    def macro(self) -> str:
        """Start of its macros."""
        return self.symbol.upper()


@dataclass(frozen=True)
class ModelView:
    """A generated pair of files."""

    name: str
    version: str
    source: str
    digest: str
    abi: int
    headers: list[str]
    extensions: list[ExtensionView]
    arena_size: int
    #: Whose arena it is: the model's own, or one that it shares with others.
    arena: str
    arena_section: str
    state_section: str
    state_size: int
    constant_size: int
    constants: list[ConstantView]
    #: Names of the operators that the application brings.
    operators: list[str]
    methods: list[MethodView]
    states: list[StateView] = field(default_factory=list)
    #: Symbols of the arrays that hold the schedules' constants.
    symbols: dict[Buffer, str] = field(default_factory=dict)
    #: Whether the steps' names are emitted.
    step_names: bool = False
    #: Whether the constants' checksums are emitted.
    checksums: bool = False

    @property
    def shares_arena(self) -> bool:
        """Whether the arena is defined elsewhere, for other models too."""
        return self.arena != self.name

    @property
    def busy(self) -> str:
        """What tells that a model runs in the arena."""
        return f"{self.arena}_arena_busy" if self.shares_arena else f"{self.name}_context.busy"

    @property
    def macro(self) -> str:
        """Start of the model's macros."""
        return self.name.upper()
