"""The evaluation for one seat: its posteriors, its chance to win, and the expected value of challenges."""

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import BeliefState, Chances, too_few_tiles
from triskele.games.tryptic.evaluation import ACTING, WAITING, Features, Prospects, logistic, seat_features
from triskele.games.tryptic.windows import Codes


@dataclass(frozen=True)
class Challenge:
    """A guess at another seat's pattern.

    ``right`` is the probability that it is right, ``needed`` the least one at which it pays, ``worth`` the expected
    chance to win after making it.
    """

    code: int
    right: float
    needed: float
    worth: float

    def pays(self, otherwise: float, error: float = 0.0) -> bool:
        """Return whether it beats a chance to win of ``otherwise``; ``error`` is added to its worth, in logits."""
        return _logit(self.worth) + error > _logit(otherwise)


def _logit(share: float) -> float:
    share = min(max(share, 1e-6), 1 - 1e-6)
    return math.log(share / (1 - share))


class SeatEvaluation:
    """The evaluation of one position for one seat, from what the seat may know."""

    def __init__(self, belief_state: BeliefState, known: State, seat: int) -> None:
        """Evaluate for ``seat``; ``known`` is its view of the state that ``belief_state`` has followed."""
        self.belief_state = belief_state
        self.known = known
        self.seat = seat
        self.pattern = int(known[r.PATTERN + seat]) - 1
        self.others = [s for s in range(int(known[r.PLAYERS])) if s != seat and known[r.IN] >> s & 1]
        self._weights = belief_state.weights.judging[WAITING if known[r.STAGE] == r.PLACED else ACTING]

    @functools.cached_property
    def _impossible(self) -> NDArray[np.bool_]:
        return too_few_tiles(self.known)

    @functools.cached_property
    def beliefs(self) -> Chances:
        """The posteriors of all seats, without patterns that the tiles this seat knows of rule out."""
        beliefs = self.belief_state.beliefs.copy()
        for other in self.others:
            left = np.where(self._impossible, 0.0, beliefs[other])
            if left.sum() > 0:
                beliefs[other] = left / left.sum()
        return beliefs

    @functools.cached_property
    def prospects(self) -> Prospects:
        """How near each pattern is to points."""
        return Prospects(self.known, self.belief_state.board)

    def features(self) -> Features:
        """Return the features of the position as it stands."""
        return self._features(self.known, self.beliefs)

    def _features(self, state: State, beliefs: Chances) -> Features:
        believed = beliefs[self.seat : self.seat + 1]
        found: Features = seat_features(state, self.seat, self.pattern, beliefs, believed, self.prospects)[0]
        return found

    def chance_to_win(self, state: State, beliefs: Chances) -> float:
        """Return the seat's chance to win in a state with the same board as the known one."""
        return logistic(float(self._features(state, beliefs) @ self._weights))

    @functools.cached_property
    def current_chance(self) -> float:
        """The seat's chance to win in the position as it stands."""
        return self.chance_to_win(self.known, self.beliefs)

    def win_logits_after(self, rows: Codes) -> Chances:
        """Return the seat's chance to win after each of some placements (rows of the board), as logits."""
        believed = self.belief_state.after(self.seat, rows)
        prospects = Prospects(self.known, self.belief_state.board, rows)
        found = seat_features(self.known, self.seat, self.pattern, self.beliefs, believed, prospects)
        logits: Chances = found @ self.belief_state.weights.judging[WAITING]
        return logits

    def winning_placements(self) -> list[int]:
        """Return the placements that make all the points the seat still needs."""
        need = int(self.known[r.GOAL]) - r.points(self.known, self.seat)
        rows = np.flatnonzero(self.belief_state.board.points[:, self.pattern] >= need)
        return [int(code) for code in self.belief_state.board.codes[rows]]

    def challenge(self) -> Challenge:
        """Return the challenge with the highest expected value, whether it pays or not."""
        return max(map(self._challenge, self.others), key=lambda tried: tried.worth)

    def _challenge(self, other: int, guess: int | None = None) -> Challenge:
        """Return the challenge of a seat with a guess, by default the likeliest."""
        guesses = np.where(self._impossible, 0.0, self.belief_state.guesses(other))
        if guess is None:
            guess = int(guesses.argmax())
        sure = self.beliefs[other, guess] > 1 - 1e-9
        right = 1.0 if sure else float(guesses[guess])
        won = self._if_right(other)
        lost = self._if_wrong(other, guess) if not sure else 0.0
        needed = (self.current_chance - lost) / max(won - lost, 1e-9)
        worth = right * won + (1 - right) * lost
        return Challenge(r.CHALLENGE + other * r.PATTERNS + guess, right, needed, worth)

    def worth_of_challenge(self, code: int) -> float:
        """Return the expected chance to win after any challenge, by its code."""
        return self._challenge(*divmod(code - r.CHALLENGE, r.PATTERNS)).worth

    def _if_right(self, other: int) -> float:
        state = self.known.copy()
        state[r.IN] &= ~(1 << other)
        state[r.CHANGE + self.seat] += 2
        if len(self.others) == 1 or r.has_points(state, self.seat):
            return 1.0
        return self.chance_to_win(state, self.beliefs)

    def _if_wrong(self, other: int, guess: int) -> float:
        state = self.known.copy()
        state[r.CHANGE + self.seat] -= 1
        state[r.CHANGE + other] += 1
        beliefs = self.beliefs.copy()
        beliefs[other, guess] = 0.0
        beliefs[other] /= beliefs[other].sum()
        return self.chance_to_win(state, beliefs)
