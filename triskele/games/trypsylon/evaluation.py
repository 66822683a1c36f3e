"""TRYPSYLON's evaluation for the alpha-beta search: static evaluation, quiescence moves and move ordering.

The features are the path distances of both sides: how many cards each would have to replace to join its shores
(``paths.py``). A win within the turn is a quiescence move and goes before all others (``winning_turns.py``).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from triskele.core.bits import ctz, popcount
from triskele.core.contract import Moves, State
from triskele.core.contract.evaluation import Evaluation, Training, TrainingPlan, Weights, Workspace
from triskele.core.contract.levels import level_table
from triskele.core.words import Text, text
from triskele.games.trypsylon.paths import MAX_DISTANCE, path_distance
from triskele.games.trypsylon.rules import (
    BACK,
    BARRED,
    BOARD,
    CELLS,
    CHOOSE,
    COLUMNS,
    DOUBLE,
    EXPERT,
    FIRST,
    FRAME,
    LIFTED,
    LOG,
    NE,
    NW,
    ONE,
    PUSHES,
    ROWS,
    SE,
    SEAT,
    STAGE,
    SW,
    TWO,
    apply,
    face_up,
)
from triskele.games.trypsylon.winning_turns import BEFORE, ONCE, TWICE, entrances, lift, slide, winning_move

# --- parameters -----------------------------------------------------------------------------------------

# For the seat that begins the turn, then for its opponent: the path distance, with and without a double move allowed
# now, and the number of ways for each distance; and how many cards are face down.
_STEPS = MAX_DISTANCE + 1
_WAYS = 8
DISTANCE = 0
WAYS_COUNT = DISTANCE + 2 * 2 * _STEPS
HIDDEN = WAYS_COUNT + 2 * _STEPS * _WAYS
_SET = HIDDEN + 2 * 37
PARAMETERS = 4 * _SET
"""One set each for small and large frames, and for both of them in Expert."""

LEVELS = level_table(
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
"""Each wins about two of three games against the one below, as measured by ``benchmarks/levels.py``."""


def initial_parameters() -> NDArray[np.float64]:
    """Return the prior: a short path distance in many ways is good, and so is having the turn."""
    found = np.zeros((4, _SET))
    steps = np.arange(_STEPS)
    ways = np.arange(_WAYS)
    for part, sign in ((0, 1), (1, -1)):
        for double in range(2):
            low = DISTANCE + (2 * part + double) * _STEPS
            found[:, low : low + _STEPS] = 0.1 + 0.15 * double - sign * 0.5 * steps
        for step in range(_STEPS // 2):
            low = WAYS_COUNT + (_STEPS * part + step) * _WAYS
            found[:, low : low + _WAYS] = sign * 0.08 * ways
    return found.ravel()


_TERMS = 20
_TERM_COUNT = 5


def _list_terms(workspace: Workspace, at: int, state: State, seat: int, double: int, wild: int) -> None:
    """List in the workspace the terms of the position at ``at`` with ``seat`` to begin a turn.

    ``wild`` are cells whose cards the opponent has still to choose: for the opponent they have all arms.
    """
    ne = workspace[at]
    se = workspace[at + 1]
    sw = workspace[at + 2]
    nw = workspace[at + 3]
    board = state[BOARD]
    columns = state[COLUMNS]
    rows = state[ROWS]
    side = seat ^ state[FIRST]
    own = path_distance(ne, se, sw, nw, board, columns, rows, side)
    other = path_distance(ne | wild, se | wild, sw | wild, nw | wild, board, columns, rows, 1 - side)
    hidden = popcount(board & ~(ne | se | sw | nw | wild))
    base = _SET * (2 * state[EXPERT] + (1 if state[COLUMNS] + state[ROWS] > 10 else 0))
    for part in range(2):
        near = own if part == 0 else other
        workspace[_TERMS + part] = base + DISTANCE + (2 * part + double) * _STEPS + (near >> 6)
        ways = min(near & 63, _WAYS - 1)
        workspace[_TERMS + 2 + part] = base + WAYS_COUNT + (_STEPS * part + (near >> 6)) * _WAYS + ways
    workspace[_TERMS + 4] = base + HIDDEN + 37 * double + hidden


def _sum_of_weights(workspace: Workspace, weights: Weights) -> int:
    """Return the sum of the weights of the listed terms, for the seat that begins the turn."""
    total = 0
    for i in range(_TERM_COUNT):
        total += weights[workspace[_TERMS + i]]
    return total


def evaluate(state: State, weights: Weights, workspace: Workspace) -> int:
    """Return the value for seat 0 of a position at the beginning of a turn."""
    lift(state, workspace, 0)
    _list_terms(workspace, BEFORE, state, state[SEAT], state[DOUBLE], 0)
    worth = _sum_of_weights(workspace, weights)
    return worth if state[SEAT] == 0 else -worth


def features(state: State, index: Moves, value: Moves, workspace: Workspace) -> int:
    """List the terms of :func:`evaluate`."""
    lift(state, workspace, 0)
    _list_terms(workspace, BEFORE, state, state[SEAT], state[DOUBLE], 0)
    for i in range(_TERM_COUNT):
        index[i] = workspace[_TERMS + i]
        value[i] = 1 - 2 * state[SEAT]
    return _TERM_COUNT


def expand(parameters: NDArray[np.float64]) -> Weights:
    """Return the weights for :func:`evaluate` from trained parameters, which are in logits."""
    return np.rint(np.asarray(parameters) * 1000).astype(np.int32)


def load_weights() -> Weights:
    """Return the shipped weights."""
    with np.load(Path(__file__).with_name("weights.npz")) as shipped:
        return expand(shipped["parameters"])


# --- functions of the search's contract -------------------------------------------------------------------


def is_quiet(state: State) -> int:
    """Return 0 in the middle of a turn."""
    return 1 if state[STAGE] == CHOOSE else 0


def ply_cost(state: State) -> int:
    """Return 1 at the first decision of a turn, else 0: a turn is one ply."""
    return 1 if state[STAGE] == CHOOSE else 0


_WINNING_RANK = 1 << 41
"""Before all other moves, that of the transposition table included."""
_DEFERRED_RANK = -10_000_000
"""Added for lifting a second card: after all pushes of the first."""
_EXACT_DISTANCE = 4
"""Up to this many decisions from the root, that is in the next turn of each side, no win in the turn is missed."""


def _may_win_this_turn(state: State) -> bool:
    """Return whether the path distance of the seat that begins a turn leaves a win in it possible.

    It misses the win in 2 of 1000 positions with one card and in 30 of 1000 with two.
    """
    side = state[SEAT] ^ state[FIRST]
    near = path_distance(state[NE], state[SE], state[SW], state[NW], state[BOARD], state[COLUMNS], state[ROWS], side)
    return bool(near >> 6 <= 2 + state[DOUBLE])


def quiescence_moves(state: State, moves: Moves, distance: int, workspace: Workspace) -> int:
    """List a move that leads to a win in this turn, if there is one."""
    if distance > _EXACT_DISTANCE and not _may_win_this_turn(state):
        return 0
    found = winning_move(state, workspace)
    if found < 0:
        return 0
    moves[0] = found
    return 1


def select_moves(state: State, moves: Moves, number: int) -> int:
    """Leave out putting cards back, which is the last of the legal moves where touch-move is off."""
    return number - 1 if number > 1 and moves[number - 1] == BACK else number


def _value_after_turn(workspace: Workspace, at: int, state: State, opened: int, weights: Weights, wild: int) -> int:
    """Return the value of the position at ``at`` in the workspace for the seat whose turn is over there."""
    hidden = popcount(
        state[BOARD] & ~(workspace[at] | workspace[at + 1] | workspace[at + 2] | workspace[at + 3] | wild)
    )
    double = 0
    if state[EXPERT] != 0:
        double = 1 if hidden > 0 else 0
    elif opened != 0:
        double = 1 if hidden > 3 else 0
    _list_terms(workspace, at, state, 1 - state[SEAT], double, wild)
    return -_sum_of_weights(workspace, weights)


def _best_push(workspace: Workspace, source: int, state: State, opened: int, weights: Weights) -> int:
    """Return the best value for the seat to act after pushing in its last card, as if that had all arms."""
    best = -_WINNING_RANK
    ways = entrances(workspace[source + 4], state[FRAME])
    while ways != 0:
        edge = slide(workspace, source, TWICE, state, ctz(ways))
        ways &= ways - 1
        best = max(best, _value_after_turn(workspace, TWICE, state, opened, weights, edge))
    return best


def order_moves(
    state: State, moves: Moves, ranks: Moves, number: int, distance: int, weights: Weights, workspace: Workspace
) -> None:
    """Rank a move that wins in this turn first, and the others by the value of the turn they begin."""
    stage = state[STAGE]
    won = -1
    if distance <= _EXACT_DISTANCE or stage != CHOOSE or _may_win_this_turn(state):
        won = winning_move(state, workspace)
    up = face_up(state)
    for i in range(number):
        move = moves[i]
        if move == won:
            ranks[i] = _WINNING_RANK
        elif won >= 0:
            ranks[i] = 0
        else:
            taken = CELLS[move] if move < PUSHES else 0
            lift(state, workspace, taken)
            if stage == ONE and move < PUSHES:
                workspace[BEFORE + 4] = taken
                ranks[i] = _best_push(workspace, BEFORE, state, 0, weights)
                if state[EXPERT] == 0:
                    ranks[i] += _DEFERRED_RANK
            elif stage == CHOOSE:
                ranks[i] = _best_push(workspace, BEFORE, state, taken & up, weights)
            else:
                edge = slide(workspace, BEFORE, ONCE, state, (move - PUSHES) >> 2)
                workspace[ONCE + (move & 3)] |= edge
                if stage == TWO:
                    ranks[i] = _best_push(workspace, ONCE, state, 0, weights)
                else:
                    ranks[i] = _value_after_turn(workspace, ONCE, state, state[LIFTED], weights, 0)


def move_limit(state: State, depth: int, distance: int) -> int:
    """Return how many of the best-ranked moves are searched: a few at every decision, more near the root."""
    stage = state[STAGE]
    if stage == CHOOSE:
        return 12 if distance == 0 else 6
    if stage == ONE and state[EXPERT] != 0:
        return 4
    return 6 if distance <= 1 else 4


_KEYS = np.random.default_rng(20260302).integers(1 << 20, 1 << 31, 32, dtype=np.int64) | 1


def position_key(state: State) -> int:
    """Return a hash of the position, without the history that repetition depends on."""
    low = state[SEAT] + 2 * state[STAGE] + 8 * state[DOUBLE] + 16 * state[LIFTED] + 128 * state[FRAME]
    high = state[EXPERT] + 2 * state[FIRST]
    low = low * _KEYS[20]
    for i in range(6):
        word = state[BARRED] if i == 5 else state[NE + i]
        low ^= (word & 0x1FFFFFFF) * _KEYS[2 * i]
        high ^= (word >> 29) * _KEYS[2 * i + 1]
        low = (low ^ low >> 31) & 0x3FFFFFFFFFFFFFFF
        high += low & 0x7FFFFFFF
    hashed = ((low ^ low >> 29) & 0x7FFFFFFF) * _KEYS[13] ^ ((high ^ high >> 30) & 0x7FFFFFFF) * _KEYS[14]
    return int(hashed ^ low ^ high << 3 & 0x3FFFFFFFFFFFFFFF)


# --- explanations and material ------------------------------------------------------------------------


def explain(options: Mapping[str, object], state: State, codes: Sequence[int], seat: int) -> Text | None:
    """Return how many cards are missing in the seat's path after its turn, when these are few."""
    after = state.copy()
    after = np.concatenate([after, np.zeros(LOG * (len(codes) + 1), dtype=np.int64)])
    for code in codes:
        if after[SEAT] != seat:
            break
        apply(after, code)
    if after[STAGE] != CHOOSE:
        return None
    missing = -material(after, seat)
    return text("trypsylon.joins", n=missing) if 0 < missing <= 2 else None


def material(state: State, seat: int) -> int:
    """Return a beginner's count for a seat: the negated number of cards that are missing in its path."""
    side = seat ^ int(state[FIRST])
    planes = (int(state[NE]), int(state[SE]), int(state[SW]), int(state[NW]))
    return -(path_distance(*planes, int(state[BOARD]), int(state[COLUMNS]), int(state[ROWS]), side) >> 6)


EVALUATION = Evaluation(
    load_weights=load_weights,
    levels=LEVELS,
    explain=explain,
    material=material,
    training=Training(
        parameters=PARAMETERS,
        expand=expand,
        initial=initial_parameters,
        variants=(
            {},
            {"columns": 6, "rows": 6},
            {"expert": True},
            {"columns": 6, "rows": 6, "expert": True},
            {"columns": 6},
            {"rows": 6, "expert": True},
        ),
        # Much of what the parameters tell apart is rare, so the weight decay is strong.
        plan=TrainingPlan(
            seed=7,
            rounds=1,
            games=1800,
            nodes=200,
            chunk=30,
            opening=16,
            noise=60,
            result_share=0.8,
            weight_decay=1.5e-3,
        ),
    ),
)
