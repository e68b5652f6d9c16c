# SPDX-License-Identifier: Apache-2.0
"""The counter's classes of instructions are those of the names that objdump prints."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from petite.run.counter import CLASSES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
COUNTER = ROOT / "scripts" / "petite" / "run"
M55 = ("-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard")

CONDITION = "(?:eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?"
#: The first that matches the name without its types decides.
NAMES = [
    ("loop end", r"le|letp"),
    ("branch", rf"(?:b|bl|blx|bx)(?:\.n|\.w)?{CONDITION}|cbn?z|tb[bh]|wls(?:tp)?"),
    ("divide", rf"[su]div{CONDITION}"),
    ("load", r"(?:ldr|ldm|ldmia|lda|pop).*"),
    ("store", r"(?:str|stm|stmia|stl|push).*"),
    ("Helium load", r"vldr[bhwd]t?|vldr[bhwd]e?|vld[24][0-3]"),
    ("Helium store", r"vstr[bhwd][te]?|vst[24][0-3]"),
    ("load", r"vldr|vldm.*|vpop"),
    ("store", r"vstr|vstm.*|vpush"),
    ("Helium arithmetic", r"vctp|vpst[te]*|vpt[te]*|vpnot"),
    ("float", r"vmsr|vmrs"),
]


@dataclass(frozen=True)
class Listed:
    """A line of a disassembly."""

    halves: tuple[int, int]
    name: str
    operands: str

    @property
    def expected(self) -> tuple[str, int]:
        """Class and transfers, from the text."""
        stem = re.sub(r"\.(n|w|[suif]?(8|16|32|64)).*", "", self.name)
        for found, pattern in NAMES:
            if re.fullmatch(pattern, stem):
                return found, self._transfers()
        if not stem.startswith("v"):
            return "scalar", 1
        moves_lanes = stem == "vmov" and re.search(r"q\d\[", self.operands)
        in_vectors = re.search(r"\bq\d", self.operands) and not moves_lanes
        return ("Helium arithmetic" if in_vectors else "float"), 1

    def _transfers(self) -> int:
        if self.name.startswith(("ldrd", "strd")):
            return 2
        if re.search(r"\[(?:\w+, )?q\d", self.operands):
            bits = re.search(r"\d+$", self.name)
            assert bits
            return 128 // int(bits[0])
        registers = re.search(r"\{(.*)\}", self.operands)
        if registers is None or self.name.startswith(("vld2", "vld4", "vst2", "vst4")):
            return 1
        count = 0
        for part in registers[1].split(", "):
            ends = [int(n) for n in re.findall(r"\d+", part)]
            words = 2 if part.startswith("d") else 1
            count += words * (ends[-1] - ends[0] + 1 if len(ends) == 2 else 1)
        return count


def disassembly(path: Path) -> list[Listed]:
    done = subprocess.run(
        ["arm-none-eabi-objdump", "-d", "-marmv8.1-m.main", path],
        capture_output=True,
        text=True,
        check=True,
    )
    listed = []
    for line in done.stdout.splitlines():
        found = re.match(r"\s*[0-9a-f]+:\t([0-9a-f]{4})(?: ([0-9a-f]{4}))?\s*\t(\S+)\t?(.*)", line)
        if found and not found[3].startswith("."):
            operands = re.sub(r"\s*[;@<].*", "", found[4])
            listed.append(Listed((int(found[1], 16), int(found[2] or "0", 16)), found[3], operands))
    return listed


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("classifier") / "classify"
    warnings = ("-Wall", "-Wextra", "-Wconversion", "-Werror")
    command = ["cc", *warnings, f"-I{COUNTER}", "-o", program, HERE / "classes" / "classify.c"]
    subprocess.run(command, check=True)
    return program


def classes_of(classifier: Path, listed: list[Listed]) -> list[tuple[str, int]]:
    text = "".join(f"{first:x} {second:x}\n" for first, second in (i.halves for i in listed))
    done = subprocess.run([classifier], input=text, capture_output=True, text=True, check=True)
    pairs = [line.split() for line in done.stdout.splitlines()]
    return [(CLASSES[int(number)], int(transfers)) for number, transfers in pairs]


def compile_object(source: Path, folder: Path) -> Path:
    made = folder / f"{source.stem}.o"
    include = (f"-I{ROOT}/runtime", f"-I{ROOT}/runtime/include")
    compiler = ["arm-none-eabi-gcc", *M55, "-O2", "-std=gnu11"]
    subprocess.run([*compiler, *include, "-c", source, "-o", made], check=True)
    return made


def test_every_encoding(classifier: Path, tmp_path: Path) -> None:
    listed = disassembly(compile_object(HERE / "classes" / "encodings.S", tmp_path))
    wrong = {
        f"{i.name} {i.operands}": (found, i.expected)
        for i, found in zip(listed, classes_of(classifier, listed), strict=True)
        if found != i.expected
    }
    assert not wrong
    assert {i.expected[0] for i in listed} == set(CLASSES)


def test_every_instruction_of_the_kernels_with_extensions(classifier: Path, tmp_path: Path) -> None:
    kernels = ROOT / "runtime" / "kernels"
    sources = sorted(path for kind in ("mve", "dsp") for path in kernels.glob(f"*/*_{kind}.c"))
    listed = [i for s in sources for i in disassembly(compile_object(s, tmp_path))]
    assert len(listed) > 1500
    wrong = {
        f"{i.name} {i.operands}": (found, i.expected)
        for i, found in zip(listed, classes_of(classifier, listed), strict=True)
        if found != i.expected
    }
    assert not wrong
