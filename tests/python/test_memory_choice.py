# SPDX-License-Identifier: Apache-2.0
"""Which memory constants and activations go to, and what is refused with which words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from petite.cli.main import main
from petite.compile import Options, compile_file
from petite.errors import PetiteError
from petite.placement.memories import MemoryChoice, choose_memories
from petite.targets.catalog import Memory
from petite.targets.memory_map import MemoryMap

ROOT = Path(__file__).resolve().parents[2]
KWS = ROOT / "samples" / "kws" / "model" / "kws.pte"
BOARD = MemoryMap(
    "board",
    "cortex-m55",
    (
        Memory("FLASH", 0x8000000, 1000, "flash", default=True),
        Memory("QSPI", 0x90000000, 5000, "flash"),
        Memory("RAM", 0x20000000, 500, "ram", ("SRAM",), default=True),
        Memory("DTCM", 0x0, 100, "ram"),
    ),
)


def choose(
    *weights: str, defaults: tuple[str, ...] = (), activations: str | None = None
) -> MemoryChoice:
    return choose_memories(BOARD, weights, defaults, activations)


def memory_of(choice: MemoryChoice, name: str) -> str | None:
    memory = choice.for_constant(name)
    return memory.name if memory else None


def refusal(choice: MemoryChoice, constants: dict[str, int], ram: int = 0) -> str:
    with pytest.raises(PetiteError) as caught:
        choice.require_fit(constants, ram)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- rules ----------------------------------------------------------------------------------------


def test_nothing_said() -> None:
    choice = choose()
    assert memory_of(choice, "a_weights") is None
    assert choice.for_activations() is None


def test_all_constants() -> None:
    assert memory_of(choose("DTCM"), "anything") == "DTCM"


def test_last_rule_that_fits_wins() -> None:
    choice = choose("DTCM", "*_weights=RAM", "conv_*=FLASH", "conv_2_*=qspi")
    assert memory_of(choice, "linear_1_bias") == "DTCM"
    assert memory_of(choice, "linear_1_weights") == "RAM"
    assert memory_of(choice, "conv_1_weights") is None
    assert memory_of(choice, "conv_2_weights") == "QSPI"


def test_order_decides_and_not_how_narrow_a_pattern_is() -> None:
    assert memory_of(choose("conv_1_weights=DTCM", "RAM"), "conv_1_weights") == "RAM"


def test_patterns_are_the_shells_and_mind_case() -> None:
    choice = choose("conv_[12]_b?as=DTCM")
    assert memory_of(choice, "conv_1_bias") == "DTCM"
    assert memory_of(choice, "conv_3_bias") is None
    assert memory_of(choice, "conv_1_Bias") is None
    assert memory_of(choice, "my_conv_1_bias") is None


def test_default_flash_is_left_to_the_linker_and_default_ram_is_not() -> None:
    assert memory_of(choose("FLASH"), "a") is None
    assert memory_of(choose("RAM"), "a") == "RAM"
    assert memory_of(choose("sram"), "a") == "RAM"


def test_rules_for_all_models_come_before_those_of_one() -> None:
    choice = choose("b=RAM", "c=FLASH", defaults=("DTCM", "b=QSPI"))
    assert [memory_of(choice, name) for name in "abc"] == ["DTCM", "RAM", None]


def test_spaces_around_a_rule() -> None:
    assert memory_of(choose(" a* = DTCM "), "ab") == "DTCM"


@pytest.mark.parametrize(("name", "wanted"), [("DTCM", "DTCM"), ("sram", None), ("RAM", None)])
def test_activations(name: str, wanted: str | None) -> None:
    memory = choose(activations=name).for_activations()
    assert (memory.name if memory else None) == wanted


# --- what is refused ------------------------------------------------------------------------------


def test_memory_that_the_board_lacks() -> None:
    wrong = ((("a=ITCM",), (), None), ((), ("ITCM",), None), ((), (), "ITCM"))
    for weights, defaults, activations in wrong:
        with pytest.raises(PetiteError, match="has no memory 'ITCM': choose one"):
            choose_memories(BOARD, weights, defaults, activations)


def test_activations_in_flash() -> None:
    wanted = "^activations cannot lie in QSPI of board: it is not RAM$"
    with pytest.raises(PetiteError, match=wanted):
        choose(activations="QSPI")


@pytest.mark.parametrize(
    ("weights", "defaults", "activations"),
    [(("RAM",), (), None), ((), ("RAM",), None), ((), (), "RAM")],
)
def test_no_board(
    weights: tuple[str, ...], defaults: tuple[str, ...], activations: str | None
) -> None:
    wanted = (
        "^weights and activations can be placed only in the memories of a known board: "
        "name it with --memories or --target$"
    )
    with pytest.raises(PetiteError, match=wanted):
        choose_memories(None, weights, defaults, activations)


def test_no_board_and_nothing_to_place() -> None:
    choice = choose_memories(None, (), (), None)
    choice.require_fit({"a": 1 << 40}, 1 << 40)
    assert choice.for_constant("a") is None and choice.for_activations() is None


def test_rule_that_fits_no_constant() -> None:
    choice = choose("conv*=DTCM", "conv_9*=RAM")
    choice.require_use(["conv_1", "conv_91"])
    wanted = (
        "no constant matches 'conv_9*'; 'petite compile --explain', with the same options as the "
        "build, lists the 2 constants, "
        "for example conv_1"
    )
    with pytest.raises(PetiteError, match=f"^{re.escape(wanted)}$"):
        choice.require_use(["conv_1", "linear_2"])


def test_rules_that_need_not_fit() -> None:
    """Those for all constants, for a model may have none, and those for all models."""
    choose("DTCM", "*=RAM", defaults=("conv_9*=RAM",)).require_use([])


# --- what fits ------------------------------------------------------------------------------------


def test_memories_that_are_full_to_the_last_byte() -> None:
    choose().require_fit({"a": 400, "b": 600}, 500)
    choose("b=DTCM", activations="DTCM").require_fit({"a": 950, "b": 50}, 50)


def test_too_many_constants_for_flash() -> None:
    assert refusal(choose(), {"a": 400, "b": 601}) == (
        "the model is too big for board: its constants need 1001 bytes, but memory FLASH has 1000; "
        "use a smaller model, another memory, or a board with more memory"
    )


def test_too_many_activations_for_ram() -> None:
    text = refusal(choose(), {}, 501)
    assert "its activations and states need 501 bytes, but memory RAM has 500;" in text


def test_constants_and_activations_in_one_memory() -> None:
    text = refusal(choose("b=DTCM", activations="DTCM"), {"a": 1, "b": 51}, 50)
    wanted = "its activations and states and constants need 101 bytes, but memory DTCM has 100;"
    assert wanted in text


def test_constants_in_ram_take_flash_as_well() -> None:
    text = refusal(choose("b=RAM"), {"a": 900, "b": 101})
    assert "its constants need 1001 bytes, but memory FLASH has 1000;" in text


def test_constants_in_another_flash_take_no_more() -> None:
    choose("b=QSPI").require_fit({"a": 1000, "b": 5000}, 0)
    text = refusal(choose("b=QSPI"), {"a": 1000, "b": 5001})
    assert "its constants need 5001 bytes, but memory QSPI has 5000;" in text


def test_board_without_flash_holds_constants_once() -> None:
    ram = Memory("RAM", 0x20000000, 500, "ram", default=True)
    choice = choose_memories(MemoryMap("board", "cortex-m4", (ram,)), ("a=RAM",), (), None)
    choice.require_fit({"a": 200, "b": 200}, 100)
    wanted = "activations and states and constants need 501 bytes, but memory RAM has 500"
    assert wanted in refusal(choice, {"a": 201, "b": 200}, 100)


# --- whole models ---------------------------------------------------------------------------------


def kws(*weights: str, activations: str | None = None) -> str:
    """The generated C of the sample's model."""
    options = Options(name="kws", memory_map=_LARGE, weights=weights, activations=activations)
    return compile_file(KWS, options).files["kws.c"]


_LARGE = MemoryMap(
    "large",
    "cortex-m55",
    (
        Memory("FLASH", 0x8000000, 1 << 20, "flash", default=True),
        Memory("RAM", 0x20000000, 1 << 20, "ram", default=True),
        Memory("DTCM", 0x0, 1 << 20, "ram"),
    ),
)


def test_sections_of_generated_code() -> None:
    text = kws("*_weights=DTCM", "*_bias=RAM", activations="DTCM")
    sections = dict(re.findall(r'^static \w+ ?\w* (kws_\w+)\[.*PLACED\("([\w.]+)"', text, re.M))
    assert len(sections) > 20
    for symbol, section in sections.items():
        if symbol == "kws_arena":
            assert section == ".bss.petite_in.DTCM.kws.arena"
        elif symbol.endswith("_weights"):
            assert section == f".petite_in.DTCM.{symbol}"
        elif symbol.endswith("_bias"):
            assert section == f".petite_in.RAM.{symbol}"
        else:
            assert section == f".rodata.petite.{symbol}"


def test_placement_changes_sections_only() -> None:
    def without_sections(text: str) -> str:
        return re.sub(r'PLACED\("[^"]*"', "", text)

    assert kws("DTCM", activations="DTCM") != kws()
    assert without_sections(kws("DTCM", activations="DTCM")) == without_sections(kws())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--weights", "DTCM"], "name it with --memories or --target"),
        (["--activations", "DTCM"], "name it with --memories or --target"),
        (["--target", "ek_ra8d1", "--weights", "x*=DTCM"], "no constant matches 'x*'"),
        (["--target", "mps2_an386", "--weights", "DTCM"], "has no memory 'DTCM': choose one of"),
        (["--target", "mps2_an386", "--activations", "FLASH"], "activations cannot lie in FLASH"),
    ],
)
def test_refusals_on_the_command_line(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", str(KWS), "--output", str(tmp_path / "out"), *options]) == 1
    error = capsys.readouterr().err
    assert error.startswith("petite: error: ") and words in error and error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_rule_without_a_pattern_is_refused() -> None:
    with pytest.raises(PetiteError, match=r"'=DTCM' has no pattern before '='"):
        choose("=DTCM")
