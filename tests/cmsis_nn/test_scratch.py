# SPDX-License-Identifier: Apache-2.0
"""The compiler reserves the scratch memory that the library itself asks for."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

from petite.passes.lower import cmsis_nn_scratch as scratch
from petite.passes.lower.cmsis_nn_scratch import ConvolutionShape
from petite.targets import RUNS, InstructionSet

#: Where the library counts; it compiles these for the host too, for all instruction sets.
SOURCES = (
    "ConvolutionFunctions/arm_convolve_get_buffer_sizes_s8.c",
    "ConvolutionFunctions/arm_depthwise_conv_get_buffer_sizes_s8.c",
    "FullyConnectedFunctions/arm_fully_connected_get_buffer_sizes_s8.c",
    "PoolingFunctions/arm_avgpool_get_buffer_sizes_s8.c",
)
_SUFFIX: dict[InstructionSet, str] = {"scalar": "", "dsp": "_dsp", "mve": "_mve"}


def words(*values: int) -> ctypes.Array[ctypes.c_int32]:
    """A structure of the library's: all of them are 32-bit integers in a row."""
    return (ctypes.c_int32 * len(values))(*values)


@pytest.fixture(scope="module")
def counted(library: Path, tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    made = tmp_path_factory.mktemp("library") / "counts.so"
    files = [str(library / "Source" / name) for name in SOURCES]
    command = ["cc", "-shared", "-fPIC", "-w", f"-I{library / 'Include'}", *files, "-o", str(made)]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(made))


def random_shape(rng: np.random.Generator) -> ConvolutionShape:
    """Any convolution that a window of one group can be, many of them of one row."""
    kernel = [int(rng.choice([1, 1, 2, 3, 5])) for _ in range(2)]
    pad = [int(rng.integers(0, k)) for k in kernel]
    size = [int(rng.choice([1, 5, 9, 12])) for _ in range(2)]
    size = [max(n, k - 2 * p) for n, k, p in zip(size, kernel, pad, strict=True)]
    stride = [int(rng.choice([1, 1, 2])) for _ in range(2)]
    output = [
        (n + 2 * p - k) // s + 1 for n, p, k, s in zip(size, pad, kernel, stride, strict=True)
    ]
    channels = int(rng.choice([1, 3, 4, 8, 17, 130]))
    return ConvolutionShape(
        batches=int(rng.choice([1, 1, 2])),
        input_h=size[0], input_w=size[1], input_c=channels,
        output_h=output[0], output_w=output[1], output_c=int(rng.choice([channels, 6, 32])),
        kernel_h=kernel[0], kernel_w=kernel[1], filter_c=channels,
        stride_h=stride[0], stride_w=stride[1], dilation_h=1, dilation_w=1,
        pad_top=pad[0], pad_left=pad[1],
    )  # fmt: skip


def arguments(
    shape: ConvolutionShape, filter_dims: tuple[int, ...], *multiple: int
) -> list[object]:
    window = words(
        *(0, 0), *multiple,
        *(shape.stride_w, shape.stride_h), *(shape.pad_left, shape.pad_top),
        *(shape.dilation_w, shape.dilation_h), *(-128, 127),
    )  # fmt: skip
    image = words(shape.batches, shape.input_h, shape.input_w, shape.input_c)
    output = words(shape.batches, shape.output_h, shape.output_w, shape.output_c)
    return [window, image, words(*filter_dims), output]


@pytest.mark.parametrize("instruction_set", list(RUNS))
def test_convolutions(instruction_set: InstructionSet, counted: ctypes.CDLL) -> None:
    rng = np.random.default_rng(1)
    count = counted[f"arm_convolve_wrapper_s8_get_buffer_size{_SUFFIX[instruction_set]}"]
    rows = 0
    for _ in range(2000):
        shape = random_shape(rng)
        if shape.is_row and instruction_set == "mve":
            if shape.stride_w != 1 or shape.kernel_w > shape.input_w:
                # Lowering turns these on their side.
                continue
            rows += 1
        filter_dims = (shape.output_c, shape.kernel_h, shape.kernel_w, shape.filter_c)
        wanted = count(*arguments(shape, filter_dims))
        assert scratch.convolution(shape, instruction_set) == wanted, shape
    assert rows > 20 or instruction_set != "mve"


@pytest.mark.parametrize("instruction_set", list(RUNS))
def test_depthwise_convolutions(instruction_set: InstructionSet, counted: ctypes.CDLL) -> None:
    rng = np.random.default_rng(2)
    count = counted[f"arm_depthwise_conv_wrapper_s8_get_buffer_size{_SUFFIX[instruction_set]}"]
    sizes = set()
    for _ in range(2000):
        shape = random_shape(rng)
        if shape.input_c == 1 or shape.output_c % shape.input_c:
            continue
        filter_dims = (1, shape.kernel_h, shape.kernel_w, shape.output_c)
        wanted = count(*arguments(shape, filter_dims, shape.output_c // shape.input_c))
        assert scratch.depthwise(shape, instruction_set) == wanted, shape
        sizes.add(wanted)
    assert len(sizes) > 5 or instruction_set == "scalar"


@pytest.mark.parametrize("instruction_set", ["dsp", "mve"])
@pytest.mark.parametrize("channels", [1, 7, 64])
def test_others(instruction_set: InstructionSet, channels: int, counted: ctypes.CDLL) -> None:
    suffix = _SUFFIX[instruction_set]
    pool = counted[f"arm_avgpool_s8_get_buffer_size{suffix}"](3, channels)
    assert scratch.average_pool(channels, instruction_set) == pool
    product = counted[f"arm_fully_connected_s8_get_buffer_size{suffix}"](words(1, 1, 1, channels))
    assert scratch.batch_matmul(channels, instruction_set) == product
