"""How a position of YINSH is judged: a sum of learned weights, for the side to move.

* every window of five neighbouring points counts by its whole pattern of empty points, markers and
  rings, own and other (the same read backwards);
* every window with three or four markers of a side counts again by whether these can be turned over
  next, and whether what is in their way can;
* every jump a ring could make counts by how many own and other markers it would turn over;
* the moves that would make a row at once, where rings stand, the markers on the board and those
  that can be turned over, and the rings off.

There are four sets of weights, by which side needs only one more row to win.

Most of this depends on one line of the board alone, and from one position of a search to the next
hardly any line changes. So what is known of a line is kept in a record, under all that is on it, and
looked up.
"""

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import ctz, msb, popcount
from triskele.core.contract import State
from triskele.games.yinsh import rules as r
from triskele.games.yinsh.rules import (
    BIT,
    BLITZ,
    LINE,
    LINES,
    MARK,
    MOVE,
    OFF,
    PHASE,
    PLACING,
    POINT,
    POINTS,
    POOL,
    RING,
    RING_AT,
    RINGS_EACH,
    TURN,
    WAY,
    WAYS,
    between,
    five,
    own_markers,
)

Weights = NDArray[np.int32]
Room = NDArray[np.int64]

# --- tables -------------------------------------------------------------------------------------

# A point in a pattern, a digit to the base of five: empty 0, marker 1 or 2, ring 3 or 4; own before other.
PATTERNS = 5**5

# By the markers or rings on a line, as its word without the walls and without bit 0:
SPREAD = np.array([sum(5**i for i in range(10) if word >> i & 1) for word in range(1024)], dtype=np.int64)
"""the digits of the line's pattern, 1 for each;"""


def _completing(word: int) -> int:
    """Return which bits would make a row of five with those that are set."""
    missing = [~word & (31 << low) for low in range(6)]
    return sum({m for m in missing if m & (m - 1) == 0 and m})


COMPLETE = np.array([2 * _completing(word) for word in range(1024)], dtype=np.int64)
"""the bits of the line word that would make a row of five with those;"""

CROWDED = np.array(
    [sum(2 << low for low in range(6) if (word >> low & 31).bit_count() >= 3) for word in range(1024)], dtype=np.int64
)
"""the lowest bits of the windows with three or more of them."""

WINDOWS_BY_WALLS = np.zeros(1 << 4, dtype=np.int64)
"""How many windows a line has, by the bit of its upper wall."""
for _points in r.LINE_POINTS:
    WINDOWS_BY_WALLS[len(_points) + 1] = max(0, len(_points) - 4)


def _digits(pattern: int) -> tuple[int, ...]:
    return tuple(pattern // 5**i % 5 for i in range(5))


def _window_parameters() -> NDArray[np.int64]:
    """Return the number of the parameter for each pattern of five points; -1 for the empty one."""
    known: dict[tuple[int, ...], int] = {}
    found = [known.setdefault(min(_digits(p), _digits(p)[::-1]), len(known)) for p in range(1, PATTERNS)]
    return np.array([-1, *found], dtype=np.int64)


WINDOW_PARAMETER = _window_parameters()


def _orbits() -> NDArray[np.int64]:
    """Return for each point the number of its class under the twelve symmetries of the board."""

    def images(letter: int, number: int) -> set[tuple[int, int]]:
        # About the centre f6: the sixth turn takes (x, y) to (x - y, x); swapping x and y reflects.
        x, y = letter - 5, number - 6
        found = set()
        for _ in range(6):
            found |= {(x, y), (y, x)}
            x, y = x - y, x
        return found

    known: dict[frozenset[tuple[int, int]], int] = {}
    return np.array([known.setdefault(frozenset(images(c, n)), len(known)) for c, n in r.COORDINATES], dtype=np.int64)


ORBIT = _orbits()
ORBITS = int(ORBIT.max()) + 1

# Sets of points are two words: the first five columns, and the other six.
_WEST_COLUMNS = 5
_WEST_POINTS = sum(len(points) for points in r.LINE_POINTS[:_WEST_COLUMNS])
COLUMN_SHIFT = np.array(
    [
        points[0] if column < _WEST_COLUMNS else points[0] - _WEST_POINTS
        for column, points in enumerate(r.LINE_POINTS[: LINES // WAYS])
    ],
    dtype=np.int64,
)


def _point_sets() -> NDArray[np.int64]:
    """Return by line, which half of it, and five bits of its word: the points there, as a set."""
    found = np.zeros((LINES, 2, 32, 2), dtype=np.int64)
    for line, points in enumerate(r.LINE_POINTS):
        for where, point in enumerate(points):
            half, bit = divmod(where, 5)
            east = int(point >= _WEST_POINTS)
            for word in range(32):
                if word >> bit & 1:
                    found[line, half, word, east] |= 1 << point - _WEST_POINTS * east
    return found


POINT_SET = _point_sets()
WINDOW_SET = np.zeros((LINES, 7, 2), dtype=np.int64)
"""By line and the lowest bit of a window of five: its points, as a set."""
for _low in range(1, 7):
    WINDOW_SET[:, _low] = POINT_SET[:, 0, 31 << _low >> 1 & 31] | POINT_SET[:, 1, 31 << _low >> 6]

# A window in which a side has three or four markers and the other no ring is contested. What kind it is, from
# the low bit: whether a friendly ring is in it, the other's markers (0 to 2), whether there are four markers.
_CONTESTED = 12

# --- parameters: what learning finds ----------------------------------------------------------------

P_OTHERS = int(WINDOW_PARAMETER.max()) + 1
# The weights that judging gets are the same, but with the windows' weights laid out by pattern.
W_OTHERS = PATTERNS

# Offsets from there on. Most come twice: for the side to move, then for the other one.
JUMP_CAP = 5
_SIDE_JUMPS = (JUMP_CAP + 1) * (JUMP_CAP + 1)
JUMPS = 0
THREAT_CAP = 3
THREATS = JUMPS + 2 * _SIDE_JUMPS
MARKERS_ON = THREATS + 2 * (THREAT_CAP + 1)
EXPOSED = MARKERS_ON + 2
RINGS_AT = EXPOSED + 2
PLACED_AT = RINGS_AT + 2 * ORBITS
RINGS_OFF = PLACED_AT + 2 * ORBITS
RINGS_OFF_LATE = RINGS_OFF + 9
TEMPO = RINGS_OFF_LATE + 9
CONTESTS = TEMPO + 2
_OTHERS = CONTESTS + 2 * 4 * _CONTESTED

P_SET = P_OTHERS + _OTHERS
W_SET = W_OTHERS + _OTHERS
SETS = 4

ROW = -10_000_000
"""Below all weights together: what a line with a row counts, for :func:`outlook`."""

LATE_POOL = 15
"""With fewer markers than this in the pool, the end of it is in sight."""

# --- places in the scratch array ----------------------------------------------------------------------

_OWN_RINGS = 0  # line words of the rings of the side to move
HOT = 40  # line words: markers that would make a row if they were turned over (see evaluation.py)
_HELD = 74  # for each side, markers of the other that it cannot turn over, as sets
MULTIPLES = 80  # how often the four weights count that are not for a pattern
_ATTACKED = 84  # markers of each side that the other can turn over, as sets
CALM = 89  # whether the side to move certainly cannot make a row in the position judged last
_MARKERS = 90  # the markers of each side, as sets
_REACHED = 94  # the markers that each side can turn over next, as sets
RECORDED = 98  # how many terms are recorded; -1 when they need not be
TERMS = 100  # the weights that count once each
_SUMS = 900  # the sum of weights of each line
_TOLD = 940  # what the records tell of each line
_CONTESTS = 980  # and its contested windows
_RECORDS = 1024  # and the records themselves

MULTIPLE_TERMS = 4

# A record of a line: the key, the sum of its weights, what more is told by bits: what own and other rings can
# turn over (12 each), the points that make rows for own and other markers (12 each), jumps that make a row on the line
# itself (2 each, up to three), whether windows are contested; and these.
_RECORD = 4
_RECORD_BITS = 13
ROOM_USED = _RECORDS + (_RECORD << _RECORD_BITS)
_HOT_BITS = 24
_ROW_BITS = 48
_CONTESTED_BIT = 52
_REACH_MASK = (1 << 24) - 1
_HOT_MASK = _REACH_MASK << _HOT_BITS

# --- the terms of a judgement -----------------------------------------------------------------------


def weights_set(state: State, seat: int) -> int:
    """Return which set of weights counts: by who needs only one more row, the side to move or the other."""
    last = 0 if state[BLITZ] != 0 else 2
    return int(state[OFF + seat] == last) + 2 * int(state[OFF + 1 - seat] == last)


def _weight(term: int, weights: Weights, room: Room) -> int:
    """Return a weight, and record that it counts when that is wanted."""
    if room[RECORDED] >= 0:
        room[TERMS + room[RECORDED]] = term
        room[RECORDED] += 1
    return int(weights[term])


def jump_up(rings: int, marks: int, bit: int) -> int:
    """Return the markers that a ring would jump towards higher bits; 0 when it cannot jump."""
    first = ctz((rings | marks) & -(2 << bit))
    landing = ctz(~marks & -(1 << first))
    return ((1 << landing) - (1 << first)) * (~rings >> landing & 1)


def jump_down(rings: int, marks: int, bit: int) -> int:
    """Return the markers that a ring would jump towards lower bits; 0 when it cannot jump."""
    first = msb((rings | marks) & (1 << bit) - 1)
    landing = msb(~marks & (2 << first) - 1)
    return ((2 << first) - (2 << landing)) * (~rings >> landing & 1)


def _contests(own: int, other: int, own_rings: int, other_rings: int) -> int:
    """Return the contested windows of a line, eight bits each: where it begins (0 is none), and of what kind it is."""
    found = 0
    windows = CROWDED[own >> 1] | CROWDED[other >> 1]
    while windows != 0:
        low = ctz(windows)
        windows &= windows - 1
        window = 31 << low
        side = 0 if popcount(own & window) >= 3 else 1
        markers = popcount((own if side == 0 else other) & window)
        others = popcount((other if side == 0 else own) & window)
        if markers <= 4 and (other_rings if side == 0 else own_rings) & window == 0:
            ring = int((own_rings if side == 0 else other_rings) & window != 0)
            kind = _CONTESTED * side + ring + 2 * others + 6 * (markers - 3)
            found = found << 8 | kind << 3 | low
    return found


def _work_out(
    marks: int, own: int, rings: int, own_rings: int, base: int, weights: Weights, room: Room, at: int
) -> None:
    """Leave what is to be known of a line in the record at ``at``, but for its key."""
    other = marks ^ own
    windows = WINDOWS_BY_WALLS[msb(rings)]
    inside = (1 << msb(rings)) - 2
    other_rings = rings & inside & ~own_rings
    code = SPREAD[own >> 1] + 2 * SPREAD[other >> 1] + 3 * SPREAD[own_rings >> 1] + 4 * SPREAD[other_rings >> 1]
    total = 0
    for _ in range(windows):
        total += _weight(base + code % PATTERNS, weights, room)
        code //= 5
    told = (COMPLETE[own >> 1] & inside) << _HOT_BITS | (COMPLETE[other >> 1] & inside) << (_HOT_BITS + 12)
    contests = _contests(own, other, own_rings, other_rings)
    if contests != 0:
        told |= 1 << _CONTESTED_BIT
    if marks != 0:
        for side in range(2):
            mine = own if side == 0 else other
            first = base + W_OTHERS + JUMPS + side * _SIDE_JUMPS
            movable = own_rings if side == 0 else other_rings
            reached = 0
            rows = 0
            while movable != 0:
                bit = ctz(movable)
                movable &= movable - 1
                for upward in range(2):
                    run = jump_up(rings, marks, bit) if upward == 1 else jump_down(rings, marks, bit)
                    gained = min(popcount(run & ~mine), JUMP_CAP)
                    lost = min(popcount(run & mine), JUMP_CAP)
                    total += _weight(first + (JUMP_CAP + 1) * lost + gained, weights, room)
                    reached |= run
                    rows += int(five((mine ^ run) | 1 << bit) != 0)
            told |= reached << 12 * side | min(rows, THREAT_CAP) << (_ROW_BITS + 2 * side)
    room[at + 1] = total
    room[at + 2] = told
    room[at + 3] = contests


def _record(marks: int, own: int, rings: int, own_rings: int, number: int, weights: Weights, room: Room) -> int:
    """Return where the record of a line is, by all that is on it and the number of the set of weights."""
    key = number << 42 | rings << 30 | own_rings >> 1 << 20 | own >> 1 << 10 | marks >> 1
    mixed = (key & 0x3FFFFF) * 0x9E3779B1B5 + (key >> 22) * 0xC2B2AE3D27
    at = _RECORDS + _RECORD * (mixed >> 28 & (1 << _RECORD_BITS) - 1)
    if room[at] != key or room[RECORDED] >= 0:
        room[at] = key if room[RECORDED] < 0 else 0
        _work_out(marks, own, rings, own_rings, W_SET * number, weights, room, at)
    return at


def _stands_on(state: State, seat: int, west: int, east: int) -> bool:
    """Return whether a seat has a ring on a set of points."""
    found = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point >= 0:
            found |= west >> point if point < _WEST_POINTS else east >> point - _WEST_POINTS
    return found & 1 != 0


def _jumps_to_rows(state: State, seat: int, hot_west: int, hot_east: int) -> int:
    """Return how many jumps of a seat's rings make a row, by turning over a hot point or on their own line."""
    found = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point < 0:
            continue
        for way in range(WAYS):
            line = LINE[way, point]
            marks = state[MARK + line]
            if marks == 0:
                continue
            bit = BIT[way, point]
            rings = state[RING + line]
            own = own_markers(state, line, seat)
            for upward in range(2):
                run = jump_up(rings, marks, bit) if upward == 1 else jump_down(rings, marks, bit)
                lower = POINT_SET[line, 0, run >> 1 & 31]
                upper = POINT_SET[line, 1, run >> 6]
                row = (lower[0] | upper[0]) & hot_west | (lower[1] | upper[1]) & hot_east
                found += int(row | five((own ^ run) | 1 << bit) != 0)
    return found


def _threats(state: State, seat: int, rows: int, hot: int, base: int, weights: Weights, room: Room) -> int:
    """Return what it is worth that the sides could make rows at once, ``seat`` being to move.

    ``rows`` has how many jumps do so on their own line, from bit 0 on those of ``seat``, from bit 16 on those of the
    other; ``hot`` the lines with points that would make a row.
    """
    total = 0
    room[CALM] = 0
    for side in range(2):
        mine = seat if side == 0 else 1 - seat
        threats = rows >> 16 * side & 0xFFFF
        hot_west = 0
        hot_east = 0
        lines = hot
        while lines != 0:
            line = ctz(lines)
            lines &= lines - 1
            points = COMPLETE[own_markers(state, line, mine) >> 1]
            hot_west |= POINT_SET[line, 0, points >> 1 & 31, 0] | POINT_SET[line, 1, points >> 6 & 31, 0]
            hot_east |= POINT_SET[line, 0, points >> 1 & 31, 1] | POINT_SET[line, 1, points >> 6 & 31, 1]
        if hot_west | hot_east != 0:
            if _stands_on(state, mine, hot_west, hot_east):
                threats = THREAT_CAP  # it need only leave
            elif hot_west & room[_REACHED + 2 * side] | hot_east & room[_REACHED + 2 * side + 1] != 0:
                threats = _jumps_to_rows(state, mine, hot_west, hot_east)
        if side == 0 and threats == 0:
            room[CALM] = 1
        total += _weight(base + THREATS + side * (THREAT_CAP + 1) + min(threats, THREAT_CAP), weights, room)
    return total


def _contested(lines: int, base: int, weights: Weights, room: Room) -> int:
    """Return what the contested windows of some lines are worth, and note which markers can be turned over."""
    for side in range(2):
        for half in range(2):
            markers = room[_MARKERS + 2 * side + half]
            reached = room[_REACHED + 2 - 2 * side + half]
            room[_ATTACKED + 2 * side + half] = markers & reached
            room[_HELD + 2 - 2 * side + half] = markers & ~reached
    total = 0
    while lines != 0:
        line = ctz(lines)
        lines &= lines - 1
        contests = room[_CONTESTS + line]
        while contests != 0:
            low = contests & 7
            kind = contests >> 3 & 31
            contests >>= 8
            at = 2 * int(kind >= _CONTESTED)
            west = WINDOW_SET[line, low, 0]
            east = WINDOW_SET[line, low, 1]
            attacked = west & room[_ATTACKED + at] | east & room[_ATTACKED + at + 1]
            held = west & room[_HELD + at] | east & room[_HELD + at + 1]
            term = base + CONTESTS + 4 * kind + int(attacked != 0) + 2 * int(held != 0)
            total += _weight(term, weights, room)
    return total


def _note_markers(state: State, seat: int, room: Room) -> None:
    """Leave the markers of both sides as sets, and their numbers, in the scratch array."""
    own_west = 0
    own_east = 0
    other_west = 0
    other_east = 0
    for column in range(LINES // WAYS):
        own = own_markers(state, column, seat)
        other = state[MARK + column] ^ own
        if column < _WEST_COLUMNS:
            own_west |= own >> 1 << COLUMN_SHIFT[column]
            other_west |= other >> 1 << COLUMN_SHIFT[column]
        else:
            own_east |= own >> 1 << COLUMN_SHIFT[column]
            other_east |= other >> 1 << COLUMN_SHIFT[column]
    room[_MARKERS] = own_west
    room[_MARKERS + 1] = own_east
    room[_MARKERS + 2] = other_west
    room[_MARKERS + 3] = other_east
    room[MULTIPLES] = popcount(own_west) + popcount(own_east)
    room[MULTIPLES + 1] = popcount(other_west) + popcount(other_east)


def _note_own_rings(state: State, seat: int, room: Room) -> None:
    """Leave the line words of a seat's rings in the scratch array."""
    for line in range(LINES):
        room[_OWN_RINGS + line] = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point >= 0:
            for way in range(WAYS):
                room[_OWN_RINGS + LINE[way, point]] |= 1 << BIT[way, point]


def _lines(state: State, seat: int, weights: Weights, room: Room) -> int:
    """Return what lines and their contested windows are worth, and note what rings can turn over."""
    number = weights_set(state, seat)
    base = W_SET * number + W_OTHERS
    total = 0
    contested = 0
    rows = 0
    hot = 0
    busy = 0
    for line in range(LINES):
        own = own_markers(state, line, seat)
        at = _record(state[MARK + line], own, state[RING + line], room[_OWN_RINGS + line], number, weights, room)
        told = room[at + 2]
        room[_TOLD + line] = told
        room[_CONTESTS + line] = room[at + 3]
        room[_SUMS + line] = room[at + 1]
        total += room[at + 1]
        rows += (told >> _ROW_BITS & 3) + ((told >> _ROW_BITS + 2 & 3) << 16)
        # Lists of lines, to go through later: cheaper than asking here, where the answer is hard to guess.
        busy |= int(told & _REACH_MASK != 0) << line
        hot |= int(told & _HOT_MASK != 0) << line
        contested |= (told >> _CONTESTED_BIT) << line
    reached_west = 0
    reached_east = 0
    exposed_west = 0
    exposed_east = 0
    while busy != 0:
        line = ctz(busy)
        busy &= busy - 1
        told = room[_TOLD + line]
        reached_west |= POINT_SET[line, 0, told >> 1 & 31, 0] | POINT_SET[line, 1, told >> 6 & 31, 0]
        reached_east |= POINT_SET[line, 0, told >> 1 & 31, 1] | POINT_SET[line, 1, told >> 6 & 31, 1]
        exposed_west |= POINT_SET[line, 0, told >> 13 & 31, 0] | POINT_SET[line, 1, told >> 18 & 31, 0]
        exposed_east |= POINT_SET[line, 0, told >> 13 & 31, 1] | POINT_SET[line, 1, told >> 18 & 31, 1]
    room[_REACHED] = reached_west
    room[_REACHED + 1] = reached_east
    room[_REACHED + 2] = exposed_west
    room[_REACHED + 3] = exposed_east
    total += _threats(state, seat, rows, hot, base, weights, room)
    return total + _contested(contested, base, weights, room)


def judge(state: State, weights: Weights, room: Room) -> int:
    """Return the value for the side to move, in which a ring is to be placed or moved.

    Terms are recorded unless ``room[RECORDED]`` is -1. Else a room must be used with one array of weights only.
    """
    seat = state[TURN]
    _note_markers(state, seat, room)
    _note_own_rings(state, seat, room)
    total = _lines(state, seat, weights, room)
    base = W_SET * weights_set(state, seat) + W_OTHERS
    placing = 1 if state[PHASE] == PLACING else 0
    stand = base + (PLACED_AT if placing == 1 else RINGS_AT)
    for slot in range(2 * RINGS_EACH):
        point = state[RING_AT + slot]
        if point >= 0:
            total += _weight(stand + ORBIT[point] + (0 if slot // RINGS_EACH == seat else ORBITS), weights, room)
    for side in range(2):
        room[MULTIPLES + 2 + side] = popcount(room[_ATTACKED + 2 * side]) + popcount(room[_ATTACKED + 2 * side + 1])
    off = RINGS_OFF_LATE if state[POOL] < LATE_POOL else RINGS_OFF
    total += _weight(base + off + 3 * state[OFF + seat] + state[OFF + 1 - seat], weights, room)
    total += _weight(base + TEMPO + placing, weights, room)
    for i in range(MULTIPLE_TERMS):
        total += room[MULTIPLES + i] * weights[base + MARKERS_ON + i]
    return int(total)


def _changed(
    state: State, line: int, marked: int, turned: int, ringed: int, seat: int, number: int, weights: Weights, room: Room
) -> int:
    """Return how much more a line is worth for the side that is not ``seat``, after a move of ``seat``.

    The move puts a marker on ``marked``, turns over ``turned`` and changes the rings at ``ringed``. A line with a row
    then is worth ``ROW``, whoever has it.
    """
    marks = state[MARK + line] | marked
    own = own_markers(state, line, 1 - seat) ^ turned
    if five(own) | five(marks ^ own) != 0:
        return ROW
    at = _record(marks, own, state[RING + line] ^ ringed, room[_OWN_RINGS + line], number, weights, room)
    return int(room[at + 1] - room[_SUMS + line])


def outlook(state: State, total: int, move: int, weights: Weights, room: Room) -> int:
    """Return about what the other side thinks of a ring's move; far below any judgement if it makes a row.

    The other side must just have judged the position as if it were to move, as worth ``total``. Lines, rings and
    markers count as they will be then; threats and contested windows, and what can be turned over, as they are.
    """
    seat = state[TURN]
    number = weights_set(state, 1 - seat)
    base = W_SET * number + W_OTHERS
    origin = (move - MOVE) // POINTS
    target = (move - MOVE) % POINTS
    along = WAY[origin, target]
    line = LINE[along, origin]
    start = BIT[along, origin]
    end = BIT[along, target]
    jumped = between(state, along, origin, target)
    gained = popcount(jumped & own_markers(state, line, 1 - seat))
    lost = popcount(jumped) - gained
    total += (lost - gained) * weights[base + MARKERS_ON] + (1 + gained - lost) * weights[base + MARKERS_ON + 1]
    total += weights[base + RINGS_AT + ORBITS + ORBIT[target]] - weights[base + RINGS_AT + ORBITS + ORBIT[origin]]
    worth = _changed(state, line, 1 << start, jumped, 1 << start | 1 << end, seat, number, weights, room)
    for way in range(WAYS):
        if way != along:
            bit = 1 << BIT[way, origin]
            worth += _changed(state, LINE[way, origin], bit, 0, bit, seat, number, weights, room)
            worth += _changed(state, LINE[way, target], 0, 0, 1 << BIT[way, target], seat, number, weights, room)
    while jumped != 0:
        point = POINT[line, ctz(jumped)]
        jumped &= jumped - 1
        for way in range(WAYS):
            if way != along:
                worth += _changed(state, LINE[way, point], 0, 1 << BIT[way, point], 0, seat, number, weights, room)
    return int(total + worth)
