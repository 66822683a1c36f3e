"""The evaluation of TRYPTIC: features of a seat's information state, the levels, and explanations for hints.

A seat's chance to win is a logistic regression on features of what it knows: the board, its own pattern, and the
posterior over everybody's (:mod:`triskele.games.tryptic.belief`). The weights come from self-play
(:mod:`triskele.games.tryptic.training`).
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.core.contract.evaluation import Evaluation
from triskele.core.contract.levels import level_table
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import Chances
from triskele.games.tryptic.texts import PATTERNS
from triskele.games.tryptic.windows import Board, Codes

Features = NDArray[np.float64]

FEATURES = (
    "two in", "three in", "four in", "five in",
    "need", "need next", "need of one", "need of two", "finishes", "ready", "given away", "given away much", "known",
    "their need", "their need next", "their danger", "their danger in all", "best guess", "other guesses",
    "empty", "empty and need",
)  # fmt: skip
"""The names of the features of :func:`seat_features`, in their order."""

ACTING, WAITING = range(2)
"""Rows of the weights: for a seat about to place, and for one that has placed."""


class Prospects:
    """How near each pattern is to points, no matter who has it: now, or after each of some placements (rows)."""

    def __init__(self, state: State, board: Board, rows: Codes | None = None) -> None:
        """Compute for a position, or for the positions after some placements, given as rows of ``board``."""
        shown = state[r.SHOWN + 1 : r.SHOWN + 1 + r.PATTERNS]
        self.shown = shown[None] if rows is None else shown + board.points[rows]
        """How often each pattern stands on the board."""
        self.at_once = board.at_once[None] if rows is None else board.at_once_after(rows)
        """The most points that the next placement makes."""
        self.ready = board.ready[None] if rows is None else board.ready + board.changes[1, rows]
        """How many windows lack one tile."""
        self.empty = (int(state[r.EMPTY]).bit_count() - (rows is not None)) / r.HEXES


def seat_features(
    state: State, seat: int, pattern: int, beliefs: Chances, believed: Chances, prospects: Prospects
) -> Features:
    """Return the features of a seat that has ``pattern``, a row for each row of ``prospects``.

    ``beliefs`` are the posteriors of all seats; ``believed`` is the posterior of this one, a row for each as well.
    """
    players = int(state[r.PLAYERS])
    others = [other for other in range(players) if other != seat and state[r.IN] >> other & 1]
    missing = (state[r.GOAL] - state[r.CHANGE : r.CHANGE + players]).tolist()
    need = np.clip(missing[seat] - prospects.shown[:, pattern], 0, 9)
    need_next = np.clip(missing[seat] - (prospects.shown + prospects.at_once)[:, pattern], 0, 9)
    their_needs, their_needs_next, threats = [], [], []
    for other in others:
        needs = missing[other] - prospects.shown
        needs_next = needs - prospects.at_once
        their_needs.append(np.clip(needs, 0, 9) @ beliefs[other])
        their_needs_next.append(np.clip(needs_next, 0, 9) @ beliefs[other])
        threats.append((needs_next <= 0) @ beliefs[other])
    guesses = sorted((float(beliefs[other].max()) for other in others), reverse=True)
    given_away = believed[:, pattern]
    columns = [
        *(float(len(others) == number) for number in range(1, r.SEATS)),
        need,
        need_next,
        need == 1,
        need == 2,
        need_next == 0,
        np.minimum(prospects.ready[:, pattern], 8.0),
        given_away,
        np.minimum(given_away / 0.3, 1.0),
        given_away >= 0.999 * believed.max(axis=1),
        np.min(their_needs, axis=0),
        np.min(their_needs_next, axis=0),
        np.max(threats, axis=0),
        np.sum(threats, axis=0),
        guesses[0],
        sum(guesses[1:]),
        prospects.empty,
        prospects.empty * need,
    ]
    found = np.empty((len(believed), len(columns)))
    for number, column in enumerate(columns):
        found[:, number] = column
    return found


def logistic(logit: float) -> float:
    """Return the probability of a logit (the logistic function)."""
    return 1 / (1 + math.exp(-min(max(logit, -30.0), 30.0)))


# --- levels and words -----------------------------------------------------------------------------------

LEVELS = level_table(
    # seconds, nodes, turns looked ahead, noise, oversight
    (0.2, None, 1, 4000, 950),
    (0.2, None, 1, 1900, 893),
    (0.3, None, 1, 1290, 857),
    (0.4, None, 1, 930, 823),
    (0.5, None, 2, 645, 745),
    (0.6, None, 2, 408, 555),
    (0.7, None, 2, 302, 362),
    (0.8, None, 2, 256, 178),
    (0.9, None, 3, 300, 98),
    (None, None, None, 0, 0),
)
"""Up to level 8 the engine places by gain, so that its pattern can be inferred, and overlooks less and less: the
placements of others, and that it has the points or could make them.

From level 9 on it searches, and hides. What each level scores against the one below is in ``docs/levels.md``.
"""


def explain(options: Options, state: State, codes: Sequence[int], seat: int) -> Text | None:
    """Return why a move is good: which points it makes or prepares, which guess it tests; or ``None``."""
    code = codes[0]
    if code < r.PLACE:
        return text("tryptic.hint-choose")
    if code == r.END:
        return text("tryptic.hint-end")
    if code >= r.ANNOUNCE:
        return None
    if code >= r.CHALLENGE:
        other, guess = divmod(code - r.CHALLENGE, r.PATTERNS)
        return text("tryptic.hint-challenge", seat=other + 1, pattern=PATTERNS[guess])
    pattern = int(state[r.PATTERN + seat]) - 1
    if pattern < 0:
        return None
    board = Board(state)
    row = int(np.flatnonzero(board.codes == code)[0])
    points = int(board.points[row, pattern])
    if points > 0:
        return text("tryptic.hint-points", n=points)
    ready = int(board.changes[1, row, pattern])
    if ready > 0:
        return text("tryptic.hint-ready", n=ready)
    return text("tryptic.hint-helps" if board.gains[row, pattern] > 0 else "tryptic.hint-misleads")


EVALUATION = Evaluation(levels=LEVELS, explain=explain)
