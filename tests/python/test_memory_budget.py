# SPDX-License-Identifier: Apache-2.0
"""What goes into fast memory within a budget, what an inference moves, and what is refused."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graph_maker import GraphMaker, schedules_of
from petite.cli.main import main
from petite.compile import Options, compile_file
from petite.errors import PetiteError
from petite.ir.schedule import Buffer, KernelCall, Role
from petite.placement.budget import UNIT, Budget, Item, fill_budgets, gain, parse_budgets
from petite.placement.traffic import activation_reads, constant_reads, traffic_of
from petite.targets import InstructionSet
from petite.targets.catalog import Memory
from petite.targets.memory_cost import memory_costs
from petite.targets.memory_map import MemoryMap, memory_map_named, parse_memory_map

ROOT = Path(__file__).resolve().parents[2]
KWS = ROOT / "samples" / "kws" / "model" / "kws.pte"
FLASH = Memory("FLASH", 0x8000000, 1 << 20, "flash", default=True)
ROM = Memory("ITCM", 0x0, 1 << 12, "flash")
RAM = Memory("RAM", 0x20000000, 1 << 27, "ram", ("SRAM",), default=True)
DTCM = Memory("DTCM", 0x10000000, 1 << 12, "ram")
SDRAM = Memory("DRAM", 0x60000000, 1 << 20, "ram")
BOARD = MemoryMap("board", "cortex-m55", (FLASH, ROM, RAM, DTCM, SDRAM))
COSTS = memory_costs(BOARD)


# --- what memories cost -----------------------------------------------------------------------


def test_assumed_costs_follow_the_kind_of_memory() -> None:
    assert COSTS == {FLASH: 4, ROM: 1, RAM: 2, DTCM: 1, SDRAM: 8}
    alif = {m.name: cost for m, cost in memory_costs(memory_map_named("alif_e8")).items()}
    # Its flash has an address of the range for external RAM, and its RAM is tightly coupled.
    assert (alif["FLASH"], alif["RAM"], alif["SRAM0"]) == (4, 1, 2)
    # External memory, whatever it is made of.
    emulated = {m.name: cost for m, cost in memory_costs(memory_map_named("qemu-m55")).items()}
    assert (emulated["FLASH"], emulated["EXTERNAL"]) == (4, 8)


def test_costs_are_corrected_by_the_description_and_then_by_the_user() -> None:
    entry = {"name": "RAM", "base": 0, "size": 64, "kind": "ram", "default": True, "cost": 3.5}
    board = parse_memory_map({"board": "b", "core": "cortex-m4", "memories": [entry]})
    (ram,) = board.memories
    assert memory_costs(board) == {ram: 3.5}
    assert memory_costs(board, ("ram=5",)) == {ram: 5}


@pytest.mark.parametrize("cost", [0, -1, "2", True, float("inf")])
def test_a_description_with_an_odd_cost_is_refused(cost: object) -> None:
    entry = {"name": "RAM", "base": 0, "size": 64, "kind": "ram", "default": True, "cost": cost}
    with pytest.raises(ValueError, match="RAM: 'cost' is no positive number"):
        parse_memory_map({"board": "b", "core": "cortex-m4", "memories": [entry]})


@pytest.mark.parametrize("text", ["RAM", "RAM=", "RAM=0", "RAM=-1", "RAM=fast", "RAM=nan"])
def test_an_odd_cost_is_refused(text: str) -> None:
    with pytest.raises(PetiteError, match=f"'{text}' is no memory's cost; write, for example, RAM"):
        memory_costs(BOARD, (text,))


# --- budgets ----------------------------------------------------------------------------------


def test_budgets_in_bytes_and_larger_units() -> None:
    texts = ("dtcm", "sram=2K", "ITCM = 16")
    assert parse_budgets(BOARD, texts) == [Budget(DTCM, 4096), Budget(RAM, 2048), Budget(ROM, 16)]


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("DTCM=x",), "'DTCM=x' is no budget; write, for example, DTCM=65536 or DTCM=64K"),
        (("DTCM=-1",), "'DTCM=-1' is no budget"),
        (("DTCM=1M",), "'DTCM=1M': DTCM has 4096 bytes"),
        (("DTCM=1", "dtcm"), "'dtcm': DTCM has a budget already"),
        (("TCM=1",), "board board has no memory 'TCM'"),
    ],
)
def test_odd_budgets_are_refused(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(PetiteError, match=re.escape(message)):
        parse_budgets(BOARD, texts)


def items(*pairs: tuple[int, int]) -> list[Item]:
    return [Item(f"c{i}", size, moved, FLASH) for i, (size, moved) in enumerate(pairs)]


def saved(chosen: dict[str, Memory], of: list[Item]) -> float:
    return sum(gain(item, chosen[item.name], COSTS) for item in of if item.name in chosen)


def test_the_choice_is_the_best_of_all_subsets() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        pairs = zip(rng.integers(1, 400, 9), rng.integers(0, 5000, 9), strict=True)
        of = items(*((int(size), int(moved)) for size, moved in pairs))
        budget = Budget(DTCM, int(rng.integers(0, 1500)))
        chosen = fill_budgets(of, [budget], COSTS)
        fitting = [
            sum(gain(item, DTCM, COSTS) for item in subset)
            for count in range(len(of) + 1)
            for subset in itertools.combinations(of, count)
            if sum(-(-item.size // UNIT) * UNIT for item in subset) <= budget.size
        ]
        assert saved(chosen, of) == max(fitting)
        taken = sum(-(-item.size // UNIT) * UNIT for item in of if item.name in chosen)
        assert taken <= budget.size


def test_bytes_for_bytes_is_not_always_best() -> None:
    # One byte of the small one saves more, but then the large one has no room.
    of = items((64, 100), (1024, 1000))
    assert list(fill_budgets(of, [Budget(DTCM, 1024)], COSTS)) == ["c1"]


def test_a_problem_too_large_for_a_table_is_solved_by_ratio() -> None:
    of = items(*((1 << 20, 100 + i) for i in range(200)))
    chosen = fill_budgets(of, [Budget(RAM, RAM.size)], COSTS)
    assert sorted(chosen) == sorted(f"c{i}" for i in range(72, 200))


def test_what_would_gain_nothing_stays() -> None:
    of = [*items((16, 0)), Item("there", 16, 100, DTCM), Item("same", 16, 100, ROM)]
    assert fill_budgets(of, [Budget(DTCM, 4096)], COSTS) == {}


def test_the_arena_does_not_go_to_flash_and_the_fastest_budget_is_filled_first() -> None:
    arena = Item("arena", 1024, 900, RAM, needs_ram=True)
    of = [*items((1024, 500), (1024, 400)), arena]
    budgets = [Budget(RAM, 1024), Budget(ROM, 1024)]
    assert fill_budgets(of, budgets, COSTS) == {"c0": ROM, "c1": RAM}
    assert fill_budgets(of, [Budget(DTCM, 1024)], COSTS) == {"c0": DTCM}
    assert fill_budgets([arena], [Budget(DTCM, 1024)], COSTS) == {"arena": DTCM}


# --- what an inference moves ------------------------------------------------------------------


def constant(call: KernelCall, name: str) -> int:
    """Bytes of one of a call's constants that it reads."""
    (found,) = {r.buffer for r in call.refs() if r.buffer.name.endswith(name)}
    assert found.role is Role.CONSTANT
    return constant_reads(call, found)


def operand(call: KernelCall) -> Buffer:
    return call.reads[0].buffer


def only_call(make: GraphMaker, kernel: str, cpu: InstructionSet = "scalar") -> KernelCall:
    make.output(make.graph.ops[-1].output, (0, 2, 3, 1))
    (schedule,) = schedules_of(make.graph, instruction_set=cpu)
    (call,) = [call for call in schedule.calls if call.kernel == kernel]
    return call


def image() -> GraphMaker:
    make = GraphMaker()
    make.input((2, 16, 7, 9), layout=(0, 2, 3, 1))
    return make


def test_a_convolution_reads_its_weights_for_each_pixel_or_pair() -> None:
    for cpu, pixels, blocks in (("scalar", 2 * 5 * 7, 8), ("dsp", 35, 2), ("mve", 35, 2)):
        make = image()
        make.conv2d(make.graph.inputs[0], 8)
        call = only_call(make, "conv2d_s8", cpu)  # type: ignore[arg-type]
        name = "packed" if cpu == "dsp" else "weights"
        (weights,) = {r.buffer for r in call.refs() if r.buffer.name.endswith(name)}
        assert constant_reads(call, weights) == pixels * weights.size
        assert weights.size >= 8 * 9 * 16
        assert activation_reads(call, operand(call)) == 2 * 5 * 7 * 9 * 16 * blocks


def test_a_depthwise_convolution() -> None:
    for cpu in ("scalar", "mve"):
        make = image()
        make.depthwise(make.graph.inputs[0])
        call = only_call(make, "depthwise_conv2d_s8", cpu)  # type: ignore[arg-type]
        assert activation_reads(call, operand(call)) == 2 * 5 * 7 * 9 * 16
        if cpu == "scalar":
            assert constant(call, "weights") == 2 * 5 * 7 * 9 * 16


def test_a_linear_layer_reads_its_weights_for_each_row() -> None:
    make = GraphMaker()
    make.output(make.linear(make.input((3, 32)), 20))
    (schedule,) = schedules_of(make.graph)
    (call,) = schedule.calls
    assert constant(call, "weights") == 3 * 20 * 32
    assert activation_reads(call, operand(call)) == 3 * 32 * 20


def test_a_table_is_read_once_an_element_and_all_else_once() -> None:
    make = GraphMaker()
    x = make.lut(make.input((3, 32)))
    make.output(make.add(x, x))
    (schedule,) = schedules_of(make.graph)
    lut, add = schedule.calls
    assert constant(lut, "table") == 3 * 32
    assert activation_reads(add, operand(add)) == 3 * 32
    # Each element is read and written by the table, and read (as two operands or one) and written.
    assert traffic_of([schedule]).ram == sum(
        sum(r.buffer.size for r in call.reads) + call.write.size for call in schedule.calls
    )
    assert set(traffic_of([schedule]).functions) == {lut.symbol, add.symbol}


# --- the compiler -----------------------------------------------------------------------------


def test_the_generated_code_has_what_gains_most_there(tmp_path: Path) -> None:
    board = memory_map_named("qemu-m55")
    options = Options(int8_io=True, instruction_set="mve", memory_map=board, budgets=("DTCM=19K",))
    model = compile_file(KWS, options)
    placed = {c.symbol: c.size for c in model.view.constants if "petite_in.DTCM" in c.section}
    # The weights of four pointwise layers, which are read for each pair of pixels, nearly fill the
    # budget; the arena would take half of it, and save less.
    large = [symbol for symbol, size in placed.items() if size > 1000]
    assert len(large) == 4 and all("pointwise_conv2d" in symbol for symbol in large)
    assert model.view.arena_section.startswith(".bss.petite.")
    more = compile_file(KWS, Options(**{**vars(options), "budgets": ("DTCM=40K",)}))
    assert ".petite_in.DTCM." in more.view.arena_section


def test_rules_of_the_user_come_first_and_those_of_the_build_do_not() -> None:
    board = memory_map_named("qemu-m55")
    weights = ("pointwise_conv2d_s8_2_weights=FLASH",)
    base = Options(
        int8_io=True, memory_map=board, instruction_set="mve", budgets=("DTCM",), weights=weights
    )
    model = compile_file(KWS, Options(**{**vars(base), "default_weights": ("SRAM",)}))
    where = {c.symbol.removeprefix("model_"): c.section for c in model.view.constants}
    assert where["pointwise_conv2d_s8_2_weights"].startswith(".rodata.petite.")
    assert where["pointwise_conv2d_s8_4_weights"].startswith(".petite_in.DTCM.")
    pinned = compile_file(KWS, Options(**{**vars(base), "activations": "SRAM"}))
    assert ".petite_in." not in pinned.view.arena_section


def test_explain_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["compile", str(KWS), "--output", str(tmp_path), "--int8-io", "--target", "qemu-m55"]
    command += ["--budget", "DTCM=19K", "--weights", "linear*=SRAM", "--memory-cost", "FLASH=6"]
    assert main([*command, "--explain"]) == 0
    printed = capsys.readouterr().out
    weights = r"^pointwise_conv2d_s8_\d_weights +[\d,]+ +([\d,]+) +DTCM +budget: saves ([\d,]+)$"
    for moved, gained in re.findall(weights, printed, re.MULTILINE):
        assert int(gained.replace(",", "")) == 5 * int(moved.replace(",", ""))
    assert len(re.findall(weights, printed, re.MULTILINE)) == 4
    assert re.search(r"^linear\S+ +\d+ +\d+ +SRAM +--weights linear\*=SRAM$", printed, re.MULTILINE)
    assert re.search(r"FLASH +default; DTCM has no room \(would save [\d,]+\)$", printed, re.M)
    found = re.search(r"are ([\d,]+); without the budget ([\d,]+)$", printed, re.MULTILINE)
    assert found and int(found[1].replace(",", "")) < int(found[2].replace(",", ""))
    assert "By a model, which measures nothing" in printed
    assert re.search(r"^petite_pointwise_conv2d_s8_mve +[\d,]+$", printed, re.MULTILINE)


@pytest.mark.parametrize("option", [("--budget", "DTCM"), ("--memory-cost", "DTCM=1")])
def test_without_a_board_they_are_refused(
    option: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compile", str(KWS), "--output", str(tmp_path / "out"), *option]) == 1
    assert "name the board with --memories or --target" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_shared_arena_stays_where_its_owner_puts_it() -> None:
    options = Options(memory_map=memory_map_named("qemu-m55"), budgets=("DTCM",))
    moved = compile_file(KWS, options).memories.for_activations()
    assert moved is not None and moved.name == "DTCM"
    shared = compile_file(KWS, replace(options, arena="shared"))
    assert shared.memories.for_activations() is None
