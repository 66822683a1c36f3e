"""What engines know of TRYPTIC beyond the rules: how a seat stands, the levels, and why a move is good.

How a seat stands is judged from what it knows: the board, its own pattern, and the beliefs of
:mod:`triskele.games.tryptic.belief` about everybody's. A few facts are weighed by logistic
regression on games of the engine with itself (:mod:`triskele.games.tryptic.training`).
"""

import math

import numpy as np
from numpy.typing import NDArray

from triskele.core.contract import State
from triskele.core.game import Options
from triskele.core.words import Text, text
from triskele.games.tryptic import rules as r
from triskele.games.tryptic.belief import Board, Chances, Codes
from triskele.games.tryptic.notation import PATTERNS

Facts = NDArray[np.float64]

FACTS = (
    "two in", "three in", "four in", "five in",
    "need", "need next", "need of one", "need of two", "finishes", "ready", "given away", "given away much", "known",
    "their need", "their need next", "their danger", "their danger in all", "best guess", "other guesses",
    "empty", "empty and need",
)  # fmt: skip
"""What is weighed, by name; see :func:`facts`."""

ACTING, WAITING = range(2)
"""Rows of weights: for a seat about to place, and for one that has placed."""


class Prospects:
    """How near each pattern is to points, whoever has it: now, or after each of some placements (rows)."""

    def __init__(self, state: State, board: Board, rows: Codes | None = None) -> None:
        """Look at a position, or at what some placements, rows of ``board``, make of it."""
        shown = state[r.SHOWN + 1 : r.SHOWN + 1 + r.PATTERNS]
        self.shown = shown[None] if rows is None else shown + board.points[rows]
        """How often each pattern stands on the board."""
        self.at_once = board.at_once[None] if rows is None else board.at_once_after(rows)
        """The most points that one placement makes then."""
        self.ready = board.ready[None] if rows is None else board.ready + board.changes[1, rows]
        """How many windows lack one tile."""
        self.empty = (int(state[r.EMPTY]).bit_count() - (rows is not None)) / r.HEXES


def facts(state: State, seat: int, pattern: int, beliefs: Chances, believed: Chances, prospects: Prospects) -> Facts:
    """Return what is weighed for a seat that has ``pattern``, a row for each of the prospects.

    ``beliefs`` are about all seats, ``believed`` about this one, a row for each of the prospects too.
    """
    players = int(state[r.PLAYERS])
    others = [other for other in range(players) if other != seat and state[r.IN] >> other & 1]
    missing = (state[r.GOAL] - state[r.CHANGE : r.CHANGE + players]).tolist()
    need = np.clip(missing[seat] - prospects.shown[:, pattern], 0, 9)
    need_next = np.clip(missing[seat] - (prospects.shown + prospects.at_once)[:, pattern], 0, 9)
    their_needs, their_needs_next, dangers = [], [], []
    for other in others:
        needs = missing[other] - prospects.shown
        needs_next = needs - prospects.at_once
        their_needs.append(np.clip(needs, 0, 9) @ beliefs[other])
        their_needs_next.append(np.clip(needs_next, 0, 9) @ beliefs[other])
        dangers.append((needs_next <= 0) @ beliefs[other])
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
        np.max(dangers, axis=0),
        np.sum(dangers, axis=0),
        guesses[0],
        sum(guesses[1:]),
        prospects.empty,
        prospects.empty * need,
    ]
    found = np.empty((len(believed), len(columns)))
    for number, column in enumerate(columns):
        found[:, number] = column
    return found


def as_chance(logit: float) -> float:
    """Return the chance to win that a logit stands for."""
    return 1 / (1 + math.exp(-min(max(logit, -30.0), 30.0)))


# --- levels and words -----------------------------------------------------------------------------------

LEVELS = (
    # seconds, nodes, turns looked ahead, error of judgement, placements of others in a thousand not thought about
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
"""Up to level 8 it places what helps it, so that it can be read, and overlooks less and less: what others place,
and that it has the points or could make them.

From level 9 on it searches, and hides. What each scores against the one below is in ``docs/levels.md``.
"""


def remark(options: Options, state: State, codes: list[int], seat: int) -> Text | None:
    """Say what speaks for a move: which points it makes or prepares, whom it challenges."""
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
