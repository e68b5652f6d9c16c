# SPDX-License-Identifier: Apache-2.0
"""Finds a Zephyr tree and what is needed to build with it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OLDEST = (4, 3, 0)


@dataclass(frozen=True)
class Tree:
    """A Zephyr tree, and the environment in which it builds applications of this module."""

    base: Path
    environment: dict[str, str]


def find_tree() -> Tree | str:
    """The tree of ZEPHYR_BASE, or else the newest one in CMake's user package registry.

    Returns the reason where there is none. A ZEPHYR_BASE that is no tree raises ValueError.
    """
    named = os.environ.get("ZEPHYR_BASE")
    if named:
        if _version(Path(named)) is None:
            raise ValueError(f"ZEPHYR_BASE={named} is no Zephyr tree: correct it, or unset it")
        return Tree(Path(named), _environment(Path(named)))
    found = [(version, base) for base in _registered() if (version := _version(base))]
    if not found or max(found)[0] < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        return (
            f"no Zephyr tree of version {wanted} or newer: set ZEPHYR_BASE, or run "
            "'west zephyr-export' in a workspace"
        )
    base = max(found)[1]
    return Tree(base, _environment(base))


def usable_tree() -> Tree | str:
    """The same, but also a reason where this Python lacks what Zephyr's scripts import."""
    tree = find_tree()
    missing = None if isinstance(tree, str) else _missing_package(tree.base)
    if isinstance(tree, str) or missing is None:
        return tree
    return (
        f"{sys.executable} lacks what Zephyr's scripts need ({missing}): run "
        f"'{sys.executable} -m pip install -r {tree.base}/scripts/requirements.txt'"
    )


def _missing_package(base: Path) -> str | None:
    """Why Zephyr's scripts do not start with this Python; None where they do."""
    for script in ("twister", "zephyr_module.py", "build/gen_relocate_app.py"):
        command = [sys.executable, str(base / "scripts" / script), "--help"]
        environment = dict(os.environ, ZEPHYR_BASE=str(base))
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return (done.stderr.strip().splitlines() or ["no message"])[-1]
    return None


def _registered() -> list[Path]:
    """Trees in CMake's registry: each file holds the path of a tree's CMake package."""
    registry = Path.home() / ".cmake" / "packages" / "Zephyr"
    texts = [path.read_text(encoding="utf-8").strip() for path in sorted(registry.glob("*"))]
    return [Path(text).parents[2] for text in texts if len(Path(text).parts) > 3]


def _version(base: Path) -> tuple[int, ...] | None:
    """Major, minor and patch level; None for what is no tree."""
    try:
        text = (base / "VERSION").read_text(encoding="utf-8")
    except OSError:
        return None
    fields = dict(re.findall(r"^(\w+) *= *(\d+)", text, re.MULTILINE))
    names = ("VERSION_MAJOR", "VERSION_MINOR", "PATCHLEVEL")
    return tuple(int(fields[name]) for name in names) if set(names) <= set(fields) else None


def _environment(base: Path) -> dict[str, str]:
    environment = dict(os.environ, ZEPHYR_BASE=str(base))
    # Petite's own compiler is started by the build, with a path of its own.
    environment.pop("PYTHONPATH", None)
    if not _is_in_workspace(base):
        modules = [environment.get("EXTRA_ZEPHYR_MODULES", ""), str(ROOT)]
        if str(ROOT) not in environment.get("ZEPHYR_MODULES", "").split(";"):
            environment["EXTRA_ZEPHYR_MODULES"] = ";".join(filter(None, modules))
    compiler = shutil.which("arm-none-eabi-gcc")
    chosen = {"ZEPHYR_TOOLCHAIN_VARIANT", "ZEPHYR_SDK_INSTALL_DIR"} & set(environment)
    has_sdk = (Path.home() / ".cmake" / "packages" / "Zephyr-sdk").is_dir()
    if compiler and not chosen and not has_sdk:
        environment["ZEPHYR_TOOLCHAIN_VARIANT"] = "gnuarmemb"
        environment["GNUARMEMB_TOOLCHAIN_PATH"] = str(Path(compiler).parents[1])
    models = environment.get("ARMFVP_BIN_PATH")
    if models:
        environment["PATH"] = f"{models}{os.pathsep}{environment['PATH']}"
    return environment


def _is_in_workspace(base: Path) -> bool:
    """Whether the west workspace of the tree has this repository already."""
    command = [sys.executable, "-m", "west", "list", "-f", "{abspath}"]
    done = subprocess.run(command, cwd=base, capture_output=True, text=True, check=False)
    return done.returncode == 0 and str(ROOT) in done.stdout.splitlines()
