# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with an application is one readable error, when it is configured or built.

These need a Zephyr tree; what goes without is in tests/python/test_zephyr_module.py.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from zephyr.application import Application
from zephyr.conftest import Configure
from zephyr.tree import ROOT

pytestmark = pytest.mark.xdist_group("zephyr bad input")

MODELS = ROOT / "tests" / "zephyr" / "models"
GOLDEN = ROOT / "tests" / "golden"


def model(name: str, *options: str, pte: Path = MODELS / "separable_block.pte") -> str:
    return f"petite_add_model(app MODEL {pte} NAME {name} {' '.join(options)})\n"


# --- when it is configured ------------------------------------------------------------------------


def assert_configuration_fails(application: Application, *texts: str) -> None:
    output = " ".join(application.output.split())
    assert application.status != 0, output
    assert output.count("CMake Error") == 1, output
    for text in texts:
        assert text in output, output


def test_itcm_that_is_the_flash(configure: Configure) -> None:
    application = configure(
        "mps3/corstone300/an547",
        model("m"),
        "-DCONFIG_PETITE=y",
        "-DCONFIG_PETITE_KERNELS_IN_ITCM=y",
    )
    assert_configuration_fails(
        application, "has no memory region ITCM in its devicetree that is free"
    )


def test_element_type_that_the_configuration_leaves_out(configure: Configure) -> None:
    application = configure(
        "mps2/an386",
        model("m", "DTYPES int8 float32"),
        "-DCONFIG_PETITE=y",
        "-DCONFIG_PETITE_DTYPE_FLOAT32=n",
    )
    assert_configuration_fails(application, "DTYPES of petite_add_model() has float32")


def test_region_around_the_ram_is_not_offered(configure: Configure) -> None:
    """mps2/an521/cpu1 has its RAM and flash inside larger memory regions."""
    application = configure("mps2/an521/cpu1", model("m", "WEIGHTS SSRAM1"), "-DCONFIG_PETITE=y")
    assert application.status == 0, application.output
    status, output = application.build("petite/m/m.c")
    assert status != 0
    assert "memory 'SSRAM1' is reserved: choose one of" in output


def test_helium_core_without_fpu(configure: Configure) -> None:
    application = configure(
        "mps3/corstone300/an547", model("m"), "-DCONFIG_PETITE=y", "-DCONFIG_FPU=n"
    )
    assert_configuration_fails(
        application,
        "CONFIG_PETITE_HELIUM needs CONFIG_FPU=y",
        "Set CONFIG_FPU=y, or choose CONFIG_PETITE_DSP or CONFIG_PETITE_SCALAR",
    )


def test_kernels_in_itcm_that_the_board_lacks(configure: Configure) -> None:
    options = ("-DCONFIG_PETITE=y", "-DCONFIG_PETITE_KERNELS_IN_ITCM=y")
    application = configure("mps2/an386", model("m"), *options)
    assert_configuration_fails(
        application,
        "CONFIG_PETITE_KERNELS_IN_ITCM: board mps2/an386 has no memory region ITCM in its "
        "devicetree that is free (not its flash or RAM); set it to n, add the region",
    )


def test_model_that_is_not_there(configure: Configure, tmp_path: Path) -> None:
    missing = tmp_path / "missing.pte"
    application = configure("native_sim", model("m", pte=missing), "-DCONFIG_PETITE=y")
    assert_configuration_fails(
        application,
        f"petite_add_model(app): there is no file {missing}; export the model first, or correct "
        "the path",
    )


def table(*options: str) -> str:
    return f"petite_add_operators(app {' '.join(options)})\n"


def test_table_without_petite(configure: Configure) -> None:
    application = configure("native_sim", table("GROUPS int8"))
    assert_configuration_fails(
        application, "petite_add_operators(app) needs CONFIG_PETITE=y, which is not set"
    )


def test_second_table_of_the_same_name(configure: Configure) -> None:
    options = ("-DCONFIG_PETITE=y", "-DCONFIG_PETITE_OPERATORS=y")
    application = configure("native_sim", table("GROUPS logic"), *options)
    assert_configuration_fails(
        application, "CONFIG_PETITE_OPERATORS=y makes the table petite_operators of this image"
    )


def test_tables_beside_that_of_kconfig(configure: Configure) -> None:
    """One of another name is made; a group that is not there is one error of the build."""
    options = ("-DCONFIG_PETITE=y", "-DCONFIG_PETITE_OPERATORS=y", "-DCONFIG_PETITE_DTYPE_BOOL=n")
    tables = table("NAME more GROUPS logic") + table("NAME wrong GROUPS logics")
    application = configure("native_sim", tables, *options)
    assert application.status == 0, application.output
    assert application.build("petite/more/more.c")[0] == 0
    made = application.directory / "build" / "petite" / "more" / "more.c"
    text = made.read_text(encoding="utf-8")
    assert '"aten::bitwise_and.Tensor_out"' in text and "PETITE_BOOL" not in text
    status, output = application.build("petite/wrong/wrong.c")
    assert status != 0
    assert "petite: error: --groups: there is no group 'logics' of operators; choose" in output


def test_model_without_petite(configure: Configure) -> None:
    application = configure("native_sim", model("m"))
    assert_configuration_fails(
        application, "petite_add_model(app) needs CONFIG_PETITE=y, which is not set"
    )


# --- when it is built -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def application(configure: Configure, tmp_path_factory: pytest.TempPathFactory) -> Application:
    """Several models, of which only NAME good can be built."""
    directory = tmp_path_factory.mktemp("models")
    overlay = directory / "tiny.overlay"
    overlay.write_text(
        "/ { tiny@21000000 { compatible = \"zephyr,memory-region\"; reg = <0x21000000 1024>;\n"
        "zephyr,memory-region = \"TINY\"; }; };\n",
        encoding="ascii",
    )  # fmt: skip
    broken = directory / "broken.pte"
    whole = (MODELS / "separable_block.pte").read_bytes()
    broken.write_bytes(whole[: len(whole) // 2])
    good = directory / "good.pte"
    shutil.copy(MODELS / "separable_block.pte", good)
    models = [
        model("lacking", "WEIGHTS DTCM"),
        model("too_big", "ACTIVATIONS TINY"),
        model("in_flash", "ACTIVATIONS FLASH"),
        model("slip", "WEIGHTS con2d*=RAM"),
        model("of_float", "DTYPES int8"),
        model("broken", pte=broken),
        model("good", pte=good),
    ]
    made = configure(
        "mps2/an386", "".join(models), "-DCONFIG_PETITE=y", f"-DEXTRA_DTC_OVERLAY_FILE={overlay}"
    )
    assert made.status == 0, made.output
    return made


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("lacking", ["board mps2/an386 has no memory 'DTCM': choose one of TINY (1,024 bytes at"]),
        (
            "too_big",
            [
                "the model is too big for mps2/an386: its activations and states need 1456 bytes, "
                "but memory TINY has 1024; use a smaller model, another memory, or a board with"
            ],
        ),
        ("in_flash", ["activations cannot lie in FLASH of mps2/an386: it is not RAM"]),
        (
            "slip",
            ["no constant matches 'con2d*'; 'petite compile --explain'", " lists the 8 constants"],
        ),
        ("of_float", ["float32"]),
        ("broken", ["broken.pte: "]),
    ],
)
def test_model_that_cannot_be_built(name: str, texts: list[str], application: Application) -> None:
    status, output = application.build(f"petite/{name}/{name}.c")
    assert status != 0
    errors = [line for line in output.splitlines() if line.startswith("petite: error: ")]
    assert len(errors) == 1, output
    assert "Traceback" not in output
    for text in texts:
        assert text in errors[0]
    assert not (application.directory / "build" / "petite" / name / f"{name}.c").exists()


def test_generated_model_of_another_version(configure: Configure, tmp_path: Path) -> None:
    for name in ("images.c", "images.h"):
        text = (GOLDEN / name).read_text(encoding="utf-8")
        other = re.sub(r"PETITE_ABI != \d+", "PETITE_ABI != 999", text)
        (tmp_path / name).write_text(other, encoding="utf-8")
    source = tmp_path / "images.c"
    made = configure("native_sim", f"target_sources(app PRIVATE {source})\n", "-DCONFIG_PETITE=y")
    assert made.status == 0, made.output
    status, output = made.build(f"{source}^")
    assert status != 0
    errors = [line for line in output.splitlines() if " error: " in line]
    wanted = "images was generated for another version of the Petite runtime: compile it again"
    assert len(errors) == 1 and wanted in errors[0], output


def test_model_is_compiled_again_when_it_changes(application: Application) -> None:
    generated = application.directory / "build" / "petite" / "good" / "good.c"
    target = "petite/good/good.c"
    assert application.build(target)[0] == 0
    first = generated.read_text(encoding="utf-8")
    assert "no work to do" in application.build(target)[1]
    text = (application.directory / "models.cmake").read_text(encoding="utf-8")
    [pte] = re.findall(r"MODEL (\S+/good\.pte)", text)
    shutil.copyfile(MODELS / "two_inputs.pte", pte)
    assert application.build(target)[0] == 0
    assert ".input_count = 1" in first
    assert ".input_count = 2" in generated.read_text(encoding="utf-8")


def test_model_is_compiled_again_when_an_option_changes(application: Application) -> None:
    target = "petite/good/good.c"
    generated = application.directory / "build" / "petite" / "good" / "good.c"
    assert application.build(target)[0] == 0
    assert "good_step_names" not in generated.read_text(encoding="utf-8")
    command = ["cmake", "-DCONFIG_PETITE_PROFILING=y", str(application.directory / "build")]
    assert application.run(command)[0] == 0
    assert application.build(target)[0] == 0
    assert "good_step_names" in generated.read_text(encoding="utf-8")
