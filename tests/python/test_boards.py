# SPDX-License-Identifier: Apache-2.0
"""Boards that the Zephyr module carries, and its snippet: what can be checked without Zephyr.

Devicetree sources are preprocessed and parsed. Zephyr's own headers are not at hand, so the few
things that are used of them are written out here.
"""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import kconfiglib
import pytest
import yaml
from devicetree.dtlib import DT, Node

ROOT = Path(__file__).resolve().parents[2]
BOARD = ROOT / "boards" / "alif" / "alif_e8"
SOC = ROOT / "soc" / "alif" / "petite_e8_hp"
SNIPPET = ROOT / "zephyr" / "snippets" / "petite"

KIB, MIB = 1024, 1024 * 1024

_ZEPHYR_HEADERS = {
    "arm/armv8.1-m.dtsi": """
        / {
            #address-cells = <1>;
            #size-cells = <1>;
            chosen { };
            soc {
                #address-cells = <1>;
                #size-cells = <1>;
                ranges;
                nvic: interrupt-controller@e000e100 { reg = <0xe000e100 0xc00>; };
            };
        };""",
    "freq.h": "#define DT_FREQ_M(x) ((x) * 1000 * 1000)",
    "mem.h": "#define DT_SIZE_K(x) ((x) * 1024)\n#define DT_SIZE_M(x) ((x) * 1024 * 1024)",
    "zephyr/dt-bindings/memory-attr/memory-attr-arm.h": "#define DT_MEM_ARM(x) x\n"
    "#define ATTR_MPU_RAM 1\n",
}

#: Stand-ins for upstream's descriptions: the labels that an overlay of the snippet refers to.
_UPSTREAM = {
    "ek_ra8d1.overlay": "sdram1: sdram@68000000 { reg = <0x68000000 0x4000000>; };",
    "mps3_corstone300.overlay": """
        itcm: itcm@10000000 { reg = <0x10000000 0x80000>; };
        sram: sram@11000000 { reg = <0x11000000 0x200000>; zephyr,memory-region = "SRAM"; };
        dtcm: dtcm@30000000 { reg = <0x30000000 0x80000>; };
        isram: sram@31000000 { reg = <0x31000000 0x400000>; };""",
    "mps4_corstone320_fvp.overlay": """
        itcm: itcm@10000000 { reg = <0x10000000 0x8000>; };
        dtcm: dtcm@30000000 { reg = <0x30000000 0x8000>; };
        ddr4: memory@70000000 { reg = <0x70000000 0x10000000>; };""",
}


def _parse(source: Path, directory: Path) -> DT:
    """A devicetree source, preprocessed as Zephyr does it."""
    for name, text in _ZEPHYR_HEADERS.items():
        header = directory / "zephyr" / name
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(text, encoding="utf-8")
    includes = [f"-I{directory / 'zephyr'}", f"-I{ROOT / 'dts/arm'}"]
    command = ["gcc", "-E", "-P", "-x", "assembler-with-cpp", "-nostdinc", *includes, str(source)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stderr == ""
    preprocessed = directory / "board.dts"
    preprocessed.write_text(result.stdout, encoding="utf-8")
    return DT(str(preprocessed))


def _parse_overlay(name: str, directory: Path, more: str = "") -> DT:
    """An overlay of the snippet, over what it needs from upstream, and `more`."""
    source = directory / "overlaid.dts"
    source.write_text(
        f"/dts-v1/;\n#include <mem.h>\n#include <arm/armv8.1-m.dtsi>\n"
        f'/ {{ {_UPSTREAM[name]} {more} }};\n#include "{SNIPPET / "boards" / name}"\n',
        encoding="utf-8",
    )
    return _parse(source, directory)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> DT:
    return _parse(BOARD / "alif_e8.dts", tmp_path_factory.mktemp("dts"))


def _range(node: Node) -> tuple[int, int]:
    """Base and size of a node, in bytes."""
    base, size = node.props["reg"].to_nums()
    return base, size


def _chosen(dt: DT, name: str) -> Node:
    return dt.get_node("/chosen").props[name].to_path()


def _regions(dt: DT) -> dict[str, tuple[int, int]]:
    """Ranges of the memory regions that a linker script gets, by their names."""
    regions = {}
    for node in dt.node_iter():
        if "zephyr,memory-region" in node.props:
            name = node.props["zephyr,memory-region"].to_string()
            assert name not in regions
            assert "zephyr,memory-region" in node.props["compatible"].to_strings()
            regions[name] = _range(node)
    return regions


def _assert_apart(ranges: list[tuple[int, int]]) -> None:
    ordered = sorted(ranges)
    for (base, size), (following, _) in itertools.pairwise(ordered):
        assert base + size <= following


def test_memories_of_alif_e8(board: DT) -> None:
    regions = _regions(board)
    assert regions == {
        "ITCM": (0x00000000, 256 * KIB),
        "SRAM0": (0x02000000, 4 * MIB),
        "SRAM1": (0x02400000, 4 * MIB),
    }
    ram, flash = _range(_chosen(board, "zephyr,sram")), _range(_chosen(board, "zephyr,flash"))
    assert ram == (0x20000000, 1024 * KIB)
    assert flash == (0x80000000, 5632 * KIB)
    _assert_apart([*regions.values(), ram, flash])


def test_image_of_alif_e8_starts_where_the_boot_table_says(board: DT) -> None:
    """0x80008000 is also what the SETOOLS runner finds in a linked image, and its limits agree."""
    flash, size = _range(_chosen(board, "zephyr,flash"))
    offset, length = _range(_chosen(board, "zephyr,code-partition"))
    assert flash + offset == 0x80008000
    assert offset + length <= size
    limits = (ROOT / "scripts/west_commands/runners/setools_image.py").read_text(encoding="utf-8")
    assert f"MRAM_START = 0x{flash:x}\n" in limits
    assert f"MRAM_END = MRAM_START + {size // 1024} * 1024\n" in limits


def test_console_of_alif_e8(board: DT) -> None:
    uart = _chosen(board, "zephyr,console")
    assert uart.props["compatible"].to_strings() == ["ns16550"]
    assert _range(uart) == (0x4901C000, 0x1000)
    assert uart.props["interrupts"].to_nums()[0] == 128
    clock, speed = uart.props["clock-frequency"].to_num(), uart.props["current-speed"].to_num()
    sixteenths = round(clock / speed)
    assert uart.props["dlf"].to_num() == sixteenths % 16
    assert uart.props["reg-shift"].to_num() == 2


def _pad_registers(board: DT) -> dict[int, int]:
    """Address and value that pinctrl_soc.h and pinctrl.c make of the console's pads."""
    binding = _yaml(ROOT / "dts/bindings/pinctrl/petite,e8-pinctrl.yaml")
    strength = binding["child-binding"]["child-binding"]["properties"]["drive-strength"]
    state = _chosen(board, "zephyr,console").props["pinctrl-0"].to_nodes()[0]
    base, _ = _range(state.parent)
    registers = {}
    for pad in state.nodes.values():
        port, pin = pad.props["pad"].to_nums()
        chosen = pad.props.get("drive-strength")
        milliamperes = chosen.to_num() if chosen else strength["default"]
        value = pad.props["function"].to_num()
        value |= ("input-enable" in pad.props) << 16
        value |= strength["enum"].index(milliamperes) << 21
        registers[base + 32 * port + 4 * pin] = value
    return registers


def test_pads_of_the_console(board: DT) -> None:
    """P12_1 is the receiver, P12_2 the transmitter; values as Alif's own software writes them."""
    assert _pad_registers(board) == {0x1A603184: 0x210002, 0x1A603188: 0x200002}


def test_pads_use_what_the_binding_declares(board: DT) -> None:
    pads = _yaml(ROOT / "dts/bindings/pinctrl/petite,e8-pinctrl.yaml")["child-binding"]
    declared = pads["child-binding"]["properties"]
    required = {name for name, about in declared.items() if about.get("required")}
    state = _chosen(board, "zephyr,console").props["pinctrl-0"].to_nodes()[0]
    for pad in state.nodes.values():
        assert required <= set(pad.props) <= set(declared)


def test_names_clash_with_no_other_description() -> None:
    """Our compatibles, SoC and board have names that neither Zephyr nor Alif's fork uses."""
    bindings = [_yaml(path) for path in (ROOT / "dts" / "bindings").rglob("*.yaml")]
    assert bindings and all(b["compatible"].startswith("petite,") for b in bindings)
    prefixes = (ROOT / "dts/bindings/vendor-prefixes.txt").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in prefixes.splitlines() if not line.startswith("#")]
    assert [(len(line), line[0]) for line in lines] == [(2, "petite")]
    assert [soc["name"] for soc in _yaml(SOC / "soc.yml")["socs"]] == ["petite_e8_hp"]
    assert BOARD.name == "alif_e8"


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_board_metadata(board: DT) -> None:
    metadata = _yaml(BOARD / "board.yml")["board"]
    assert metadata["name"] == "alif_e8"
    assert metadata["vendor"] == "alif"
    assert metadata["full_name"]
    assert metadata["socs"] == _yaml(SOC / "soc.yml")["socs"]
    twister = _yaml(BOARD / "alif_e8.yaml")
    assert (twister["identifier"], twister["type"], twister["arch"]) == ("alif_e8", "mcu", "arm")
    assert set(twister["toolchain"]) >= {"zephyr", "gnuarmemb"}
    assert twister["ram"] == _range(_chosen(board, "zephyr,sram"))[1] // KIB
    assert twister["flash"] == _range(_chosen(board, "zephyr,code-partition"))[1] // KIB


#: As Zephyr orders them: defaults of board and SoC come before the definitions, and win.
_KCONFIG = """
config BOARD_ALIF_E8
	def_bool y

source "{board}/Kconfig.alif_e8"
source "{soc}/Kconfig.soc"
source "{board}/Kconfig.defconfig"
source "{soc}/Kconfig.defconfig"
source "{soc}/Kconfig"

{bools}
config SOC
	string

config NUM_IRQS
	int

config SYS_CLOCK_HW_CYCLES_PER_SEC
	int

choice NULL_POINTER_EXCEPTION_DETECTION
	prompt "Detection of NULL pointers"
	default NULL_POINTER_EXCEPTION_DETECTION_DWT

config NULL_POINTER_EXCEPTION_DETECTION_DWT
	bool "By watchpoint"

config NULL_POINTER_EXCEPTION_DETECTION_NONE
	bool "None"

endchoice
"""

#: What the fragments select or give a default, and Zephyr defines.
_ZEPHYR_BOOLS = (
    "ARM",
    "ARMV8_1_M_MVEF",
    "ARMV8_1_M_MVEI",
    "ARMV8_1_M_PMU",
    "ARMV8_M_DSP",
    "CACHE_MANAGEMENT",
    "CPU_CORTEX_M55",
    "CPU_CORTEX_M_HAS_DWT",
    "CPU_CORTEX_M_HAS_SYSTICK",
    "CPU_CORTEX_M_HAS_VTOR",
    "CPU_HAS_ARM_MPU",
    "CPU_HAS_CUSTOM_FIXED_SOC_MPU_REGIONS",
    "CPU_HAS_FPU",
    "HAS_FLASH_LOAD_OFFSET",
    "SOC_EARLY_INIT_HOOK",
    "SOC_RESET_HOOK",
    "USE_DT_CODE_PARTITION",
    "XIP",
)


@pytest.fixture
def kconfig(board: DT, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> kconfiglib.Kconfig:
    """The fragments of board and SoC, in a tree with no more than what they refer to."""
    functions = ModuleType("petite_kconfig_functions")

    def dt_node_int_prop_int(_: Any, __: str, path: str, name: str) -> str:
        return str(board.get_node(path).props[name].to_num())

    functions.functions = {"dt_node_int_prop_int": (dt_node_int_prop_int, 2, 2)}  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, functions.__name__, functions)
    monkeypatch.setenv("KCONFIG_FUNCTIONS", functions.__name__)
    monkeypatch.setenv("KCONFIG_WARN_UNDEF", "y")
    monkeypatch.setenv("srctree", "")
    bools = "".join(f"config {name}\n\tbool\n\n" for name in _ZEPHYR_BOOLS)
    top = tmp_path / "Kconfig"
    text = _KCONFIG.format(bools=bools, board=BOARD, soc=SOC)
    top.write_text(text, encoding="utf-8")
    return kconfiglib.Kconfig(str(top), warn_to_stderr=False)


def test_kconfig_of_alif_e8(kconfig: kconfiglib.Kconfig) -> None:
    assert kconfig.warnings == []
    values = {name: symbol.str_value for name, symbol in kconfig.syms.items()}
    assert values["SOC"] == "petite_e8_hp"
    assert values["SYS_CLOCK_HW_CYCLES_PER_SEC"] == "400000000"
    assert values["NUM_IRQS"] == "480"
    assert values["ARMV8_1_M_PMU_EVENTCNT"] == "8"
    assert values["NULL_POINTER_EXCEPTION_DETECTION_NONE"] == "y"
    assert [name for name in _ZEPHYR_BOOLS if values[name] != "y"] == []


def test_runners_of_alif_e8() -> None:
    text = (BOARD / "board.cmake").read_text(encoding="utf-8")
    assert "--device=AE822FA0E5597LS0_M55_HP" in text and "--speed=4000" in text
    runner = ROOT / "scripts/west_commands/runners/alif_setools.py"
    [name] = re.findall(r'return "(alif-\w+)"', runner.read_text(encoding="utf-8"))
    assert f"board_finalize_runner_args({name})" in text
    module = _yaml(ROOT / "zephyr" / "module.yml")
    assert module["runners"] == [{"file": str(runner.relative_to(ROOT))}]
    for root in ("board_root", "soc_root", "dts_root"):
        assert module["build"]["settings"][root] == "."


def test_snippet_names_its_files() -> None:
    snippet = _yaml(SNIPPET / "snippet.yml")
    assert snippet["name"] == "petite"
    appended = [settings["append"] for settings in snippet["boards"].values()]
    named = {name for append in appended for name in append.values()}
    assert named == {f"boards/{path.name}" for path in (SNIPPET / "boards").iterdir()}
    assert {name for append in appended for name in append} == {
        "EXTRA_DTC_OVERLAY_FILE",
        "EXTRA_CONF_FILE",
    }


@pytest.mark.parametrize(
    "newer",
    ["", "itcm: itcm@0 { reg = <0 0x10000>; zephyr,memory-region = \"ITCM\"; };"],
    ids=["4.3", "newer"],
)  # fmt: skip
def test_tightly_coupled_memories_of_ek_ra8d1(tmp_path: Path, newer: str) -> None:
    dt = _parse_overlay("ek_ra8d1.overlay", tmp_path, newer)
    tcm = {"ITCM": (0x00000000, 64 * KIB), "DTCM": (0x20000000, 64 * KIB)}
    assert _regions(dt) == tcm
    assert _range(_chosen(dt, "zephyr,itcm")) == tcm["ITCM"]
    assert _range(_chosen(dt, "zephyr,dtcm")) == tcm["DTCM"]
    assert _range(_chosen(dt, "petite,external-memory")) == (0x68000000, 64 * MIB)


@pytest.mark.parametrize("name", ["mps3_corstone300.overlay", "mps4_corstone320_fvp.overlay"])
def test_corstone_keeps_the_vector_table_out_of_itcm(tmp_path: Path, name: str) -> None:
    """The core looks for its vectors at 0x10000000, where nothing else may be put."""
    dt = _parse_overlay(name, tmp_path)
    conf = (SNIPPET / "boards" / "corstone_vectors.conf").read_text(encoding="utf-8")
    options = dict(re.findall(r"^CONFIG_(\w+)=(\w+)$", conf, re.MULTILINE))
    vectors = int(options["ROMSTART_REGION_ADDRESS"], 16)
    size = int(options["ROMSTART_REGION_SIZE"]) * KIB
    base, length = _range(_chosen(dt, "zephyr,itcm"))
    assert vectors == 0x10000000
    assert base == vectors + size
    whole = {"mps3_corstone300.overlay": 512 * KIB, "mps4_corstone320_fvp.overlay": 32 * KIB}
    assert size + length == whole[name]


def test_corstone_300_has_its_tightly_coupled_memories_to_itself(tmp_path: Path) -> None:
    dt = _parse_overlay("mps3_corstone300.overlay", tmp_path)
    chosen = ("zephyr,flash", "zephyr,sram", "zephyr,itcm", "zephyr,dtcm")
    _assert_apart([_range(_chosen(dt, name)) for name in chosen])
    assert len({_chosen(dt, name).path for name in chosen}) == len(chosen)
    flash = _chosen(dt, "zephyr,flash").props["zephyr,memory-region"]
    assert flash.to_string() == "CODE_SRAM"  # and not "SRAM", which would mean the RAM
