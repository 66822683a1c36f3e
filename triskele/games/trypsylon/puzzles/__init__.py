"""Puzzles of TRYPSYLON: win by force in one turn or in two."""

import numpy as np

from triskele.core.contract.puzzles import ForcedKind, Puzzles
from triskele.core.contract.rules import Moves, State
from triskele.games.trypsylon.rules import DOUBLE, LOG, SEGMENT, SIZE, USED
from triskele.games.trypsylon.winning_turns import winning_move


def forget(state: State) -> State:
    """Return a state whose log has the position of this turn alone: no puzzle is long enough for repetition (T16)."""
    if state[USED] <= SIZE + LOG:
        return state
    short = np.concatenate([state[:SIZE], state[state[USED] - LOG : state[USED]]])
    short[USED] = len(short)
    short[SEGMENT] = SIZE
    return short


def within_turn(first: State, state: State, seat: int, number: int, scratch: Moves) -> int:
    """Return whether the seat to act can win in this turn."""
    return 1 if winning_move(state, scratch) >= 0 else 0


def promises(state: State, turns: int) -> bool:
    """Leave out longer puzzles that begin with a choice of double moves: there are too many of them to prove."""
    return turns == 1 or not state[DOUBLE]


PUZZLES = Puzzles(
    kinds=(ForcedKind("win", turns=(1, 2), share=(40, 60), budget=(1_000, 10_000), promises=promises),),
    variants=({}, {}, {}, {"columns": 6, "rows": 6}, {"columns": 6}, {"rows": 6}, {"expert": True}),
    late=10,
    deviations=20,
    forget=forget,
)
