"""Puzzles of YINSH: win by force, take the next ring by force, save yourself."""

from triskele.core.contract.aims import MISSED, OPEN, REACHED
from triskele.core.contract.puzzles import ForcedKind, Puzzles
from triskele.core.contract.rules import State
from triskele.core.position import Position
from triskele.games.yinsh.rules import BLITZ, FINISHED, OFF, PHASE, TAKING_RING, TAKING_ROW, TURN, WINNER

WIN, RING, SAVE = range(3)


def aim(first: State, state: State, seat: int, number: int) -> int:
    """Return whether a seat wins, takes the next ring, or does not lose.

    Whoever has a row to take gets a ring for it (Y6), and with the third (in blitz the first) the game (Y10). So the
    aim is reached when the row is there and its owner is to settle; which row and ring are taken then does not matter.
    """
    if state[PHASE] == FINISHED:
        if number == SAVE:
            return MISSED if state[WINNER] == 1 - seat else REACHED
        return REACHED if state[WINNER] == seat else MISSED
    if state[PHASE] == TAKING_ROW or state[PHASE] == TAKING_RING:
        owner = state[TURN]
        wins = state[BLITZ] != 0 or state[OFF + owner] == 2
        if number == RING or wins:
            return REACHED if owner == seat else MISSED
    return OPEN


def as_blitz(position: Position) -> Position:
    """Return the position with blitz rules and no ring off yet: there, taking the next ring wins (Y10)."""
    state = position.state
    state[BLITZ] = 1
    state[OFF] = state[OFF + 1] = 0
    return Position(position.variant.game.variant({"blitz": True}), state)


PUZZLES = Puzzles(
    kinds=(
        ForcedKind("win", turns=(1, 2, 3), number=WIN, share=(8, 20, 10)),
        ForcedKind("ring", turns=(1, 2, 3), number=RING, share=(8, 20, 7), rated_as=as_blitz),
        ForcedKind("save", turns=(1, 2), number=SAVE, survive=True, share=(15, 12)),
    ),
    variants=({}, {}, {}, {"blitz": True}),
)
