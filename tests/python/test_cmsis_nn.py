# SPDX-License-Identifier: Apache-2.0
"""What is lowered to kernels that call CMSIS-NN, and what is not. (tests/cmsis_nn runs them.)"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from graph_maker import NHWC, GraphMaker, generated
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.ir.ops import Padding, Requantize
from petite.ir.schedule import KernelCall, Ref
from petite.passes.lower import lower
from petite.passes.pipeline import optimize
from petite.placement.check import check
from petite.placement.planner import plan
from petite.targets import InstructionSet

#: Emits the operator under test behind an input that nothing else reads.
Step = Callable[[GraphMaker, Value], Value]


def call_of(
    step: Step,
    shape: tuple[int, ...] = (1, 8, 6, 6),
    instruction_set: InstructionSet = "mve",
    layout: tuple[int, ...] | None = NHWC,
) -> KernelCall:
    """The one call that a graph of one operator becomes."""
    make = GraphMaker()
    x = make.input(shape, layout=layout if layout and len(shape) == 4 else None)
    result = step(make, x)
    make.output(result, NHWC if len(result.shape) == 4 else None)
    optimize(make.graph, quantized_io=False)
    schedule = lower(make.graph, instruction_set, cmsis_nn=True)
    check(schedule, plan(schedule))
    (call,) = schedule.calls
    return call


def changed(step: Step, **fields: object) -> Step:
    """The same operator with other fields."""

    def emit(make: GraphMaker, x: Value) -> Value:
        result = step(make, x)
        make.graph.ops[-1] = replace(make.graph.ops[-1], **fields)  # type: ignore[arg-type]
        return result

    return emit


def constant(call: KernelCall, field: str) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    address = call.fields[field]
    assert isinstance(address, Ref) and address.buffer.data is not None
    return address.buffer.data


def product(make: GraphMaker, x: Value, y: Value) -> Value:
    return make.emit(
        ops.Mul, [x, y], make.value(x.shape), offsets=(3, 4), output_offset=0,
        requantize=Requantize(2**30, -7),
    )  # fmt: skip


def matrices(make: GraphMaker, x: Value) -> Value:
    return make.emit(
        ops.BatchMatmul, [x, x], make.value((2, 5, 5)), offsets=(1, 2), output_offset=0,
        requantize=Requantize(2**30, -7),
    )  # fmt: skip


def transposed(make: GraphMaker, x: Value, stride: int = 2, pad: int = 1) -> Value:
    size = (x.shape[2] - 1) * stride - 2 * pad + 3
    return make.emit(
        ops.TransposeConv2d, [x], make.value((x.shape[0], 4, size, size)),
        kernel=(3, 3), stride=(stride, stride), dilation=(1, 1),
        padding=Padding(pad, pad, pad, pad),
        weights=np.arange(4 * 9 * x.shape[1]).astype(np.int8).reshape(4, 3, 3, x.shape[1]),
        bias=None, input_offset=0, output_offset=0, multipliers=np.full(4, 2**30, np.int32),
        shifts=np.full(4, -7, np.int32), clamp=ops.Clamp(),
    )  # fmt: skip


TAKEN: dict[str, tuple[Step, tuple[int, ...]]] = {
    "conv2d_s8": (lambda m, x: m.conv2d(x, 4), (1, 8, 6, 6)),
    "depthwise_conv2d_s8": (lambda m, x: m.depthwise(x), (1, 8, 6, 6)),
    "transpose_conv2d_s8": (transposed, (1, 8, 6, 6)),
    "linear_s8": (lambda m, x: m.linear(x, 7), (3, 20)),
    "batch_matmul_s8": (matrices, (2, 5, 9)),
    "add_s8": (lambda m, x: m.add(x, x), (1, 8, 6, 6)),
    "mul_s8": (lambda m, x: product(m, x, x), (1, 8, 6, 6)),
    "softmax_s8": (lambda m, x: m.softmax(x, 1), (3, 20)),
    "avg_pool_s8": (lambda m, x: m.avg_pool(x), (1, 8, 6, 6)),
    "max_pool_s8": (lambda m, x: m.max_pool(x), (1, 8, 6, 6)),
}


@pytest.mark.parametrize("instruction_set", ["scalar", "dsp", "mve"])
@pytest.mark.parametrize("kernel", TAKEN)
def test_what_the_library_covers(kernel: str, instruction_set: InstructionSet) -> None:
    call = call_of(*TAKEN[kernel], instruction_set)
    assert call.symbol == f"petite_{kernel}_cmsis_nn"
    # Nobody promised more than that elements follow one another.
    in_place = kernel in ("add_s8", "mul_s8")
    assert all((read.steps is not None) == in_place for read in call.reads)
    reserved = 0 if call.scratch is None else call.scratch.size
    assert call.fields.get("scratch_size", 0) == reserved


def cropped(make: GraphMaker, x: Value) -> Value:
    """A 1x1 window that reaches beyond the image on the right."""
    return make.conv2d(x, 4, (1, 1), (1, 1), Padding(0, 0, 0, 1))


def one_value_a_channel(make: GraphMaker, x: Value) -> Value:
    shape = (1, x.shape[1], 1, 1)
    return product(make, x, Value("c", DType.S8, shape, data=np.ones(shape, np.int8)))


LEFT: dict[str, tuple[Step, InstructionSet]] = {
    "the zero point is no int8": (changed(TAKEN["conv2d_s8"][0], input_offset=200), "mve"),
    "1x1 leaves the image": (cropped, "dsp"),
    "3x3 leaves the image": (
        lambda m, x: m.depthwise(x, (3, 3), (1, 1), Padding(1, 1, 1, 2)),
        "dsp",
    ),
    "stride 3": (lambda m, x: transposed(m, x, stride=3), "scalar"),
    "cuts off the whole window": (lambda m, x: transposed(m, x, pad=3), "scalar"),
    "one value a channel": (one_value_a_channel, "mve"),
    "dilated maximum": (changed(TAKEN["max_pool_s8"][0], dilation=(2, 2)), "mve"),
    "padding counts": (
        changed(TAKEN["avg_pool_s8"][0], count_padding=True, padding=Padding(0, 0, 1, 1)),
        "mve",
    ),
    "an offset beyond 16 bits": (changed(matrices, offsets=(1, 40000)), "mve"),
}


@pytest.mark.parametrize("why", LEFT)
def test_what_is_left_to_our_own_kernels(why: str) -> None:
    step, instruction_set = LEFT[why]
    shape = (2, 5, 9) if "offset" in why else (1, 8, 6, 6)
    assert call_of(step, shape, instruction_set).variant != "cmsis_nn"


def row(stride: int, width: int = 9) -> KernelCall:
    """A convolution of one row."""
    return call_of(
        lambda m, x: m.conv2d(x, 4, (1, 3), (1, stride), Padding(0, 1, 0, 1)), (1, 8, 1, width)
    )


def test_a_row_of_stride_two_lies_on_its_side() -> None:
    """The library's own way for it is wrong in the last columns on cores with Helium."""
    plain, turned = row(1), row(2)
    assert {plain.variant, turned.variant} == {"cmsis_nn"}
    assert (plain.fields["input_h"], plain.fields["kernel_w"]) == (1, 3)
    assert (turned.fields["input_h"], turned.fields["kernel_h"], turned.fields["stride_h"]) == (
        9,
        3,
        2,
    )
    assert (turned.fields["input_w"], turned.fields["pad_top"], turned.fields["pad_left"]) == (
        1,
        1,
        0,
    )


def test_several_rows_made_of_one_cannot_be_turned() -> None:
    """Below the image there is padding, so the output has rows; those would move."""
    call = call_of(lambda m, x: m.conv2d(x, 4, (1, 3), (1, 2), Padding(0, 0, 1, 0)), (1, 8, 1, 9))
    assert call.fields["output_h"] == 2
    assert call.variant == "mve"


def test_one_input_channel_is_a_convolution_of_sorted_weights() -> None:
    call = call_of(lambda m, x: m.depthwise(x, multiplier=5), (1, 1, 6, 6), "dsp")
    assert call.symbol == "petite_conv2d_s8_cmsis_nn"
    make = GraphMaker()
    make.depthwise(make.input((1, 1, 6, 6), layout=NHWC), multiplier=5)
    (op,) = make.graph.ops
    assert isinstance(op, ops.DepthwiseConv2d)
    wanted = op.weights.reshape(9, 5).T
    np.testing.assert_array_equal(constant(call, "weights").reshape(5, 9), wanted)


def test_the_window_of_a_transposed_convolution_is_reversed() -> None:
    weights = constant(call_of(transposed, (1, 8, 6, 6), "dsp"), "weights").reshape(4, 9, 8)
    wanted = np.arange(4 * 9 * 8).astype(np.int8).reshape(4, 9, 8)[:, ::-1]
    np.testing.assert_array_equal(weights, wanted)


def test_what_helium_reads_beyond_is_there() -> None:
    """Blocks of four channels, and a vector behind the weights."""
    step: Step = lambda m, x: m.depthwise(x, (3, 3))  # noqa: E731
    call = call_of(step, (1, 7, 6, 6))
    assert constant(call, "weights").size == 9 * 7 + 16
    assert [constant(call, n).size for n in ("bias", "multiplier", "shift")] == [8, 8, 8]
    assert constant(call_of(step, (1, 7, 6, 6), "dsp"), "weights").size == 9 * 7


def test_the_build_is_asked_for_the_library() -> None:
    make = GraphMaker()
    make.output(make.linear(make.input((1, 20)), 5))
    text = generated("x", make.graph, cmsis_nn=True)["x.c"]
    assert '#if !defined(PETITE_KERNELS_CMSIS_NN)\n#error "x was compiled for CMSIS-NN' in text
    make = GraphMaker()
    make.output(make.linear(make.input((1, 20)), 5))
    assert "CMSIS" not in generated("x", make.graph)["x.c"]
