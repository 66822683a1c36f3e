"""What engines know of TRYPSYLON beyond the rules: turns that win at once, and how near each side is.

How near a side is to joining its shores: the least number of cards that would have to be replaced by a card
with all arms, so that a path is complete. A search sees wins within the turn (double moves included) without
trying every turn: first a card with all arms is pushed in, and only where even that joins the shores the
four directions are tried.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import ctz, popcount
from triskele.core.contract import Moves, State
from triskele.core.words import Text, text
from triskele.games.trypsylon.rules import (
    BACK,
    BARRED,
    BEHIND,
    BOARD,
    CELLS,
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
    LOG,
    NE,
    NW,
    ONE,
    PUSHES,
    ROWS,
    SE,
    SEAT,
    SOUTH,
    SPAN,
    STAGE,
    STRIDE,
    SW,
    THROUGH,
    TWO,
    UP,
    VACANT,
    WEST,
    apply,
    diagonals,
    face_down,
    face_up,
    grown,
    liftable,
    live_points,
)

Weights = NDArray[np.int32]
Room = NDArray[np.int64]

# --- paths --------------------------------------------------------------------------------------------


def joins(ne: int, se: int, sw: int, nw: int, board: int, columns: int, rows: int, side: int) -> bool:
    """Return whether the beaches (side 0) or the meadows (side 1) are joined: the rules' test for one side."""
    dne, dse, dsw, dnw = diagonals(ne, se, sw, nw, live_points(ne | se | sw | nw, board))
    eastern = sw | nw
    western = ne | se
    northern = se | sw
    southern = ne | nw
    if side == 0:
        found = WEST & (western | dnw | dsw)
        goal = WEST << (columns - 1) & (eastern | dne | dse)
    else:
        found = SOUTH & (southern | dsw | dse)
        goal = SOUTH << STRIDE * (rows - 1) & (northern | dne | dnw)
    if goal == 0 or found == 0:
        return False
    across = eastern & (western >> 1)
    upward = northern & (southern >> STRIDE)
    while True:
        more = grown(found, across, upward, dne, dse, dsw, dnw)
        if more & goal != 0:
            return True
        if more == found:
            return False
        found = more


def _wins(planes: Room, at: int, state: State, side: int) -> bool:
    """Return whether a side is joined with the four planes at a place in the scratch array."""
    return joins(
        planes[at], planes[at + 1], planes[at + 2], planes[at + 3], state[BOARD], state[COLUMNS], state[ROWS], side
    )


# Places in the scratch array: four planes and the vacancies each.
_BEFORE = 0
_ONCE = 5
_TWICE = 10


def _slide(room: Room, source: int, target: int, state: State, entrance: int) -> int:
    """Push towards the nearest vacancy from an entrance, as the rules do; return the edge cell, left empty.

    From the planes and vacancies at ``source`` to those at ``target`` in the scratch array.
    """
    line = LINES[entrance] & state[BOARD]
    gaps = line & room[source + 4]
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
        cards = room[source + plane]
        room[target + plane] = (cards & kept) | ((cards & pushed) << up) >> down
    room[target + 4] = room[source + 4] ^ gap
    return int(EDGES[24 * state[FRAME] + entrance])


def _entrances(vacant: int, frame: int) -> int:
    """Return where a card may be pushed in with these vacancies."""
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
"""Directions to try a card in: first one with all arms, then, if that is any good, the four there are."""


def _lay(room: Room, at: int, edge: int, direction: int) -> None:
    """Lay a card into an empty edge cell, or take it off again: in one plane, or in all of them."""
    for plane in range(4):
        if direction in (plane, _ALL_ARMS):
            room[at + plane] ^= edge


def _last_push(room: Room, source: int, state: State, side: int, exact: int) -> int:
    """Return a push of the last card in hand that wins, or -1; if not exact, of a card with all arms."""
    ways = _entrances(room[source + 4], state[FRAME])
    while ways != 0:
        entrance = ctz(ways)
        ways &= ways - 1
        edge = _slide(room, source, _TWICE, state, entrance)
        for direction in range(_ALL_ARMS, _ANY):
            _lay(room, _TWICE, edge, direction)
            won = _wins(room, _TWICE, state, side)
            _lay(room, _TWICE, edge, direction)
            if won and (direction != _ALL_ARMS or exact == 0):
                return PUSHES + 4 * entrance + direction
            if not won and direction == _ALL_ARMS:
                break
    return -1


def _first_push(room: Room, state: State, side: int) -> int:
    """Return a first push of two cards in hand after which the second can win, or -1."""
    ways = _entrances(room[_BEFORE + 4], state[FRAME])
    while ways != 0:
        entrance = ctz(ways)
        ways &= ways - 1
        edge = _slide(room, _BEFORE, _ONCE, state, entrance)
        for direction in range(_ALL_ARMS, _ANY):
            _lay(room, _ONCE, edge, direction)
            follow = _last_push(room, _ONCE, state, side, 0 if direction == _ALL_ARMS else 1)
            _lay(room, _ONCE, edge, direction)
            if follow < 0 and direction == _ALL_ARMS:
                break
            if follow >= 0 and direction != _ALL_ARMS:
                return PUSHES + 4 * entrance + direction
    return -1


def _take(state: State, room: Room, cells: int) -> None:
    """Leave the planes without some cells' cards, and the vacancies with them, at ``_BEFORE``."""
    for plane in range(4):
        room[_BEFORE + plane] = state[NE + plane] & ~cells
    room[_BEFORE + 4] = state[VACANT] | cells


def winning(state: State, room: Room) -> int:
    """Return a move of the one to act that leads to a win within this turn, or -1 if there is none."""
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
            _take(state, room, cell)
            found = _last_push(room, _BEFORE, state, side, 1)
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
                _take(state, room, first | second)
                found = _first_push(room, state, side)
                if found >= 0:
                    return found if stage == TWO else int(CODES[ctz(second if stage == ONE else first)])
            if seconds <= 0:
                break
        if firsts <= 0:
            break
    return -1


# --- how near a side is ---------------------------------------------------------------------------------

FAR = 7
"""Nearness beyond this is not told apart."""


def nearness(ne: int, se: int, sw: int, nw: int, board: int, columns: int, rows: int, side: int) -> int:
    """Return how many cards a side would have to replace to join its shores, times 64, plus in how many ways.

    Level by level: the cards joined to the first shore, then the cells where one more card with all arms
    would be joined to those, what it is joined to on its other side, and so on to the second shore.
    """
    firm = ne | se | sw | nw | (SPAN & ~board)
    low = firm & firm >> 1
    high = (firm >> STRIDE) & (firm >> STRIDE + 1)
    live = low & high
    # Points that lack one face-up card to be live.
    nearly = (low & (firm >> STRIDE | firm >> STRIDE + 1) | high & (firm | firm >> 1)) & ~live
    dne, dse, dsw, dnw = diagonals(ne, se, sw, nw, live)
    eastern = sw | nw
    western = ne | se
    northern = se | sw
    southern = ne | nw
    across = eastern & (western >> 1)
    upward = northern & (southern >> STRIDE)
    if side == 0:
        shore = WEST & board
        beyond = WEST << (columns - 1) & board
        found = shore & (western | dnw | dsw)
        goal = beyond & (eastern | dne | dse)
    else:
        shore = SOUTH & board
        beyond = SOUTH << STRIDE * (rows - 1) & board
        found = shore & (southern | dsw | dse)
        goal = beyond & (northern | dne | dnw)
    wild = 0
    used = 0
    reached = shore
    for level in range(FAR):
        while True:
            more = grown(found, across, upward, dne, dse, dsw, dnw)
            if more == found:
                break
            found = more
        ways = popcount(found & goal) + popcount(wild & beyond)
        if ways > 0:
            return level << 6 | min(ways, 63)
        # Where could one more card go on from here?
        reached |= (found & eastern) << 1 | (found & western) >> 1
        reached |= (found & northern) << STRIDE | (found & southern) >> STRIDE
        points = (found & ne) | (found & se) >> STRIDE | (found & sw) >> STRIDE + 1 | (found & nw) >> 1
        whole = points & live
        reached |= whole | whole << 1 | whole << STRIDE | whole << STRIDE + 1
        part = points & nearly
        reached |= (part | part << 1 | part << STRIDE | part << STRIDE + 1) & ~firm
        reached |= wild << 1 | wild >> 1 | wild << STRIDE | wild >> STRIDE
        wild = reached & board & ~(found | used)
        used |= wild
        reached = 0
        # And what would it be joined to?
        down = wild & ~firm
        points = (wild | wild >> 1 | wild >> STRIDE | wild >> STRIDE + 1) & live
        points |= (down | down >> 1 | down >> STRIDE | down >> STRIDE + 1) & nearly
        found |= wild << 1 & western | wild >> 1 & eastern | wild << STRIDE & southern | wild >> STRIDE & northern
        found |= (points & ne) | (points << STRIDE & se) | (points << STRIDE + 1 & sw) | (points << 1 & nw)
    return FAR << 6


# --- parameters -----------------------------------------------------------------------------------------

# For the one to begin the turn, then for the other: how near they are, with and without a double move allowed
# now, and in how many ways; and how many cards are face down.
_STEPS = FAR + 1
_WAYS = 8
NEAR = 0
CHOICES = NEAR + 2 * 2 * _STEPS
HIDDEN = CHOICES + 2 * _STEPS * _WAYS
_SET = HIDDEN + 2 * 37
PARAMETERS = 4 * _SET
"""One set each for small and large frames, and for both of them in Expert."""

LEVELS = (
    (0.2, 200, 1, 2400, 600, 1000),
    (0.2, 500, 1, 2000, 550, 800),
    (0.3, 1_000, 1, 1700, 520, 620),
    (0.4, 2_000, 1, 1500, 500, 470),
    (0.5, 4_000, 1, 1400, 480, 340),
    (0.6, 7_000, 1, 1300, 450, 240),
    (0.7, 14_000, 1, 1200, 420, 168),
    (0.8, 33_000, 1, 1100, 400, 90),
    (0.9, 100_000, 1, 1000, 400, 30),
    (None, None, None, 0, 0),
)
"""Each beats the one below in about two of three games: see ``benchmarks/levels.py``."""

LEARNED_ON: tuple[dict[str, bool | int], ...] = (
    {},
    {"columns": 6, "rows": 6},
    {"expert": True},
    {"columns": 6, "rows": 6, "expert": True},
    {"columns": 6},
    {"rows": 6, "expert": True},
)
"""The variants that the weights are learned on, in equal shares."""

LEARNING = {
    "seed": 7,
    "rounds": 1,
    "games": 1800,
    "nodes": 200,
    "chunk": 30,
    "opening": 16,
    "noise": 60,
    "trust": 0.8,
    "decay": 1.5e-3,
}
"""The plan that the shipped weights were learned with. Much of what they tell apart is rare, so the decay is strong."""


def first_guess() -> NDArray[np.float64]:
    """Return what anyone would say before seeing a game: it is good to be near, in many ways, and to have the turn."""
    found = np.zeros((4, _SET))
    steps = np.arange(_STEPS)
    ways = np.arange(_WAYS)
    for part, sign in ((0, 1), (1, -1)):
        for double in range(2):
            low = NEAR + (2 * part + double) * _STEPS
            found[:, low : low + _STEPS] = 0.1 + 0.15 * double - sign * 0.5 * steps
        for step in range(_STEPS // 2):
            low = CHOICES + (_STEPS * part + step) * _WAYS
            found[:, low : low + _WAYS] = sign * 0.08 * ways
    return found.ravel()


_TERMS = 20
_TERM_COUNT = 5


def _judged(room: Room, at: int, state: State, seat: int, double: int, hoped: int) -> None:
    """Leave the terms for a position with ``seat`` to begin a turn; its planes are in the scratch array.

    ``hoped`` are cells whose cards are still to be chosen, by the other seat: for that one they have all arms.
    """
    ne = room[at]
    se = room[at + 1]
    sw = room[at + 2]
    nw = room[at + 3]
    board = state[BOARD]
    columns = state[COLUMNS]
    rows = state[ROWS]
    side = seat ^ state[FIRST]
    own = nearness(ne, se, sw, nw, board, columns, rows, side)
    other = nearness(ne | hoped, se | hoped, sw | hoped, nw | hoped, board, columns, rows, 1 - side)
    hidden = popcount(board & ~(ne | se | sw | nw | hoped))
    base = _SET * (2 * state[EXPERT] + (1 if state[COLUMNS] + state[ROWS] > 10 else 0))
    for part in range(2):
        near = own if part == 0 else other
        room[_TERMS + part] = base + NEAR + (2 * part + double) * _STEPS + (near >> 6)
        ways = min(near & 63, _WAYS - 1)
        room[_TERMS + 2 + part] = base + CHOICES + (_STEPS * part + (near >> 6)) * _WAYS + ways
    room[_TERMS + 4] = base + HIDDEN + 37 * double + hidden


def _worth(room: Room, weights: Weights) -> int:
    """Return the sum of the weights of the terms, for the one to begin a turn."""
    total = 0
    for i in range(_TERM_COUNT):
        total += weights[room[_TERMS + i]]
    return total


def evaluate(state: State, weights: Weights, room: Room) -> int:
    """Return the value for seat 0 of a position at the beginning of a turn."""
    _take(state, room, 0)
    _judged(room, _BEFORE, state, state[SEAT], state[DOUBLE], 0)
    worth = _worth(room, weights)
    return worth if state[SEAT] == 0 else -worth


def features(state: State, index: Moves, value: Moves, room: Room) -> int:
    """List the terms of :func:`evaluate`."""
    _take(state, room, 0)
    _judged(room, _BEFORE, state, state[SEAT], state[DOUBLE], 0)
    for i in range(_TERM_COUNT):
        index[i] = room[_TERMS + i]
        value[i] = 1 - 2 * state[SEAT]
    return _TERM_COUNT


def expand(parameters: NDArray[np.float64]) -> Weights:
    """Return the weights for :func:`evaluate` from learned parameters, which are in logits."""
    return np.rint(np.asarray(parameters) * 1000).astype(np.int32)


def load() -> Weights:
    """Return the shipped weights."""
    with np.load(Path(__file__).with_name("weights.npz")) as shipped:
        return expand(shipped["parameters"])


# --- what a search wants to know --------------------------------------------------------------------------


def settled(state: State) -> int:
    """Return 0 in the middle of a turn."""
    return 1 if state[STAGE] == CHOOSE else 0


def ply(state: State) -> int:
    """A turn costs 1, at its first decision."""
    return 1 if state[STAGE] == CHOOSE else 0


_WINNING_RANK = 1 << 41
"""Before anything else, even what was best when the position came up before."""
_DEFERRED_RANK = -10_000_000
_EXACT_DISTANCE = 4
"""Up to so many decisions from the root, which the next turn of each side is, no win in the turn is missed."""


def _seems_near(state: State) -> bool:
    """Return whether the one to begin a turn may well win in it, as far as nearness tells.

    It is wrong for 2 in 1000 positions with one card and 30 in 1000 with two.
    """
    side = state[SEAT] ^ state[FIRST]
    near = nearness(state[NE], state[SE], state[SW], state[NW], state[BOARD], state[COLUMNS], state[ROWS], side)
    return bool(near >> 6 <= 2 + state[DOUBLE])


def noisy(state: State, moves: Moves, distance: int, room: Room) -> int:
    """List a move that leads to a win in this turn, if there is one."""
    if distance > _EXACT_DISTANCE and not _seems_near(state):
        return 0
    found = winning(state, room)
    if found < 0:
        return 0
    moves[0] = found
    return 1


def sensible(state: State, moves: Moves, number: int) -> int:
    """Leave out putting cards back, which is the last of the legal moves where touch-move is off."""
    return number - 1 if number > 1 and moves[number - 1] == BACK else number


def _after(room: Room, at: int, state: State, opened: int, weights: Weights, hoped: int) -> int:
    """Return the value for the mover of a position after his turn; its planes are in the scratch array."""
    hidden = popcount(state[BOARD] & ~(room[at] | room[at + 1] | room[at + 2] | room[at + 3] | hoped))
    double = 0
    if state[EXPERT] != 0:
        double = 1 if hidden > 0 else 0
    elif opened != 0:
        double = 1 if hidden > 3 else 0
    _judged(room, at, state, 1 - state[SEAT], double, hoped)
    return -_worth(room, weights)


def _best_push(room: Room, source: int, state: State, opened: int, weights: Weights) -> int:
    """Return the best value for the mover after pushing in the last card in hand, if that had all arms."""
    best = -_WINNING_RANK
    ways = _entrances(room[source + 4], state[FRAME])
    while ways != 0:
        edge = _slide(room, source, _TWICE, state, ctz(ways))
        ways &= ways - 1
        best = max(best, _after(room, _TWICE, state, opened, weights, edge))
    return best


def arrange(state: State, moves: Moves, ranks: Moves, number: int, distance: int, weights: Weights, room: Room) -> None:
    """Rank moves by what they may lead to in this turn: a win first."""
    stage = state[STAGE]
    won = -1
    if distance <= _EXACT_DISTANCE or stage != CHOOSE or _seems_near(state):
        won = winning(state, room)
    up = face_up(state)
    for i in range(number):
        move = moves[i]
        if move == won:
            ranks[i] = _WINNING_RANK
        elif won >= 0:
            ranks[i] = 0
        else:
            taken = CELLS[move] if move < PUSHES else 0
            _take(state, room, taken)
            if stage == ONE and move < PUSHES:
                room[_BEFORE + 4] = taken
                ranks[i] = _best_push(room, _BEFORE, state, 0, weights)
                if state[EXPERT] == 0:
                    ranks[i] += _DEFERRED_RANK
            elif stage == CHOOSE:
                ranks[i] = _best_push(room, _BEFORE, state, taken & up, weights)
            else:
                edge = _slide(room, _BEFORE, _ONCE, state, (move - PUSHES) >> 2)
                room[_ONCE + (move & 3)] |= edge
                if stage == TWO:
                    ranks[i] = _best_push(room, _ONCE, state, 0, weights)
                else:
                    ranks[i] = _after(room, _ONCE, state, state[LIFTED], weights, 0)


def width(state: State, depth: int, distance: int) -> int:
    """Return a few for every decision, more near the root."""
    stage = state[STAGE]
    if stage == CHOOSE:
        return 12 if distance == 0 else 6
    if stage == ONE and state[EXPERT] != 0:
        return 4
    return 6 if distance <= 1 else 4


_KEYS = np.random.default_rng(20260302).integers(1 << 20, 1 << 31, 32, dtype=np.int64) | 1


def key(state: State) -> int:
    """Return a hash of the position, without what came before it."""
    low = state[SEAT] + 2 * state[STAGE] + 8 * state[DOUBLE] + 16 * state[LIFTED] + 128 * state[FRAME]
    high = state[EXPERT] + 2 * state[FIRST]
    low = low * _KEYS[20]
    for i in range(6):
        word = state[BARRED] if i == 5 else state[NE + i]
        low ^= (word & 0x1FFFFFFF) * _KEYS[2 * i]
        high ^= (word >> 29) * _KEYS[2 * i + 1]
        low = (low ^ low >> 31) & 0x3FFFFFFFFFFFFFFF
        high += low & 0x7FFFFFFF
    mixed = ((low ^ low >> 29) & 0x7FFFFFFF) * _KEYS[13] ^ ((high ^ high >> 30) & 0x7FFFFFFF) * _KEYS[14]
    return int(mixed ^ low ^ high << 3 & 0x3FFFFFFFFFFFFFFF)


# --- words --------------------------------------------------------------------------------------------


def remark(options: Mapping[str, object], state: State, codes: Sequence[int], seat: int) -> Text | None:
    """Say how near the turn brings its player to joining his shores, when that is near."""
    after = state.copy()
    after = np.concatenate([after, np.zeros(LOG * (len(codes) + 1), dtype=np.int64)])
    for code in codes:
        if after[SEAT] != seat:
            break
        apply(after, code)
    if after[STAGE] != CHOOSE:
        return None
    missing = -tally(after, seat)
    return text("engines.joins", n=missing) if 0 < missing <= 2 else None


def tally(state: State, seat: int) -> int:
    """Return what a beginner counts for a seat: the cards that are missing in its path, as so many less than none."""
    side = seat ^ int(state[FIRST])
    planes = (int(state[NE]), int(state[SE]), int(state[SW]), int(state[NW]))
    return -(nearness(*planes, int(state[BOARD]), int(state[COLUMNS]), int(state[ROWS]), side) >> 6)
