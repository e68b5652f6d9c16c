# SPDX-License-Identifier: Apache-2.0
"""A random graph while it grows, and the numbers that operators are made of.

Structure and scalar parameters are hypothesis's choices, so that it can make a failing graph
smaller; the contents of arrays come from a generator whose seed is its choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from graph_maker import GraphMaker
from kernel_testing import cases
from petite.ir import ops
from petite.ir.dtype import DType
from petite.ir.graph import Value

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int, ...]
T = TypeVar("T")

#: Elements of a value, and of an operator's weights: a batch has to fit an emulated Cortex-M0.
MOST_ELEMENTS = 3000
MOST_WEIGHTS = 4000

CHANNELS_LAST = (0, 2, 3, 1)
INT8 = range(-128, 128)


@dataclass
class Growing:
    """What strategies append operators to. ``draw`` is hypothesis's."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    make: GraphMaker = field(default_factory=GraphMaker)
    #: Inputs, states and results, in order: what the next operator may read.
    values: list[Value] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.draw(st.integers(0, 2**32 - 1)))

    def choose(self, *options: T) -> T:
        """One of several, the first where nothing speaks against it."""
        result: T = self.draw(st.sampled_from(options))
        return result

    def number(self, low: int, high: int) -> int:
        """An integer, both ends included."""
        return int(self.draw(st.integers(low, high)))

    def chance(self) -> bool:
        """Yes or no."""
        return bool(self.draw(st.booleans()))

    # ----------------------------------------------------------------------------------------
    # Operands

    def layout(self, rank: int) -> tuple[int, ...]:
        """An order in memory: mostly one of those that programs have."""
        plain = tuple(range(rank))
        kind = self.number(0, 9)
        if rank == 4 and kind > 4:
            return CHANNELS_LAST
        return tuple(self.draw(st.permutations(plain))) if kind == 4 else plain

    def input(self, shape: Shape, dtype: DType = DType.S8) -> Value:
        """A new input of the method."""
        value = self.make.input(shape, dtype, self.layout(len(shape)))
        self.values.append(value)
        return value

    def constant(self, shape: Shape, dtype: DType = DType.S8) -> Value:
        """A value that the file holds."""
        data = contents(self.rng, shape, dtype)
        return Value(f"constant{self.number(0, 999)}", dtype, shape, data=data)

    def operand(self, fits: Callable[[Value], bool], new: Callable[[], Value]) -> Value:
        """A value that is there already and fits, newer ones more often, or a new one."""
        found = [value for value in reversed(self.values) if fits(value)]
        return self.choose(*found[:4]) if found else new()

    def image(self) -> Value:
        """int8 of rank 4."""
        return self.operand(
            lambda v: v.dtype is DType.S8 and len(v.shape) == 4 and v.count <= MOST_ELEMENTS,
            lambda: self.input(self.image_shape()),
        )

    def tensor(self, *dtypes: DType, low_rank: int = 1, high_rank: int = 5) -> Value:
        """Any shape."""
        return self.operand(
            lambda v: v.dtype in dtypes and low_rank <= len(v.shape) <= high_rank,
            lambda: self.input(self.shape(low_rank, high_rank), self.choose(*dtypes)),
        )

    def companion(self, value: Value, shape: Shape | None = None) -> Value:
        """A second operand of this shape: another value, the same one, a new input, a constant."""
        wanted = value.shape if shape is None else shape
        found = [v for v in self.values if v.shape == wanted and v.dtype is value.dtype]
        kind = self.number(0, 7)
        if kind == 0:
            return self.constant(wanted, value.dtype)
        if found and kind < 5:
            return self.choose(*reversed(found))
        return self.input(wanted, value.dtype)

    def image_shape(self) -> Shape:
        """Pixels from one to few, channels that are multiples of nothing."""
        batch = self.choose(1, 1, 1, 2, 3)
        channels = self.channels()
        most = max(1, MOST_ELEMENTS // (batch * channels))
        height = min(self.choose(5, 1, 2, 3, 4, 6, 7, 9), most)
        width = min(self.choose(4, 1, 2, 3, 5, 6, 8, 11), max(1, most // height))
        return (batch, channels, height, width)

    def channels(self) -> int:
        """From 1 to 40, around the widths of vectors more often."""
        return int(
            self.draw(
                st.one_of(
                    st.integers(1, 6),
                    st.sampled_from((7, 8, 9, 15, 16, 17, 31, 32, 33)),
                    st.integers(1, 40),
                )
            )
        )

    def shape(self, low_rank: int, high_rank: int) -> Shape:
        """Small sizes, ones among them."""
        rank = self.number(low_rank, high_rank)
        most = {1: 60, 2: 20, 3: 9, 4: 6}.get(rank, 3)
        return tuple(self.number(1, most) for _ in range(rank))

    # ----------------------------------------------------------------------------------------
    # Parameters

    def offset(self) -> int:
        """A zero point or minus one; some outside int8."""
        return int(self.draw(st.one_of(st.integers(-128, 128), st.sampled_from(cases.OFFSETS))))

    def clamp(self) -> ops.Clamp:
        """All of int8, a part of it, or one value."""
        kind = self.number(0, 3)
        if kind < 2:
            return ops.Clamp()
        low = self.number(-128, 127)
        return ops.Clamp(low, low if kind == 3 else self.number(low, 127))

    def requantize(self, size: float) -> ops.Requantize:
        """A scale for sums of about ``size``, or one at the ends of what a file may hold."""
        usual = round(np.log2(100.0 / size))
        multiplier = self.draw(
            st.one_of(
                st.integers(2**30, 2**31 - 1),
                st.sampled_from((2**31 - 1, 2**30, 2**30 + 1, 2**31 - 2, 1, 0, -(2**31 - 1))),
            )
        )
        low, high = max(-31, usual - 2), min(30, usual + 2)
        shift = self.draw(
            st.one_of(
                st.integers(low, high),
                st.integers(low, high),
                st.sampled_from((-31, -30, -1, 0, 1, 2, 8, 29, 30)),
            )
        )
        return ops.Requantize(multiplier, shift)

    def scales(self, channels: int, size: float) -> dict[str, Any]:
        """Per-channel scales, bias and offsets of a convolution with sums of about ``size``."""
        multipliers, shifts = cases.scales(self.rng, channels, size)
        return {
            "bias": cases.bias(self.rng, channels),
            "input_offset": self.offset(),
            "output_offset": self.offset(),
            "multipliers": multipliers,
            "shifts": shifts.astype(np.int32),
            "clamp": self.clamp(),
        }

    def weights(self, *shape: int) -> Array:
        """int8, symmetric as quantisers make them, or with -128 too."""
        values = cases.image(self.rng, *shape)
        return values if self.chance() else np.maximum(values, -127)

    def emit(
        self,
        kind: type[ops.Op],
        inputs: Sequence[Value],
        shape: Shape,
        dtype: DType = DType.S8,
        **fields: Any,
    ) -> None:
        """Append an operator; its result may be read by the next ones."""
        self.values.append(self.make.emit(kind, inputs, self.make.value(shape, dtype), **fields))


def contents(rng: cases.Rng, shape: Shape, dtype: DType) -> Array:
    """Values of a tensor, with enough of both ends."""
    if dtype is DType.S8:
        return cases.image(rng, *shape)
    if dtype is DType.F32:
        values = rng.normal(0.0, 40.0, shape)
        odd = np.array([0.0, -0.0, 0.5, -0.5, 1e-40, 3e38, -3e38, np.inf, -np.inf])
        return np.where(rng.random(shape) < 0.1, rng.choice(odd, shape), values).astype(np.float32)
    if dtype is DType.BOOL:
        return np.asarray(rng.integers(0, 2, shape).astype(np.bool_))
    ends = np.iinfo(dtype.numpy)
    values = rng.integers(ends.min, ends.max, shape, dtype.numpy, endpoint=True)
    return np.asarray(values, dtype.numpy)
