# SPDX-License-Identifier: Apache-2.0
"""Which element types a kernel computes with, and what is refused without them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cli_files
from graph_maker import GraphMaker, schedules_of
from petite.compile import Options, compile_program
from petite.errors import PetiteError
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.kernel_dtypes import BY_SUFFIX, CONTROL, MOVERS, kernel_dtypes
from petite.passes.lower.variants import PLAIN
from petite.passes.require_dtypes import require_dtypes
from petite.pte import read_program

KERNELS = Path(__file__).resolve().parents[2] / "runtime" / "kernels"
FAMILIES = (
    *("unary", "binary", "offsets", "topk", "reduce", "cumsum", "matmul", "window_max"),
    "choose_qparams",
)
HEADERS = sorted(
    path
    for path in KERNELS.glob("*/*.h")
    if path.parent.name not in ("common", *FAMILIES)
    and not path.name.startswith("define_")
    # These take the structure of the kernel that they replace.
    and path.stem.removesuffix("_mve") not in PLAIN.values()
)
FILES = sorted(KERNELS.glob("*/*.c"))

#: Pointers that are neither inputs nor outputs: parameters of the arithmetic.
_PARAMETERS = re.compile(
    r"bias|multiplier|shift|weights|packed|scales|scratch|(\w+_)?table|offsets|\w*_sums?"
    r"|reciprocals"
)


def data_types(header: Path) -> set[str]:
    """C types of the inputs and outputs, from the kernel's own parameter structure."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
    body = re.search(rf"struct petite_{header.stem} \{{(.*?)\n\}};", text, re.DOTALL)
    assert body is not None, header
    pointers = re.findall(r"(?:const )?(\w+) \*(\w+);", body[1])
    return {kind for kind, name in pointers if not _PARAMETERS.fullmatch(name)}


@pytest.mark.parametrize("header", HEADERS, ids=lambda p: p.stem)
def test_the_name_says_the_types_of_the_structure(header: Path) -> None:
    types = data_types(header)
    if header.stem in MOVERS | CONTROL:
        assert types == {"void"}
    else:
        assert types == {dtype.c_type for dtype in kernel_dtypes(header.stem)}


def test_every_kernel_without_a_type_exists() -> None:
    assert {header.stem for header in HEADERS} >= MOVERS | CONTROL


def test_a_kernel_without_its_type_is_found() -> None:
    for name in ("sort", "copy_s8s", "rotate_scalar"):
        with pytest.raises(AssertionError, match="does not say its element type"):
            kernel_dtypes(name)


@pytest.mark.parametrize("suffix", BY_SUFFIX)
def test_the_pattern_of_file_names_finds_the_same_kernels(suffix: str) -> None:
    """What a build leaves out by name is what the compiler refuses."""
    by_pattern = {path for path in FILES if f"_{suffix}_" in path.name}
    by_kernel = {
        path
        for path in FILES
        if BY_SUFFIX[suffix] in kernel_dtypes(re.sub(r"_(scalar|dsp|mve)\.c$", "", path.name))
    }
    assert by_pattern == by_kernel


# --- refusals ----------------------------------------------------------------------------------


def compile_with(data: bytes, *dtypes: DType) -> None:
    """Compile a program for these element types."""
    compile_program(read_program(data, "m.pte"), Options(dtypes=frozenset(dtypes)))


def test_a_selected_type_passes() -> None:
    compile_with(cli_files.relu(), DType.F32)
    compile_with(cli_files.counter(), DType.F32, DType.S8)


def test_kernels_that_move_bytes_pass() -> None:
    """Their bytes are float32, but they do not compute with them."""
    make = GraphMaker()
    x = make.input((2, 3), DType.F32)
    make.output(make.concat([make.permute(x, (1, 0)), make.input((1, 2), DType.F32)], 0))
    schedule = schedules_of(make.graph)[0]
    assert {call.kernel for call in schedule.calls} == {"transpose", "copy_blocks"}
    require_dtypes(schedule, frozenset({DType.S8}))


@pytest.mark.parametrize("int8_io", [False, True])
def test_int8_alone_needs_int8_at_the_edges(int8_io: bool) -> None:
    make = GraphMaker()
    x = make.quantize(make.input((1, 4), DType.F32), 0.1, 5)
    make.output(make.dequantize(make.linear(x, 2), 0.2, -3))
    schedule = schedules_of(make.graph, quantized_io=int8_io)[0]
    if int8_io:
        require_dtypes(schedule, frozenset({DType.S8}))
    else:
        with pytest.raises(PetiteError, match=r"kernel quantize_f32_s8 .* use --int8-io$"):
            require_dtypes(schedule, frozenset({DType.S8}))


@pytest.mark.parametrize("dtypes", [(DType.S8,), (DType.S8, DType.S32)])
def test_a_missing_type_is_refused(dtypes: tuple[DType, ...]) -> None:
    with pytest.raises(PetiteError) as caught:
        compile_with(cli_files.relu(), *dtypes)
    chosen = ",".join(dtype.torch_name for dtype in dtypes)
    assert str(caught.value) == (
        "m.pte: method forward: instruction 0 (aten::relu.out): kernel clamp_f32 computes with "
        f"float32, but --dtypes is {chosen}; add float32 to it, "
        "or quantize the whole model and use --int8-io"
    )


def test_another_type_has_another_remedy() -> None:
    make = GraphMaker()
    x = make.input((4,), DType.S64)
    make.output(make.emit(ops.Elementwise, [x, x], make.value((4,), DType.S64), function="add"))
    with pytest.raises(PetiteError) as caught:
        require_dtypes(schedules_of(make.graph)[0], frozenset({DType.F32, DType.S8}))
    assert "kernel binary_add_s64 computes with int64, but --dtypes is int8,float32" in str(
        caught.value
    )
    assert "add int64 to it, or export the model without this operator" in str(caught.value)
