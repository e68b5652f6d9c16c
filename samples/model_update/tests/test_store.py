# SPDX-License-Identifier: Apache-2.0
"""The store on flash whose power fails in every step, and with every header that may be found."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "src"


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=pytest.mark.long)])
def test_store(tmp_path: Path, compiler: str) -> None:
    program = tmp_path / "try_store"
    command = [compiler, "-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror"]
    command += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", f"-I{SOURCE}"]
    sources = [HERE / "try_store.c", HERE / "fragile_flash.c"]
    sources += [SOURCE / "store.c", SOURCE / "crc32.c"]
    command += [*(str(source) for source in sources), "-o", str(program)]
    subprocess.run(command, check=True)
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    failures = re.search(r"the power failed (\d+) times", done.stdout)
    assert failures is not None and int(failures[1]) > 2000
    assert done.stdout.endswith("done\n")
