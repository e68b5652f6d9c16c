# SPDX-License-Identifier: Apache-2.0
"""Flashing with Alif's SETOOLS: what is read from the build, written to their folder, and run.

The images are linked by a real toolchain. SETOOLS themselves are third-party programs; scripts
that write down how they were called stand in for them.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

_RUNNERS = Path(__file__).resolve().parents[2] / "scripts" / "west_commands" / "runners"


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, _RUNNERS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


setools_image = _load("setools_image")

_SOURCE = """
    .syntax unified
    .thumb
    .section .vectors, "a"
    .word 0x20001000
    .word start
    .text
    .thumb_func
    .global start
start:
    b start
    .data
    .word 0x12345678
    .bss
    .space 64
"""

#: The data's stored copy is behind the code and leaves a gap, which objcopy has to fill.
_SCRIPT = """
ENTRY(start)
SECTIONS {{
    .bss 0x20000100 (NOLOAD) : {{ *(.bss) }}
    {before}
    .text {origin} : {{ *(.vectors) *(.text) }}
    .data 0x20000000 : AT({origin} + 0x40) {{ *(.data) }}
}}
"""


@dataclass(frozen=True)
class Build:
    elf: Path
    binary: Path


def _link(directory: Path, origin: int = 0x80008000, before: str = "") -> Build:
    source, script = directory / "image.s", directory / "image.ld"
    elf, binary = directory / "zephyr.elf", directory / "zephyr.bin"
    source.write_text(_SOURCE, encoding="utf-8")
    script.write_text(_SCRIPT.format(origin=hex(origin), before=before), encoding="utf-8")
    compiler = ["arm-none-eabi-gcc", "-mcpu=cortex-m55", "-nostdlib", "-Wl,--build-id=none"]
    subprocess.run([*compiler, f"-T{script}", str(source), "-o", str(elf)], check=True)
    subprocess.run(
        ["arm-none-eabi-objcopy", "--gap-fill", "0xff", "-O", "binary", str(elf), str(binary)],
        check=True,
    )
    return Build(elf, binary)


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return _link(tmp_path)


def _program(path: Path, commands: str) -> None:
    path.write_text(f'#!/bin/sh\necho "$(basename "$0") $PWD $*" >> calls\n{commands}\n')
    path.chmod(0o755)


@pytest.fixture
def setools(tmp_path: Path) -> Path:
    folder = tmp_path / "app-release-exec-linux"
    (folder / "build").mkdir(parents=True)
    _program(folder / "app-gen-toc", "date +%s%N > build/AppTocPackage.bin")
    _program(folder / "app-write-mram", "")
    return folder


def _failure(elf: Path, binary: Path) -> str:
    with pytest.raises(setools_image.SetoolsError) as caught:
        setools_image.read_image(elf, binary)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_address_is_that_of_the_first_stored_byte(build: Build) -> None:
    """The RAM segments come first in the file, and are not what is stored first."""
    image = setools_image.read_image(build.elf, build.binary)
    assert (image.address, image.size) == (0x80008000, build.binary.stat().st_size)
    assert image.size == 0x44  # the data's stored copy lies 0x40 behind the start


@pytest.mark.parametrize("origin", [0x0, 0x58000000, 0x7FFFFF00, 0x80580000])
def test_address_outside_mram(tmp_path: Path, origin: int) -> None:
    build = _link(tmp_path, origin)
    message = _failure(build.elf, build.binary)
    assert f"{origin:#010x}" in message and "MRAM" in message


def test_image_that_ends_outside_mram(tmp_path: Path) -> None:
    """The last image that fits, and one that is 16 bytes too high."""
    last = 0x80580000 - 0x44
    assert setools_image.read_image(*_files(_link(tmp_path, last))).address == last
    assert "MRAM" in _failure(*_files(_link(tmp_path, last + 16)))


def _files(build: Build) -> tuple[Path, Path]:
    return build.elf, build.binary


def test_binary_of_another_size(build: Build) -> None:
    build.binary.write_bytes(build.binary.read_bytes()[:-1])
    assert "67 bytes" in _failure(build.elf, build.binary)


@pytest.mark.parametrize(("offset", "where"), [(9, "0x80008000"), (0x43, "0x80008040")])
def test_binary_of_another_build(build: Build, offset: int, where: str) -> None:
    content = bytearray(build.binary.read_bytes())
    content[offset] ^= 1
    build.binary.write_bytes(content)
    assert where in _failure(build.elf, build.binary)


def test_what_fills_gaps_does_not_matter(build: Build) -> None:
    content = bytearray(build.binary.read_bytes())
    assert content[0x20] == 0xFF
    content[0x20] = 0
    build.binary.write_bytes(content)
    assert setools_image.read_image(build.elf, build.binary).address == 0x80008000


def test_image_without_a_vector_table_in_front(tmp_path: Path) -> None:
    build = _link(tmp_path, before=".note 0x80007ff0 : { QUAD(0) }")
    assert "vector table" in _failure(build.elf, build.binary)


def test_files_that_are_no_build(build: Build, tmp_path: Path) -> None:
    assert "cannot be read" in _failure(build.elf, tmp_path / "none.bin")
    assert "cannot be read" in _failure(tmp_path / "none.elf", build.binary)
    assert "ELF" in _failure(build.binary, build.binary)
    empty = tmp_path / "empty.elf"
    empty.write_bytes(b"")
    assert "ELF" in _failure(empty, build.binary)


@pytest.mark.parametrize("cut", [20, 60, 100, 200, 1000])
def test_truncated_elf(build: Build, cut: int) -> None:
    build.elf.write_bytes(build.elf.read_bytes()[:cut])
    assert str(build.elf) in _failure(build.elf, build.binary)


def test_files_for_setools(build: Build, setools: Path) -> None:
    image = setools_image.read_image(build.elf, build.binary)
    config = setools_image.Setools(setools).add("app", image)
    assert config == "build/config/app.json"
    assert json.loads((setools / config).read_text(encoding="utf-8")) == {
        "HP_APP": {
            "binary": "app.bin",
            "version": "1.0.0",
            "mramAddress": "0x80008000",
            "cpu_id": "M55_HP",
            "flags": ["boot"],
            "signed": False,
        }
    }
    assert (setools / "build/images/app.bin").read_bytes() == build.binary.read_bytes()


def test_device_configuration(build: Build, setools: Path) -> None:
    image = setools_image.read_image(build.elf, build.binary)
    tools = setools_image.Setools(setools)
    with pytest.raises(setools_image.SetoolsError, match=r"device\.json"):
        tools.add("app", image, "device.json")
    assert not (setools / "build/images").exists()
    (setools / "build/config").mkdir()
    (setools / "build/config/device.json").write_text("{}")
    table = json.loads((setools / tools.add("app", image, "device.json")).read_text())
    assert list(table) == ["DEVICE", "HP_APP"]
    assert table["DEVICE"]["binary"] == "device.json"


def test_folders_that_are_not_setools(setools: Path, tmp_path: Path) -> None:
    with pytest.raises(setools_image.SetoolsError, match="ALIF_SETOOLS"):
        setools_image.Setools(None)
    with pytest.raises(setools_image.SetoolsError, match="does not exist"):
        setools_image.Setools(tmp_path / "nowhere")
    (setools / "app-write-mram").chmod(0o644)
    with pytest.raises(setools_image.SetoolsError, match="no program app-write-mram"):
        setools_image.Setools(setools)
    (setools / "app-gen-toc").unlink()
    with pytest.raises(setools_image.SetoolsError, match="no program app-gen-toc"):
        setools_image.Setools(setools)


def _zephyr() -> Path | None:
    """A Zephyr tree: $ZEPHYR_BASE, or what CMake's package registry names."""
    if os.environ.get("ZEPHYR_BASE"):
        return Path(os.environ["ZEPHYR_BASE"])
    for entry in sorted((Path.home() / ".cmake/packages/Zephyr").glob("*")):
        package = Path(entry.read_text(encoding="utf-8").strip())
        if (package.parents[2] / "scripts/west_commands/runners/core.py").is_file():
            return package.parents[2]
    return None


#: Does what `west flash -r alif-setools` does with a build: loads the runner by its path, parses
#: arguments, runs it; a RuntimeError is printed and fatal.
_FLASH = """
import argparse, importlib.util, sys
zephyr, runner_file, elf, binary, *arguments = sys.argv[1:]
sys.path.insert(0, zephyr + "/scripts/west_commands")
from runners import get_runner_cls
from runners.core import RunnerConfig
spec = importlib.util.spec_from_file_location("petite.alif_setools", runner_file)
spec.loader.exec_module(importlib.util.module_from_spec(spec))
runner = get_runner_cls("alif-setools")
parser = argparse.ArgumentParser()
runner.add_parser(parser)
config = RunnerConfig("build", "board", elf, None, None, binary, None, None, None)
try:
    runner.create(config, parser.parse_args(arguments)).run("flash")
except RuntimeError as error:
    sys.exit(f"FATAL ERROR: {error}")
"""


@pytest.fixture(scope="module")
def zephyr() -> Path:
    found = _zephyr()
    if found is None:
        pytest.skip("no Zephyr tree: neither ZEPHYR_BASE nor CMake's package registry names one")
    return found


def _flash(zephyr: Path, build: Build, *arguments: str, env: str = "") -> tuple[int, str]:
    runner = str(_RUNNERS / "alif_setools.py")
    command = [sys.executable, "-c", _FLASH, str(zephyr), runner, str(build.elf), str(build.binary)]
    result = subprocess.run(
        [*command, *arguments],
        env={**os.environ, "ALIF_SETOOLS": env},
        cwd=build.elf.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.returncode, result.stderr.strip()


def test_flash_under_zephyr(zephyr: Path, build: Build, setools: Path) -> None:
    assert _flash(zephyr, build, "--setools", str(setools), "--tool-opt=-v") == (0, "")
    assert (setools / "calls").read_text().splitlines() == [
        f"app-gen-toc {setools} -f build/config/petite.json",
        f"app-write-mram {setools} -p -v",
    ]
    assert (setools / "build/images/petite.bin").read_bytes() == build.binary.read_bytes()


def test_folder_from_the_environment(zephyr: Path, build: Build, setools: Path) -> None:
    assert _flash(zephyr, build, env=str(setools)) == (0, "")
    status, message = _flash(zephyr, build)
    assert status == 1 and message.startswith("FATAL ERROR: no SETOOLS folder")


def test_nothing_is_written_without_a_new_package(
    zephyr: Path, build: Build, setools: Path
) -> None:
    (setools / "build/AppTocPackage.bin").write_bytes(b"of another image")
    _program(setools / "app-gen-toc", "echo 'no such device'")
    status, message = _flash(zephyr, build, "--setools", str(setools))
    assert status == 1 and "AppTocPackage.bin" in message.splitlines()[-1]
    assert "app-write-mram" not in (setools / "calls").read_text()


def test_failing_program_stops(zephyr: Path, build: Build, setools: Path) -> None:
    _program(setools / "app-gen-toc", "exit 3")
    status, message = _flash(zephyr, build, "--setools", str(setools))
    assert status == 1 and "status 3" in message
    assert "app-write-mram" not in (setools / "calls").read_text()
