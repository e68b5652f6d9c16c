# SPDX-License-Identifier: Apache-2.0
"""Direct calls of quantised and sampling operators that mean nothing are refused, and say why."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from conformance.direct_calls import Case, Known, floats, ints
from conformance.test_direct_calls import refusal

X = floats(3, 4)
STORED = ints(3, 4, dtype=torch.int8)
SCALES = Known(floats(4).abs().double() + 0.01)
ZEROS = Known(torch.zeros(4, dtype=torch.int64))
TABLE = Known(ints(6, 8, dtype=torch.int8))
INDEX = torch.tensor([1, 2])
LIMITS = (-128, 127)


def _case(name: str, args: tuple[Any, ...], result: torch.Tensor) -> Case:
    return Case(f"quantized_decomposed::{name}", args, lambda: result)


def _grid(mode: int, padding: int, grid: torch.Tensor) -> Case:
    args = (floats(1, 2, 3, 4), grid, mode, padding, False)
    return Case("aten::grid_sampler_2d.out", args, lambda: floats(1, 2, 5, 6))


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (
            _case("quantize_per_tensor.out", (X, 0.0, 0, *LIMITS, 1), STORED),
            "a scale is not positive",
        ),
        (
            _case("quantize_per_tensor.out", (X, 0.5, 0, -128, 200, 1), STORED),
            "cannot store numbers from -128 to 200 as int8",
        ),
        (
            _case("quantize_per_tensor.out", (X, 0.5, 0, 3, 2, 1), STORED),
            "cannot store numbers from 3 to 2 as int8",
        ),
        (
            _case("quantize_per_tensor.out", (X, 0.5, 0, 0, 1, 11), STORED > 0),
            "cannot store numbers from 0 to 1 as bool",
        ),
        (
            _case("quantize_per_channel.out", (X, SCALES, ZEROS, 0, *LIMITS, 1), STORED),
            "as [3, 1]",
        ),
        (
            _case("quantize_per_channel.out", (X, SCALES, ZEROS, 2, *LIMITS, 1), STORED),
            "has no dimension 2",
        ),
        (
            _case("dequantize_per_channel.out", (STORED, ZEROS, None, 1, *LIMITS, 1, None), X),
            "scales should be float32 or float64, not int64",
        ),
        (
            _case(
                "dequantize_per_channel.out",
                (STORED, SCALES, Known(floats(4)), 1, *LIMITS, 1, None),
                X,
            ),
            "should be int32 or int64",
        ),
        (
            _case("dequantize_per_token.out", (STORED, SCALES, ZEROS, *LIMITS, 1, 6), X),
            "as [3, 1]",
        ),
        (
            _case("embedding_byte.out", (TABLE, Known(X[0]), None, *LIMITS, INDEX), floats(2, 8)),
            "do not fit",
        ),
        (
            _case(
                "embedding_byte.out",
                (TABLE, Known(floats(6, 3)), None, *LIMITS, INDEX),
                floats(2, 8),
            ),
            "8 columns are not 3 groups",
        ),
        (
            _case(
                "embedding_byte.out",
                (TABLE, Known(floats(6)), None, *LIMITS, Known(INDEX + 5)),
                floats(2, 8),
            ),
            "are not all below 6",
        ),
        (
            _case(
                "mixed_linear.out",
                (floats(3, 8), TABLE, Known(floats(6)), Known(floats(6)), None),
                floats(3, 6),
            ),
            "has zero points",
        ),
        (
            _case("mixed_mm.out", (floats(3, 5), TABLE, Known(floats(6)), None), floats(3, 8)),
            "do not",
        ),
        (_grid(3, 0, floats(1, 5, 6, 2)), "there is no mode 3 with padding 0"),
        (_grid(0, 5, floats(1, 5, 6, 2)), "there is no mode 0 with padding 5"),
        (_grid(0, 0, floats(1, 5, 6, 3)), "is no grid"),
        (_grid(0, 0, floats(2, 5, 6, 2)), "is no grid"),
        (
            Case(
                "aten::_upsample_bilinear2d_aa.out",
                (X, [2, 2], False, None, None),
                lambda: floats(3, 2),
            ),
            "cannot resize",
        ),
    ],
)
def test_what_means_nothing_is_refused(case: Case, message: str) -> None:
    text = refusal(case)
    assert message in text and case.operator in text and "\n" not in text


@pytest.mark.parametrize(
    ("operator", "message"),
    [
        ("aten::rand.out", "let the application draw the random numbers"),
        ("aten::convolution_backward.out", "export the model in eval()"),
        ("aten::_fft_r2c.out", "there are no complex numbers here"),
        ("et_copy::_h2d_copy.out", "there is one memory"),
    ],
)
def test_what_is_refused_for_good_says_why(operator: str, message: str) -> None:
    text = refusal(Case(operator, (X,), lambda: X))
    assert message in text and operator in text and "\n" not in text
