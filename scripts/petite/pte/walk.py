# SPDX-License-Identifier: Apache-2.0
"""In which order the instructions of a method run: branches, and loops whose count is known.

ExecuTorch has one jump, "continue elsewhere where this is false". It is read in three ways:

* on a number that is known now (a constant, or a loop's counter), it is taken or not, now. So
  loops are unrolled.
* on a tensor, it must have the form that ExecuTorch gives to torch.cond: in front of one side, at
  whose end a jump on a constant leads over the other side. Both sides are lifted, one after the
  other, each with a guard, and what they leave in the same place is merged.
* all else is refused: no exporter writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from petite.errors import PetiteError
from petite.ir.dtype import DType
from petite.ir.graph import Value
from petite.ir.ops import Guard
from petite.pte.program import BoolValue, Instruction, JumpFalseCall, TensorValue

if TYPE_CHECKING:
    from petite.pte.lift import Lifter

#: Most branches around an instruction.
_MOST_NESTED = 32
#: Most instructions that loops may run again. Each becomes steps of the plan and work of ours.
_MOST_REPEATED = 10_000

_FORM = (
    "which is no branch and no loop that ExecuTorch writes; "
    "export the model again with ExecuTorch 1.5.1"
)


@dataclass(frozen=True)
class Region:
    """Instructions that jumps stay in: first, and one past the last."""

    start: int
    stop: int


class Walker:
    """Runs a method's instructions; ``lift`` gets each but the jumps."""

    def __init__(self, lifter: Lifter, lift: Callable[[int, Instruction], None]) -> None:
        self._lifter = lifter
        self._lift = lift
        self._instructions = lifter.method.instructions
        self._done = 0

    def run(self) -> None:
        """Run everything."""
        self._walk(Region(0, len(self._instructions)))

    def _walk(self, region: Region) -> None:
        at = region.start
        while at < region.stop:
            self._count(at)
            instruction = self._instructions[at]
            if isinstance(instruction, JumpFalseCall):
                at = self._jump(region, at, instruction)
            else:
                self._lift(at, instruction)
                at += 1

    def _count(self, at: int) -> None:
        self._done += 1
        if self._done > len(self._instructions) + _MOST_REPEATED:
            raise PetiteError(
                f"{self._place(at)}: is in a loop that repeats more than {_MOST_REPEATED} "
                "instructions, and loops are unrolled; export the body of the loop as a model of "
                "its own, and let the application call it again and again"
            )

    def _place(self, at: int) -> str:
        return f"{self._lifter.where}: instruction {at} (JumpFalseCall)"

    def _jump(self, region: Region, at: int, jump: JumpFalseCall) -> int:
        """The instruction that is next."""
        condition = self._condition(jump.condition, self._place(at))
        if isinstance(condition, Value):
            return self._branch(region, at, condition, jump.destination)
        target = at + 1 if condition else jump.destination
        if not region.start <= target <= region.stop:
            raise PetiteError(
                f"{self._place(at)}: jumps to instruction {target} out of instructions "
                f"{region.start} to {region.stop}, {_FORM}"
            )
        return target

    def _condition(self, index: int, place: str) -> Value | bool:
        """What a jump looks at: known now, or computed at run time."""
        found = self._lifter.value(index, place)
        if isinstance(found, BoolValue):
            return found.value
        if not isinstance(found, TensorValue):
            raise PetiteError(f"{place}: the condition is {type(found).__name__}, {_FORM}")
        value = self._lifter.read(index, place)
        if value.dtype is not DType.BOOL or value.count != 1:
            raise PetiteError(
                f"{place}: the condition is {value}, but it must be one bool; "
                "reduce it in the model, for example with all() or any()"
            )
        return value if value.data is None else bool(value.data.all())

    def _branch(self, region: Region, at: int, condition: Value, middle: int) -> int:
        """Both sides of a branch; the first ends with a jump over the second."""
        over = self._instructions[middle - 1] if at + 1 < middle <= region.stop else None
        if not isinstance(over, JumpFalseCall) or not middle <= over.destination <= region.stop:
            raise PetiteError(
                f"{self._place(at)}: jumps to instruction {middle} where a tensor is false, {_FORM}"
            )
        place = self._place(at)
        around = self._lifter.guard
        if around is not None and len(around.chain()) >= _MOST_NESTED:
            raise PetiteError(f"{place}: is in more than {_MOST_NESTED} branches")
        sides = (Guard(condition, True, around, place), Guard(condition, False, around, place))
        before = self._lifter.snapshot()
        self._lifter.guard = sides[0]
        self._walk(Region(at + 1, middle - 1))
        if self._condition(over.condition, self._place(middle - 1)) is not False:
            raise PetiteError(
                f"{self._place(middle - 1)}: ends one side of a branch on a condition that is not "
                f"constant, {_FORM}"
            )
        first = self._lifter.exchange(before)
        self._lifter.guard = sides[1]
        self._walk(Region(middle, over.destination))
        self._lifter.guard = around
        self._lifter.join(first, sides)
        return over.destination
