# SPDX-License-Identifier: Apache-2.0
"""Writes BENCHMARK.md: what the benchmark models cost, beside other runtimes' figures.

python tests/budgets/bench.py --output BENCHMARK.md
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measure import MODELS, Figures, measure, program_file

HERE = Path(__file__).resolve().parent
#: The core that the peers were measured on, and the others.
MAIN_TARGET = "qemu-m55"
TARGETS = (MAIN_TARGET, "qemu-m33", "qemu-m4", "qemu-m3", "qemu-m0")

TITLES = {
    "ds_cnn": "DS-CNN",
    "mobilenet_v1_025": "MobileNetV1 0.25",
    "resnet8": "ResNet-8",
    "deep_autoencoder": "deep autoencoder",
    "kws": "samples/kws",
}


def main() -> int:
    """Measure everything and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("BENCHMARK.md"))
    arguments = parser.parse_args()
    figures = {name: {target: _measured(name, target) for target in TARGETS} for name in MODELS}
    arguments.output.write_text(render(figures), encoding="utf-8")
    return 0


def _measured(name: str, target: str) -> Figures:
    print(f"measuring {name} on {target} ...", flush=True)
    return measure(program_file(name), target)


def render(figures: dict[str, dict[str, Figures]]) -> str:
    """The whole file."""
    peers = json.loads((HERE / "peers.json").read_text(encoding="utf-8"))
    lines = [
        "# Benchmark",
        "",
        "Written by `make bench`; do not edit. int8 in and out; instructions of one inference,",
        "counted in QEMU, exact and repeatable. They are not cycles. Code is everything but the",
        "model: runtime, kernels, startup, and the program that feeds the inputs. RAM includes",
        "the arena, all other data and the stack that the inference used.",
        "",
        f"## Beside other runtimes, on {MAIN_TARGET}",
        "",
        f"Others: {peers['conditions']}. Ours: the same machine and compiler.",
        "",
        *_comparison(figures, peers["models"]),
        "",
        *_estimates(figures),
        "",
        "## On every target",
        "",
        *_every_target(figures),
    ]
    return "\n".join(lines) + "\n"


def _comparison(
    figures: dict[str, dict[str, Figures]], peers: dict[str, dict[str, dict[str, float]]]
) -> list[str]:
    rows = [
        "| model | runtime | code KiB | constants KiB | flash KiB | RAM KiB | instructions |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for name, by_target in figures.items():
        own = by_target[MAIN_TARGET]
        rows.append(
            f"| {TITLES[name]} | **Petite** | {own.code / 1024:.1f} | {own.constants / 1024:.1f} "
            f"| {own.flash / 1024:.1f} | {own.ram / 1024:.1f} | {own.instructions:,} |"
        )
        for peer, theirs in peers.get(name, {}).items():
            rows.append(
                f"| | {peer} | {theirs['code_kib']:.1f} "
                f"| {theirs['flash_kib'] - theirs['code_kib']:.1f} | {theirs['flash_kib']:.1f} "
                f"| {theirs['ram_kib']:.1f} | {int(theirs['instructions']):,} |"
            )
    return rows


def _estimates(figures: dict[str, dict[str, Figures]]) -> list[str]:
    """Where the instructions go, and the cycles that the model makes of them."""
    names = list(next(iter(figures.values()))[MAIN_TARGET].classes)
    rows = [
        f"## Classes of instructions, and an estimate of cycles, on {MAIN_TARGET}",
        "",
        "The estimate comes from a small model of the core (scripts/petite/run/cycle_model.h), in",
        "which no memory makes it wait. **No cycle was measured.**",
        "",
        "| model | " + " | ".join(names) + " | instructions | estimated cycles |",
        "|---|" + "---:|" * (len(names) + 2),
    ]
    for name, by_target in figures.items():
        own = by_target[MAIN_TARGET]
        numbers = [*own.classes.values(), own.instructions, own.estimated_cycles or 0]
        rows.append(f"| {TITLES[name]} | " + " | ".join(f"{n:,}" for n in numbers) + " |")
    return rows


def _every_target(figures: dict[str, dict[str, Figures]]) -> list[str]:
    rows = [
        "| model | target | code | constants | flash | arena | stack | RAM | instructions |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, by_target in figures.items():
        for target, own in by_target.items():
            numbers = " | ".join(
                f"{n:,}"
                for n in (
                    own.code,
                    own.constants,
                    own.flash,
                    own.arena,
                    own.stack,
                    own.ram,
                    own.instructions,
                )
            )
            rows.append(f"| {TITLES[name]} | {target} | {numbers} |")
    return rows


if __name__ == "__main__":
    raise SystemExit(main())
