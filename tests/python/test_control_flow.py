# SPDX-License-Identifier: Apache-2.0
"""Branches and loops: what they become, and that all other jumps are refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from petite.compile import CompiledModel, Options, compile_program
from petite.errors import PetiteError
from petite.inspect import inspect_program
from petite.ir import ops
from petite.ir.graph import Graph
from petite.ir.schedule import KernelCall as Step
from petite.ir.verify import verify
from petite.pte import read_program
from petite.pte.lift import lift_method
from petite.pte.program import (
    Allocation,
    BoolValue,
    DoubleValue,
    Dynamism,
    Instruction,
    IntValue,
    JumpFalseCall,
    KernelCall,
    Method,
    MoveCall,
    Program,
    TensorValue,
    Value,
)
from petite.pte.scalar_type import DType
from pte_files import pte_file

#: Values of the programs of these tests.
CONDITION, OTHER, X, Y, OUT, RESULT, SHARED, OTHER_RESULT = range(8)
FALSE, ONE, COUNT, LIMIT, DONE, ROWS, HALF, STATE, CONSTANT, PAIR, ZERO = range(8, 19)


def _tensor(
    number: int, sizes: tuple[int, ...] = (4,), dtype: DType = DType.FLOAT, **fields: object
) -> TensorValue:
    allocation = Allocation(1, 64 * number)
    order = tuple(range(len(sizes)))
    return TensorValue(dtype, sizes, order, allocation=allocation, **fields)  # type: ignore[arg-type]


def values() -> list[Value]:
    """One buffer each, apart from the numbers."""
    found: list[Value] = [_tensor(CONDITION, (), DType.BOOL), _tensor(OTHER, (), DType.BOOL)]
    found += [_tensor(number) for number in (X, Y, OUT, RESULT, SHARED, OTHER_RESULT)]
    found += [BoolValue(False), IntValue(1), IntValue(0), IntValue(3), BoolValue(False)]
    found += [_tensor(ROWS, (3, 4), dynamism=Dynamism.DYNAMIC_BOUND), DoubleValue(0.5)]
    found += [_tensor(STATE), TensorValue(DType.FLOAT, (4,), (0,), data=bytes(16))]
    found += [_tensor(PAIR, (2,), DType.BOOL), IntValue(0)]
    return found


def program(
    instructions: Sequence[Instruction],
    inputs: tuple[int, ...] = (CONDITION, X, Y),
    outputs: tuple[int, ...] = (OUT,),
    changed: dict[int, Value] | None = None,
) -> Program:
    """A program with one method, as the reader gives it."""
    listed = values()
    for index, value in (changed or {}).items():
        listed[index] = value
    method = Method(
        "forward", tuple(listed), inputs, outputs, tuple(instructions), (), (), (0, 64 * 20)
    )
    return Program("test.pte", "0", 0, (method,), ())


def binary(name: str, a: int, b: int, out: int) -> KernelCall:
    """a + b or a - b; mul has no alpha."""
    alpha = (ONE,) if name in ("add", "sub") else ()
    return KernelCall(f"aten::{name}.out", (a, b, *alpha, out, out))


def cond(
    start: int,
    true: Sequence[Instruction],
    false: Sequence[Instruction],
    condition: int = CONDITION,
) -> list[Instruction]:
    """A branch as ExecuTorch writes it, whose first instruction has this number."""
    middle = start + len(true) + 2
    end = middle + len(false)
    return [JumpFalseCall(condition, middle), *true, JumpFalseCall(FALSE, end), *false]


def graph_of(made: Program) -> Graph:
    graph = lift_method(made, made.methods[0])
    verify(graph)
    return graph


def compiled(made: Program, **options: object) -> CompiledModel:
    return compile_program(made, Options(**options))  # type: ignore[arg-type]


def steps(model: CompiledModel) -> list[Step]:
    return model.schedules[0].calls


def kernels(model: CompiledModel) -> list[str]:
    return [step.kernel for step in steps(model)]


def refusal(made: Program) -> str:
    with pytest.raises(PetiteError) as caught:
        compile_program(made, Options())
    message = str(caught.value)
    assert message.startswith("test.pte: ") and "\n" not in message
    return message.removeprefix("test.pte: method forward: ")


SIMPLE = cond(
    0,
    [binary("add", X, Y, RESULT), MoveCall(RESULT, OUT)],
    [binary("mul", X, Y, OTHER_RESULT), MoveCall(OTHER_RESULT, OUT)],
)


def test_each_side_has_a_step_in_front_of_it() -> None:
    model = compiled(program(SIMPLE))
    assert kernels(model) == ["branch", "binary_add_f32", "branch", "binary_mul_f32"]
    branches = [step.fields for step in steps(model) if step.kernel == "branch"]
    assert [(b["sense"], b["skip"]) for b in branches] == [(1, 1), (0, 1)]
    assert "JumpFalseCall) is true" in steps(model)[0].source


def test_both_sides_write_the_result_where_it_is_read() -> None:
    model = compiled(program(SIMPLE))
    (first,), (second,) = (step.writes for step in steps(model) if step.writes)
    assert first is second is model.schedules[0].outputs[0].ref.buffer


def test_the_sides_are_guarded_and_meet_in_a_merge() -> None:
    graph = graph_of(program(SIMPLE))
    merges = [op for op in graph.ops if isinstance(op, ops.Merge)]
    merge = next(op for op in merges if op.output is graph.outputs[0])
    add, mul = (op for op in graph.ops if isinstance(op, ops.Elementwise))
    assert merge.inputs == [add.output, mul.output, graph.inputs[0]]
    assert (add.guard, mul.guard) == merge.sides
    assert merge.guard is None


@pytest.mark.parametrize("optimize", [True, False])
def test_what_lives_elsewhere_is_copied(optimize: bool) -> None:
    """An input, a constant, a state, and what was computed before."""
    for moved in (X, CONSTANT, STATE, SHARED):
        instructions = [
            binary("add", X, Y, SHARED),
            *cond(1, [MoveCall(moved, OUT)], [binary("mul", X, Y, OUT)]),
            binary("add", OUT, SHARED, RESULT),
        ]
        made = program(instructions, outputs=(OUT, RESULT))
        found = kernels(compiled(made, optimize=optimize))
        assert found.count("copy") == 1 and found.count("branch") == 2


def test_a_copy_overlaps_nothing() -> None:
    """Its kernel uses memcpy(); here the input dies in the copy."""
    made = program(cond(0, [MoveCall(X, OUT)], [MoveCall(Y, OUT)]))
    model = compiled(made)
    copy = next(step for step in steps(model) if step.kernel == "copy")
    offsets = model.placement.plans["forward"].offsets
    places = [offsets[buffer] for buffer in (copy.reads[0].buffer, copy.write)]
    assert abs(places[0] - places[1]) >= copy.write.size


def test_a_side_without_steps_has_no_branch() -> None:
    instructions = cond(0, [MoveCall(X, OUT)], [MoveCall(X, OUT)])
    assert "branch" not in kernels(compiled(program([*instructions])))


def test_nested_branches() -> None:
    inner = cond(1, [binary("add", X, Y, RESULT)], [binary("sub", X, Y, RESULT)], OTHER)
    outer = cond(0, [*inner, MoveCall(RESULT, OUT)], [binary("mul", X, Y, OUT)])
    model = compiled(program(outer, (CONDITION, OTHER, X, Y)))
    assert kernels(model) == [
        *(
            "branch",
            "branch",
            "binary_add_f32",
            "branch",
            "binary_sub_f32",
            "branch",
            "binary_mul_f32",
        )
    ]
    skips = [step.fields["skip"] for step in steps(model) if step.kernel == "branch"]
    assert skips == [4, 1, 1, 1]


def test_a_result_that_nobody_reads_is_not_computed() -> None:
    made = program([*SIMPLE, binary("add", X, Y, OUT)])
    assert kernels(compiled(made)) == ["binary_add_f32"]


def test_what_only_one_side_computes_cannot_be_read() -> None:
    instructions = cond(0, [binary("add", X, Y, OUT)], [])
    message = refusal(program(instructions))
    assert message.startswith("output 0: reads what only one side of the branch at ")
    assert "instruction 0 (JumpFalseCall) has computed; " in message


def test_one_side_may_replace_what_was_there() -> None:
    instructions = [binary("mul", X, Y, OUT), *cond(1, [binary("add", X, Y, OUT)], [])]
    assert kernels(compiled(program(instructions))).count("copy") == 1


def test_one_side_may_write_a_state() -> None:
    """Also where the state is read nowhere else."""
    write = KernelCall("aten::copy_", (STATE, RESULT, FALSE, STATE))
    add = binary("add", STATE, X, RESULT)
    made = program([*cond(0, [add, write], [MoveCall(STATE, RESULT)])], outputs=(RESULT,))
    graph = graph_of(made)
    (state,) = graph.states
    assert isinstance(graph.producer(state.after), ops.Merge)
    assert state.before in (graph.producer(state.after) or graph.ops[0]).inputs


def test_a_state_that_the_second_side_finds_first() -> None:
    write = KernelCall("aten::copy_", (STATE, X, FALSE, STATE))
    made = program([*cond(0, [write], [binary("add", STATE, X, OUT)])], outputs=(STATE,))
    graph = graph_of(made)
    assert [s.before for s in graph.states] == [graph.states[0].before]
    (merge,) = (op for op in graph.ops if isinstance(op, ops.Merge))
    assert merge.inputs[:2] == [graph.inputs[1], graph.states[0].before]
    assert graph.outputs == [merge.output]


def test_a_condition_that_is_constant_is_no_branch() -> None:
    constant = TensorValue(DType.BOOL, (), (), data=b"\1")
    found = kernels(compiled(program(SIMPLE, (X, Y), changed={CONDITION: constant})))
    assert found == ["binary_add_f32"]


def test_an_operator_of_the_application_in_a_branch() -> None:
    call = KernelCall("mylib::f.out", (X, RESULT, RESULT))
    made = program(cond(0, [call, MoveCall(RESULT, OUT)], [binary("mul", X, Y, OUT)]))
    model = compiled(made, application_operators=("mylib::*",))
    found = kernels(model)
    assert found == ["require_bound", "branch", "call_operator", "branch", "binary_mul_f32"]


def loop(start: int, body: Sequence[Instruction]) -> list[Instruction]:
    """A loop as ExecuTorch writes torch.map, whose first instruction has this number."""
    count = [
        KernelCall("executorch_prim::add.Scalar", (COUNT, ONE, COUNT)),
        KernelCall("executorch_prim::eq.Scalar", (COUNT, LIMIT, DONE)),
        JumpFalseCall(DONE, start),
        KernelCall("executorch_prim::sub.Scalar", (COUNT, LIMIT, COUNT)),
    ]
    return [*body, *count]


GATHER = KernelCall("executorch_prim::et_copy_index.tensor", (ROWS, RESULT, COUNT))


def test_a_loop_is_unrolled() -> None:
    body = [binary("add", X, Y, X), binary("mul", X, Y, RESULT), GATHER]
    found = kernels(compiled(program(loop(0, body), outputs=(ROWS,))))
    assert found == ["binary_add_f32", "binary_mul_f32"] * 3 + ["copy_blocks"] * 3


def test_a_loop_in_a_branch_may_run_again() -> None:
    """What it counts with is left as it was."""
    first = cond(0, loop(1, [binary("add", X, Y, X)]), [])
    second = loop(len(first), [binary("mul", X, Y, RESULT), GATHER])
    made = program([*first, *second], outputs=(ROWS,))
    found = kernels(compiled(made))
    assert found.count("binary_add_f32") == found.count("binary_mul_f32") == 3


def test_a_loop_that_leaves_rows_out() -> None:
    made = program(loop(0, [binary("add", X, Y, RESULT), GATHER]), outputs=(ROWS,))
    short = program(made.methods[0].instructions, outputs=(ROWS,), changed={LIMIT: IntValue(2)})
    assert refusal(short) == "output 0: 2 of 3 rows are computed; a loop must fill all"
    long = program(made.methods[0].instructions, outputs=(ROWS,), changed={LIMIT: IntValue(4)})
    assert "(executorch_prim::et_copy_index.tensor): writes row 3 of 3" in refusal(long)


def test_rows_out_of_order() -> None:
    made = program([GATHER], (RESULT,), (ROWS,), changed={COUNT: IntValue(1)})
    assert "writes row 1, which is not the one that follows" in refusal(made)
    assert "is no row of [3, 4]" in refusal(
        program([GATHER], (RESULT,), (ROWS,), changed={RESULT: _tensor(RESULT, (5,))})
    )


def test_an_endless_loop_is_refused() -> None:
    made = program([binary("add", X, Y, OUT), JumpFalseCall(FALSE, 0)])
    assert "repeats more than 10000 instructions, and loops are unrolled; export" in refusal(made)


HOSTILE: dict[str, tuple[list[Instruction], str]] = {
    "backwards on a tensor": (
        [binary("add", X, Y, OUT), JumpFalseCall(CONDITION, 0)],
        "instruction 1 (JumpFalseCall): jumps to instruction 0 where a tensor is false",
    ),
    "to itself": ([JumpFalseCall(CONDITION, 0)], "jumps to instruction 0 where a tensor is"),
    "to the next": (
        [JumpFalseCall(CONDITION, 1), binary("add", X, Y, OUT)],
        "jumps to instruction 1 where a tensor is false",
    ),
    "without another side": (
        [JumpFalseCall(CONDITION, 2), binary("add", X, Y, OUT)],
        "jumps to instruction 2 where a tensor is false",
    ),
    "over the end of the side around it": (
        cond(0, [JumpFalseCall(OTHER, 4), JumpFalseCall(FALSE, 4)], [binary("add", X, Y, OUT)]),
        "instruction 1 (JumpFalseCall): jumps to instruction 4 where a tensor is false",
    ),
    "out of a side": (
        cond(0, [JumpFalseCall(FALSE, 5)], [binary("add", X, Y, OUT), MoveCall(X, OUT)]),
        "instruction 1 (JumpFalseCall): jumps to instruction 5 out of instructions 1 to 2",
    ),
    "back out of a side": (
        [MoveCall(X, OUT), *cond(1, [JumpFalseCall(FALSE, 0)], [])],
        "instruction 2 (JumpFalseCall): jumps to instruction 0 out of instructions 2 to 3",
    ),
    "into a side": (
        [
            *cond(0, [JumpFalseCall(OTHER, 5), MoveCall(X, OUT), JumpFalseCall(FALSE, 6)], []),
            *SIMPLE,
        ],
        "jumps to instruction 5 where a tensor is false",
    ),
    "a side that ends on a tensor": (
        [JumpFalseCall(CONDITION, 3), MoveCall(X, OUT), JumpFalseCall(OTHER, 4), MoveCall(Y, OUT)],
        "ends one side of a branch on a condition that is not constant",
    ),
    "on a number": ([JumpFalseCall(HALF, 1)], "the condition is DoubleValue"),
    "on two": (
        [JumpFalseCall(PAIR, 2), JumpFalseCall(FALSE, 2)],
        "the condition is state0:bool[2], but it must be one bool; reduce it",
    ),
    "on a float": (
        [JumpFalseCall(X, 2), JumpFalseCall(FALSE, 2)],
        "the condition is input1:float32[4], but it must be one bool; reduce it",
    ),
    "a move of another shape": ([MoveCall(CONDITION, OUT)], "cannot become float[4]"),
    "a move of a number": ([MoveCall(ONE, OUT)], "IntValue cannot become TensorValue"),
    "a move to a constant": ([MoveCall(X, CONSTANT)], "tensor 16 is a constant"),
    "a size that is none": (
        [KernelCall("aten::sym_size.int", (X, ONE, COUNT))],
        "has no dimension 1 of [4]",
    ),
    "a number out of range": (
        [KernelCall("executorch_prim::add.Scalar", (LIMIT, LIMIT, COUNT))],
        "the result 18446744073709551614 does not fit 64 bits",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_other_jumps_are_refused(name: str) -> None:
    instructions, expected = HOSTILE[name]
    changed: dict[int, Value] = {}
    if name == "a number out of range":
        changed = {LIMIT: IntValue(2**63 - 1)}
    message = refusal(program(instructions, (CONDITION, X, Y, OTHER), changed=changed))
    assert expected in message
    assert re.search(r"; \S", message), "there is no remedy"


def test_deep_nesting_is_refused() -> None:
    nested: list[Instruction] = [binary("add", X, Y, OUT)]
    depth = 40
    for level in range(depth, 0, -1):
        nested = cond(level - 1, nested, [])
    message = refusal(program(nested))
    assert "is in more than 32 branches" in message


def test_numbers_that_depend_on_a_branch() -> None:
    set_count = KernelCall("executorch_prim::add.Scalar", (COUNT, ONE, COUNT))
    instructions = [*cond(0, [set_count], []), set_count]
    assert "reads a number that the two sides of a branch set differently" in refusal(
        program(instructions)
    )


def test_values_do_not_leave_their_side() -> None:
    """Ours, not the user's: the graph's own check."""
    graph = graph_of(program(SIMPLE))
    add = next(op for op in graph.ops if isinstance(op, ops.Elementwise))
    graph.outputs = [add.output]
    with pytest.raises(AssertionError, match="not computed on the other side"):
        verify(graph)


def test_a_real_file() -> None:
    facts = inspect_program(read_program(pte_file("branch"), "branch.pte"))
    assert facts.problem is None
    (method,) = facts.methods
    assert all(operator.supported for operator in method.operators)
    assert method.kernel_calls == 4
