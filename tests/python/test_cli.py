# SPDX-License-Identifier: Apache-2.0
"""The command line: right uses, and one clear line for each wrong one."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from executorch.exir import schema
from executorch.exir.scalar_type import ScalarType

import cli_files
from petite.cli.compile import arena
from petite.cli.main import main
from petite.compile import Options, compile_file
from petite.placement.model import Placement
from petite.placement.planner import Plan

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
COMMANDS = ["export", "inspect", "compile", "run", "monitor", "report"]


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with one for temporary files beside it."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(name: str, data: bytes) -> str:
    Path(name).write_bytes(data)
    return name


def write_npy(name: str, shape: tuple[int, ...] = (2, 3), dtype: str = "float32") -> str:
    np.save(name, np.arange(np.prod(shape), dtype=dtype).reshape(shape) - 2)
    return name


def tree(folder: Path) -> dict[str, bytes]:
    """Every file there, and beside it, with its contents."""
    return {str(p): p.read_bytes() for p in sorted(folder.parent.rglob("*")) if p.is_file()}


def fails(work: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command that must fail properly; returns its error line."""
    before = tree(work)
    assert main(list(arguments)) == 1
    printed, error = capsys.readouterr()
    assert printed == ""
    assert error.startswith("petite: error: ")
    assert error.count("\n") == 1 and error.endswith("\n")
    assert "Traceback" not in error
    assert tree(work) == before, "something half-written is left"
    return error


def petite(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "petite", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(SCRIPTS), **environment},
    )


# --- help --------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert re.search(rf"example:\n  petite {command} \S", capsys.readouterr().out)


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert all(command in text for command in COMMANDS)


def test_a_missing_package_is_named() -> None:
    """-S leaves out all packages that were installed."""
    done = subprocess.run(
        [sys.executable, "-S", "-m", "petite", "--version"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
    )
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("\n") == 1
    requirements = SCRIPTS / "requirements.txt"
    assert re.match(r"petite: error: .* has no package '\w+';", done.stderr)
    assert requirements.is_file() and f"-m pip install -r {requirements}\n" in done.stderr


@pytest.mark.parametrize(
    "arguments", [[], ["frobnicate"], ["run"], ["run", "x", "--target", "z80"]]
)
def test_wrong_usage(arguments: list[str], work: Path) -> None:
    done = petite(*arguments)
    assert done.returncode == 2
    assert re.search(r"petite[a-z ]*: error: ", done.stderr) and "Traceback" not in done.stderr


# --- bad programs ------------------------------------------------------------------------------


def _newer() -> bytes:
    return cli_files.relu().replace(b"ET12", b"ET13", 1)


BAD_PROGRAMS: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "the file is empty"),
    "random": (lambda: random.Random(1).randbytes(4096), "not an ExecuTorch program"),
    "identifier": (lambda: cli_files.relu().replace(b"ET12", b"TFL3", 1), "TensorFlow Lite"),
    "newer schema": (_newer, "newer than the 'ET12' that this reader knows"),
    "operator": (
        lambda: cli_files.program(cli_files.method(operator=("aten::erfinv", "out"))),
        r"instruction 0 \(aten::erfinv.out\): operator aten::erfinv.out is not supported",
    ),
    "float64": (lambda: cli_files.of_type(ScalarType.DOUBLE), "element type double is not"),
    "float16": (lambda: cli_files.of_type(ScalarType.HALF), "element type half is not"),
    "type of operator": (cli_files.softmax_of_integers, "int32, but only float32"),
    "dynamic": (cli_files.dynamic, r"input 0: has a dynamic shape \(at most \[2, 3\]\)"),
}


def test_an_error_says_where_the_author_wrote_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the file was exported with stack traces."""
    made = cli_files.method(operator=("aten::erfinv", "out"))
    frames = [schema.Frame("model.py", 7, "outer", "y"), schema.Frame("model.py", 12, "inner", "z")]
    made.chains[0].stacktrace = [schema.FrameList(frames)]
    path = tmp_path / "m.pte"
    path.write_bytes(cli_files.program(made))
    assert main(["compile", str(path), "--output", str(tmp_path / "out")]) == 1
    message = capsys.readouterr().err
    assert "instruction 0 (aten::erfinv.out, from model.py:12, in inner): operator" in message


@pytest.mark.parametrize("command", ["compile", "run"])
@pytest.mark.parametrize("name", BAD_PROGRAMS)
def test_bad_program(
    name: str, command: str, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, message = BAD_PROGRAMS[name]
    error = fails(work, capsys, command, write("bad.pte", make()), "--output", "out")
    assert "bad.pte" in error and re.search(message, error)


@pytest.mark.parametrize("command", ["inspect", "compile", "run"])
def test_missing_program(command: str, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.pte: cannot be read" in fails(work, capsys, command, "nowhere.pte")


def test_a_folder_is_no_program(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fails(work, capsys, "compile", str(work))


@pytest.mark.parametrize("command", ["inspect", "compile"])
def test_truncated_program(command: str, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = cli_files.with_constant(300)
    for length in range(0, len(data), 97):
        fails(work, capsys, command, write("cut.pte", data[:length]))


def test_damaged_program(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Flipped bytes may leave another valid program; what fails must fail properly."""
    data = cli_files.counter()
    chance = random.Random(2)
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(chance.choice([1, 1, 2, 8])):
            damaged[chance.randrange(len(data))] = chance.choice(
                [0, 1, 2, 255, chance.randrange(256)]
            )
        write("bad.pte", bytes(damaged))
        status = main(["compile", "bad.pte", "--output", "out"])
        error = capsys.readouterr().err
        assert (status, error.count("\n")) in [(0, 0), (1, 1)], error
        assert not list(work.parent.joinpath("tmp").iterdir())


def test_a_process_reports_like_the_function(work: Path) -> None:
    done = petite("compile", write("bad.pte", b"not a program"), "--output", "out")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("petite: error: bad.pte: ") and done.stderr.count("\n") == 1
    assert sorted(p.name for p in work.iterdir()) == ["bad.pte"]


# --- compile -----------------------------------------------------------------------------------


def test_compile_twice_changes_nothing(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = write("m.pte", cli_files.with_constant(300))
    arguments = ["compile", program, "--name", "kws", "--output", "a/b"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "kws: 1 method(s), 1 kernel calls, 1,200 bytes of constants" in out
    assert "arena of 1,200 bytes: no plan for these kernel calls is smaller" in out
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in Path("a/b").iterdir()}
    assert sorted(p.name for p in before) == ["kws.c", "kws.h"]
    assert main(arguments) == 0
    assert before == {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in Path("a/b").iterdir()}


def test_an_arena_that_may_not_be_the_smallest_says_how_far_it_can_be() -> None:
    placement = Placement({"forward": Plan({}, 11728, 11680)}, 11728, {}, 0)
    expected = "arena of 11,728 bytes: at most 48 bytes (0.4 %) above the smallest plan"
    assert arena(placement) == expected


def test_compile_for_a_shared_arena(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = write("m.pte", cli_files.relu())
    assert main(["compile", program, "--name", "kws", "--arena", "both"]) == 0
    capsys.readouterr()
    assert '#include "both_arena.h"' in Path("kws.c").read_text(encoding="utf-8")
    assert "has the model's own name" in fails(
        work, capsys, "compile", program, "--name", "kws", "--arena", "kws", "--output", "o"
    )


def test_compile_is_the_same_in_every_process(work: Path) -> None:
    program = write("m.pte", cli_files.counter())
    for seed in ("1", "2"):
        done = petite("compile", program, "--output", seed, PYTHONHASHSEED=seed)
        assert done.returncode == 0, done.stderr
    for name in ("model.c", "model.h"):
        assert Path("1", name).read_bytes() == Path("2", name).read_bytes()


def test_the_core_lacks_the_instruction_set(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = write("m.pte", cli_files.relu())
    m4 = ["compile", program, "--target", "mps2_an386", "--instruction-set", "mve", "--output=o"]
    assert "core cortex-m4 lacks it; choose one of dsp, scalar" in fails(work, capsys, *m4)
    host = ["run", program, "--instruction-set", "dsp"]
    assert "target host lacks it; choose one of scalar" in fails(work, capsys, *host)


@pytest.mark.parametrize("name", ["", "9", "Kws", "a-b", "../x", "a b"])
def test_bad_name(name: str, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = write("m.pte", cli_files.relu())
    error = fails(work, capsys, "compile", program, f"--name={name}", "--output", "out")
    assert "cannot start C symbols" in error


@pytest.mark.parametrize("output", ["file", "file/below", "/proc/petite"])
def test_output_that_cannot_be_written(
    output: str, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write("file", b"precious")
    program = write("m.pte", cli_files.relu())
    error = fails(work, capsys, "compile", program, "--output", output)
    assert "cannot write the generated files" in error and "choose another --output" in error


@pytest.mark.parametrize("command", ["compile", "run"])
def test_too_much_ram(command: str, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = write("m.pte", cli_files.program(cli_files.method(sizes=(600, 600))))
    inputs = ["--input", write_npy("x.npy", (600, 600))] if command == "run" else []
    error = fails(work, capsys, command, program, "--target", "qemu-m0", "--output", "out", *inputs)
    assert "too big for qemu-m0" in error
    assert "need 1440000 bytes, but memory RAM has 1048576" in error


@pytest.mark.parametrize("command", ["compile", "run"])
def test_too_much_flash(command: str, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = write("m.pte", cli_files.with_weights(1000, 600))
    inputs = ["--input", write_npy("x.npy", (1, 600))] if command == "run" else []
    error = fails(work, capsys, command, program, "--target", "qemu-m0", "--output", "out", *inputs)
    assert "constants need 2400000 bytes, but memory FLASH has 2097152" in error


def test_too_much_with_the_code(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The data alone would fit; the linker has the last word, in the same form."""
    program = write("m.pte", cli_files.with_weights(1000, 524))
    assert main(["compile", program, "--target", "qemu-m0", "--output", "out"]) == 0
    capsys.readouterr()
    x = write_npy("x.npy", (1, 524))
    error = fails(work, capsys, "run", program, "--target", "qemu-m0", "--input", x)
    assert "FLASH" in error and "2097152" in error and "qemu-m0" in error


# --- inputs and outputs of run -----------------------------------------------------------------


def _run(*arguments: str) -> list[str]:
    return ["run", write("m.pte", cli_files.relu()), *arguments]


def test_input_of_another_shape(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = fails(work, capsys, *_run("--input", write_npy("x.npy", (3, 2)), "--output", "y.npy"))
    assert "x.npy: has shape [3, 2], but the model takes [2, 3]" in error


@pytest.mark.parametrize("dtype", ["float64", "int8", "complex64", "U4"])
def test_input_of_another_type(dtype: str, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("x.npy", np.ones((2, 3)).astype(dtype))
    error = fails(work, capsys, *_run("--input", "x.npy", "--output", "y.npy"))
    assert "x.npy: has type " in error and "takes float32" in error


def test_float_input_of_a_quantised_model(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kws = SCRIPTS.parent / "samples" / "kws" / "model" / "kws.pte"
    [port] = compile_file(kws, Options(int8_io=True)).schedules[0].inputs
    assert port.quantization is not None
    np.save("x.npy", np.zeros(port.shape, np.float32))
    error = fails(work, capsys, "run", str(kws), "--int8-io", "--input", "x.npy")
    scale, zero_point = port.quantization.scale, port.quantization.zero_point
    assert f"quantise it: round(x / {scale:.9g}) + {zero_point}, limited to its range" in error


def _huge() -> bytes:
    """A header that promises a million times what any machine has."""
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000, 1000000)}"
    text = header.ljust(117).encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


BAD_ARRAYS: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "text": lambda: b"1 2 3\n",
    "random": lambda: random.Random(3).randbytes(500),
    "cut header": lambda: b"\x93NUMPY\x01\x00v\x00{'descr'",
    "cut": lambda: Path(write_npy("whole.npy")).read_bytes()[:-1],
    "huge": _huge,
    "objects": lambda: (np.save("o.npy", np.array([{}])), Path("o.npy").read_bytes())[1],  # type: ignore[func-returns-value]
    "archive": lambda: (np.savez("a.npz", x=1), Path("a.npz").read_bytes())[1],  # type: ignore[func-returns-value]
}


@pytest.mark.parametrize("name", BAD_ARRAYS)
def test_input_that_is_no_array(name: str, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("x.npy", BAD_ARRAYS[name]())
    error = fails(work, capsys, *_run("--input", "x.npy", "--output", "y.npy"))
    assert "x.npy: " in error


def test_missing_input_file(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.npy: cannot read it" in fails(work, capsys, *_run("--input", "nowhere.npy"))


@pytest.mark.parametrize("count", [0, 2])
def test_wrong_number_of_inputs(count: int, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = fails(work, capsys, *_run(*["--input", write_npy("x.npy")] * count))
    assert f"takes 1 input(s) (float32[2, 3]), but --input is given {count} times" in error


def test_wrong_number_of_outputs(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = _run("--input", write_npy("x.npy"), "--output", "y.npy", "--output", "z.npy")
    assert "has 1 output(s), but --output is given 2 times" in fails(work, capsys, *arguments)


@pytest.mark.parametrize("output", [".", "nowhere/y.npy", "m.pte/y.npy"])
def test_unwritable_output(output: str, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    error = fails(work, capsys, *_run("--input", write_npy("x.npy"), "--output", output))
    assert f"{output}: cannot write it" in error


def test_methods(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = cli_files.program(cli_files.method("first"), cli_files.method("second"))
    program, x = write("m.pte", both), write_npy("x.npy")
    error = fails(work, capsys, "run", program, "--input", x)
    assert "has methods first, second; choose one with --method" in error
    error = fails(work, capsys, "run", program, "--input", x, "--method", "third")
    assert "has no method 'third'; it has first, second" in error
    assert main(["run", program, "--input", x, "--method", "second", "--output", "y.npy"]) == 0
    np.testing.assert_array_equal(np.load("y.npy"), np.maximum(np.load("x.npy"), 0))


BAD_CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, "has 0 arrays"),
    "too many": ({"input0": np.ones((2, 3)), "input1": np.ones((2, 3))}, "has 2 arrays"),
    "shape": ({"input0": np.ones((2, 4), np.float32)}, r"needs \[calls, 3\]"),
    "no calls axis": ({"input0": np.ones(3, np.float32)}, r"needs \[calls, 3\]"),
    "no calls": ({"input0": np.ones((0, 3), np.float32)}, "different numbers of calls, or none"),
    "type": ({"input0": np.ones((2, 3))}, "has type float64"),
    "gap": (
        {"call0_input0": np.ones(3, np.float32), "call2_input0": np.ones(3, np.float32)},
        r"\(1, 0\) is missing",
    ),
    "gap of shape": ({"call0_input0": np.ones(4, np.float32)}, r"has shape \[4\]"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_calls(name: str, work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arrays, message = BAD_CALLS[name]
    np.savez("calls.npz", **arrays)
    program = write("m.pte", cli_files.counter())
    error = fails(work, capsys, "run", program, "--calls", "calls.npz", "--output", "y.npy")
    assert "calls.npz: " in error and re.search(message, error)


@pytest.mark.parametrize("name", BAD_ARRAYS)
def test_calls_that_are_no_archive(
    name: str, work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write("calls.npz", BAD_ARRAYS[name]())
    program = write("m.pte", cli_files.counter())
    assert "calls.npz: " in fails(work, capsys, "run", program, "--calls", "calls.npz")


def test_calls_and_input_exclude_each_other(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = _run("--input", write_npy("x.npy"), "--calls", "x.npy")
    assert "--calls and --input exclude each other" in fails(work, capsys, *arguments)


# --- report ------------------------------------------------------------------------------------


def test_report_of_what_is_no_firmware(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.elf" in fails(work, capsys, "report", "nowhere.elf")
    for data in (b"", b"text\n", b"\x7fELF", random.Random(4).randbytes(999)):
        assert "bad.elf" in fails(work, capsys, "report", write("bad.elf", data))


def test_report_of_cut_firmware(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write("t.c", b"int petite_run(void) { return 0; }\nint main(void) { return petite_run(); }\n")
    subprocess.run(["gcc", "t.c", "-o", "whole.elf"], check=True)
    assert main(["report", "whole.elf", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["code"] > 0
    data = Path("whole.elf").read_bytes()
    for length in range(0, len(data), 997):
        fails(work, capsys, "report", write("cut.elf", data[:length]))


# --- right uses --------------------------------------------------------------------------------


def test_two_inputs(work: Path) -> None:
    program = write("m.pte", cli_files.two_inputs())
    x, y = write_npy("x.npy"), write_npy("y.npy")
    assert main(["run", program, "--input", x, "--input", y, "--output", "z.npy"]) == 0
    np.testing.assert_array_equal(np.load("z.npy"), np.load(x) + np.load(y))
    assert sorted(p.name for p in work.iterdir()) == ["m.pte", "x.npy", "y.npy", "z.npy"]
    assert not list(work.parent.joinpath("tmp").iterdir())


@pytest.mark.parametrize("form", ["stacked", "one array each"])
def test_calls_of_a_program_with_state(form: str, work: Path) -> None:
    calls = np.array([[1, 2, 3], [10, 20, 30], [-5, 0.5, 0]], np.float32)
    each = {f"call{i}_input0": call for i, call in enumerate(calls)}
    np.savez("calls.npz", **({"input0": calls} if form == "stacked" else each))
    program = write("m.pte", cli_files.counter())
    assert main(["run", program, "--calls", "calls.npz", "--output", "y.npy"]) == 0
    np.testing.assert_array_equal(np.load("y.npy"), np.cumsum(calls, axis=0))


@pytest.mark.parametrize("target", ["host", "qemu-m55"])
def test_json_is_one_object(target: str, work: Path) -> None:
    done = petite(*_run("--input", write_npy("x.npy"), "--target", target, "--json"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1 and done.stderr == ""
    figures = json.loads(done.stdout)
    keys = {"instructions", "stack", "arena", "ram", "code", "constants", "flash"}
    classes = figures.pop("classes", None)
    cycles = figures.pop("estimated_cycles", None)
    assert set(figures) == keys
    assert figures["arena"] == 32
    if target == "host":
        assert classes is None and cycles is None
    else:
        assert sum(classes.values()) == figures["instructions"] and cycles > 0
        assert all(isinstance(value, int) and value >= 0 for value in figures.values())
        assert figures["flash"] >= figures["code"] + figures["constants"]
        assert figures["ram"] >= figures["arena"] + figures["stack"]


def test_int8_io_and_keep_inputs_run(work: Path) -> None:
    arguments = _run("--input", write_npy("x.npy"), "--output", "y.npy", "--keep-inputs")
    assert main([*arguments, "--int8-io", "--no-optimize", "--sanitize"]) == 0
    np.testing.assert_array_equal(np.load("y.npy"), np.maximum(np.load("x.npy"), 0))


# --- ends that nobody wants --------------------------------------------------------------------


def test_a_closed_pipe_is_no_traceback(work: Path) -> None:
    command = [sys.executable, "-m", "petite", "inspect", write("m.pte", cli_files.relu())]
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen(
        command, stdout=writer, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        os.close(writer)
        _, error = process.communicate()
    assert (process.returncode, error) == (1, "")


def test_an_interruption_leaves_nothing(work: Path) -> None:
    """A build tool that never ends; the user presses Ctrl-C."""
    tools = work / "tools"
    tools.mkdir()
    for name in ("cmake", "ninja"):
        tool = tools / name
        tool.write_text(f"#!/bin/sh\ntouch '{work}/started'\nexec sleep 3000\n")
        tool.chmod(0o755)
    environment = {
        **os.environ,
        "PYTHONPATH": str(SCRIPTS),
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PETITE_CACHE": str(work / "cache"),
    }
    arguments = _run("--input", write_npy("x.npy"), "--output", "y.npy")
    with subprocess.Popen(
        [sys.executable, "-m", "petite", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        # A shell's background jobs ignore Ctrl-C, and what they start would too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        while not (work / "started").exists():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        printed, error = process.communicate(timeout=120)
    assert (process.returncode, printed, error) == (130, "", "petite: interrupted\n")
    assert not Path("y.npy").exists()
    assert not list(work.parent.joinpath("tmp").iterdir())
