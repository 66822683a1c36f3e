"""The exact solution of one card by backward induction: takes for the best chance to clear, or the fewest coins left.

Fields that bear the same number can stand in for one another, so of the 65,536 sets of fields only
*how many* ones, twos, threes and fours are left matters: 560 cases on the standard card and never more than
625. All of them are solved in a few milliseconds, and cached for each layout.

A card lasts at most 16 rolls with a quarter for each face, so every value is a whole number divided by
``4**16``. Floats hold these without rounding: the values are exact, and equal ones compare equal.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Literal

from triskele.core.errors import OptionError
from triskele.core.words import text
from triskele.games.tryad.card import FIELDS, FORM, read_layout
from triskele.games.tryad.rules import FACES, FIRST_PATTERN, PATTERNS

Aim = Literal["clear", "fewest"]
"""What to optimise: the chance to clear the card, or the coins expected to be left."""

Counts = tuple[int, int, int, int]
"""How many ones, twos, threes and fours."""


@dataclass(frozen=True)
class Odds:
    """What to expect from a card: the chance to clear it, and how many fields stay covered on average."""

    chance: float
    left: float


@dataclass(frozen=True)
class Take:
    """A take (a set of fields) and what to expect after it, playing on with the same aim."""

    fields: int
    odds: Odds


@dataclass(frozen=True)
class Comparison:
    """The best takes for the two aims, and how far apart they are.

    ``chance_lost`` is the chance to clear that playing for few coins gives up; ``coins_lost`` is how
    many more fields are expected to stay covered when playing to clear. Both are 0 where one way of
    playing serves both aims.
    """

    clear: Take
    fewest: Take
    chance_lost: float
    coins_lost: float


def _counts_of_patterns() -> tuple[tuple[Counts, ...], ...]:
    """Return for each roll (index 0 unused) the numbers that can be taken for it."""
    by_roll: list[tuple[Counts, ...]] = [()]
    for roll in range(1, FACES + 1):
        patterns = PATTERNS[FIRST_PATTERN[roll] : FIRST_PATTERN[roll + 1]].tolist()
        by_roll.append(tuple(_counts_of_pattern(*pattern) for pattern in patterns))
    return tuple(by_roll)


def _counts_of_pattern(number: int, times: int, ones: int) -> Counts:
    counts = [ones, 0, 0, 0]
    counts[number - 1] += times
    return counts[0], counts[1], counts[2], counts[3]


_TAKES = _counts_of_patterns()
_NOTHING: Counts = (0, 0, 0, 0)


def _minus(have: Counts, taken: Counts) -> Counts | None:
    a, b, c, d = (h - t for h, t in zip(have, taken, strict=True))
    return (a, b, c, d) if min(a, b, c, d) >= 0 else None


def _better(aim: Aim, odds: Odds, than: Odds) -> bool:
    """Return whether ``odds`` serve an aim better than others; where they are equal, the other aim decides."""
    if aim == "clear":
        return (odds.chance, -odds.left) > (than.chance, -than.left)
    return (-odds.left, odds.chance) > (-than.left, than.chance)


class Solution:
    """The solution for one layout; get it from :func:`solve`. Sets of fields are bits, a1 first.

    Coins are counted as covered fields: multiply by the stake.
    """

    def __init__(self, layout: str) -> None:
        """Solve all cases for both aims. Raises ``OptionError`` if ``layout`` is no layout."""
        numbers = read_layout(layout)
        if numbers is None:
            raise OptionError(text("core.option-value", option="layout", value=layout[:60], allowed=FORM))
        self.layout = layout
        self._of_number = [sum(1 << bit for bit, n in enumerate(numbers) if n == number) for number in (1, 2, 3, 4)]
        self._odds: dict[Aim, dict[Counts, Odds]] = {"clear": {}, "fewest": {}}
        for aim in self._odds:
            self._solve(aim)

    def _solve(self, aim: Aim) -> None:
        odds = self._odds[aim]
        ones, twos, threes, fours = (range(fields.bit_count() + 1) for fields in self._of_number)
        # In this order every case comes after those with fewer fields that it leads to.
        for have in product(ones, twos, threes, fours):
            if have == _NOTHING:
                odds[have] = Odds(1.0, 0.0)
                continue
            chance = left = 0.0
            for roll in range(1, FACES + 1):
                best = self._best(have, roll, aim)
                if best is None:
                    left += sum(have)
                else:
                    chance += odds[best].chance
                    left += odds[best].left
            odds[have] = Odds(chance / FACES, left / FACES)

    def _after(self, have: Counts, roll: int) -> Iterator[Counts]:
        for taken in _TAKES[roll]:
            rest = _minus(have, taken)
            if rest is not None:
                yield rest

    def _best(self, have: Counts, roll: int, aim: Aim) -> Counts | None:
        """Return the best case to be left with after a roll, ``None`` if the roll cannot be matched."""
        odds = self._odds[aim]
        best: Counts | None = None
        for rest in self._after(have, roll):
            if best is None or _better(aim, odds[rest], odds[best]):
                best = rest
        return best

    def _count(self, fields: int) -> Counts:
        if not 0 <= fields < 1 << len(FIELDS):
            raise ValueError(f"a set of fields is a number below {1 << len(FIELDS)}, not {fields}")
        ones, twos, threes, fours = ((fields & same).bit_count() for same in self._of_number)
        return ones, twos, threes, fours

    def odds(self, fields: int, aim: Aim) -> Odds:
        """Return what to expect before a roll with these fields covered, playing for ``aim`` throughout."""
        return self._odds[aim][self._count(fields)]

    def clear_chance(self, fields: int) -> float:
        """Return the best chance to clear the card, before a roll."""
        return self.odds(fields, "clear").chance

    def expected_left(self, fields: int) -> float:
        """Return the lowest number of fields expected to stay covered, before a roll."""
        return self.odds(fields, "fewest").left

    def best_take(self, fields: int, roll: int, aim: Aim) -> Take | None:
        """Return the best take for a roll, ``None`` if it cannot be matched.

        Of equal numbers the alphabetically first fields are taken. Of takes that serve the aim equally
        it is the one that serves the other aim better.
        """
        have = self._count(fields)
        rest = self._best(have, roll, aim)
        if rest is None:
            return None
        taken = 0
        for same, before, after in zip(self._of_number, have, rest, strict=True):
            candidates = fields & same
            for _ in range(before - after):
                taken |= candidates & -candidates
                candidates &= candidates - 1
        return Take(taken, self._odds[aim][rest])

    def compare(self, fields: int, roll: int) -> Comparison | None:
        """Return the best takes for both aims and how far apart they are; ``None`` if there is no take."""
        clear = self.best_take(fields, roll, "clear")
        fewest = self.best_take(fields, roll, "fewest")
        if clear is None or fewest is None:
            return None
        return Comparison(clear, fewest, clear.odds.chance - fewest.odds.chance, clear.odds.left - fewest.odds.left)


@functools.lru_cache(maxsize=256)
def solve(layout: str) -> Solution:
    """Return the solution for a layout, cached. Takes some milliseconds the first time."""
    return Solution(layout)
