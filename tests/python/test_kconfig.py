# SPDX-License-Identifier: Apache-2.0
"""The module's Kconfig, in a tree that declares no more than what it refers to of Zephyr's."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import kconfiglib
import pytest

from petite.select.groups import GROUPS

ROOT = Path(__file__).resolve().parents[2]
KCONFIG = ROOT / "Kconfig"
KCONFIGS = (KCONFIG, ROOT / "zephyr" / "Kconfig.loading")

_CORES = ("M0", "M3", "M4", "M7", "M23", "M33", "M52", "M55", "M85")
#: What is selected of the module's options; "" is the whole.
_CMSIS_NN = ("", "_BASICMATH", "_CONVOLUTION", "_FULLYCONNECTED", "_NNSUPPORT", "_POOLING")
_CMSIS_NN += ("_SOFTMAX", "_TRANSPOSE")
_ZEPHYR = """
{cores}
config ARMV8_M_DSP
	bool "dsp"

config CPU_HAS_FPU
	bool "has fpu"

config FPU
	bool "fpu"
	depends on CPU_HAS_FPU

config ARMV8_1_M_MVEI
	bool

config ARMV8_1_M_MVEF
	bool

config CODE_DATA_RELOCATION
	bool "relocation"

config LOG
	bool "log"

config CPU_CORTEX_M
	bool "m"

config ZEPHYR_CMSIS_NN_MODULE
	bool "module"

config ZEPHYR_CMSIS_DSP_MODULE
	bool "another"

{library}
source "{module}"
"""
#: Zephyr's template makes a choice of it; a module may rely on the symbol only.
_LOG_TEMPLATE = """
config $(module)_LOG_LEVEL
	int "Level"
	default 3
"""
Maker = Callable[..., kconfiglib.Kconfig]


@pytest.fixture
def configure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    """Returns a function: a configuration with these symbols set to 'y', others to the value."""
    template = tmp_path / "subsys" / "logging" / "Kconfig.template.log_config"
    template.parent.mkdir(parents=True)
    template.write_text(_LOG_TEMPLATE, encoding="ascii")
    library = "".join(f'config CMSIS_NN{part}\n\tbool "{part}"\n\n' for part in _CMSIS_NN)
    cores = "".join(f'config CPU_CORTEX_{core}\n\tbool "{core}"\n\n' for core in _CORES)
    top = tmp_path / "Kconfig"
    top.write_text(_ZEPHYR.format(cores=cores, library=library, module=KCONFIG), encoding="ascii")
    monkeypatch.setenv("srctree", str(tmp_path))
    monkeypatch.setenv("KCONFIG_WARN_UNDEF", "y")

    def make(*enabled: str, **values: str) -> kconfiglib.Kconfig:
        configuration = kconfiglib.Kconfig(str(top), warn_to_stderr=False)
        text = "".join(f"CONFIG_{name}=y\n" for name in enabled)
        text += "".join(f"CONFIG_{name}={value}\n" for name, value in values.items())
        dotconfig = tmp_path / "dotconfig"
        dotconfig.write_text(text, encoding="ascii")
        configuration.load_config(str(dotconfig))
        return configuration

    return make


def value(configuration: kconfiglib.Kconfig, name: str) -> str:
    return str(configuration.syms[name].str_value)


_M55 = ("CPU_CORTEX_M55", "ARMV8_M_DSP", "CPU_HAS_FPU")


def test_no_warnings(configure: Maker) -> None:
    assert configure().warnings == []
    assert configure("PETITE", *_M55).warnings == []


@pytest.mark.parametrize(
    ("core", "wanted"),
    [
        (("CPU_CORTEX_M0",), "SCALAR"),
        (("CPU_CORTEX_M23",), "SCALAR"),
        (("CPU_CORTEX_M3",), "SCALAR"),
        (("CPU_CORTEX_M4",), "DSP"),
        (("CPU_CORTEX_M7", "CPU_HAS_FPU"), "DSP"),
        (("CPU_CORTEX_M33",), "SCALAR"),
        (("CPU_CORTEX_M33", "ARMV8_M_DSP"), "DSP"),
        (("CPU_CORTEX_M52", "ARMV8_M_DSP", "CPU_HAS_FPU"), "HELIUM"),
        (_M55, "HELIUM"),
        (("CPU_CORTEX_M55", "ARMV8_M_DSP"), "DSP"),
        (("CPU_CORTEX_M85", "ARMV8_M_DSP", "CPU_HAS_FPU"), "HELIUM"),
        ((), "SCALAR"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else value,
)
def test_instruction_set_of_a_core(core: tuple[str, ...], wanted: str, configure: Maker) -> None:
    configuration = configure("PETITE", *core)
    chosen = {n for n in ("HELIUM", "DSP", "SCALAR") if value(configuration, f"PETITE_{n}") == "y"}
    assert chosen == {wanted}
    is_helium = "y" if wanted == "HELIUM" else "n"
    for name in ("FPU", "ARMV8_1_M_MVEI", "ARMV8_1_M_MVEF"):
        assert value(configuration, name) == is_helium, name


@pytest.mark.parametrize("choice", ["PETITE_DSP", "PETITE_SCALAR"])
def test_instruction_set_can_be_overridden(choice: str, configure: Maker) -> None:
    configuration = configure("PETITE", *_M55, choice)
    assert value(configuration, choice) == "y"
    assert value(configuration, "PETITE_HELIUM") == "n"
    assert value(configuration, "FPU") == "n"


@pytest.mark.parametrize(
    ("core", "choice"),
    [("CPU_CORTEX_M4", "PETITE_HELIUM"), ("CPU_CORTEX_M3", "PETITE_DSP")],
)
def test_instruction_set_that_the_core_lacks(core: str, choice: str, configure: Maker) -> None:
    assert value(configure("PETITE", core, choice), choice) == "n"


def test_fpu_stays_the_users_to_refuse(configure: Maker) -> None:
    """zephyr/contradictions.cmake then says why that cannot be built."""
    configuration = configure("PETITE", *_M55, FPU="n")
    assert value(configuration, "PETITE_HELIUM") == "y"
    assert value(configuration, "FPU") == "n"


_M4 = ("CPU_CORTEX_M", "CPU_CORTEX_M4")
_MODULES = ("ZEPHYR_CMSIS_NN_MODULE", "ZEPHYR_CMSIS_DSP_MODULE")


@pytest.mark.parametrize(
    ("others", "wanted"),
    [
        ((*_MODULES, *_M4), "y"),
        ((*_MODULES, "CPU_CORTEX_M", *_M55), "y"),
        ((*_MODULES, "CPU_CORTEX_M", "CPU_CORTEX_M3"), "y"),
        (_M4, "n"),
        (_MODULES, "n"),
        # Zephyr's option for the library selects one of another module.
        (("ZEPHYR_CMSIS_NN_MODULE", *_M4), "n"),
        # The library would use more than the model was compiled for.
        ((*_MODULES, *_M4, "PETITE_SCALAR"), "n"),
        ((*_MODULES, "CPU_CORTEX_M", *_M55, "PETITE_SCALAR"), "n"),
    ],
    ids="-".join,
)
def test_kernels_of_cmsis_nn(others: tuple[str, ...], wanted: str, configure: Maker) -> None:
    configuration = configure("PETITE", "PETITE_KERNELS_CMSIS_NN", *others)
    assert value(configuration, "PETITE_KERNELS_CMSIS_NN") == wanted
    assert {value(configuration, f"CMSIS_NN{part}") for part in _CMSIS_NN} == {wanted}


def test_kernels_in_itcm_relocate_code(configure: Maker) -> None:
    assert value(configure("PETITE"), "CODE_DATA_RELOCATION") == "n"
    assert value(configure("PETITE", "PETITE_KERNELS_IN_ITCM"), "CODE_DATA_RELOCATION") == "y"


def test_log_needs_zephyrs(configure: Maker) -> None:
    assert value(configure("PETITE", "PETITE_LOG"), "PETITE_LOG") == "n"
    configuration = configure("PETITE", "PETITE_LOG", "LOG")
    assert value(configuration, "PETITE_LOG") == "y"
    assert value(configuration, "PETITE_LOG_LEVEL") == "3"


def test_defaults(configure: Maker) -> None:
    configuration = configure("PETITE", "LOG")
    on = {"PETITE", "PETITE_SCALAR", "PETITE_KERNELS_FOR_SPEED", "PETITE_VERIFY"}
    on |= {f"PETITE_DTYPE_{t}" for t in _DTYPES}
    ours = {n for n in configuration.syms if n.startswith("PETITE") and "LOG_LEVEL" not in n}
    bools = {n for n in ours if configuration.syms[n].type == kconfiglib.BOOL}
    assert {n for n in bools if value(configuration, n) == "y"} == on
    others = {n: value(configuration, n) for n in ours - bools}
    assert others == {
        "PETITE_WEIGHTS": "",
        "PETITE_ACTIVATIONS": "",
        "PETITE_KERNEL_REGISTRY_SIZE": "8",
        "PETITE_LOAD_VALUES": "4096",
        "PETITE_INIT_PRIORITY": "90",
    }


def groups_of(configuration: kconfiglib.Kconfig, wanted: str = "") -> list[str]:
    """Groups of operators in the order of Kconfig; those of one value only."""
    prefix = "PETITE_OPERATORS_"
    names = [
        node.item.name
        for node in configuration.node_iter()
        if isinstance(node.item, kconfiglib.Symbol) and node.item.name.startswith(prefix)
    ]
    return [
        name.removeprefix(prefix).lower()
        for name in names
        if name != f"{prefix}ALL" and wanted in ("", value(configuration, name))
    ]


def test_groups_of_operators_are_those_of_petite_select(configure: Maker) -> None:
    assert groups_of(configure()) == [group.name for group in GROUPS]


def test_groups_that_are_on(configure: Maker) -> None:
    assert groups_of(configure("PETITE"), "y") == []
    assert groups_of(configure("PETITE", "PETITE_OPERATORS"), "y") == ["int8", "shapes"]
    more = configure("PETITE", "PETITE_OPERATORS", "PETITE_OPERATORS_LOGIC")
    assert groups_of(more, "y") == ["int8", "shapes", "logic"]
    assert groups_of(configure("PETITE", "PETITE_OPERATORS", "PETITE_OPERATORS_ALL"), "y") == []


@pytest.mark.parametrize("slots", ["0", "1025"])
def test_too_many_slots_for_operators_are_told_by_name(slots: str, configure: Maker) -> None:
    """Zephyr makes errors of warnings."""
    configuration = configure("PETITE", PETITE_KERNEL_REGISTRY_SIZE=slots)
    assert value(configuration, "PETITE_KERNEL_REGISTRY_SIZE") == "8"
    [warning] = configuration.warnings
    assert "PETITE_KERNEL_REGISTRY_SIZE" in warning and slots in warning


_DTYPES = ("INT8", "UINT8", "INT16", "INT32", "INT64", "BOOL", "FLOAT32")


def test_nothing_is_left_without_petite(configure: Maker) -> None:
    configuration = configure(*_M55, "LOG")
    symbols = [s for n, s in configuration.syms.items() if n.startswith("PETITE")]
    assert len(symbols) > 15
    assert [s.name for s in symbols if s.str_value not in ("n", "")] == []
    assert value(configuration, "ARMV8_1_M_MVEI") == "n"


# --- style ----------------------------------------------------------------------------------------


def test_every_option_and_choice_has_a_help(configure: Maker) -> None:
    configuration = configure()
    nodes = [n for n in configuration.node_iter() if Path(n.filename).resolve() in KCONFIGS]
    options = [n for n in nodes if isinstance(n.item, kconfiglib.Symbol | kconfiglib.Choice)]
    assert len(options) > 40
    for node in options:
        assert node.prompt and node.help, node.item.name
        assert node.item.name.startswith("PETITE")


@pytest.mark.parametrize("path", KCONFIGS, ids=lambda path: path.name)
def test_style(path: Path) -> None:
    """Zephyr's: tabs, help two spaces deeper, at most 100 columns with tabs of eight."""
    lines = path.read_text(encoding="ascii").splitlines()
    assert lines[0] == "# SPDX-License-Identifier: Apache-2.0"
    in_help = False
    for number, line in enumerate(lines, 1):
        place = f"line {number}: {line!r}"
        assert len(line.expandtabs(8)) <= 100, place
        assert line == line.rstrip(), place
        if not line.startswith("\t"):
            in_help = in_help and not line
            assert not line.startswith(" "), place
        elif in_help:
            assert re.match(r"\t  \S", line), place
        else:
            assert re.match(r"\t\S", line), place
            in_help = line == "\thelp"


def test_build_files_use_the_options_and_no_others(configure: Maker) -> None:
    defined = {n for n in configure().syms if n.startswith("PETITE_")} | {"PETITE"}
    # Zephyr's templates add these.
    defined |= {"PETITE_LOG_LEVEL", "PETITE_LOG_LEVEL_DBG"}
    folders = (ROOT / "zephyr", ROOT / "samples", ROOT / "tests" / "zephyr", ROOT / "boards")
    files = [p for folder in folders for p in folder.rglob("*") if p.is_file()]
    suffixes = (".cmake", ".c", ".h", ".ld", ".conf", ".yaml", ".yml", ".txt")
    texts = [p.read_text(encoding="utf-8") for p in files if p.suffix in suffixes]
    used = {name for text in texts for name in re.findall(r"\bCONFIG_(PETITE\w*)", text)}
    # Put together in zephyr/library.cmake, taken apart in zephyr/operator_groups.cmake.
    spelt = {f"PETITE_DTYPE_{t}" for t in _DTYPES}
    spelt |= {f"PETITE_OPERATORS_{group.name.upper()}" for group in GROUPS}
    assert used - defined - {"PETITE_DTYPE_", "PETITE_OPERATORS_"} == set()
    # These three are what the others leave.
    implied = {"PETITE_KERNELS_FOR_SPEED", "PETITE_INSTRUCTION_SET"}
    assert defined - used - spelt - implied == set()
