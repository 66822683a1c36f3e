"""YINSH's evaluation for the alpha-beta search: static evaluation, quiescence moves, move ordering and pruning.

The features behind the static evaluation are in ``features.py``.
"""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import ctz, msb, popcount
from triskele.core.contract import Moves, State
from triskele.core.contract.evaluation import Evaluation, Training, TrainingPlan, Weights, Workspace
from triskele.core.contract.levels import level_table
from triskele.core.words import Text, text
from triskele.games.yinsh.features import (
    COMPLETE,
    COUNTED_TERMS,
    COUNTS,
    FLIPS_TO_ROW,
    MARKERS_ON,
    NO_ROW_MOVE,
    P_OTHERS,
    P_SET,
    PATTERNS,
    SETS,
    TERM_COUNT,
    TERMS,
    W_OTHERS,
    W_SET,
    WINDOW_PARAMETER,
    estimate_after_move,
    evaluate_for_mover,
    jump_down,
    jump_up,
    weight_set,
)
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
    POINT,
    POINTS,
    RING,
    RING_AT,
    RINGS_EACH,
    ROWS,
    TAKING_RING,
    TAKING_ROW,
    TURN,
    WAY,
    WAYS,
    WHITE,
    apply,
    between,
    five,
    own_markers,
)

ESTIMATE_ERROR = 250
"""By how much the estimate of a move may be too low (see :func:`prune_futile_moves`)."""


def evaluate(state: State, weights: Weights, workspace: Workspace) -> int:
    """Return the value for white of a position in which a ring is to be placed or moved."""
    workspace[TERM_COUNT] = -1
    value = evaluate_for_mover(state, weights, workspace)
    return value if state[TURN] == 0 else -value


def features(state: State, index: Moves, value: Moves, workspace: Workspace) -> int:
    """List the terms of :func:`evaluate` by parameter; an empty window has none."""
    workspace[TERM_COUNT] = 0
    evaluate_for_mover(state, NO_WEIGHTS, workspace)
    sign = 1 - 2 * state[TURN]
    base = P_SET * weight_set(state, state[TURN])
    number = 0
    for i in range(workspace[TERM_COUNT]):
        term = workspace[TERMS + i] % W_SET
        parameter = WINDOW_PARAMETER[term] if term < W_OTHERS else term - W_OTHERS + P_OTHERS
        if parameter >= 0:
            index[number] = base + parameter
            value[number] = sign
            number += 1
    for i in range(COUNTED_TERMS):
        index[number + i] = base + P_OTHERS + MARKERS_ON + i
        value[number + i] = sign * workspace[COUNTS + i]
    return number + COUNTED_TERMS


NO_WEIGHTS = np.zeros(SETS * W_SET, dtype=np.int32)


ROW_COUNTS = 100
"""What a row or a ring taken off counts in :func:`material`; markers in a possible row count their number squared."""


LEVELS = level_table(
    (0.2, 200, 1, 5500, 950, 1000),
    (0.2, 700, 1, 3900, 860, 850),
    (0.3, 2_000, 1, 3000, 780, 710),
    (0.4, 7_000, 1, 2300, 710, 530),
    (0.5, 19_000, 1, 1900, 650, 400),
    (0.6, 40_000, 1, 1500, 600, 290),
    (0.7, 105_000, 1, 1200, 500, 160),
    (0.8, 270_000, 1, 1200, 500, 72),
    (0.9, 520_000, 1, 1200, 500, 38),
    (None, None, None, 0, 0),
)
"""Each wins about four of five games against the one below, as measured by ``benchmarks/levels.py``."""


def expand(parameters: NDArray[np.float64]) -> Weights:
    """Return the weights for :func:`evaluate` from trained parameters, which are in logits."""
    weights = np.zeros((SETS, W_SET), dtype=np.int32)
    rounded = np.rint(np.asarray(parameters) * 1000).astype(np.int32).reshape(SETS, P_SET)
    weights[:, 1:PATTERNS] = rounded[:, WINDOW_PARAMETER[1:]]
    weights[:, W_OTHERS:] = rounded[:, P_OTHERS:]
    return weights.reshape(-1)


def load_weights() -> Weights:
    """Return the shipped weights."""
    with np.load(Path(__file__).with_name("weights.npz")) as shipped:
        return expand(shipped["parameters"])


# --- moves that make a row ------------------------------------------------------------------------------


def _find_completing_points(state: State, seat: int, workspace: Workspace) -> int:
    """Find the points where one more marker would make a row for ``seat``.

    Return 0 when there are none, 3 when an opposing marker is on some of them, else 1. With 3, ``FLIPS_TO_ROW`` in the
    workspace has for each line the markers that make a row on a *different* line when they are flipped.
    """
    found = 0
    for line in range(LINES):
        points = COMPLETE[own_markers(state, line, seat) >> 1]
        if points != 0:
            found |= 1
            points &= state[MARK + line]
            if points != 0 and found < 2:
                found = 3
                for i in range(LINES):
                    workspace[FLIPS_TO_ROW + i] = 0
            while points != 0:
                point = POINT[line, ctz(points)]
                points &= points - 1
                for way in range(WAYS):
                    if LINE[way, point] != line:
                        workspace[FLIPS_TO_ROW + LINE[way, point]] |= 1 << BIT[way, point]
    return found


def _rows_by_leaving(state: State, seat: int, point: int) -> int:
    """Return as three bits the directions in which a ring makes a row by just leaving its point."""
    found = 0
    for way in range(WAYS):
        found |= (COMPLETE[own_markers(state, LINE[way, point], seat) >> 1] >> BIT[way, point] & 1) << way
    return found


def quiescence_moves(state: State, moves: Moves, distance: int, workspace: Workspace) -> int:
    """List the moves that make a row."""
    if state[PHASE] != MOVING or workspace[NO_ROW_MOVE] == 1:
        return 0
    seat = state[TURN]
    completing = _find_completing_points(state, seat, workspace)
    n = 0
    for slot in range(RINGS_EACH):
        point = state[RING_AT + RINGS_EACH * seat + slot]
        if point < 0:
            continue
        leaving = _rows_by_leaving(state, seat, point) if completing > 0 else 0
        for way in range(WAYS):
            line = LINE[way, point]
            bit = BIT[way, point]
            rings = state[RING + line]
            marks = state[MARK + line]
            own = own_markers(state, line, seat)
            targets = 0
            for upward in range(2):
                run = jump_up(rings, marks, bit) if upward == 1 else jump_down(rings, marks, bit)
                if run != 0:
                    row = five((own ^ run) | 1 << bit) | leaving & ~(1 << way)
                    if completing > 1:
                        row |= run & ~own & workspace[FLIPS_TO_ROW + line]
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


# --- functions of the search's contract ---------------------------------------------------------------


def is_quiet(state: State) -> int:
    """Return 0 while rows and rings are being taken."""
    return 1 if state[PHASE] <= MOVING else 0


def ply_cost(state: State) -> int:
    """Return 0 for taking rows and rings, which belongs to the move that made the row, else 1."""
    return 1 if state[PHASE] <= MOVING else 0


def order_moves(
    state: State, moves: Moves, ranks: Moves, number: int, distance: int, weights: Weights, workspace: Workspace
) -> None:
    """Rank moves by the opposing markers they flip, less the own ones."""
    if state[PHASE] != MOVING or moves[0] == PASS:
        return
    seat = state[TURN]
    for i in range(number):
        origin = (moves[i] - MOVE) // POINTS
        target = (moves[i] - MOVE) % POINTS
        way = WAY[origin, target]
        jumped = between(state, way, origin, target)
        mine = popcount(jumped & own_markers(state, LINE[way, origin], seat))
        ranks[i] += 2000 * (popcount(jumped) - 2 * mine)


def futility_margin(depth: int) -> int:
    """Return by how much the static evaluation may be too high, judged by a search of ``depth`` moves."""
    return 200 * depth


def prune_futile_moves(
    state: State,
    moves: Moves,
    ranks: Moves,
    first: int,
    number: int,
    bound: int,
    weights: Weights,
    workspace: Workspace,
) -> int:
    """Leave out moves that make no row and are estimated below ``bound`` by more than the estimate's error."""
    if state[PHASE] != MOVING:
        return number
    seat = state[TURN]
    workspace[TERM_COUNT] = -1
    state[TURN] = 1 - seat
    total = evaluate_for_mover(state, weights, workspace)
    state[TURN] = seat
    kept = first
    for i in range(first, number):
        if estimate_after_move(state, total, moves[i], weights, workspace) < ESTIMATE_ERROR - bound:
            moves[kept] = moves[i]
            ranks[kept] = ranks[i]
            kept += 1
    return kept


_KEYS = np.random.default_rng(20260301)
_COLUMN_KEY = _KEYS.integers(1 << 34, 1 << 37, 2 * (LINES // WAYS), dtype=np.int64) | 1
_RING_KEY = _KEYS.integers(0, 1 << 62, (2, POINTS), dtype=np.int64)
_TURN_KEY = _KEYS.integers(0, 1 << 62, 64, dtype=np.int64)


def position_key(state: State) -> int:
    """Return a hash of the position."""
    hashed = _TURN_KEY[state[PHASE]] ^ _TURN_KEY[8 + state[TURN]] ^ _TURN_KEY[10 + state[MOVER]]
    hashed ^= _TURN_KEY[12 + state[PASSES]] ^ _TURN_KEY[16 + state[OFF]] ^ _TURN_KEY[20 + state[OFF + 1]]
    hashed ^= _TURN_KEY[24 + state[BLITZ]]
    for column in range(LINES // WAYS):
        mark = state[MARK + column] >> 1
        white = state[WHITE + column] >> 1
        hashed ^= (mark << 10 | white) * _COLUMN_KEY[column]
    for slot in range(2 * RINGS_EACH):
        point = state[RING_AT + slot]
        if point >= 0:
            hashed ^= _RING_KEY[slot // RINGS_EACH, point]
    hashed ^= hashed >> 31
    return int((hashed & 0x7FFFFFFF) * 0x5851F42D ^ hashed)


# --- explanations and material ------------------------------------------------------------------------


def _can_make_row(state: State, seat: int) -> bool:
    """Return whether a seat could make a row if it were to move."""
    asked = state.copy()
    asked[TURN] = seat
    return quiescence_moves(asked, np.empty(MOVES, dtype=np.int64), 0, np.zeros(1024, dtype=np.int64)) > 0


def explain(options: Mapping[str, object], state: State, codes: Sequence[int], seat: int) -> Text | None:
    """Return what a line achieves: a row now or soon, none for the opponent, markers flipped."""
    if state[PHASE] != MOVING or not codes or codes[0] == PASS:
        return None
    before = state.copy()
    own_moves = 0
    for code in codes:
        mine = before[PHASE] == MOVING and before[TURN] == seat
        own_moves += int(mine)
        apply(before, code)
        if mine and before[PHASE] == TAKING_ROW and before[TURN] == seat:
            return text("yinsh.gain-now") if own_moves == 1 else text("yinsh.gain-in", n=own_moves)
    after = state.copy()
    apply(after, codes[0])
    if _can_make_row(state, 1 - seat) and after[PHASE] == MOVING and not _can_make_row(after, 1 - seat):
        return text("yinsh.gain-stops")
    turned = sum(popcount(state[WHITE + i] ^ after[WHITE + i] & state[MARK + i]) for i in range(LINES // WAYS))
    return text("yinsh.gain-flips", n=turned) if turned > 1 else None


def material(state: State, seat: int) -> int:
    """Return a beginner's count for a seat: rings taken off, and markers in rows that the opponent does not block."""
    taking = state[PHASE] == TAKING_RING and state[TURN] == seat
    total = ROW_COUNTS * int(state[OFF + seat] + taking)
    for line in range(LINES):
        own, other = int(own_markers(state, line, seat)), int(own_markers(state, line, 1 - seat))
        total += _line_material(line, own, other) if own else 0
    return total


@functools.cache
def _line_material(line: int, own: int, other: int) -> int:
    rows = (0b11111 << int(bit) for row_line, bit in ROWS if row_line == line)
    counts = [(own & row).bit_count() for row in rows if not other & row]
    return sum(ROW_COUNTS if count == 5 else count * count for count in counts)


EVALUATION = Evaluation(
    load_weights=load_weights,
    levels=LEVELS,
    explain=explain,
    material=material,
    training=Training(
        parameters=SETS * P_SET,
        expand=expand,
        shared=P_SET,
        variants=({}, {}, {}, {"blitz": True}),
        plan=TrainingPlan(seed=5, rounds=4, games=12_000, nodes=1000, noise=40, epochs=6, weight_decay=5e-5),
    ),
)
