"""Luck and skill: the result of a game with dice, split into what dice and what decisions brought.

The value of a position for a seat is the score that it can expect. A roll changes it, and a decision changes it: a
seat's *luck* is what all rolls together brought it, and what its seat was worth before the first move; its *skill* is
what all decisions brought it, the mistakes of others included. Both add up to the result, whatever the values are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from triskele.core.contract import CHANCE

Vector = Sequence[float]


@dataclass(frozen=True)
class Split:
    """The result of each seat, split; ``rolls`` is what each roll brought to each seat, by the index of its move."""

    luck: tuple[float, ...]
    skill: tuple[float, ...]
    rolls: dict[int, tuple[float, ...]]


def split_result(values: Sequence[Vector], movers: Sequence[int], result: Vector | None = None) -> Split:
    """Split the change from the first value to the last; ``values`` has one more member than ``movers``.

    ``result`` is that of a game which ended outside its rules: what it is away from the last value was decided, too.
    """
    luck, skill = list(values[0]), [0.0] * len(values[0])
    rolls = {}
    for at, mover in enumerate(movers):
        change = tuple(after - before for before, after in zip(values[at], values[at + 1], strict=True))
        if mover == CHANCE:
            rolls[at] = change
        target = luck if mover == CHANCE else skill
        for seat, part in enumerate(change):
            target[seat] += part
    if result is not None:
        skill = [part + end - last for part, end, last in zip(skill, result, values[-1], strict=True)]
    return Split(tuple(luck), tuple(skill), rolls)
