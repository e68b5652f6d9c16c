# SPDX-License-Identifier: Apache-2.0
"""Verification, profile and log on emulated cores, with a real model and its weights in RAM."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from petite.compile import CompiledModel, Options, compile_file
from petite.run.build import repository_root
from petite.run.elf_symbols import Symbols
from petite.run.qemu import emulate
from petite.targets import Target, find_target
from petite.targets.memory_map import memory_map_of

ROOT = repository_root()
RUNTIME = ROOT / "runtime"
KWS = ROOT / "samples" / "kws" / "model" / "kws.pte"
MAIN = Path(__file__).parent / "options" / "main.c"
MARKS = ROOT / "scripts" / "petite" / "run" / "runner" / "marks.c"

#: Instructions of petite_verify() for each byte: twice what GCC 12.2 makes at -Os (12 and 23).
MOST_PER_BYTE = {"qemu-m55": 24, "qemu-m0": 46}


def compiled(target: Target, weights: tuple[str, ...] = ()) -> CompiledModel:
    """The model with all tables, and its weights in these memories."""
    return compile_file(
        KWS,
        Options(
            name="kws",
            memory_map=memory_map_of(target),
            weights=weights,
            step_names=True,
            checksums=True,
        ),
    )


def build(model: CompiledModel, target: Target, directory: Path) -> Path:
    """The firmware."""
    model.write(directory)
    sources = [MAIN, MARKS, directory / "kws.c", *RUNTIME.glob("platform/cortex_m/*.c")]
    sources += [*RUNTIME.glob("executor/*.c"), *RUNTIME.glob("verify/*.c")]
    sources += [RUNTIME / header.replace(".h", "_scalar.c") for header in model.view.headers]
    command = ["arm-none-eabi-gcc", "-std=c11", *target.cpu_flags, "-Os", "-DPETITE_LOG=1"]
    command += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-nostdlib"]
    command += [f"-I{path}" for path in (RUNTIME / "include", RUNTIME, directory)]
    command += [f"-L{RUNTIME / 'platform' / 'cortex_m' / 'link'}", f"-T{target.linker_script}"]
    elf = directory / "firmware.elf"
    command += [*map(str, sources), "-lc", "-lgcc", "-o", str(elf)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return elf


def messages(output: str) -> list[str]:
    """What the log says; ADDRESS stands for a plan's, and nothing for that of no plan."""
    lines = [line for line in output.splitlines() if line.startswith("petite: ")]
    lines = [line.replace("plan 0x00000000: ", "") for line in lines]
    return [re.sub("0x[0-9a-f]{8}", "ADDRESS", line) for line in lines]


@pytest.mark.parametrize(
    ("name", "weights"), [("qemu-m55", ()), ("qemu-m55", ("DTCM",)), ("qemu-m0", ())]
)
def test_log_verification_and_profile(name: str, weights: tuple[str, ...], tmp_path: Path) -> None:
    target = find_target(name)
    model = compiled(target, weights)
    emulation = emulate(build(model, target, tmp_path), target, tmp_path, timeout=60)
    steps = [call.name for call in model.view.methods[0].calls]
    assert messages(emulation.output) == [
        "petite: debug: verified, status 0",
        "petite: debug: smallest -2147483648",
        f"petite: debug: plan ADDRESS: starts, steps {len(steps)}",
        "petite: debug: plan ADDRESS: ends, status 0",
        *(f"petite: debug: {step} 1" for step in steps),
        "petite: error: plan ADDRESS: no clock, or ticks of too few steps, capacity "
        f"{len(steps) - 1}",
    ]
    per_byte = emulation.counts[0].instructions / model.view.constant_size
    assert 4 < per_byte < MOST_PER_BYTE[name]


@pytest.mark.parametrize("weights", [(), ("DTCM",)])
@pytest.mark.parametrize("index", [0, 20, -1])
def test_a_damaged_constant_is_found(weights: tuple[str, ...], index: int, tmp_path: Path) -> None:
    """One bit is flipped in what goes to flash."""
    target = find_target("qemu-m55")
    model = compiled(target, weights)
    elf = build(model, target, tmp_path)
    constant = model.view.constants[index]
    flip_last_bit(elf, constant.symbol, constant.size)
    output = emulate(elf, target, tmp_path, timeout=60).output
    assert messages(output) == [
        "petite: debug: verified, status -5",
        f"petite: error: corrupt constant {index % len(model.view.constants)}",
    ]


def flip_last_bit(elf: Path, symbol: str, size: int) -> None:
    """Change the last byte of an object in the file."""
    last = Symbols(elf).address(symbol) + size - 1
    with elf.open("rb+") as file:
        section = next(
            s
            for s in ELFFile(file).iter_sections()
            if s["sh_type"] == "SHT_PROGBITS" and 0 <= last - s["sh_addr"] < s["sh_size"]
        )
        file.seek(section["sh_offset"] + last - section["sh_addr"])
        byte = file.read(1)[0]
        file.seek(-1, 1)
        file.write(bytes([byte ^ 0x80]))
