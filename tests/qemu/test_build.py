# SPDX-License-Identifier: Apache-2.0
"""What building says when it cannot, and what it leaves behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from petite.errors import PetiteError
from petite.run import build, sizes
from petite.targets import TARGETS, Target, find_target

ModelMaker = Callable[..., Path]
_LINK = Path(__file__).parents[2] / "runtime" / "platform" / "cortex_m" / "link"
QEMU_TARGETS = [target for target in TARGETS if not target.is_host]
every_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
every_machine = pytest.mark.parametrize("target", QEMU_TARGETS, ids=lambda target: target.name)


@every_machine
def test_catalog_and_linker_script_agree(target: Target) -> None:
    assert target.linker_script is not None
    text = (_LINK / target.linker_script).read_text(encoding="utf-8")
    units = {"K": 1024, "M": 1024 * 1024}
    found = {
        name: (int(base, 16), int(size) * units[unit])
        for name, base, size, unit in re.findall(
            r"(\w+) \(\w+\)\s*: ORIGIN = (0x[0-9a-f]+), LENGTH = (\d+)([KM])", text
        )
    }
    assert found == {memory.name: (memory.base, memory.size) for memory in target.memories}


@every_machine
def test_constants_that_do_not_fit(make_model: ModelMaker, target: Target) -> None:
    needed = 5 * 1024 * 1024
    model = make_model(CONSTANT_BYTES=needed)
    with pytest.raises(PetiteError) as caught:
        build(model, target)
    message = str(caught.value)
    memory = next(memory for memory in target.memories if memory.name == "FLASH")
    assert "\n" not in message
    match = re.search(r"memory FLASH holds (\d+) bytes and (\d+) are needed", message)
    assert match is not None and int(match[1]) == memory.size
    assert needed <= int(match[2]) <= needed + 8192
    assert sorted(path.name for path in model.iterdir()) == ["model.c", "model.h"]


@every_machine
def test_arena_that_does_not_fit(make_model: ModelMaker, target: Target) -> None:
    needed = 5 * 1024 * 1024
    with pytest.raises(PetiteError) as caught:
        build(make_model(ARENA_BYTES=needed), target)
    match = re.search(r"memory (\w+) holds (\d+) bytes and (\d+) are needed", str(caught.value))
    assert match is not None
    memory = next(memory for memory in target.memories if memory.name == match[1])
    assert memory.kind == "ram" and memory.size == int(match[2])
    assert needed <= int(match[3]) <= needed + 32768


@every_target
def test_sizes(make_model: ModelMaker, target: Target) -> None:
    before = sizes(build(make_model(CONSTANT_BYTES=256, ARENA_BYTES=256), target))
    assert before.constants == 256
    assert before.arena == 256
    assert before.flash == before.code + before.constants


@every_machine
def test_sizes_grow_only_where_they_should(make_model: ModelMaker, target: Target) -> None:
    model = make_model(CONSTANT_BYTES=4096, ARENA_BYTES=8192)
    large = sizes(build(model, target))
    text = (model / "model.c").read_text(encoding="utf-8")
    (model / "model.c").write_text(
        text.replace("CONSTANT_BYTES 4096", "CONSTANT_BYTES 1024").replace(
            "ARENA_BYTES 8192", "ARENA_BYTES 512"
        ),
        encoding="utf-8",
    )
    small = sizes(build(model, target))
    assert (large.constants, small.constants) == (4096, 1024)
    assert (large.arena, small.arena) == (8192, 512)
    assert large.code == small.code
    assert large.static_ram == small.static_ram
    assert large.flash - small.flash == 3072


def test_no_model_in_the_firmware(tmp_path: Path) -> None:
    with pytest.raises(PetiteError, match="holds no Petite model"):
        sizes(Path("/bin/true").resolve())
    broken = tmp_path / "broken.elf"
    broken.write_bytes(b"\x7fELF" + bytes(5))
    with pytest.raises(PetiteError, match="not an ELF file"):
        sizes(broken)
    with pytest.raises(PetiteError, match="cannot read"):
        sizes(tmp_path / "missing.elf")


def test_source_that_does_not_compile(make_model: ModelMaker) -> None:
    model = make_model()
    with (model / "model.c").open("a", encoding="utf-8") as file:
        file.write("this is not C;\n")
    with pytest.raises(
        PetiteError, match=r"building for qemu-m4 failed: .*model\.c:\d+:\d+: error"
    ):
        build(model, find_target("qemu-m4"))


@pytest.mark.parametrize(
    ("name", "tool"), [("qemu-m3", "arm-none-eabi-gcc"), ("host", "cc")], ids=["cross", "host"]
)
def test_missing_tool(
    make_model: ModelMaker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, tool: str
) -> None:
    model = make_model()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PetiteError, match=rf"'{tool}' is not installed: on Debian run 'apt-get"):
        build(model, find_target(name))
