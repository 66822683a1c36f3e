"""The game of three and more by NumPy: an independent solution that the compiled one of the engine is compared with."""

import functools
from collections.abc import Sequence

import numpy as np

from triskele.games.tryad.case_tables import (
    _NONE,
    CLEARED,
    Card,
    Cases,
    Reals,
    alone,
    card,
    duel,
    short_sighted,
)
from triskele.games.tryad.rules import FACES, FIELDS, TRIPLE

__all__ = ["alone", "card", "crowd", "duel", "short_sighted"]

_ROUNDS = FIELDS + 1
"""A card lasts at most 16 rolls."""


class _Rival:
    """Another player, modelled as taking for the fewest coins: the distribution of what becomes of the card.

    Rounds count from the one now being played, 0. ``cleared[t]`` is the probability to clear in round ``t``,
    ``left[t]`` the coins expected on the card after round ``t`` while it is not cleared, ``ends[k]`` the probability to
    be out in the end with ``k`` coins.
    """

    def __init__(self, layout: str, fields: int, is_in: bool, waits: bool, first_roll: int | None = None) -> None:
        """``waits``: has had its turn of this round. ``first_roll`` (from 0) is its next roll if known, as in bingo."""
        its, policy = card(layout), _fewest_coins_policy(layout)
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
                    np.add.at(following, policy[roll][matched], share[matched])
                    missed = np.where(matched, 0.0, share)
                    np.add.at(self.ends, its.coins, missed)
                    out_coins += float(missed @ coins)
                self.cleared[number] += following[CLEARED]
                following[CLEARED] = 0.0
                rolling = following
            self.left[number] = out_coins + float(rolling @ coins)


@functools.lru_cache(maxsize=64)
def _fewest_coins_policy(layout: str) -> list[Cases]:
    """Return for each roll and case the case that a player for the fewest coins takes to."""
    its, value = card(layout), short_sighted(layout, FIELDS)
    chosen = []
    for after in its.after:
        best = np.where(after == _NONE, -np.inf, value[after]).argmax(axis=1)
        chosen.append(after[np.arange(its.size), best])
    return chosen


class Crowd:
    """The game of three and more for the seat about to take: its best response to rivals for the fewest coins."""

    def __init__(self, its: Card, rivals: Sequence[_Rival]) -> None:
        """Compute the value of each case after the take of this round against these rivals."""
        self.card = its
        cleared = np.array([rival.cleared for rival in rivals])
        going_on = 1 - np.cumsum(cleared, axis=1)  # not cleared up to and with round t
        before = np.concatenate([np.ones((len(rivals), 1)), going_on[:, :-1]], axis=1)
        hazard = np.where(before > 1e-12, cleared / np.maximum(before, 1e-12), 0.0)
        left = np.array([rival.left for rival in rivals]) / np.maximum(going_on, 1e-12)
        self._nobody = np.prod(1 - hazard, axis=0)
        """For each round, the probability that no rival clears in it if none did before."""
        self._won = np.array([_payoff_of_clearing(hazard[:, t], left[:, t]) for t in range(_ROUNDS)])
        """For each round, the coins expected by clearing in it."""
        never = np.array([rival.ends.sum() for rival in rivals])
        ends = np.array([rival.ends for rival in rivals]) / np.maximum(never, 1e-12)[:, None]
        self._fewest = np.array([_payoff_when_all_out(ends, coins) for coins in range(FIELDS + 1)])
        """For each number of coins, the payoff of being out with them when nobody clears."""
        rest = np.maximum(going_on, never[:, None])
        self._never = np.prod(np.where(rest > 1e-12, never[:, None] / np.maximum(rest, 1e-12), 1.0), axis=0)
        """For each round, the probability that no rival clears later, if none did up to it."""
        self.value = self._solve()
        """By round and case: the value of a case after the own take of that round."""

    def _solve(self) -> Reals:
        its = self.card
        coins = its.coins.astype(np.float64)
        value = np.zeros((_ROUNDS, its.size))
        value[:, CLEARED] = self._won
        for case in range(1, its.size):
            # Out in the next round: the payoff then depends on whether a rival still clears.
            lost = -TRIPLE * coins[case]
            out = self._never * self._fewest[its.coins[case]] + (1 - self._never) * lost
            going_on = its.before_roll(case, value.T, out)
            # The others' turns of this round come first, then the own next roll.
            following = np.append(np.asarray(going_on)[1:], lost)
            value[:, case] = self._nobody * following + (1 - self._nobody) * lost
        return value

    def value_of_rest(self, rest: int) -> float:
        """Return the expected coins after a take now that leaves the case ``rest``."""
        return float(self.value[0, rest])


def _payoff_of_clearing(hazard: Reals, left: Reals) -> float:
    """Return the expected payoff of clearing in a round, by each rival's probability to clear and expected coins."""
    total = 0.0
    for rival, coins in enumerate(left):
        # A rival that does not clear pays; it is shared with all others that clear.
        sharing = np.array([1.0])
        for other, chance in enumerate(hazard):
            if other != rival:
                sharing = np.convolve(sharing, [1 - chance, chance])
        share = float(sharing @ (1 / np.arange(1, len(sharing) + 1)))
        total += (1 - hazard[rival]) * TRIPLE * coins * share
    return total


def _payoff_when_all_out(ends: Reals, own: int) -> float:
    """Return the expected payoff of being out with ``own`` coins when nobody clears (A6); ties are even (A7)."""
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
    """Return the game of three and more for ``seat``, which has to take for ``roll`` (from 0).

    ``cards`` are the covered fields of all seats, ``seats_in`` a bit set.
    """
    rivals = []
    for other, fields in enumerate(cards):
        if other != seat:
            known = roll if common_roll and other > seat else None
            rivals.append(_Rival(layout, fields, bool(seats_in >> other & 1), other < seat, known))
    return Crowd(card(layout), rivals)
