"""What engines know of YINSH beyond the rules: how to judge a position, and which moves are urgent.

A judgement is a sum of learned weights, for the side to move:

* every window of five neighbouring points counts by its whole pattern of empty points, markers and
  rings, own and other (the same read backwards);
* every window with three or four markers of a side counts again by whether these can be turned over
  next, and whether what is in their way can;
* every jump a ring could make counts by how many own and other markers it would turn over;
* the moves of each ring, the moves that would make a row at once, where rings stand, the markers
  on the board, and the rings off.

There are four sets of weights, by which side needs only one more row to win. Patterns are looked up,
not worked out: three bits for each point of a line stand side by side in a word, and a window is
fifteen of them.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import ctz, msb, popcount
from triskele.core.contract import Moves, State
from triskele.core.words import Text, text
from triskele.games.yinsh import rules as r
from triskele.games.yinsh.rules import (
    BIT,
    BLITZ,
    LINE,
    LINES,
    MARK,
    MOVE,
    MOVER,
    MOVES,
    MOVING,
    OFF,
    PASS,
    PASSES,
    PHASE,
    PLACING,
    POINT,
    POINTS,
    POOL,
    RING,
    RING_AT,
    RINGS_EACH,
    TAKING_ROW,
    TURN,
    WALLS,
    WAY,
    WAYS,
    WHITE,
    apply,
    five,
)

Weights = NDArray[np.int32]
Room = NDArray[np.int64]

# --- tables -------------------------------------------------------------------------------------

# A point in a pattern, a digit to the base of five: empty 0, marker 1 or 2, ring 3 or 4; own before other.
_PATTERNS = 5**5
# What to multiply by, before a shift, to divide a line's pattern (below 2**24) by five and by the patterns.
_BY_FIVE = (1 << 32) // 5 + 1
_BY_PATTERNS = (1 << 40) // _PATTERNS + 1

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

_MOST_WINDOWS = 6
WINDOWS = np.array([max(0, len(points) - 4) for points in r.LINE_POINTS], dtype=np.int64)


def _digits(pattern: int) -> tuple[int, ...]:
    return tuple(pattern // 5**i % 5 for i in range(5))


def _window_parameters() -> NDArray[np.int64]:
    """Return the number of the parameter for each pattern of five points; -1 for the empty one."""
    known: dict[tuple[int, ...], int] = {}
    found = [known.setdefault(min(_digits(p), _digits(p)[::-1]), len(known)) for p in range(1, _PATTERNS)]
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
COLUMN_SHIFT = np.array([points[0] % _WEST_POINTS if c < 5 else points[0] - _WEST_POINTS
                         for c, points in enumerate(r.LINE_POINTS[: LINES // WAYS])], dtype=np.int64)  # fmt: skip
UP_TO = np.zeros((LINES, 13, 2), dtype=np.int64)
"""By line and bit: the points of the line below that bit, as a set."""
for _line, _points in enumerate(r.LINE_POINTS):
    for _bit in range(13):
        for _point in _points[: max(0, _bit - 1)]:
            UP_TO[_line, _bit, _point // _WEST_POINTS if _point < _WEST_POINTS else 1] |= 1 << (
                _point if _point < _WEST_POINTS else _point - _WEST_POINTS
            )

# A window in which a side has three or four markers and the other no ring is contested. What kind it is, from
# the low bit: whether a friendly ring is in it, the other's markers (0 to 2), whether there are four markers.
_CONTESTED = 12


# --- parameters: what learning finds ----------------------------------------------------------------

_P_OTHERS = int(WINDOW_PARAMETER.max()) + 1
# The weights that evaluate() gets are the same, but with the windows' weights laid out by pattern.
_W_OTHERS = _PATTERNS

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

_P_SET = _P_OTHERS + _OTHERS
_W_SET = _W_OTHERS + _OTHERS
SETS = 4
PARAMETERS = SETS * _P_SET

LATE_POOL = 15
"""With fewer markers than this in the pool, the end of it is in sight."""

LEARNED_ON: tuple[dict[str, bool], ...] = ({}, {}, {}, {"blitz": True})
"""The variants that the weights are learned on, in equal shares."""

# --- the terms of a judgement -----------------------------------------------------------------------

# Places in the scratch array.
_OWN_RINGS = 0  # line words of the rings of the side to move
_HOT = 40  # line words: markers that would make a row if they were turned over
_MULTIPLES = 80  # how often the four weights count that are not for a pattern
_MARKERS = 90  # the markers of each side, as sets
_REACHED = 94  # the markers that each side can turn over next, as sets
_RECORDED = 98  # how many terms are recorded; -1 when they need not be
_TERMS = 100  # the weights that count once each

_MULTIPLE_TERMS = 4


def _own(state: State, line: int, seat: int) -> int:
    """Return the markers of a seat on a line."""
    white = state[WHITE + line]
    return int(white if seat == 0 else state[MARK + line] ^ white)


def _set(state: State, seat: int) -> int:
    """Return which set of weights counts: by who needs only one more row, the side to move or the other."""
    last = 0 if state[BLITZ] != 0 else 2
    return int(state[OFF + seat] == last) + 2 * int(state[OFF + 1 - seat] == last)


def _weight(term: int, weights: Weights, room: Room) -> int:
    """Return a weight, and record that it counts when that is wanted."""
    if room[_RECORDED] >= 0:
        room[_TERMS + room[_RECORDED]] = term
        room[_RECORDED] += 1
    return int(weights[term])


def _jump_up(rings: int, marks: int, bit: int) -> int:
    """Return the markers that a ring would jump towards higher bits; 0 when it cannot jump."""
    first = ctz((rings | marks) & -(2 << bit))
    landing = ctz(~marks & -(1 << first))
    return ((1 << landing) - (1 << first)) * (~rings >> landing & 1)


def _jump_down(rings: int, marks: int, bit: int) -> int:
    """Return the markers that a ring would jump towards lower bits; 0 when it cannot jump."""
    first = msb((rings | marks) & (1 << bit) - 1)
    landing = msb(~marks & (2 << first) - 1)
    return ((2 << first) - (2 << landing)) * (~rings >> landing & 1)


def _note_markers(state: State, seat: int, room: Room) -> None:
    """Leave the markers of both sides as sets, and their numbers, in the scratch array."""
    for i in range(8):
        room[_MARKERS + i] = 0
    for column in range(LINES // WAYS):
        own = _own(state, column, seat)
        half = 0 if column < _WEST_COLUMNS else 1
        room[_MARKERS + half] |= own >> 1 << COLUMN_SHIFT[column]
        room[_MARKERS + 2 + half] |= (state[MARK + column] ^ own) >> 1 << COLUMN_SHIFT[column]
    room[_MULTIPLES] = popcount(room[_MARKERS]) + popcount(room[_MARKERS + 1])
    room[_MULTIPLES + 1] = popcount(room[_MARKERS + 2]) + popcount(room[_MARKERS + 3])


def _jumps(state: State, seat: int, side: int, base: int, weights: Weights, room: Room) -> int:
    """Return what the jumps of a seat's rings are worth, and note which markers they can turn over.

    A jump that makes a row, or the leaving of a point that does, is a threat.
    """
    total = 0
    threats = 0
    hot_west = 0
    hot_east = 0
    for line in range(LINES):
        points = COMPLETE[_own(state, line, seat) >> 1]
        while points != 0:
            bit = ctz(points)
            points &= points - 1
            hot_west |= UP_TO[line, bit + 1, 0] ^ UP_TO[line, bit, 0]
            hot_east |= UP_TO[line, bit + 1, 1] ^ UP_TO[line, bit, 1]
    west = 0
    east = 0
    first = base + JUMPS + side * _SIDE_JUMPS
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point < 0:
            continue
        if (hot_west >> point if point < _WEST_POINTS else hot_east >> point - _WEST_POINTS) & 1:
            threats += THREAT_CAP
        for way in range(WAYS):
            line = LINE[way, point]
            marks = state[MARK + line]
            if marks == 0:
                continue
            bit = BIT[way, point]
            rings = state[RING + line]
            own = _own(state, line, seat)
            for upward in range(2):
                # No jump is a jump over nothing, with a weight of its own: cheaper than asking.
                run = _jump_up(rings, marks, bit) if upward == 1 else _jump_down(rings, marks, bit)
                mine = min(popcount(own & run), JUMP_CAP)
                theirs = min(popcount(run & ~own), JUMP_CAP)
                total += _weight(first + (JUMP_CAP + 1) * mine + theirs, weights, room)
                low = ctz(run | 1 << 12)
                high = low + popcount(run)
                run_west = UP_TO[line, high, 0] ^ UP_TO[line, low, 0]
                run_east = UP_TO[line, high, 1] ^ UP_TO[line, low, 1]
                west |= run_west
                east |= run_east
                # Hot points are empty, rings, or markers of the other side.
                row = run_west & hot_west | run_east & hot_east | five((own ^ run) | 1 << bit)
                threats += int(row != 0)
    room[_REACHED + 2 * side] = west
    room[_REACHED + 2 * side + 1] = east
    threat = base + THREATS + side * (THREAT_CAP + 1) + min(threats, THREAT_CAP)
    return total + _weight(threat, weights, room)


def _contest(
    own: int, other: int, own_rings: int, other_rings: int, line: int, low: int, base: int, weights: Weights, room: Room
) -> int:
    """Return what a window with three or more markers of a side is worth, unless the other has a ring in it."""
    window = 31 << low
    own &= window
    other &= window
    side = 0 if popcount(own) >= 3 else 1
    markers = popcount(own if side == 0 else other)
    others = popcount(other if side == 0 else own)
    if markers > 4 or (other_rings if side == 0 else own_rings) & window != 0:
        return 0
    ring = int((own_rings if side == 0 else other_rings) & window != 0)
    attacked = 0
    held = 0
    for half in range(2):
        points = UP_TO[line, low + 5, half] ^ UP_TO[line, low, half]
        attacked |= points & room[_MARKERS + 2 * side + half] & room[_REACHED + 2 - 2 * side + half]
        held |= points & room[_MARKERS + 2 - 2 * side + half] & ~room[_REACHED + 2 * side + half]
    contest = ring + 2 * others + 6 * (markers - 3)
    kind = 4 * (_CONTESTED * side + contest) + int(attacked != 0) + 2 * int(held != 0)
    return _weight(base + CONTESTS + kind, weights, room)


def _windows(state: State, seat: int, base: int, weights: Weights, room: Room) -> int:
    """Return what the windows of five are worth, as ``seat`` sees them."""
    total = 0
    for line in range(LINES):
        room[_OWN_RINGS + line] = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point >= 0:
            for way in range(WAYS):
                room[_OWN_RINGS + LINE[way, point]] |= 1 << BIT[way, point]
    for line in range(LINES):
        mark = state[MARK + line]
        rings = state[RING + line] ^ WALLS[line]
        if mark | rings == 0:
            continue
        own = _own(state, line, seat)
        other = mark ^ own
        windows = WINDOWS[line]
        own_rings = room[_OWN_RINGS + line]
        code = (
            SPREAD[own >> 1]
            + 2 * SPREAD[other >> 1]
            + 3 * SPREAD[own_rings >> 1]
            + 4 * SPREAD[(rings ^ own_rings) >> 1]
        )
        for low in range(_MOST_WINDOWS):
            # Windows that are not there count as empty: cheaper than a loop that ends here or there.
            pattern = code - _PATTERNS * (code * _BY_PATTERNS >> 40)
            total += _weight(base + (pattern if low < windows else 0), weights, room)
            code = code * _BY_FIVE >> 32
        crowded = CROWDED[own >> 1] | CROWDED[other >> 1]
        while crowded != 0:
            low = ctz(crowded)
            crowded &= crowded - 1
            total += _contest(own, other, own_rings, rings ^ own_rings, line, low, base + _W_OTHERS, weights, room)
    return total


def _judged(state: State, weights: Weights, room: Room) -> int:
    """Return the value for the side to move, in which a ring is to be placed or moved."""
    seat = state[TURN]
    base = _W_SET * _set(state, seat)
    _note_markers(state, seat, room)
    total = 0
    for side in range(2):
        total += _jumps(state, seat if side == 0 else 1 - seat, side, base + _W_OTHERS, weights, room)
    total += _windows(state, seat, base, weights, room)
    base += _W_OTHERS
    placing = 1 if state[PHASE] == PLACING else 0
    stand = base + (PLACED_AT if placing == 1 else RINGS_AT)
    for slot in range(2 * RINGS_EACH):
        point = state[RING_AT + slot]
        if point >= 0:
            total += _weight(stand + ORBIT[point] + (0 if slot // RINGS_EACH == seat else ORBITS), weights, room)
    for side in range(2):
        exposed = 0
        for half in range(2):
            exposed += popcount(room[_MARKERS + 2 * side + half] & room[_REACHED + 2 - 2 * side + half])
        room[_MULTIPLES + 2 + side] = exposed
    off = RINGS_OFF_LATE if state[POOL] < LATE_POOL else RINGS_OFF
    total += _weight(base + off + 3 * state[OFF + seat] + state[OFF + 1 - seat], weights, room)
    total += _weight(base + TEMPO + placing, weights, room)
    for i in range(_MULTIPLE_TERMS):
        total += room[_MULTIPLES + i] * weights[base + MARKERS_ON + i]
    return int(total)


def evaluate(state: State, weights: Weights, room: Room) -> int:
    """Return the value for white of a position in which a ring is to be placed or moved."""
    room[_RECORDED] = -1
    value = _judged(state, weights, room)
    return value if state[TURN] == 0 else -value


def features(state: State, index: Moves, value: Moves, room: Room) -> int:
    """List the terms of :func:`evaluate` by parameter; the pattern of nothing has none."""
    room[_RECORDED] = 0
    _judged(state, NO_WEIGHTS, room)
    sign = 1 - 2 * state[TURN]
    base = _P_SET * _set(state, state[TURN])
    number = 0
    for i in range(room[_RECORDED]):
        term = room[_TERMS + i] % _W_SET
        parameter = WINDOW_PARAMETER[term] if term < _W_OTHERS else term - _W_OTHERS + _P_OTHERS
        if parameter >= 0:
            index[number] = base + parameter
            value[number] = sign
            number += 1
    for i in range(_MULTIPLE_TERMS):
        index[number + i] = base + _P_OTHERS + MARKERS_ON + i
        value[number + i] = sign * room[_MULTIPLES + i]
    return number + _MULTIPLE_TERMS


NO_WEIGHTS = np.zeros(SETS * _W_SET, dtype=np.int32)


LEARNING = {"seed": 3, "rounds": 3, "noise": 40, "decay": 5e-6}
"""How the plan that the shipped weights were learned with differs from the usual one."""

LEVELS = (
    (0.2, 300, 1, 1500, 480),
    (0.2, 600, 1, 650, 210),
    (0.3, 1500, 2, 950, 300),
    (0.3, 2500, 2, 320, 95),
    (0.4, 16_000, 3, 550, 165),
    (0.5, 16_000, 3, 150, 40),
    (0.6, 6_000, None, 0, 0),
    (0.7, 20_000, None, 0, 0),
    (0.9, 80_000, None, 0, 0),
    (None, None, None, 0, 0),
)
"""Each beats the one below in about three of four games: see ``benchmarks/levels.py``."""


def expand(parameters: NDArray[np.float64]) -> Weights:
    """Return the weights for :func:`evaluate` from learned parameters, which are in logits."""
    weights = np.zeros((SETS, _W_SET), dtype=np.int32)
    rounded = np.rint(np.asarray(parameters) * 1000).astype(np.int32).reshape(SETS, _P_SET)
    weights[:, 1:_PATTERNS] = rounded[:, WINDOW_PARAMETER[1:]]
    weights[:, _W_OTHERS:] = rounded[:, _P_OTHERS:]
    return weights.reshape(-1)


def load() -> Weights:
    """Return the shipped weights."""
    with np.load(Path(__file__).with_name("weights.npz")) as shipped:
        return expand(shipped["parameters"])


# --- moves that make a row ------------------------------------------------------------------------------


def _heat(state: State, seat: int, room: Room) -> int:
    """Find the points where one more marker would make a row for ``seat``.

    Returns 0 when there are none, 3 when there is another marker on some of them, else 1. With 3, the
    scratch array has for each line the markers whose turning over makes a row on a *different* line.
    """
    found = 0
    for line in range(LINES):
        points = COMPLETE[_own(state, line, seat) >> 1]
        if points != 0:
            found |= 1
            points &= state[MARK + line]
            if points != 0 and found < 2:
                found = 3
                for i in range(LINES):
                    room[_HOT + i] = 0
            while points != 0:
                point = POINT[line, ctz(points)]
                points &= points - 1
                for way in range(WAYS):
                    if LINE[way, point] != line:
                        room[_HOT + LINE[way, point]] |= 1 << BIT[way, point]
    return found


def _rows_by_leaving(state: State, seat: int, point: int) -> int:
    """Return as three bits the ways along which a ring makes a row by just leaving its point."""
    found = 0
    for way in range(WAYS):
        found |= (COMPLETE[_own(state, LINE[way, point], seat) >> 1] >> BIT[way, point] & 1) << way
    return found


def noisy(state: State, moves: Moves, distance: int, room: Room) -> int:
    """List the moves that make a row."""
    if state[PHASE] != MOVING:
        return 0
    seat = state[TURN]
    heat = _heat(state, seat, room)
    n = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point < 0:
            continue
        leaving = _rows_by_leaving(state, seat, point) if heat > 0 else 0
        for way in range(WAYS):
            line = LINE[way, point]
            bit = BIT[way, point]
            rings = state[RING + line]
            marks = state[MARK + line]
            own = _own(state, line, seat)
            targets = 0
            for upward in range(2):
                run = _jump_up(rings, marks, bit) if upward == 1 else _jump_down(rings, marks, bit)
                if run != 0:
                    row = five((own ^ run) | 1 << bit) | leaving & ~(1 << way)
                    if heat > 1:
                        row |= run & ~own & room[_HOT + line]
                    if row != 0:
                        targets |= 2 << msb(run) if upward == 1 else (run & -run) >> 1
            if leaving != 0:
                occupied = rings | marks
                targets |= (1 << ctz(occupied & -(2 << bit))) - (2 << bit)
                targets |= (1 << bit) - (2 << msb(occupied & (1 << bit) - 1))
            while targets != 0:
                moves[n] = MOVE + POINTS * point + POINT[line, ctz(targets)]
                n += 1
                targets &= targets - 1
    return n


# --- what a search wants to know ----------------------------------------------------------------------


def settled(state: State) -> int:
    """Return 0 while rows and rings are being taken."""
    return 1 if state[PHASE] <= MOVING else 0


def ply(state: State) -> int:
    """Taking rows and rings costs nothing: it belongs to the move that made the row."""
    return 1 if state[PHASE] <= MOVING else 0


def arrange(state: State, moves: Moves, ranks: Moves, number: int, distance: int, weights: Weights, room: Room) -> None:
    """Rank moves by the markers they turn over, other ones for and own ones against them."""
    if state[PHASE] != MOVING or moves[0] == PASS:
        return
    seat = state[TURN]
    for i in range(number):
        origin = (moves[i] - MOVE) // POINTS
        target = (moves[i] - MOVE) % POINTS
        way = WAY[origin, target]
        line = LINE[way, origin]
        low = min(BIT[way, origin], BIT[way, target])
        high = max(BIT[way, origin], BIT[way, target])
        jumped = state[MARK + line] & ((1 << high) - (2 << low))
        mine = popcount(jumped & _own(state, line, seat))
        ranks[i] += 2000 * (popcount(jumped) - 2 * mine)


_KEYS = np.random.default_rng(20260301)
_COLUMN_KEY = _KEYS.integers(1 << 34, 1 << 37, 2 * (LINES // WAYS), dtype=np.int64) | 1
_RING_KEY = _KEYS.integers(0, 1 << 62, (2, POINTS), dtype=np.int64)
_TURN_KEY = _KEYS.integers(0, 1 << 62, 64, dtype=np.int64)


def key(state: State) -> int:
    """Return a hash of the position."""
    mixed = _TURN_KEY[state[PHASE]] ^ _TURN_KEY[8 + state[TURN]] ^ _TURN_KEY[10 + state[MOVER]]
    mixed ^= _TURN_KEY[12 + state[PASSES]] ^ _TURN_KEY[16 + state[OFF]] ^ _TURN_KEY[20 + state[OFF + 1]]
    mixed ^= _TURN_KEY[24 + state[BLITZ]]
    for column in range(LINES // WAYS):
        mark = state[MARK + column] >> 1
        white = state[WHITE + column] >> 1
        mixed ^= (mark << 10 | white) * _COLUMN_KEY[column]
    for slot in range(2 * RINGS_EACH):
        point = state[RING_AT + slot]
        if point >= 0:
            mixed ^= _RING_KEY[slot // RINGS_EACH, point]
    mixed ^= mixed >> 31
    return int((mixed & 0x7FFFFFFF) * 0x5851F42D ^ mixed)


# --- words --------------------------------------------------------------------------------------------


def _has_noisy(state: State, seat: int) -> bool:
    """Return whether a seat could make a row if it were its turn."""
    asked = state.copy()
    asked[TURN] = seat
    return noisy(asked, np.empty(MOVES, dtype=np.int64), 0, np.zeros(1024, dtype=np.int64)) > 0


def remark(options: Mapping[str, object], state: State, codes: Sequence[int], seat: int) -> Text | None:
    """Say what a line of moves is good for: a row now or soon, none for the other side, markers turned over."""
    if state[PHASE] != MOVING or not codes or codes[0] == PASS:
        return None
    before = state.copy()
    own_moves = 0
    for code in codes:
        mine = before[PHASE] == MOVING and before[TURN] == seat
        own_moves += int(mine)
        apply(before, code)
        if mine and before[PHASE] == TAKING_ROW and before[TURN] == seat:
            return text("engines.gain-now") if own_moves == 1 else text("engines.gain-in", n=own_moves)
    after = state.copy()
    apply(after, codes[0])
    if _has_noisy(state, 1 - seat) and after[PHASE] == MOVING and not _has_noisy(after, 1 - seat):
        return text("engines.gain-stops")
    turned = sum(popcount(state[WHITE + i] ^ after[WHITE + i] & state[MARK + i]) for i in range(LINES // WAYS))
    return text("engines.gain-flips", n=turned) if turned > 1 else None
