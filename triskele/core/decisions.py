"""A game as a sequence of decisions, one seat at a time, interrupts included.

Tools for programs (OpenSpiel, PettingZoo, training loops) know no interrupts: at each point one seat decides.
So after every move, each seat that could interrupt is asked, the seat to act first and then the
others clockwise (from the first seat when a die is to roll): it interrupts, or it lets things be, which is the action
``ACTIONS``, one more than the game has codes. The seat to act is asked when a move of its own would do the
same as an interrupt of another seat. Who is asked never depends on anything hidden: a seat
is left out only where it may not interrupt, or where everybody can see that it would not
(:func:`triskele.core.contract.rules.hopeless`). In a game without interrupts nobody is ever asked.

The functions are programs for :mod:`triskele.core.compile`: ``window`` is an array of ``WINDOW`` words beside
the state, ``owners`` has for each code the seat whose interrupt it is, -1 for none, and is empty for a game
without interrupts.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triskele.core.compile import Program
from triskele.core.contract import ACTIONS, OVER, SIZE, Moves, State, actor, apply, hopeless, interrupts, legal, redact
from triskele.core.errors import IllegalMove
from triskele.core.game import Variant
from triskele.core.words import text

Window = NDArray[np.int64]
Owners = NDArray[np.int64]

ASKED, FIRST, NEXT = 0, 1, 2
WINDOW = 3
"""Words of a window: the seat that is asked (-1: none), with whom asking began, how many were passed."""

WAIT = "wait"
"""The text of letting things be when asked."""

SHOWN = 8
"""So many legal actions are named when an illegal one is refused."""

WHO_DECIDES = 16
WHO_IS_ASKED = 32


def owners_of(variant: Variant) -> Owners:
    """Return for each code the seat whose interrupt it is, or -1; empty when the game has no interrupts."""
    owner = variant.game.notation.interrupt_owner
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


# --- for Python -----------------------------------------------------------------------------------


class Decisions:
    """The programs above for one variant: plain at first, compiled as soon as that can be had."""

    def __init__(self, variant: Variant) -> None:
        """Find out about interrupts; :meth:`prepare` begins to compile."""
        self.variant = variant
        self.owners = owners_of(variant)
        self.wait: int | None = variant.game.rules_module.ACTIONS if len(self.owners) else None
        self.actions: int = variant.game.rules_module.ACTIONS + len(self.owners[:1])
        self._moves = np.zeros(variant.moves_limit + 1, dtype=np.int64)

    def prepare(self) -> None:
        """Begin to compile in the background; returns at once."""
        own = (CHOICES, DECIDE, REPLAY) if self.wait else ()
        self.variant.game.linker.prepare((OBSERVE, *own))

    def _program(self, program: Program) -> Callable[..., Any]:
        return self.variant.game.linker.best(program)

    def decider(self, state: State, window: Window) -> int:
        """Return who decides: a seat, ``CHANCE`` or ``OVER``."""
        return int(window[ASKED]) if window[ASKED] >= 0 else int(self.variant.rules.actor(state))

    def choices(self, state: State, window: Window) -> list[int]:
        """Return the actions of the one who decides, in order."""
        if self.wait is None:
            number = self.variant.rules.legal(state, self._moves)
        else:
            number = self._program(CHOICES)(state, window, self._moves, self.owners)
        found: list[int] = np.sort(self._moves[:number]).tolist()
        return found

    def chance_outcomes(self, state: State, window: Window) -> list[tuple[int, int]]:
        """Return the outcomes of chance, which decides here, by ascending code, each with its weight."""
        weight = self.variant.rules.chance_weight
        return [(code, int(weight(state, code))) for code in self.choices(state, window)]

    def decide(self, state: State, window: Window, action: int) -> None:
        """Take one of the choices; the state must have room for its log."""
        if self.wait is None:
            self.variant.rules.apply(state, action)
        else:
            self._program(DECIDE)(state, window, self._moves, self.owners, self.variant.seats, action)

    def replay(self, state: State, window: Window, actions: Sequence[int]) -> int:
        """Take actions as long as they are among the choices, and return how many were taken."""
        codes = np.array(actions, dtype=np.int64)
        program = self._program(REPLAY)
        return int(program(state, window, self._moves, self.owners, self.variant.seats, codes))

    def observe(self, state: State, window: Window, seat: int | None) -> State:
        """Return what a seat may know (``None``: a spectator), as :func:`observe` does."""
        words = np.empty(self.variant.size, dtype=np.int64)
        self._program(OBSERVE)(state, window, -1 if seat is None else seat, words)
        return words

    def text(self, action: int) -> str:
        """Return the text of an action: a move's, or :data:`WAIT`."""
        return WAIT if action == self.wait else self.variant.move(action).text

    def refusal(self, action: object, state: State, window: Window) -> IllegalMove:
        """Return the error that says an action is not among the choices, and what is."""
        legal_here = self.choices(state, window)
        some = ", ".join(f"{code} ({self.text(code)})" for code in legal_here[:SHOWN])
        more = "…" if len(legal_here) > SHOWN else ""
        return IllegalMove(text("core.action-illegal", action=str(action)[:30], legal=some + more))


def bits(words: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return observations bit by bit: for ``(…, SIZE)`` words an array of zeros and ones of shape ``(…, SIZE, 64)``.

    Bit 0 comes first. Numbers in a position are small and non-negative or -1, sets are bit sets: nothing is lost,
    and whatever learns from it need not know which is which.
    """
    octets = np.ascontiguousarray(words, dtype="<i8").view(np.uint8)
    return np.unpackbits(octets, axis=-1, bitorder="little").reshape(*words.shape, 64)
