# SPDX-License-Identifier: Apache-2.0
"""Whatever the bytes are: a verified program or one clear line, in time in proportion to them."""

from __future__ import annotations

import random
import struct
import time
import tracemalloc
from collections.abc import Callable

import flatbuffers
import pytest
from executorch.exir import schema
from executorch.exir._serialize._program import PTEFile
from executorch.exir.scalar_type import ScalarType
from hypothesis import given, settings
from hypothesis import strategies as st

from petite.errors import PetiteError
from petite.pte import Program, read_program
from pte_files import everything, inline, pte_file, tensor, with_segments

SMALL_FILES = {
    "segments": lambda: with_segments(everything()),
    "inline": lambda: inline(everything()),
    "exported": lambda: pte_file("linear"),
    "branch": lambda: pte_file("branch"),
}


def outcome(data: bytes) -> Program | str:
    """The program or the message; anything else is the failure that these tests look for."""
    try:
        return read_program(data, "some.pte")
    except PetiteError as error:
        message = str(error)
    assert message.startswith("some.pte: ")
    assert "byte " in message
    assert message.isprintable()
    assert len(message) < 500
    return message


@pytest.mark.parametrize("make", SMALL_FILES.values(), ids=SMALL_FILES)
def test_a_file_cut_at_any_byte_is_refused(make: Callable[[], bytes]) -> None:
    data = make()
    assert isinstance(outcome(data), Program)
    accepted = [
        length for length in range(len(data)) if isinstance(outcome(data[:length]), Program)
    ]
    assert accepted == []


def test_a_file_that_lacks_only_padding_is_refused() -> None:
    file = everything()
    file.program.execution_plan[0].name = "main"  # the last object of the file
    data = inline(file)
    assert data.endswith(b"main\0\0\0\0")
    assert isinstance(outcome(data), Program)
    for missing in (1, 2, 3):
        assert "which is not a multiple of 16" in str(outcome(data[:-missing]))


@pytest.mark.parametrize("name", ["segments", "inline"])
def test_a_file_with_any_bit_changed_is_read_or_refused(name: str) -> None:
    data = bytearray(SMALL_FILES[name]())
    refused = 0
    for at in range(len(data)):
        for bit in range(8):
            data[at] ^= 1 << bit
            refused += isinstance(outcome(bytes(data)), str)
            data[at] ^= 1 << bit
    assert refused > 2 * len(data)  # what may change freely is names, numbers, data and padding


@pytest.mark.parametrize("name", ["exported", "branch"])
def test_a_file_with_any_byte_changed_is_read_or_refused(name: str) -> None:
    data = bytearray(SMALL_FILES[name]())
    for at in range(len(data)):
        data[at] ^= 0xFF
        outcome(bytes(data))
        data[at] ^= 0xFF


@pytest.mark.parametrize("make", SMALL_FILES.values(), ids=SMALL_FILES)
def test_a_file_with_any_word_changed_is_read_or_refused(make: Callable[[], bytes]) -> None:
    data = bytearray(make())
    for at in range(0, len(data) - 3, 4):
        original = bytes(data[at : at + 4])
        for word in (0, 1, 4, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF, len(data)):
            data[at : at + 4] = struct.pack("<I", word)
            outcome(bytes(data))
        data[at : at + 4] = original


def test_random_bytes_are_refused() -> None:
    generator = random.Random(0)
    for _ in range(2000):
        noise = generator.randbytes(generator.randrange(400))
        assert isinstance(outcome(noise), str)
        assert isinstance(outcome(noise[:4] + b"ET12" + noise), str)
        assert isinstance(outcome(noise[:4] + b"ET12eh00\x20\0\0\0" + noise), str)
        near = struct.pack("<I", 8 + 4 * generator.randrange(4)) + b"ET12"
        assert isinstance(outcome(near + noise), str)


@settings(max_examples=1500, deadline=None, derandomize=True, database=None)
@given(st.data())
def test_mutated_files_are_read_or_refused(draws: st.DataObject) -> None:
    name = draws.draw(st.sampled_from(sorted(SMALL_FILES)))
    data = bytearray(_CACHE.setdefault(name, SMALL_FILES[name]()))
    for _ in range(draws.draw(st.integers(1, 6))):
        at = draws.draw(st.integers(0, len(data) - 1))
        match draws.draw(st.sampled_from(["bytes", "copy", "cut", "insert"])):
            case "bytes":
                new = draws.draw(st.binary(min_size=1, max_size=8))
                data[at : at + len(new)] = new
            case "copy":
                source = draws.draw(st.integers(0, len(data) - 1))
                length = draws.draw(st.integers(1, 64))
                data[at : at + length] = data[source : source + length]
            case "cut":
                del data[at : at + draws.draw(st.integers(1, 32))]
            case "insert":
                data[at:at] = draws.draw(st.binary(min_size=1, max_size=32))
        if not data:
            break
    outcome(bytes(data))


_CACHE: dict[str, bytes] = {}


# Files that would cost time or memory out of proportion if every offset were followed.


def _aliases(count: int) -> bytes:
    """Every vector holds one table ``count`` times: count to the fourth power visits."""
    b = flatbuffers.Builder()
    name = b.CreateString("forward")

    def vector(offsets: list[int]) -> int:
        b.StartVector(4, len(offsets), 4)
        for offset in offsets:
            b.PrependUOffsetTRelative(offset)
        return int(b.EndVector())

    def numbers(count: int, width: int) -> int:
        b.StartVector(width, count, width)
        for _ in range(count):
            b.PrependInt64(0) if width == 8 else b.PrependInt32(0)
        return int(b.EndVector())

    def table(*fields: tuple[int, str, int]) -> int:
        b.StartObject(10)
        for slot, kind, content in fields:
            if kind == "offset":
                b.PrependUOffsetTRelativeSlot(slot, content, 0)
            else:
                b.PrependUint8Slot(slot, content, 0)
        return int(b.EndObject())

    items = numbers(count, 4)
    call = table((1, "offset", items))
    instruction = table((0, "byte", 1), (1, "offset", call))
    chain = table((2, "offset", vector([instruction] * count)))
    chains = vector([chain] * count)
    sizes = numbers(1, 8)
    empty = vector([])
    plan = table(
        (0, "offset", name),
        (2, "offset", empty),
        (3, "offset", empty),
        (4, "offset", empty),
        (5, "offset", chains),
        (8, "offset", sizes),
    )
    root = table((1, "offset", vector([plan] * count)))
    b.Finish(root, file_identifier=b"ET12")
    return bytes(b.Output())


def test_shared_tables_do_not_cost_more_than_the_file_is_long() -> None:
    data = _aliases(2000)
    start = time.process_time()
    message = outcome(data)
    assert isinstance(message, str)
    assert "too many offsets point at the same bytes" in message
    assert time.process_time() - start < 5


def _shared_constant(count: int, nbytes: int) -> PTEFile:
    """Tensors of different lengths, all of one constant."""
    file = everything()
    file.program.constant_buffer[1] = schema.Buffer(bytes(nbytes))
    file.program.execution_plan[0].values.extend(
        schema.EValue(tensor([nbytes - i], ScalarType.CHAR, data_buffer_idx=1))
        for i in range(count)
    )
    return file


@pytest.mark.parametrize("serialize", [inline, with_segments])
def test_shared_constants_do_not_take_more_memory_than_the_file_is_long(
    serialize: Callable[[PTEFile], bytes],
) -> None:
    data = serialize(_shared_constant(1000, 300_000))
    tracemalloc.start()
    message = outcome(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(message, str)
    assert "too many entries share the same bytes" in message
    assert peak < 30 * len(data)
