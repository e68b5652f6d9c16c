# SPDX-License-Identifier: Apache-2.0
"""Calls of direct_calls.py give what PyTorch gives, and refusals say what and why."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from conformance.all_direct_calls import CASES
from conformance.direct_calls import FLAGS, INDEX, Case, Known, X, floats, ints, method_of
from petite.compile import Options, compile_program
from petite.errors import PetiteError
from petite.pte import read_program
from petite.run import execute
from petite.targets import find_target

#: A method has at most 255 inputs and outputs.
_GROUP = 40
#: One worker runs them, all at once.
pytestmark = pytest.mark.xdist_group("direct calls")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[list[bytes]]:
    """Outputs of each case, from the host with sanitizers."""
    found: list[list[bytes]] = []
    for start in range(0, len(CASES), _GROUP):
        cases = CASES[start : start + _GROUP]
        method = method_of(*cases)
        directory = tmp_path_factory.mktemp("direct")
        model = compile_program(read_program(method.file(), "m.pte"), Options())
        model.write(directory)
        done = execute(directory, find_target("host"), 0, [method.data], sanitize=True)
        raw = list(done.outputs[0])
        for case in cases:
            found.append([raw.pop(0) for _ in case.results()])
    return found


@pytest.mark.parametrize(
    "number", range(len(CASES)), ids=[f"{n}-{c.operator[6:]}" for n, c in enumerate(CASES)]
)
def test_a_call_gives_what_pytorch_gives(number: int, outputs: list[list[bytes]]) -> None:
    case = CASES[number]
    results = case.results()
    for result, data in zip(results, outputs[number], strict=True):
        expected = result.contiguous().numpy()
        actual = np.frombuffer(data, expected.dtype).reshape(expected.shape)
        if case.units:
            np.testing.assert_allclose(actual, expected, rtol=case.units * 2.0**-23)
        else:
            np.testing.assert_array_equal(actual, expected)


def refusal(case: Case) -> str:
    """Why a call is refused."""
    with pytest.raises(PetiteError) as caught:
        compile_program(read_program(method_of(case).file(), "m.pte"), Options())
    return str(caught.value)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (
            Case("aten::nonzero.out", (X,)),
            "how many elements are not zero is known only when the model runs",
        ),
        (
            Case("aten::masked_select.out", (X, FLAGS)),
            "how many elements the mask marks is known only when the model runs",
        ),
        (
            Case("aten::index.Tensor_out", (X, [FLAGS])),
            "is computed when the model runs, so the shape of the result depends on data; "
            "use torch.where",
        ),
        (
            Case("aten::index_put.out", (X, [FLAGS], X.ravel()[: FLAGS.sum()], False)),
            "depends on the mask",
        ),
        (
            Case("aten::repeat_interleave.Tensor_out", (torch.tensor([1, 2]), None)),
            "repeat by numbers that are constants",
        ),
        (
            Case(
                "aten::embedding.out",
                (floats(3, 2), Known(torch.tensor([3])), -1, False, False),
                lambda: floats(1, 2),
            ),
            "are not all below 3",
        ),
        (
            Case("aten::as_strided_copy.out", (X, [7], [10], None), lambda: X.ravel()[:7]),
            "reads element 60",
        ),
        (
            Case("aten::index.Tensor_out", (X, [INDEX.float()]), lambda: X[:1].expand(4, 4, 5)),
            "should be int32 or int64",
        ),
        (
            Case("aten::reflection_pad1d.out", (X, [5, 0]), lambda: ints(3, 4, 10)),
            "cannot pad dimension 2",
        ),
        (
            Case(
                "aten::gather.out",
                (X, 0, torch.zeros(1, 5, 1, dtype=torch.int64), False),
                lambda: X[:1],
            ),
            "do not fit",
        ),
        (
            Case("aten::topk.values", (FLAGS, 1, -1, True, True), lambda: X[:2, :, :1].unbind()),
            "is given bool",
        ),
    ],
)
def test_what_cannot_be_computed_is_refused(case: Case, message: str) -> None:
    text = refusal(case)
    assert message in text and case.operator in text and "\n" not in text


@pytest.mark.parametrize("wrong", [3, -1, 2**31 + 1])
def test_indices_out_of_range_fail_when_the_model_runs(
    wrong: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table = floats(3, 2)
    case = Case(
        "aten::embedding.out",
        (table, torch.tensor([0, wrong]), -1, False, False),
        lambda: table[:2],
    )
    method = method_of(case)
    directory = tmp_path_factory.mktemp("wrong")
    compile_program(read_program(method.file(), "m.pte"), Options()).write(directory)
    with pytest.raises(PetiteError, match="the model failed on the host"):
        execute(directory, find_target("host"), 0, [method.data])
