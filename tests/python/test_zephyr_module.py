# SPDX-License-Identifier: Apache-2.0
"""What Zephyr and west read of this repository, and the CMake scripts that run without Zephyr."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ZEPHYR = ROOT / "zephyr"

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


# --- metadata -------------------------------------------------------------------------------------


def test_module_names_paths_that_exist() -> None:
    module = load(ZEPHYR / "module.yml")
    assert module["name"] == "petite"
    build = module["build"]
    assert (ROOT / build["cmake"] / "CMakeLists.txt").is_file()
    assert (ROOT / build["kconfig"]).is_file()
    settings = build["settings"]
    for key, folder in {
        "board_root": "boards",
        "soc_root": "soc",
        "dts_root": "dts",
        "snippet_root": "snippets",
    }.items():
        assert (ROOT / settings[key] / folder).is_dir(), key
    for key in ("samples", "tests", "boards"):
        assert module[key] and all((ROOT / path).is_dir() for path in module[key]), key
    for runner in module["runners"]:
        assert (ROOT / runner["file"]).is_file()


def test_pip_requirements_are_those_of_the_package() -> None:
    """`west packages pip` and `pip install .` install the same, and never torch."""
    [path] = load(ZEPHYR / "module.yml")["package-managers"]["pip"]["requirement-files"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "dependencies" in project["project"]["dynamic"]
    assert project["tool"]["setuptools"]["dynamic"]["dependencies"]["file"] == [path]
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w-]+==[\w.]+", line) for line in wanted), wanted
    names = {line.partition("==")[0] for line in wanted}
    assert {"numpy", "flatbuffers", "jinja2"} <= names
    assert names.isdisjoint({"torch", "executorch"})


def test_west_manifest() -> None:
    manifest = load(ROOT / "west.yml")["manifest"]
    [project] = manifest["projects"]
    assert project["name"] == "zephyr"
    assert project["remote"] in [remote["name"] for remote in manifest["remotes"]]
    assert re.fullmatch(r"v\d+\.\d+\.\d+", project["revision"])
    assert set(project["import"]) == {"name-allowlist"}
    assert set(project["import"]["name-allowlist"]) == {"cmsis_6", "hal_renesas"}
    assert (ROOT / manifest["self"]["west-commands"]).is_file()


def test_manifest_names_the_oldest_zephyr_that_the_build_accepts() -> None:
    [project] = load(ROOT / "west.yml")["manifest"]["projects"]
    text = (ZEPHYR / "petite.cmake").read_text(encoding="utf-8")
    assert f"set(PETITE_ZEPHYR_OLDEST {project['revision'].removeprefix('v')})" in text


def test_west_reads_the_manifest_and_finds_its_commands() -> None:
    from west.manifest import ImportFlag, Manifest

    manifest = Manifest.from_data(load(ROOT / "west.yml"), import_flags=ImportFlag.IGNORE)
    assert [project.name for project in manifest.projects] == ["manifest", "zephyr"]
    commands = load(ROOT / manifest.projects[0].west_commands[0])
    for entry in commands["west-commands"]:
        source = (ROOT / entry["file"]).read_text(encoding="utf-8")
        for command in entry["commands"]:
            assert f"class {command['class']}(" in source
            assert command["help"]


def test_submanifest_example() -> None:
    from west.manifest import Manifest

    data = load(ZEPHYR / "submanifests" / "petite.yml")
    [petite] = Manifest.from_data(data).projects[1:]
    assert petite.name == "petite"
    assert [(ROOT / path).is_file() for path in petite.west_commands] == [True]


# --- CMake scripts --------------------------------------------------------------------------------


def cmake(script: Path, **variables: str) -> tuple[int, str]:
    """Run a script without a project; its status and its messages, on one line each."""
    defines = [f"-D{name}={value}" for name, value in variables.items()]
    done = subprocess.run(
        ["cmake", *defines, "-P", str(script)], capture_output=True, text=True, check=False
    )
    return done.returncode, " ".join(done.stderr.split())


def assert_one_error(result: tuple[int, str], *texts: str) -> None:
    status, output = result
    assert status != 0
    assert output.count("CMake Error") == 1, output
    for text in texts:
        assert text in output


@pytest.mark.parametrize("version", [("4", "2", "99"), ("3", "7", "0"), ("4", "2", "0")])
def test_zephyr_that_is_too_old(version: tuple[str, str, str]) -> None:
    names = ("KERNEL_VERSION_MAJOR", "KERNEL_VERSION_MINOR", "KERNEL_PATCHLEVEL")
    variables = dict(zip(names, version, strict=True))
    result = cmake(ZEPHYR / "petite.cmake", CONFIG_PETITE="y", **variables)
    wanted = f"Petite needs Zephyr 4.3.0 or newer, this is {'.'.join(version)}"
    assert_one_error(result, wanted)


def test_options_that_contradict_each_other() -> None:
    script = ZEPHYR / "contradictions.cmake"
    helium = cmake(script, CONFIG_PETITE_HELIUM="y")
    assert_one_error(helium, "CONFIG_PETITE_HELIUM needs CONFIG_FPU=y", "Set CONFIG_FPU=y, or")
    itcm = cmake(script, CONFIG_PETITE_KERNELS_IN_ITCM="y")
    assert_one_error(itcm, "CONFIG_PETITE_KERNELS_IN_ITCM needs CONFIG_XIP=y")
    operators = cmake(script, CONFIG_PETITE_OPERATORS="y", CONFIG_PETITE_OPERATORS_INT8="n")
    assert_one_error(operators, "CONFIG_PETITE_OPERATORS=y with no group of operators")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"CONFIG_PETITE_HELIUM": "y", "CONFIG_FPU": "y"},
        {"CONFIG_PETITE_DSP": "y"},
        {"CONFIG_PETITE_KERNELS_IN_ITCM": "y", "CONFIG_XIP": "y"},
        {"CONFIG_PETITE_OPERATORS": "y", "CONFIG_PETITE_OPERATORS_INT8": "y"},
        {"CONFIG_PETITE_OPERATORS": "y", "CONFIG_PETITE_OPERATORS_ALL": "y"},
    ],
)
def test_options_that_agree(options: dict[str, str]) -> None:
    assert cmake(ZEPHYR / "contradictions.cmake", **options) == (0, "")


def requirements(python: str | Path) -> tuple[int, str]:
    script = ZEPHYR / "requirements.cmake"
    return cmake(script, PETITE_ROOT=str(ROOT), PETITE_PYTHON=str(python))


def test_python_with_its_packages() -> None:
    assert requirements(sys.executable) == (0, "")


def test_python_without_packages(tmp_path: Path) -> None:
    bare = tmp_path / "bare-python"
    bare.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n', encoding="ascii")
    bare.chmod(0o755)
    result = requirements(bare)
    assert_one_error(
        result,
        f"Petite's compiler does not start with {bare}",
        "has no package",
        "west packages pip --install",
        f"pip install -r {ROOT}/scripts/requirements.txt",
    )


def test_python_that_is_not_there() -> None:
    result = requirements("/nowhere/python3")
    assert_one_error(result, "Petite's compiler does not start with /nowhere/python3")


def selected_kernels(directory: Path, *without: str) -> set[str]:
    """Names of the kernels that are left without some element types."""
    (directory / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20)\nproject(kernels NONE)\n"
        f"include({ROOT}/cmake/sources.cmake)\n"
        f"petite_kernels_without(kernels {' '.join(without)})\n"
        f'file(WRITE {directory}/kernels.txt "${{kernels}}")\n',
        encoding="ascii",
    )
    command = ["cmake", "-G", "Ninja", "-S", str(directory), "-B", str(directory / "build")]
    subprocess.run(command, capture_output=True, check=True)
    kernels = (directory / "kernels.txt").read_text(encoding="utf-8").split(";")
    return {Path(kernel).stem.rpartition("_")[0] for kernel in kernels}


def test_kernels_without_element_types(tmp_path: Path) -> None:
    every = selected_kernels(tmp_path)
    assert len(every) > 30 and "conv2d_s8" in every and "quantize_f32_s16" in every
    assert every - selected_kernels(tmp_path, "int64") == {
        name for name in every if re.search("(^|_)s64(_|$)", name)
    }
    assert {"binary_s64", "cast_s64", "offsets_s64_s32"} <= every
    without_float = selected_kernels(tmp_path, "float32")
    assert every - without_float == {name for name in every if "f32" in name}
    integers = selected_kernels(tmp_path, "float32", "int16", "int32", "int64")
    assert "conv2d_s8" in integers and "copy" in integers
    assert [name for name in integers if re.search("f32|s16|s32|s64", name)] == []


def test_linker_snippets_are_all_used() -> None:
    text = (ZEPHYR / "placement.cmake").read_text(encoding="utf-8")
    named = set(re.findall(r"linker/(\w+\.ld)", text))
    assert named == {path.name for path in (ZEPHYR / "linker").iterdir()}


_POLICIES = "cmake_minimum_required(VERSION 3.20)\n"


def in_zephyr(directory: Path, text: str, **variables: str) -> tuple[int, str]:
    """Run CMake text with what zephyr/petite.cmake includes for models and tables."""
    script = directory / "script.cmake"
    names = ("zephyr/operator_groups.cmake", "zephyr/model_options.cmake", "cmake/model.cmake")
    included = "".join(f"include({ROOT}/{name})\n" for name in (*names, "cmake/operators.cmake"))
    script.write_text(f"{_POLICIES}{included}{text}", encoding="utf-8")
    return cmake(script, **variables)


def test_groups_that_kconfig_selects(tmp_path: Path) -> None:
    text = 'petite_operator_groups(groups)\nmessage("${groups}")\n'
    options = {"INT8": "y", "SHAPES": "y", "LOGIC": "n", "ALL": "y"}
    variables = {f"CONFIG_PETITE_OPERATORS_{name}": v for name, v in options.items()}
    assert in_zephyr(tmp_path, text, **variables) == (0, "int8;shapes")


@pytest.mark.parametrize(
    ("variables", "dtypes", "wanted"),
    [
        ({}, "", []),
        ({}, "int8;float32", ["--dtypes", "int8,float32"]),
        ({"PETITE_SELECTED_DTYPES": "int8;bool"}, "", ["--dtypes", "int8,bool"]),
        ({"PETITE_SELECTED_DTYPES": "int8;bool"}, "int8", ["--dtypes", "int8"]),
        ({"CONFIG_MINIMAL_LIBC": "y"}, "", ["--without-libm"]),
        # The table of Kconfig itself is in a library of that name.
        ({"CONFIG_PETITE_OPERATORS": "y"}, "", []),
    ],
)
def test_tables_follow_the_configuration(
    variables: dict[str, str], dtypes: str, wanted: list[str], tmp_path: Path
) -> None:
    call = f'petite_table_options(options petite_operators petite_operators "{dtypes}")\n'
    result = in_zephyr(tmp_path, f'{call}message("${{options}}")\n', **variables)
    assert result == (0, ";".join(["--instruction-set", "scalar", *wanted]))


def test_a_table_of_a_type_that_is_off(tmp_path: Path) -> None:
    text = "petite_add_operators(app ALL DTYPES float32)\n"
    result = in_zephyr(tmp_path, text, PETITE_SELECTED_DTYPES="int8;bool")
    assert_one_error(result, "DTYPES of petite_add_operators() has float32")


def test_a_second_table_of_the_same_name(tmp_path: Path) -> None:
    result = in_zephyr(tmp_path, "petite_add_operators(app ALL)\n", CONFIG_PETITE_OPERATORS="y")
    assert_one_error(
        result,
        "CONFIG_PETITE_OPERATORS=y makes the table petite_operators of this image already",
        "a NAME of its own",
    )


@pytest.mark.parametrize(
    ("option", "wanted"), [("HELIUM", "mve"), ("DSP", "dsp"), ("SCALAR", "scalar")]
)
def test_models_use_the_instruction_set_of_the_configuration(
    option: str, wanted: str, tmp_path: Path
) -> None:
    text = 'petite_environment_options(options "" "" "")\nmessage("${options}")\n'
    result = in_zephyr(tmp_path, text, **{f"CONFIG_PETITE_{option}": "y"})
    assert result == (0, f"--instruction-set;{wanted}")
