# SPDX-License-Identifier: Apache-2.0
"""Descriptions of boards' memories: what is read, and what is refused with which words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from petite.cli.main import main
from petite.errors import PetiteError
from petite.targets import find_target
from petite.targets.memory_map import (
    MemoryMap,
    known_boards,
    load_memory_map,
    memory_map_named,
    memory_map_of,
    parse_memory_map,
)

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted((ROOT / "scripts" / "petite" / "targets" / "boards").glob("*.json"))
KWS = ROOT / "samples" / "kws" / "model" / "kws.pte"
#: Memories of boards, by their names for `petite compile --target`, as the boards' manuals and
#: Zephyr's devicetrees have them.
MANUALS = {
    "alif_e8": {
        "ITCM": (0x00000000, 256),
        "SRAM0": (0x02000000, 4096),
        "SRAM1": (0x02400000, 4096),
        "RAM": (0x20000000, 1024),
        "FLASH": (0x80008000, 5632 - 32),
    },
    "ek_ra8d1": {
        "FLASH": (0x02000000, 2016),
        "RAM": (0x22000000, 896),
        "SDRAM": (0x68000000, 65536),
        "ITCM": (0x00000000, 64),
        "DTCM": (0x20000000, 64),
    },
    "mps2_an386": {"FLASH": (0x00000000, 4096), "RAM": (0x20000000, 4096)},
    "mps3_corstone300_an547": {
        "ITCM": (0x10001000, 508),
        "FLASH": (0x11000000, 2048),
        "DTCM": (0x30000000, 512),
        "RAM": (0x31000000, 4096),
        "DDR4": (0x60000000, 262144),
    },
}


def description(**changes: Any) -> dict[str, Any]:
    """A board with a flash, a RAM, and one memory more."""
    data = {
        "board": "board",
        "core": "cortex-m55",
        "memories": [
            {"name": "FLASH", "base": "0x8000000", "size": 1024, "kind": "flash", "default": True},
            {
                "name": "RAM",
                "base": "0x20000000",
                "size": "0x400",
                "kind": "ram",
                "aliases": ["SRAM", "sram0"],
                "default": True,
            },
            {"name": "DTCM", "base": 0, "size": 64, "kind": "ram"},
        ],
    }
    return {**data, **changes}


def changed(index: int, **changes: Any) -> dict[str, Any]:
    """The same with one memory changed."""
    data = description()
    data["memories"][index] |= changes
    return data


# --- what is read ---------------------------------------------------------------------------------


def test_numbers_as_integers_and_as_text() -> None:
    board = parse_memory_map(description())
    assert [(m.name, m.base, m.size) for m in board.memories] == [
        ("FLASH", 0x8000000, 1024),
        ("RAM", 0x20000000, 1024),
        ("DTCM", 0, 64),
    ]
    assert (board.board, board.core) == ("board", "cortex-m55")
    assert board.default("flash").name == "FLASH"
    assert board.default("ram").name == "RAM"


@pytest.mark.parametrize("name", ["RAM", "ram", "SRAM", "Sram", "SRAM0"])
def test_names_and_aliases_in_either_case(name: str) -> None:
    assert parse_memory_map(description()).find(name).name == "RAM"


def test_memory_that_the_board_lacks() -> None:
    wanted = (
        "board board has no memory 'ITCM': choose one of FLASH (1,024 bytes at 0x08000000), "
        "RAM (1,024 bytes at 0x20000000, also SRAM/sram0), DTCM (64 bytes at 0x00000000)"
    )
    with pytest.raises(PetiteError, match=f"^{re.escape(wanted)}$"):
        parse_memory_map(description()).find("ITCM")


def test_reserved_memory_is_none_to_choose() -> None:
    board = parse_memory_map(changed(2, kind="reserved"))
    assert [memory.name for memory in board.usable] == ["FLASH", "RAM"]
    with pytest.raises(PetiteError, match="memory 'DTCM' is reserved: choose one of"):
        board.find("DTCM")


def test_reserved_memory_may_lie_within_another() -> None:
    parse_memory_map(changed(2, kind="reserved", base=0x20000000))


def test_board_without_flash_takes_everything_to_its_ram() -> None:
    data = description()
    del data["memories"][0]
    assert parse_memory_map(data).default("flash").name == "RAM"


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "'board' is missing or of another type"),
        (None, "'board' is missing or of another type"),
        (description(board=1), "'board' is missing or of another type"),
        (description(core=None), "'core' is missing or of another type"),
        (description(memories={}), "'memories' is missing or of another type"),
        (description(memories=["RAM"]), "'name' is missing or of another type"),
        (description(memories=[]), "the default memories must be one ram, and one flash or none"),
        (changed(0, kind="ram"), "the default memories must be one ram, and one flash or none"),
        (changed(1, default=False), "the default memories must be one ram"),
        (changed(2, default=True), "the default memories must be one ram"),
        (changed(0, name="code flash"), "the memory's name 'code flash' is no C identifier"),
        (changed(0, name="0RAM"), "the memory's name '0RAM' is no C identifier"),
        (changed(0, name=""), "the memory's name '' is no C identifier"),
        (changed(0, kind="rom"), "FLASH: kind 'rom' is not one of flash, ram, reserved"),
        (changed(0, base=-1), "'base' is no 32-bit number of bytes: -1"),
        (changed(0, base=1 << 32), "'base' is no 32-bit number of bytes: 4294967296"),
        (changed(0, size=1.5), "'size' is no 32-bit number of bytes: 1.5"),
        (changed(0, size=True), "'size' is no 32-bit number of bytes: True"),
        (changed(0, size=None), "'size' is no 32-bit number of bytes: None"),
        (changed(0, size="010"), "'size' is no 32-bit number of bytes: '010'"),
        (changed(0, aliases=None), "'aliases' is no list of names: None"),
        (changed(0, aliases=[5]), "'aliases' is no list of names: [5]"),
        (changed(0, default="false"), "'default' is neither true nor false: 'false'"),
        (changed(0, size="much"), "much"),
        (changed(2, name="ram"), "two memories are called 'ram'"),
        (changed(2, aliases=["SRAM"]), "two memories are called 'sram'"),
        (changed(2, base=0x20000000 - 63), "memories DTCM and RAM overlap"),
        (changed(2, base=0x20000000 + 1023), "memories RAM and DTCM overlap"),
    ],
)
def test_wrong_description(data: Any, words: str, tmp_path: Path) -> None:
    path = tmp_path / "memories.json"
    path.write_text(json.dumps(data), encoding="ascii")
    with pytest.raises(PetiteError) as caught:
        load_memory_map(path)
    text = str(caught.value)
    assert text.startswith(f"{path}: no memory description: ") and words in text
    assert "\n" not in text


@pytest.mark.parametrize("base", [0x20000000 - 64, 0x20000000 + 1024])
def test_memories_may_touch(base: int) -> None:
    parse_memory_map(changed(2, base=base))


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b'{"board": '])
def test_no_json(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "memories.json"
    path.write_bytes(data)
    with pytest.raises(PetiteError, match="no memory description: ") as caught:
        load_memory_map(path)
    assert "\n" not in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    wanted = "cannot read the memory description \\(No such file or directory\\)"
    with pytest.raises(PetiteError, match=wanted):
        load_memory_map(tmp_path / "memories.json")


# --- boards that are known by name ----------------------------------------------------------------


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_shipped_description(path: Path) -> None:
    board = memory_map_named(path.stem)
    assert isinstance(board, MemoryMap)
    # The board's own name may have qualifiers behind it.
    assert board.board.replace("/", "_").startswith(path.stem)
    assert board.default("flash").kind == "flash" and board.default("ram").kind == "ram"
    for name, (base, kib) in MANUALS.get(path.stem, {}).items():
        memory = board.find(name)
        assert memory.base == base, name
        assert memory.size <= kib * 1024, name
        if name != "FLASH":
            assert memory.size == kib * 1024, name


def test_known_boards() -> None:
    boards = known_boards()
    assert {path.stem for path in BOARDS} <= set(boards)
    assert "qemu-m55" in boards and "host" not in boards
    assert memory_map_named("qemu-m55") == memory_map_of(find_target("qemu-m55"))
    with pytest.raises(
        PetiteError, match=r"unknown board 'nowhere': choose one of qemu-m55, .*\.?"
    ):
        memory_map_named("nowhere")


# --- the command line -----------------------------------------------------------------------------


def test_compile_for_a_board_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compile", str(KWS), "--output", str(tmp_path), "--target", "alif_e8"]
    assert main([*command, "--weights", "conv*=ITCM", "--explain"]) == 0
    table = capsys.readouterr().out
    assert re.search(
        r"^conv2d_\w+_weights +[\d,]+ +[\d,]+ +ITCM +--weights conv\*=ITCM$", table, re.MULTILINE
    )
    assert re.search(r"^linear_\w+_weights +[\d,]+ +[\d,]+ +FLASH +default$", table, re.MULTILINE)
    assert re.search(r"^activations and states +[\d,]+ +[\d,]+ +RAM +default$", table, re.MULTILINE)


def test_compile_with_a_description(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "memories.json"
    path.write_text(json.dumps(description()), encoding="ascii")
    command = ["compile", str(KWS), "--output", str(tmp_path / "out"), "--memories", str(path)]
    assert main(command) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("petite: error: the model is too big for board: its ")
    assert captured.err.count("\n") == 1 and not (tmp_path / "out").exists()


def test_two_boards_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compile", str(KWS), "--target", "alif_e8", "--memories", "x.json"])
    assert "not allowed with argument" in capsys.readouterr().err
