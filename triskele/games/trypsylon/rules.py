"""The rules of TRYPSYLON (T1 to T16 in the help page).

The board is a set of bitboards with seven bits a row: the cell in column ``c`` and row ``r`` (from 0, west
and south first) is bit ``(r + 1) * 7 + c + 1``. So bit 0 of every row is a border that stands west of one
row and east of the row below, and all bits that a shift can reach stay below ``2**57``.

``NE`` … ``NW``   the face-up cards, one plane for each corner that the diagonal arm points into
``VACANT``        the cells whose cards are in hand; a face-down card is a cell of the board in none of these
``SEAT``          the seat to act, or ``OVER``
``STAGE``         what is in hand: ``CHOOSE`` nothing, ``ONE`` card, ``TWO`` cards (of a double move), or the
                  ``LAST`` of two, the other being on the board again
``LIFTED``        the plane that the card in hand came from; 0 when it was face down
``BARRED``        the cell of the card inserted last, as a set of one (T5); empty before the first move and
                  in stage ``LAST``
``DOUBLE``        1 when the one to act may make a double move (T6, T9, T14) in this turn
``RESULT``        the winners as a bit set, or ``DRAWN``; 0 while the game goes on
``SEGMENT``       where in the log the positions begin that can still come up again (T16)
``BOARD``         all cells of the frame
``FRAME``         which of the four frames it is, for the tables

and the options. The log has one entry of ``LOG`` words for every completed move that did not end the game by
a path, unless ``REPETITION`` is 0: the four planes, and the barred cell with the seat and ``DOUBLE`` above it.
Cards never turn face down again, so what was before the last face-down card was played cannot come up again:
there the segment begins anew. The entries of a segment have the seats by turns.

Codes: a lift is the cell (``6 * row + column``); a push is ``PUSHES + 4 * entrance + direction``, where
an entrance is ``6 * side + line`` with the sides in the order south, west, north, east, and the direction
is a plane less one; ``BACK`` puts the cards in hand back.
"""

import numpy as np

from triskele.core.bits import ctz, popcount, select
from triskele.core.contract import OVER, Moves, Scores, State

VERSION = 1
REASONS = ("path", "repetition")

USED = 0
NE = 1
SE = 2
SW = 3
NW = 4
VACANT = 5
SEAT = 6
STAGE = 7
LIFTED = 8
BARRED = 9
DOUBLE = 10
RESULT = 11
SEGMENT = 12
BOARD = 13
FRAME = 14
COLUMNS = 15
ROWS = 16
EXPERT = 17
FIRST = 18
TOUCH_MOVE = 19
REPETITION = 20
SIZE = 21
LOG = 5

CHOOSE = 0
ONE = 1
TWO = 2
LAST = 3

DRAWN = 4

PUSHES = 36
BACK = 132
ACTIONS = 133
MOVES = 52
"""35 second cards, four entrances with four directions each, and ``BACK``."""

ENDGAME = 3
"""With this many face-down cards or fewer there are no double moves (T9)."""

BEACHES = 1
MEADOWS = 2
"""Which shores are joined, as bits of what :func:`joined` returns."""

STRIDE = 7
FALLING = 12
"""Entrances from here on push towards lower bits: from the north and from the east."""

SPAN = (1 << 57) - 1
WEST = sum(1 << STRIDE * row + 1 for row in range(1, 7))
SOUTH = sum(1 << STRIDE + column for column in range(1, 7))
SEAT_SHIFT = 57
DOUBLE_SHIFT = 58


def _square(column: int, row: int) -> int:
    return STRIDE * (row + 1) + column + 1


def _board(columns: int, rows: int) -> int:
    return sum(1 << _square(column, row) for row in range(rows) for column in range(columns))


def _edge(entrance: int, columns: int, rows: int) -> int:
    side, line = divmod(entrance, 6)
    if line >= (columns, rows)[side % 2]:
        return 0
    return 1 << _square(*((line, 0), (0, line), (line, rows - 1), (columns - 1, line))[side])


def _through(square: int) -> int:
    row, column = square // STRIDE - 1, square % STRIDE - 1
    if not (0 <= row < 6 and 0 <= column < 6):
        return 0
    return 1 << column | 1 << 6 + row | 1 << 12 + column | 1 << 18 + row


_FRAMES = ((5, 5), (5, 6), (6, 5), (6, 6))

CELLS = np.array([1 << _square(code % 6, code // 6) for code in range(36)], dtype=np.int64)
"""The cell of a lift, as a set of one."""
RANKED = np.array(
    [code for columns, rows in _FRAMES for code in ([c for c in range(6 * rows) if c % 6 < columns] + 36 * [0])[:36]],
    dtype=np.int64,
)
"""For every frame its lifts in order."""
CODES = np.array([max(0, 6 * (square // STRIDE - 1) + square % STRIDE - 1) for square in range(57)], dtype=np.int64)
"""The lift of a bit's cell."""
BOARDS = np.array([_board(*frame) for frame in _FRAMES], dtype=np.int64)
LINES = np.array([WEST << e % 6 if e // 6 % 2 == 0 else SOUTH << STRIDE * (e % 6) for e in range(24)], dtype=np.int64)
"""The line that an entrance leads into; on a small frame only a part of it is on the board."""
EDGES = np.array([_edge(e, *frame) for frame in _FRAMES for e in range(24)], dtype=np.int64)
"""For every frame the cell at each entrance."""
UP = np.array(6 * [STRIDE] + 6 * [1] + 12 * [0], dtype=np.int64)
DOWN = np.array(12 * [0] + 6 * [STRIDE] + 6 * [1], dtype=np.int64)
"""For every entrance how far a pushed card's bit moves up, and down."""
THROUGH = np.array([_through(square) for square in range(57)], dtype=np.int64)
"""The entrances, as a set, of the lines through a bit's cell."""
BEHIND = np.array(
    [sum(1 << e for e in range(24) if _edge(e, *frame) == 1 << square) for frame in _FRAMES for square in range(57)],
    dtype=np.int64,
)
"""For every frame the entrances, as a set, that lead into a bit's cell first."""


def start(state: State, options: Moves) -> None:
    """Lay out all cards face down (T3)."""
    columns, rows = options[0], options[1]
    frame = 2 * (columns - 5) + rows - 5
    state[BOARD] = BOARDS[frame]
    state[FRAME] = frame
    state[COLUMNS] = columns
    state[ROWS] = rows
    state[EXPERT] = options[2]
    state[FIRST] = options[3]
    state[TOUCH_MOVE] = options[4]
    state[REPETITION] = options[5]
    state[SEGMENT] = SIZE


def actor(state: State) -> int:
    """Return the seat to act or ``OVER``."""
    return int(state[SEAT])


def face_up(state: State) -> int:
    """Return the cells with face-up cards."""
    return int(state[NE] | state[SE] | state[SW] | state[NW])


def face_down(state: State) -> int:
    """Return the cells with face-down cards."""
    return int(state[BOARD] & ~(face_up(state) | state[VACANT]))


def liftable(state: State) -> int:
    """Return the cells whose cards may be taken out now."""
    stage = state[STAGE]
    if stage == CHOOSE:
        return int(state[BOARD] & ~state[BARRED])
    if stage == ONE and state[DOUBLE] != 0 and state[LIFTED] == 0:
        return face_down(state)
    return 0


def entrances(state: State) -> int:
    """Return where the card in hand may be pushed in, as a set of entrances (T7)."""
    stage = state[STAGE]
    if stage == CHOOSE:
        return 0
    if state[EXPERT] != 0 and stage == ONE and liftable(state) != 0:
        return 0  # T14: the second card is a must
    vacant = state[VACANT]
    base = 57 * state[FRAME]
    square = ctz(vacant)
    ways = THROUGH[square]
    shut = BEHIND[base + square]
    vacant &= vacant - 1
    if vacant != 0:
        square = ctz(vacant)
        ways |= THROUGH[square]
        shut |= BEHIND[base + square]
    return int(ways & ~shut)


def returnable(state: State) -> int:
    """Return 1 when the cards in hand may be put back (T15), else 0."""
    if state[TOUCH_MOVE] == 0 and (state[STAGE] == ONE or state[STAGE] == TWO):
        return 1
    return 0


def count(state: State, moves: Moves) -> int:
    """Return the number of legal moves; leaves the lifts and entrances as sets in ``moves``."""
    if state[SEAT] == OVER:
        return 0
    lifts = liftable(state)
    ways = entrances(state)
    moves[0] = lifts
    moves[1] = ways
    return popcount(lifts) + 4 * popcount(ways) + returnable(state)


def nth(state: State, moves: Moves, k: int) -> int:
    """Return legal move ``k`` right after ``count(state, moves)``: lifts, then pushes, then ``BACK``."""
    lifts = moves[0]
    number = popcount(lifts)
    if k < number:
        if state[STAGE] != CHOOSE:
            return int(CODES[select(lifts, k)])
        # All cells but one: quicker than `select`.
        barred = popcount(state[BOARD] & (state[BARRED] - 1))
        return int(RANKED[36 * state[FRAME] + k + int(k >= barred)])
    k -= number
    ways = moves[1]
    if k < 4 * popcount(ways):
        return PUSHES + 4 * _pick(ways, k >> 2) + (k & 3)
    return BACK


def _pick(ways: int, k: int) -> int:
    """Return entrance ``k < 8`` of a set: ``select`` for so few, without branches that go either way."""
    if k & 1:
        ways &= ways - 1
    if k & 2:
        ways &= ways - 1
        ways &= ways - 1
    if k & 4:
        ways &= ways - 1
        ways &= ways - 1
        ways &= ways - 1
        ways &= ways - 1
    return ctz(ways)


def legal(state: State, moves: Moves) -> int:
    """Fill ``moves`` with all legal moves: lifts, then pushes, then ``BACK``."""
    if state[SEAT] == OVER:
        return 0
    number = 0
    lifts = liftable(state)
    while lifts != 0:
        moves[number] = CODES[ctz(lifts)]
        number += 1
        lifts &= lifts - 1
    ways = entrances(state)
    while ways != 0:
        first = PUSHES + 4 * ctz(ways)
        for direction in range(4):
            moves[number] = first + direction
            number += 1
        ways &= ways - 1
    if returnable(state) != 0:
        moves[number] = BACK
        number += 1
    return number


def apply(state: State, move: int) -> None:
    """Make a legal move in place."""
    if move < PUSHES:
        lift(state, move)
    elif move != BACK:
        push(state, move - PUSHES)
    else:
        put_back(state)


def lift(state: State, move: int) -> None:
    """Take a card out."""
    cell = CELLS[move]
    ne, se, sw, nw = state[NE], state[SE], state[SW], state[NW]
    state[LIFTED] = (
        NE * int(ne & cell != 0) + SE * int(se & cell != 0) + SW * int(sw & cell != 0) + NW * int(nw & cell != 0)
    )
    rest = ~cell
    state[NE] = ne & rest
    state[SE] = se & rest
    state[SW] = sw & rest
    state[NW] = nw & rest
    state[VACANT] |= cell
    state[STAGE] += 1


def put_back(state: State) -> None:
    """Put the cards in hand back where they were: before a push the vacancies say where (T15)."""
    if state[LIFTED] != 0:
        state[state[LIFTED]] |= state[VACANT]
    state[VACANT] = 0
    state[LIFTED] = 0
    state[STAGE] = CHOOSE


def push(state: State, choice: int) -> None:
    """Push a card in (T7) and, when it was the last of the turn, complete the move."""
    entrance = choice >> 2
    line = LINES[entrance] & state[BOARD]
    gaps = line & state[VACANT]
    if entrance < FALLING:
        gap = gaps & -gaps
        span = line & (gap | (gap - 1))
    else:
        gap = gaps & (gaps - 1)  # the higher of two gaps in the line
        if gap == 0:
            gap = gaps
        span = line & -gap
    pushed = span ^ gap
    kept = ~span
    up, down = UP[entrance], DOWN[entrance]
    ne, se, sw, nw = state[NE], state[SE], state[SW], state[NW]
    state[NE] = (ne & kept) | ((ne & pushed) << up) >> down
    state[SE] = (se & kept) | ((se & pushed) << up) >> down
    state[SW] = (sw & kept) | ((sw & pushed) << up) >> down
    state[NW] = (nw & kept) | ((nw & pushed) << up) >> down
    edge = EDGES[24 * state[FRAME] + entrance]
    state[NE + (choice & 3)] |= edge
    state[VACANT] ^= gap
    if state[STAGE] == TWO:
        state[STAGE] = LAST
        state[BARRED] = 0
        state[DOUBLE] = 0
    else:
        state[STAGE] = CHOOSE
        state[BARRED] = edge
        complete(state)


def complete(state: State) -> None:
    """End the turn after its last card is in: see who has won (T13), or pass the turn on."""
    opened = state[LIFTED] != 0
    state[LIFTED] = 0
    state[DOUBLE] = 0
    paths = joined(state)
    mover = state[SEAT]
    if paths != 0:
        state[RESULT] = mover + 1 if paths >> (mover ^ state[FIRST]) & 1 else 2 - mover
        state[SEAT] = OVER
        return
    state[SEAT] = 1 - mover
    if state[EXPERT] != 0:
        state[DOUBLE] = int(face_down(state) != 0)
    elif opened:
        state[DOUBLE] = int(popcount(face_down(state)) > ENDGAME)
    if state[REPETITION] != 0:
        remember(state, opened)


def remember(state: State, opened: bool) -> None:
    """Enter the position into the log, and end the game when it came up too often (T16)."""
    here = state[USED]
    if not opened:
        state[SEGMENT] = here
    ne, se, sw, nw = state[NE], state[SE], state[SW], state[NW]
    rest = state[BARRED] | state[SEAT] << SEAT_SHIFT | state[DOUBLE] << DOUBLE_SHIFT
    times = 1
    for i in range(here - 2 * LOG, state[SEGMENT] - 1, -2 * LOG):  # those with the same seat to act
        if state[i] == ne and state[i + 1] == se and state[i + 2] == sw and state[i + 3] == nw and state[i + 4] == rest:
            times += 1
    state[here] = ne
    state[here + 1] = se
    state[here + 2] = sw
    state[here + 3] = nw
    state[here + 4] = rest
    state[USED] = here + LOG
    if times >= state[REPETITION]:
        state[RESULT] = DRAWN
        state[SEAT] = OVER
        state[DOUBLE] = 0


def joined(state: State) -> int:
    """Return which shores are joined, ``BEACHES`` and ``MEADOWS`` as bits (T10 to T12).

    A grid point has the bit of the cell southwest of it. The arms of a card are joined, so it is cards
    that are found, from the west and from the south; nothing is ever found along a shore (T12).
    """
    ne, se, sw, nw = state[NE], state[SE], state[SW], state[NW]
    dne, dse, dsw, dnw = diagonals(ne, se, sw, nw, live_points(ne | se | sw | nw, state[BOARD]))
    eastern = sw | nw
    western = ne | se
    northern = se | sw
    southern = ne | nw
    west = WEST & (western | dnw | dsw)
    east = WEST << (state[COLUMNS] - 1) & (eastern | dne | dse)
    south = SOUTH & (southern | dsw | dse)
    north = SOUTH << STRIDE * (state[ROWS] - 1) & (northern | dne | dnw)
    if east == 0:
        west = 0
    if north == 0:
        south = 0
    across = eastern & (western >> 1)
    upward = northern & (southern >> STRIDE)
    beach, meadow = west, south
    while True:  # both at once: their steps do not wait for each other
        wider = grown(beach, across, upward, dne, dse, dsw, dnw)
        higher = grown(meadow, across, upward, dne, dse, dsw, dnw)
        if wider == beach and higher == meadow:
            break
        beach, meadow = wider, higher
    return BEACHES * int(beach & east != 0) + MEADOWS * int(meadow & north != 0)


def live_points(face_up: int, board: int) -> int:
    """Return the points that are live: the four cells around them are face up or off the board (T11)."""
    firm = face_up | (SPAN & ~board)
    firm &= firm >> 1
    return firm & (firm >> STRIDE)


def diagonals(ne: int, se: int, sw: int, nw: int, live: int) -> tuple[int, int, int, int]:
    """Return the cards of each direction whose diagonal arm ends in a live point; only then it counts."""
    return ne & live, se & (live << STRIDE), sw & (live << STRIDE + 1), nw & (live << 1)


def grown(cards: int, across: int, upward: int, dne: int, dse: int, dsw: int, dnw: int) -> int:
    """Return these cards and all that are joined to one of them directly."""
    points = (cards & dne) | (cards & dse) >> STRIDE | (cards & dsw) >> STRIDE + 1 | (cards & dnw) >> 1
    return (
        cards
        | (cards & across) << 1
        | (cards >> 1 & across)
        | (cards & upward) << STRIDE
        | (cards >> STRIDE & upward)
        | (points & dne)
        | (points << STRIDE & dse)
        | (points << STRIDE + 1 & dsw)
        | (points << 1 & dnw)
    )


def winners(state: State) -> int:
    """Return the winner as a bit set; empty for a draw."""
    return int(state[RESULT]) & 3


def scores(state: State, out: Scores) -> None:
    """Give the winner 1 and the loser -1, or both 0."""
    won = state[RESULT]
    out[0] = float(won & 1) - float(won >> 1 & 1)
    out[1] = float(won >> 1 & 1) - float(won & 1)


def reason(state: State) -> int:
    """Return how the game ended, as an index into ``REASONS``."""
    return 1 if state[RESULT] == DRAWN else 0
