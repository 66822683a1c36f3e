"""Tables of expected values in coins for all cases of a card at once, by NumPy: what puzzles are made and checked with.

The engine has a solution of its own, compiled (:mod:`triskele.games.tryad.expected_value`); tests compare the two.

* :class:`Duel` solves the game of two players exactly (minimax over chance nodes);
* :func:`alone` is practice.

Coins are counted as covered fields: multiply by the stake. As in ``solution``, only how many ones, twos, threes and
fours are left matters. These *cases* are numbered so that a take leads to a lower number: one pass over the numbers
solves them all.
"""

import functools
from itertools import product

import numpy as np
from numpy.typing import NDArray

from triskele.core.errors import OptionError
from triskele.core.words import text
from triskele.games.tryad.card import FORM, read_layout
from triskele.games.tryad.rules import FACES, FIELDS, FIRST_PATTERN, PATTERNS, TRIPLE

Reals = NDArray[np.float64]
Cases = NDArray[np.int64]

CLEARED = 0
"""The case of a card with nothing on it."""
_NONE = -1


class Card:
    """All cases of one layout, and the transitions between them."""

    def __init__(self, layout: str) -> None:
        """Number the cases. Raises ``OptionError`` if ``layout`` is none."""
        numbers = read_layout(layout)
        if numbers is None:
            raise OptionError(text("core.option-value", option="layout", value=layout[:60], allowed=FORM))
        self._of_number = [sum(1 << bit for bit, n in enumerate(numbers) if n == number) for number in (1, 2, 3, 4)]
        most = [fields.bit_count() for fields in self._of_number]
        self._step = [int(np.prod([m + 1 for m in most[i + 1 :]])) for i in range(4)]
        cases = list(product(*(range(m + 1) for m in most)))
        self.size = len(cases)
        self.coins = np.array([sum(case) for case in cases], dtype=np.int64)
        """How many fields are covered in each case."""
        self.after = [self._after(cases, roll) for roll in range(1, FACES + 1)]
        """For each roll (from 0) and case, the cases that takes lead to; -1 where there are fewer."""
        self.matched = [after[:, 0] != _NONE for after in self.after]
        """For each roll and case, whether the roll can be matched."""

    def _after(self, cases: list[tuple[int, ...]], roll: int) -> Cases:
        patterns = PATTERNS[FIRST_PATTERN[roll] : FIRST_PATTERN[roll + 1]].tolist()
        table = np.full((len(cases), len(patterns)), _NONE, dtype=np.int64)
        for index, case in enumerate(cases):
            column = 0
            for number, times, ones in patterns:
                taken = [ones, 0, 0, 0]
                taken[number - 1] += times
                if all(t <= have for t, have in zip(taken, case, strict=True)):
                    table[index, column] = index - sum(t * s for t, s in zip(taken, self._step, strict=True))
                    column += 1
        return table

    def case(self, fields: int) -> int:
        """Return the case of a set of covered fields."""
        counts = ((fields & same).bit_count() for same in self._of_number)
        return sum(count * step for count, step in zip(counts, self._step, strict=True))

    def before_roll(self, case: int, value: Reals, missed: Reals | float) -> Reals | float:
        """Return the expected value of a case before a roll, from the values of lower cases and of being out.

        The value of a case may be a row of numbers, for several situations at once.
        """
        total: Reals | float = 0.0 * value[0]
        for after in self.after:
            rests = after[case]
            total = total + (missed if rests[0] == _NONE else value[rests[rests != _NONE]].max(axis=0))
        return total / FACES

    def best(self, roll: int, value: Reals, missed: Reals) -> Reals:
        """Return the value of each case after a roll (from 0) and the best take, given the value of each case then.

        ``missed`` is the value of being out in each case.
        """
        after = self.after[roll]
        reached = np.where(after == _NONE, -np.inf, value[after])
        return np.where(self.matched[roll], reached.max(axis=1), missed)


@functools.lru_cache(maxsize=64)
def card(layout: str) -> Card:
    """Return the cases of a layout."""
    return Card(layout)


# --- practice ---------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def alone(layout: str) -> Reals:
    """Return the value of each case before a roll in practice: the whole card if cleared, else minus what is left."""
    its = card(layout)
    value = np.zeros(its.size)
    value[CLEARED] = FIELDS
    for case in range(1, its.size):
        value[case] = its.before_roll(case, value, -float(its.coins[case]))
    return value


@functools.lru_cache(maxsize=64)
def short_sighted(layout: str, rolls: int) -> Reals:
    """Return for each case minus the coins expected to be left, by value iteration over ``rolls`` rolls."""
    its = card(layout)
    coins = its.coins.astype(np.float64)
    value = -coins
    if rolls >= FIELDS:  # to the end: lower cases are final before they are needed
        for case in range(1, its.size):
            value[case] = its.before_roll(case, value, -coins[case])
        return value
    for _ in range(rolls):
        value = np.array([0.0, *(its.before_roll(case, value, -coins[case]) for case in range(1, its.size))])
    return value


# --- two players ------------------------------------------------------------------------------------


def payoff_when_both_out(own: int, other: Cases) -> Reals:
    """Return the payoff of a player with ``own`` coins left when both are out (A6); a tie is even (A7)."""
    return np.where(own < other, other, np.where(own > other, -own, 0)).astype(np.float64)


class Duel:
    """The exact solution of the game of two. Values are for seat 0, which rolls first in every round, in coins.

    The tables fill from low cases up: call :meth:`advance` until ``ready``.
    """

    def __init__(self, layout: str, common_roll: bool) -> None:
        """Allocate the tables and solve what needs one card only; ``common_roll`` is bingo style (A8)."""
        self.card = card(layout)
        self.common_roll = common_roll
        size = self.card.size
        self._coins = np.arange(FIELDS + 1)
        # By the cases of both seats, both in: a round begins, and (not bingo) seat 0 has taken and seat 1 rolls.
        self._round = np.zeros((size, size))
        self._middle = np.zeros((size, size))
        self._against_out = np.zeros((size, FIELDS + 1))
        self._last_roll = np.zeros(size)
        self._solve_single()
        self._round[CLEARED] = TRIPLE * self.card.coins
        self._round[:, CLEARED] = -TRIPLE * self.card.coins
        self._middle[CLEARED] = -self._last_roll
        self._done = 1

    @property
    def ready(self) -> bool:
        """Whether all values are computed."""
        return self._done >= self.card.size

    def _solve_single(self) -> None:
        """Solve the situations in which only one still rolls: the other is out, or has cleared its card this round."""
        its = self.card
        self._against_out[CLEARED] = TRIPLE * self._coins
        for case in range(1, its.size):
            missed = payoff_when_both_out(int(its.coins[case]), self._coins)
            self._against_out[case] = its.before_roll(case, self._against_out, missed)
        lost = -TRIPLE * its.coins.astype(np.float64)
        for case in range(1, its.size):
            self._last_roll[case] = its.before_roll(case, lost, lost[case])

    def advance(self) -> None:
        """Compute one more case of seat 0 against all cases of seat 1."""
        case = self._done
        if self.common_roll:
            self._round[case, 1:] = self._common_round(case)[1:]
        else:
            self._round[case, 1:] = self._roll_of_first(case)[1:]
            self._middle[case, 1:] = self._roll_of_second(case)[1:]
            self._middle[case, CLEARED] = -TRIPLE * self.card.coins[case]
        self._done += 1

    def _first_out(self, coins: int) -> Reals:
        """Return for each case of seat 1 the value of seat 0 being out with ``coins`` coins."""
        return -self._against_out[:, coins]

    def _second_out(self, case: int) -> Reals:
        """Return for each case of seat 1 the value of seat 0 in ``case`` when seat 1 is out."""
        value: Reals = self._against_out[case, self.card.coins]
        return value

    def _roll_of_first(self, case: int) -> Reals:
        total = np.zeros(self.card.size)
        for after in self.card.after:
            rests = after[case]
            if rests[0] == _NONE:
                total += self._first_out(int(self.card.coins[case]))
            else:
                total += self._middle[rests[rests != _NONE]].max(axis=0)
        return total / FACES

    def _roll_of_second(self, case: int) -> Reals:
        value, out = -self._round[case], -self._second_out(case)
        return -sum((self.card.best(roll, value, out) for roll in range(FACES)), np.zeros(self.card.size)) / FACES

    def _common_round(self, case: int) -> Reals:
        its = self.card
        total = np.zeros(its.size)
        for roll in range(FACES):
            rests = its.after[roll][case]
            known = rests[rests != _NONE]
            if len(known) == 0:
                missed = payoff_when_both_out(int(its.coins[case]), its.coins)
                total -= its.best(roll, -self._first_out(int(its.coins[case])), -missed)
            else:
                replies = [-its.best(roll, -self._round[rest], -self._second_out(rest)) for rest in known]
                total += np.max(replies, axis=0)
        return total / FACES

    def value_of_rest(self, seat: int, rest: int, other: int, other_in: bool, roll: int) -> float:
        """Return the expected coins of ``seat`` after a take that leaves the case ``rest``.

        ``other`` is the other seat's case; if it is not in, it has cleared its card or is out. ``roll`` (from 0) counts
        for the other seat as well in bingo style, when ``seat`` is 0.
        """
        coins = int(self.card.coins[other])
        if not other_in:
            if other == CLEARED:  # by seat 0 this round, or by the same roll
                return float(-TRIPLE * self.card.coins[rest])
            return float(self._against_out[rest, coins])
        if seat == 1:
            return float(-self._round[other, rest])
        if not self.common_roll:
            return float(self._middle[rest, other])
        replies = self.card.after[roll][other]
        return float(self._round[rest, replies[replies != _NONE]].min())

    def value_before_roll(self, seat: int, cases: tuple[int, int], is_in: tuple[bool, bool]) -> float:
        """Return the value for seat 0 when ``seat`` is to roll, or both in bingo style.

        ``cases`` are those of both seats, ``is_in`` whether each still rolls; at least one does.
        """
        first, second = cases
        coins = self.card.coins
        if not is_in[0] and first != CLEARED:
            return float(-self._against_out[second, coins[first]])
        if not is_in[1]:
            return float(self._against_out[first, coins[second]])
        table = self._round if seat == 0 else self._middle
        return float(table[first, second])


@functools.lru_cache(maxsize=8)
def duel(layout: str, common_roll: bool) -> Duel:
    """Return the game of two for a layout, cached; the first time :meth:`Duel.advance` has to solve it."""
    return Duel(layout, common_roll)
