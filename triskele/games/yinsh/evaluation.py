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
    reach,
)

Weights = NDArray[np.int32]
Room = NDArray[np.int64]

# --- tables -------------------------------------------------------------------------------------

# A point in a pattern: empty 0, own marker 1, other marker 2, own ring 5, other ring 6.
_CELLS = (0, 1, 2, 5, 6)
_WINDOW_BITS = 15

SPREAD = np.zeros(1 << 12, dtype=np.int64)  # a line word with its bits three apart, without the low wall
COMPLETE = np.zeros(1 << 12, dtype=np.int64)  # which bits would make a row of five with those set
for _word in range(1 << 12):
    SPREAD[_word] = sum(1 << 3 * (_bit - 1) for _bit in range(1, 11) if _word >> _bit & 1)
    for _low in range(1, 7):
        _missing = ~_word & (31 << _low)
        if _missing and not _missing & (_missing - 1):
            COMPLETE[_word] |= _missing

WINDOWS = np.array([max(0, len(points) - 4) for points in r.LINE_POINTS], dtype=np.int64)


def _window_parameters() -> NDArray[np.int64]:
    """Return the number of the parameter for each pattern of five points; -1 for the empty one."""
    found = np.full(1 << _WINDOW_BITS, -1, dtype=np.int64)
    known: dict[tuple[int, ...], int] = {}
    patterns = np.array(np.meshgrid(*[_CELLS] * 5, indexing="ij")).reshape(5, -1).T
    for pattern in map(tuple, patterns.tolist()):
        if any(pattern):
            number = known.setdefault(min(pattern, pattern[::-1]), len(known))
            found[sum(cell << 3 * i for i, cell in enumerate(pattern))] = number
    return found


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

# A window in which a side has three or four markers and the other no ring is contested: for each side a
# number of its own, and 0 otherwise. From the low bit: whether a friendly ring is in it, the other's
# markers (0 to 2), whether there are four markers.
_CONTESTED = 12


def _contests(own: int, own_ring: int, other: int, other_ring: int) -> NDArray[np.int64]:
    """Return for each pattern the number of the contest for one side, plus 1; 0 where there is none."""
    found = np.zeros(1 << _WINDOW_BITS, dtype=np.int64)
    for code in np.flatnonzero(WINDOW_PARAMETER >= 0).tolist():
        cells = [code >> 3 * i & 7 for i in range(5)]
        markers, others = cells.count(own), cells.count(other)
        if markers in (3, 4) and other_ring not in cells:
            found[code] = 1 + int(own_ring in cells) + 2 * others + 6 * (markers - 3)
    return found


CONTEST = np.stack([_contests(1, 5, 2, 6), _contests(2, 6, 1, 5)])

# --- parameters: what learning finds ----------------------------------------------------------------

_P_OTHERS = int(WINDOW_PARAMETER.max()) + 1
# The weights that evaluate() gets are the same, but with the windows' weights laid out by pattern.
_W_OTHERS = 1 << _WINDOW_BITS

# Offsets from there on. Most come twice: for the side to move, then for the other one.
JUMP_CAP = 5
_SIDE_JUMPS = (JUMP_CAP + 1) * (JUMP_CAP + 1)
JUMPS = 0
THREAT_CAP = 3
THREATS = JUMPS + 2 * _SIDE_JUMPS
MOBILITY = THREATS + 2 * (THREAT_CAP + 1)
SHUT_IN = MOBILITY + 2
MARKERS_ON = SHUT_IN + 2
RINGS_AT = MARKERS_ON + 2
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
_REACHED = 90  # line words, for both sides: markers that they can turn over next
_TERMS = 200  # the weights that count once each

_SINGLE = 4


def _own(state: State, line: int, seat: int) -> int:
    """Return the markers of a seat on a line."""
    white = state[WHITE + line]
    return int(white if seat == 0 else state[MARK + line] ^ white)


def _set(state: State, seat: int) -> int:
    """Return which set of weights counts: by who needs only one more row, the side to move or the other."""
    last = 0 if state[BLITZ] != 0 else 2
    return int(state[OFF + seat] == last) + 2 * int(state[OFF + 1 - seat] == last)


def _contest(side: int, pattern: int, markers: int, others: int, line: int, contests: int, room: Room, n: int) -> int:
    """Add a window with three or more markers of a side to the terms, unless the other has a ring in it."""
    contest = CONTEST[side, pattern]
    if contest == 0:
        return n
    attacked = markers & room[_REACHED + LINES * (1 - side) + line]
    held = others & ~room[_REACHED + LINES * side + line]
    room[n] = contests + 4 * (_CONTESTED * side + contest - 1) + int(attacked != 0) + 2 * int(held != 0)
    return n + 1


def _windows(state: State, seat: int, base: int, room: Room, n: int) -> int:
    """Add the windows of five, as ``seat`` sees them, to the terms; return the new number of terms."""
    for line in range(LINES):
        room[_OWN_RINGS + line] = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point >= 0:
            for way in range(WAYS):
                room[_OWN_RINGS + LINE[way, point]] |= 1 << BIT[way, point]
    contests = base + _W_OTHERS + CONTESTS
    for line in range(LINES):
        mark = state[MARK + line]
        rings = state[RING + line] ^ WALLS[line]
        if mark | rings != 0:
            own = _own(state, line, seat)
            own_rings = room[_OWN_RINGS + line]
            others = SPREAD[mark ^ own | rings ^ own_rings]
            code = SPREAD[own | own_rings] | others << 1 | SPREAD[rings] << 2
            for low in range(1, WINDOWS[line] + 1):
                pattern = code & 32767
                code >>= 3
                room[n] = base + pattern
                n += 1
                window = 31 << low
                if popcount(own & window) >= 3:
                    n = _contest(0, pattern, own & window, (mark ^ own) & window, line, contests, room, n)
                elif popcount((mark ^ own) & window) >= 3:
                    n = _contest(1, pattern, (mark ^ own) & window, own & window, line, contests, room, n)
    return n


def _heat(state: State, seat: int, room: Room) -> int:
    """Find the points where one more marker would make a row for ``seat``.

    Returns 0 when there are none, 2 when there is another marker on some of them, else 1. With 2, the
    scratch array has for each line the markers whose turning over makes a row on a *different* line.
    """
    found = 0
    for line in range(LINES):
        points = COMPLETE[_own(state, line, seat)]
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
        found |= (COMPLETE[_own(state, LINE[way, point], seat)] >> BIT[way, point] & 1) << way
    return found


def _jump_up(rings: int, marks: int, bit: int) -> int:
    """Return the markers that a ring would jump towards higher bits; 0 when it cannot jump."""
    first = ctz((rings | marks) & -(2 << bit))
    landing = ctz(~marks & -(1 << first))
    return (1 << landing) - (1 << first) if rings >> landing & 1 == 0 else 0


def _jump_down(rings: int, marks: int, bit: int) -> int:
    """Return the markers that a ring would jump towards lower bits; 0 when it cannot jump."""
    first = msb((rings | marks) & (1 << bit) - 1)
    landing = msb(~marks & (2 << first) - 1)
    return (2 << first) - (2 << landing) if rings >> landing & 1 == 0 else 0


def _note_reached(line: int, run: int, side: int, room: Room) -> None:
    """Note that a side can turn over a run of markers, on all lines through them."""
    reached = _REACHED + LINES * side
    while run != 0:
        point = POINT[line, ctz(run)]
        run &= run - 1
        for way in range(WAYS):
            room[reached + LINE[way, point]] |= 1 << BIT[way, point]


def _ring_moves(state: State, seat: int, side: int, base: int, room: Room, n: int) -> int:
    """Add what the moves of a seat's rings are: jumps, mobility, and how many of them make a row."""
    heat = _heat(state, seat, room)
    threats = 0
    mobility = 0
    jumps = base + _W_OTHERS + JUMPS + side * _SIDE_JUMPS
    for line in range(LINES):
        room[_REACHED + LINES * side + line] = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point < 0:
            continue
        leaving = _rows_by_leaving(state, seat, point) if heat > 0 else 0
        here = 0
        for way in range(WAYS):
            line = LINE[way, point]
            bit = BIT[way, point]
            rings = state[RING + line]
            marks = state[MARK + line]
            own = _own(state, line, seat)
            here += popcount(reach(rings, marks, bit))
            for upward in range(2):
                run = _jump_up(rings, marks, bit) if upward == 1 else _jump_down(rings, marks, bit)
                if run != 0:
                    _note_reached(line, run, side, room)
                    mine = min(popcount(own & run), JUMP_CAP)
                    theirs = min(popcount(run & ~own), JUMP_CAP)
                    room[n] = jumps + (JUMP_CAP + 1) * mine + theirs
                    n += 1
                    row = five((own ^ run) | 1 << bit) | leaving & ~(1 << way)
                    if heat > 1:
                        row |= run & ~own & room[_HOT + line]
                    if row != 0:
                        threats += 1
        if leaving != 0:
            threats += here
        mobility += here
        if here == 0:
            room[n] = base + _W_OTHERS + SHUT_IN + side
            n += 1
    room[_MULTIPLES + side] = mobility
    room[n] = base + _W_OTHERS + THREATS + side * (THREAT_CAP + 1) + min(threats, THREAT_CAP)
    return n + 1


def _terms(state: State, room: Room) -> int:
    """Leave the terms of the judgement, as the side to move sees it, in the scratch array."""
    seat = state[TURN]
    base = _W_SET * _set(state, seat)
    n = _ring_moves(state, seat, 0, base, room, _TERMS)
    n = _ring_moves(state, 1 - seat, 1, base, room, n)
    n = _windows(state, seat, base, room, n)
    base += _W_OTHERS
    placing = 1 if state[PHASE] == PLACING else 0
    stand = base + (PLACED_AT if placing == 1 else RINGS_AT)
    for slot in range(2 * RINGS_EACH):
        point = state[RING_AT + slot]
        if point >= 0:
            room[n] = stand + ORBIT[point] + (0 if slot // RINGS_EACH == seat else ORBITS)
            n += 1
    on_board = 0
    own = 0
    for column in range(LINES // WAYS):
        on_board += popcount(state[MARK + column])
        own += popcount(_own(state, column, seat))
    room[_MULTIPLES + 2] = own
    room[_MULTIPLES + 3] = on_board - own
    off = RINGS_OFF_LATE if state[POOL] < LATE_POOL else RINGS_OFF
    room[n] = base + off + 3 * state[OFF + seat] + state[OFF + 1 - seat]
    room[n + 1] = base + TEMPO + placing
    return n + 2


def evaluate(state: State, weights: Weights, room: Room) -> int:
    """Return the value for white of a position in which a ring is to be placed or moved."""
    n = _terms(state, room)
    total = 0
    for i in range(_TERMS, n):
        total += weights[room[i]]
    base = _W_SET * _set(state, state[TURN]) + _W_OTHERS
    total += room[_MULTIPLES] * weights[base + MOBILITY]
    total += room[_MULTIPLES + 1] * weights[base + MOBILITY + 1]
    total += room[_MULTIPLES + 2] * weights[base + MARKERS_ON]
    total += room[_MULTIPLES + 3] * weights[base + MARKERS_ON + 1]
    return int(total if state[TURN] == 0 else -total)


def features(state: State, index: Moves, value: Moves, room: Room) -> int:
    """List the terms of :func:`evaluate` by parameter; the pattern of nothing has none."""
    sign = 1 - 2 * state[TURN]
    base = _P_SET * _set(state, state[TURN])
    n = _terms(state, room)
    number = 0
    for i in range(_TERMS, n):
        term = room[i] % _W_SET
        parameter = WINDOW_PARAMETER[term] if term < _W_OTHERS else term - _W_OTHERS + _P_OTHERS
        if parameter >= 0:
            index[number] = base + parameter
            value[number] = sign
            number += 1
    for i in range(_SINGLE):
        index[number + i] = base + _P_OTHERS + (MOBILITY if i < 2 else MARKERS_ON) + i % 2
        value[number + i] = sign * room[_MULTIPLES + i]
    return number + _SINGLE


def expand(parameters: NDArray[np.float64]) -> Weights:
    """Return the weights for :func:`evaluate` from learned parameters, which are in logits."""
    weights = np.zeros((SETS, _W_SET), dtype=np.int32)
    patterns = np.flatnonzero(WINDOW_PARAMETER >= 0)
    rounded = np.rint(np.asarray(parameters) * 1000).astype(np.int32).reshape(SETS, _P_SET)
    weights[:, patterns] = rounded[:, WINDOW_PARAMETER[patterns]]
    weights[:, _W_OTHERS:] = rounded[:, _P_OTHERS:]
    return weights.reshape(-1)


def load() -> Weights:
    """Return the shipped weights."""
    with np.load(Path(__file__).with_name("weights.npz")) as shipped:
        return expand(shipped["parameters"])


# --- what a search wants to know ----------------------------------------------------------------------


def settled(state: State) -> int:
    """Return 0 while rows and rings are being taken."""
    return 1 if state[PHASE] <= MOVING else 0


def ply(state: State) -> int:
    """Taking rows and rings costs nothing: it belongs to the move that made the row."""
    return 1 if state[PHASE] <= MOVING else 0


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
