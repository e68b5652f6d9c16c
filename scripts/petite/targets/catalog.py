# SPDX-License-Identifier: Apache-2.0
"""The targets that `petite run` knows: the host, and machines that QEMU emulates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from petite.errors import PetiteError

InstructionSet = Literal["scalar", "dsp", "mve"]
#: What a core with each extension can run, best first. Helium includes the DSP extension.
RUNS: dict[InstructionSet, tuple[InstructionSet, ...]] = {
    "scalar": ("scalar",),
    "dsp": ("dsp", "scalar"),
    "mve": ("mve", "dsp", "scalar"),
}
#: "reserved" is neither for constants nor for activations: option bytes, a vector table.
MemoryKind = Literal["flash", "ram", "reserved"]


@dataclass(frozen=True)
class Memory:
    """One memory of a machine, as its linker script has it; base and size in bytes.

    `aliases` are further names for it. `default` marks the one of its kind that takes weights, or
    activations, where nothing else is asked for. `cost` is what reading a byte costs, relative to
    tightly coupled memory; None where only an assumption is known (memory_cost.py).
    """

    name: str
    base: int
    size: int
    kind: MemoryKind
    aliases: tuple[str, ...] = ()
    default: bool = False
    cost: float | None = None


@dataclass(frozen=True)
class Target:
    """What a program is built for and where it runs.

    `instruction_set` is the best that its core has: it decides which kernels codegen names.
    `cpu_flags` go to arm-none-eabi-gcc; an empty tuple stands for the host's own compiler.
    `machine` holds QEMU's arguments that choose the machine, empty for the host.
    `linker_script` is a file of runtime/platform/cortex_m/link, None for the host.
    """

    name: str
    core: str
    instruction_set: InstructionSet
    cpu_flags: tuple[str, ...] = ()
    machine: tuple[str, ...] = ()
    linker_script: str | None = None
    memories: tuple[Memory, ...] = ()

    @property
    def is_host(self) -> bool:
        """Whether programs run as processes of this machine."""
        return not self.machine


_KIB = 1024
_MIB = 1024 * _KIB

# The memories below repeat those of the linker scripts; a test compares the two.
TARGETS: tuple[Target, ...] = (
    Target(name="host", core="host", instruction_set="scalar"),
    Target(
        name="qemu-m55",
        core="Cortex-M55",
        instruction_set="mve",
        cpu_flags=("-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard"),
        machine=("-M", "mps3-an547"),
        linker_script="qemu_m55.ld",
        memories=(
            Memory("ITCM", 0x00000000, 512 * _KIB, "flash"),
            Memory("FLASH", 0x01000000, 2 * _MIB, "flash", default=True),
            Memory("DTCM", 0x20000000, 512 * _KIB, "ram"),
            Memory("SRAM", 0x21000000, 4 * _MIB, "ram", default=True),
            # The board's DDR4, of which a part stands in for external flash.
            Memory("EXTERNAL", 0x60000000, 16 * _MIB, "flash"),
        ),
    ),
    Target(
        name="qemu-m33",
        core="Cortex-M33",
        instruction_set="dsp",
        cpu_flags=("-mcpu=cortex-m33", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"),
        machine=("-M", "mps2-an505"),
        linker_script="qemu_m33.ld",
        memories=(
            Memory("FLASH", 0x10000000, 4 * _MIB, "flash", default=True),
            Memory("RAM", 0x38000000, 4 * _MIB, "ram", default=True),
        ),
    ),
    Target(
        name="qemu-m4",
        core="Cortex-M4",
        instruction_set="dsp",
        cpu_flags=("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"),
        machine=("-M", "mps2-an386"),
        linker_script="qemu_m4.ld",
        memories=(
            Memory("FLASH", 0x00000000, 4 * _MIB, "flash", default=True),
            Memory("RAM", 0x20000000, 4 * _MIB, "ram", default=True),
        ),
    ),
    Target(
        name="qemu-m3",
        core="Cortex-M3",
        instruction_set="scalar",
        cpu_flags=("-mcpu=cortex-m3", "-mthumb", "-mfloat-abi=soft"),
        machine=("-M", "mps2-an385"),
        linker_script="qemu_m3.ld",
        memories=(
            Memory("FLASH", 0x00000000, 4 * _MIB, "flash", default=True),
            Memory("RAM", 0x20000000, 4 * _MIB, "ram", default=True),
        ),
    ),
    Target(
        name="qemu-m0",
        core="Cortex-M0",
        instruction_set="scalar",
        cpu_flags=("-mcpu=cortex-m0", "-mthumb", "-mfloat-abi=soft"),
        # The real nRF51 has 256 KiB of flash and 16 KiB of RAM: too little to compare models on.
        machine=(
            "-M",
            "microbit",
            "-global",
            f"nrf51-soc.flash-size={2 * _MIB}",
            "-global",
            f"nrf51-soc.sram-size={1 * _MIB}",
        ),
        linker_script="qemu_m0.ld",
        memories=(
            Memory("FLASH", 0x00000000, 2 * _MIB, "flash", default=True),
            Memory("RAM", 0x20000000, 1 * _MIB, "ram", default=True),
        ),
    ),
)


def target_names() -> list[str]:
    """Names of all targets, the host first."""
    return [target.name for target in TARGETS]


def instruction_set_of(core: str) -> InstructionSet:
    """The best instruction set that a core such as "Cortex-M55" is made with."""
    match core.lower().removeprefix("cortex-"):
        case "m52" | "m55" | "m85":
            return "mve"
        case "m4" | "m7" | "m33" | "m35p":
            return "dsp"
    return "scalar"


def find_target(name: str) -> Target:
    """The target of that name. Raises PetiteError where there is none."""
    for target in TARGETS:
        if target.name == name:
            return target
    raise PetiteError(f"unknown target '{name}': choose one of {', '.join(target_names())}")
