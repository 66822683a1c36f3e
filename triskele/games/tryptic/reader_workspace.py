"""The arrays of TRYPTIC's reader: what it has followed, what it believes, what it looks at."""

from typing import NamedTuple

from triskele.core.workspace import FloatMatrix, FloatVector, Int32Matrix, Int32Vector, Matrix, RngVector, Vector
from triskele.games.tryptic.rules import COLOURS, HEXES

MOST_ROWS = COLOURS * HEXES
"""How many placements there are at most: each has a row."""

(
    C_STAGE,  # how far the search has come
    C_SEAT,  # who asks
    C_WORDS,  # the words of the root: those of the state, then the codes of the moves seen
    C_NEXT,  # the next word of the root that is to be followed
    C_FOLLOWED,  # how many moves the belief has followed; -1 if it is not to be continued
    C_PLAYERS,  # of which game, and with which oversight
    C_GOAL,
    C_FOLLOWED_OVERSIGHT,
    C_ROWS,  # how many placements are listed
    C_LEVEL_DEPTH,  # the level: 0 for no limit
    C_NOISE,
    C_OVERSIGHT,
    C_NODE_LIMIT,  # 0 for none
    C_HURRY,  # 1: the placements still to be followed are not counted as evidence
    C_INTERRUPT,  # 1: whether to make a move out of turn is asked
    C_CANDIDATES,  # how many placements are evaluated
    C_EVALUATED,  # and how many of them are
    C_CHALLENGE,  # the code of the challenge with the highest expected value
    C_PICKED,  # how many rows are picked for the answer
    C_APPRAISED,  # 2 more than the code of the move that is appraised, 0 for none
) = range(20)
CONTROL = 20

S_CHANCE, S_WORTH, S_RIGHT, S_NEEDED, S_EMPTY, S_READY, S_APPRAISED = range(7)
"""The words of ``shares``: the seat's chance to win, that after the challenge; the probability that the challenge is
right, and the least one at which it pays; the empty part of the board, and the windows that lack one tile of the own
pattern; the chance to win after the challenge that is appraised."""
SHARES = 7


class ReaderWorkspace(NamedTuple):
    """The arrays of the reader. A row is a placement that is possible now; columns are patterns.

    ``root``            what the seat may know, and the codes of the moves it has seen
    ``state``           the state that the moves followed so far lead to, as everybody knows it
    ``followed``        their codes
    ``joint``           the joint posterior from placements: for each seat a row for each placement model
    ``silent``          1 for patterns with which a seat would have announced
    ``beliefs``         the posterior of each seat, from public events
    ``known``           the same without the patterns that the tiles which the asking seat knows of rule out
    ``trial``           a copy of the state, and ``tried`` of the beliefs, after a challenge
    ``windows``         the configuration of each window
    ``codes``, ``rows`` the code of each row, and the row of each placement, -1 if it is not possible
    ``ones`` …          how many more windows have one, two and three tiles after a placement
    ``points``          for each pattern the most points of one placement, its hex, the most points elsewhere
    ``covert``          the probability of each placement given each pattern, by the covert model
    ``given_away``      the log posterior of each pattern after each placement
    """

    root: Vector
    state: Vector
    followed: Vector
    control: Vector
    rng: RngVector
    joint: FloatMatrix
    silent: Matrix
    beliefs: FloatMatrix
    known: FloatMatrix
    possible: Vector
    trial: Vector
    tried: FloatMatrix
    windows: Vector
    codes: Vector
    rows: Vector
    ones: Int32Matrix
    twos: Int32Matrix
    threes: Int32Matrix
    sums: Int32Vector
    plain_sums: FloatVector
    best_gains: Vector
    best_counts: Vector
    points: Matrix
    changed: Vector
    changed_hex: Vector
    harm: FloatVector
    harm_weights: FloatVector
    factors: FloatMatrix
    columns: FloatVector
    covert: FloatMatrix
    given_away: FloatMatrix
    believed: FloatVector
    guesses: FloatVector
    shown: Vector
    at_once: Vector
    features: FloatVector
    shares: FloatVector
    values: FloatVector
    chances: FloatVector
    order: Vector
    picked: Vector
    packed: Int32Matrix
    judging: FloatMatrix
    open_weights: FloatVector
    covert_weights: FloatVector
    found: Vector
    line_codes: Matrix
    line_scores: FloatMatrix
