"""Judging for a seat: what it believes, how it stands, and whether a challenge pays."""

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import Chances, Codes, Reading, too_few_tiles
from triskele.games.tryptic.evaluation import ACTING, WAITING, Facts, Prospects, as_chance, facts


@dataclass(frozen=True)
class Challenge:
    """A guess: its code, how likely it is right and has to be to pay, and the chance to win after making it."""

    code: int
    right: float
    needed: float
    worth: float

    def pays(self, otherwise: float, error: float = 0.0) -> bool:
        """Whether it is better than going on without; ``error`` is added to its worth, as a logit."""
        return _logit(self.worth) + error > _logit(otherwise)


def _logit(share: float) -> float:
    share = min(max(share, 1e-6), 1 - 1e-6)
    return math.log(share / (1 - share))


class Judge:
    """Judges for one seat in one position, from what it may know."""

    def __init__(self, reading: Reading, known: State, seat: int) -> None:
        """Judge for ``seat``; ``known`` is its view of the state that ``reading`` has come to."""
        self.reading = reading
        self.known = known
        self.seat = seat
        self.pattern = int(known[r.PATTERN + seat]) - 1
        self.others = [s for s in range(int(known[r.PLAYERS])) if s != seat and known[r.IN] >> s & 1]
        self._weights = reading.learned.judging[WAITING if known[r.STAGE] == r.PLACED else ACTING]

    @functools.cached_property
    def _impossible(self) -> NDArray[np.bool_]:
        return too_few_tiles(self.known)

    @functools.cached_property
    def beliefs(self) -> Chances:
        """What the seat believes of the others, and they of it."""
        beliefs = self.reading.beliefs.copy()
        for other in self.others:
            left = np.where(self._impossible, 0.0, beliefs[other])
            if left.sum() > 0:
                beliefs[other] = left / left.sum()
        return beliefs

    @functools.cached_property
    def prospects(self) -> Prospects:
        """How near each pattern is to points."""
        return Prospects(self.known, self.reading.board)

    def facts(self) -> Facts:
        """Return what is known about the position as it stands."""
        return self._facts(self.known, self.beliefs)

    def _facts(self, state: State, beliefs: Chances) -> Facts:
        believed = beliefs[self.seat : self.seat + 1]
        found: Facts = facts(state, self.seat, self.pattern, beliefs, believed, self.prospects)[0]
        return found

    def outlook(self, state: State, beliefs: Chances) -> float:
        """Return the seat's chance to win in a state like the known one, with the same board."""
        return as_chance(float(self._facts(state, beliefs) @ self._weights))

    @functools.cached_property
    def now(self) -> float:
        """The seat's chance to win as things stand."""
        return self.outlook(self.known, self.beliefs)

    def placing(self, rows: Codes) -> Chances:
        """Return for some placements, by rows of the reading's board, how the seat stands after each, as logits."""
        believed = self.reading.after(self.seat, rows)
        prospects = Prospects(self.known, self.reading.board, rows)
        found = facts(self.known, self.seat, self.pattern, self.beliefs, believed, prospects)
        logits: Chances = found @ self.reading.learned.judging[WAITING]
        return logits

    def finishing(self) -> list[int]:
        """Return the placements that make all the points that are missing."""
        need = int(self.known[r.GOAL]) - r.points(self.known, self.seat)
        rows = np.flatnonzero(self.reading.board.points[:, self.pattern] >= need)
        return [int(code) for code in self.reading.board.codes[rows]]

    def challenge(self) -> Challenge:
        """Return the best challenge, whether it pays or not."""
        return max(map(self._challenge, self.others), key=lambda tried: tried.worth)

    def _challenge(self, other: int) -> Challenge:
        guesses = np.where(self._impossible, 0.0, self.reading.guesses(other))
        guess = int(guesses.argmax())
        sure = self.beliefs[other, guess] > 1 - 1e-9
        right = 1.0 if sure else float(guesses[guess])
        won = self._if_right(other)
        lost = self._if_wrong(other, guess) if not sure else 0.0
        needed = (self.now - lost) / max(won - lost, 1e-9)
        worth = right * won + (1 - right) * lost
        return Challenge(r.CHALLENGE + other * r.PATTERNS + guess, right, needed, worth)

    def _if_right(self, other: int) -> float:
        state = self.known.copy()
        state[r.IN] &= ~(1 << other)
        state[r.CHANGE + self.seat] += 2
        if len(self.others) == 1 or r.has_points(state, self.seat):
            return 1.0
        return self.outlook(state, self.beliefs)

    def _if_wrong(self, other: int, guess: int) -> float:
        state = self.known.copy()
        state[r.CHANGE + self.seat] -= 1
        state[r.CHANGE + other] += 1
        beliefs = self.beliefs.copy()
        beliefs[other, guess] = 0.0
        beliefs[other] /= beliefs[other].sum()
        return self.outlook(state, beliefs)
