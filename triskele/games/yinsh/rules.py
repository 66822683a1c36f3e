"""The rules of YINSH (Y1 to Y12).

The board is kept as its 33 lines, three through every point: one word for the rings on a line, one
for its markers, one for which of them are white. Bit ``i + 1`` of a word is the line's point ``i``;
the bits just outside a line count as rings, so that nothing ever runs off the board. A ring's moves
along a line are then a few bit operations, whatever stands on it.
"""

import numpy as np

from triskele.core.bits import ctz, msb, popcount, select
from triskele.core.contract import OVER, Moves, Scores, State

VERSION = 1
REASONS = ("rings", "pool", "passes")

# --- the board (Y1), as tables ----------------------------------------------------------------

COLUMNS = ((2, 5), (1, 7), (1, 8), (1, 9), (1, 10), (2, 10), (2, 11), (3, 11), (4, 11), (5, 11), (7, 10))
"""For each letter from a, its lowest and highest number."""

COORDINATES = tuple((c, n) for c, (low, high) in enumerate(COLUMNS) for n in range(low, high + 1))
"""Letter (from 0) and number of each point, in the order of the point's index."""

POINTS = 85
WAYS = 3
LINES = 33
_WIDTH = 12  # bits of a line word: ten points and both walls


def _lines() -> tuple[tuple[int, ...], ...]:
    """Return the points of each line: by letter, by number, by letter minus number."""
    found = []
    for keys in zip(*((c, n, c - n) for c, n in COORDINATES), strict=True):
        found += [tuple(p for p in range(POINTS) if keys[p] == key) for key in sorted(set(keys))]
    return tuple(found)


LINE_POINTS = _lines()

LINE = np.zeros((WAYS, POINTS), dtype=np.int64)  # which line runs through a point, each way
BIT = np.zeros((WAYS, POINTS), dtype=np.int64)  # which bit of that line the point is
POINT = np.full((LINES, _WIDTH), -1, dtype=np.int64)  # line and bit -> point
WALLS = np.zeros(LINES, dtype=np.int64)
WAY = np.full((POINTS, POINTS), -1, dtype=np.int64)  # which way two points lie on a line, or -1
for _line, _points in enumerate(LINE_POINTS):
    WALLS[_line] = 1 | 1 << (len(_points) + 1)
    for _index, _point in enumerate(_points):
        LINE[_line // 11, _point] = _line
        BIT[_line // 11, _point] = _index + 1
        POINT[_line, _index + 1] = _point
        for _other in _points:
            if _other != _point:
                WAY[_point, _other] = _line // 11

ROWS = tuple((line, bit) for line, points in enumerate(LINE_POINTS) for bit in range(1, len(points) - 3))
"""Every place for a row of five: its line and its lowest bit, in the order of the codes."""
ROW_LINE = np.array([line for line, _ in ROWS], dtype=np.int64)
ROW_BIT = np.array([bit for _, bit in ROWS], dtype=np.int64)
ROW_BASE = np.zeros(LINES, dtype=np.int64)  # index of a line's first row, less 1: plus the bit gives the row
for _index, (_line, _bit) in reversed(tuple(enumerate(ROWS))):
    ROW_BASE[_line] = _index - 1
ROW_COUNT = len(ROWS)

# --- codes of moves ---------------------------------------------------------------------------

PLACE = 0
MOVE = PLACE + POINTS
TAKE_ROW = MOVE + POINTS * POINTS
TAKE_RING = TAKE_ROW + ROW_COUNT
PASS = TAKE_RING + POINTS
ACTIONS = PASS + 1
MOVES = 5 * WAYS * 9
"""A ring reaches at most nine points on a line; every other decision has fewer choices."""

# --- the state --------------------------------------------------------------------------------

RINGS_EACH = 5
MARKERS = 51

BLITZ = 1
PHASE = 2
TURN = 3  # the seat to decide
MOVER = 4  # the seat whose turn it is: Y9 lets the other settle rows in it
POOL = 5
PLACED = 6
PASSES = 7  # in a row
WINNER = 8  # -1 while nobody has won
REASON = 9
OFF = 10  # two words: rings taken off
RING_AT = 12  # ten words: the point of each ring, -1 off the board; white's five first
RING = 22
MARK = RING + LINES
WHITE = MARK + LINES
SIZE = WHITE + LINES
LOG = 0

PLACING = 0
MOVING = 1
TAKING_ROW = 2
TAKING_RING = 3
FINISHED = 4


def start(state: State, options: Moves) -> None:
    """Set up the empty board with all markers in the pool (Y2)."""
    state[0] = SIZE
    state[BLITZ] = options[0]
    state[PHASE] = PLACING
    state[POOL] = MARKERS
    state[WINNER] = -1
    for i in range(2 * RINGS_EACH):
        state[RING_AT + i] = -1
    for line in range(LINES):
        state[RING + line] = WALLS[line]


def actor(state: State) -> int:
    """Return the seat to decide."""
    return OVER if state[PHASE] == FINISHED else int(state[TURN])


def reach(rings: int, markers: int, bit: int) -> int:
    """Return the bits of a line that a ring at ``bit`` can move to (Y4).

    Each way: all empty points up to the first thing in the way, and if that is a marker, the first
    point after the unbroken run of markers, provided it is empty. If it is a ring, the run is empty
    and ends on the ring itself, which is not.
    """
    occupied = rings | markers
    above = -(2 << bit)
    first = ctz(occupied & above)
    landing = ctz(~markers & -(1 << first))
    targets = ((1 << first) - 1) & above | ((~rings >> landing) & 1) << landing
    below = (1 << bit) - 1
    first = msb(occupied & below)
    landing = msb(~markers & ((2 << first) - 1))
    return targets | below & -(2 << first) | ((~rings >> landing) & 1) << landing


def five(word: int) -> int:
    """Return the lowest bits of all runs of five in a line word."""
    pairs = word & word >> 1
    return pairs & pairs >> 2 & word >> 4


def own_markers(state: State, line: int, seat: int) -> int:
    """Return the markers of a seat on a line."""
    white = state[WHITE + line]
    return int(white if seat == 0 else state[MARK + line] & ~white)


def has_row(state: State, seat: int) -> bool:
    """Return whether a seat has a row of five anywhere (Y6)."""
    for line in range(LINES):
        if five(own_markers(state, line, seat)) != 0:
            return True
    return False


def _empty_points(state: State, column: int) -> int:
    """Return the bits of the empty points of a column (the lines of the first way)."""
    points = (1 << msb(WALLS[column])) - 2
    return int(points & ~state[RING + column])


def count(state: State, moves: Moves) -> int:
    """Return the number of legal moves; leaves the sets they come from in ``moves``."""
    total = 0
    phase = state[PHASE]
    if phase == MOVING:
        ring = RING_AT + RINGS_EACH * state[TURN]
        for slot in range(RINGS_EACH):
            point = state[ring + slot]
            for way in range(WAYS):
                targets = 0
                if point >= 0:
                    line = LINE[way, point]
                    targets = reach(state[RING + line], state[MARK + line], BIT[way, point])
                moves[WAYS * slot + way] = targets
                total += popcount(targets)
        return total if total > 0 else 1  # Y12: pass
    if phase == PLACING:
        return POINTS - int(state[PLACED])
    if phase == TAKING_ROW:
        for line in range(LINES):
            rows = five(own_markers(state, line, state[TURN]))
            moves[line] = rows
            total += popcount(rows)
        return total
    if phase == TAKING_RING:
        return RINGS_EACH - int(state[OFF + state[TURN]])
    return 0


def nth(state: State, moves: Moves, k: int) -> int:
    """Return legal move ``k`` right after :func:`count`."""
    phase = state[PHASE]
    if phase == MOVING:
        for slot in range(RINGS_EACH):
            for way in range(WAYS):
                targets = moves[WAYS * slot + way]
                here = popcount(targets)
                if k < here:
                    point = state[RING_AT + RINGS_EACH * state[TURN] + slot]
                    return int(MOVE + POINTS * point + POINT[LINE[way, point], select(targets, k)])
                k -= here
        return PASS
    if phase == PLACING:
        for column in range(len(COLUMNS)):
            empty = _empty_points(state, column)
            here = popcount(empty)
            if k < here:
                return int(PLACE + POINT[column, select(empty, k)])
            k -= here
    if phase == TAKING_ROW:
        for line in range(LINES):
            rows = moves[line]
            here = popcount(rows)
            if k < here:
                return int(TAKE_ROW + ROW_BASE[line] + select(rows, k))
            k -= here
    slot = 0
    while True:
        point = state[RING_AT + RINGS_EACH * state[TURN] + slot]
        if point >= 0:
            if k == 0:
                return int(TAKE_RING + point)
            k -= 1
        slot += 1


def legal(state: State, moves: Moves) -> int:
    """Fill ``moves`` with all legal moves, in the order of :func:`nth`."""
    phase = state[PHASE]
    n = 0
    if phase == MOVING:
        for slot in range(RINGS_EACH):
            point = state[RING_AT + RINGS_EACH * state[TURN] + slot]
            if point >= 0:
                for way in range(WAYS):
                    line = LINE[way, point]
                    targets = reach(state[RING + line], state[MARK + line], BIT[way, point])
                    while targets != 0:
                        moves[n] = MOVE + POINTS * point + POINT[line, ctz(targets)]
                        n += 1
                        targets &= targets - 1
        if n == 0:
            moves[0] = PASS
            n = 1
    elif phase == PLACING:
        for column in range(len(COLUMNS)):
            empty = _empty_points(state, column)
            while empty != 0:
                moves[n] = PLACE + POINT[column, ctz(empty)]
                n += 1
                empty &= empty - 1
    elif phase == TAKING_ROW:
        for line in range(LINES):
            rows = five(own_markers(state, line, state[TURN]))
            while rows != 0:
                moves[n] = TAKE_ROW + ROW_BASE[line] + ctz(rows)
                n += 1
                rows &= rows - 1
    elif phase == TAKING_RING:
        for slot in range(RINGS_EACH):
            point = state[RING_AT + RINGS_EACH * state[TURN] + slot]
            if point >= 0:
                moves[n] = TAKE_RING + point
                n += 1
    return n


def _ring_bit(state: State, point: int) -> None:
    """Put a ring on a point or take it off, on all three lines."""
    for way in range(WAYS):
        state[RING + LINE[way, point]] ^= 1 << BIT[way, point]


def _finish(state: State, winner: int, reason_index: int) -> None:
    state[PHASE] = FINISHED
    state[WINNER] = winner
    state[REASON] = reason_index


def _finish_by_rings(state: State, reason_index: int) -> None:
    """End the game with more rings off winning (Y11, Y12)."""
    difference = state[OFF] - state[OFF + 1]
    _finish(state, 0 if difference > 0 else 1 if difference < 0 else -1, reason_index)


def _begin_turn(state: State, seat: int) -> None:
    if state[POOL] == 0:
        _finish_by_rings(state, 1)
    else:
        state[PHASE] = MOVING
        state[TURN] = seat
        state[MOVER] = seat


def _settle(state: State, mover_has_row: bool, other_has_row: bool) -> None:
    """Go on to whoever has rows to take, the mover first (Y9), else to the next turn."""
    mover = state[MOVER]
    if mover_has_row:
        state[PHASE] = TAKING_ROW
        state[TURN] = mover
    elif other_has_row:
        state[PHASE] = TAKING_ROW
        state[TURN] = 1 - mover
    else:
        _begin_turn(state, 1 - mover)


def between(state: State, along: int, origin: int, target: int) -> int:
    """Return the markers that a ring jumps over on its way along a line, as bits of that line (Y5)."""
    start = BIT[along, origin]
    end = BIT[along, target]
    return int(state[MARK + LINE[along, origin]] & ((1 << max(start, end)) - (2 << min(start, end))))


def _move_ring(state: State, origin: int, target: int) -> None:
    """Leave a marker, move the ring, turn over what it jumped, and see to rows (Y4, Y5, Y6)."""
    seat = state[TURN]
    ring = RING_AT + RINGS_EACH * seat
    while state[ring] != origin:
        ring += 1
    state[ring] = target
    state[POOL] -= 1
    state[PASSES] = 0
    along = WAY[origin, target]
    line = LINE[along, origin]
    jumped = between(state, along, origin, target)
    state[WHITE + line] ^= jumped
    white_rows = 0
    black_rows = 0
    _ring_bit(state, origin)
    _ring_bit(state, target)
    for way in range(WAYS):
        crossing = LINE[way, origin]
        bit = 1 << BIT[way, origin]
        state[MARK + crossing] |= bit
        if seat == 0:
            state[WHITE + crossing] |= bit
        white_rows |= five(own_markers(state, crossing, 0))
        black_rows |= five(own_markers(state, crossing, 1))
    while jumped != 0:
        point = POINT[line, ctz(jumped)]
        jumped &= jumped - 1
        for way in range(WAYS):
            if way != along:
                crossing = LINE[way, point]
                state[WHITE + crossing] ^= 1 << BIT[way, point]
                white_rows |= five(own_markers(state, crossing, 0))
                black_rows |= five(own_markers(state, crossing, 1))
    if white_rows | black_rows == 0:
        _begin_turn(state, 1 - seat)
    elif seat == 0:
        _settle(state, white_rows != 0, black_rows != 0)
    else:
        _settle(state, black_rows != 0, white_rows != 0)


def _take_row(state: State, row: int) -> None:
    """Return the five markers of a row to the pool (Y6); the ring comes next (Y9)."""
    for offset in range(5):
        point = POINT[ROW_LINE[row], ROW_BIT[row] + offset]
        for way in range(WAYS):
            bit = 1 << BIT[way, point]
            state[MARK + LINE[way, point]] &= ~bit
            state[WHITE + LINE[way, point]] &= ~bit
    state[POOL] += 5
    state[PHASE] = TAKING_RING


def _take_ring(state: State, point: int) -> None:
    """Take a ring off; the third (in blitz the first) wins at once (Y10)."""
    seat = state[TURN]
    ring = RING_AT + RINGS_EACH * seat
    while state[ring] != point:
        ring += 1
    state[ring] = -1
    _ring_bit(state, point)
    state[OFF + seat] += 1
    if state[OFF + seat] == (1 if state[BLITZ] != 0 else 3):
        _finish(state, seat, 0)
    else:
        # The other has settled nothing before the mover is done, so asking for both is right (Y9).
        _settle(state, has_row(state, state[MOVER]), has_row(state, 1 - state[MOVER]))


def _place_ring(state: State, point: int) -> None:
    """Put a ring on the board (Y3)."""
    seat = state[TURN]
    state[RING_AT + RINGS_EACH * seat + state[PLACED] // 2] = point
    _ring_bit(state, point)
    state[PLACED] += 1
    state[TURN] = 1 - seat
    state[MOVER] = 1 - seat
    if state[PLACED] == 2 * RINGS_EACH:
        state[PHASE] = MOVING


def apply(state: State, move: int) -> None:
    """Make a move in place."""
    if move < MOVE:
        _place_ring(state, move - PLACE)
    elif move < TAKE_ROW:
        _move_ring(state, (move - MOVE) // POINTS, (move - MOVE) % POINTS)
    elif move < TAKE_RING:
        _take_row(state, move - TAKE_ROW)
    elif move < PASS:
        _take_ring(state, move - TAKE_RING)
    else:
        state[PASSES] += 1
        if state[PASSES] == 2:
            _finish_by_rings(state, 2)
        else:
            _begin_turn(state, 1 - state[MOVER])


def winners(state: State) -> int:
    """Return the winner as a bit set."""
    return 0 if state[WINNER] < 0 else 1 << int(state[WINNER])


def scores(state: State, out: Scores) -> None:
    """Fill in 1 and -1, or zeros for a draw."""
    out[0] = 0.0
    out[1] = 0.0
    if state[WINNER] >= 0:
        out[state[WINNER]] = 1.0
        out[1 - state[WINNER]] = -1.0


def reason(state: State) -> int:
    """Return how the game ended."""
    return int(state[REASON])
