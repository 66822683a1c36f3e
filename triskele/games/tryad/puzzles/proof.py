"""The proof of Tryad's puzzles: the score to expect after each take, by trying every roll and every take to the end.

It knows nothing but the rules: no solution of a card, no symmetry of its fields. Scores are exact fractions.
"""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from triskele.core.contract import CHANCE, OVER, State
from triskele.core.game import Variant
from triskele.core.link import Rules
from triskele.core.position import Position
from triskele.games.tryad.rules import PHASE, ROLL_OFF


def expected_scores(position: Position) -> Mapping[str, Fraction]:
    """Return the score that the seat to act can expect after each of its takes, both seats playing for their own."""
    seat = position.turn
    assert seat is not None
    expectation = _Expectation(position.variant, seat)
    state = position.state
    return {move.text: expectation.of(expectation.after(state, move.code)) for move in position.legal_moves}


class _Expectation:
    """What a seat can expect from states on; each state is worked out once."""

    def __init__(self, variant: Variant, seat: int) -> None:
        self.seat = seat
        self.seats = variant.seats
        self.rules: Rules = variant.rules
        self._buffer = np.zeros(variant.moves_limit, dtype=np.int64)
        self._known: dict[bytes, Fraction] = {}

    def after(self, state: State, code: int) -> State:
        following = state.copy()
        self.rules.apply(following, code)
        return following

    def _followers(self, state: State) -> list[State]:
        codes = self._buffer[: self.rules.legal(state, self._buffer)].tolist()
        return [self.after(state, code) for code in codes]

    def of(self, state: State) -> Fraction:
        """Return the expected score: a mean over rolls, the best for the seat and the worst in the other's turn."""
        key = state.tobytes()
        if key not in self._known:
            self._known[key] = self._work_out(state)
        return self._known[key]

    def _work_out(self, state: State) -> Fraction:
        actor = self.rules.actor(state)
        if actor == OVER:
            scores = np.zeros(self.seats, dtype=np.float64)
            self.rules.scores(state, scores)
            return Fraction(float(scores[self.seat]))
        if actor == CHANCE:
            if state[PHASE] == ROLL_OFF:
                return self._roll_off(state)
            followers = self._followers(state)
            return sum(map(self.of, followers), Fraction()) / len(followers)
        best = max if actor == self.seat else min
        return best(map(self.of, self._followers(state)))

    def _roll_off(self, first: State) -> Fraction:
        """Return the expected score of a roll-off (A7), which comes back to where it began until somebody has won."""
        decided, total = Fraction(), Fraction()
        waiting = [(Fraction(1), follower) for follower in self._followers(first)]
        waiting = [(chance / len(waiting), follower) for chance, follower in waiting]
        while waiting:
            chance, state = waiting.pop()
            if self.rules.actor(state) == OVER:
                decided += chance
                total += chance * self.of(state)
            elif not np.array_equal(state, first):
                followers = self._followers(state)
                waiting += [(chance / len(followers), follower) for follower in followers]
        return total / decided
