# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch's own tests of its Cortex-M backend, with Petite in the place of Arm's simulator.

Each of their cases is a test here. They run in a pytest of their own with the plugin
petite_serialize.py, many at a time, because importing torch and lowering take the most time.
`cases.tsv` says what each case does; `update.py` writes it.

A case is lowered for a core, as ExecuTorch's option --cortex-m-target does, and runs on the host
with sanitizers and then on the emulated core. What ExecuTorch 1.5.1 makes differs between cores in
linear layers (sums folded into the bias for Helium) and in sizes of scratch buffers, which Petite
does not use. By default the cases in SOME run on a Cortex-M55. `-m long` runs all others there,
those in SOME for cores without Helium, and linear layers lowered for each core; `-m exhaustive`
everything on every core.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Any

import pytest

from cortex_m_suite.cases import Case, Results, read_cases, run
from cortex_m_suite.table import DOCUMENT, document

#: At least one of each operator, and each special case.
SOME = re.compile(
    r"test_add\.py.*(add_relu_channels_last|alpha\]|broadcast_(1|channels_1|channels_continous)\])"
    r"|avg_pool2d\.py.*(3x3_s2_pad1\]|pad1_countinc_ceil_mode)|batch_matmul.*(tall|const_rhs)"
    r"|test_conv\.py.*-(conv2d_(dilation|groups_bias|nchw|x3)|depthwise_conv2d_(multiplier"
    r"|asymmetric_kernel|stride_padding_bias))\]"
    r"|conv_transpose.*_(basic|batch_2|complex|groups_2|kernel_asym|stride_asym)\]"
    r"|test_div\.py.*(div|int16)\[TARGET-(tensor_small_denom|tensor_rank_4)\]"
    r"|max_pool2d.*(3x3_s2_pad1|pad1_ceil|dilation|single_channel_view)\]"
    r"|(maximum|minimum).*broadcast_rank4|mean\.py.*(batched|keepdim)"
    r"|test_mul.*(self_rank_5|broadcast_channels_2)|test_sub.*(collapsed|alpha_negative)|nhwc"
    r"|pad_rank4_all_dims|pad_nonzero|softmax.*(rank3|dim_not_last)"
    r"|transpose\.py.*(permute_nhwc|t_operator)|activation\.py.*(conv2d_hardswish|linear_hardsigmoid"
    r"|maxpool_relu|standalone_clamp_tensor)|_quant\.py.*(gelu_zero|log1p\]|silu_rank4|tanh_zero)"
    r"|models/test_ds_cnn|explicit_conv1d"
)
LINEAR = re.compile("/test_linear")


@dataclass(frozen=True)
class Batch:
    """Cases that run in one process: lowered for `target`, run on all of `cores`."""

    target: str
    cores: tuple[str, ...]
    part: str = ""
    shard: int = 0

    @property
    def name(self) -> str:
        """What is lowered for what, for a test's name."""
        return f"{self.target}-on-{'-'.join(core.removeprefix('qemu-') for core in self.cores)}"

    @property
    def group(self) -> str:
        """Its group of tests, which one worker gets."""
        return f"{self.name}-{self.part}-{self.shard}"


def _on(batch: Batch, cases: list[Case], *marks: Any, shards: int = 2) -> Iterator[Any]:
    """More shards spread better over workers; each imports torch again."""
    files = sorted({case.file for case in cases})
    for case in cases:
        shard = replace(batch, shard=files.index(case.file) % shards)
        group = pytest.mark.xdist_group(shard.group)
        name = case.name.replace("TARGET-", "").replace("[TARGET]", "")
        yield pytest.param(shard, case, marks=[group, *marks], id=f"{batch.name}-{name}")


def _all_runs() -> Iterator[Any]:
    cases = read_cases()
    linear = [case for case in cases if LINEAR.search(case.name)]
    some = [case for case in cases if SOME.search(case.name)]
    default = some + linear
    rest = [case for case in cases if case not in default]
    yield from _on(Batch("cortex-m55", ("qemu-m55",)), default)
    yield from _on(Batch("cortex-m55", ("qemu-m55",), "rest"), rest, pytest.mark.long, shards=6)
    yield from _on(Batch("cortex-m4", ("qemu-m33", "qemu-m4", "qemu-m3")), some, pytest.mark.long)
    for core in ("m33", "m4", "m3", "m0"):
        batch = Batch(f"cortex-{core}", (f"qemu-{core}",))
        yield from _on(batch, linear, pytest.mark.long, shards=1)
        rest = [case for case in cases if case not in linear]
        yield from _on(replace(batch, part="rest"), rest, pytest.mark.exhaustive, shards=6)


_results: dict[Batch, Results] = {}


def _results_of(batch: Batch, request: pytest.FixtureRequest) -> Results:
    """Runs those cases of the batch that this session wants, once."""
    if batch not in _results:
        wanted = [
            item.callspec.params["case"]
            for item in request.session.items
            if isinstance(item, pytest.Function)
            and hasattr(item, "callspec")
            and item.callspec.params.get("batch") == batch
        ]
        present = [case for case in wanted if not _is_missing(case)]
        _results[batch] = run(batch.target, batch.cores, present)
    return _results[batch]


def _is_missing(case: Case) -> bool:
    return case.outcome == "missing" and find_spec(case.why) is None


@pytest.mark.parametrize(("batch", "case"), list(_all_runs()))
def test_case(batch: Batch, case: Case, request: pytest.FixtureRequest) -> None:
    if _is_missing(case):
        pytest.skip(f"{case.why} is not installed")
    results = _results_of(batch, request)
    outcome, reason = results.tests.get(case.name, ("not run", results.output))
    expected = "passed" if case.outcome == "missing" else case.outcome
    assert outcome == expected, f"{outcome} instead of {expected}: {reason}"
    if expected == "skipped":
        pytest.skip(f"ExecuTorch skips it: {case.why}")


def test_every_operator_is_among_some() -> None:
    files = {case.file for case in read_cases() if case.file.startswith("ops/")}
    chosen = {case.file for case in read_cases() if SOME.search(case.name)}
    assert files - chosen == {"ops/test_linear.py", "ops/test_lstm.py"}


def test_the_list_has_all_cases() -> None:
    """What cannot be imported lacks a package that is not ExecuTorch's."""
    collected = run("cortex-m55", [])
    listed = [case for case in read_cases() if not _is_missing(case)]
    assert sorted(collected.tests) == sorted(case.name for case in listed), collected.output
    for file, error in collected.files.items():
        found = re.search(r"ModuleNotFoundError: No module named '(torchvision|torchaudio)'", error)
        assert found is not None, f"{file}: {error}"


def test_the_document_is_that_of_the_list() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(read_cases()), (
        "run tests/cortex_m_suite/update.py --table"
    )
