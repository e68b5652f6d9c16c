# SPDX-License-Identifier: Apache-2.0
"""Fuzzes the loader with libFuzzer, from a corpus that is kept.

python tests/fuzz/fuzz.py --seconds 3600      fuzz; findings go to tests/fuzz/findings
python tests/fuzz/fuzz.py --minimize          keep what reaches code that nothing else does

Needs clang. The corpus is in tests/fuzz/corpus.zip. Whole programs in it (*.pte) always stay:
branches, loops, and moves, which fuzzing does not find by itself.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CORPUS = HERE / "corpus.zip"
FINDINGS = HERE / "findings"
sys.path.insert(0, str(ROOT / "scripts"))

from petite.select.catalogue import ENTRIES  # noqa: E402
from petite.select.table import table_files  # noqa: E402

_FLAGS = ["-std=gnu11", "-g", "-O1", "-ffp-contract=off", "-fno-sanitize-recover=all"]
_SANITIZERS = "-fsanitize=address,undefined,fuzzer"
#: Bytes of the longest input.
_LONGEST = 6000


def main() -> int:
    """Build, unpack, fuzz or minimize, pack."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--minimize", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="petite-fuzz-") as directory:
        work = Path(directory)
        fuzzer = build(work)
        corpus = work / "corpus"
        with zipfile.ZipFile(CORPUS) as archive:
            archive.extractall(corpus)
        if arguments.minimize:
            smaller = work / "smaller"
            smaller.mkdir()
            for seed in corpus.glob("*.pte"):
                shutil.copy(seed, smaller)
            # Without counters: how often code is reached would keep three times as many.
            status = _run(fuzzer, "-merge=1", "-use_counters=0", str(smaller), str(corpus))
            corpus = smaller
        else:
            FINDINGS.mkdir(exist_ok=True)
            status = _run(
                fuzzer,
                str(corpus),
                f"-max_total_time={arguments.seconds}",
                f"-artifact_prefix={FINDINGS}/",
            )
        pack(corpus)
    return status


def build(work: Path) -> Path:
    """The fuzzer, with every operator."""
    files = table_files("operators", ENTRIES, "scalar")
    (work / "operators.c").write_text(files["operators.c"], encoding="utf-8")
    (work / "operators.h").write_text('#include "model.h"\n', encoding="utf-8")
    (work / "model.h").write_text(files["operators.h"], encoding="utf-8")
    runtime = ROOT / "runtime"
    sources = [
        work / "operators.c",
        HERE / "fuzz_load.c",
        HERE / "mutate_program.c",
        ROOT / "tests" / "loader" / "try_program.c",
        *runtime.glob("executor/*.c"),
        *runtime.glob("registry/*.c"),
        *runtime.glob("loader/*.c"),
        *runtime.glob("operators/*/*.c"),
        *runtime.glob("kernels/*/*_scalar.c"),
        *runtime.glob("platform/host/*.c"),
    ]
    includes = [work, runtime / "include", runtime, ROOT / "tests" / "loader", HERE]
    fuzzer = work / "fuzzer"
    command = ["clang", *_FLAGS, _SANITIZERS, *(f"-I{path}" for path in includes)]
    subprocess.run([*command, *map(str, sources), "-lm", "-o", str(fuzzer)], check=True)
    return fuzzer


def _run(fuzzer: Path, *arguments: str) -> int:
    command = [str(fuzzer), f"-max_len={_LONGEST}", "-timeout=20", *arguments]
    return subprocess.run(command, env={**os.environ}, check=False).returncode


def pack(corpus: Path) -> None:
    """Write the corpus: the same files give the same bytes."""
    partial = CORPUS.with_suffix(".partial")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(corpus.iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    partial.replace(CORPUS)


if __name__ == "__main__":
    sys.exit(main())
