"""Wins within the turn in TRYPSYLON, double moves included, without trying every turn.

A card with all arms is pushed in first; the four directions of a real card are tried only where that joins the shores.
"""

from triskele.core.bits import ctz
from triskele.core.contract import State
from triskele.core.contract.evaluation import Workspace
from triskele.games.trypsylon.paths import joins
from triskele.games.trypsylon.rules import (
    BEHIND,
    BOARD,
    CHOOSE,
    CODES,
    COLUMNS,
    DOUBLE,
    DOWN,
    EDGES,
    EXPERT,
    FALLING,
    FIRST,
    FRAME,
    LAST,
    LIFTED,
    LINES,
    NE,
    ONE,
    PUSHES,
    ROWS,
    SEAT,
    STAGE,
    THROUGH,
    TWO,
    UP,
    VACANT,
    face_down,
    liftable,
)


def _wins(planes: Workspace, at: int, state: State, side: int) -> bool:
    """Return whether a side is joined by the cards at a place in the workspace."""
    return joins(
        planes[at], planes[at + 1], planes[at + 2], planes[at + 3], state[BOARD], state[COLUMNS], state[ROWS], side
    )


# Places in the workspace, each with four planes of cards and the vacancies: before a push, after one, after two.
BEFORE = 0
ONCE = 5
TWICE = 10


def slide(workspace: Workspace, source: int, target: int, state: State, entrance: int) -> int:
    """Push from an entrance towards the nearest vacancy, as the rules do; return the edge cell, left empty.

    The position at ``source`` in the workspace stays; the one after the push is at ``target``.
    """
    line = LINES[entrance] & state[BOARD]
    gaps = line & workspace[source + 4]
    if entrance < FALLING:
        gap = gaps & -gaps
        span = line & (gap | (gap - 1))
    else:
        gap = gaps & (gaps - 1)
        if gap == 0:
            gap = gaps
        span = line & -gap
    pushed = span ^ gap
    kept = ~span
    up = UP[entrance]
    down = DOWN[entrance]
    for plane in range(4):
        cards = workspace[source + plane]
        workspace[target + plane] = (cards & kept) | ((cards & pushed) << up) >> down
    workspace[target + 4] = workspace[source + 4] ^ gap
    return int(EDGES[24 * state[FRAME] + entrance])


def entrances(vacant: int, frame: int) -> int:
    """Return the entrances where a card may be pushed in with these vacancies, as a bit set."""
    square = ctz(vacant)
    ways = THROUGH[square]
    shut = BEHIND[57 * frame + square]
    vacant &= vacant - 1
    if vacant != 0:
        square = ctz(vacant)
        ways |= THROUGH[square]
        shut |= BEHIND[57 * frame + square]
    return int(ways & ~shut)


_ALL_ARMS = -1
_ANY = 4
"""Directions to try a card in: a card with all arms first and then, if that wins, the four directions."""


def _lay(workspace: Workspace, at: int, edge: int, direction: int) -> None:
    """Put a card into an empty edge cell, or take it off again: in one plane, or in all of them."""
    for plane in range(4):
        if direction in (plane, _ALL_ARMS):
            workspace[at + plane] ^= edge


def _last_push(workspace: Workspace, source: int, state: State, side: int, exact: int) -> int:
    """Return a winning push of the last card in hand, -1 if there is none; of a card with all arms if not ``exact``."""
    ways = entrances(workspace[source + 4], state[FRAME])
    while ways != 0:
        entrance = ctz(ways)
        ways &= ways - 1
        edge = slide(workspace, source, TWICE, state, entrance)
        for direction in range(_ALL_ARMS, _ANY):
            _lay(workspace, TWICE, edge, direction)
            won = _wins(workspace, TWICE, state, side)
            _lay(workspace, TWICE, edge, direction)
            if won and (direction != _ALL_ARMS or exact == 0):
                return PUSHES + 4 * entrance + direction
            if not won and direction == _ALL_ARMS:
                break
    return -1


def _first_push(workspace: Workspace, state: State, side: int) -> int:
    """Return a first push of two cards in hand after which the second can win, -1 if there is none."""
    ways = entrances(workspace[BEFORE + 4], state[FRAME])
    while ways != 0:
        entrance = ctz(ways)
        ways &= ways - 1
        edge = slide(workspace, BEFORE, ONCE, state, entrance)
        for direction in range(_ALL_ARMS, _ANY):
            _lay(workspace, ONCE, edge, direction)
            follow = _last_push(workspace, ONCE, state, side, 0 if direction == _ALL_ARMS else 1)
            _lay(workspace, ONCE, edge, direction)
            if follow < 0 and direction == _ALL_ARMS:
                break
            if follow >= 0 and direction != _ALL_ARMS:
                return PUSHES + 4 * entrance + direction
    return -1


def lift(state: State, workspace: Workspace, cells: int) -> None:
    """Set up the position at ``BEFORE`` without the cards of some cells, which are vacant then."""
    for plane in range(4):
        workspace[BEFORE + plane] = state[NE + plane] & ~cells
    workspace[BEFORE + 4] = state[VACANT] | cells


def winning_move(state: State, workspace: Workspace) -> int:
    """Return a move of the seat to act that leads to a win within this turn, -1 if there is none."""
    side = state[SEAT] ^ state[FIRST]
    stage = state[STAGE]
    hidden = face_down(state)
    double = state[DOUBLE] != 0 and (stage == CHOOSE or (stage == ONE and state[LIFTED] == 0))
    # With one card: any that may be lifted, or the one in hand.
    cells = liftable(state) if stage == CHOOSE else 0
    if state[EXPERT] != 0 and double:
        if stage == ONE and hidden != 0:
            cells = -1  # T14: not with one card only
        elif stage == CHOOSE and hidden & (hidden - 1) != 0:
            cells &= ~hidden
    if stage != TWO and cells >= 0:
        while True:
            cell = cells & -cells
            cells &= cells - 1
            lift(state, workspace, cell)
            found = _last_push(workspace, BEFORE, state, side, 1)
            if found >= 0:
                return found if stage != CHOOSE else int(CODES[ctz(cell)])
            if cells <= 0:
                break
    if stage == LAST or (stage != TWO and not double):
        return -1
    # With two: any two that are face down, the one in hand and another, or those in hand.
    firsts = hidden if stage == CHOOSE else 0
    while True:
        first = firsts & -firsts
        firsts &= firsts - 1
        seconds = 0 if stage == TWO else hidden if stage == ONE else firsts
        while True:
            second = seconds & -seconds
            seconds &= seconds - 1
            if second != 0 or stage == TWO:
                lift(state, workspace, first | second)
                found = _first_push(workspace, state, side)
                if found >= 0:
                    return found if stage == TWO else int(CODES[ctz(second if stage == ONE else first)])
            if seconds <= 0:
                break
        if firsts <= 0:
            break
    return -1
