# SPDX-License-Identifier: Apache-2.0
"""Builds the keyword spotter for an emulated core, plays recordings to it, says what it heard.

python samples/kws/run.py [--target qemu-m55] [FILE.wav ...]
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from petite.cli.table import table
from petite.errors import PetiteError
from petite.report.elf_sizes import sizes
from petite.run.qemu import Emulation, emulate
from petite.run.toolchain import find_tool, run_tool
from petite.targets import Target, find_target, target_names

SAMPLE = Path(__file__).resolve().parent
ROOT = SAMPLE.parent.parent
TIMEOUT_S = 900.0


def main() -> int:
    """Build, run, print; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    machines = [name for name in target_names() if name != "host"]
    parser.add_argument("--target", choices=machines, default="qemu-m55")
    parser.add_argument("files", metavar="FILE.wav", nargs="*", type=Path, help="own recordings")
    arguments = parser.parse_args()
    try:
        target = find_target(arguments.target)
        firmware = build(target)
        recordings = arguments.files or shipped_recordings()
        print(f"playing {len(recordings)} recordings to {target.core} ...", flush=True)
        emulation = play(firmware, target, recordings)
    except PetiteError as error:
        print(f"kws: error: {error}", file=sys.stderr)
        return 1
    print("\n".join(line for line in emulation.output.splitlines() if not line.startswith("{")))
    print("\n" + figures(firmware, emulation))
    return 0


def shipped_recordings() -> list[Path]:
    """The recordings of clips.txt."""
    names = (SAMPLE / "clips" / "clips.txt").read_text(encoding="ascii").split()
    return [SAMPLE / "clips" / name for name in names]


def build(target: Target) -> Path:
    """The firmware, built by CMake in build/kws-TARGET."""
    directory = ROOT / "build" / f"kws-{target.name}"
    find_tool("arm-none-eabi-gcc")
    find_tool("ninja")
    configure: list[str | Path] = [find_tool("cmake"), "-G", "Ninja", "-S", SAMPLE, "-B", directory]
    configure += ["--toolchain", ROOT / "cmake" / "arm-none-eabi.cmake"]
    configure += [f"-DPETITE_CPU_FLAGS={' '.join(target.cpu_flags)}"]
    configure += [f"-DPETITE_LINKER_SCRIPT={target.linker_script}"]
    configure += [f"-DPython3_EXECUTABLE={sys.executable}"]
    if not (directory / "build.ninja").is_file():
        print(f"building for {target.core} ...", flush=True)
    for command in (configure, [find_tool("cmake"), "--build", directory]):
        done = run_tool(command)
        if done.status != 0:
            print(done.output, file=sys.stderr)
            raise PetiteError("the firmware does not build; see above")
    return directory / "kws"


def play(firmware: Path, target: Target, recordings: list[Path]) -> Emulation:
    """Let the firmware listen to the recordings, one after the other."""
    with tempfile.TemporaryDirectory(prefix="petite-kws-") as directory:
        work = Path(directory)
        for recording in recordings:
            try:
                shutil.copy(recording, work / recording.name)
            except OSError as error:
                raise PetiteError(f"{recording}: cannot read it ({error.strerror})") from None
        names = "\n".join(recording.name for recording in recordings)
        (work / "clips.txt").write_text(names + "\n", encoding="utf-8")
        return emulate(firmware, target, work, timeout=TIMEOUT_S)


def figures(firmware: Path, emulation: Emulation) -> str:
    """Flash, RAM and instructions as a table."""
    measured = sizes(firmware)
    counts = sorted(count.instructions for count in emulation.counts)
    rows = [
        ("flash", f"{measured.flash:,}", "bytes, of which"),
        ("  model", f"{measured.constants:,}", "bytes of weights and other constants"),
        ("  code", f"{measured.code:,}", "bytes: runtime, front end, application, tables"),
        ("RAM", f"{measured.static_ram + measured.arena:,}", "bytes without stack, of which"),
        ("  arena", f"{measured.arena:,}", "bytes for the model"),
        ("inferences", f"{len(counts):,}", ""),
        ("instructions", f"{counts[len(counts) // 2]:,}", "per inference (median)"),
    ]
    return table(["figure", "value", ""], rows)


if __name__ == "__main__":
    raise SystemExit(main())
