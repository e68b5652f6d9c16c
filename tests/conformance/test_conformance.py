# SPDX-License-Identifier: Apache-2.0
"""Every program gives the outputs of the reference graph, on the host and on emulated cores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conformance.programs import Built, build, default_cache, listed
from petite.cli.arrays import from_bytes, to_bytes
from petite.compile import CompiledModel, Options, compile_file
from petite.errors import PetiteError
from petite.run import execute
from petite.targets import find_target

Array = np.ndarray[Any, np.dtype[Any]]

CACHE = default_cache()
#: Whole models run on every core; small programs on those that differ most: Helium and FPU, no FPU,
#: and no 64-bit multiplication or division either. All but the Cortex-M55 are left to the long run.
MODELS = ("ds_cnn", "mobilenet_v1_025", "resnet8", "deep_autoencoder")
EVERY_CORE = ("qemu-m55", "qemu-m33", "qemu-m4", "qemu-m3", "qemu-m0")
FEW_CORES = ("qemu-m55", "qemu-m3", "qemu-m0")
#: Programs with kernels for the DSP extension run there as well.
FOUR_CORES = ("qemu-m55", "qemu-m4", "qemu-m3", "qemu-m0")
FOR_DSP = frozenset(
    n
    for n, module in listed().items()
    if module in ("catalogue_convolution", "catalogue_elementwise", "catalogue_layout")
)
#: Operators that are also called directly, one by one, by default: test_direct_calls.py.
CALLED_DIRECTLY = frozenset(
    f"catalogue_{part}" for part in ("functions", "indexing", "layers", "reduce", "sampling")
)
#: Of the modules with most programs, every second one is left to the long run.
EVERY_SECOND = frozenset(
    name
    for part in ("convolution", "elementwise", "layout", "state")
    for name in [n for n, module in listed().items() if module == f"catalogue_{part}"][1::2]
)
#: Where the host's sanitizers find what no other default test looks for: order in memory, states,
#: branches, and whole models. The kernels of all others run under them in tests/host.
ON_THE_HOST = frozenset(
    n
    for n, module in listed().items()
    if n in MODELS or module.removeprefix("catalogue_") in ("layout", "state", "control")
)
LARGER = frozenset(name for name, module in listed().items() if module.startswith("larger_"))


def run_calls(
    model: CompiledModel, built: Built, target: str, directory: Path, *, sanitize: bool = False
) -> list[list[Array]]:
    """Outputs of each call of a built program, in order."""
    names = [schedule.name for schedule in model.schedules]
    outputs: list[list[Array]] = [[] for _ in built.meta.methods]
    for method in dict.fromkeys(built.meta.methods):
        schedule = model.schedules[names.index(method)]
        calls = [i for i, name in enumerate(built.meta.methods) if name == method]
        data = [
            [to_bytes(a, p, "input") for a, p in zip(built.inputs[i], schedule.inputs, strict=True)]
            for i in calls
        ]
        # Calls that are not one sequence each start from the initial state.
        groups = [data] if built.meta.stateful else [[call] for call in data]
        if not schedule.states:
            groups = [data]
        raw = [
            call
            for group in groups
            for call in execute(
                directory, find_target(target), names.index(method), group, sanitize=sanitize
            ).outputs
        ]
        for i, call in zip(calls, raw, strict=True):
            outputs[i] = [from_bytes(b, p) for b, p in zip(call, schedule.outputs, strict=True)]
    return outputs


def assert_equal(built: Built, actual: list[list[Array]]) -> None:
    """Bit for bit, except where only the order of a float sum is free."""
    for number, (got, wanted) in enumerate(zip(actual, built.expected, strict=True)):
        for position, (a, b) in enumerate(zip(got, wanted, strict=True)):
            place = f"{built.meta.name}: call {number}, output {position}"
            assert a.shape == b.shape and a.dtype == b.dtype, place
            if built.meta.tolerance == 0 or b.dtype != np.float32:
                differing = np.flatnonzero(a != b)
                assert not differing.size, (
                    f"{place}: {differing.size} of {a.size} elements differ, first at "
                    f"{differing[0]}: {a.flat[differing[0]]} instead of {b.flat[differing[0]]}"
                )
            else:
                limit = built.meta.tolerance * np.abs(b).max(initial=0)
                assert np.abs(a - b).max(initial=0) <= limit, place


def in_one_worker(name: str, *values: str, long: bool = False) -> Any:
    """A parameter set that shares the worker (and so the built program) with its siblings."""
    long = long or listed()[name] in CALLED_DIRECTLY or name in EVERY_SECOND
    marks = [pytest.mark.xdist_group(name), *([pytest.mark.long] if long else [])]
    return pytest.param(name, *values, marks=marks, id="-".join((name, *values)))


def on_cores(name: str) -> list[Any]:
    """A parameter set for each core that a program runs on."""
    cores = FOUR_CORES if name in FOR_DSP else FEW_CORES
    if name in LARGER or name in MODELS:
        cores = EVERY_CORE
    return [in_one_worker(name, core, long=core != "qemu-m55") for core in cores]


def refused_or_compiled(built: Built, options: Options) -> CompiledModel | None:
    """The model; None for a program that is rightly refused."""
    if built.meta.refused is None:
        return compile_file(built.pte, options)
    with pytest.raises(PetiteError) as caught:
        compile_file(built.pte, options)
    assert built.meta.refused in str(caught.value)
    assert "\n" not in str(caught.value)
    return None


@pytest.mark.parametrize("name", [in_one_worker(n, long=n not in ON_THE_HOST) for n in listed()])
def test_on_the_host_with_sanitizers(name: str, tmp_path: Path) -> None:
    built = build(name, CACHE)
    model = refused_or_compiled(built, Options())
    if model is not None:
        model.write(tmp_path)
        assert_equal(built, run_calls(model, built, "host", tmp_path, sanitize=True))


@pytest.mark.parametrize("name", [in_one_worker(n, long=n not in MODELS) for n in listed()])
def test_passes_and_placement_change_nothing(name: str, tmp_path: Path) -> None:
    built = build(name, CACHE)
    model = refused_or_compiled(built, Options(optimize=False, keep_inputs=True))
    if model is not None:
        model.write(tmp_path)
        assert_equal(built, run_calls(model, built, "host", tmp_path))


@pytest.mark.parametrize(("name", "target"), [case for name in listed() for case in on_cores(name)])
def test_on_emulated_cores(name: str, target: str, tmp_path: Path) -> None:
    built = build(name, CACHE)
    model = refused_or_compiled(built, Options())
    if model is not None:
        model.write(tmp_path)
        assert_equal(built, run_calls(model, built, target, tmp_path))


def test_names_are_those_of_the_catalogue() -> None:
    from conformance.catalogue import modules

    assert listed() == modules(), "run tests/conformance/programs.py --list"
