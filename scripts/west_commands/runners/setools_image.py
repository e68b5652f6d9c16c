# SPDX-License-Identifier: Apache-2.0
"""What Alif's SETOOLS have to be told about a firmware image.

The secure enclave starts a core at the address that the image's entry in the boot table (ATOC)
names. If that is not the address which the image was linked for, nothing starts and nothing says
why; so the address is taken from the linked ELF file, and the binary is compared with it.

Nothing here needs Zephyr.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: The Ensemble E8's MRAM, where images start: first byte, and first byte behind it.
MRAM_START = 0x80000000
MRAM_END = MRAM_START + 5632 * 1024


class SetoolsError(RuntimeError):
    """Why nothing can be flashed, in one line. West prints a RuntimeError without a trace."""


@dataclass(frozen=True)
class Image:
    """A firmware image: `size` bytes of the file `binary`, to be put at `address`."""

    binary: Path
    address: int
    size: int


def read_image(elf: Path, binary: Path) -> Image:
    """The image in `binary`, with the address for which `elf`, of the same build, was linked.

    Raises SetoolsError if either cannot be read, if they do not hold the same bytes, if the image
    does not start with a vector table, or if it does not lie in MRAM.
    """
    content = _read(binary)
    entry, chunks = _stored_chunks(elf)
    address = min(start for start, _ in chunks)
    if not MRAM_START <= address < MRAM_END or address + len(content) > MRAM_END:
        raise SetoolsError(
            f"{elf}: loads {len(content)} bytes at {address:#010x}, which is not inside MRAM "
            f"({MRAM_START:#010x} to {MRAM_END - 1:#010x}): build for board alif_e8"
        )
    _compare(elf, binary, content, chunks, address)
    if content[4:8] != entry.to_bytes(4, "little"):
        raise SetoolsError(
            f"{elf}: does not start with a vector table (second word {content[4:8].hex()}, entry "
            f"{entry:#010x}): the core would not find its first instruction"
        )
    return Image(binary, address, len(content))


def boot_table(name: str, image: Image, device_config: str | None = None) -> dict[str, Any]:
    """The configuration for app-gen-toc: start core RTSS-HP in `image`, stored as `name`.bin.

    `device_config` names a file in SETOOLS' build/config with clocks and firewalls; without it,
    the device keeps those that it has.
    """
    table: dict[str, Any] = {}
    if device_config is not None:
        table["DEVICE"] = {"binary": device_config, "version": "0.5.00", "signed": True}
    table["HP_APP"] = {
        "binary": f"{name}.bin",
        "version": "1.0.0",
        "mramAddress": f"{image.address:#010x}",
        "cpu_id": "M55_HP",
        "flags": ["boot"],
        "signed": False,
    }
    return table


class Setools:
    """An unpacked SETOOLS folder.

    Its programs read build/images and build/config below that folder, and are run from there.
    """

    def __init__(self, folder: Path | None) -> None:
        """Raises SetoolsError if `folder` is None, is no folder, or lacks one of the programs."""
        if folder is None:
            raise SetoolsError(
                "no SETOOLS folder: pass --setools DIR, or set ALIF_SETOOLS, to the folder that "
                "has app-gen-toc and app-write-mram"
            )
        self.folder = folder.expanduser().resolve()
        if not self.folder.is_dir():
            raise SetoolsError(f"SETOOLS folder {folder} does not exist")
        self.app_gen_toc = self._program("app-gen-toc")
        self.app_write_mram = self._program("app-write-mram")
        self.package = self.folder / "build" / "AppTocPackage.bin"

    def add(self, name: str, image: Image, device_config: str | None = None) -> str:
        """Copies the image and writes its configuration, whose path in the folder is returned.

        Raises SetoolsError if `device_config` is not in build/config.
        """
        images = self.folder / "build" / "images"
        configs = self.folder / "build" / "config"
        if device_config is not None and not (configs / device_config).is_file():
            raise SetoolsError(f"{configs} has no {device_config}: take it from SETOOLS' examples")
        images.mkdir(parents=True, exist_ok=True)
        configs.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(image.binary, images / f"{name}.bin")
        text = json.dumps(boot_table(name, image, device_config), indent=4)
        (configs / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        return f"build/config/{name}.json"

    def package_stamp(self) -> int | None:
        """Changes when app-gen-toc writes its package; None while there is none."""
        return self.package.stat().st_mtime_ns if self.package.is_file() else None

    def _program(self, name: str) -> Path:
        found = shutil.which(name, path=str(self.folder))
        if found is None:
            raise SetoolsError(
                f"SETOOLS folder {self.folder} has no program {name}: choose the folder that "
                "app-release-exec unpacks to"
            )
        return Path(found)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SetoolsError(f"{path}: cannot be read ({error.strerror}): build first") from error


def _stored_chunks(elf: Path) -> tuple[int, list[tuple[int, bytes]]]:
    """The entry address, and (address in the image, bytes) of all that the image stores."""
    try:
        from elftools.common.exceptions import ELFError
        from elftools.elf.elffile import ELFFile
    except ImportError as error:
        raise SetoolsError(
            "Python package pyelftools is missing: pip install pyelftools"
        ) from error
    _read(elf)
    with elf.open("rb") as stream:
        try:
            file = ELFFile(stream)
            chunks = list(_loaded_sections(file))
            entry: int = file.header["e_entry"]
        except (ELFError, ValueError, KeyError) as error:
            raise SetoolsError(f"{elf}: is no usable ELF file ({error}): build again") from error
    if not chunks:
        raise SetoolsError(f"{elf}: has nothing to store in MRAM: build again")
    return entry, chunks


def _loaded_sections(file: Any) -> Iterator[tuple[int, bytes]]:
    """Sections, not segments: what fills the gaps between sections is objcopy's choice."""
    segments = [s for s in file.iter_segments(type="PT_LOAD") if s["p_filesz"] > 0]
    for section in file.iter_sections():
        in_memory = section["sh_flags"] & 2  # SHF_ALLOC
        if not in_memory or section["sh_type"] == "SHT_NOBITS" or section["sh_size"] == 0:
            continue
        for segment in segments:
            distance = section["sh_offset"] - segment["p_offset"]
            if distance >= 0 and distance + section["sh_size"] <= segment["p_filesz"]:
                yield segment["p_paddr"] + distance, section.data()
                break


def _compare(
    elf: Path, binary: Path, content: bytes, chunks: list[tuple[int, bytes]], address: int
) -> None:
    """Raises SetoolsError unless `content`, from `address` on, is what `chunks` say."""
    end = max(start + len(data) for start, data in chunks) - address
    if end != len(content):
        raise SetoolsError(
            f"{binary}: has {len(content)} bytes, but {elf} loads {end}: build both again"
        )
    for start, data in chunks:
        offset = start - address
        if content[offset : offset + len(data)] != data:
            raise SetoolsError(
                f"{binary}: does not hold what {elf} loads at {start:#010x}: build both again"
            )
