"""What engines know of TRYPTIC beyond the rules: how a seat stands, the levels, and why a move is good.

How a seat stands is judged from what it knows: the board, its own pattern, and the beliefs of
:mod:`triskele.games.tryptic.belief` about everybody's. A few facts are weighed by logistic
regression on games of the engine with itself (:mod:`triskele.games.tryptic.training`).
"""

import functools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import Board, needs
from triskele.games.tryptic.notation import COLOURS, PATTERNS

Facts = NDArray[np.float64]

FACTS = (
    "two in", "three in", "four in", "five in",
    "need", "need of one", "need of two", "finishes", "ready", "given away", "given away much", "known",
    "their need", "their danger", "their danger in all", "best guess", "other guesses",
    "empty", "empty and need",
)  # fmt: skip
"""What is weighed, by name; see :func:`facts`."""

ACTING, WAITING = range(2)
"""Rows of weights: for a seat about to place, and for one that has placed."""

WEIGHTS = Path(__file__).with_name("weights.npz")


class Prospects:
    """How near each pattern is to more points on a board, whoever has it."""

    def __init__(self, board: Board) -> None:
        """Look at all placements."""
        points = board.points()
        self.at_once = points.max(axis=0) if len(points) else np.zeros(r.PATTERNS, dtype=np.float32)
        """For each pattern, the most points that one placement makes."""
        self.ready = board.ready()
        self.empty = len(np.unique((board.codes - r.PLACE) % r.HEXES)) / r.HEXES


def facts(state: State, seat: int, pattern: int, beliefs: NDArray[np.float64], prospects: Prospects) -> Facts:
    """Return what is weighed for a seat that has ``pattern``."""
    players = int(state[r.PLAYERS])
    others = [other for other in range(players) if other != seat and state[r.IN] >> other & 1]
    need = max(0, int(needs(state, seat)[pattern]))
    their_needs = [float(beliefs[other] @ np.clip(needs(state, other), 0, 9)) for other in others]
    dangers = [float(beliefs[other] @ (prospects.at_once >= needs(state, other))) for other in others]
    guesses = sorted((float(beliefs[other].max()) for other in others), reverse=True)
    given_away = float(beliefs[seat, pattern])
    seats_in = np.zeros(4)
    seats_in[len(others) - 1] = 1.0
    return np.array(
        [
            *seats_in,
            min(need, 9),
            need == 1,
            need == 2,
            prospects.at_once[pattern] >= need,
            min(float(prospects.ready[pattern]), 8.0),
            given_away,
            min(given_away / 0.3, 1.0),
            given_away >= 0.999 * beliefs[seat].max(),
            min(their_needs),
            max(dangers),
            sum(dangers),
            guesses[0],
            sum(guesses[1:]),
            prospects.empty,
            prospects.empty * min(need, 9),
        ],
        dtype=np.float64,
    )


@functools.cache
def load_weights() -> Facts:
    """Return the learned weights of :data:`FACTS`, a row for each of ``ACTING`` and ``WAITING``."""
    with np.load(WEIGHTS) as stored:
        weights: Facts = stored["weights"].astype(np.float64)
    return weights


def chance(weighed: Facts, weights: Facts) -> float:
    """Return the chance to win."""
    return float(1 / (1 + np.exp(-np.clip(weighed @ weights, -30, 30))))
