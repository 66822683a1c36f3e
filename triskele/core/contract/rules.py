"""The contract between a game's rules and everything that uses them.

A game's ``rules.py`` holds plain functions over one small array, the *state*, with the names and
signatures below. This module states the contract once; the bodies here are the defaults for what a
game need not say. Generic programs (a playout, a search) import these names from here and are
linked to one game's functions by :mod:`triskele.core.compile`, plain or compiled.

The state is a one-dimensional ``int64`` array. ``state[0]`` is the number of words in use. The
first ``SIZE`` words are the position proper; what follows is an append-only log (for rules that
look back, such as repetition): :func:`apply` may append up to ``LOG`` words and never changes what
is already there, so restoring the first ``SIZE`` words undoes a move. The caller of :func:`apply`
guarantees ``len(state) >= state[0] + LOG``.

A rules module also defines these constants:

``SIZE``     words of the position proper (includes what the options say)
``LOG``      words that one move may append to the log; 0 for most games
``MOVES``    no position has more legal moves than this (length of a move buffer)
``ACTIONS``  every move is a code ``0 <= code < ACTIONS``, the same code in every position
``REASONS``  how a game can end, as words; :func:`reason` gives an index into it
``VERSION``  the version of these rules, kept in records

Rules import nothing but ``triskele.core`` and NumPy, keep no state of their own, allocate nothing,
and stay within what Numba compiles: no closures, no keyword-only arguments, no dicts or lists at
module level (tuples and arrays), no module attributes other than ``np.…``. All numbers are ``int64`` and stay below
``2**63``, so that plain and compiled functions agree.
"""

import numpy as np
from numpy.typing import NDArray

State = NDArray[np.int64]
Moves = NDArray[np.int64]
Scores = NDArray[np.float64]

CHANCE = -1
"""The actor when a die is to roll or a card to be drawn."""
OVER = -2
"""The actor when the game is over."""

SIZE = 0
LOG = 0
MOVES = 0
ACTIONS = 0
REASONS: tuple[str, ...] = ()
VERSION = 0

WEIGHTED_CHANCE = False
"""Whether the rules define :func:`chance_weight`. A program that uses this name is told so by linking."""


def start(state: State, options: Moves) -> None:
    """Set up the first position in a state of zeros; ``options`` are the encoded options in order."""
    raise NotImplementedError


def actor(state: State) -> int:
    """Return the seat to act, ``CHANCE`` or ``OVER``."""
    raise NotImplementedError


def legal(state: State, moves: Moves) -> int:
    """Fill ``moves`` with the codes of all legal moves of the actor and return their number.

    No code comes twice. The number is 0 only when the game is over. For chance, the codes are the possible outcomes
    of the roll or draw, in ascending order; :func:`chance_weight` says how likely each is.
    """
    raise NotImplementedError


def chance_weight(state: State, move: int) -> int:
    """Return how much an outcome of chance weighs: its probability is its weight over the sum of all weights.

    Asked only where chance acts, for codes that :func:`legal` lists there. Weights are positive; their sum stays below
    ``2**31``. Without this function all outcomes are equally likely.
    """
    return 1


def apply(state: State, move: int) -> None:
    """Make a legal move (or a legal interrupt) in place. Behaviour on other codes is undefined."""
    raise NotImplementedError


def winners(state: State) -> int:
    """Return the winners of a finished game as a bit set of seats; 0 for a draw."""
    raise NotImplementedError


def scores(state: State, out: Scores) -> None:
    """Fill ``out[seat]`` with the scores of a finished game. They add up to zero."""
    raise NotImplementedError


def reason(state: State) -> int:
    """Return how a finished game ended: an index into ``REASONS``."""
    raise NotImplementedError


def count(state: State, moves: Moves) -> int:
    """Return the number of legal moves; may leave in ``moves`` what :func:`nth` wants to know.

    A game whose moves can be counted faster than listed defines this and :func:`nth` together.
    """
    return legal(state, moves)


def nth(state: State, moves: Moves, k: int) -> int:
    """Return legal move ``k`` right after ``count(state, moves)``; the order is that of :func:`legal`."""
    return int(moves[k])


def interrupts(state: State, moves: Moves) -> int:
    """Fill ``moves`` with what seats *not* to act may do now and return the number of these codes."""
    return 0


def hopeless(state: State, move: int) -> bool:
    """Return whether everybody can see that making this interrupt now could only harm its owner.

    Programs are asked for one decision at a time (:mod:`triskele.core.decisions`), and being asked must not tell
    anything: every seat is asked whether it interrupts, except where this says that the answer is public. So it is
    worked out from what is public in ``state`` and nothing else.
    """
    return False


def redact(state: State, seat: int) -> None:
    """Remove in place what ``seat`` may not know (-1: a spectator). Open games have nothing to remove.

    The result is a state that every function here accepts; a finished game hides nothing.
    """


def rollout_count(state: State, moves: Moves) -> int:
    """Like :func:`count`, over the moves that a random mover chooses from.

    All legal moves by default. A game in which most legal moves throw the game away (a blind guess,
    a false claim) narrows them here, and may offer interrupts, so that random play means something. Where chance
    acts, these are its outcomes, exactly as :func:`legal` lists them.
    """
    return count(state, moves)


def rollout_nth(state: State, moves: Moves, k: int) -> int:
    """Like :func:`nth`, right after ``rollout_count(state, moves)``."""
    return nth(state, moves, k)
