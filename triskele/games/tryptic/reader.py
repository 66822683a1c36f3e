"""The reader from Python: all that it makes of a position at once, for training, tests and measurements."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triskele.core.compile import Program
from triskele.core.contract import Moves, State
from triskele.core.contract.levels import FULL
from triskele.core.contract.search_program import question_words, root_words
from triskele.core.game import game
from triskele.core.search_driver import SearchDriver
from triskele.games.tryptic.belief import list_beliefs, weigh_placements
from triskele.games.tryptic.inference import INFER, continue_belief, infer_next
from triskele.games.tryptic.notation import move_text
from triskele.games.tryptic.placement_search import search_program, take_question
from triskele.games.tryptic.reader_workspace import (
    C_CHALLENGE,
    C_ROWS,
    C_SEAT,
    C_STAGE,
    S_CHANCE,
    S_NEEDED,
    S_RIGHT,
    S_WORTH,
    ReaderWorkspace,
)
from triskele.games.tryptic.rules import ACTIONS, PLAYERS
from triskele.games.tryptic.seat_evaluation import (
    evaluate_seat,
    find_challenge,
    list_features,
    logit_of,
    see_prospects,
    win_logit_after,
)
from triskele.games.tryptic.weights import LearnedWeights
from triskele.games.tryptic.windows import POINT, WORTH, list_placements

Reals = NDArray[np.float64]
Codes = NDArray[np.int64]

UNSEEN = -1
"""In a history: a move that the seat has not seen."""

_CODES = {move_text({}, code): code for code in range(ACTIONS)}


def history_codes(moves: Sequence[str]) -> list[int]:
    """Return the codes of moves as a seat saw them, ``UNSEEN`` for the choice of a pattern that it did not see."""
    return [_CODES.get(written, UNSEEN) for written in moves]


def read_position(ws: ReaderWorkspace, root: State, question: Moves) -> None:
    """Follow the moves to a position, and fill in everything that the reader can say about it."""
    take_question(ws, root, question)
    ws.control[C_STAGE] = INFER
    continue_belief(ws)
    while ws.control[C_STAGE] == INFER:
        infer_next(ws)
    list_placements(ws)
    list_beliefs(ws)
    evaluate_seat(ws)
    find_challenge(ws)
    weigh_placements(ws, int(ws.control[C_SEAT]))
    for row in range(ws.control[C_ROWS]):
        ws.values[row] = win_logit_after(ws, row)
    see_prospects(ws)
    list_features(ws, ws.root, ws.known, ws.known[ws.control[C_SEAT]])


READ_POSITION = Program(read_position, "void(ReaderWorkspace, int64[::1], int64[::1])", (ReaderWorkspace,))


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

    def pays(self, otherwise: float) -> bool:
        """Return whether it beats a chance to win of ``otherwise``."""
        return logit_of(self.worth) > logit_of(otherwise)


@dataclass(frozen=True)
class Reading:
    """What the reader makes of a position for a seat. Rows are placements, columns patterns.

    ``beliefs`` are the posteriors of all seats from public events, ``known`` those by the tiles that the seat knows of;
    ``changes`` how many more windows have one, two and three tiles; ``win_logits`` the chance to win after a placement.
    """

    seat: int
    beliefs: Reals
    known: Reals
    features: Reals
    chance: float
    challenge: Challenge
    codes: Codes
    changes: Codes
    harm: Reals
    given_away: Reals
    covert: Reals
    win_logits: Reals

    @property
    def gains(self) -> Reals:
        """What each placement gains for each pattern, in points."""
        return np.tensordot(WORTH, self.changes, axes=1) / POINT


class Reader:
    """Reads positions with some weights; what it has followed of a game is kept for the next position."""

    def __init__(self, weights: LearnedWeights) -> None:
        """Read with ``weights``; compiles or loads what that takes."""
        self._driver = SearchDriver(search_program(weights))
        self._read = game("tryptic").linker.program(READ_POSITION)

    def read(self, known: State, history: Sequence[int], seat: int) -> Reading:
        """Return the reading of a position that is not over, after the choice of patterns.

        ``history`` are the codes of all moves made, -1 for those that the seat has not seen.
        """
        root = root_words(known, history)
        self._driver.provide(len(root))
        self._read(self._driver.workspace, root, question_words(FULL, seat=seat, nodes=None, seed=0))
        ws: ReaderWorkspace = self._driver.workspace
        rows, players = int(ws.control[C_ROWS]), int(ws.root[PLAYERS])
        shares = ws.shares.tolist()
        return Reading(
            seat=seat,
            beliefs=ws.beliefs[:players].copy(),
            known=ws.known[:players].copy(),
            features=ws.features.copy(),
            chance=shares[S_CHANCE],
            challenge=Challenge(int(ws.control[C_CHALLENGE]), shares[S_RIGHT], shares[S_NEEDED], shares[S_WORTH]),
            codes=ws.codes[:rows].copy(),
            changes=np.stack([each[:rows] for each in (ws.ones, ws.twos, ws.threes)]).astype(np.int64),
            harm=ws.harm[:rows].copy(),
            given_away=ws.given_away[:rows].copy(),
            covert=ws.covert[:rows].copy(),
            win_logits=ws.values[:rows].copy(),
        )
