"""A game as a sequence of decisions, one seat at a time, interrupts included.

Tools for programs (OpenSpiel, PettingZoo, training loops) know no interrupts: at each point one seat decides.
So after every move, each seat that could interrupt is asked, the seat to act first and then the
others clockwise (from the first seat when a die is to roll): it interrupts, or it lets things be, which is the action
``ACTIONS``, one more than the game has codes. The seat to act is asked when a move of its own would do the
same as an interrupt of another seat. Who is asked never depends on anything hidden: a seat
is left out only where it may not interrupt, or where everybody can see that it would not
(:func:`triskele.core.asking.hopeless`). In a game without interrupts nobody is ever asked.

The functions are programs for :mod:`triskele.core.compile`: ``window`` is an array of ``WINDOW`` words beside
the state, ``owners`` has for each code the seat whose interrupt it is, -1 for none, and is empty for a game
without interrupts.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from triskele.core.asking import hopeless
from triskele.core.compile import Program
from triskele.core.contract import ACTIONS, OVER, SIZE, Moves, State, actor, apply, interrupts, legal, redact
from triskele.core.game import Variant

Window = NDArray[np.int64]
Owners = NDArray[np.int64]

ASKED, FIRST, NEXT = 0, 1, 2
WINDOW = 3
"""Words of a window: the seat that is asked (-1: none), with whom asking began, how many were passed."""

WAIT = "wait"
"""The text of letting things be when asked."""

WHO_DECIDES = 16
WHO_IS_ASKED = 32


def owners_of(variant: Variant) -> Owners:
    """Return for each code the seat whose interrupt it is, or -1; empty when the game has no interrupts."""
    owner = variant.optional("interrupt_owner")
    if owner is None:
        return np.zeros(0, dtype=np.int64)
    codes = range(variant.game.rules_module.ACTIONS)
    found = [owner(variant.options, code) for code in codes]
    return np.array([-1 if seat is None else seat for seat in found], dtype=np.int64)


def new_window() -> Window:
    """Return a window in which nobody is asked."""
    window = np.zeros(WINDOW, dtype=np.int64)
    window[ASKED] = -1
    return window


# --- programs -----------------------------------------------------------------------------------


def decider(state: State, window: Window) -> int:
    """Return the seat that decides now, asked or in its turn, or ``CHANCE`` or ``OVER``."""
    if window[ASKED] >= 0:
        return int(window[ASKED])
    return actor(state)


def choices(state: State, window: Window, moves: Moves, owners: Owners) -> int:
    """Fill ``moves`` with the actions of the one who decides and return their number.

    Who is asked may do what it could do out of turn, or just as well in its turn, and may let things be.
    """
    asked = window[ASKED]
    # One call of `legal` in the code, wherever it can be: compiled, each call is all of it once more.
    listed = legal(state, moves) if asked < 0 or asked == actor(state) else interrupts(state, moves)
    if asked < 0:
        return listed
    number = 0
    for i in range(listed):
        code = moves[i]
        if owners[code] == asked and not hopeless(state, code):
            moves[number] = code
            number += 1
    moves[number] = ACTIONS
    return number + 1


def decide(state: State, window: Window, moves: Moves, owners: Owners, seats: int, action: int) -> None:
    """Take an action that is among the :func:`choices`, and find who is asked next."""
    if action != ACTIONS:
        apply(state, action)
    if len(owners) == 0:
        return
    if window[ASKED] < 0:
        window[FIRST] = max(0, actor(state))
        window[NEXT] = 0
    while window[NEXT] < seats and actor(state) != OVER:
        window[ASKED] = (window[FIRST] + window[NEXT]) % seats
        window[NEXT] += 1
        if choices(state, window, moves, owners) > 1:
            return
    # Words that mean nothing are always the same, so that equal situations are equal arrays.
    window[ASKED] = -1
    window[FIRST] = 0
    window[NEXT] = 0


def replay(state: State, window: Window, moves: Moves, owners: Owners, seats: int, actions: Moves) -> int:
    """Take actions one after another; stop at the first that is not among the choices. Return how many were taken."""
    for taken in range(len(actions)):
        found = False
        for i in range(choices(state, window, moves, owners)):
            if moves[i] == actions[taken]:
                found = True
        if not found:
            return taken
        decide(state, window, moves, owners, seats, actions[taken])
    return len(actions)


def observe(state: State, window: Window, seat: int, out: State) -> None:
    """Fill ``out``, of ``SIZE`` words, with what ``seat`` may know (-1: a spectator).

    These are the words of the position, redacted. Word 0 says instead who looks (bits 0 to 15, one for a seat), who
    decides (bits 16 to 31, none for a die and at the end) and whether that seat is being asked out of turn (bit 32).
    """
    for i in range(SIZE):
        out[i] = state[i]
    out[0] = SIZE
    redact(out, seat)
    who = 0
    if seat >= 0:
        who = 1 << seat
    deciding = decider(state, window)
    if deciding >= 0:
        who |= 1 << (WHO_DECIDES + deciding)
    if window[ASKED] >= 0:
        who |= 1 << WHO_IS_ASKED
    out[0] = who


CHOICES = Program(choices, "int64(int64[::1], int64[::1], int64[::1], int64[::1])")
DECIDE = Program(decide, "void(int64[::1], int64[::1], int64[::1], int64[::1], int64, int64)")
REPLAY = Program(replay, "int64(int64[::1], int64[::1], int64[::1], int64[::1], int64, int64[::1])")
OBSERVE = Program(observe, "void(int64[::1], int64[::1], int64, int64[::1])")
PROGRAMS: Mapping[str, Program] = {"choices": CHOICES, "decide": DECIDE, "replay": REPLAY, "observe": OBSERVE}


def bits(words: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return observations bit by bit: for ``(…, SIZE)`` words an array of zeros and ones of shape ``(…, SIZE, 64)``.

    Bit 0 comes first. Numbers in a position are small and non-negative or -1, sets are bit sets: nothing is lost,
    and whatever learns from it need not know which is which.
    """
    octets = np.ascontiguousarray(words, dtype="<i8").view(np.uint8)
    return np.unpackbits(octets, axis=-1, bitorder="little").reshape(*words.shape, 64)
