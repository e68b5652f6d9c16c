# SPDX-License-Identifier: Apache-2.0
"""pytest plugin for ExecuTorch's tests of its Cortex-M backend: Petite runs what they serialise.

`run_artifact()` of their serialise stage, which wants Arm's simulator, compiles the program with
Petite and runs it on the host with sanitizers and then on emulated cores, which have to give the
same bytes. All else is theirs: models, seeds, quantisation, lowering, expected values, tolerances.

Options: --petite-core (repeatable), and --petite-results, a JSON file with an outcome for each
test, and for each file that cannot be imported.
"""

from __future__ import annotations

import gc
import json
import tempfile
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.utils._pytree import tree_flatten

from faster_export import remember_operators
from petite.cli.arrays import from_bytes, to_bytes
from petite.compile import CompiledModel, Options, compile_file
from petite.run import execute
from petite.targets import find_target
from petite.targets.memory_map import memory_map_of

#: Larger models have their constants in external memory, which only this machine has.
_M55 = memory_map_of(find_target("qemu-m55"))
_FLASH = _M55.find("FLASH").size
#: What pytest says of a test that passes although its strict xfail mark expects a failure.
_UNEXPECTED_PASS = "[XPASS(strict)]"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    parser.addoption("--petite-core", action="append", default=[], metavar="TARGET")
    parser.addoption("--petite-results", type=Path, required=True, metavar="FILE.json")


def pytest_configure(config: pytest.Config) -> None:
    """Replace the one function, and record outcomes."""
    from executorch.backends.cortex_m.test.tester import CortexMSerialize

    cores = config.getoption("--petite-core")

    def run_artifact(stage: Any, inputs: Any) -> tuple[torch.Tensor, ...]:
        flat, _ = tree_flatten(inputs)
        # Export makes numbers among the inputs constants of the program.
        return run_on_petite(stage.buffer, [x for x in flat if torch.is_tensor(x)], cores)

    CortexMSerialize.run_artifact = run_artifact
    config.pluginmanager.register(_Recorder(config.getoption("--petite-results")))


def run_on_petite(
    pte: bytes, inputs: Sequence[torch.Tensor], cores: Sequence[str]
) -> tuple[torch.Tensor, ...]:
    """Outputs of the program's only method, after one call."""
    with tempfile.TemporaryDirectory(prefix="petite-") as directory:
        work = Path(directory)
        (work / "program.pte").write_bytes(pte)
        model = compile_file(work / "program.pte", Options())
        outputs = _run(model, work, inputs, "host")
        if model.view.constant_size > _FLASH:
            external = Options(memory_map=_M55, weights=("EXTERNAL",))
            model = compile_file(work / "program.pte", external)
        for core in cores:
            assert _run(model, work, inputs, core) == outputs, f"{core} and the host differ"
    ports = model.schedules[0].outputs
    return tuple(
        torch.from_numpy(from_bytes(data, port).copy())
        for data, port in zip(outputs, ports, strict=True)
    )


def _run(
    model: CompiledModel, work: Path, inputs: Sequence[torch.Tensor], core: str
) -> list[bytes]:
    [schedule] = model.schedules
    call = [
        to_bytes(tensor.detach().numpy(), port, port.name)
        for tensor, port in zip(inputs, schedule.inputs, strict=True)
    ]
    target = find_target(core)
    model.write(work)
    return execute(work, target, 0, [call], sanitize=target.is_host).outputs[0]


class _Recorder:
    """Outcomes: passed, failed, skipped, xfailed or xpassed, each with its reason."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tests: dict[str, tuple[str, str]] = {}
        self._files: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        expected = hasattr(report, "wasxfail")
        outcome: str = report.outcome
        if expected:
            outcome = "xfailed" if report.skipped else "xpassed"
        elif report.failed and report.longreprtext.startswith(_UNEXPECTED_PASS):
            outcome = "xpassed"
        if call.when == "call" or outcome != "passed":
            self._tests[item.nodeid] = (outcome, _reason(report, call))
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._files[report.nodeid] = report.longreprtext.strip().splitlines()[-1]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        # Lowering makes much garbage, and torch is large: leaving it out saves a tenth of the time.
        gc.collect()
        gc.freeze()
        remember_operators()
        if session.config.option.collectonly:
            self._tests = {item.nodeid: ("collected", "") for item in session.items}

    def pytest_sessionfinish(self) -> None:
        self._path.write_text(json.dumps({"tests": self._tests, "files": self._files}))


def _reason(report: pytest.TestReport, call: pytest.CallInfo[None]) -> str:
    """Why a test did not pass: in full where nobody expected it."""
    if report.failed:
        return report.longreprtext
    return str(call.excinfo.value) if call.excinfo is not None else ""
