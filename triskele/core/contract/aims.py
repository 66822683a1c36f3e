"""The contract for the aim of a puzzle, which a game's ``puzzles`` may define: functions that searches are linked to.

See :mod:`triskele.core.contract.puzzles`. The restrictions of :mod:`triskele.core.contract.rules` hold.
"""

from triskele.core.contract.rules import OVER, Moves, State, actor, winners

REACHED, OPEN, MISSED = 1, 0, -1
"""What :func:`aim` returns."""


def aim(first: State, state: State, seat: int, number: int) -> int:
    """Return whether ``seat`` has ``REACHED`` or ``MISSED`` the aim of a forced kind, or it is still ``OPEN``.

    ``first`` is the state in which the puzzle begins, ``number`` that of the kind. When the game is over the aim is
    either reached or missed. By default the aim is to win.
    """
    if actor(state) != OVER:
        return OPEN
    return REACHED if winners(state) == 1 << seat else MISSED


UNKNOWN = -1
SCRATCH = 64
"""Words of the scratch array that :func:`within_turn` gets."""


def within_turn(first: State, state: State, seat: int, number: int, scratch: Moves) -> int:
    """Return 1 if ``seat``, which is to act, can reach the aim in this turn, 0 if not, ``UNKNOWN`` to have it searched.

    A game that knows this without trying every turn says it here: puzzles are then found faster. Proofs do not use it.
    """
    return UNKNOWN
