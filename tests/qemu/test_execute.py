# SPDX-License-Identifier: Apache-2.0
"""Runs a model whose behaviour is known on every target."""

from __future__ import annotations

import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from petite.errors import PetiteError
from petite.run import execute
from petite.targets import TARGETS, Target, find_target

ModelMaker = Callable[..., Path]

# Indices of the methods, as model.c lists them.
ADD_TABLE, NOTHING, COUNT, USE_STACK, REFUSE, FAULT, HANG, OVERRUN = range(8)
OVERFLOW_STACK, LOOP, EXTENSIONS, CLASSES, CLASSES_IN_TURN = range(8, 13)

QEMU_TARGETS = [target for target in TARGETS if not target.is_host]
ZEROS = [bytes(16)]

every_target = pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
every_machine = pytest.mark.parametrize("target", QEMU_TARGETS, ids=lambda target: target.name)


def expected_outputs(calls: list[list[bytes]]) -> list[list[bytes]]:
    """What add_table computes, from its description."""
    outputs = []
    for number, (data,) in enumerate(calls, start=1):
        values = [value + (5 if index % 2 else 3) for index, value in enumerate(data)]
        values[0] += number
        outputs.append([bytes(value % 256 for value in values)])
    return outputs


@every_target
def test_outputs_of_successive_calls(make_model: ModelMaker, target: Target) -> None:
    calls = [[bytes(range(16))], [bytes(range(240, 256))], [bytes(16)]]
    result = execute(make_model(), target, ADD_TABLE, calls)
    assert result.outputs == expected_outputs(calls)
    assert result.elf.is_file()


@every_machine
def test_instruction_count_is_exact_and_repeats(make_model: ModelMaker, target: Target) -> None:
    model = make_model()
    # The first call also gives the state its initial value, so the last of two is compared.
    empty = execute(model, target, NOTHING, [ZEROS, ZEROS])
    counts = [execute(model, target, COUNT, [ZEROS, ZEROS]).instructions for _ in range(2)]
    assert counts[0] == counts[1]
    assert counts[0] is not None and empty.instructions is not None
    # 1000 rounds of two instructions, and what loads the constant 1000: one or two.
    assert counts[0] - empty.instructions in (2001, 2002)
    assert empty.instructions < 60


def test_loop_ends_are_counted_apart(make_model: ModelMaker) -> None:
    model, target = make_model(), find_target("qemu-m55")
    result = execute(model, target, LOOP, [ZEROS])
    assert result.instructions is not None and result.instructions_without_loop_ends is not None
    # Three loops of 100 rounds, one for each form of the instruction (LE LR, LE, LETP): the form
    # that does not count rounds is left by a branch, in its last round.
    assert result.instructions - result.instructions_without_loop_ends == 100 + 99 + 100


def test_classes_of_a_known_program_and_the_modelled_cycles(make_model: ModelMaker) -> None:
    model, target = make_model(), find_target("qemu-m55")
    counts = [
        execute(model, target, method, [ZEROS, ZEROS]).count
        for method in (CLASSES, CLASSES_IN_TURN)
    ]
    alternating, in_turn = counts
    assert alternating is not None and in_turn is not None
    known = {"Helium load": 200, "Helium arithmetic": 200, "Helium store": 1, "loop end": 100}
    known |= {"divide": 1, "float": 1}
    assert {name: alternating.classes[name] for name in known} == known
    assert alternating.instructions == sum(alternating.classes.values())
    assert alternating.classes == in_turn.classes and alternating.taken == in_turn.taken
    # Four vector instructions of two cycles. Where they alternate one starts in each cycle. In turn
    # they start in cycles 0, 2, 3 and 5: each waits for its unit, and the next round starts in 6.
    assert in_turn.modelled_cycles - alternating.modelled_cycles == 100 * (6 - 4)


@every_target
def test_extensions_of_the_core(make_model: ModelMaker, target: Target) -> None:
    """The machine executes every instruction set extension that the compiler flags promise."""
    execute(make_model(), target, EXTENSIONS, [ZEROS])


@every_machine
def test_profile_names_the_functions(make_model: ModelMaker, target: Target) -> None:
    result = execute(make_model(), target, COUNT, [ZEROS], profile=True)
    assert result.profile is not None
    assert next(iter(result.profile)) == "count"
    assert 2000 <= result.profile["count"] <= 2005
    assert "petite_run" in result.profile
    assert sum(result.profile.values()) == result.instructions


@every_machine
def test_stack(make_model: ModelMaker, target: Target) -> None:
    model = make_model()
    empty = execute(model, target, NOTHING, [ZEROS]).stack
    deep = execute(model, target, USE_STACK, [ZEROS]).stack
    assert empty is not None and deep is not None
    assert 0 < empty <= 96
    assert 1024 <= deep - empty + 32 <= 1024 + 64


@every_target
def test_kernel_error(make_model: ModelMaker, target: Target) -> None:
    with pytest.raises(PetiteError, match=r"returned PETITE_ERR_KERNEL$"):
        execute(make_model(), target, REFUSE, [ZEROS])


@every_machine
def test_fault_names_the_function(make_model: ModelMaker, target: Target) -> None:
    with pytest.raises(PetiteError, match=r"fault at pc 0x[0-9a-f]{8}.*, in fault\(\)$"):
        execute(make_model(), target, FAULT, [ZEROS])


def test_crash_on_the_host(make_model: ModelMaker) -> None:
    with pytest.raises(PetiteError, match=r"on the host: ended by signal \d+$"):
        execute(make_model(), find_target("host"), FAULT, [ZEROS])


@every_machine
def test_stack_overflow(make_model: ModelMaker, target: Target) -> None:
    with pytest.raises(PetiteError, match=r"stack (overflow|pointer 0x)|locked up"):
        execute(make_model(), target, OVERFLOW_STACK, [ZEROS], timeout=20)


@every_target
def test_timeout(make_model: ModelMaker, target: Target) -> None:
    with pytest.raises(PetiteError, match=r"did not finish on .* in 1 s"):
        execute(make_model(), target, HANG, [ZEROS], timeout=1)


def test_sanitizer_reports_an_overrun(make_model: ModelMaker) -> None:
    model, host = make_model(), find_target("host")
    calls = [[bytes(range(16))]]
    assert execute(model, host, ADD_TABLE, calls, sanitize=True).outputs == expected_outputs(calls)
    with pytest.raises(PetiteError, match="AddressSanitizer: global-buffer-overflow"):
        execute(model, host, OVERRUN, [ZEROS], sanitize=True)


@every_target
def test_requests_that_do_not_fit(make_model: ModelMaker, target: Target) -> None:
    model = make_model()
    with pytest.raises(PetiteError, match="an input has another size"):
        execute(model, target, ADD_TABLE, [[bytes(15)]])
    with pytest.raises(PetiteError, match="another number of inputs"):
        execute(model, target, ADD_TABLE, [[bytes(16), bytes(16)]])
    with pytest.raises(PetiteError, match="no method of that index"):
        execute(model, target, 99, [ZEROS])


def test_requests_refused_before_building(tmp_path: Path) -> None:
    host = find_target("host")
    with pytest.raises(PetiteError, match="nothing to run"):
        execute(tmp_path, host, 0, [])
    with pytest.raises(PetiteError, match="call 1 has inputs of"):
        execute(tmp_path, host, 0, [[bytes(2)], [bytes(3)]])
    with pytest.raises(PetiteError, match=r"model\.c is missing"):
        execute(tmp_path, host, 0, [ZEROS])
    for name in ("model.c", "model.h"):
        (tmp_path / name).touch()
    with pytest.raises(PetiteError, match="sanitizers exist only"):
        execute(tmp_path, find_target("qemu-m3"), 0, [ZEROS], sanitize=True)


def test_several_at_once(make_model: ModelMaker, tmp_path: Path) -> None:
    """Different models for one target at the same time do not get into each other's way."""
    source = make_model()
    target = find_target("qemu-m3")
    calls = [[struct.pack("16b", *range(16))]]
    models = []
    for index in range(4):
        model = tmp_path / f"model{index}"
        model.mkdir()
        text = (source / "model.c").read_text(encoding="utf-8").replace("{3, 5}", f"{{{index}, 5}}")
        (model / "model.c").write_text(text, encoding="utf-8")
        (model / "model.h").write_bytes((source / "model.h").read_bytes())
        models.append(model)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda model: execute(model, target, ADD_TABLE, calls), models))
    for index, result in enumerate(results):
        assert result.outputs[0][0][2] == 2 + index
