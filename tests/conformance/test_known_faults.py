# SPDX-License-Identifier: Apache-2.0
"""Faults that users of other runtimes met, one test each: the names are the table of contents.

Each test shows that its program is about the fault, by what is in the file or by what a faulty
runtime would give, and that the program gives the reference's bits: on the host under sanitizers,
and on an emulated core with Helium (on others too where the fault is about the core).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from conformance.catalogue_faults import CORES
from conformance.programs import Built, build, default_cache
from conformance.test_conformance import assert_equal, refused_or_compiled, run_calls
from kernel_testing import oracle
from petite.compile import CompiledModel, Options, compile_file
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Graph
from petite.ir.ops import Padding, Pair
from petite.passes.pipeline import optimize
from petite.pte import load_program
from petite.pte.lift import lift_program
from petite.pte.program import KernelCall, NullValue, TensorValue
from petite.targets import find_target

Array = np.ndarray[Any, np.dtype[Any]]
O = TypeVar("O", bound=ops.Op)  # noqa: E741

CACHE = default_cache()
HELIUM = "qemu-m55"
#: The emulated core that runs what is exported for each core: itself, or the one most like it.
EMULATED = {
    "m0": "qemu-m0",
    "m0plus": "qemu-m0",
    "m23": "qemu-m0",
    "m3": "qemu-m3",
    "m4": "qemu-m4",
    "m7": "qemu-m4",
    "m33": "qemu-m33",
    "m35p": "qemu-m33",
    "m55": "qemu-m55",
    "m85": "qemu-m55",
}


def run(name: str, directory: Path, *targets: str) -> CompiledModel:
    """Check a program's bits on the host and on emulated cores, with the kernels of each."""
    built = build(name, CACHE)
    for target in ("host", *(targets or (HELIUM,))):
        options = Options(instruction_set=find_target(target).instruction_set)
        model = compile_file(built.pte, options)
        model.write(directory)
        sanitize = target == "host"
        assert_equal(built, run_calls(model, built, target, directory, sanitize=sanitize))
    return model


def graph_of(name: str, *, passes: bool = False) -> Graph:
    """The program's only method, as the file says it or after the passes."""
    (graph,) = lift_program(load_program(build(name, CACHE).pte))
    if passes:
        optimize(graph, quantized_io=False)
    return graph


def only(graph: Graph, kind: type[O]) -> O:
    """The one operator of a kind."""
    (found,) = [op for op in graph.ops if isinstance(op, kind)]
    return found


def tensors_of(name: str) -> list[TensorValue]:
    """All tensors that the file holds or plans."""
    values = load_program(build(name, CACHE).pte).methods[0].values
    return [value for value in values if isinstance(value, TensorValue)]


# --- bias and offsets ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    # By default one core of each kind.
    "core",
    [c if c in ("m4", "m55") else pytest.param(c, marks=pytest.mark.long) for c in CORES],
)
def test_bias_dropped_on_cores_without_helium(core: str, tmp_path: Path) -> None:
    """Files for Helium hold sums of kernel and bias, others a bias: each on a core of its kind."""
    name = f"core_{core}"
    method = load_program(build(name, CACHE).pte).methods[0]
    linears = [
        call
        for call in method.instructions
        if isinstance(call, KernelCall) and call.operator == "cortex_m::quantized_linear.out"
    ]
    sums = [not isinstance(method.values[call.args[3]], NullValue) for call in linears]
    biases = [not isinstance(method.values[call.args[2]], NullValue) for call in linears]
    helium = core in ("m55", "m85")
    assert sums == [helium, helium]
    assert biases == [not helium, False], "the second layer has no bias"
    for op in graph_of(name).ops:
        if isinstance(op, ops.Linear):
            assert op.bias.any(), "the input's zero point is not zero"
    run(name, tmp_path, EMULATED[core])


@pytest.mark.parametrize(("core", "target"), [("m0", "qemu-m55"), ("m55", "qemu-m0")])
def test_scratch_sized_for_another_kernel(core: str, target: str, tmp_path: Path) -> None:
    """The file plans scratch for its core's kernels; nothing of it is left, so any core will do."""

    def scratch(of: str) -> list[int]:
        return [t.nbytes for t in tensors_of(f"core_{of}") if t.dtype.name == "BYTE"]

    assert max(scratch("m55")) > max(scratch("m0")) > 0
    model = run(f"core_{core}", tmp_path, target)
    calls = model.schedules[0].calls
    used = {read.buffer for call in calls for read in call.reads}
    used |= {buffer for call in calls for buffer in call.writes}
    assert not any(buffer.dtype is DType.U8 for buffer in used)


def test_zero_points_outside_int8_after_hardswish(tmp_path: Path) -> None:
    """x + 3 has no tensor of its own: its zero point is that of x less 3 / scale."""
    product = only(graph_of("hardswish_beyond_int8"), ops.Mul)
    assert max(product.offsets) > 128
    run("hardswish_beyond_int8", tmp_path)


def test_int32_zero_points_read_as_int64(tmp_path: Path) -> None:
    """The file holds zero points of both types, that nothing uses: no byte of them is emitted."""
    program = load_program(build("core_m55", CACHE).pte).methods[0]
    used = {index for call in program.instructions for index in getattr(call, "args", ())}
    dead = {
        tensor.dtype.name
        for index, tensor in enumerate(program.values)
        if isinstance(tensor, TensorValue) and tensor.data is not None and index not in used
    }
    assert {"INT", "LONG"} <= dead
    run("core_m55", tmp_path)
    model = compile_file(build("core_m55", CACHE).pte, Options())
    assert "int64_t" not in {constant.c_type for constant in model.view.constants}
    weights = sum(
        np.prod(op.weights.shape)
        for op in graph_of("core_m55").ops
        if isinstance(op, ops.Convolution | ops.Linear)
    )
    # Per channel: bias and multiplier of four bytes and a shift of one; linear layers have a bias.
    assert model.view.constant_size <= weights + 9 * (8 + 8 + 4) + 4 * (6 + 5)


# --- layouts -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["permute_channels_last", "mixed_formats", "softmax_channels_last"]
)
def test_output_order_assumed_from_the_input(name: str, tmp_path: Path) -> None:
    """Channels-last comes in, and a contiguous tensor goes out."""
    graph = graph_of(name)
    assert graph.inputs[0].layout == (0, 2, 3, 1)
    assert graph.output_layouts == [(0, 1, 2, 3)]
    run(name, tmp_path)


def test_mixed_orders_of_two_operands(tmp_path: Path) -> None:
    """A sum of a channels-last and a contiguous tensor."""
    graph = graph_of("mixed_formats")
    assert [v.layout for v in graph.inputs] == [(0, 2, 3, 1), (0, 1, 2, 3)]
    run("mixed_formats", tmp_path)


def test_mixed_orders_after_a_convolution(tmp_path: Path) -> None:
    """The same where the channels-last operand is computed."""
    graph = graph_of("mixed_formats_conv")
    assert [v.layout for v in graph.inputs] == [(0, 2, 3, 1), (0, 1, 2, 3)]
    assert only(graph, ops.Add).input is only(graph, ops.Conv2d).output
    run("mixed_formats_conv", tmp_path)


@pytest.mark.parametrize(
    ("name", "multiplier"),
    [("depthwise_multiplier_2", 2), ("depthwise_multiplier_3", 3), ("depthwise_of_one_channel", 6)],
)
def test_depthwise_with_channel_multiplier(name: str, multiplier: int, tmp_path: Path) -> None:
    """Outputs of one channel are neighbours, in weights and in the result."""
    op = only(graph_of(name), ops.DepthwiseConv2d)
    assert op.output.shape[1] == multiplier * op.input.shape[1]
    run(name, tmp_path)


def test_pad_that_ignores_channels_last(tmp_path: Path) -> None:
    """Each side of rows and columns has a width of its own, so none can take another's place."""
    pad = only(graph_of("pad_value"), ops.Pad)
    assert (pad.before, pad.after) == ((0, 0, 0, 1), (0, 0, 1, 2))
    assert only(graph_of("pad_value", passes=True), ops.Pad).output.layout == (0, 2, 3, 1)
    run("pad_value", tmp_path)


def test_pad_of_channels_in_channels_last(tmp_path: Path) -> None:
    """The portable pad scrambles such a tensor."""
    pad = only(graph_of("pad_channels", passes=True), ops.Pad)
    assert (pad.before, pad.after) == ((0, 1, 0, 0), (0, 2, 0, 0))
    assert pad.input.layout == (0, 2, 3, 1)
    run("pad_channels", tmp_path)


@pytest.mark.parametrize("name", ["cat_channels", "cat_rows"])
def test_cat_in_channels_last(name: str, tmp_path: Path) -> None:
    """The portable cat scrambles such tensors."""
    op = only(graph_of(name, passes=True), ops.Concat)
    assert {v.layout for v in op.inputs} == {(0, 2, 3, 1)}
    run(name, tmp_path)


def test_softmax_in_channels_last(tmp_path: Path) -> None:
    """The portable softmax scrambles such a tensor."""
    graph = graph_of("softmax_channels_last")
    assert only(graph, ops.FloatSoftmax).dim == 1 and graph.inputs[0].layout == (0, 2, 3, 1)
    run("softmax_channels_last", tmp_path)


@pytest.mark.parametrize("rank", [5, 6])
def test_transpose_of_rank(rank: int, tmp_path: Path) -> None:
    """More dimensions than the core's transpose takes."""
    op = only(graph_of(f"permute_rank_{rank}"), ops.Permute)
    assert len(op.permutation) == rank and op.permutation != tuple(range(rank))
    run(f"permute_rank_{rank}", tmp_path)


# --- windows -------------------------------------------------------------------------------------


def convolution(name: str) -> ops.Conv2d:
    """The one convolution, with what the passes have folded into it."""
    return only(graph_of(name, passes=True), ops.Conv2d)


def image_size(op: ops.Op) -> Pair:
    """Rows and columns of the input."""
    return op.input.shape[2], op.input.shape[3]


@pytest.mark.parametrize(
    ("name", "padding"),
    [
        ("pad_asymmetric", Padding(top=2, left=0, bottom=0, right=1)),
        ("conv_same_asymmetric", Padding(top=0, left=0, bottom=1, right=1)),
    ],
)
def test_asymmetric_padding(name: str, padding: Padding, tmp_path: Path) -> None:
    """A pad of its own in the file, and part of the convolution afterwards."""
    assert convolution(name).padding == padding
    run(name, tmp_path)


@pytest.mark.parametrize(
    ("name", "kernel", "padding"),
    [
        ("conv_1xn_same", (1, 4), Padding(left=1, right=2)),
        ("conv_nx1_same", (4, 1), Padding(top=1, bottom=2)),
    ],
)
def test_kernel_of_one_row_or_column_with_same_padding(
    name: str, kernel: Pair, padding: Padding, tmp_path: Path
) -> None:
    op = convolution(name)
    assert (op.kernel, op.padding) == (kernel, padding)
    run(name, tmp_path)


def test_1xn_kernel_with_stride_2_and_even_width(tmp_path: Path) -> None:
    op = convolution("conv_1xn_stride_2_even")
    assert (op.kernel, op.stride, image_size(op)) == ((1, 4), (1, 2), (1, 12))
    run("conv_1xn_stride_2_even", tmp_path)


def test_1x1_kernel_with_stride_2(tmp_path: Path) -> None:
    op = convolution("conv_1x1_stride_2")
    assert (op.kernel, op.stride, image_size(op)) == ((1, 1), (2, 2), (7, 6))
    run("conv_1x1_stride_2", tmp_path)


@pytest.mark.parametrize(
    "name", ["transpose_conv", "transpose_conv_padding", "transpose_conv_wide"]
)
def test_transposed_convolution(name: str, tmp_path: Path) -> None:
    assert only(graph_of(name), ops.TransposeConv2d)
    run(name, tmp_path)


def test_average_pooling_that_counts_the_padding(tmp_path: Path) -> None:
    op = only(graph_of("avg_pool_padding_counted", passes=True), ops.AvgPool2d)
    assert op.count_padding and not op.padding.is_zero
    run("avg_pool_padding_counted", tmp_path)


def test_average_pooling_that_does_not_count_the_padding(tmp_path: Path) -> None:
    op = only(graph_of("avg_pool_padding_not_counted", passes=True), ops.AvgPool2d)
    assert not op.count_padding and not op.padding.is_zero
    run("avg_pool_padding_not_counted", tmp_path)


@pytest.mark.parametrize("name", ["avg_pool_ceil", "avg_pool_ceil_counted"])
def test_average_pooling_with_ceil_mode(name: str, tmp_path: Path) -> None:
    """The last windows reach beyond the image: only what is there is divided by."""
    op = only(graph_of(name), ops.AvgPool2d)
    reach = (op.output.shape[2] - 1) * op.stride[0] + op.kernel[0]
    assert reach > op.input.shape[2]
    run(name, tmp_path)


def test_adaptive_average_pooling_from_7_to_3(tmp_path: Path) -> None:
    """Windows of different sizes that overlap."""
    graph = graph_of("adaptive_pool_7_to_3")
    op = only(graph, ops.FloatAdaptiveAvgPool2d)
    assert (image_size(op), op.output.shape[2:]) == ((7, 7), (3, 3))
    run("adaptive_pool_7_to_3", tmp_path)


def test_mean_over_dimensions_in_another_order(tmp_path: Path) -> None:
    """mean((3, 2)) over an image that is not square."""
    op = only(graph_of("mean_wh_keepdim"), ops.AvgPool2d)
    assert op.kernel == image_size(op) == (7, 6)
    run("mean_wh_keepdim", tmp_path)


# --- arithmetic ----------------------------------------------------------------------------------


def test_average_ties_round_away_from_zero(tmp_path: Path) -> None:
    """Whoever rounds ties to even, or upwards, gives other bits here."""
    name = "avg_pool_negative"
    graph = graph_of(name)
    op, dequantize = only(graph, ops.AvgPool2d), only(graph, ops.Dequantize)
    built = build(name, CACHE)
    quantize = only(graph, ops.Quantize)
    ties = 0
    for (image,), (expected,) in zip(built.inputs, built.expected, strict=True):
        stored = quantized(image, quantize)
        height, width = op.output.shape[2:]
        inside = stored[:, :, : 2 * height, : 2 * width]
        windows = inside.reshape(*stored.shape[:2], height, 2, width, 2)
        means = windows.mean((3, 5))
        tie = (means - np.floor(means) == 0.5) & (means < 0) & (np.floor(means) % 2 != 0)
        ties += int(tie.sum())
        result = np.rint(expected / np.float32(dequantize.scale)) + dequantize.zero_point
        np.testing.assert_array_equal(result[tie], np.floor(means)[tie])
    assert ties > 0
    run(name, tmp_path)


def quantized(values: Array, op: ops.Quantize) -> Array:
    """What an input's conversion stores."""
    inverse = float(np.float32(1.0) / np.float32(op.scale))
    return oracle.quantize(values, inverse, op.zero_point, op.low, op.high)


def test_requantize_near_int32_max(tmp_path: Path) -> None:
    """Biases at the end of int32: whoever saturates, or loses a bit, gives another result."""
    op = convolution("conv_bias_near_int32_max")
    assert op.bias is not None and np.abs(op.bias.astype(np.int64)).min() > 2**31 - 2**16
    run("conv_bias_near_int32_max", tmp_path, HELIUM, "qemu-m4", "qemu-m3", "qemu-m0")


def test_shifts_above_zero(tmp_path: Path) -> None:
    """Scales larger than one."""
    assert convolution("conv_shift_above_zero").shifts.min() > 0
    run("conv_shift_above_zero", tmp_path, HELIUM, "qemu-m4", "qemu-m3", "qemu-m0")


def test_single_instead_of_double_rounding(tmp_path: Path) -> None:
    """One rounding of the exact product would give other bits in this program."""
    name = "rounded_twice"
    graph = graph_of(name)
    op, quantize = only(graph, ops.DepthwiseConv2d), only(graph, ops.Quantize)
    dequantize = only(graph, ops.Dequantize)
    built = build(name, CACHE)
    differing = 0
    for (image,), (expected,) in zip(built.inputs, built.expected, strict=True):
        sums = (quantized(image, quantize) + op.input_offset) * op.weights.reshape(1, -1, 1, 1)
        exact = sums * op.multipliers.astype(np.int64).reshape(1, -1, 1, 1)
        once = oracle.round_half_away(exact, 31 - op.shifts.astype(np.int64).reshape(1, -1, 1, 1))
        once = np.clip(once + op.output_offset, op.clamp.low, op.clamp.high)
        stored = np.rint(expected / np.float32(dequantize.scale)) + dequantize.zero_point
        differing += int((once != stored).sum())
    assert differing > 0
    run(name, tmp_path)


@pytest.mark.parametrize("name", ["conv_qat", "linear_qat"])
def test_quantization_aware_training(name: str, tmp_path: Path) -> None:
    """The exporter's other way to scales; the clamp of the ReLU is the output's zero point."""
    graph = graph_of(name)
    kind = ops.Conv2d if name == "conv_qat" else ops.Linear
    assert only(graph, kind).output_offset == -128
    run(name, tmp_path)


# --- what stock lowering leaves ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hardsigmoid", "float_hardsigmoid", "float_hardswish"])
def test_activation_left_unquantized(name: str, tmp_path: Path) -> None:
    """A hard activation as float arithmetic, which the core's operators cannot run."""
    kinds = {op.kind for op in graph_of(name).ops}
    assert {"Elementwise", "FloatClamp"} <= kinds
    run(name, tmp_path)


def test_linear_left_unquantized(tmp_path: Path) -> None:
    assert only(graph_of("float_linear"), ops.FloatLinear)
    run("float_linear", tmp_path)


def test_convolution_left_unquantized(tmp_path: Path) -> None:
    """The quantizer leaves a contiguous convolution alone, amid int8."""
    assert {"Quantize", "FloatConv2d"} <= {op.kind for op in graph_of("contiguous_conv").ops}
    run("contiguous_conv", tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        *("refused_hardswish", "refused_conv_clamp_min"),
        *("refused_conv_hardswish_used_twice", "refused_linear_relu_used_twice"),
    ],
)
def test_float_operator_left_on_raw_int8(name: str) -> None:
    """Such a program means nothing: it is refused by the operator's name."""
    built: Built = build(name, CACHE)
    assert built.meta.refused is not None
    assert refused_or_compiled(built, Options()) is None


@pytest.mark.parametrize(
    ("name", "starts"), [("state_average", True), ("state_average_without_start", False)]
)
def test_initial_state_dropped(name: str, starts: bool, tmp_path: Path) -> None:
    """Stock export drops initial values unless it is told otherwise; then states are zero."""
    (state,) = graph_of(name).states
    assert (state.initial is not None and bool(state.initial.any())) == starts
    run(name, tmp_path)
