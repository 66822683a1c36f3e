"""What a take is worth in coins, with the others' cards in view.

Alone, the best chance to clear a card or the fewest coins expected to be left are aims of their own
(:mod:`triskele.games.tryad.solution`). At the table coins are won from others, and what is best depends on their
cards, which everybody sees:

* :class:`Duel` is the game of two players, worked out exactly for both at their best;
* :class:`Crowd` is the game of more. It takes the others for players who each go for the fewest coins and
  works out exactly what is best against that;
* :func:`alone` is practice.

All count coins as covered fields: multiply by the stake. As in ``solution``, only how many ones, twos,
threes and fours are left matters; these *cases* are numbered so that a take leads to a lower number.
"""

import functools
from collections.abc import Sequence
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
    """All cases of one layout and what takes lead where."""

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

    def before_roll(self, case: int, worth: Reals, missed: Reals | float) -> Reals | float:
        """Return what a case is worth before a roll, from what lower cases and being out are worth.

        The worth of a case may be a row of numbers, for several situations at once.
        """
        total: Reals | float = 0.0 * worth[0]
        for after in self.after:
            rests = after[case]
            total = total + (missed if rests[0] == _NONE else worth[rests[rests != _NONE]].max(axis=0))
        return total / FACES

    def best(self, roll: int, worth: Reals, missed: Reals) -> Reals:
        """Return for each case what a roll (from 0) is worth, given what being left with each case is worth.

        ``missed`` is what it is worth to be out in each case.
        """
        after = self.after[roll]
        reached = np.where(after == _NONE, -np.inf, worth[after])
        return np.where(self.matched[roll], reached.max(axis=1), missed)


@functools.lru_cache(maxsize=64)
def card(layout: str) -> Card:
    """Return the cases of a layout."""
    return Card(layout)


# --- practice ---------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def alone(layout: str) -> Reals:
    """Return what each case is worth before a roll in practice: the whole card if cleared, else minus what is left."""
    its = card(layout)
    worth = np.zeros(its.size)
    worth[CLEARED] = FIELDS
    for case in range(1, its.size):
        worth[case] = its.before_roll(case, worth, -float(its.coins[case]))
    return worth


@functools.lru_cache(maxsize=64)
def short_sighted(layout: str, rolls: int) -> Reals:
    """Return for each case minus the coins expected to be left, looking so many rolls ahead."""
    its = card(layout)
    coins = its.coins.astype(np.float64)
    worth = -coins
    if rolls >= FIELDS:  # to the end: lower cases are settled before they are needed
        for case in range(1, its.size):
            worth[case] = its.before_roll(case, worth, -coins[case])
        return worth
    for _ in range(rolls):
        worth = np.array([0.0, *(its.before_roll(case, worth, -coins[case]) for case in range(1, its.size))])
    return worth


# --- two players ------------------------------------------------------------------------------------


def settled(own: int, other: Cases) -> Reals:
    """Return what the one with ``own`` coins left gets when both are out (A6); a tie is even (A7)."""
    return np.where(own < other, other, np.where(own > other, -own, 0)).astype(np.float64)


class Duel:
    """The game of two, exactly. Values are coins expected by seat 0, which rolls first in every round.

    The tables fill from low cases up: call :meth:`advance` until ``ready``.
    """

    def __init__(self, layout: str, common_roll: bool) -> None:
        """Begin; ``common_roll`` is bingo style (A8)."""
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
        """Whether everything is worked out."""
        return self._done >= self.card.size

    def _solve_single(self) -> None:
        """Work out the cases in which only one still rolls: the other is out, or has cleared his card this round."""
        its = self.card
        self._against_out[CLEARED] = TRIPLE * self._coins
        for case in range(1, its.size):
            missed = settled(int(its.coins[case]), self._coins)
            self._against_out[case] = its.before_roll(case, self._against_out, missed)
        lost = -TRIPLE * its.coins.astype(np.float64)
        for case in range(1, its.size):
            self._last_roll[case] = its.before_roll(case, lost, lost[case])

    def advance(self) -> None:
        """Work out one more case of seat 0 against all of seat 1."""
        case = self._done
        if self.common_roll:
            self._round[case, 1:] = self._common_round(case)[1:]
        else:
            self._round[case, 1:] = self._roll_of_first(case)[1:]
            self._middle[case, 1:] = self._roll_of_second(case)[1:]
            self._middle[case, CLEARED] = -TRIPLE * self.card.coins[case]
        self._done += 1

    def _first_out(self, coins: int) -> Reals:
        """Return for each case of seat 1 what seat 0 gets, being out with so many coins."""
        return -self._against_out[:, coins]

    def _second_out(self, case: int) -> Reals:
        """Return for each case of seat 1 what seat 0 in its case gets when seat 1 is out."""
        worth: Reals = self._against_out[case, self.card.coins]
        return worth

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
        worth, out = -self._round[case], -self._second_out(case)
        return -sum((self.card.best(roll, worth, out) for roll in range(FACES)), np.zeros(self.card.size)) / FACES

    def _common_round(self, case: int) -> Reals:
        its = self.card
        total = np.zeros(its.size)
        for roll in range(FACES):
            rests = its.after[roll][case]
            known = rests[rests != _NONE]
            if len(known) == 0:
                missed = settled(int(its.coins[case]), its.coins)
                total -= its.best(roll, -self._first_out(int(its.coins[case])), -missed)
            else:
                replies = [-its.best(roll, -self._round[rest], -self._second_out(rest)) for rest in known]
                total += np.max(replies, axis=0)
        return total / FACES

    def worth_of_rest(self, seat: int, rest: int, other: int, other_in: bool, roll: int) -> float:
        """Return the coins that ``seat`` can expect after a take that leaves the case ``rest``.

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


@functools.lru_cache(maxsize=8)
def duel(layout: str, common_roll: bool) -> Duel:
    """Return the game of two for a layout; not worked out yet the first time."""
    return Duel(layout, common_roll)


# --- more players -----------------------------------------------------------------------------------

_ROUNDS = FIELDS + 1
"""A card lasts at most 16 rolls."""


class _Rival:
    """Somebody else at the table, for whom it is worked out what becomes of his card if he goes for few coins.

    Rounds count from the one now being played, 0. ``cleared[t]`` is the chance that he clears in round ``t``,
    ``left[t]`` the coins expected on his card after round ``t`` while he has not cleared it, ``ends[k]`` the
    chance that he is out in the end with ``k`` coins.
    """

    def __init__(self, layout: str, fields: int, is_in: bool, waits: bool, first_roll: int | None = None) -> None:
        """``waits``: he has had his turn of this round. ``first_roll`` (from 0) is his if it is known, as in bingo."""
        its, frugal = card(layout), _frugal(layout)
        case = its.case(fields)
        self.cleared = np.zeros(_ROUNDS)
        self.left = np.zeros(_ROUNDS)
        self.ends = np.zeros(FIELDS + 1)
        coins = its.coins.astype(np.float64)
        rolling = np.zeros(its.size)
        out_coins = 0.0
        if case == CLEARED:
            self.cleared[0] = 1.0
        elif is_in:
            rolling[case] = 1.0
        else:
            self.ends[its.coins[case]] = 1.0
            out_coins = coins[case]
        for number in range(_ROUNDS):
            if number > 0 or not waits:
                rolls = range(FACES) if number > 0 or first_roll is None else (first_roll,)
                following = np.zeros(its.size)
                for roll in rolls:
                    share = rolling / len(rolls)
                    matched = its.matched[roll]
                    np.add.at(following, frugal[roll][matched], share[matched])
                    missed = np.where(matched, 0.0, share)
                    np.add.at(self.ends, its.coins, missed)
                    out_coins += float(missed @ coins)
                self.cleared[number] += following[CLEARED]
                following[CLEARED] = 0.0
                rolling = following
            self.left[number] = out_coins + float(rolling @ coins)


@functools.lru_cache(maxsize=64)
def _frugal(layout: str) -> list[Cases]:
    """Return for each roll and case the case that the fewest coins are expected to be left from."""
    its, worth = card(layout), short_sighted(layout, FIELDS)
    chosen = []
    for after in its.after:
        best = np.where(after == _NONE, -np.inf, worth[after]).argmax(axis=1)
        chosen.append(after[np.arange(its.size), best])
    return chosen


class Crowd:
    """The game of three and more from one seat's point of view, which is about to take."""

    def __init__(self, its: Card, rivals: Sequence[_Rival]) -> None:
        """Work out what each case is worth after the take of this round, as far as that depends on the rivals."""
        self.card = its
        cleared = np.array([rival.cleared for rival in rivals])
        going_on = 1 - np.cumsum(cleared, axis=1)  # not cleared up to and with round t
        before = np.concatenate([np.ones((len(rivals), 1)), going_on[:, :-1]], axis=1)
        hazard = np.where(before > 1e-12, cleared / np.maximum(before, 1e-12), 0.0)
        left = np.array([rival.left for rival in rivals]) / np.maximum(going_on, 1e-12)
        self._nobody = np.prod(1 - hazard, axis=0)
        """For each round, the chance that no rival clears in it if none did before."""
        self._won = np.array([_prize(hazard[:, t], left[:, t]) for t in range(_ROUNDS)])
        """For each round, the coins expected by clearing in it."""
        never = np.array([rival.ends.sum() for rival in rivals])
        ends = np.array([rival.ends for rival in rivals]) / np.maximum(never, 1e-12)[:, None]
        self._fewest = np.array([_settled_among(ends, coins) for coins in range(FIELDS + 1)])
        """For each number of coins, what it brings to be out with them when nobody clears."""
        rest = np.maximum(going_on, never[:, None])
        self._never = np.prod(np.where(rest > 1e-12, never[:, None] / np.maximum(rest, 1e-12), 1.0), axis=0)
        """For each round, the chance that no rival clears later, if none did up to it."""
        self.worth = self._solve()
        """By round and case: what it is worth to be left with a case after the own take of that round."""

    def _solve(self) -> Reals:
        its = self.card
        coins = its.coins.astype(np.float64)
        worth = np.zeros((_ROUNDS, its.size))
        worth[:, CLEARED] = self._won
        for case in range(1, its.size):
            # Out in the next round: what comes then depends on whether a rival still clears.
            lost = -TRIPLE * coins[case]
            out = self._never * self._fewest[its.coins[case]] + (1 - self._never) * lost
            going_on = its.before_roll(case, worth.T, out)
            # The others' turns of this round come first, then the own next roll.
            following = np.append(np.asarray(going_on)[1:], lost)
            worth[:, case] = self._nobody * following + (1 - self._nobody) * lost
        return worth

    def worth_of_rest(self, rest: int) -> float:
        """Return the coins that can be expected after a take now that leaves the case ``rest``."""
        return float(self.worth[0, rest])


def _prize(hazard: Reals, left: Reals) -> float:
    """Return what clearing brings in a round in which each rival clears with some chance, or leaves some coins."""
    total = 0.0
    for rival, coins in enumerate(left):
        # Who does not clear pays; it is shared with those others who clear.
        sharing = np.array([1.0])
        for other, chance in enumerate(hazard):
            if other != rival:
                sharing = np.convolve(sharing, [1 - chance, chance])
        share = float(sharing @ (1 / np.arange(1, len(sharing) + 1)))
        total += (1 - hazard[rival]) * TRIPLE * coins * share
    return total


def _settled_among(ends: Reals, own: int) -> float:
    """Return what being out with ``own`` coins brings when nobody clears (A6), ties being even (A7)."""
    coins = np.arange(FIELDS + 1)
    fewer = ends[:, :own].sum(axis=1)
    same = ends[:, own]
    more = 1 - fewer - same
    best = float(np.prod(1 - fewer))
    total = -(1 - best) * own
    for rival in range(len(ends)):
        sharing = np.array([1.0])
        for other in range(len(ends)):
            if other != rival:
                sharing = np.convolve(sharing, [more[other], same[other]])
        share = float(sharing @ (1 / np.arange(1, len(sharing) + 1)))
        total += float(ends[rival, own + 1 :] @ coins[own + 1 :]) * share
    return total


def crowd(layout: str, cards: Sequence[int], seats_in: int, seat: int, roll: int, common_roll: bool) -> Crowd:
    """Return the game from the point of view of ``seat``, to take for ``roll`` (from 0).

    ``cards`` are the covered fields of all seats, ``seats_in`` a bit set.
    """
    rivals = []
    for other, fields in enumerate(cards):
        if other != seat:
            known = roll if common_roll and other > seat else None
            rivals.append(_Rival(layout, fields, bool(seats_in >> other & 1), other < seat, known))
    return Crowd(card(layout), rivals)
