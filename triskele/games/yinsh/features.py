"""The features of YINSH's evaluation, which is the sum of their weights, for the side to move.

* Patterns: every window of five neighbouring points, by its empty points, markers and rings, own and the opponent's
  (a pattern and its mirror image are one feature).
* Contested windows: every window with three or four markers of a side, by whether these can be flipped by the next
  move, and whether the markers in their way can.
* Jumps: every jump that a ring could make, by how many own and opposing markers it would flip.
* Threats (moves that would make a row at once), the places of rings, the numbers of markers on the board and of those
  that can be flipped, and the rings taken off.

There are four sets of weights, by which side needs only one more row to win.

Most features depend on a single line of the board, and from one position of a search to the next few lines change. So
the evaluation of a line is cached in the workspace, keyed by all that is on it.
"""

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import ctz, msb, popcount
from triskele.core.contract import State
from triskele.core.contract.evaluation import Weights, Workspace
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

# --- parameters: what training finds ----------------------------------------------------------------

P_OTHERS = int(WINDOW_PARAMETER.max()) + 1
# The weights are the parameters, except that the windows' are laid out by pattern.
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

MAKES_ROW = -10_000_000
"""What a line with a row counts in :func:`estimate_after_move`: below the sum of all weights."""

LATE_POOL = 15
"""With fewer markers than this in the pool, rings taken off have other weights."""

# --- layout of the workspace --------------------------------------------------------------------------

_OWN_RINGS = 0  # line words of the rings of the side to move
FLIPS_TO_ROW = 40  # line words: markers that would make a row if they were flipped (see evaluation.py)
_HELD = 74  # for each side, the opponent's markers that it cannot flip, as sets
COUNTS = 80  # how often each of the counted terms counts
_ATTACKED = 84  # markers of each side that the opponent can flip, as sets
NO_ROW_MOVE = 89  # whether the side to move certainly cannot make a row in the position evaluated last
_MARKERS = 90  # the markers of each side, as sets
_REACHED = 94  # the markers that each side can flip next, as sets
TERM_COUNT = 98  # how many terms are listed; -1 when they are not listed
TERMS = 100  # the terms that count once each
_LINE_SUMS = 900  # for each line, the sum of its weights,
_LINE_FLAGS = 940  # its flags,
_CONTESTS = 980  # and its contested windows
_LINE_CACHE = 1024  # the cache of lines

COUNTED_TERMS = 4
"""Terms that count several times: the markers of both sides on the board, and those that can be flipped."""

# An entry of the cache: the key; the sum of the line's weights; flags; the contested windows. The flags are, from the
# low bit: what own and opposing rings can flip (12 bits each), the points that complete rows for own and opposing
# markers (12 each), the jumps that make a row on the line itself (2 each, up to three), whether windows are contested.
_ENTRY_WORDS = 4
_CACHE_BITS = 13
WORKSPACE_USED = _LINE_CACHE + (_ENTRY_WORDS << _CACHE_BITS)
_COMPLETING_BITS = 24
_ROW_BITS = 48
_CONTESTED_BIT = 52
_REACH_MASK = (1 << 24) - 1
_COMPLETING_MASK = _REACH_MASK << _COMPLETING_BITS

# --- terms of the evaluation ------------------------------------------------------------------------


def weight_set(state: State, seat: int) -> int:
    """Return the set of weights to use: by whether ``seat`` and its opponent need only one more row."""
    last = 0 if state[BLITZ] != 0 else 2
    return int(state[OFF + seat] == last) + 2 * int(state[OFF + 1 - seat] == last)


def _weight(term: int, weights: Weights, workspace: Workspace) -> int:
    """Return a weight; list its term when terms are listed, for training."""
    if workspace[TERM_COUNT] >= 0:
        workspace[TERMS + workspace[TERM_COUNT]] = term
        workspace[TERM_COUNT] += 1
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


def _evaluate_line(
    marks: int, own: int, rings: int, own_rings: int, base: int, weights: Weights, workspace: Workspace, at: int
) -> None:
    """Fill in the cache entry of a line at ``at``, except for its key."""
    other = marks ^ own
    windows = WINDOWS_BY_WALLS[msb(rings)]
    inside = (1 << msb(rings)) - 2
    other_rings = rings & inside & ~own_rings
    code = SPREAD[own >> 1] + 2 * SPREAD[other >> 1] + 3 * SPREAD[own_rings >> 1] + 4 * SPREAD[other_rings >> 1]
    total = 0
    for _ in range(windows):
        total += _weight(base + code % PATTERNS, weights, workspace)
        code //= 5
    flags = (COMPLETE[own >> 1] & inside) << _COMPLETING_BITS | (COMPLETE[other >> 1] & inside) << (
        _COMPLETING_BITS + 12
    )
    contests = _contests(own, other, own_rings, other_rings)
    if contests != 0:
        flags |= 1 << _CONTESTED_BIT
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
                    total += _weight(first + (JUMP_CAP + 1) * lost + gained, weights, workspace)
                    reached |= run
                    rows += int(five((mine ^ run) | 1 << bit) != 0)
            flags |= reached << 12 * side | min(rows, THREAT_CAP) << (_ROW_BITS + 2 * side)
    workspace[at + 1] = total
    workspace[at + 2] = flags
    workspace[at + 3] = contests


def _line_entry(
    marks: int, own: int, rings: int, own_rings: int, number: int, weights: Weights, workspace: Workspace
) -> int:
    """Return where the cache entry of a line is, filled in if it is new; ``number`` is the weight set."""
    key = number << 42 | rings << 30 | own_rings >> 1 << 20 | own >> 1 << 10 | marks >> 1
    hashed = (key & 0x3FFFFF) * 0x9E3779B1B5 + (key >> 22) * 0xC2B2AE3D27
    at = _LINE_CACHE + _ENTRY_WORDS * (hashed >> 28 & (1 << _CACHE_BITS) - 1)
    if workspace[at] != key or workspace[TERM_COUNT] >= 0:
        workspace[at] = key if workspace[TERM_COUNT] < 0 else 0
        _evaluate_line(marks, own, rings, own_rings, W_SET * number, weights, workspace, at)
    return at


def _stands_on(state: State, seat: int, west: int, east: int) -> bool:
    """Return whether a seat has a ring on a set of points."""
    found = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point >= 0:
            found |= west >> point if point < _WEST_POINTS else east >> point - _WEST_POINTS
    return found & 1 != 0


def _jumps_to_rows(state: State, seat: int, goals_west: int, goals_east: int) -> int:
    """Return how many jumps of a seat's rings make a row, on their own line or by flipping a completing marker."""
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
                row = (lower[0] | upper[0]) & goals_west | (lower[1] | upper[1]) & goals_east
                found += int(row | five((own ^ run) | 1 << bit) != 0)
    return found


def _threats(
    state: State, seat: int, rows: int, completing: int, base: int, weights: Weights, workspace: Workspace
) -> int:
    """Return the value of moves that would make a row at once, for ``seat``, which is to move.

    ``rows`` has the number of jumps that do so on their own line, from bit 0 those of ``seat``, from bit 16 the
    opponent's; ``completing`` has the lines with points where one more marker would make a row.
    """
    total = 0
    workspace[NO_ROW_MOVE] = 0
    for side in range(2):
        mine = seat if side == 0 else 1 - seat
        threats = rows >> 16 * side & 0xFFFF
        goals_west = 0
        goals_east = 0
        lines = completing
        while lines != 0:
            line = ctz(lines)
            lines &= lines - 1
            points = COMPLETE[own_markers(state, line, mine) >> 1]
            goals_west |= POINT_SET[line, 0, points >> 1 & 31, 0] | POINT_SET[line, 1, points >> 6 & 31, 0]
            goals_east |= POINT_SET[line, 0, points >> 1 & 31, 1] | POINT_SET[line, 1, points >> 6 & 31, 1]
        if goals_west | goals_east != 0:
            if _stands_on(state, mine, goals_west, goals_east):
                threats = THREAT_CAP  # the ring need only leave, which puts a marker there
            elif goals_west & workspace[_REACHED + 2 * side] | goals_east & workspace[_REACHED + 2 * side + 1] != 0:
                threats = _jumps_to_rows(state, mine, goals_west, goals_east)
        if side == 0 and threats == 0:
            workspace[NO_ROW_MOVE] = 1
        total += _weight(base + THREATS + side * (THREAT_CAP + 1) + min(threats, THREAT_CAP), weights, workspace)
    return total


def _contested_windows_value(lines: int, base: int, weights: Weights, workspace: Workspace) -> int:
    """Return the value of the contested windows of some lines, and find which markers can be flipped."""
    for side in range(2):
        for half in range(2):
            markers = workspace[_MARKERS + 2 * side + half]
            reached = workspace[_REACHED + 2 - 2 * side + half]
            workspace[_ATTACKED + 2 * side + half] = markers & reached
            workspace[_HELD + 2 - 2 * side + half] = markers & ~reached
    total = 0
    while lines != 0:
        line = ctz(lines)
        lines &= lines - 1
        contests = workspace[_CONTESTS + line]
        while contests != 0:
            low = contests & 7
            kind = contests >> 3 & 31
            contests >>= 8
            at = 2 * int(kind >= _CONTESTED)
            west = WINDOW_SET[line, low, 0]
            east = WINDOW_SET[line, low, 1]
            attacked = west & workspace[_ATTACKED + at] | east & workspace[_ATTACKED + at + 1]
            held = west & workspace[_HELD + at] | east & workspace[_HELD + at + 1]
            term = base + CONTESTS + 4 * kind + int(attacked != 0) + 2 * int(held != 0)
            total += _weight(term, weights, workspace)
    return total


def _collect_markers(state: State, seat: int, workspace: Workspace) -> None:
    """Fill in the markers of both sides as sets, and their numbers, in the workspace."""
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
    workspace[_MARKERS] = own_west
    workspace[_MARKERS + 1] = own_east
    workspace[_MARKERS + 2] = other_west
    workspace[_MARKERS + 3] = other_east
    workspace[COUNTS] = popcount(own_west) + popcount(own_east)
    workspace[COUNTS + 1] = popcount(other_west) + popcount(other_east)


def _collect_own_rings(state: State, seat: int, workspace: Workspace) -> None:
    """Fill in the line words of a seat's rings in the workspace."""
    for line in range(LINES):
        workspace[_OWN_RINGS + line] = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point >= 0:
            for way in range(WAYS):
                workspace[_OWN_RINGS + LINE[way, point]] |= 1 << BIT[way, point]


def _evaluate_lines(state: State, seat: int, weights: Weights, workspace: Workspace) -> int:
    """Return the value of all lines, threats and contested windows, and find what rings can flip."""
    number = weight_set(state, seat)
    base = W_SET * number + W_OTHERS
    total = 0
    contested = 0
    rows = 0
    completing = 0
    busy = 0
    for line in range(LINES):
        own = own_markers(state, line, seat)
        at = _line_entry(
            state[MARK + line], own, state[RING + line], workspace[_OWN_RINGS + line], number, weights, workspace
        )
        flags = workspace[at + 2]
        workspace[_LINE_FLAGS + line] = flags
        workspace[_CONTESTS + line] = workspace[at + 3]
        workspace[_LINE_SUMS + line] = workspace[at + 1]
        total += workspace[at + 1]
        rows += (flags >> _ROW_BITS & 3) + ((flags >> _ROW_BITS + 2 & 3) << 16)
        # Bit sets of lines, to go through later: cheaper than branches here, which are hard to predict.
        busy |= int(flags & _REACH_MASK != 0) << line
        completing |= int(flags & _COMPLETING_MASK != 0) << line
        contested |= (flags >> _CONTESTED_BIT) << line
    reached_west = 0
    reached_east = 0
    exposed_west = 0
    exposed_east = 0
    while busy != 0:
        line = ctz(busy)
        busy &= busy - 1
        flags = workspace[_LINE_FLAGS + line]
        reached_west |= POINT_SET[line, 0, flags >> 1 & 31, 0] | POINT_SET[line, 1, flags >> 6 & 31, 0]
        reached_east |= POINT_SET[line, 0, flags >> 1 & 31, 1] | POINT_SET[line, 1, flags >> 6 & 31, 1]
        exposed_west |= POINT_SET[line, 0, flags >> 13 & 31, 0] | POINT_SET[line, 1, flags >> 18 & 31, 0]
        exposed_east |= POINT_SET[line, 0, flags >> 13 & 31, 1] | POINT_SET[line, 1, flags >> 18 & 31, 1]
    workspace[_REACHED] = reached_west
    workspace[_REACHED + 1] = reached_east
    workspace[_REACHED + 2] = exposed_west
    workspace[_REACHED + 3] = exposed_east
    total += _threats(state, seat, rows, completing, base, weights, workspace)
    return total + _contested_windows_value(contested, base, weights, workspace)


def evaluate_for_mover(state: State, weights: Weights, workspace: Workspace) -> int:
    """Return the value for the side to move of a position in which a ring is to be placed or moved.

    Terms are listed in the workspace unless ``workspace[TERM_COUNT]`` is -1. If they are not, lines are cached, so the
    workspace goes with one array of weights.
    """
    seat = state[TURN]
    _collect_markers(state, seat, workspace)
    _collect_own_rings(state, seat, workspace)
    total = _evaluate_lines(state, seat, weights, workspace)
    base = W_SET * weight_set(state, seat) + W_OTHERS
    placing = 1 if state[PHASE] == PLACING else 0
    stand = base + (PLACED_AT if placing == 1 else RINGS_AT)
    for slot in range(2 * RINGS_EACH):
        point = state[RING_AT + slot]
        if point >= 0:
            total += _weight(stand + ORBIT[point] + (0 if slot // RINGS_EACH == seat else ORBITS), weights, workspace)
    for side in range(2):
        workspace[COUNTS + 2 + side] = popcount(workspace[_ATTACKED + 2 * side]) + popcount(
            workspace[_ATTACKED + 2 * side + 1]
        )
    off = RINGS_OFF_LATE if state[POOL] < LATE_POOL else RINGS_OFF
    total += _weight(base + off + 3 * state[OFF + seat] + state[OFF + 1 - seat], weights, workspace)
    total += _weight(base + TEMPO + placing, weights, workspace)
    for i in range(COUNTED_TERMS):
        total += workspace[COUNTS + i] * weights[base + MARKERS_ON + i]
    return int(total)


def _line_gain(
    state: State,
    line: int,
    marked: int,
    turned: int,
    ringed: int,
    seat: int,
    number: int,
    weights: Weights,
    workspace: Workspace,
) -> int:
    """Return by how much a move of ``seat`` changes the value of a line for the opponent.

    The move puts a marker on ``marked``, flips ``turned`` and changes the rings at ``ringed``. If the line has a row
    then, of either side, it is ``MAKES_ROW``.
    """
    marks = state[MARK + line] | marked
    own = own_markers(state, line, 1 - seat) ^ turned
    if five(own) | five(marks ^ own) != 0:
        return MAKES_ROW
    at = _line_entry(marks, own, state[RING + line] ^ ringed, workspace[_OWN_RINGS + line], number, weights, workspace)
    return int(workspace[at + 1] - workspace[_LINE_SUMS + line])


def estimate_after_move(state: State, total: int, move: int, weights: Weights, workspace: Workspace) -> int:
    """Estimate the opponent's evaluation after a ring's move; far below any evaluation if the move makes a row.

    ``total`` must be the opponent's evaluation of the position as if it were to move, and the last one made in this
    workspace. Lines, rings and markers count as after the move; threats, contested windows and markers that can be
    flipped as before it.
    """
    seat = state[TURN]
    number = weight_set(state, 1 - seat)
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
    worth = _line_gain(state, line, 1 << start, jumped, 1 << start | 1 << end, seat, number, weights, workspace)
    for way in range(WAYS):
        if way != along:
            bit = 1 << BIT[way, origin]
            worth += _line_gain(state, LINE[way, origin], bit, 0, bit, seat, number, weights, workspace)
            worth += _line_gain(state, LINE[way, target], 0, 0, 1 << BIT[way, target], seat, number, weights, workspace)
    while jumped != 0:
        point = POINT[line, ctz(jumped)]
        jumped &= jumped - 1
        for way in range(WAYS):
            if way != along:
                worth += _line_gain(
                    state, LINE[way, point], 0, 1 << BIT[way, point], 0, seat, number, weights, workspace
                )
    return int(total + worth)
