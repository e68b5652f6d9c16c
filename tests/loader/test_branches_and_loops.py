# SPDX-License-Identifier: Apache-2.0
"""Branches and loops of loaded programs, also in forms that no exporter writes.

Expected values are the instructions' own meaning, in numpy. The programs are those of
tests/python/test_control_flow.py, which the compiler sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from loader.loaded import Outcome, load_and_run
from loader.written import written
from petite.pte.program import (
    Allocation,
    BoolValue,
    Instruction,
    IntValue,
    JumpFalseCall,
    KernelCall,
    MoveCall,
    Program,
    Value,
)
from petite.targets import find_target
from test_control_flow import (
    CONDITION,
    CONSTANT,
    COUNT,
    FALSE,
    GATHER,
    HOSTILE,
    LIMIT,
    ONE,
    OTHER,
    OTHER_RESULT,
    OUT,
    RESULT,
    ROWS,
    SHARED,
    SIMPLE,
    STATE,
    ZERO,
    X,
    Y,
    _tensor,
    binary,
    cond,
    loop,
    program,
)

Array = np.ndarray[Any, np.dtype[np.float32]]

#: They need a build of their own; two programs with branches and loops run by default
#: (test_loaded_programs.py), and these are in the corpus (test_hostile.py).
pytestmark = pytest.mark.long

HOST = find_target("host")
UNSUPPORTED = -13
X0 = np.array([1, -2, 3, 0.5], np.float32)
Y0 = np.array([4, 5, -6, 0.25], np.float32)


def load(made: Program, *calls: Sequence[object], size: int = 16) -> Outcome:
    """Load a program and call it with numbers and arrays; `size` is of its outputs, in bytes."""
    data = [[_bytes(value) for value in call] for call in calls]
    return load_and_run(written(made), "forward", data, HOST, size, sanitize=True)


def _bytes(value: object) -> bytes:
    return bytes([value]) if isinstance(value, bool) else np.asarray(value, np.float32).tobytes()


def outputs(made: Program, *calls: Sequence[object], size: int = 16) -> list[Array]:
    """What each call gives, all outputs as one array."""
    outcome = load(made, *calls, size=size)
    assert outcome.status == 0, outcome
    return [np.frombuffer(raw, np.float32) for raw in outcome.outputs]


def refused(made: Program) -> Outcome:
    outcome = load(made)
    assert outcome.status == UNSUPPORTED, outcome
    return outcome


BOTH = ((True, X0, Y0), (False, X0, Y0), (True, Y0, X0))


def test_each_side_of_a_branch() -> None:
    found = outputs(program(SIMPLE), *BOTH)
    for actual, expected in zip(found, (X0 + Y0, X0 * Y0, X0 + Y0), strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_any_byte_but_zero_is_true() -> None:
    outcome = load_and_run(
        written(program(SIMPLE)),
        "forward",
        [[bytes([byte]), X0.tobytes(), Y0.tobytes()] for byte in (0, 1, 2, 255)],
        HOST,
        16,
        sanitize=True,
    )
    expected = [(X0 * Y0), *[X0 + Y0] * 3]
    assert outcome.outputs == [array.tobytes() for array in expected]


@pytest.mark.parametrize("empty", ["first", "second", "both"])
def test_a_side_may_be_empty(empty: str) -> None:
    """What was there before stays; the branch may be the last instruction."""
    one = [binary("add", X, Y, OUT)]
    sides = {"first": ([], one), "second": (one, []), "both": ([], [])}[empty]
    made = program([binary("mul", X, Y, OUT), *cond(1, *sides)])
    found = outputs(made, *BOTH[:2])
    for taken, actual in zip((True, False), found, strict=True):
        side = sides[0] if taken else sides[1]
        np.testing.assert_array_equal(actual, X0 + Y0 if side else X0 * Y0)


def nested(depth: int) -> list[Instruction]:
    """Branches in the first sides of branches; each second side negates what X - Y is."""
    found: list[Instruction] = [binary("add", X, Y, OUT)]
    for level in range(depth, 0, -1):
        found = cond(level - 1, found, [binary("sub", X, Y, OUT)])
    return found


def test_eight_branches_around_an_instruction() -> None:
    made = program(nested(8))
    found = outputs(made, *BOTH[:2])
    np.testing.assert_array_equal(found[0], X0 + Y0)
    np.testing.assert_array_equal(found[1], X0 - Y0)
    refused(program(nested(9)))


def test_branches_in_second_sides() -> None:
    """One condition for the sum, the other for the rest."""
    inner = cond(3, [binary("sub", X, Y, RESULT)], [binary("mul", X, Y, RESULT)], OTHER)
    made = program(
        [*cond(0, [binary("add", X, Y, RESULT)], inner), MoveCall(RESULT, OUT)],
        (CONDITION, OTHER, X, Y),
    )
    pairs = [(a, b, X0, Y0) for a in (True, False) for b in (True, False)]
    found = outputs(made, *pairs)
    for actual, expected in zip(found, (X0 + Y0, X0 + Y0, X0 - Y0, X0 * Y0), strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_a_move_copies() -> None:
    """So what it came from may be written afterwards; a constant may be moved, too."""
    made = program(
        [
            binary("add", X, Y, RESULT),
            MoveCall(RESULT, OUT),
            MoveCall(CONSTANT, RESULT),
            MoveCall(RESULT, SHARED),
            MoveCall(OUT, OUT),
        ],
        outputs=(OUT, SHARED),
    )
    (found,) = outputs(made, (True, X0, Y0), size=32)
    np.testing.assert_array_equal(found, [*(X0 + Y0), 0, 0, 0, 0])


def test_a_move_to_bytes_that_it_shares_in_part_is_refused() -> None:
    """As is one to another type."""
    near = replace(_tensor(OUT), allocation=Allocation(1, 64 * X + 8))
    refused(program([MoveCall(X, OUT)], changed={OUT: near}))
    refused(program([MoveCall(CONDITION, OUT)]))


def test_one_side_may_write_a_state() -> None:
    write = KernelCall("aten::copy_", (STATE, RESULT, FALSE, STATE))
    add = binary("add", STATE, X, RESULT)
    made = program([*cond(0, [add, write], [MoveCall(STATE, RESULT)])], outputs=(RESULT,))
    found = outputs(made, *[(taken, X0, Y0) for taken in (False, True, False, True, True, False)])
    for actual, times in zip(found, (0, 1, 1, 2, 3, 3), strict=True):
        np.testing.assert_array_equal(actual, times * X0)


def test_a_state_that_the_second_side_finds_first() -> None:
    write = KernelCall("aten::copy_", (STATE, X, FALSE, STATE))
    made = program([*cond(0, [write], [binary("add", STATE, X, OUT)])], outputs=(STATE,))
    found = outputs(made, (False, X0, Y0), (True, X0, Y0), (False, Y0, X0))
    for actual, expected in zip(found, (0 * X0, X0, X0), strict=True):
        np.testing.assert_array_equal(actual, expected)


def into(name: str, target: int, other: int) -> list[Instruction]:
    """target += other or the like: an output of the loader's overlaps no input."""
    moved = KernelCall("aten::copy_", (target, OTHER_RESULT, FALSE, target))
    return [binary(name, target, other, OTHER_RESULT), moved]


def rows_of(first: Array, second: Array, turns: int) -> Array:
    rows = []
    for _ in range(turns):
        first = first + second
        rows.append(first * second)
    return np.concatenate(rows)


ADD_ROWS = [*into("add", X, Y), binary("mul", X, Y, RESULT), GATHER]


def test_a_loop_is_unrolled() -> None:
    made = program(loop(0, ADD_ROWS), outputs=(ROWS,))
    found = outputs(made, (True, X0, Y0), (True, Y0, X0), size=48)
    np.testing.assert_array_equal(found[0], rows_of(X0, Y0, 3))
    np.testing.assert_array_equal(found[1], rows_of(Y0, X0, 3))


def test_a_loop_counts_as_often_as_a_tensor_has_rows() -> None:
    """The number comes from a tensor's size."""
    size = KernelCall("aten::sym_size.int", (X, ZERO, LIMIT))
    made = program([size, *loop(1, into("add", OUT, X))], changed={LIMIT: IntValue(7)})
    (found,) = outputs(made, (True, X0, Y0))
    np.testing.assert_array_equal(found, 4 * X0)


def test_a_loop_in_a_branch_in_a_loop() -> None:
    """Three turns of one side, each of them three turns of the loop on it."""
    inner = cond(0, loop(1, into("add", OUT, X)), into("sub", OUT, Y))
    again = program(
        [
            *inner,
            KernelCall("executorch_prim::add.Scalar", (ZERO, ONE, ZERO)),
            KernelCall("executorch_prim::eq.Scalar", (ZERO, LIMIT, OTHER)),
            JumpFalseCall(OTHER, 0),
        ],
        changed={OTHER: BoolValue(False)},
    )
    found = outputs(again, (True, X0, 0 * Y0), (False, X0, Y0))
    # OUT is a state: nothing writes it before it is read.
    np.testing.assert_array_equal(found[0], 9 * X0)
    np.testing.assert_array_equal(found[1], 9 * X0 - Y0 - Y0 - Y0)


def test_rows_seen_in_another_shape() -> None:
    """ExecuTorch elides views: other sizes, no instruction. Others used the memory before."""
    here = Allocation(1, 64 * ROWS)
    before = replace(_tensor(OUT, (2, 3, 2)), dim_order=(0, 2, 1), allocation=here)
    changed: dict[int, Value] = {
        OUT: before,
        SHARED: replace(_tensor(SHARED, (12,)), allocation=here),
        STATE: _tensor(STATE, (2, 3, 2)),
    }
    clone = KernelCall("aten::clone.out", (STATE, OUT, OUT))
    made = program([clone, *loop(1, ADD_ROWS)], (CONDITION, X, Y, STATE), (SHARED,), changed)
    (found,) = outputs(made, (True, X0, Y0, np.zeros(12)), size=48)
    np.testing.assert_array_equal(found, rows_of(X0, Y0, 3))


def test_rows_that_are_missing_cannot_be_read() -> None:
    made = program(loop(0, ADD_ROWS), outputs=(ROWS,))
    instructions = made.methods[0].instructions
    for limit in (2, 4):
        refused(program(instructions, outputs=(ROWS,), changed={LIMIT: IntValue(limit)}))
    refused(program([GATHER], (RESULT,), (ROWS,), changed={COUNT: IntValue(-1)}))
    other = {RESULT: _tensor(RESULT, (5,))}
    refused(program([GATHER], (RESULT,), (ROWS,), changed=other))


def test_numbers_that_depend_on_a_branch() -> None:
    more = KernelCall("executorch_prim::add.Scalar", (COUNT, ONE, COUNT))
    outcome = refused(program([*cond(0, [more], []), more]))
    assert outcome.instruction == 3
    refused(program([more, *cond(1, [more], [])]))


def test_a_jump_over_instructions_while_the_program_is_loaded() -> None:
    made = program([binary("add", X, Y, OUT), JumpFalseCall(FALSE, 3), binary("mul", X, Y, OUT)])
    (found,) = outputs(made, (True, X0, Y0))
    np.testing.assert_array_equal(found, X0 + Y0)


def test_work_is_bounded() -> None:
    """Loops repeat at most 10,000 instructions, whether these become steps or not."""
    endless = JumpFalseCall(FALSE, 0)
    assert refused(program([endless])).instruction == 0
    assert refused(program([binary("add", X, Y, OUT), endless])).instruction == 1
    for turns, status in ((3334, 0), (3335, UNSUPPORTED)):
        changed: dict[int, Value] = {LIMIT: IntValue(turns)}
        assert load(program(loop(0, []), (X,), (X,), changed=changed)).status == status


def test_numbers_of_six_loops() -> None:
    """Each sets three; a seventh has no room."""
    many = 6
    first = len(program([]).methods[0].values)
    numbers = (IntValue(0), IntValue(0), BoolValue(False))

    def made(loops: int) -> Program:
        instructions: list[Instruction] = []
        for k in range(loops):
            count, limit, done = range(first + 3 * k, first + 3 * k + 3)
            instructions += [
                KernelCall("aten::sym_size.int", (X, ZERO, limit)),
                KernelCall("executorch_prim::add.Scalar", (count, ONE, count)),
                KernelCall("executorch_prim::eq.Scalar", (count, limit, done)),
                JumpFalseCall(done, len(instructions) + 1),
            ]
        base = program(instructions, (X,), (X,))
        (method,) = base.methods
        longer = replace(method, values=(*method.values, *numbers * loops))
        return replace(base, methods=(longer,))

    assert load(made(many)).status == 0
    refused(made(many + 1))


@pytest.mark.parametrize("name", HOSTILE)
def test_other_jumps_are_refused(name: str) -> None:
    changed: dict[int, Value] = {LIMIT: IntValue(2**31 - 1)}
    made = program(
        HOSTILE[name][0],
        (CONDITION, X, Y, OTHER),
        changed=changed if name == "a number out of range" else None,
    )
    assert load(made).status < 0


def test_a_jump_that_is_refused_is_told() -> None:
    """By its number: one that leads backwards, and one at the end of a side that may not."""
    outcome = refused(program([binary("add", X, Y, OUT), JumpFalseCall(CONDITION, 0)]))
    assert outcome.instruction == 1
    instructions = [*SIMPLE[:3], JumpFalseCall(OTHER, 6), *SIMPLE[4:]]
    outcome = refused(program(instructions, (CONDITION, OTHER, X, Y)))
    assert outcome.instruction == 3
