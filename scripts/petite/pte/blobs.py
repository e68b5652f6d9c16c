# SPDX-License-Identifier: Apache-2.0
"""The bytes that tables refer to by index: segments, constants, initial states, delegates' data.

The same bytes may be asked for many times and are copied once; what is copied in total is bounded
by the file's length.
"""

from __future__ import annotations

from bisect import bisect_right

from petite.errors import PetiteError
from petite.pte.container import Container
from petite.pte.program import NamedData
from petite.pte.record import Record

_INLINE = 0
_STATES = "mutable_data_segments"
#: Bytes copied per byte of file. Constants do not overlap in what ExecuTorch writes.
_MOST_COPIES = 4


class Blobs:
    """Verified access to the bytes behind a file's indexes."""

    def __init__(self, container: Container, root: Record) -> None:
        self._root = root
        self._container = container
        self._segments = _locate_segments(container, root)
        self._copies: dict[tuple[int, int], bytes] = {}  # of the segments, by start and end
        self._inline_copies: dict[tuple[int, int], bytes] = {}  # by index and length
        self._copies_left = _MOST_COPIES * (len(container.tables) + len(container.segments))
        self._inline_constants = tuple(b.blob("storage") for b in root.records("constant_buffer"))
        self._delegate_data = tuple(
            data.blob("data") for data in root.records("backend_delegate_data")
        )
        self._constants = self._constant_subsegments()
        self._states = tuple(
            _Subsegments(offsets, self._range_of_segment(offsets, "segment_index"))
            for offsets in root.records(_STATES)
        )

    def named_data(self) -> tuple[NamedData, ...]:
        """All blobs that have a name; names are unique."""
        found: dict[str, NamedData] = {}
        for entry in self._root.records("named_data"):
            key = entry.text("key")
            if key in found:
                raise entry.fault("key", "names the same data as an earlier entry")
            found[key] = NamedData(key, self._segment(entry, "segment_index"))
        return tuple(found.values())

    def delegate_data(self, reference: Record) -> bytes:
        """The blob of a BackendDelegateDataReference."""
        if reference.integer("location") != _INLINE:
            return self._segment(reference, "index")
        index = reference.integer("index")
        if index >= len(self._delegate_data):
            raise _out_of_range(
                reference, "index", index, "backend_delegate_data", len(self._delegate_data)
            )
        return self._delegate_data[index]

    def constant(self, tensor: Record, nbytes: int) -> bytes:
        """The contents of a constant tensor."""
        index = tensor.integer("data_buffer_idx")
        if self._constants is not None:
            return self._piece(self._constants, tensor, index, nbytes)
        if index >= len(self._inline_constants):
            raise _out_of_range(
                tensor, "data_buffer_idx", index, "constant_buffer", len(self._inline_constants)
            )
        stored = self._inline_constants[index]
        if nbytes > len(stored):
            raise _too_short(tensor, nbytes, len(stored))
        key = (index, nbytes)
        if key not in self._inline_copies:
            self._count_copy(tensor, "data_buffer_idx", nbytes)
            self._inline_copies[key] = stored[:nbytes]
        return self._inline_copies[key]

    def initial_state(self, tensor: Record, nbytes: int) -> bytes:
        """What a mutable tensor holds before the first call."""
        extra = tensor.optional("extra_tensor_info")
        which = extra.integer("mutable_data_segments_idx") if extra else 0
        if extra and which >= len(self._states):
            raise _out_of_range(
                extra, "mutable_data_segments_idx", which, _STATES, len(self._states)
            )
        if not self._states:
            raise tensor.fault("data_buffer_idx", f"needs {_STATES}, but there are none")
        return self._piece(self._states[which], tensor, tensor.integer("data_buffer_idx"), nbytes)

    def _constant_subsegments(self) -> _Subsegments | None:
        """Where constants lie in their segment; None where they are inline or there are none.

        Entry 0 stands for tensors without data, so that a single entry means no constants.
        """
        offsets = self._root.optional("constant_segment")
        if offsets is None or len(offsets.integers("offsets")) <= 1:
            return None
        if self._inline_constants:
            raise offsets.fault(
                "offsets", "constants are in a segment, but constant_buffer holds some too"
            )
        return _Subsegments(offsets, self._range_of_segment(offsets, "segment_index"))

    def _range_of_segment(self, owner: Record, field: str) -> tuple[int, int]:
        index = owner.integer(field)
        if index >= len(self._segments):
            raise _out_of_range(owner, field, index, "segments", len(self._segments))
        return self._segments[index]

    def _segment(self, owner: Record, field: str) -> bytes:
        start, end = self._range_of_segment(owner, field)
        return self._copy(owner, field, start, end)

    def _piece(self, subsegments: _Subsegments, tensor: Record, index: int, nbytes: int) -> bytes:
        start, end = subsegments.range_of(tensor, index)
        if nbytes > end - start:
            raise _too_short(tensor, nbytes, end - start)
        return self._copy(tensor, "data_buffer_idx", start, start + nbytes)

    def _copy(self, owner: Record, field: str, start: int, end: int) -> bytes:
        """Bytes [start, end) of the segments."""
        key = (start, end)
        if key not in self._copies:
            self._count_copy(owner, field, end - start)
            self._copies[key] = self._container.segments[start:end]
        return self._copies[key]

    def _count_copy(self, owner: Record, field: str, nbytes: int) -> None:
        self._copies_left -= nbytes
        if self._copies_left < 0:
            raise owner.fault(field, "too many entries share the same bytes")


class _Subsegments:
    """Pieces of one segment, each from its offset to the next one's."""

    def __init__(self, record: Record, segment: tuple[int, int]) -> None:
        self._record = record
        self._start, end = segment
        self._size = end - self._start
        self._offsets = record.integers("offsets")
        for index, offset in enumerate(self._offsets):
            if offset > self._size:
                raise record.fault(
                    "offsets",
                    f"is {offset}, beyond the end of its segment of {self._size} bytes",
                    index=index,
                )
        self._bounds = sorted({*self._offsets, self._size})

    def range_of(self, tensor: Record, index: int) -> tuple[int, int]:
        """Start and end of a piece, in bytes from the first segment."""
        if index >= len(self._offsets):
            raise _out_of_range(
                tensor,
                "data_buffer_idx",
                index,
                f"{self._record.path}.offsets",
                len(self._offsets),
            )
        offset = self._offsets[index]
        after = bisect_right(self._bounds, offset)
        end = self._bounds[after] if after < len(self._bounds) else self._size
        return self._start + offset, self._start + end


def _locate_segments(container: Container, root: Record) -> tuple[tuple[int, int], ...]:
    """Start and end of each segment, in bytes from the first one; in order, without overlap."""
    size = len(container.segments)
    previous_end = 0
    located = []
    for segment in root.records("segments"):
        start = segment.integer("offset")
        length = segment.integer("size")
        if start < previous_end:
            raise segment.fault(
                "offset", f"is {start}, inside the segment before it, which ends at {previous_end}"
            )
        if start > size or length > size - start:
            raise segment.fault(
                "size" if start <= size else "offset",
                f"the segment would be bytes {start} to {start + length}, but the file has "
                f"{size} bytes of segments, from byte {container.segments_at}",
            )
        previous_end = start + length
        located.append((start, previous_end))
    return tuple(located)


def _out_of_range(record: Record, field: str, index: int, into: str, count: int) -> PetiteError:
    return record.fault(field, f"is {index}, but {into} has {count} entries")


def _too_short(tensor: Record, nbytes: int, stored: int) -> PetiteError:
    return tensor.fault(
        "sizes", f"the tensor needs {nbytes} bytes, but its data has {stored} bytes"
    )
