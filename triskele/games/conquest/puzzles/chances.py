"""The exact chance to win in this turn, by the odds of whole battles (:mod:`triskele.games.conquest.odds`).

Each outcome of a battle is made with one roll of the dice that brings it, and weighted with the outcome's odds. States
from which nobody can come to the other home any more are not searched: see :func:`is_out_of_reach`.
"""

import functools
import itertools
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from triskele.core.contract import OVER, State
from triskele.core.position import Position
from triskele.games.conquest import odds
from triskele.games.conquest import rules as r
from triskele.games.conquest.board_queries import committed, number_of
from triskele.games.conquest.geometry import BOARD, BORDER, HOME


class TooManyStates(Exception):
    """The turn can lead to more states than may be looked at."""


def chances_to_win(position: Position, limit: int) -> Mapping[str, Fraction]:
    """Return the chance to win in this turn after each move; ``TooManyStates`` if more than ``limit`` states follow."""
    seat = position.turn
    assert seat is not None
    turn = _Turn(position, seat, limit)
    state = position.state
    return {move.text: turn.after(state, move.code) for move in position.legal_moves}


def spare_tokens(state: State, seat: int) -> int:
    """Return how many tokens a seat could attack with in all: each of its fields keeps one back (C7)."""
    fields = [on for on in state[r.ON : r.ON + state[r.PLAYERS] * BOARD].tolist() if on & 7 == seat + 1]
    return sum((on >> 3) - 1 for on in fields)


def is_out_of_reach(state: State, seat: int) -> bool:
    """Return whether a seat cannot attack the other home in this turn, however the dice fall.

    Tokens move by taking fields only (C8), and every field that is taken holds one of them back for good (C7). So those
    who come to the home together have at least as many spare tokens as the farthest of them is fields away from it,
    around the fields that are theirs already. As long as the home is held, there is no other way to win: its tokens
    would be the last ones (C13).
    """
    home = (1 - seat) * BOARD + HOME
    on = state[r.ON : r.ON + 2 * BOARD].tolist()
    if on[home] & 7 != 2 - seat:
        return False
    near = BORDER[state[r.SETUP]].tolist()
    armies: list[tuple[int, int]] = []  # how far away, and how many spare tokens
    seen, edge, steps = {home}, [home], 1
    while edge:
        around = {field for at in edge for field in near[at] if field >= 0} - seen
        seen |= around
        own = {field for field in around if on[field] & 7 == seat + 1}
        armies += [(steps, (on[field] >> 3) - 1) for field in own if on[field] >> 3 > 1]
        edge, steps = list(around - own), steps + 1
    while armies:
        tokens = sum(spare for _, spare in armies)
        near_enough = [army for army in armies if army[0] <= tokens]
        if len(near_enough) == len(armies):
            return False
        armies = near_enough
    return True


class _Turn:
    """The rest of one seat's turn."""

    def __init__(self, position: Position, seat: int, limit: int) -> None:
        self.seat = seat
        self.limit = limit
        self.rules = position.variant.rules
        self._buffer = np.zeros(position.variant.moves_limit, dtype=np.int64)
        self._known: dict[bytes, Fraction] = {}

    def after(self, state: State, *codes: int) -> Fraction:
        """Return the chance after some moves."""
        following = state.copy()
        for code in codes:
            if following[r.PHASE] == r.CONQUER and code == r.DONE:
                return Fraction()
            self.rules.apply(following, code)
        return self.chance(following)

    def chance(self, state: State) -> Fraction:
        """Return the chance from a state on."""
        key = state.tobytes()
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= self.limit:
                raise TooManyStates
            known = self._known[key] = self._work_out(state)
        return known

    def _work_out(self, state: State) -> Fraction:
        actor = self.rules.actor(state)
        if actor == OVER:
            return Fraction(int(self.rules.winners(state) == 1 << self.seat))
        if state[r.PHASE] == r.CONQUER and is_out_of_reach(state, self.seat):
            return Fraction()
        if state[r.PHASE] == r.BATTLE:
            return sum((share * self.after(state, *dice) for dice, share in _battle(state)), Fraction())
        codes = self._buffer[: self.rules.legal(state, self._buffer)].tolist()
        best = max if actor == self.seat else min
        return best(self.after(state, code) for code in codes)


def _battle(state: State) -> list[tuple[tuple[int, ...], Fraction]]:
    """Return the outcomes of the battle that is to be rolled: the codes of dice that bring each, and its odds."""
    if state[r.DEFENCE]:
        return _held(committed(state), int(state[r.DEFENCE]))
    return _empty(committed(state), number_of(state, int(state[r.TARGET])))


@functools.cache
def _held(attackers: int, defenders: int) -> list[tuple[tuple[int, ...], Fraction]]:
    rolls: dict[tuple[int, int], tuple[int, ...]] = {}
    for dice in itertools.product(range(r.FACES), repeat=attackers + defenders):
        attack = sorted(dice[:attackers], reverse=True)
        defence = sorted(dice[attackers:], reverse=True)
        pairs = list(zip(attack, defence, strict=False))
        rolls.setdefault((sum(a < d for a, d in pairs), sum(a > d for a, d in pairs)), dice)
    return [(rolls[losses], share) for losses, share in odds.against_held(attackers, defenders).items()]


@functools.cache
def _empty(attackers: int, number: int) -> list[tuple[tuple[int, ...], Fraction]]:
    rolls: dict[int, tuple[int, ...]] = {}
    for dice in itertools.product(range(r.FACES), repeat=attackers + 1):
        short = dice[-1] + 1 + number - sum(dice[:-1]) - attackers
        rolls.setdefault(odds.TAKEN if short < 0 else min(short, attackers), dice)
    return [(rolls[lost], share) for lost, share in odds.against_empty(attackers, number).items()]
