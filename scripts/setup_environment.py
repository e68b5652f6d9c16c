#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs what `make` needs: Debian packages where they are missing, and a virtual environment.

Usage: setup_environment.py {run,test,lint} VENV

Needs only Python's standard library. Says plainly what is missing where it cannot install it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: What each goal needs: command to look for -> Debian package that has it.
_BUILD = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
    "qemu-system-arm": "qemu-system-arm",
    "cmake": "cmake",
    "ninja": "ninja-build",
    "cc": "gcc",
}
TOOLS = {
    "run": _BUILD,
    "test": {**_BUILD, "clang": "clang"},
    "lint": {},
}
#: Files that no command shows: file -> Debian package.
_LIBRARIES = {"/usr/lib/arm-none-eabi/newlib/libc.a": "libnewlib-arm-none-eabi"}
LIBRARIES = {"run": _LIBRARIES, "test": _LIBRARIES, "lint": {}}
#: Extras of pyproject.toml. Types are checked with the packages whose types are used.
EXTRAS = {"run": "", "test": "[export,test]", "lint": "[export,lint]"}


def main(arguments: list[str]) -> int:
    """Install for one goal; 0 when everything is there."""
    if len(arguments) != 2 or arguments[0] not in TOOLS:
        print(__doc__, file=sys.stderr)
        return 2
    goal, venv = arguments[0], Path(arguments[1]).absolute()
    if sys.version_info < (3, 10):  # noqa: UP036 - this is where it is required
        return fail(f"Python 3.10 or newer is needed, this is {sys.version.split()[0]}")
    problem = install_packages(goal) or install_venv(goal, venv)
    return fail(problem) if problem else 0


def fail(message: str) -> int:
    """One line, and the exit status."""
    print(f"setup: {message}", file=sys.stderr)
    return 1


def missing_packages(goal: str) -> list[str]:
    """Debian packages whose command or file is not there."""
    packages = [p for command, p in TOOLS[goal].items() if shutil.which(command) is None]
    if _needs_newlib(goal):
        packages += LIBRARIES[goal].values()
    # What was installed a moment ago has to be seen.
    importlib.invalidate_caches()
    if importlib.util.find_spec("ensurepip") is None:
        packages.append("python3-venv")
    return packages


def _needs_newlib(goal: str) -> bool:
    """Debian packs the libc apart from the compiler; other toolchains bring their own."""
    if not LIBRARIES[goal]:
        return False
    compiler = shutil.which("arm-none-eabi-gcc")
    if compiler is None:
        return True
    found = subprocess.run(
        [compiler, "-print-file-name=libc.a"], capture_output=True, text=True, check=False
    )
    # GCC repeats the bare name of a file that it does not find.
    return not os.path.isabs(found.stdout.strip())


def install_packages(goal: str) -> str | None:
    """Install with apt-get; returns what is wrong, or None."""
    packages = missing_packages(goal)
    if not packages:
        return None
    names = " ".join(packages)
    if shutil.which("apt-get") is None:
        return f"missing: {names} (Debian's names); install them with your system's package manager"
    prefix: list[str] = []
    if os.geteuid() != 0:
        if shutil.which("sudo") is None:
            return f"missing: {names}; run as root: apt-get install {names}"
        prefix = ["sudo"]
    print(f"setup: installing {names}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [*prefix, "apt-get", "install", "-y", "--no-install-recommends", *packages]
    for command in ([*prefix, "apt-get", "update"], install):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            reason = (done.stderr or done.stdout).strip().splitlines()[-1:]
            return f"'{' '.join(command)}' failed: {' '.join(reason)}"
    still = missing_packages(goal)
    return f"still missing after installation: {' '.join(still)}" if still else None


def install_venv(goal: str, venv: Path) -> str | None:
    """Make the environment, and install the package with the goal's extras once a change."""
    python = venv / "bin" / "python"
    stamp = venv / f".petite-{goal}"
    identity = f"{ROOT} {EXTRAS[goal]}".encode()
    for name in ("pyproject.toml", "scripts/requirements.txt"):
        identity += (ROOT / name).read_bytes()
    wanted = hashlib.sha256(identity).hexdigest()
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return None
    if not python.exists():
        print(f"setup: creating {venv}")
        done = subprocess.run([sys.executable, "-m", "venv", str(venv)], check=False)
        if done.returncode != 0:
            return f"cannot create a virtual environment in {venv}"
    print(f"setup: installing Python packages for '{goal}' (a few minutes the first time)")
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    command += ["-e", f"{ROOT}{EXTRAS[goal]}"]
    done = subprocess.run(command, check=False)
    if done.returncode != 0:
        return f"'{' '.join(command)}' failed; see pip's message above"
    stamp.write_text(wanted)
    return None


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
