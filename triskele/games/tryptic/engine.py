"""Players of TRYPTIC: one that reads the others and hides from them, and one that only lays its own pattern."""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.core.game import Game
from triskele.core.moves import Move
from triskele.core.position import Position
from triskele.engines.engine import Engine, Info, Limits, Task
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import CHOICE, Board, Codes, Reading, Reals, too_few_tiles
from triskele.games.tryptic.evaluation import Facts, Prospects, chance, facts, load_weights

Beliefs = NDArray[np.float64]
ACTING, WAITING = 0, 1


@dataclass(frozen=True)
class Option:
    """A move to choose, how good it is (chance to win), and how often to choose it."""

    code: int
    worth: float
    weight: float


class Judge:
    """Decides for a seat, from what it may know."""

    def __init__(self, reading: Reading, known: State, seat: int, weights: Facts) -> None:
        """Judge for ``seat``; ``known`` is its view of the state that ``reading`` has followed to."""
        self.reading = reading
        self.known = known
        self.seat = seat
        self.weights = weights
        self.stage = WAITING if known[r.STAGE] == r.PLACED else ACTING
        self.pattern = int(known[r.PATTERN + seat]) - 1
        self.others = [s for s in range(int(known[r.PLAYERS])) if s != seat and known[r.IN] >> s & 1]

    @functools.cached_property
    def beliefs(self) -> Beliefs:
        """What the seat believes of the others, and they of it."""
        beliefs = self.reading.beliefs.copy()
        impossible = too_few_tiles(self.known)
        for other in self.others:
            left = np.where(impossible, 0.0, beliefs[other])
            if left.sum() > 0:
                beliefs[other] = left / left.sum()
        return beliefs

    @functools.cached_property
    def prospects(self) -> Prospects:
        """How near each pattern is to points."""
        return Prospects(self.reading.board)

    def outlook(self, state: State, beliefs: Beliefs) -> float:
        """Return the seat's chance to win in a state like the known one."""
        return chance(facts(state, self.seat, self.pattern, beliefs, self.prospects), self.weights[self.stage])

    @functools.cached_property
    def now(self) -> float:
        """The seat's chance to win as things stand."""
        return self.outlook(self.known, self.beliefs)

    def finishing(self) -> list[int]:
        """Return the placements that make all the points that are missing."""
        need = int(self.known[r.GOAL]) - r.points(self.known, self.seat)
        rows = np.flatnonzero(self.reading.board.points()[:, self.pattern] >= need)
        return [int(code) for code in self.reading.board.codes[rows]]

    def challenge(self) -> Option | None:
        """Return the best challenge, whether it pays or not."""
        tried = [self._challenge(other) for other in self.others]
        return max(tried, key=lambda option: option.worth)

    def _challenge(self, other: int) -> Option:
        guess = int(self.beliefs[other].argmax())
        right = float(self.beliefs[other, guess])
        code = r.CHALLENGE + other * r.PATTERNS + guess
        worth = right * self._if_right(other)
        if right < 1.0:
            worth += (1 - right) * self._if_wrong(other, guess)
        return Option(code, worth, right)

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

    def try_placements(self, rows: Codes) -> NDArray[np.float64]:
        """Return the chances to win after some placements, given by their rows on the board."""
        believed = self.reading.after(self.seat, rows)
        chances = np.empty(len(rows))
        for i, row in enumerate(rows):
            state = self.known.copy()
            r.apply(state, int(self.reading.board.codes[row]))
            beliefs = self.beliefs.copy()
            beliefs[self.seat] = believed[i]
            weighed = facts(state, self.seat, self.pattern, beliefs, Prospects(Board(state)))
            chances[i] = chance(weighed, self.weights[WAITING])
        return chances

    def placements(self) -> Reals:
        """Return how often to make each placement of the board: covertly."""
        chances: Reals = self.reading.covert(self.seat)[:, self.pattern]
        return chances
