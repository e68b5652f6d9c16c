# SPDX-License-Identifier: Apache-2.0
"""Operators of the application: what the compiler takes, what it refuses, and how it calls them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from executorch.exir import schema
from executorch.exir.scalar_type import ScalarType

import cli_files
from graph_maker import NHWC, GraphMaker, generated, kinds, schedules_of
from petite.cli.main import main
from petite.compile import CompiledModel, Options, compile_program
from petite.errors import PetiteError
from petite.inspect import inspect_program
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.ir.schedule import Integers, OperatorCall, Schedule, Tensor
from petite.placement.check import check
from petite.placement.planner import plan
from petite.pte import Program, read_program
from pte_files import planned, tensor

NAME = ("mylib::f", "out")
FULL_NAME = "mylib::f.out"


def _program(values: list[Any], args: list[int], operator: tuple[str, str] = NAME) -> Program:
    """Value 0 is the input, value 1 the output; both of two floats, as are further tensors."""
    tensors = [tensor([2], ScalarType.FLOAT, allocation_info=planned(16 * i)) for i in range(3)]
    made = cli_files.method(operator=operator, values=[*tensors, *values], args=args, sizes=(64,))
    return read_program(cli_files.program(made), "m.pte")


def _compile(program: Program, *patterns: str) -> CompiledModel:
    return compile_program(program, Options(application_operators=patterns))


def _call(schedule: Schedule) -> OperatorCall:
    """What the only operator of the application is given."""
    (call,) = [v for c in schedule.calls for v in c.fields.values() if isinstance(v, OperatorCall)]
    return call


# --- which operators ------------------------------------------------------------------------------


@pytest.mark.parametrize("patterns", [(), ("mylib::g.out",), ("MYLIB::*",), ("f.out",)])
def test_an_unknown_operator_is_refused(patterns: tuple[str, ...]) -> None:
    message = rf"mylib::f.out is not supported; .* --application-operators '{FULL_NAME}'"
    with pytest.raises(PetiteError, match=message):
        _compile(_program([], [0, 1, 1]), *patterns)


@pytest.mark.parametrize("patterns", [(FULL_NAME,), ("mylib::*",), ("other::*", "*::f.*")])
def test_a_pattern_allows_it(patterns: tuple[str, ...]) -> None:
    model = _compile(_program([], [0, 1, 1]), *patterns)
    assert model.view.operators == [FULL_NAME]


def test_patterns_leave_supported_operators_alone() -> None:
    model = _compile(_program([], [0, 1, 1], ("aten::relu", "out")), "*")
    assert model.view.operators == []
    assert "operator" not in model.files["model.c"]


def test_inspect_names_them() -> None:
    program = _program([], [0, 1, 1])
    for patterns, supported in (((), False), (("mylib::*",), True)):
        (method,) = inspect_program(program, patterns).methods
        (operator,), (instruction,) = method.operators, method.instructions
        assert operator.name == FULL_NAME
        assert operator.supported is operator.by_application is supported
        assert instruction.supported is instruction.by_application is supported
    facts = inspect_program(_program([], [0, 1, 1], ("aten::relu", "out")), ("*",))
    assert not facts.methods[0].operators[0].by_application


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.pte"
    path.write_bytes(cli_files.program(cli_files.method(operator=NAME, args=[0, 1, 1])))
    compile_it = ["compile", str(path), "--output", str(tmp_path)]
    allow = ["--application-operators", "other::*", "--application-operators", "mylib::*"]
    for command in (compile_it, ["run", str(path)]):
        assert main(command) == 1
        assert f"petite compile --application-operators '{FULL_NAME}'" in capsys.readouterr().err
    assert main([*compile_it, *allow]) == 0
    assert f'"{FULL_NAME}"' in (tmp_path / "model.c").read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["inspect", str(path), *allow]) == 0
    assert "of the application" in capsys.readouterr().out


def test_the_selection_of_kernels_does_not_concern_them() -> None:
    options = Options(application_operators=("*",), dtypes=frozenset({DType.S8}))
    compile_program(_program([], [0, 1, 1]), options)


# --- arguments ------------------------------------------------------------------------------------


def test_arguments_keep_their_order_and_values() -> None:
    values = [
        schema.Null(),
        schema.Int(-(2**63)),
        schema.Bool(True),
        schema.Double(0.1),
        schema.IntList([4, 4]),
        schema.IntList([]),
    ]
    model = _compile(_program(values, [3, 0, 4, 5, 6, 7, 8, 0, 1, 1]), FULL_NAME)
    call = _call(model.schedules[0])
    first, second = call.arguments[1], call.arguments[-1]
    assert isinstance(first, Tensor) and first == second
    assert first.ref.buffer is model.schedules[0].inputs[0].ref.buffer
    assert call.arguments[0] is None
    assert call.arguments[2:5] == (-(2**63), True, 0.1)
    assert call.arguments[3] is True
    items, empty = call.arguments[5:7]
    assert isinstance(items, Integers) and items.count == 2 and items.items is not None
    assert items.items.buffer.data is not None
    assert items.items.buffer.data.tolist() == [-(2**63), -(2**63)]
    assert empty == Integers(None, 0)
    assert len(call.outputs) == 1


def test_several_outputs() -> None:
    model = _compile(_program([schema.TensorList([1, 2])], [0, 1, 2, 3]), FULL_NAME)
    call = _call(model.schedules[0])
    assert len(call.arguments) == 1 and len(call.outputs) == 2
    first, second = (output.ref.buffer for output in call.outputs)
    assert first is model.schedules[0].outputs[0].ref.buffer and second is not first


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (schema.String("hann"), "StringValue"),
        (schema.DoubleList([0.5]), "DoubleList"),
        (schema.BoolList([True]), "BoolList"),
        (schema.TensorList([0]), "TensorList"),
        (schema.OptionalTensorList([0]), "OptionalTensorList"),
    ],
)
def test_other_arguments_are_refused(value: Any, kind: str) -> None:
    message = rf"instruction 0 \(mylib::f.out\): argument 1 is a {kind}, which"
    with pytest.raises(PetiteError, match=message):
        _compile(_program([value], [0, 3, 1, 1]), FULL_NAME)


@pytest.mark.parametrize(
    ("values", "args"),
    [
        ([], [0, 1]),  # a functional operator: its result is nowhere given
        ([], [1]),
        ([schema.Int(1)], [0, 3, 3]),  # a number
        ([schema.TensorList([1, 2])], [0, 2, 1, 3]),  # in another order
        ([schema.TensorList([1, 1])], [0, 1, 1, 3]),  # one output twice
        ([schema.TensorList([])], [0, 3]),  # none
        ([schema.TensorList([0, 1, 2])], [1, 2, 3]),  # more than there are arguments
    ],
)
def test_what_is_no_out_variant_is_refused(values: list[Any], args: list[int]) -> None:
    with pytest.raises(PetiteError, match="register an out variant"):
        _compile(_program(values, args), FULL_NAME)


def test_more_arguments_than_a_call_counts_are_refused() -> None:
    with pytest.raises(PetiteError, match="more than 255 arguments"):
        _compile(_program([], [0] * 256 + [1, 1]), FULL_NAME)
    assert len(_call(_compile(_program([], [0] * 255 + [1, 1]), "*").schedules[0]).arguments) == 255


def test_an_operator_that_changes_its_input_is_refused() -> None:
    """mylib::f_(Tensor(a!) x) -> Tensor(a!), whose arguments look like an out variant's."""
    with pytest.raises(PetiteError, match="register an out variant"):
        _compile(_program([], [1, 1], ("mylib::f_", "")), "mylib::f_")


# --- layouts, passes, memory ----------------------------------------------------------------------


def test_operands_are_dense_in_logical_order() -> None:
    make = GraphMaker()
    x = make.input((1, 2, 3, 4), DType.S8, NHWC)
    table = Value("table", DType.S8, (2, 3), data=np.arange(6, dtype=np.int8).reshape(2, 3))
    output = make.value((1, 2, 3, 4))
    make.call("mylib::f.out", [x, make.permute(table, (1, 0)), x], [output])
    make.output(output, NHWC)
    (schedule,) = schedules_of(make.graph)
    assert kinds(make.graph) == ["Relayout", "Application", "Relayout"], (
        "the constant is permuted now"
    )
    (op,) = [op for op in make.graph.ops if isinstance(op, ops.Application)]
    assert op.inputs[0] is op.inputs[2]
    for value in (*op.inputs, *op.outputs):
        assert value.layout == tuple(range(len(value.shape)))
    dims = [a.dims for a in _call(schedule).arguments if isinstance(a, Tensor)]
    shapes = [d.buffer.data.tolist() for d in dims if d is not None and d.buffer.data is not None]
    assert shapes == [[1, 2, 3, 4], [3, 2], [1, 2, 3, 4]]


def test_it_stays_unless_nobody_reads_it() -> None:
    make = GraphMaker()
    x = make.input((4,))
    same, used, unused, dead = (make.value((4,)) for _ in range(4))
    make.call("mylib::same.out", [x], [same])
    make.call("mylib::two.out", [same], [used, unused])
    make.call("mylib::dead.out", [x], [dead])
    make.output(used)
    (schedule,) = schedules_of(make.graph)
    assert [op.operator for op in make.graph.ops if isinstance(op, ops.Application)] == [
        "mylib::same.out",
        "mylib::two.out",
    ]
    # Also what nobody reads needs its own memory while it is written.
    made = plan(schedule)
    first, second = schedule.calls[-1].writes
    assert abs(made.offsets[first] - made.offsets[second]) >= 4


def test_outputs_overlap_nothing() -> None:
    make = GraphMaker()
    x = make.input((16,))
    outputs = [make.value((16,)), make.value((16,))]
    make.call("mylib::f.out", [x], outputs)
    for output in outputs:
        make.output(output)
    (schedule,) = schedules_of(make.graph)
    right = plan(schedule)
    check(schedule, right)
    assert right.size == 48
    first, second = schedule.calls[-1].writes
    given = schedule.inputs[0].ref.buffer
    for moved, onto in ((first, given), (second, first)):
        offsets = {**right.offsets, moved: right.offsets[onto]}
        with pytest.raises(AssertionError):
            check(schedule, replace(right, offsets=offsets))


def test_a_state_may_be_its_argument_and_its_result() -> None:
    make = GraphMaker()
    state = make.state((4,))
    state.after = make.value((4,))
    make.call("mylib::f.out", [state.before, make.input((4,))], [state.after])
    make.output(state.after)
    (schedule,) = schedules_of(make.graph)
    assert [call.kernel for call in schedule.calls] == ["require_bound", "call_operator", "copy"]


def test_a_method_without_them_needs_no_binding() -> None:
    with_them, without = GraphMaker(), GraphMaker("other")
    output = with_them.value((4,))
    with_them.call("mylib::f.out", [with_them.input((4,))], [output])
    with_them.output(output)
    without.output(without.lut(without.input((4,))))
    files = generated("m", with_them.graph, without.graph)
    assert files["m.c"].count("{ petite_require_bound, ") == 1
    assert "{ petite_require_bound, &m_require_bound_0 }" in files["m.c"]
