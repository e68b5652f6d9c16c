# SPDX-License-Identifier: Apache-2.0
"""Which memory each constant and the arena go to, as the user asked for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from petite.errors import PetiteError
from petite.targets.catalog import Memory
from petite.targets.memory_map import MemoryMap


@dataclass(frozen=True)
class WeightRule:
    """Constants whose name matches the pattern (shell wildcards) go to the memory."""

    pattern: str
    memory: Memory
    #: Whether it is an error if no constant matches.
    must_fit: bool
    #: Whether it is one for all models of a build.
    is_default: bool = False


@dataclass(frozen=True)
class MemoryChoice:
    """What was asked for. None everywhere: the linker's own defaults, and no memory is known."""

    memory_map: MemoryMap | None = None
    rules: tuple[WeightRule, ...] = ()
    activations: Memory | None = None
    #: What a budget took elsewhere: constants by name, and the arena with the states.
    moved: dict[str, Memory] = field(default_factory=dict)
    moved_activations: Memory | None = None

    def rule_of(self, name: str) -> WeightRule | None:
        """The rule that says where a constant goes: the last one that fits.

        ``name`` is the constant's symbol without the model's name in front.
        """
        fitting = [rule for rule in self.rules if fnmatchcase(name, rule.pattern)]
        return fitting[-1] if fitting else None

    def for_constant(self, name: str) -> Memory | None:
        """The memory of a constant; None where it stays where the linker puts constants.

        Constants in RAM are stored in flash as well, and copied at boot.
        """
        rule = self.rule_of(name)
        memory = self.moved.get(name) or (rule.memory if rule else None)
        return None if memory is None or (memory.default and memory.kind == "flash") else memory

    def for_activations(self) -> Memory | None:
        """The memory of arena and states; None where they stay where the linker puts zeros."""
        memory = self.moved_activations or self.activations
        return None if memory is None or memory.default else memory

    def require_fit(self, constants: dict[str, int], ram: int) -> None:
        """PetiteError where the model's data alone exceeds a memory of the board.

        ``constants`` are bytes by name, ``ram`` the bytes of arena and states. Code and stack come
        on top; the linker has the last word.
        """
        if self.memory_map is None:
            return
        flash, main_ram = self.memory_map.default("flash"), self.memory_map.default("ram")
        needs: dict[Memory, dict[str, int]] = {}

        def add(memory: Memory, what: str, size: int) -> None:
            entry = needs.setdefault(memory, {})
            entry[what] = entry.get(what, 0) + size

        add(self.for_activations() or main_ram, "activations and states", ram)
        for name, size in constants.items():
            memory = self.for_constant(name) or flash
            add(memory, "constants", size)
            if memory.kind == "ram" and flash.kind == "flash":
                add(flash, "constants", size)
        for memory, parts in needs.items():
            if sum(parts.values()) > memory.size:
                raise PetiteError(_too_big(self.memory_map.board, memory, parts))

    def require_use(self, names: list[str]) -> None:
        """PetiteError where a rule that must fit matches nothing: most likely a slip of the pen."""
        for rule in self.rules:
            if rule.must_fit and not any(fnmatchcase(name, rule.pattern) for name in names):
                example = f", for example {names[0]}" if names else ""
                raise PetiteError(
                    f"no constant matches '{rule.pattern}'; 'petite compile --explain', with the "
                    f"same options as the build, lists the {len(names)} constants{example}"
                )


def choose_memories(
    memory_map: MemoryMap | None,
    weights: tuple[str, ...],
    default_weights: tuple[str, ...],
    activations: str | None,
) -> MemoryChoice:
    """Resolve names against the board.

    ``weights`` holds ``MEMORY`` (for all) or ``PATTERN=MEMORY``, later ones before earlier ones.
    ``default_weights`` comes before, and need not fit any constant of this model. Raises
    PetiteError for a memory that the board lacks, or that cannot be written to.
    """
    if memory_map is None:
        if weights or default_weights or activations:
            raise PetiteError(
                "weights and activations can be placed only in the memories of a known board: "
                "name it with --memories or --target"
            )
        return MemoryChoice()
    rules = [_rule(memory_map, text, is_default=True) for text in default_weights]
    rules += [_rule(memory_map, text, is_default=False) for text in weights]
    chosen = memory_map.find(activations) if activations else None
    if chosen is not None and chosen.kind == "flash":
        raise PetiteError(
            f"activations cannot lie in {chosen.name} of {memory_map.board}: it is not RAM"
        )
    return MemoryChoice(memory_map, tuple(rules), chosen)


def _rule(memory_map: MemoryMap, text: str, *, is_default: bool) -> WeightRule:
    pattern, equals, memory = text.rpartition("=")
    pattern = pattern.strip() if equals else "*"
    if not pattern:
        raise PetiteError(f"'{text}' has no pattern before '='; write *{text} for all constants")
    must_fit = not is_default and pattern != "*"
    return WeightRule(pattern, memory_map.find(memory.strip()), must_fit, is_default)


def _too_big(board: str, memory: Memory, parts: dict[str, int]) -> str:
    what = " and ".join(sorted(what for what, size in parts.items() if size))
    return (
        f"the model is too big for {board}: its {what} need {sum(parts.values())} bytes, but "
        f"memory {memory.name} has {memory.size}; use a smaller model, another memory, or a board "
        "with more memory"
    )
