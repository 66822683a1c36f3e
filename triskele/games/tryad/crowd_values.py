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
        totals = np.zeros(len(seats))
        for number in range(ROLLS):
            _add_clearing(prospects, number, totals)
        _add_all_out(np.array([prospect.left[-1] for prospect in prospects]), totals)
        return [float(total) for total in totals]


_COINS = np.arange(FIELDS + 1, dtype=np.float64)


_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(6)
_POINTS, _WEIGHTS = (_POINTS + 1) / 2, _WEIGHTS / 2
"""Gauss-Legendre quadrature from 0 to 1: without an error for the polynomials of up to twelve players."""


def _add_clearing(prospects: Sequence[_Prospect], number: int, totals: Reals) -> None:
    """Add what a round in which somebody clears brings: the others pay threefold, to all who clear (A5)."""
    cleared = np.array([each.cleared[number] for each in prospects])
    if not cleared.any():
        return
    not_yet = np.array([each.left[number].sum() for each in prospects])
    coins = np.array([each.left[number] @ _COINS for each in prospects])
    somebody = _without_each(cleared + not_yet) - _without_each(not_yet)
    totals += TRIPLE * (cleared * (_expected_shares(not_yet, cleared) @ coins) - coins * somebody)


def _add_all_out(left: Reals, totals: Reals) -> None:
    """Add what the end brings when all are out: whoever has the fewest coins gets those of the others (A6).

    Those who tie roll off (A7): each has the same chance, and what they pay one another evens out.
    """
    every = left.sum(axis=1)
    for coins in range(1, FIELDS + 1):
        same, more = left[:, coins], left[:, coins + 1 :].sum(axis=1)
        if not same.any():
            continue
        somebody_less = _without_each(every) - _without_each(same + more)
        paid = left[:, coins + 1 :] @ _COINS[coins + 1 :]
        totals += same * (_expected_shares(more, same) @ paid - coins * somebody_less)


def _without_each(factors: Reals) -> Reals:
    """Return for each seat the product of the factors of all others."""
    own = np.eye(len(factors), dtype=np.bool_)
    found: Reals = np.where(own, 1.0, factors).prod(axis=1)
    return found


def _expected_shares(stays: Reals, joins: Reals) -> Reals:
    """Return by seat and payer the expected part of a win, 0 where they are the same.

    Each of the others is, by a pair of weights, not or among those who share it. The mean of ``1 / (1 + sharers)`` is
    the integral of a polynomial, the product of ``stays + joins * t``, from 0 to 1.
    """
    number = len(stays)
    factors = stays[:, None] + joins[:, None] * _POINTS
    own = np.eye(number, dtype=np.bool_)
    left_out = own[:, None, :] | own[None, :, :]
    products = np.where(left_out[..., None], 1.0, factors).prod(axis=2)
    return np.where(own, 0.0, products @ _WEIGHTS)


@functools.lru_cache(maxsize=8)
def crowd(layout: str) -> Crowd:
    """Return what becomes of the cards of a layout, cached."""
    return Crowd(layout)
