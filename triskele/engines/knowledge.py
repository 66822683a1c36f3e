"""The contract for a game's ``evaluation.py``: what engines may know beyond the rules.

Searches import these names from here and are linked to one game's functions, as the rules are (see
:mod:`triskele.core.contract`; the same restrictions hold). The bodies are what a game gets that says
nothing. ``weights`` is an array of learned numbers and ``room`` an array of ``ROOM`` words to scribble in,
zeros at first: both are passed in, so learning again needs no compiling, and nothing is allocated. A room
goes with one array of weights, so it can be used to remember what was worked out.

Beside these, ``evaluation.py`` may define for Python's side of the engines::

    load() -> NDArray[np.int32]                      the shipped weights, as ``evaluate`` wants them
    expand(parameters) -> NDArray[np.int32]          the same from learned parameters (see learning.py)
    PARAMETERS: int                                  how many of them there are
    ALIKE: int                                       how far apart parameters are that mean the same, in sets of them
    LEARNED_ON                                       options of the variants to learn on
    LEARNING                                         fields of a learning.Plan, where the usual ones do not suit
    first_guess() -> NDArray[np.float64]             parameters to begin learning with, instead of zeros
    LEVELS                                           see levels.py
    remark(options, state, codes, seat) -> Text | None   why a line is good, in words, for hints
    tally(state, seat) -> int                        what a beginner counts for a seat (see novice.py)

A game whose engine has other things to learn brings a ``training.py`` with
``train(folder, *, seed, rounds, games, executor, progress) -> Path``, which ``triskele train`` then calls.
"""

import numpy as np
from numpy.typing import NDArray

from triskele.core.compile import CONTRACTS
from triskele.core.contract import SIZE, Moves, State

CONTRACTS[__name__] = "evaluation"

Weights = NDArray[np.int32]
Room = NDArray[np.int64]

ROOM = 1024 + (4 << 13)
"""Words in the scratch array that every function here gets: some to scribble in, most to remember."""

UNIT = 1000
"""Values are in thousandths of a logit: a value of 1000 is a chance of 73 % to win."""


def evaluate(state: State, weights: Weights, room: Room) -> int:
    """Return the value for seat 0 of a settled position of two seats, in thousandths of a logit."""
    return 0


def settled(state: State) -> int:
    """Return 1 where a position can be judged as it stands, 0 in the middle of something forced."""
    return 1


def ply(state: State) -> int:
    """Return how much of the search depth a decision costs here; forced business should cost 0.

    An unbroken run of decisions that cost nothing must be short.
    """
    return 1


def noisy(state: State, moves: Moves, distance: int, room: Room) -> int:
    """Fill ``moves`` with those legal moves that no judgement may ignore; return their number.

    ``distance`` is how many decisions the search has come from the root. In a room that was used, the last
    thing it was used for must have been to judge this very position.
    """
    return 0


def sensible(state: State, moves: Moves, number: int) -> int:
    """Return how many of the ``number`` legal moves a search looks at, at least one; they come first then.

    Left out is what only takes back what the same seat has just done: an engine might do and undo forever.
    """
    return number


def arrange(state: State, moves: Moves, ranks: Moves, number: int, distance: int, weights: Weights, room: Room) -> None:
    """Add to ``ranks[i]`` how promising each of the ``number`` legal moves looks, up to a million.

    Only a move that is known to win has more, ``2**41``: it goes before what was best in an earlier search.

    ``distance`` is how many decisions the search has come from the root.
    """


def swing(depth: int) -> int:
    """Return how much a judgement may turn out too good within ``depth`` decisions, rarely more; 0 for none."""
    return 400 * depth


def hopeful(
    state: State, moves: Moves, ranks: Moves, first: int, number: int, bound: int, weights: Weights, room: Room
) -> int:
    """Of the ``number`` moves leave out those after ``first`` that will hardly be worth more than ``bound``.

    Return how many are left; they come first then, with their ranks. What a move is worth is meant as positions are
    judged after it, and it should cost much less than judging them. Asked where a position is settled.
    """
    return number


def width(state: State, depth: int, distance: int) -> int:
    """Return how many of the best-ranked moves to search; the others only as long as all of these lose.

    ``depth`` is how deep the search goes on from here, ``distance`` how many decisions it has come.
    """
    return 1 << 30


def key(state: State) -> int:
    """Return a hash of the position proper, non-negative. Equal positions have equal keys."""
    low = 0x2545F491
    high = 0x6C8E9CF5
    for i in range(1, SIZE):
        word = state[i]
        low = ((low ^ (word & 0x7FFFFFFF)) * 0x5851F42D + high) & 0x3FFFFFFFFFFFFFFF
        high = ((high ^ (word >> 31 & 0x7FFFFFFF)) * 0x4C957F2D + (low >> 31)) & 0x3FFFFFFFFFFFFFFF
        low = (low ^ low >> 29) & 0x7FFFFFFF
        high = (high ^ high >> 32) & 0x7FFFFFFF
    return int(high << 31 | low)


def features(state: State, index: Moves, value: Moves, room: Room) -> int:
    """Fill in which parameters matter here and how often each counts, for seat 0; return how many.

    :func:`evaluate` is the sum of parameter times value. Only learning uses this.
    """
    return 0
