"""The scores to expect in a game of three and more when everybody takes for the fewest coins.

No best play is known for so many. With this way to take the cards do not depend on one another, so that the score to
expect is worked out without an error from what becomes of each card by itself: for each case and number of rolls, how
likely it is cleared with the last of them, and how many coins are on it while it is not. In bingo style, where one roll
is for all, the rolls to come are taken as separate ones.

Coins are counted as covered fields: multiply by the stake.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from triskele.games.tryad.case_tables import CLEARED, Cases, Reals, card, short_sighted
from triskele.games.tryad.rules import FACES, FIELDS, TRIPLE

ROLLS = FIELDS + 1
"""After so many rolls every card is cleared or out."""


@dataclass(frozen=True)
class Seat:
    """A seat: the case of its card, whether it still rolls, and the rolls it has in the round that is being played."""

    case: int
    rolling: bool
    rolls: int


@dataclass(frozen=True)
class _Prospect:
    """What becomes of a card, by round from the present one on.

    ``cleared`` is the probability that it is cleared in that round. ``left`` is a row for each round: the probability
    of each number of coins after it, if the card was not cleared until then.
    """

    cleared: Reals
    left: Reals


class Crowd:
    """What becomes of a card of one layout."""

    def __init__(self, layout: str) -> None:
        """Follow every case to the end."""
        self.card = card(layout)
        value = short_sighted(layout, FIELDS)
        self.taken = np.array([self._choice(after, value) for after in self.card.after])
        """For each roll (from 0) and case, the case after the take for the fewest coins; -1 if there is none."""
        size, coins = self.card.size, self.card.coins
        known = np.zeros((size, FIELDS + 1))
        known[np.arange(size), coins] = 1.0
        self._known = known
        self._cleared = np.zeros((ROLLS + 1, size))
        self._cleared[0, CLEARED] = 1.0
        rolling, out = known.copy(), np.zeros_like(known)
        rolling[CLEARED] = 0.0
        self._left = [rolling]
        for rolls in range(1, ROLLS + 1):
            self._cleared[rolls] = self._mean(self._cleared[rolls - 1], np.zeros(size))
            rolling = self._mean(rolling, np.zeros_like(known))
            out = self._mean(out, known)
            self._left.append(rolling + out)

    @staticmethod
    def _choice(after: Cases, value: Reals) -> Cases:
        reached = np.where(after < 0, -np.inf, value[after])
        best = after[np.arange(len(after)), reached.argmax(axis=1)]
        return np.where(after[:, 0] < 0, -1, best)

    def _mean(self, following: Reals, missed: Reals) -> Reals:
        """Return the mean over rolls of what holds after the take, or of ``missed`` where there is none."""
        total = np.zeros_like(following)
        for taken in self.taken:
            hit = (taken >= 0).reshape(-1, *[1] * (following.ndim - 1))
            total += np.where(hit, following[taken], missed)
        total[CLEARED] = 0.0
        return total / FACES

    def prospect(self, seat: Seat) -> _Prospect:
        """Return what becomes of a seat's card."""
        rounds = range(ROLLS)
        if not seat.rolling and seat.case != CLEARED:
            return _Prospect(np.zeros(ROLLS), np.array([self._known[seat.case]] * ROLLS))
        numbers = [min(ROLLS, seat.rolls + number) for number in rounds]
        cleared = np.array([self._cleared[number, seat.case] for number in numbers])
        return _Prospect(cleared, np.array([self._left[number][seat.case] for number in numbers]))

    def expected(self, seats: Sequence[Seat]) -> list[float]:
        """Return the score that each seat can expect, in coins."""
        prospects = [self.prospect(seat) for seat in seats]
        totals = [0.0] * len(seats)
        for number in range(ROLLS):
            _add_clearing(prospects, number, totals)
        _add_all_out([prospect.left[-1] for prospect in prospects], totals)
        return totals


_COINS = np.arange(FIELDS + 1, dtype=np.float64)


def _add_clearing(prospects: Sequence[_Prospect], number: int, totals: list[float]) -> None:
    """Add what a round in which somebody clears brings: the others pay threefold, to all who clear (A5)."""
    cleared = [float(each.cleared[number]) for each in prospects]
    if not any(cleared):
        return
    not_yet = [float(each.left[number].sum()) for each in prospects]
    coins = [float(each.left[number] @ _COINS) for each in prospects]
    every = range(len(prospects))
    for seat in every:
        others = [other for other in every if other != seat]
        somebody = np.prod([cleared[o] + not_yet[o] for o in others]) - np.prod([not_yet[o] for o in others])
        totals[seat] -= TRIPLE * coins[seat] * float(somebody)
        for payer in others if cleared[seat] else ():
            sharing = [(not_yet[o], cleared[o]) for o in others if o != payer]
            totals[seat] += TRIPLE * cleared[seat] * coins[payer] * _expected_share(sharing)


def _add_all_out(left: Sequence[Reals], totals: list[float]) -> None:
    """Add what the end brings when all are out: whoever has the fewest coins gets those of the others (A6).

    Those who tie roll off (A7): each has the same chance, and what they pay one another evens out.
    """
    every = range(len(left))
    for coins in range(1, FIELDS + 1):
        same = [float(each[coins]) for each in left]
        more = [float(each[coins + 1 :].sum()) for each in left]
        for seat in every:
            if not same[seat]:
                continue
            others = [other for other in every if other != seat]
            fewest = np.prod([same[o] + more[o] for o in others])
            somebody_less = np.prod([float(left[o].sum()) for o in others]) - fewest
            totals[seat] -= same[seat] * coins * float(somebody_less)
            for payer in others:
                paid = float(left[payer][coins + 1 :] @ _COINS[coins + 1 :])
                sharing = [(more[o], same[o]) for o in others if o != payer]
                totals[seat] += same[seat] * paid * _expected_share(sharing)


def _expected_share(others: Sequence[tuple[float, float]]) -> float:
    """Return the expected part of a win; each other is by a pair of weights not, or among those who share it."""
    sharing = [1.0]
    for stays, joins in others:
        sharing = [
            stays * (sharing[i] if i < len(sharing) else 0.0) + joins * (sharing[i - 1] if i else 0.0)
            for i in range(len(sharing) + 1)
        ]
    return sum(weight / (number + 1) for number, weight in enumerate(sharing))


@functools.lru_cache(maxsize=8)
def crowd(layout: str) -> Crowd:
    """Return what becomes of the cards of a layout, cached."""
    return Crowd(layout)
